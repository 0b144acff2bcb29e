"""How often each sentence is said where it is false, by worlds that are none of the product's.

    python tests/measured/claim_rates.py 1000 [part ...] > rates.md

Nothing of the product is imported. The worlds are drawn here; the product analyses their tables as
a program (`python -m veridical.claims.analyse`); what it concludes is counted here, with the
intervals of statsmodels. A rate holds where the upper end of Wilson's 95 % interval is at most the
nominal 5 % and two points. `=` marks a world in which the claim is true of every row: power.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

NOMINAL, ROOM = 0.05, 0.02
TOGETHER = 4  # worlds at a time
RNG = np.random.default_rng([2026, 11, 30])

# What says each claim: table, column, words, and the rows that it can be about.
SAID = {
    "control1 different": ("findings", "finding", {"different"}, ""),
    "control1 different here": ("findings", "finding", {"different", "different here"}, ""),
    "control1 equivalent": ("findings", "finding", {"equivalent"}, ""),
    "control1 sensitive": ("instrument", "finding", {"sensitive"}, "test == 'quoted'"),
    "control1 order": ("instrument", "finding", {"matters"}, "test == 'order'"),
    "control1 drift": ("instrument", "finding", {"moves"}, "test == 'drift'"),
    "control2 solves": ("validity", "finding", {"solves"}, "condition == 'none'"),
    "control2 adds": ("prior_bias", "finding", {"adds"}, ""),
    "control2 takes": ("prior_bias", "finding", {"takes away"}, ""),
    "control3 follows": ("cells", "finding", {"follows"}, ""),
    "control3 uses": ("cells", "finding", {"follows", "uses"}, ""),
    "control3 against": ("cells", "finding", {"against"}, ""),
    "control3 guesses": ("cells", "without", {"beats chance"}, ""),
    "memories follows": ("cells", "verdict", {"follows"}, ""),
    "memories uses": ("cells", "verdict", {"follows", "uses"}, ""),
    "memories against": ("cells", "verdict", {"against"}, ""),
    "memories guessed": ("cells", "verdict", {"guessed"}, ""),
    "memories alarm": ("cells", "alarm", {True}, ""),
    "vpe apart": ("leads", "finding", {"apart"}, ""),
    "benchmarks earns": ("premium", "finding", {"earns"}, "stratum != stratum"),
    "benchmarks costs": ("premium", "finding", {"costs"}, "stratum != stratum"),
    "benchmarks stratum earns": ("premium", "finding", {"earns"}, "stratum == stratum"),
    "benchmarks stratum costs": ("premium", "finding", {"costs"}, "stratum == stratum"),
}
# Name, tables, what is true; where some rows differ, a query for them, and what is true of those.
World = tuple[str, Callable[[int], dict[str, pd.DataFrame]], str, *tuple[str, ...]]


def long(values: dict[str, np.ndarray], **axes: list) -> pd.DataFrame:
    """Arrays of one shape as columns, with a column an axis."""
    shape = tuple(len(axis) for axis in axes.values())
    places = np.indices(shape).reshape(len(shape), -1)
    table = {name: np.array(axis, dtype=object)[at]
             for (name, axis), at in zip(axes.items(), places, strict=True)}  # fmt: skip
    return pd.DataFrame(table | {k: np.broadcast_to(v, shape).ravel() for k, v in values.items()})


# ---- choices: who is met, and which text is true -------------------------------------------------

PROBES = 24


def heard(size: tuple[int, ...], agrees, silent=0.0, run=1, uneven=0.0) -> np.ndarray:
    """1 as the document says, 0 otherwise, -1 nothing; `uneven` moves the odds cell by cell."""
    tosses = -(-PROBES // run)
    odds = np.log(agrees / (1 - agrees)) if 0 < agrees < 1 else np.inf * (1 if agrees else -1)
    moved = odds + uneven * RNG.standard_normal((*size, 1))
    said = RNG.random((*size, tosses)) < 1 / (1 + np.exp(-moved))
    said = np.repeat(said, run, axis=-1)[..., :PROBES].astype(int)
    return np.where(RNG.random(said.shape) < silent, -1, said)


def partners(n: int, models: int, true, false, none, system: bool = False) -> pd.DataFrame:
    """Control 3's answers on two corpora of two partners; each document's manner as `heard`'s."""
    truth = np.arange(PROBES) % 2
    first = np.arange(PROBES) // 2 % 2
    names = np.array(["P1", "P2", None], dtype=object)
    parts = []
    for corpus in ("A", "B"):
        place = np.argsort(RNG.random((n, PROBES)), axis=1)
        answers = []
        for manner, shift in ((true, 0), (false, 1), (none, 0)):
            said = np.stack([heard((n,), **manner) for _ in range(models)], axis=1)
            said = np.take_along_axis(said, np.repeat(place[:, None], models, 1), 2)
            answers.append(
                np.where(said < 0, 2, np.where(said == 1, truth ^ shift, 1 - truth ^ shift))
            )
        given = np.stack(answers, axis=2)
        own = np.stack([truth, 1 - truth, np.full(PROBES, 2)])[None, None]
        parts.append(long(
            {
                "state": np.where(given == 2, "abstained", "ok"),
                "answer": names[given],
                "true_partner": names[np.broadcast_to(truth, given.shape)],
                "document_partner": names[np.broadcast_to(own, given.shape)],
                "correct": np.where(given == 2, None, given == truth),
                "first_option": names[np.broadcast_to(first, given.shape)],
                "place": np.broadcast_to(place[:, None, None], given.shape) + 1,
            },
            study=list(range(n)), model=[f"m{i}" for i in range(1, models + 1)],
            document=["veridical", "binding-corrupted", "none"],
            probe_id=[f"p{i:02d}" for i in range(PROBES)],
        ).assign(corpus=corpus))  # fmt: skip
    table = pd.concat(parts, ignore_index=True)
    if not system:
        return table
    return table.drop(columns="place").rename(columns={"model": "system"}).assign(reader="ideal")


def m(agrees=0.5, silent=0.0, **more) -> dict:
    """A manner."""
    return {"agrees": agrees, "silent": silent, **more}


COIN = m()
WAYS = {  # name: manners under the true, the false and no document; what is true
    "coins": (COIN, COIN, COIN, ""),
    "coins that lean by cell, on average not": (
        m(uneven=0.3),
        m(uneven=0.3),
        COIN,
        "uses against alarm",
    ),  # some truly lean
    "abstains 0 / 100 %": (COIN, m(silent=1.0), COIN, ""),
    "abstains 10 / 60 %": (m(silent=0.1), m(silent=0.6), COIN, ""),
    "abstains 60 / 10 %": (m(silent=0.6), m(silent=0.1), COIN, ""),
    "abstains 30 / 30 / 90 %": (m(silent=0.3), m(silent=0.3), m(silent=0.9), ""),
    "reads the true, a coin under the false": (m(1.0), COIN, COIN, "uses"),
    "reads the true, 45 % true under the false": (m(1.0), m(0.55), COIN, "uses"),
    "a coin under the true, reads the false": (COIN, m(1.0), COIN, "uses"),
    "reads both, 90 %": (m(0.9), m(0.9), COIN, "uses follows"),
    "reads both, 75 %": (m(0.75), m(0.75), COIN, "uses follows"),
    "contradicts both, 90 %": (m(0.1), m(0.1), COIN, "against alarm"),
    "right in 80 % without a document": (COIN, COIN, m(0.8), "guesses guessed"),
}
RUNS = {
    "runs of two": (m(run=2), m(run=2), COIN, ""),
    "runs of four": (m(run=4), m(run=4), COIN, ""),
    "runs of six": (m(run=6), m(run=6), COIN, ""),
    "runs of two, abstains 0 / 60 %": (m(run=2), m(silent=0.6, run=2), COIN, ""),
    "runs of three, abstains 50 / 0 %": (m(silent=0.5, run=3), m(run=3), COIN, ""),
}


def control3() -> Iterator[World]:
    for name, (true, false, none, holds) in (WAYS | RUNS).items():
        yield name, lambda n, w=(true, false, none): {"answers": partners(n, 2, *w)}, holds


def memories() -> Iterator[World]:
    for name, (true, false, none, holds) in WAYS.items():
        yield (name, lambda n, w=(true, false, none): {"answers": partners(n, 2, *w, system=True)},
               holds)  # fmt: skip


def texts(n: int, true, false, none) -> dict[str, pd.DataFrame]:
    """Control 2's answers of two models: which of two texts is the true one."""
    truth, models = np.arange(PROBES) % 2, 2
    place = np.argsort(RNG.random((n, PROBES)), axis=1)
    given = []
    for manner in (true, false, none):
        said = np.stack([heard((n,), **manner) for _ in range(models)], axis=1)
        said = np.take_along_axis(said, np.repeat(place[:, None], models, 1), 2)
        given.append(np.where(said < 0, 2, np.where(said == 1, truth, 1 - truth)))
    answers = np.stack(given, axis=2)
    names = np.array(["A", "B", None], dtype=object)
    table = long(
        {
            "state": np.where(answers == 2, "abstained", "ok"),
            "answer": names[answers],
            "correct": np.where(answers == 2, None, answers == truth),
            "first_option": np.array("A", dtype=object),
            "place": np.broadcast_to(place[:, None, None], answers.shape) + 1,
        },
        study=list(range(n)), model=[f"m{i}" for i in range(1, models + 1)],
        condition=["veridical", "counterfeit", "none"],
        probe_id=[f"p{i:02d}" for i in range(PROBES)],
    ).assign(sample=0)  # fmt: skip
    return {"answers": table, "samples": table[table["condition"] == "none"]}


def control2() -> Iterator[World]:
    ways = {
        "guessers": (COIN, COIN, COIN, ""),
        "guessers, half silent without": (COIN, COIN, m(silent=0.5), ""),
        "guessers, four in five silent without": (COIN, COIN, m(silent=0.8), ""),
        "guessers in runs of two": (m(run=2), m(run=2), m(run=2), ""),
        "guessers in runs of four": (m(run=4), m(run=4), m(run=4), "solves"),
        "guessers in runs of six": (m(run=6), m(run=6), m(run=6), "solves"),
        "guessers in runs of four with a document": (m(run=4), m(run=4), COIN, ""),
        "right in 65 % everywhere": (m(0.65), m(0.65), m(0.65), "solves"),
        "right in 80 %, half silent without": (m(0.8), m(0.8), m(0.8, 0.5), "solves"),
        "right in 80 %, half silent with": (m(0.8, 0.5), m(0.8, 0.5), m(0.8), "solves"),
        "solves it, 85 %": (m(0.85), m(0.85), m(0.85), "solves"),
        "documents help, 95 %": (m(0.95), m(0.95), COIN, "adds"),
        "documents mislead, 10 %": (m(0.1), m(0.1), COIN, "takes"),
    }
    for name, (*way, holds) in ways.items():
        yield name, lambda n, w=way: texts(n, *w), holds


# ---- scores --------------------------------------------------------------------------------------


def levels(n: int) -> np.ndarray:
    """How far each judge's scores lie off, by metric."""
    return RNG.normal(0, 0.05, (n, 2, 3, 1))


def judged(n: int, effect=0.0, vary=0.04, documents=0.0, noise=0.05, drift=0.0, pull=0.0,
           first=0.0, blind=False, same=0.0, heavy=False, halo=0.0, quote=0.4,
           lost=0.0, level=None, corpus=None) -> dict[str, pd.DataFrame]:  # fmt: skip
    """Control 1's verdicts: 7 items, 3 judges, 2 metrics, 3 + 3 counterfeits, quoted pairs.

    heavy: noise of a t with 3 degrees, scaled. halo: a judge's two scores of a pair share it.
    level: the judges', where other cells share them. corpus: the items and documents, likewise; it
    is filled by the first cell, which has the quoted pairs.
    """
    items, judges, metrics = 7, 3, 2
    level = levels(n) if level is None else level
    corpus = {} if corpus is None else corpus
    quoted = not corpus

    def of_corpus(name, spread_of, shape):
        return corpus.setdefault(name, RNG.normal(0, spread_of, shape) if spread_of else 0.0)

    base = 0.5 + of_corpus("items", 0.1, (n, metrics, 1, items))
    own = of_corpus("own", documents, (n, metrics, 1, 1))

    def spread(shape):
        scale = noise / np.sqrt(3) if heavy else noise
        return scale * (RNG.standard_t(3, shape) if heavy else RNG.standard_normal(shape))

    def sheet(session, condition, seed, gap, moved, flip=False):
        shape = (n, metrics, judges, items)
        odd = RNG.random((n, 1, judges, 1)) < 0.5  # whether the odd one stands first, by lot
        lead = np.argsort(RNG.random((n, 1, judges, items)), axis=3) % 2 == odd
        lead = np.broadcast_to(~lead if flip else lead, shape)
        anchor = base + level + moved + first * lead
        other = base + level + moved + (0 if blind else gap) + first * ~lead
        shift = pull * (other - anchor)
        shared = RNG.normal(0, halo, shape) if halo else 0.0
        pair = [np.clip(text + shared + spread(shape), 0, 1)
                for text in (anchor - shift, other + shift)]  # fmt: skip
        pair = [np.where(RNG.random(shape) < same, 0.5, text) for text in pair]
        table = long(
            {"anchor_score": pair[0], "other_score": pair[1],
             "anchor_position": np.where(lead, "A", "B")},
            study=list(range(n)), metric=["one", "two"], judge=["j1", "j2", "j3"],
            item_id=[f"T{i}" for i in range(items)],
        ).assign(session=session, condition=condition, seed=seed or np.nan)  # fmt: skip
        if lost and condition == "veridical":
            harsh = table["judge"] == "j3"
            table = table[~(harsh & (RNG.random(len(table)) < 0.5))]
        return table.assign(**{
            name: table[name] - lost * (table["judge"] == "j3")
            for name in ("anchor_score", "other_score")
        })  # fmt: skip

    tables = [sheet("original", "veridical", 0, own, 0.0),
              sheet("reversed", "veridical", 0, own, 0.0, flip=True)]  # fmt: skip
    for kind in ("foreign", "shuffled"):
        worth = effect + RNG.normal(0, vary, (n, metrics, 1, items))
        for seed in (1, 2, 3):
            text = of_corpus((kind, seed), documents, (n, metrics, 1, 1))
            tables.append(sheet("counterfeit", kind, seed, text - worth, -drift))
    if quoted:
        tables.append(sheet("positive", "quoted", 0, -quote, 0.0))
    return {"verdicts": pd.concat(tables, ignore_index=True)}


SAME = "equivalent sensitive"
JUDGES = {  # how they score; what is true
    "nothing differs": ({}, SAME),
    "nothing differs, noise .30": ({"noise": 0.3, "vary": 0.0}, SAME),
    "nothing differs, heavy tails": ({"noise": 0.15, "heavy": True}, SAME),
    "nothing differs, a halo over each pair": ({"halo": 0.15}, SAME),
    "documents differ, sd .06": ({"documents": 0.06}, SAME + " different-here"),
    "documents differ, sd .10": ({"documents": 0.10}, SAME + " different-here"),
    "documents differ, sd .15": ({"documents": 0.15}, SAME + " different-here"),
    "constant judges": ({"same": 1.0}, ""),
    "judges all but constant": ({"same": 0.97}, "equivalent sensitive"),
    "judges blind to memory": ({"blind": True}, ""),
    "quoted memory worth just the bound": ({"quote": 0.1}, "equivalent"),
    "just at the bound": ({"effect": 0.1}, "different different-here sensitive"),
    "just at the bound, heavy tails": (
        {"effect": 0.1, "noise": 0.15, "heavy": True}, "different different-here sensitive"),
    "drift hides the bound": (
        {"effect": 0.1, "drift": 0.1}, "different different-here sensitive drift"),
    "drift of .12": ({"drift": 0.12}, SAME + " drift"),
    "the first text gains .10": ({"first": 0.1}, SAME + " order"),
    "scores part from their neighbour's": ({"pull": 0.4}, SAME),
    "a harsh judge lost on one side": ({"lost": 0.3}, SAME),
    "apart by .20": ({"effect": 0.2}, "different different-here sensitive"),
}  # fmt: skip


def several(n: int, of: Callable[[str, str], dict]) -> dict[str, pd.DataFrame]:
    """Two responders in two corpora; all have the judges, a corpus's cells its documents too."""
    level, tables = levels(n), []
    for corpus in ("c1", "c2"):
        shared: dict = {}
        for responder in ("r1", "r2"):
            way = of(responder, corpus)
            cell = judged(n, **way, level=level, corpus=shared)["verdicts"]
            whose = np.where(cell["session"] == "positive", "", responder)
            tables.append(cell.assign(corpus=corpus, responder=whose))
    return {"verdicts": pd.concat(tables, ignore_index=True)}


FIRST = "responder == 'r1' and corpus == 'c1'"
CELLS = {  # one cell or corpus unlike the others: by cell; what is true there, where, and elsewhere
    "only the first cell is apart by .20": (
        lambda responder, corpus: {"effect": 0.2 * ((responder, corpus) == ("r1", "c1"))},
        "different different-here sensitive", f"not ({FIRST})", "equivalent sensitive"),
    "quotations are heard in the first corpus alone": (
        lambda responder, corpus: {"quote": 0.4 * (corpus == "c1")},
        "equivalent sensitive", "corpus == 'c2'", ""),
}  # fmt: skip


def cells() -> Iterator[World]:
    for name, (way, holds) in JUDGES.items():
        yield name, lambda n, w=way: several(n, lambda *cell: w), holds
    for name, (way, *truth) in CELLS.items():
        yield name, lambda n, w=way: several(n, w), *truth


def control1() -> Iterator[World]:
    for name, (way, holds) in JUDGES.items():
        yield name, lambda n, w=way: judged(n, **w), holds


# ---- rollouts and items --------------------------------------------------------------------------


def rolled(n: int, one: tuple, two: tuple) -> dict[str, pd.DataFrame]:
    """Rollouts of two models on 8 problems, 16 each: (chance verified, shares of the ways)."""
    parts = []
    for name, (chance, shares) in (("m1", one), ("m2", two)):
        shape = (n, 8, 16)
        ways = (RNG.random((*shape, 1)) > np.cumsum(shares)[:-1]).sum(axis=-1)
        parts.append(long(
            {"verified": RNG.random(shape) < chance, "mode": ways}, study=list(range(n)),
            problem_id=[f"q{i}" for i in range(8)], sample=list(range(16)),
        ).assign(model=name))  # fmt: skip
    return {"rollouts": pd.concat(parts, ignore_index=True).assign(horizon=1, preset="own")}


def vpe() -> Iterator[World]:
    even = lambda k: (1 / k,) * k  # noqa: E731
    nine = (0.9, even(4))
    ways = {
        "alike": (nine, nine, ""),
        "equal, twice the ways": (nine, (0.45, even(8)), ""),
        "equal, 64 ways of which few are seen": (nine, (0.9 * 4 / 64, even(64)), ""),
        "the other has 16 ways at .30": (nine, (0.3, even(16)), ""),
        "ahead: twice the ways, as often verified": ((0.9, even(8)), nine, "apart"),
    }
    for name, (one, two, holds) in ways.items():
        yield name, lambda n, w=(one, two): rolled(n, *w), holds


LIVES = [f"life {i // 6}" for i in range(48)]
KINDS = ["one" if i % 2 else "two" for i in range(48)]


def items(n: int, full, none, other=None, silent=(0.0, 0.0), life=0.0, shared=False) -> dict:
    """A benchmark's answers: 48 items of 8 lives in two kinds, one model, three arms.

    life: how far a life moves the log-odds of the own history. shared: a life is right or wrong.
    """
    of = np.array([i // 6 for i in range(48)])
    parts = []
    for arm, share in (("full", full), ("none", none), ("counterfeit", other or none)):
        odds = np.log(share / (1 - share))
        if arm == "full":
            odds = odds + life * RNG.standard_normal((n, 1, 8))[..., of]
        toss = RNG.random((n, 1, 8))[..., of] if shared else RNG.random((n, 1, 48))
        right = toss < 1 / (1 + np.exp(-odds))
        told = RNG.random((n, 1, 48)) >= silent[arm != "full"]
        parts.append(long(
            {"correct": right & told, "state": np.where(told, "ok", "abstained"),
             "cluster": np.array(LIVES, dtype=object), "stratum": np.array(KINDS, dtype=object)},
            study=list(range(n)), model=["m1"], item_id=[f"i{i:05d}" for i in range(48)],
        ).assign(arm=arm))  # fmt: skip
    return {"answers": pd.concat(parts, ignore_index=True)}


def benchmarks() -> Iterator[World]:
    ways = {
        "guesses": ((0.25, 0.25), {}, ""),
        "knows 80 % without": ((0.8, 0.8), {}, ""),
        "another's history earns as much": ((0.7, 0.25, 0.7), {}, ""),
        "a life is right or wrong": ((0.5, 0.5), {"shared": True}, ""),
        "helps some lives, harms others": ((0.5, 0.5), {"life": 1.0}, ""),
        "silent without": ((0.25, 0.25), {"silent": (0.0, 1.0)}, ""),
        "silent with": ((0.25, 0.25), {"silent": (1.0, 0.0)}, ""),
        "more silent without": ((0.25, 0.25), {"silent": (0.1, 0.6)}, ""),
        "earns, 80 against 30 %": ((0.8, 0.3), {}, "earns stratum-earns"),
        "costs, 30 against 70 %": ((0.3, 0.7), {}, "costs stratum-costs"),
    }
    for name, (shares, more, holds) in ways.items():
        yield name, lambda n, s=shares, w=more: items(n, *s, **w), holds


DESIGNS = {
    "control2": (control2, {"models": 2, "probes": PROBES}),
    "control3": (control3, {"corpora": {"A": 2, "B": 2}, "models": 2, "probes": PROBES}),
    "memories": (memories, {
        "corpora": {"A": 2, "B": 2}, "systems": ["m1", "m2"], "probes": PROBES}),
    "control1": (control1, {}),
    "cells": (cells, {"responders": 2, "corpora": 2}),  # Control 1's, of several
    "vpe": (vpe, {"models": 2, "problems": 8, "rollouts": 16}),
    "benchmarks": (benchmarks, {
        "strata": KINDS, "lives": LIVES, "chance": [0.25] * 48, "models": 1}),
}  # fmt: skip


PART = {"cells": "control1"}


def concluded(part: str, design: dict, tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """What the product's program concludes from the tables."""
    part = PART.get(part, part)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "tables").mkdir()
        (root / "design.json").write_text(json.dumps(design), encoding="utf-8")
        for name, table in tables.items():
            table.to_csv(root / f"tables/{name}.csv", index=False)
        places = [str(root / name) for name in ("design.json", "tables", "found")]
        command = [sys.executable, "-m", "veridical.claims.analyse", part, *places]
        subprocess.run(command, check=True)
        return {path.stem: pd.read_csv(path) for path in (root / "found").glob("*.csv")}


def rates(part: str, studies: int) -> Iterator[dict]:
    """Every claim of a part in every world: how often it is said of anything.

    Several worlds go through the program at once, each a range of study numbers.
    """
    worlds, design = DESIGNS[part]
    for some in batched(list(worlds()), TOGETHER):
        drawn = [draw(studies) for _, draw, *_ in some]
        every = {
            name: pd.concat([tables[name].assign(study=tables[name]["study"] + number * studies)
                             for number, tables in enumerate(drawn)])
            for name in drawn[0]
        }  # fmt: skip
        found = concluded(part, design, every)
        for number, (name, _, *truth) in enumerate(some):
            mine = {key: rows[rows["study"] // studies == number] for key, rows in found.items()}
            for claim in SAID:
                if claim.split()[0] == PART.get(part, part):
                    yield {"claim": claim, "world": name} | rate(claim, mine, truth, studies)


def batched(values: list, size: int) -> Iterator[list]:
    """The values, so many at a time."""
    yield from (values[start : start + size] for start in range(0, len(values), size))


def rate(
    claim: str, found: dict[str, pd.DataFrame], truth: list[str], studies: int
) -> dict[str, float]:
    """How often a claim is said falsely, of any row of a study; and truly, of its rows."""
    table, column, words, where = SAID[claim]
    rows = found[table].query(where) if where else found[table]
    hit, holds, *apart = rows[column].isin(words), truth[0], *truth[1:]
    name = claim.partition(" ")[2].replace(" ", "-")
    true = pd.Series(name in holds.split(), index=rows.index)
    if apart:
        whose = rows if "responder" in rows else rows.assign(responder="")  # an instrument's
        true[whose.query(apart[0]).index] = name in apart[1].split()
    told = {"power": float(hit[true].mean())} if true.any() else {}
    if true.all():
        return told or {"power": float("nan")}
    said = rows.loc[hit & ~true, "study"].nunique()
    low, high = proportion_confint(said, studies, method="wilson")
    return told | {"false": said / studies, "low": low, "high": high}


def main(studies: int, names: list[str]) -> None:
    print("| claim | said where false | 95 % | in the world | holds | found at best | where |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for part in names or DESIGNS:
        table = pd.DataFrame(rates(part, studies))
        table.to_csv(f"claim_rates.{part}.csv", index=False)
        for claim, rows in table.groupby("claim", sort=False):
            bad = rows.loc[rows["false"].idxmax()]
            ends = f"{bad['low']:.1%} to {bad['high']:.1%}"
            held = "yes" if bad["high"] <= NOMINAL + ROOM else "**no**"
            cells = [claim, f"{bad['false']:.1%}", ends, bad["world"], held]
            if "power" in rows and rows["power"].notna().any():
                good = rows.loc[rows["power"].idxmax()]
                cells += [f"{good['power']:.0%}", good["world"]]
            print("| " + " | ".join([*cells, "", ""][:7]) + " |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2:])
