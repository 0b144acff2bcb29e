"""Control 2's worlds: guessers, habits and models that recognise the true text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds.answers import Manner, grid, labels, tosses
from veridical.control2.prior_bias import estimate_effects, estimate_preferences
from veridical.control2.tables import CONDITIONS
from veridical.control2.validity import judge_validity

DOCUMENTS = ("veridical", "counterfeit")
COIN = Manner()
CORPUS = "c"  # what the names of corpora begin with


@dataclass(frozen=True)
class Design:
    """The design's numbers: models, probes of each corpus, samples without a document, the
    registered rule, and corpora."""

    models: int
    probes: int
    samples: int = 1
    rules: Mapping[str, object] = field(default_factory=dict)
    corpora: int = 1

    @property
    def names(self) -> list[str]:
        """Names of the simulated models."""
        return [f"m{number}" for number in range(1, self.models + 1)]

    @property
    def about(self) -> list[str]:
        """Names of the simulated corpora."""
        return [f"{CORPUS}{number}" for number in range(1, self.corpora + 1)]


@dataclass(frozen=True)
class Model:
    """How a model answers under each condition; `agrees` is how often it finds the true text."""

    veridical: Manner = COIN
    counterfeit: Manner = COIN
    none: Manner = COIN

    def claims(self) -> set[str]:
        """What is true of it, by the claims' names (with the document, where it is about one)."""
        true = {"solves"} if self.none.agrees > 0.5 else set()
        true |= {"habit"} if self.none.habit else set()
        for name in DOCUMENTS:
            gain = getattr(self, name).agrees - self.none.agrees
            true |= {f"adds {name}"} if gain > 0 else set()
            true |= {f"takes {name}"} if gain < 0 else set()
        return true


def draw(
    design: Design, models: Sequence[Sequence[Model]], studies: int, rng: np.random.Generator
) -> Tables:
    """The answers and samples of many studies: `control2/answers` and `control2/samples`.

    `models` are, for each corpus, how each model answers about it.
    """
    parts = [_corpus(design, *about, studies, rng)
             for about in zip(design.about, models, strict=True)]  # fmt: skip
    return {name: pd.concat([part[name] for part in parts], ignore_index=True) for name in parts[0]}


def _corpus(
    design: Design, corpus: str, models: Sequence[Model], studies: int, rng: np.random.Generator
) -> Tables:
    """The answers and samples about one corpus, whose probes are its own."""
    places = np.tile(np.arange(design.probes), (studies, 1))
    places = rng.permuted(places, axis=1)  # the log's order is not that of the questions
    tables = {
        condition: _condition(design, corpus, models, condition, places, rng)
        for condition in CONDITIONS
    }
    answers = pd.concat(
        [table[table["sample"] == 0] for table in tables.values()], ignore_index=True
    )
    return {"control2/answers": answers, "control2/samples": tables["none"]}


def _condition(
    design: Design,
    corpus: str,
    models: Sequence[Model],
    condition: str,
    place: NDArray[np.int64],
    rng: np.random.Generator,
) -> pd.DataFrame:
    studies = len(place)
    samples = design.samples if condition == "none" else 1
    probes = np.arange(design.probes)
    table = grid(
        {
            "study": list(range(studies)),
            "corpus": [corpus],
            "model": design.names,
            "condition": [condition],
            "sample": list(range(samples)),
            "probe_id": [f"p{number:04d}" for number in probes],
        }
    )
    shape = (studies, len(models), samples, design.probes)
    truth = np.broadcast_to(probes % 2, shape)
    answer = np.empty(shape, dtype=np.int64)
    for at, model in enumerate(models):
        manner = getattr(model, condition)
        right, given = tosses(manner, (studies, samples, design.probes), rng)
        right = np.take_along_axis(right, np.repeat(place[:, None], samples, axis=1), axis=2)
        named = np.where(right, truth[:, at], 1 - truth[:, at])
        named = np.zeros_like(named) if manner.habit else named
        answer[:, at] = np.where(given, named, -1)
    given = answer >= 0
    table |= {
        "state": labels(["ok", "abstained"], np.where(given, 0, 1)),
        "answer": labels(["A", "B"], answer),
        "correct": pd.array((answer == truth).ravel(), dtype="boolean"),
        "first_option": labels(["A", "B"], np.zeros_like(answer)),
        "place": np.broadcast_to(place[:, None, None, :], shape).ravel() + 1,
    }
    table["correct"][~given.ravel()] = pd.NA
    return pd.DataFrame(table)


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once."""
    answers, samples = (_about(tables[f"control2/{name}"]) for name in ("answers", "samples"))
    models, by = design.names, ["study"]
    known = estimate_preferences(samples, by)
    return {
        "control2/validity": judge_validity(answers, models, by=by, **design.rules),
        "control2/prior_bias": estimate_effects(answers, known, models, DOCUMENTS, by),
    }


def _about(table: pd.DataFrame) -> pd.DataFrame:
    """A table with its corpora; one where it was made elsewhere and names none."""
    return table if "corpus" in table else table.assign(corpus=f"{CORPUS}1")


def world(key: str, *models: Model, runs: bool = False, first_corpus: bool = False) -> World:
    """A world whose models are of these kinds, in turn; its truths follow from them.

    Where `first_corpus`, they are so about the first corpus alone, and guess about the others;
    nothing of its own in a design of one corpus. In long `runs` nothing is asked of `solves`: a few
    runs that are all right by chance, and would be so again, are no other than a model that solves
    these probes.
    """

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        kinds = [models[number % len(models)] for number in range(design.models)]
        others = [Model()] * len(kinds) if first_corpus else kinds
        each = [kinds, *[others] * (design.corpora - 1)]
        return draw(design, each, studies, rng)

    def truth(name: str) -> Truth:
        known = [model.claims() for model in models]

        def of(rows: pd.DataFrame) -> NDArray[np.bool_]:
            here = (rows["corpus"].astype(str) == f"{CORPUS}1").to_numpy() | (not first_corpus)
            at = (rows["model"].astype(str).str[1:].astype(int).to_numpy() - 1) % len(models)
            names = (
                f"{name} " + rows["condition"].astype(str) if name in ("adds", "takes") else None
            )
            wanted = [name] * len(rows) if names is None else list(names)
            true = [one in known[i] for one, i in zip(wanted, at, strict=True)]
            return np.array(true, bool) & here

        return of

    names = {name: truth(name) for name in ("solves", "habit", "adds", "takes")}
    if runs:
        names["solves"] = lambda rows: np.ones(len(rows), dtype=bool)
    return World(
        key,
        "control2",
        drawn,
        {f"control2.{name}": of for name, of in names.items()}
        | {"control2.registered_not_valid": names["solves"]},
        lambda design: design.corpora > 1 or not first_corpus,
    )


def _none(**manner: object) -> Model:
    """A coin under documents, and so without one."""
    return Model(none=Manner(**manner))


def _always(agrees: float, **none: object) -> Model:
    """As often right under every condition."""
    return Model(Manner(agrees), Manner(agrees), Manner(agrees, **none))


WORLDS = (
    world("guessers", Model()),
    world("guessers in runs of two", Model(*[Manner(run=2)] * 3)),
    world("guessers in runs of four", Model(*[Manner(run=4)] * 3), runs=True),
    world("guessers in runs of six", Model(*[Manner(run=6)] * 3), runs=True),
    world("guessers that answer a half without a document", _none(silent=0.5)),
    world("guessers with one or two answers", _none(answers=2)),
    world("guessers with five answers", _none(answers=5)),
    world("always the first text", _none(habit="first")),
    world("right in 65 % with and without a document", _always(0.65)),
    world("right in 80 %, silent on half without a document", _always(0.8, silent=0.5)),
    world("a solver among guessers", Model(none=Manner(0.85)), Model(), Model()),
    world("solves it, 75 %", Model(none=Manner(0.75))),
    world("solves it, 85 %", Model(none=Manner(0.85))),
    world("reads the document", Model(veridical=Manner(0.95), counterfeit=Manner(0.5))),
    world("misled by the counterfeit", Model(Manner(0.9), Manner(0.1))),
    world("solves the first corpus's probe alone", Model(none=Manner(0.9)), first_corpus=True),
    world("reads the first corpus's document alone", Model(Manner(0.95)), first_corpus=True),
)
