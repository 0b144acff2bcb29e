"""Judges of known ways, and the verdicts that they give in many studies of Control 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables
from veridical.claims.worlds.answers import grid, labels
from veridical.claims.worlds.placing import Places, placed
from veridical.control1.beside import of_share

LEVEL = 0.5  # where every text starts
FIRST = ("r1", "c1")  # the first cell: responder and corpus


@dataclass(frozen=True)
class Design:
    """The design's numbers.

    seeds: how many documents of each kind; `none` is one condition without a document. quoted: so
    many pairs known by construction, of each corpus; both_orders: the share of the original pairs
    shown twice (where they are direct, of all pairs). Every responder in every corpus is a cell.
    sheet: whether judges see the true memory. pairs: anchored or direct; margin is the latter's.
    """

    items: int = 7
    judges: int = 3
    metrics: int = 2
    seeds: Mapping[str, int] = field(default_factory=lambda: {"foreign": 3, "shuffled": 3})
    none: bool = True
    quoted: int = 7
    both_orders: float = 1.0
    bound: float = 0.10
    responders: int = 1
    corpora: int = 1
    sheet: str = "blind"
    pairs: str = "anchored"
    margin: float = 0.15

    @property
    def direct(self) -> bool:
        """Whether judges choose between the own memory's answer and a counterfeit's."""
        return self.pairs == "direct"

    @property
    def several(self) -> bool:
        """Whether there are several cells."""
        return self.responders * self.corpora > 1

    @property
    def names(self) -> list[str]:
        """The metrics."""
        return [f"metric-{number}" for number in range(1, self.metrics + 1)]


@dataclass(frozen=True)
class Bench:
    """How the judges score. All in units of the score; spreads are standard deviations.

    effect: what the agent's own memory is worth, by kind of counterfeit. items: how far that varies
    from item to item. documents: how far single documents differ. noise: of every score. judges:
    how far a judge's level lies off, anew in each session where `drifts`. first: what standing
    first is worth. contrast: how far a text's score moves away from its neighbour's, as a share of
    their difference. quoted: what quoting the own memory rather than a stranger's is worth, one
    number for each metric where several are given. step: scores are rounded to it. blind: every
    text of an item gets one score, but for noise. constant: share of scores that are one and the
    same. harsh: the last judge scores so much lower, and its verdicts on the veridical pairs are
    missing in half. first_cell: the effect is there in the first cell alone. first_heard: quoting
    is worth something in the first corpus alone. some: the effect is there in this share of the
    items alone, so much the larger in each. uneven: one judge sees nothing of what a text is worth,
    the last twice as much, the others in between. lift: by how much every text scores higher.
    """

    effect: float | Mapping[str, float] = 0.0
    items: float = 0.04
    documents: float = 0.0
    noise: float = 0.05
    judges: float = 0.05
    drift: float = 0.0
    first: float = 0.0
    contrast: float = 0.0
    quoted: float | tuple[float, ...] = 0.4
    some: float = 1.0
    uneven: bool = False
    lift: float = 0.0
    step: float = 0.0
    blind: bool = False
    constant: float = 0.0
    harsh: float = 0.0
    first_cell: bool = False
    first_heard: bool = False

    def of(self, kind: str, cell: tuple[str, str] = FIRST) -> float:
        """The effect against a kind of counterfeit, in a cell."""
        if self.first_cell and cell != FIRST:
            return 0.0
        return self.effect if isinstance(self.effect, float) else self.effect.get(kind, 0.0)

    def heard(self, metrics: int, corpus: str = FIRST[1]) -> NDArray[np.float64]:
        """What the quotation is worth on each metric; nothing to judges that are blind."""
        worth = self.quoted if isinstance(self.quoted, tuple) else (self.quoted,)
        deaf = self.blind or (self.first_heard and corpus != FIRST[1])
        return np.resize(worth, metrics) * (not deaf)


def draw(design: Design, bench: Bench, studies: int, rng: np.random.Generator) -> Tables:
    """The complete verdicts of many studies: the columns of `control1/verdicts`, and `study`.

    The judges are the same in all cells; the documents and how an item is scored are a corpus's,
    what the documents do to an item is a responder's.
    """
    shape = (studies, design.metrics, design.items)
    corpora = [f"c{number}" for number in range(1, design.corpora + 1)]
    own = [rng.normal(0, bench.documents, (studies, design.metrics, 1)) for _ in corpora]
    level = rng.normal(0, bench.judges, (studies, design.metrics, design.judges, 1))
    lift = {session: level - bench.drift for session in ("counterfeit", "none")}
    item = [rng.normal(0, 0.1, shape) for _ in corpora]
    again, parts = of_share(design.both_orders, design.items), []
    for corpus, mine, scored in zip(corpora, own, item, strict=True):
        documents: dict[tuple[str, int], NDArray] = {}
        for cell in ((f"r{number}", corpus) for number in range(1, design.responders + 1)):
            places = _places(design, studies, rng)
            for sheet, worth in _sheets(design, bench, cell, mine, documents, again, rng):
                stands = places[sheet.condition, max(1, sheet.seed)]
                lifted = lift.get(sheet.session, level)
                parts.append(_session(design, bench, sheet, scored, worth, lifted, stands, rng))
        if design.quoted:
            parts.append(_quoted(design, bench, corpus, level, rng))
    return {"control1/verdicts": pd.concat(parts, ignore_index=True)}


def _places(design: Design, studies: int, rng: np.random.Generator) -> Places:
    """Where the anchor stands on one cell's sheets, session by session."""
    sessions = [{"veridical": 1}, dict(design.seeds), {"none": 1} if design.none else {}]
    shape, found = (studies, design.judges), Places()
    for conditions in sessions:
        found |= placed(conditions, design.items, shape, rng)
    return found


def _sheets(
    design: Design,
    bench: Bench,
    cell: tuple[str, str],
    own: NDArray[np.float64],
    documents: dict[tuple[str, int], NDArray],
    again: int,
    rng: np.random.Generator,
) -> Iterator[tuple[_Sheet, NDArray[np.float64]]]:
    """One cell's pairs, and what the answer beside the anchor is worth in each; `documents` are
    the corpus's, drawn where first met."""
    shape = (len(own), design.metrics, design.items)
    there = None if bench.some == 1 else (rng.random(shape) < bench.some) / bench.some
    yield _Sheet("original", "veridical", 0, again, *cell), np.broadcast_to(own, shape)
    for kind, seeds in design.seeds.items():
        vary = _worth(bench, bench.of(kind, cell), shape, there, rng)
        for seed in range(1, seeds + 1):
            if (kind, seed) not in documents:
                documents[kind, seed] = rng.normal(0, bench.documents, own.shape)
            yield _Sheet("counterfeit", kind, seed, 0, *cell), documents[kind, seed] - vary
    if design.none:
        vary = _worth(bench, bench.of("none", cell), shape, there, rng)
        yield _Sheet("none", "none", 0, 0, *cell), -vary


def _worth(
    bench: Bench,
    effect: float,
    shape: tuple[int, ...],
    there: NDArray[np.float64] | None,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """What the own memory is worth, item by item; `there` says in which, where not in all."""
    if there is None:
        return rng.normal(effect, bench.items, shape)
    return effect * there + rng.normal(0, bench.items, shape)


def _quoted(
    design: Design,
    bench: Bench,
    corpus: str,
    lift: NDArray[np.float64],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """The verdicts on a corpus's pairs known by construction."""
    worth = np.zeros((len(lift), design.metrics, design.quoted))
    worth -= bench.heard(design.metrics, corpus)[:, None]
    sheet, item = _Sheet("positive", "quoted", 0, 0, "", corpus), rng.normal(0, 0.1, worth.shape)
    (stands,) = placed({"quoted": 1}, design.quoted, (len(lift), design.judges), rng).values()
    shown = replace(design, items=design.quoted)
    return _session(shown, bench, sheet, item, worth, lift, stands, rng)


@dataclass(frozen=True)
class _Sheet:
    session: str
    condition: str
    seed: int
    again: int  # so many items are shown once more, in the other order
    responder: str
    corpus: str


def _session(
    design: Design,
    bench: Bench,
    sheet: _Sheet,
    item: NDArray[np.float64],
    worth: NDArray[np.float64],
    lift: NDArray[np.float64],
    first: NDArray[np.bool_],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """The verdicts on one pair an item; on some of them in both orders. `first` says where the
    anchor stands first: shape (studies, judges, items)."""
    studies, metrics, items = item.shape
    shape = (studies, metrics, design.judges, items)
    tables = []
    seen = np.linspace(0, 2, design.judges)[:, None] if bench.uneven and design.judges > 1 else 1.0
    for order in range(2 if sheet.again else 1):
        stands = np.broadcast_to((first if order == 0 else ~first)[:, None], shape)
        base = LEVEL + bench.lift + item[:, :, None] + lift
        anchor = base + bench.first * stands
        gap = 0.0 if bench.blind else worth[:, :, None] * seen
        other = base + gap + bench.first * ~stands
        pull = bench.contrast * (other - anchor)
        scores = [_score(text, bench, rng) for text in (anchor - pull, other + pull)]
        tables.append(_table(design, sheet, order, stands, scores, bench, rng))
    return pd.concat(tables, ignore_index=True)


def _score(
    text: NDArray[np.float64], bench: Bench, rng: np.random.Generator
) -> NDArray[np.float64]:
    """What a judge writes: with noise, between 0 and 1, in steps, or always the same."""
    score = np.clip(text + rng.normal(0, bench.noise, text.shape), 0, 1)
    if bench.step:
        score = np.round(score / bench.step) * bench.step
    return np.where(rng.random(text.shape) < bench.constant, LEVEL, score)


def _table(
    design: Design,
    sheet: _Sheet,
    order: int,
    stands: NDArray[np.bool_],
    scores: list[NDArray[np.float64]],
    bench: Bench,
    rng: np.random.Generator,
) -> pd.DataFrame:
    studies, _, judges, items = stands.shape
    session = "reversed" if order else sheet.session
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
        "session": session,
        "responder": labels([sheet.responder], every),
        "corpus": labels([sheet.corpus], every),
        "condition": sheet.condition,
        "seed": sheet.seed or np.nan,
        "anchor_score": scores[0].ravel(),
        "other_score": scores[1].ravel(),
        "anchor_position": labels(["B", "A"], stands.astype(np.int64)),
    }
    frame = pd.DataFrame(table)
    if order:
        some = [f"T{number}" for number in range(1, sheet.again + 1)]
        frame = frame[frame["item_id"].isin(some)].reset_index(drop=True)
    if not bench.harsh:
        return frame
    last = (frame["judge"] == f"j{judges}").to_numpy()
    frame.loc[last, ["anchor_score", "other_score"]] -= bench.harsh
    lost = last & (sheet.condition == "veridical") & (rng.random(len(frame)) < 0.5)
    return frame[~lost].reset_index(drop=True)
