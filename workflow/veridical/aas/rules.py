"""Grade the answers to a study's own tasks by their rule, and every answer by its task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from veridical.aas.grading import (
    ScoredAnswer,
    abstains,
    asserted,
    language_told,
    numbers_read,
    score_answer,
)
from veridical.aas.spoken import heard
from veridical.aas.tasks import Task

_OUTSIDE = " .,;:!?\"'*()[]«»“”"
Found = tuple[str, str | None, int, int]


def grade(
    own: Mapping[str, Task], task: str, asked: str, expected: str, answer: str, complete: bool
) -> ScoredAnswer:
    """Score one answer: by its own task's rule where it is one, else as the day or the number.

    `exact`: the answer is the expected one, but for case, diacritics, spaces and the marks around
    it. `contains`: the expected text stands in it as whole words and is not denied. `numeric`: the
    one number in it lies within the tolerance. `graded`: the value of the one answer of the table
    that stands in it as whole words; of two that overlap the longer counts. An answer with several
    different numbers or values is `ambiguous`. What stands at the very end of an answer that was
    cut is not read.
    """
    if task not in own:
        return score_answer(task, asked, expected, answer, complete=complete)
    said = heard(answer)
    if not any(c.isalnum() for c in said):
        return ScoredAnswer(0.0, "empty", "", None)
    found = dict(_values(own[task], asked, expected, said, complete))
    language = language_told(said)
    if len(set(found.values())) == 1:
        given, x = next(iter(found.items()))
        mark = "right" if x == 1 else "partial" if x > 0 else "wrong"
        return ScoredAnswer(x, mark, given, language)
    if abstains(said):
        return ScoredAnswer(0.0, "abstained", "abstained", language)
    unread = "unparseable" if own[task].grading == "numeric" else "wrong"
    return ScoredAnswer(0.0, "ambiguous" if found else unread, said[:80], language)


def _values(
    task: Task, asked: str, expected: str, said: str, complete: bool
) -> Iterator[tuple[str, float]]:
    """What an answer gives that the rule knows, and what each is worth."""
    if task.grading == "exact":
        if said.strip(_OUTSIDE) == heard(expected).strip(_OUTSIDE) and complete:
            yield said.strip(_OUTSIDE), 1.0
    elif task.grading == "numeric":
        for number in numbers_read(said, asked, complete):
            off = abs(float(number) - float(expected))
            yield number, float(off <= task.tolerance * (1 + 1e-12))
    else:
        worth = task.grades if task.grading == "graded" else {expected: 1.0}
        wanted = {heard(answer): float(value) for answer, value in worth.items()}
        for given, _ in asserted(said, [*_words(said, [*wanted])], complete):
            yield given, wanted[given]


def _words(said: str, wanted: list[str]) -> Iterator[Found]:
    """Where the answers of a table stand as whole words; the longest of those that overlap."""
    longest_first = sorted(wanted, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return ((each[0], None, each.start(), each.end()) for each in re.finditer(pattern, said))
