"""Facts that change: which value holds on the test day, and which one it took the place of."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.corpora.corpus_files import Rows
from veridical.corpora.moments import end_of, order


@dataclass(frozen=True)
class Standing:
    """Where a fact stands on the test day.

    Attributes
    ----------
    since : when it began to hold, as written
    state : one of `tables.STATES`
    until : when it ceased to hold, as written; empty where it, or its value, still holds
    stale : of a fact that holds, the value that held before it; empty where there was no other
    holder : the number of the fact that holds in its place, itself where it holds; -1 where none
    """

    since: str
    state: str
    until: str
    stale: str
    holder: int


def standings(rows: Rows, times: dict[str, str], today: str) -> list[Standing]:
    """The standing of every fact, in the order of the file.

    The latest that has been said and has begun holds, unless it has ended; what it replaced is
    `superseded`, or `restated` where it had the same value. `times` says when each event was.

    Raises ValueError, naming both rows, where two values of one subject and attribute hold at once.
    """
    histories: dict[tuple[str, str], list[int]] = {}
    facts = [row for _, row in rows]
    since = [row["valid_from"] or times[row["event"]] for row in facts]
    for number, row in enumerate(facts):
        histories.setdefault((row["subject"].casefold(), row["attribute"]), []).append(number)
    found: list[Standing | None] = [None] * len(facts)
    for own in histories.values():
        own.sort(key=lambda number: (order(since[number]), number))
        _check_overlap(rows, own, since)
        said = [n for n in own if order(times[facts[n]["event"]]) <= end_of(today)]
        for number in set(own) - set(said):
            found[number] = Standing(since[number], "to come", "", "", -1)
        for number, standing in _stand(facts, said, since, end_of(today)):
            found[number] = standing
    return [standing for standing in found if standing is not None]


def _check_overlap(rows: Rows, own: list[int], since: list[str]) -> None:
    """Nothing has two values at once."""
    for before, after in itertools.pairwise(own):
        (first, one), (second, two) = rows.rows[before], rows.rows[after]
        if one["value"] == two["value"]:
            continue
        end = one["valid_to"] or since[after]
        if order(since[before]) == order(since[after]) or order(end) > order(since[after]):
            raise ValueError(
                f"{rows.path}, line {second}, column value: {two['subject']!r} has the "
                f"{two['attribute']} {two['value']!r} and, by line {first}, {one['value']!r} at "
                f"the same time; say since when each holds (valid_from), or give one of them an "
                "attribute of its own"
            )


def _stand(
    facts: list[dict[str, str]], own: list[int], since: list[str], today: datetime.datetime
) -> Iterable[tuple[int, Standing]]:
    """One history, in order."""
    begun = [number for number in own if order(since[number]) <= today]
    last = begun[-1] if begun else -1
    ended = bool(begun) and _over(facts[last]["valid_to"], today)
    holder = -1 if ended else last
    values = [facts[number]["value"] for number in begun]
    stale = next((value for value in reversed(values) if value != values[-1]), "")
    for at, number in enumerate(own):
        if at >= len(begun):
            state = "to come"
        elif number == last:
            state = "ended" if ended else "holds"
        elif ended:
            state = "ended"
        else:
            same = all(value == values[-1] for value in values[at:])
            state = "restated" if same else "superseded"
        mine = stale if state == "holds" else ""
        until = facts[number]["valid_to"] or _replaced(facts, own[at:], since)
        until = "" if state in ("holds", "restated", "to come") else until
        here = holder if state != "to come" else -1
        yield number, Standing(since[number], state, until, mine, here)


def _replaced(facts: list[dict[str, str]], rest: list[int], since: list[str]) -> str:
    """Since when another value holds than the first of these; empty where none does."""
    value = facts[rest[0]]["value"]
    return next((since[number] for number in rest if facts[number]["value"] != value), "")


def _over(end: str, today: datetime.datetime) -> bool:
    return bool(end) and order(end) <= today
