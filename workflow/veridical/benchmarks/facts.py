"""What can be read off a benchmark without chance: repeated items, keys that can't be, clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from veridical.benchmarks.dates import impossible_dates
from veridical.benchmarks.items import Item
from veridical.benchmarks.wording import plain, words

NEAR = 0.9  # cosine of two questions' tf-idf from which they are near duplicates


class Flag(NamedTuple):
    """Something about one item that a person can go and look at."""

    item: int
    check: str
    note: str
    other: int = -1  # the earlier item that it repeats


def duplicates(items: Sequence[Item]) -> list[Flag]:
    """Items that repeat an earlier one: the same question, answer and options; an open question
    repeats only one about the same life."""
    first: dict[tuple, int] = {}
    flags = []
    for place, each in enumerate(items):
        life = "" if each.options else each.cluster
        same = (plain(each.question), plain(each.answer), _options(each), life)
        if same in first:
            other = first[same]
            flags.append(Flag(place, "duplicates", f"repeats item {items[other].id}", other))
        else:
            first[same] = place
    return flags


def near_duplicates(items: Sequence[Item]) -> list[Flag]:
    """Items whose question nearly repeats that of an earlier item with the same answer and life.

    Two questions of different numbers or dates are different, however alike their words.
    """
    groups: dict[tuple, list[int]] = {}
    for place, each in enumerate(items):
        asked = words(each.question)
        numbers = tuple(word for word in asked if any(sign.isdigit() for sign in word))
        same = (plain(each.answer), each.cluster, each.abstention, numbers)
        groups.setdefault(same, []).append(place)
    found = [group for group in groups.values() if len(group) > 1]
    return [flag for group in found for flag in _near(items, group)]


def _near(items: Sequence[Item], group: Sequence[int]) -> Iterator[Flag]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [items[place].question for place in group]
    if len(set(map(plain, texts))) < 2 and len({_options(items[place]) for place in group}) < 2:
        return  # exact duplicates, which the other check names
    vectorizer = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b", use_idf=False)
    try:
        features = vectorizer.fit_transform(texts)
    except ValueError:  # not a single word
        return
    for later in range(1, len(group)):
        alike = (features[:later] @ features[later].T).toarray().ravel()
        earlier = int(alike.argmax())
        exact = plain(texts[later]) == plain(texts[earlier]) and _options(
            items[group[later]]
        ) == _options(items[group[earlier]])
        if alike[earlier] >= NEAR and not exact:
            other = group[earlier]
            note = f"nearly repeats item {items[other].id}"
            yield Flag(group[later], "near_duplicates", note, other)


def _options(item: Item) -> tuple[str, ...]:
    return tuple(sorted(map(plain, item.options)))


def inconsistencies(items: Sequence[Item]) -> list[Flag]:
    """Keys that can't be right as they stand: see the notes for what is looked at."""
    flags = [
        Flag(place, "inconsistencies", note)
        for place, each in enumerate(items)
        for note in (*each.faults, *_dates(each), *_evidence(each))
    ]
    return sorted([*flags, *_contradictions(items)])


def _dates(item: Item) -> Iterator[str]:
    """Dates that don't exist, in the question and its date; a session's are looked at once."""
    for field, text in (
        ("date", item.date),
        ("question", item.question),
        ("answer", item.answer if not item.abstention else ""),
    ):
        for date in impossible_dates(text):
            yield f"{field} has a date that doesn't exist: {date}"


def _evidence(item: Item) -> Iterator[str]:
    if item.history is None:
        return
    for name in item.evidence:
        if name not in item.history.names:
            yield f"evidence {name!r} is nowhere in the history"


def _contradictions(items: Sequence[Item]) -> Iterator[Flag]:
    """The same question of the same life, with the same options, and another answer."""
    first: dict[tuple, int] = {}
    for place, each in enumerate(items):
        if not each.cluster:
            continue
        history = each.history.id if each.history else ""
        asked = (plain(each.question), _options(each), each.cluster, history, each.date)
        other = items[first.setdefault(asked, place)]
        if plain(other.answer) != plain(each.answer) or other.abstention != each.abstention:
            yield Flag(
                place, "inconsistencies", f"asks what item {other.id} asks, answers otherwise"
            )


def history_dates(items: Sequence[Item]) -> list[Flag]:
    """Sessions dated on days that don't exist, each named at the first item that has it."""
    seen: set[str] = set()
    flags = []
    for place, each in enumerate(items):
        if not each.history or each.history.id in seen:
            continue
        seen.add(each.history.id)
        for session in each.history.sessions:
            for date in impossible_dates(session.date):
                note = f"session {session.id} is dated on a day that doesn't exist: {date}"
                flags.append(Flag(place, "inconsistencies", note))
    return flags


def joined_clusters(items: Sequence[Item]) -> list[str]:
    """Clusters for holding out: each item's own, items without one alone; lives of which the same
    question has the same answer are one, since a model that saw the one knows the other."""
    names = [each.cluster or f"\0{place}" for place, each in enumerate(items)]
    together: dict[tuple, str] = {}
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for place, each in enumerate(items):
        same = (plain(each.question), plain(each.answer), _options(each))
        parent[root(names[place])] = root(together.setdefault(same, names[place]))
    return [root(name) for name in names]


def cluster_sizes(items: Sequence[Item]) -> np.ndarray:
    """Items a cluster, largest first; an item without a cluster is one of its own."""
    counts = Counter(each.cluster for each in items if each.cluster)
    alone = sum(not each.cluster for each in items)
    return np.array(sorted([*counts.values(), *([1] * alone)], reverse=True), dtype=int)
