r"""GBNF, the grammars that bind an answer: writing them, and telling what they leave open.

A grammar whose every answer is fixed text with choices between texts in it (a verdict, a quoted
entry, one of the options) is a sequence of *pieces*: a piece is a text, or several to choose from.
A provider that can begin an answer needs the model for the choices only, and writes down the text
between them itself (jump-forward decoding).
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence

Piece = str | tuple[str, ...]

ANSWERS = 1000  # texts to choose from in one place, at most; a grammar with more has no pieces
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}
_RULE = re.compile(r"^\s*([a-zA-Z][\w-]*)\s*::=", re.MULTILINE)
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<one>\[(?!\^)(?:[^\]\\]|\\.)+\])'
    r"|(?P<name>[a-zA-Z][\w-]*)|(?P<mark>[()|])|(?P<end>\Z))"
)
_CHARACTER = re.compile(r"(\\.|[^\\])(?:-(\\.|[^\\]))?", re.DOTALL)


def quoted(text: str) -> str:
    r"""A text as a grammar writes it.

    >>> print(quoted('say "so"'))
    "say \"so\""
    """
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'


def grammar(pieces: Sequence[Piece]) -> str:
    """The grammar of these pieces, one after the other.

    >>> print(grammar(("dated ", ("8", "9"))))
    root ::= "dated " ("8" | "9")
    """
    written = (
        quoted(piece) if isinstance(piece, str) else f"({' | '.join(map(quoted, piece))})"
        for piece in pieces
    )
    return f"root ::= {' '.join(written)}"


def pieces(source: str) -> tuple[Piece, ...] | None:
    r"""The pieces of a grammar; None where it has none.

    That is where an answer may be of any length, where a place has more than `ANSWERS` texts, or
    where one of them begins another ("Ann", "Anna"), so that it can't be told when it has ended.

    >>> pieces('root ::= "{\\"A\\":" score "}"\nscore ::= "0." [3-5] | "1.0"')
    ('{"A":', ('0.3', '0.4', '0.5', '1.0'), '}')
    >>> pieces('root ::= "note: " [a-z]+') is None
    True
    """
    _, *found = _RULE.split(source)
    rules = dict(zip(found[::2], found[1::2], strict=True))
    try:
        return tuple(_joined(_Reading(rules).rule("root")))
    except _NoPiecesError:
        return None


def after(pieces: Sequence[Piece], written: str) -> tuple[Piece, ...] | None:
    """What is still to come once `written` stands; None where it breaks the grammar.

    >>> after((("Llama", "DeepSeek"), "."), "Dee")
    ('pSeek', '.')
    """
    for place, piece in enumerate(pieces):
        texts = (piece,) if isinstance(piece, str) else piece
        ended = next((text for text in texts if written.startswith(text)), None)
        if ended is not None:
            written = written[len(ended) :]
            continue
        left = tuple(text[len(written) :] for text in texts if text.startswith(written))
        if not left:
            return None
        return (left[0] if len(left) == 1 else left, *pieces[place + 1 :])
    return None if written else ()


def certain(pieces: Sequence[Piece]) -> str:
    """The text that comes next whatever is chosen, up to where a model would begin a new token.

    What was forced must be cut into tokens as if the model had written on: "New" before " York" or
    " Haven", but neither "New " nor, of "Jean-Paul" and "Jean-Pierre", "Jean-", since tokenizers
    take a space or a mark together with the letters that follow it.

    >>> certain((" — met", (" Llama", " DeepSeek")))
    ' — met'
    >>> certain((" ", ("2025-01-08", "2025-02-03")))
    ' 2025-'
    >>> certain((("Jean-Paul", "Jean-Pierre"),))
    'Jean'
    """
    sure, following = "", {""}
    for piece in pieces:
        if isinstance(piece, str):
            sure += piece
            continue
        alike = itertools.takewhile(lambda column: len(set(column)) == 1, zip(*piece, strict=False))
        common = "".join(column[0] for column in alike)
        sure += common
        following = {text[len(common)] for text in piece}
        break
    else:
        return sure
    for end in range(len(sure), 0, -1):
        after_it = following if end == len(sure) else {sure[end]}
        if all(_tokens_part(sure[end - 1], later) for later in after_it):
            return sure[:end]
    return ""


def _tokens_part(before: str, later: str) -> bool:
    """Whether tokenizers part a text between these two characters."""
    if before.isspace() or unicodedata.category(later).startswith("M"):
        return False
    if later == " ":
        return True
    if later.isdigit():
        return not before.isdigit()
    if later.isalpha():
        return before.isdigit()
    return before.isalnum()  # marks stay together, and with a line's end


class _NoPiecesError(Exception):
    """The grammar is not made of fixed texts and choices between them."""


class _Reading:
    """Reads rules into pieces, one rule inside another."""

    def __init__(self, rules: dict[str, str]):
        self.rules = rules
        self.within: list[str] = []  # the rules being read: one that comes again never ends

    def rule(self, name: str) -> list[Piece]:
        if name not in self.rules or name in self.within:
            raise _NoPiecesError
        self.within.append(name)
        tokens = list(_tokens(self.rules[name]))
        found = self.alternatives(tokens)
        if tokens:
            raise _NoPiecesError
        self.within.pop()
        return found

    def alternatives(self, tokens: list[tuple[str, str]]) -> list[Piece]:
        """The pieces up to a closing bracket or the end; `tokens` is used up as far."""
        sequences: list[list[Piece]] = [[]]
        while tokens and tokens[0][1] != ")":
            kind, token = tokens.pop(0)
            if token == "|" and kind == "mark":
                sequences.append([])
            elif kind == "mark":
                sequences[-1] += self.alternatives(tokens)
                if not tokens:
                    raise _NoPiecesError  # never closed
                tokens.pop(0)
            elif kind == "text":
                sequences[-1].append(_unquoted(token[1:-1]))
            elif kind == "one":
                sequences[-1].append(_characters(token[1:-1]))
            else:
                sequences[-1] += self.rule(token)
        if len(sequences) == 1:
            return sequences[0]
        return [_choice(text for sequence in sequences for text in _texts(sequence))]


def _tokens(source: str) -> Iterable[tuple[str, str]]:
    at = 0
    while match := _TOKEN.match(source, at):
        if match.lastgroup == "end":
            return
        yield str(match.lastgroup), match[str(match.lastgroup)]
        at = match.end()
    raise _NoPiecesError  # a repetition, any character, a comment


def _unquoted(text: str) -> str:
    if re.search(r"(?<!\\)(?:\\\\)*\\[xuU]", text):
        raise _NoPiecesError  # a character by its number
    return re.sub(r"\\(.)", lambda match: _PLAIN.get(match[1], match[1]), text, flags=re.DOTALL)


def _characters(listed: str) -> Piece:
    found: list[str] = []
    for first, last in _CHARACTER.findall(listed):
        start = ord(_unquoted(first))
        found += map(chr, range(start, ord(_unquoted(last)) + 1 if last else start + 1))
    return _choice(found)


def _choice(texts: Iterable[str]) -> Piece:
    """Texts to choose from, each once. Raises where there are too many or one begins another."""
    found: dict[str, None] = {}
    for text in texts:
        found[text] = None
        if len(found) > ANSWERS:
            raise _NoPiecesError
    listed = tuple(found)
    begun = any(later.startswith(text) for text, later in itertools.pairwise(sorted(listed)))
    if begun or not listed or "" in listed:
        raise _NoPiecesError
    return listed[0] if len(listed) == 1 else listed


def _texts(sequence: Sequence[Piece]) -> Iterable[str]:
    """Every text that a sequence of pieces may come to."""
    each = ((piece,) if isinstance(piece, str) else piece for piece in sequence)
    return ("".join(parts) for parts in itertools.product(*each))


def _joined(sequence: Iterable[Piece]) -> Iterable[Piece]:
    """The same, with texts that follow each other made one and empty ones left out."""
    for fixed, group in itertools.groupby(sequence, key=lambda piece: isinstance(piece, str)):
        if fixed:
            yield from filter(None, ["".join(group)])  # type: ignore[arg-type]
        else:
            yield from group
