"""The memory systems' worlds: stores that keep, find and ignore, and readers that guess.

Answers are Control 3's, with a bank in the place of each document: a store that gives nothing back
leaves its reader a coin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds import control3
from veridical.claims.worlds.answers import Manner
from veridical.claims.worlds.control3 import Model, coin, reader
from veridical.control3.lives import margins_of
from veridical.control3.rules import FOLLOWS
from veridical.documents.corrupted import COUNTED, corrupted_names
from veridical.memories.cells import cells
from veridical.memories.readers import IDEAL

SAYS = ("follows", "uses", "against", "guessed", "alarm")
Maker = Callable[[int], Model]


@dataclass(frozen=True)
class Design:
    """The design's numbers.

    corpora: each with its partners. probes: of each bank, for the ideal reader. reads: by model,
    the (corpus, system) pairs that it reads; reader_probes: of each of their banks. margins: of a
    life, how many probes ask for each value (`corrupted.COUNTED` stands for its partners).
    """

    corpora: dict[str, int]
    systems: tuple[str, ...]
    probes: int
    reads: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    reader_probes: int | None = None
    margins: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def of(self, corpus: str, probes: int) -> control3.Design:
        """So many probes on one corpus, as Control 3's own."""
        own = self.margins.get(corpus)
        if own is None:
            return control3.Design({corpus: self.corpora[corpus]}, 1, probes)
        values = pd.Series(range(len(own))).repeat(own)
        margins = {corpus: margins_of(values, min(probes, sum(own)))}
        return control3.Design({corpus: COUNTED}, 1, sum(margins[corpus]), margins=margins)

    def asked(self) -> list[tuple[str, str, str, int]]:
        """Who reads what: reader, corpus, system and probes a bank."""
        ideal = [(IDEAL, c, s, self.probes) for c in self.corpora for s in self.systems]
        models = [(reader, *pair, self.reader_probes or self.probes)
                  for reader, pairs in self.reads.items() for pair in pairs]  # fmt: skip
        return ideal + models


def true_of(model: Model, k: int) -> set[str]:
    """What is true of a store and its reader with k partners, by the claims' names.

    The answers use the bank where the true partner is named more often, of those given, from the
    true bank than from the swapped one; silence is no use.
    """
    true, swapped = model.veridical.agrees, model.corrupted.agrees
    leans = true - (1 - swapped) / (k - 1)
    heard = [manner.agrees * (1 - manner.silent) for manner in (model.veridical, model.corrupted)]
    holds = {
        "uses": leans > 1e-9,
        "follows": leans > 1e-9 and min(heard) > FOLLOWS,
        "against": leans < -1e-9,
        "guessed": model.none.agrees > 1 / k + 1e-9,
        "alarm": true < 1 / k - 1e-9,
    }
    return {name for name, held in holds.items() if held}


def world(key: str, *makers: Maker) -> World:
    """A world whose systems behave as `makers` say, in turn, whoever reads them."""

    def maker(design_systems: tuple[str, ...], system: str) -> Maker:
        return makers[design_systems.index(system) % len(makers)]

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        tables = []
        for who, corpus, system, probes in design.asked():
            given = design.of(corpus, probes)
            model = maker(design.systems, system)(given.k(corpus))
            one = control3.draw(given, [model], studies, rng)
            answers = one["control3/answers"].drop(columns=["model", "place"])
            tables.append(answers.assign(system=system, reader=who))
        return {"memories/answers": pd.concat(tables, ignore_index=True)}

    def truth(name: str) -> Truth:
        def of(rows: pd.DataFrame) -> NDArray[np.bool_]:
            systems = tuple(dict.fromkeys(rows["system"]))
            pairs = zip(rows["system"], rows["k"].astype(int), strict=True)
            return np.array([name in true_of(maker(systems, s)(k), k) for s, k in pairs])

        return of

    return World(key, "memories", drawn, {f"memories.{name}": truth(name) for name in SAYS})


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once; every bank is admitted. `k` stands beside
    it: in a life `chance` doesn't tell how many values are offered."""
    answers, by = tables["memories/answers"], ["study"]
    declared = {corpus: corrupted_names(k) for corpus, k in design.corpora.items()}
    found = cells(answers, {}, declared, design.systems, design.corpora, by)
    k = {corpus: design.of(corpus, design.probes).k(corpus) for corpus in design.corpora}
    return {"memories/cells": found.assign(k=found["corpus"].map(k))}


def store(true: Manner, swapped: Manner, empty: Manner | None = None) -> Maker:
    """A store by how it is answered from each bank; from an empty one nothing, if not given."""
    return lambda k: Model(true, swapped, empty or Manner(1 / k, silent=1.0))


NOTHING = Manner(0.5, silent=1.0)
WORLDS = (
    world("nothing found, the reader guesses", coin()),
    world("nothing found, and no answer", store(NOTHING, NOTHING)),
    world("guesses, silent where the bank is swapped", coin((0.0, 1.0, 1.0))),
    world("guesses, more silent where it is swapped", coin((0.1, 0.6, 1.0))),
    world("guesses, silent where the bank is true", coin((1.0, 0.0, 1.0))),
    world("guesses, more silent where it is true", coin((0.6, 0.1, 1.0))),
    world("guesses in one of ten", coin((0.9, 0.9, 0.9))),
    world("always one name", coin(habit="name")),
    world("always the first", coin(habit="first")),
    world("the first life, whatever went in", store(Manner(1.0), Manner(0.0))),
    world(
        "the first life, silent where it is swapped",
        store(Manner(1.0), Manner(0.0, 0.7), Manner(1.0, 0.1)),
    ),
    world(
        "the first life, silent in half from the empty bank",
        store(Manner(1.0), Manner(0.0, 0.7), Manner(1.0, 0.5)),
    ),
    world("finds the true bank's, a coin in the swapped", reader(1.0, None)),
    world("a coin in the true bank, finds the swapped one's", reader(None, 0.95)),
    world("finds all, the other nothing", store(Manner(1.0), Manner(1.0)), coin()),
    world(
        "finds the true bank's, a coin in the swapped, few from the empty",
        lambda k: Model(Manner(1.0), Manner(1 / k), Manner(1 / k, answers=3)),
    ),
    world("finds all", store(Manner(1.0), Manner(1.0))),
    world("finds all but is silent in half", store(Manner(1.0, 0.5), Manner(1.0, 0.5))),
    world("finds three of four, else guesses", reader(0.875, 0.875)),
    world("the other bank's", store(Manner(0.0), Manner(0.0))),
    world("guesses well from an empty bank", lambda k: Model(*[Manner(1 / k)] * 2, Manner(0.9))),
)
