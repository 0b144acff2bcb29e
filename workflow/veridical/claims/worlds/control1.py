"""Control 1's worlds: judges and documents whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds.answers import grid, labels
from veridical.control1.beside import of_share
from veridical.control1.rules import conclude, examine, judged

LEVEL = 0.5  # where every text starts


@dataclass(frozen=True)
class Design:
    """The design's numbers.

    seeds: how many documents of each kind; `none` is one condition without a document. quoted: so
    many pairs known by construction; both_orders: the share of the original pairs shown twice.
    """

    items: int = 7
    judges: int = 3
    metrics: int = 2
    seeds: Mapping[str, int] = field(default_factory=lambda: {"foreign": 3, "shuffled": 3})
    none: bool = True
    quoted: int = 7
    both_orders: float = 1.0
    bound: float = 0.10

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
    missing in half.
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
    step: float = 0.0
    blind: bool = False
    constant: float = 0.0
    harsh: float = 0.0

    def of(self, kind: str) -> float:
        """The effect against a kind of counterfeit."""
        return self.effect if isinstance(self.effect, float) else self.effect.get(kind, 0.0)

    def heard(self, metrics: int) -> NDArray[np.float64]:
        """What the quotation is worth on each metric; nothing to judges that are blind."""
        worth = self.quoted if isinstance(self.quoted, tuple) else (self.quoted,)
        return np.resize(worth, metrics) * (not self.blind)


def draw(design: Design, bench: Bench, studies: int, rng: np.random.Generator) -> Tables:
    """The complete verdicts of many studies: the columns of `control1/verdicts`, and `study`."""
    shape = (studies, design.metrics, design.items)
    own = rng.normal(0, bench.documents, (studies, design.metrics, 1))
    level = {"original": np.zeros((studies, design.metrics, design.judges, 1))}
    level["original"] += rng.normal(0, bench.judges, level["original"].shape)
    levels = {
        session: level["original"] - (bench.drift if session != "original" else 0.0)
        for session in ("original", "counterfeit", "none")
    }
    item = rng.normal(0, 0.1, shape)
    parts = []

    def judge(session: str, condition: str, seed: int, worth: NDArray, again: int) -> None:
        sheet = _Sheet(session, condition, seed, again)
        lift = levels[session if session in levels else "original"]
        parts.append(_session(design, bench, sheet, item, worth, lift, rng))

    again = of_share(design.both_orders, design.items)
    judge("original", "veridical", 0, np.broadcast_to(own, shape), again)
    for kind, seeds in design.seeds.items():
        vary = rng.normal(bench.of(kind), bench.items, shape)
        for seed in range(1, seeds + 1):
            document = rng.normal(0, bench.documents, (studies, design.metrics, 1))
            judge("counterfeit", kind, seed, document - vary, 0)
    if design.none:
        judge("none", "none", 0, -rng.normal(bench.of("none"), bench.items, shape), 0)
    if design.quoted:
        pairs = replace(design, items=design.quoted)
        worth = np.zeros((studies, design.metrics, design.quoted))
        worth -= bench.heard(design.metrics)[:, None]
        sheet = _Sheet("positive", "quoted", 0, 0)
        none = rng.normal(0, 0.1, worth.shape)
        parts.append(_session(pairs, bench, sheet, none, worth, levels["original"], rng))
    return {"control1/verdicts": pd.concat(parts, ignore_index=True)}


@dataclass(frozen=True)
class _Sheet:
    session: str
    condition: str
    seed: int
    again: int  # so many items are shown once more, in the other order


def _session(
    design: Design,
    bench: Bench,
    sheet: _Sheet,
    item: NDArray[np.float64],
    worth: NDArray[np.float64],
    lift: NDArray[np.float64],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """The verdicts on one pair an item; on some of them in both orders."""
    studies, metrics, items = item.shape
    shape = (studies, metrics, design.judges, items)
    first = rng.permuted(
        np.broadcast_to(np.arange(items) % 2 == 0, (studies, design.judges, items)), axis=2
    )
    tables = []
    for order in range(2 if sheet.again else 1):
        stands = np.broadcast_to((first if order == 0 else ~first)[:, None], shape)
        base = LEVEL + item[:, :, None] + lift
        anchor = base + bench.first * stands
        gap = 0.0 if bench.blind else worth[:, :, None]
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
    table |= {
        "session": session,
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


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once."""
    verdicts, by = tables["control1/verdicts"], ["study"]
    items, documents = judged(verdicts, by)
    instrument = examine(verdicts, items, bound=design.bound, by=by)
    found = conclude(items, documents, instrument, bound=design.bound, by=by)
    return {"control1/findings": found, "control1/instrument": instrument}


def world(key: str, bench: Bench, *unjudged: str) -> World:
    """A world of one bench of judges; its truths follow from it."""

    def effect(rows: pd.DataFrame) -> NDArray[np.float64]:
        kinds = rows["contrast"].str.removeprefix("veridical-")
        return np.array([abs(bench.of(kind)) * (not bench.blind) for kind in kinds])

    def hears(rows: pd.DataFrame) -> NDArray[np.bool_]:
        numbers = rows["metric"].astype(str).str.removeprefix("metric-").astype(int).to_numpy()
        return bench.heard(int(numbers.max(initial=1)))[numbers - 1] > 0.10 + 1e-9

    moved = bench.contrast != 0 and bench.effect != 0.0  # the anchor shifts with its neighbour

    def everywhere(flag: bool) -> Truth:
        return lambda rows: np.full(len(rows), flag)

    truths: dict[str, Truth] = {
        "control1.different": lambda rows: effect(rows) > 0,
        "control1.different_here": lambda rows: (effect(rows) > 0) | (bench.documents > 0),
        "control1.equivalent": lambda rows: (effect(rows) < 0.10 - 1e-9) & hears(rows),
        "control1.sensitive": hears,
        "control1.order": everywhere(bench.first != 0),
        "control1.drift": everywhere(bench.drift != 0 or moved),
    }
    return World(key, "control1", lambda d, s, rng: draw(d, bench, s, rng), truths)


WORLDS = (
    world("nothing differs", Bench()),
    world("nothing differs, noise 0.15", Bench(noise=0.15)),
    world("nothing differs, noise 0.30", Bench(noise=0.30, items=0.0)),
    world("documents differ by 0.06", Bench(documents=0.06)),
    world("documents differ by 0.10", Bench(documents=0.10)),
    world("documents differ by 0.15", Bench(documents=0.15)),
    world("constant judges", Bench(constant=1.0)),
    world("nearly constant judges", Bench(constant=0.97)),
    world("judges blind to memory", Bench(blind=True)),
    world("judges blind to memory, own memory worth 0.3", Bench(effect=0.3, blind=True)),
    world("at the bound", Bench(effect=0.10)),
    world("at the bound, noise 0.15", Bench(effect=0.10, noise=0.15)),
    world("drift of 0.12", Bench(drift=0.12)),
    world("drift hides a difference at the bound", Bench(effect=0.10, drift=0.10)),
    world("the first text gains 0.10", Bench(first=0.10)),
    world("scores move towards their neighbour's", Bench(effect=0.15, contrast=-0.4)),
    world("scores move away from their neighbour's", Bench(contrast=0.4)),
    world("a harsh judge missing on one side", Bench(harsh=0.3)),
    world("scores in steps of 0.1", Bench(step=0.1)),
    world("deaf to quotations", Bench(quoted=0.0)),
    world("quotations worth the bound", Bench(quoted=0.10)),
    world("quotations worth the bound, noise 0.15", Bench(quoted=0.10, noise=0.15)),
    world("hears on one metric, one kind at the bound",
          Bench(effect={"foreign": 0.10}, quoted=(0.4, 0.10))),
    world("parts every quotation alike", Bench(quoted=0.5, step=0.5, noise=0.0)),
    world("nothing remembered scores as memory", Bench(effect={"foreign": 0.2, "shuffled": 0.2})),
    world("only no memory differs by 0.20", Bench(effect={"none": 0.20})),
    world("different by 0.20", Bench(effect=0.20)),
    world("different by 0.20, noise 0.15", Bench(effect=0.20, noise=0.15)),
    world("only foreign differs by 0.20", Bench(effect={"foreign": 0.20})),
    world("different by 0.30, documents by 0.03", Bench(effect=0.30, documents=0.03)),
)  # fmt: skip
