"""Cues: ways of answering without any memory that need no learning, each beside its own draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from veridical.benchmarks.shuffling import Draws
from veridical.benchmarks.wording import holds, plain, telling

RECURRING = 10  # items that must offer an option's wording, or give an answer's, to be looked at
POSITIONS = 10  # options' places that are looked at


@dataclass(frozen=True)
class Cue:
    """One way of answering without memory.

    `places` are the items it was tried on, `earned` what each of them earns by it, in [0, 1];
    `estimate` is their mean on the benchmark's own keys (place 0) and on every draw; `statistic`
    decides, and is the estimate where not given; `which` names what earned most.
    """

    name: str
    places: np.ndarray
    earned: np.ndarray
    estimate: np.ndarray
    statistic: np.ndarray
    which: dict[str, str] = field(default_factory=dict)


def cue_of(name: str, places: np.ndarray, earned: np.ndarray, **which: str) -> Cue:
    """A cue from what every item earns in every draw, shape (draws + 1, items)."""
    estimate = earned.mean(axis=1)
    return Cue(name, places, earned[0], estimate, estimate, which)


def _best(name: str, places: np.ndarray, ways: dict[str, np.ndarray], **of: str) -> Cue:
    """The best of several ways, chosen anew in every draw, after allowing for their spread."""
    shares = np.array([earned.mean(axis=1) for earned in ways.values()])
    spread = shares.std(axis=1, keepdims=True)
    scores = (shares - shares.mean(axis=1, keepdims=True)) / np.where(spread > 1e-12, spread, 1)
    chosen = scores.argmax(axis=0)
    way = list(ways)[chosen[0]]
    estimate = np.take_along_axis(shares, chosen[None], axis=0)[0]
    return Cue(name, places, ways[way][0], estimate, scores.max(axis=0), {"way": way, **of})


def position(draws: Draws) -> Iterator[Cue]:
    """Answering one place throughout: in all items, and in the stratum where that earns most."""
    if not len(draws.with_options):
        return
    places = draws.with_options
    highest = min(int(draws.sizes.max()), POSITIONS)
    ways = {chr(ord("A") + k): (draws.keys == k).astype(float) for k in range(highest)}
    yield _best("position", places, ways)
    strata = np.array([draws.items[i].stratum for i in places], dtype=object)
    names = [name for name, n in Counter(strata.tolist()).items() if n >= RECURRING]
    if len(names) < 2:
        return
    best: list[Cue] = []
    for name in names:
        mine = strata == name
        own = {way: earned[:, mine] for way, earned in ways.items()}
        best.append(_best("position_in_stratum", places[mine], own, stratum=str(name)))
    scores = np.array([each.statistic for each in best])
    top = best[int(scores[:, 0].argmax())]
    yield Cue(top.name, top.places, top.earned, top.estimate, scores.max(axis=0), top.which)


def length(draws: Draws) -> Iterator[Cue]:
    """Answering the longest option, or the shortest; options of one length share the point."""
    if not len(draws.with_options):
        return
    ways: dict[str, list[np.ndarray]] = {"longest": [], "shortest": []}
    for column, place in enumerate(draws.with_options):
        lengths = np.array([len(option) for option in draws.items[place].options])
        for way, end in (("longest", lengths.max()), ("shortest", lengths.min())):
            among = (lengths == end) / (lengths == end).sum()
            ways[way].append(among[draws.keys[:, column]])
    yield _best("length", draws.with_options, {w: np.array(e).T for w, e in ways.items()})


def recurring_option(draws: Draws) -> Iterator[Cue]:
    """Answering one wording wherever it is offered ("none of these"), by chance elsewhere."""
    offered: dict[str, list[tuple[int, int]]] = {}
    for column, place in enumerate(draws.with_options):
        for option, text in enumerate(draws.items[place].options):
            offered.setdefault(plain(text), []).append((column, option))
    ways = {}
    for text, where in offered.items():
        if len(where) >= RECURRING and len(dict(where)) == len(where):
            earned = np.broadcast_to(1 / draws.sizes, draws.keys.shape).copy()
            for column, option in where:
                earned[:, column] = draws.keys[:, column] == option
            ways[text.strip()] = earned
    if ways:
        yield _best("recurring_option", draws.with_options, ways)


def in_question(draws: Draws) -> Iterator[Cue]:
    """Answering what the question already says."""
    yield from _options_in_question(draws)
    places = draws.open
    texts = [plain(draws.items[i].question) for i in places]
    answers = [plain(draws.items[i].answer) for i in places]
    said = [telling(draws.items[i].answer) for i in places]
    if not any(said):
        return
    earned = np.array(
        [
            [said[other] and answers[other] in text for text, other in zip(texts, row, strict=True)]
            for row in draws.answers.tolist()
        ],
        dtype=float,
    )
    yield cue_of("answer_in_question", places, earned)


def _options_in_question(draws: Draws) -> Iterator[Cue]:
    """Answering the option whose words stand in the question, by chance where none or all do."""
    found = []
    for column, place in enumerate(draws.with_options):
        each = draws.items[place]
        inside = np.array([holds(each.question, option) for option in each.options], dtype=float)
        among = inside / inside.sum() if inside.sum() else np.full(len(inside), 1 / len(inside))
        found.append(among[draws.keys[:, column]])
    if found:
        yield cue_of("option_in_question", draws.with_options, np.array(found).T)


def last_session(draws: Draws) -> Iterator[Cue]:
    """Reading the history's last session only, where some session says the answer in its words.

    In a draw another session of the same history, drawn at random, counts as the last.
    """
    places, earned = [], []
    seen: dict[int, str] = {}
    for place, each in enumerate(draws.items):
        if not each.history or len(each.history.sessions) < 2 or not telling(each.answer):
            continue
        answer = plain(each.answer)
        inside = np.array(
            [
                answer in seen.setdefault(id(session), plain(session.text))
                for session in each.history.sessions
            ]
        )
        if inside.any():
            places.append(place)
            earned.append(inside[draws.last[each.history.id]])
    if places:
        yield cue_of("last_session", np.array(places), np.array(earned, dtype=float).T)
