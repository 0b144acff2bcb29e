"""Control 3's worlds: coins and readers of every kind, under a true, a false and no document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds.answers import HABITS, Manner, grid, labels, tosses
from veridical.control3 import cells
from veridical.control3.rules import FOLLOWS
from veridical.control3.silence import forced_table
from veridical.documents.corrupted import COUNTED, corrupted_names, shift_of
from veridical.documents.exchanging import derange


@dataclass(frozen=True)
class Design:
    """The design's numbers: corpora with their partners, models, probes a cell, whether the models
    are also asked with no document and no way out, and, of lives, how many probes ask for each
    value (`corrupted.COUNTED` stands for their partners)."""

    corpora: dict[str, int]
    models: int
    probes: int
    forced: bool = True
    margins: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def k(self, corpus: str) -> int:
        """How many partners, or values, are offered."""
        return len(self.margins[corpus]) if corpus in self.margins else self.corpora[corpus]

    @property
    def names(self) -> list[str]:
        """Names of the simulated models."""
        return [f"m{number}" for number in range(1, self.models + 1)]


@dataclass(frozen=True)
class Model:
    """How a model answers under each document."""

    veridical: Manner
    corrupted: Manner
    none: Manner

    def claims(self, k: int) -> set[str]:
        """What is true of it with k partners, by the claims' names."""
        coin = 1 / k
        said = (self.veridical.agrees, self.corrupted.agrees)
        heard = [manner.agrees * (1 - manner.silent) for manner in (self.veridical, self.corrupted)]
        true = set()
        if max(said) > coin + 1e-9 >= coin:
            true.add("uses")
        if min(heard) > FOLLOWS:
            true.add("follows")
        if min(said) < coin - 1e-9:
            true.add("against")
        if self.none.agrees > coin + 1e-9:
            true.add("guesses")
        for habit in (self.veridical.habit, self.corrupted.habit, self.none.habit):
            if habit in HABITS:
                true.add("habit")
        return true


def reader(true: float | None, false: float | None) -> Callable[[int], Model]:
    """A model that names its document's partner so often, by the document; a coin where None."""
    return lambda k: Model(Manner(true or 1 / k), Manner(false or 1 / k), Manner(1 / k))


def coin(
    silent: tuple[float, float, float] = (0.0, 0.0, 0.0), **more: object
) -> Callable[[int], Model]:
    """A model that reads nothing, with its silence under each document.

    Runs go along a document, so there are none without one (and four runs of six that are all right
    could be told from a model that guesses well by nobody).
    """
    none = {name: value for name, value in more.items() if name != "run"}
    return lambda k: Model(
        *(Manner(1 / k, share, **more) for share in silent[:2]), Manner(1 / k, silent[2], **none)
    )


def draw(design: Design, models: Sequence[Model], studies: int, rng: np.random.Generator) -> Tables:
    """The answers of many studies: the columns of `control3/answers`, and `study`."""
    tables = [
        _corpus(design, corpus, design.k(corpus), models, studies, rng) for corpus in design.corpora
    ]
    answers = pd.concat(tables, ignore_index=True)
    made = [replace(model, none=replace(model.none, silent=0.0, answers=None)) for model in models]
    bare = [
        _corpus(design, corpus, design.k(corpus), made, studies, rng, forced=True)
        for corpus in design.corpora
    ]
    return {"control3/answers": answers, "control3/beside": pd.concat(bare, ignore_index=True)}


def _corpus(
    design: Design,
    corpus: str,
    k: int,
    models: Sequence[Model],
    studies: int,
    rng: np.random.Generator,
    *,
    forced: bool = False,
) -> pd.DataFrame:
    """One corpus's answers, where `forced` those without a document alone.

    Partners, places and the order offered are balanced as drawn probes.
    """
    partners = [f"P{number}" for number in range(1, k + 1)]
    corrupted = corrupted_names(design.corpora[corpus])
    documents = ["none"] if forced else ["veridical", *corrupted, "none"]
    probes = np.arange(design.probes)
    true, first, false = _balanced(design, corpus, k)
    table = grid(
        {
            "study": list(range(studies)),
            "corpus": [corpus],
            "model": design.names,
            "document": documents,
            "probe_id": [f"p{number:04d}" for number in probes],
        }
    )
    shape = (studies, len(models), len(documents), design.probes)
    place = rng.permuted(np.tile(probes, (studies, 1)), axis=1)  # the document's order is another
    answer = np.empty(shape, dtype=np.int64)
    for at, model in enumerate(models):
        for number, document in enumerate(documents):
            manner = getattr(model, document if document in ("veridical", "none") else "corrupted")
            given = (true, first, false[document])
            answer[:, at, number] = _answers(manner, given, place, k, rng)
    named = np.stack([false[document] for document in documents])
    named[-1] = -1
    over = np.broadcast_to
    right = answer == over(true, shape)
    given = answer >= 0
    table |= {
        "state": labels(["ok", "abstained"], np.where(given, 0, 1)),
        "answer": labels(partners, answer),
        "true_partner": labels(partners, over(true, shape)),
        "document_partner": labels(partners, over(named, shape)),
        "correct": pd.array(right.ravel(), dtype="boolean"),
        "first_option": labels(partners, over(first, shape)),
        "place": over(place[:, None, None, :], shape).ravel() + 1,
    }
    table["correct"][~given.ravel()] = pd.NA
    return pd.DataFrame(table)


def _balanced(
    design: Design, corpus: str, k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], dict[str, NDArray[np.int64]]]:
    """Each probe's true partner, the one offered first, and whom each document names."""
    probes = np.arange(design.probes)
    if corpus not in design.margins:
        true = probes % k
        shifts = {"veridical": 0, "none": 0}
        shifts |= {name: shift_of(name) for name in corrupted_names(k)}
        return true, (probes // k) % k, {d: (true + shift) % k for d, shift in shifts.items()}
    own = design.margins[corpus]
    true = np.repeat(np.arange(k), own)
    within = np.concatenate([np.arange(count) for count in own])
    (name,) = corrupted_names(COUNTED)
    named = {"veridical": true, "none": true, name: _moved(true, k)}
    return true, (true - (within + true) % k) % k, named


def _moved(true: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Whom a document with the values exchanged names; the next one where one is too frequent."""
    if 2 * np.bincount(true).max() > len(true):
        return (true + 1) % k
    moved = derange([str(value) for value in true], np.random.default_rng(0))
    return np.array([int(value) for value in moved])


def _answers(
    manner: Manner,
    probes: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    place: NDArray[np.int64],
    k: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """The partners given, shape (studies, probes); -1 where there is none. `probes` holds the true
    partners, those offered first, and those that the document names."""
    true, first, named = probes
    agrees, given = tosses(manner, place.shape, rng)
    agrees = np.take_along_axis(agrees, place, axis=1)  # runs go along the document's order
    other = (named + rng.integers(1, k, place.shape)) % k
    answer = np.where(agrees, named, other)
    if manner.habit == "name":
        answer = np.zeros_like(answer)
    elif manner.habit == "first":
        answer = np.broadcast_to(first, answer.shape)
    elif manner.habit == "share":
        answer = rng.choice(true, answer.shape)
    return np.where(given, answer, -1)


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis of many studies; beside it k, which a life's chance doesn't tell."""
    declared = [(corpus, model) for corpus in design.corpora for model in design.names]
    table = cells.cells(tables["control3/answers"], declared, design.corpora, by=["study"])
    asked = tables["control3/beside"] if design.forced else tables["control3/beside"][:0]
    found = {
        "control3/cells": table,
        "control3/forced": forced_table(asked, design.corpora, by=["study"]),
    }
    k = {corpus: design.k(corpus) for corpus in design.corpora}
    return {name: rows.assign(k=rows["corpus"].map(k)) for name, rows in found.items()}


Maker = Callable[[int], Model]


def world(key: str, *makers: Maker) -> World:
    """A world whose models behave as `makers` say, in turn; its truths follow from them."""

    def models(design: Design, k: int) -> list[Model]:
        return [makers[number % len(makers)](k) for number in range(design.models)]

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        parts = [
            draw(
                replace(design, corpora={corpus: k}), models(design, design.k(corpus)), studies, rng
            )
            for corpus, k in design.corpora.items()
        ]
        return {
            name: pd.concat([part[name] for part in parts], ignore_index=True)
            for name in ("control3/answers", "control3/beside")
        }

    def truth(name: str) -> Truth:
        def of(rows: pd.DataFrame) -> NDArray[np.bool_]:
            number = rows["model"].astype(str).str[1:].astype(int).to_numpy() - 1
            partners = rows["k"].to_numpy(dtype=int)
            known = {
                (at, k): name in makers[at](k).claims(k)
                for at in range(len(makers))
                for k in np.unique(partners)
            }
            pairs = zip(number % len(makers), partners, strict=True)
            return np.array([known[at, k] for at, k in pairs], dtype=bool)

        return of

    names = {
        "control3.uses": "uses",
        "control3.follows": "follows",
        "control3.against": "against",
        "control3.guesses": "guesses",
        "control3.forced": "guesses",
        "control3.habit": "habit",
        "control3.registered_survives": "uses",
    }
    return World(key, "control3", drawn, {claim: truth(name) for claim, name in names.items()})


def _none(agrees: float) -> Maker:
    """A coin under documents that guesses without one."""
    return lambda k: Model(Manner(1 / k), Manner(1 / k), Manner(max(agrees, 1 / k)))


WORLDS = (
    world("coins", coin()),
    world("silent under the false document", coin((0.0, 1.0, 0.0))),
    world("more silent under the false document", coin((0.1, 0.6, 0.0))),
    world("more silent under the true document", coin((0.6, 0.1, 0.0))),
    world("silent in nine of ten", coin((0.9, 0.9, 0.9))),
    world("reads the true document, a coin under the false", reader(1.0, None)),
    world("reads the true document, names the true partner in 45 %", reader(1.0, 0.55)),
    world("a coin under the true document, follows the false", reader(None, 0.95)),
    world("runs of two", coin(run=2)),
    world("runs of four", coin(run=4)),
    world("runs of six", coin(run=6)),
    world("runs of two, more silent under the false", coin((0.0, 0.6, 0.0), run=2)),
    world("one or two answers", coin(answers=2)),
    world("always one name", coin(habit="name")),
    world("always the first", coin(habit="first")),
    world("readers among coins", reader(0.95, 0.95), coin(), coin((0.1, 0.6, 0.0))),
    world("readers", reader(0.9, 0.9)),
    world("weak readers", reader(0.75, 0.75)),
    world(
        "silent where it is false", lambda k: Model(Manner(0.95), Manner(1 / k, 0.9), Manner(1 / k))
    ),
    world("against the document", reader(0.1, 0.1)),
    world("guesses without a document, 75 %", _none(0.75)),
    world(
        "silent without a document unless it must answer, 85 %",
        lambda k: Model(Manner(1 / k), Manner(1 / k), Manner(0.85, silent=1.0)),
    ),
)
