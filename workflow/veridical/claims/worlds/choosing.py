"""Judges who choose between two answers in known ways, and their choices in many studies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds.answers import grid, labels
from veridical.claims.worlds.judging import FIRST, Design
from veridical.control1.beside import of_share
from veridical.control1.direct.choices import whole_pairs
from veridical.control1.direct.rules import alone, conclude, examine, shares_of
from veridical.control1.direct.tables import PREFERRED
from veridical.control1.tables import CELL


@dataclass(frozen=True)
class Chooser:
    """How the judges choose. Shares are of choices; spreads are standard deviations of a share.

    own: by how much more than in half a judge that looks prefers the own memory's answer, by kind
    of counterfeit. items: how far that varies from item to item, since the one answer given with
    the own memory is good or bad luck for all kinds. pairs: how far from pair to pair. documents:
    how far single documents differ. some: the preference is there in this share of the items alone,
    so much the larger in each. place: share of choices that take what stands first, whatever it
    says. ties: share of the others that name neither, where nothing is quoted. alike: share of
    choices in which all judges do as one. quoted: as `own`, of pairs known by construction.
    steady: share of choices that a judge makes again in the other order. constant: every choice is
    the first. first_cell: the preference is there in the first cell alone. first_heard: quotations
    are heard in the first corpus alone.
    """

    own: float | Mapping[str, float] = 0.0
    items: float = 0.05
    pairs: float = 0.05
    documents: float = 0.0
    some: float = 1.0
    place: float = 0.0
    ties: float = 0.0
    alike: float = 0.3
    quoted: float = 0.45
    steady: float = 0.7
    constant: bool = False
    first_cell: bool = False
    first_heard: bool = False

    def of(self, kind: str, cell: tuple[str, str] = FIRST) -> float:
        """By how much the panel prefers the own memory's answer to a kind's, over all choices."""
        if self.first_cell and cell != FIRST:
            return 0.0
        own = self.own.get(kind, 0.0) if isinstance(self.own, Mapping) else self.own
        return own * self.looks * (1 - self.ties)

    def heard(self, corpus: str = FIRST[1]) -> float:
        """The same of the own memory quoted."""
        return self.quoted * self.looks * (not self.first_heard or corpus == FIRST[1])

    @property
    def looks(self) -> float:
        """The share of choices that are not by place."""
        return 0.0 if self.constant else 1 - self.place


@dataclass(frozen=True)
class _Pairs:
    """One kind's pairs of one document in a cell. again: so many items in both orders."""

    session: str
    condition: str
    seed: int
    again: int
    responder: str
    corpus: str


def draw(design: Design, bench: Chooser, studies: int, rng: np.random.Generator) -> Tables:
    """The complete choices of many studies: the columns of `control1/choices`, and `study`."""
    parts = []
    again = of_share(design.both_orders, design.items)
    for c in range(1, design.corpora + 1):
        corpus = f"c{c}"
        lucks = {
            f"r{r}": rng.normal(0, bench.items, (studies, design.metrics, design.items))
            for r in range(1, design.responders + 1)
        }
        for pairs, shift in _shown(design, bench, corpus, studies, again, rng):
            some = rng.random(lucks[pairs.responder].shape) < bench.some
            cell = (pairs.responder, corpus)
            own = _tilt(bench, pairs.condition, cell) / bench.some * some
            chance = 0.5 + own + lucks[pairs.responder] + shift
            chance = chance + rng.normal(0, bench.pairs, chance.shape)
            parts.append(_choose(design, bench, pairs, chance, rng))
        if design.quoted:
            heard = bench.quoted * (not bench.first_heard or corpus == FIRST[1])
            chance = np.full((studies, design.metrics, design.quoted), 0.5 + heard)
            known = _Pairs("positive", "quoted", 0, 0, "", corpus)
            asked = replace(design, items=design.quoted)
            parts.append(_choose(asked, bench, known, chance, rng))
    return {"control1/choices": pd.concat(parts, ignore_index=True)}


def _tilt(bench: Chooser, kind: str, cell: tuple[str, str]) -> float:
    """The preference of a judge that looks."""
    if bench.first_cell and cell != FIRST:
        return 0.0
    return bench.own.get(kind, 0.0) if isinstance(bench.own, Mapping) else bench.own


def _shown(
    design: Design,
    bench: Chooser,
    corpus: str,
    studies: int,
    again: int,
    rng: np.random.Generator,
) -> Iterator[tuple[_Pairs, NDArray[np.float64]]]:
    """Every document's pairs in the cells of a corpus, and by how much it shifts the preference."""
    for kind, seeds in {**design.seeds, **({"none": 1} if design.none else {})}.items():
        session = "none" if kind == "none" else "counterfeit"
        for seed in range(1, seeds + 1):
            spread = bench.documents if kind != "none" else 0.0
            shift = rng.normal(0, spread, (studies, design.metrics, 1))
            for r in range(1, design.responders + 1):
                seed_ = 0 if kind == "none" else seed
                yield _Pairs(session, kind, seed_, again, f"r{r}", corpus), shift


def _choose(
    design: Design,
    bench: Chooser,
    pairs: _Pairs,
    chance: NDArray[np.float64],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """The choices on one document's pairs; on some of them in both orders."""
    studies, metrics, items = chance.shape
    shape = (studies, metrics, design.judges, items)
    ties = bench.ties * (pairs.session != "positive")
    turn = sum(int(name[1:]) for name in (pairs.responder or "r1", pairs.corpus)) + pairs.seed
    sides = np.broadcast_to(np.arange(items) % 2 == turn % 2, (studies, design.judges, items))
    first = rng.permuted(sides, axis=2)
    tables, before = [], None
    for order in range(2 if pairs.again else 1):
        stands = np.broadcast_to((first if order == 0 else ~first)[:, None], shape)
        drawn = rng.random(shape)
        together = rng.random((studies, metrics, 1, items)) < bench.alike
        drawn = np.where(together, drawn[:, :, :1], drawn)
        if before is not None:
            drawn = np.where(rng.random(shape) < bench.steady, before, drawn)
        before = drawn
        choice = np.where(drawn < chance[:, :, None], 0, 1)
        choice = np.where(rng.random(shape) < ties, 2, choice)
        by_place = rng.random(shape) < (1.0 if bench.constant else bench.place)
        choice = np.where(by_place, np.where(stands, 0, 1), choice)
        tables.append(_table(design, pairs, order, stands, choice))
    return pd.concat(tables, ignore_index=True)


def _table(
    design: Design,
    pairs: _Pairs,
    order: int,
    stands: NDArray[np.bool_],
    choice: NDArray[np.int64],
) -> pd.DataFrame:
    studies, _, judges, items = stands.shape
    table = grid(
        {
            "study": list(range(studies)),
            "metric": design.names,
            "judge": [f"j{number}" for number in range(1, judges + 1)],
            "item_id": [f"T{number}" for number in range(1, items + 1)],
        }
    )
    every = np.zeros(stands.size, dtype=np.int64)
    table |= {
        "session": "reversed" if order else pairs.session,
        "responder": labels([pairs.responder], every),
        "corpus": labels([pairs.corpus], every),
        "condition": pairs.condition,
        "seed": pairs.seed or np.nan,
        "own_position": labels(["B", "A"], stands.astype(np.int64)),
        "preferred": labels(PREFERRED, choice),
        "state": "complete",
    }
    frame = pd.DataFrame(table)
    if order:
        some = [f"T{number}" for number in range(1, pairs.again + 1)]
        frame = frame[frame["item_id"].isin(some)].reset_index(drop=True)
    return frame


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once; with the design's margin in each row."""
    choices, by = tables["control1/choices"], ["study"]
    one = {name: "" for name in CELL if name not in choices}  # made elsewhere, of one cell
    whole = whole_pairs(choices.assign(**one), by)
    rng, shares = np.random.default_rng([0, *b"preferences"]), shares_of(whole, by)
    panel = examine(whole, margin=design.margin, rng=rng, by=by)
    found = conclude(shares, panel, margin=design.margin, rng=rng, by=by)
    tables = {"preferences": found, "alone": alone(shares, by), "panel": panel}
    return {f"control1/{name}": each.assign(margin=design.margin) for name, each in tables.items()}


def world(key: str, made: Callable[[float], Chooser]) -> World:
    """A world of choosing judges, made for a margin; its truths follow from it."""

    def effect(rows: pd.DataFrame) -> NDArray[np.float64]:
        kinds = rows["contrast"].astype(str).str.removeprefix("veridical-")
        cells = zip(rows["responder"], rows["corpus"], strict=True)
        bench = made(_margin(rows))
        each = [abs(bench.of(kind, cell)) for kind, cell in zip(kinds, cells, strict=True)]
        return np.array(each, dtype=float)

    def hears(rows: pd.DataFrame) -> NDArray[np.bool_]:
        bench = made(_margin(rows))
        heard = {name: bench.heard(name) > 0 for name in rows["corpus"].unique()}
        return np.array([heard[name] for name in rows["corpus"]], dtype=bool)

    def leans(rows: pd.DataFrame) -> NDArray[np.bool_]:
        documents = made(_margin(rows)).documents > 0
        return (effect(rows) > 0) | (documents & (rows["contrast"] != "veridical-none").to_numpy())

    truths: dict[str, Truth] = {
        "control1.prefers": leans,
        "control1.prefers_alone": leans,
        "control1.indifferent": lambda rows: (effect(rows) < _margin(rows) - NEAR) & hears(rows),
        "control1.hears": hears,
        "control1.place": lambda rows: np.full(
            len(rows), made(_margin(rows)).constant or made(_margin(rows)).place > 0
        ),
    }
    usual = made(0.15)
    some = usual.first_cell or usual.first_heard  # nothing of its own in a design of one cell
    drawn = lambda design, studies, rng: draw(design, made(design.margin), studies, rng)  # noqa: E731
    return World(key, "control1", drawn, truths, lambda d: d.direct and (d.several or not some))


def _margin(rows: pd.DataFrame) -> float:
    return float(rows["margin"].iloc[0]) if len(rows) else 0.15


MOST = 0.45  # a preference that leaves room for what varies
NEAR = 1e-9
WORLDS = (
    world("choices: nothing to prefer", lambda m: Chooser()),
    world("choices: an item's luck", lambda m: Chooser(items=0.2)),
    world("choices: an item's luck, judges as one",
          lambda m: Chooser(items=0.2, alike=1.0, steady=1.0)),
    world("choices: documents differ by 0.15", lambda m: Chooser(documents=0.15)),
    world("choices: half go by place", lambda m: Chooser(place=0.5)),
    world("choices: always the first", lambda m: Chooser(constant=True)),
    world("choices: neither in four of five", lambda m: Chooser(ties=0.8)),
    world("choices: always neither", lambda m: Chooser(ties=1.0)),
    world("choices: deaf to quotations", lambda m: Chooser(quoted=0.0, ties=0.8)),
    world("choices: at the margin", lambda m: Chooser(own=m)),
    world("choices: at the margin, judges as one",
          lambda m: Chooser(own=m, alike=1.0, steady=1.0)),
    world("choices: at the margin, neither in half",
          lambda m: Chooser(own=min(2 * m, MOST), ties=0.5)),
    world("choices: at the margin, on half of the items", lambda m: Chooser(own=m, some=0.5)),
    world("choices: quotations at the margin", lambda m: Chooser(quoted=m, ties=0.8)),
    world("choices: twice the margin", lambda m: Chooser(own=min(2 * m, MOST))),
    world("choices: the own memory is plain", lambda m: Chooser(own=MOST, items=0.02, pairs=0.02)),
    world("choices: the counterfeit is preferred", lambda m: Chooser(own=-min(2 * m, MOST))),
    world("choices: only the foreign life differs",
          lambda m: Chooser(own={"foreign": min(2 * m, MOST)})),
    world("choices: only the first cell differs",
          lambda m: Chooser(own=min(2 * m, MOST), first_cell=True)),
    world("choices: quotations are heard in the first corpus alone",
          lambda m: Chooser(ties=0.8, first_heard=True)),
)  # fmt: skip
