"""A reader of GBNF: what a grammar whose answers are texts and choices lets a model write.

Independent of what writes grammars, so that either can be held to the other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}
_RULE = re.compile(r"^\s*([a-zA-Z][\w-]*)\s*::=", re.MULTILINE)
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<one>\[(?!\^)(?:[^\]\\]|\\.)+\])'
    r"|(?P<name>[a-zA-Z][\w-]*)|(?P<mark>[()|])|(?P<end>\Z))"
)
_CHARACTER = re.compile(r"(\\x[0-9A-F]{2}|\\.|[^\\])(?:-(\\x[0-9A-F]{2}|\\.|[^\\]))?", re.DOTALL)


def answers(source: str) -> set[str]:
    """Every answer that a grammar allows. Raises ValueError where one is of no fixed form."""
    _, *found = _RULE.split(source)
    rules = dict(zip(found[::2], found[1::2], strict=True))
    return set(_Reader(rules).rule("root"))


class _Reader:
    def __init__(self, rules: dict[str, str]):
        self.rules = rules

    def rule(self, name: str) -> list[str]:
        tokens = list(_tokens(self.rules[name]))
        found = self.alternatives(tokens)
        if tokens:
            raise ValueError(f"{name}: a bracket that was never opened")
        return found

    def alternatives(self, tokens: list[tuple[str, str]]) -> list[str]:
        """What the tokens up to a closing bracket or the end may come to; `tokens` is used up."""
        sequences: list[list[Sequence[str]]] = [[]]
        while tokens and tokens[0][1] != ")":
            kind, token = tokens.pop(0)
            if kind == "mark" and token == "|":
                sequences.append([])
            elif kind == "mark":
                sequences[-1].append(self.alternatives(tokens))
                tokens.pop(0)
            elif kind == "text":
                sequences[-1].append([_unquoted(token[1:-1])])
            elif kind == "one":
                sequences[-1].append(_characters(token[1:-1]))
            else:
                sequences[-1].append(self.rule(token))
        return ["".join(parts) for sequence in sequences for parts in itertools.product(*sequence)]


def _tokens(source: str) -> Iterable[tuple[str, str]]:
    at = 0
    while match := _TOKEN.match(source, at):
        if match.lastgroup == "end":
            return
        yield str(match.lastgroup), match[str(match.lastgroup)]
        at = match.end()
    raise ValueError(f"no text and no choice: {source[at:]!r}")


def _unquoted(text: str) -> str:
    text = re.sub(r"\\x([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\(.)", lambda match: _PLAIN.get(match[1], match[1]), text, flags=re.DOTALL)


def _characters(listed: str) -> list[str]:
    found: list[str] = []
    for first, last in _CHARACTER.findall(listed):
        start = ord(_unquoted(first))
        found += map(chr, range(start, ord(_unquoted(last)) + 1 if last else start + 1))
    return found
