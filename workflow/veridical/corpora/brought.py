"""A memory document brought along: where its facts stand in it, so that they can be exchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridical.base.characters import alike
from veridical.corpora.shapes import Line, Lines, place, stands

_KEPT = "\x00"  # no character of any text (`corpus_files`)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")


class Sought(NamedTuple):
    """A fact to be found: its number, subject and value."""

    number: int
    subject: str
    value: str


def locate(text: str, facts: Sequence[Sought]) -> Lines:
    """The document as lines, a place kept for each fact that stands in it.

    A fact stands where one sentence, and no other, holds its subject and its value as words of
    their own; where several do, or two facts of one value share a sentence, it is not found, and
    so can't be asked about. Capitals count in the value alone.
    """
    sentences = [
        (number, part) for number, line in enumerate(text.split("\n")) for part in _parts(line)
    ]
    index = _index(sentences)
    own: dict[int, list[tuple[int, str]]] = {}
    for fact in facts:
        where = _where(fact, sentences, index)
        if len(where) == 1:
            own.setdefault(where[0], []).append((fact.number, fact.value))
    found: list[list[str | int]] = [[] for _ in text.split("\n")]
    for at, (number, part) in enumerate(sentences):
        values = [value for _, value in own.get(at, ())]
        single = [pair for pair in own.get(at, ()) if values.count(pair[1]) == 1]
        found[number].extend(place(part, single))
    return tuple(_line(pieces) for pieces in found)


def _parts(line: str) -> list[str]:
    """A line's sentences, each with the blanks that follow it: together they are the line."""
    ends = [match.end() for match in _SENTENCE.finditer(line)]
    starts = [0, *ends]
    return [line[start:end] for start, end in zip(starts, [*ends, len(line)], strict=True)]


def still_told(lines: Lines, bindings: Sequence[tuple[str, str]]) -> list[str]:
    """Subjects whose value stands beside them in some sentence where no place is kept for a fact.

    There an exchange leaves it: the document would say both.
    """
    kept = "\n".join(
        "".join(piece if isinstance(piece, str) else _KEPT for piece in line) for line in lines
    )
    sentences = [
        (number, part) for number, line in enumerate(kept.split("\n")) for part in _parts(line)
    ]
    index = _index(sentences)
    return [
        f"{subject}: {value}"
        for subject, value in bindings
        if _where(Sought(0, subject, value), sentences, index)
    ]


def _index(sentences: Sequence[tuple[int, str]]) -> dict[str, set[int]]:
    """The sentences that hold each word."""
    index: dict[str, set[int]] = {}
    for at, (_, part) in enumerate(sentences):
        for word in _words(part):
            index.setdefault(word, set()).add(at)
    return index


def _where(
    fact: Sought, sentences: Sequence[tuple[int, str]], index: dict[str, set[int]]
) -> list[int]:
    """The sentences that hold subject and value."""
    words = _words(fact.subject) | _words(fact.value)
    common = set.intersection(*(index.get(word, set()) for word in words)) if words else set()
    subject = alike(fact.subject).casefold()
    return [
        at
        for at in sorted(common)
        if stands(sentences[at][1], fact.value) and subject in alike(sentences[at][1]).casefold()
    ]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", alike(text).casefold()))


def _line(pieces: list[str | int]) -> Line:
    return tuple(pieces) or ("",)
