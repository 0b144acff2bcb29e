"""What an answer is made of: fixed texts, choices between texts, and open text of some length.

A form holds its pieces. A provider that takes a grammar is given the one they make
(`veridical.models.grammars`). Where they are fixed texts and choices only, a provider that can
begin an answer needs the model for the choices alone and writes the text between them itself
(jump-forward decoding): `fixed`, `after` and `certain` say what is left of such an answer.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

CHOICES = 1000  # texts to choose from in one place, at most; with more, an answer is not fixed


@dataclass(frozen=True)
class Span:
    """Open text: `least` to `most` characters, of those listed or, with `but`, of any others."""

    characters: str
    least: int = 1
    most: int = 1
    but: bool = False


@dataclass(frozen=True)
class Part:
    """Pieces that have a name and may occur several times: one of several sequences of pieces.

    A grammar writes them once, as a rule of that name.
    """

    name: str
    ways: tuple[Pieces, ...]


Piece: TypeAlias = "str | tuple[str, ...] | Span | Part"  # a text, a choice, open text, a part
Pieces: TypeAlias = tuple[Piece, ...]
Fixed: TypeAlias = "tuple[str | tuple[str, ...], ...]"  # texts and choices between texts


def to_json(piece: Piece) -> Any:
    """A piece in plain JSON types: a text, a list of texts, or an object."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, tuple):
        return list(piece)
    if isinstance(piece, Span):
        return dict(vars(piece))
    return {"name": piece.name, "ways": [[to_json(each) for each in way] for way in piece.ways]}


def from_json(entry: Any) -> Piece:
    """The inverse of `to_json`. Raises TypeError or KeyError where the entry is no piece."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, list):
        return tuple(entry)
    if "ways" not in entry:
        return Span(**entry)
    return Part(entry["name"], tuple(tuple(map(from_json, way)) for way in entry["ways"]))


def fixed(pieces: Iterable[Piece]) -> Fixed | None:
    """The same answer as texts and choices between texts alone; None where it has open text.

    None also where a place has more than `CHOICES` texts, or one of them begins another ("Ann",
    "Anna"), so that it can't be told when it has ended.

    >>> score = Part("score", (("0.", Span("345")), ("1.0",)))
    >>> fixed(('{"A":', score, "}"))
    ('{"A":', ('0.3', '0.4', '0.5', '1.0'), '}')
    >>> fixed(("note: ", Span("abc", 1, 20))) is None
    True
    """
    try:
        return tuple(_joined(_fixed(pieces)))
    except _OpenError:
        return None


def after(pieces: Fixed, written: str) -> Fixed | None:
    """What is still to come once `written` stands; None where that is no beginning of an answer.

    >>> after((("Llama", "DeepSeek"), "."), "Dee")
    ('pSeek', '.')
    """
    for number, piece in enumerate(pieces):
        texts = (piece,) if isinstance(piece, str) else piece
        ended = next((text for text in texts if written.startswith(text)), None)
        if ended is not None:
            written = written[len(ended) :]
            continue
        left = tuple(text[len(written) :] for text in texts if text.startswith(written))
        if not left:
            return None
        return (left[0] if len(left) == 1 else left, *pieces[number + 1 :])
    return None if written else ()


def certain(pieces: Fixed) -> str:
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


class _OpenError(Exception):
    """The answer is not made of texts and choices between texts."""


def _fixed(pieces: Iterable[Piece]) -> list[str | tuple[str, ...]]:
    found: list[str | tuple[str, ...]] = []
    for piece in pieces:
        if isinstance(piece, str):
            found.append(piece)
        elif isinstance(piece, tuple):
            found.append(_choice(piece))
        elif isinstance(piece, Span):
            if piece.but or (piece.least, piece.most) != (1, 1):
                raise _OpenError
            found.append(_choice(piece.characters))
        elif len(piece.ways) == 1:
            found += _fixed(piece.ways[0])
        else:
            ways = map(_fixed, piece.ways)
            found.append(_choice(text for way in ways for text in _texts(way)))
    return found


def _choice(texts: Iterable[str]) -> str | tuple[str, ...]:
    """Texts to choose from, each once. Raises where there are too many or one begins another."""
    found: dict[str, None] = {}
    for text in texts:
        found[text] = None
        if len(found) > CHOICES:
            raise _OpenError
    listed = tuple(found)
    begun = any(later.startswith(text) for text, later in itertools.pairwise(sorted(listed)))
    if begun or not listed or "" in listed:
        raise _OpenError
    return listed[0] if len(listed) == 1 else listed


def _texts(sequence: Fixed) -> Iterable[str]:
    """Every text that a sequence may come to."""
    each = ((piece,) if isinstance(piece, str) else piece for piece in sequence)
    return ("".join(parts) for parts in itertools.product(*each))


def _joined(sequence: Iterable[str | tuple[str, ...]]) -> Iterable[str | tuple[str, ...]]:
    """The same, with texts that follow each other made one and empty ones left out."""
    for text, group in itertools.groupby(sequence, key=lambda piece: isinstance(piece, str)):
        if text:
            yield from filter(None, ["".join(group)])  # type: ignore[arg-type]
        else:
            yield from group
