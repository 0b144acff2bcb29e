"""Tasks of a study's own, beside the day and the number: what they ask, how they are graded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veridical.aas.score import LARGEST, TASKS

RULES = ("exact", "contains", "numeric", "graded")


@dataclass(frozen=True)
class Task:
    """A question that every session asks, and how its answer is graded.

    `question` has a text a language, or a list of them, one a session: what one session tells, a
    later one can ask. `expected` is the right answer, the same throughout, a text a language, or a
    list of them, one a session. `kind` says whether it asks for what is known (semantic) or for
    what happened (episodic). `grading`: see `rules.grade`; `tolerance` belongs to `numeric`,
    `grades` (a value in [0, 1] for each answer) to `graded`.
    """

    id: str
    kind: str
    question: Mapping[str, str | Sequence[str]]
    expected: Any = None
    grading: str = "exact"
    tolerance: float = 0.0
    grades: Mapping[str, float] = field(default_factory=dict)
    weight: float = 1.0
    label: Mapping[str, str] = field(default_factory=dict)

    def asked(self, language: str, session: int) -> str:
        """The question of a session, numbered from 1, in its language."""
        said = self.question[language]
        return said if isinstance(said, str) else said[session - 1]

    def wanted(self, language: str, session: int) -> str:
        """The right answer of a session in its language; of grades, the best one."""
        if self.grading == "graded" and self.expected is None:
            return max(self.grades, key=self.grades.__getitem__)
        said = self.expected
        said = said[language] if isinstance(said, Mapping) else said
        return str(said[session - 1] if isinstance(said, list | tuple) else said)


def own_tasks(
    entries: Sequence[Mapping[str, Any]], languages: Sequence[str], sessions: int
) -> list[Task]:
    """The tasks of `aas.tasks`, held to the languages and the number of sessions.

    Raises ValueError naming task and key: an id that is taken, a language without a question or
    answer, a list that is not one a session, a grading without what it needs.
    """
    tasks = [Task(**entry) for entry in entries]
    problems = [f"{each!r} is taken" for each in _twice([*TASKS, *(task.id for task in tasks)])]
    for task in tasks:
        problems += [f"{task.id}/{fault}" for fault in _faults(task, languages, sessions)]
    if problems:
        raise ValueError("; ".join(f"aas/tasks/{problem}" for problem in problems))
    return tasks


def _twice(names: Sequence[str]) -> list[str]:
    return [name for n, name in enumerate(names) if name in names[:n]]


def _faults(task: Task, languages: Sequence[str], sessions: int) -> list[str]:
    found = [
        f"question: no text for {language!r}, a language of the sessions"
        for language in languages
        if language not in task.question
    ]
    found += [
        f"question/{language}: {len(said)} texts for {sessions} sessions; one each is needed"
        for language, said in task.question.items()
        if not isinstance(said, str) and len(said) != sessions
    ]
    return found or [*_expected(task, languages, sessions), *_graded(task)]


def _expected(task: Task, languages: Sequence[str], sessions: int) -> list[str]:
    """What is wrong with the expected answers."""
    if task.expected is None:
        return [] if task.grading == "graded" else ["expected: missing, the right answer"]
    said = task.expected if isinstance(task.expected, Mapping) else {"": task.expected}
    lacking = [] if "" in said else [each for each in languages if each not in said]
    found = [f"expected: no answer for {language!r}" for language in lacking]
    for each in said.values():
        if isinstance(each, list | tuple) and len(each) != sessions:
            found.append(f"expected: {len(each)} answers for {sessions} sessions; one each")
        elif task.grading == "numeric":
            given = each if isinstance(each, list | tuple) else [each]
            found += [f"expected: {one!r} is no number" for one in given if not _is_number(one)]
    return found


def _graded(task: Task) -> list[str]:
    """What is wrong with the grading."""
    if task.grading == "graded" and not task.grades:
        return ["grades: missing; grading graded wants a value in [0, 1] for each answer"]
    found = []
    if task.grades and task.grading != "graded":
        found.append(f"grades: grading is {task.grading}; they belong to graded")
    if task.tolerance and task.grading != "numeric":
        found.append(f"tolerance: grading is {task.grading}; it belongs to numeric")
    if not 0 <= task.weight <= LARGEST:
        found.append(f"weight: {task.weight} must lie between 0 and {LARGEST:,.0f}")
    return found


def _is_number(value: Any) -> bool:
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError):
        return False
