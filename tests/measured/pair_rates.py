"""How often direct pairs and open sheets say what is false, by worlds not of the product.

    python tests/measured/pair_rates.py 1000 [direct open ...] > rates.md

As `claim_rates.py`, whose counting it shares. Judges here compare what answers are worth to them
(Thurstone 1927): one with the agent's own memory by so much more, every answer by its luck, what
stands first by so much, and where two lie near each other neither is named. Worlds marked `held to
nothing` are those that no test on seven items can know from others: what is said there is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache

import claim_rates
import numpy as np
import pandas as pd
from claim_rates import RNG, World, long

SAID = {
    "control1 prefers": ("preferences", "finding", {"prefers own", "prefers other"}, ""),
    "control1 indifferent": ("preferences", "finding", {"indifferent"}, ""),
    "control1 alone": ("alone", "finding", {"prefers own", "prefers other"}, ""),
    "control1 hears": ("panel", "finding", {"sensitive"}, "test == 'quoted'"),
    "control1 place": ("panel", "finding", {"matters"}, "test == 'place'"),
}
FREE = "held to nothing: "
MARGIN = 0.15


def luck(shape: tuple[int, ...], spread: float, skewed: bool = False) -> np.ndarray:
    """What chance makes an answer worth, about 0; skewed: a few are worth much more."""
    if skewed:
        return spread * (RNG.exponential(1.0, shape) - 1.0)
    return RNG.normal(0, spread, shape)


def compared(n: int, worth=0.0, own=0.3, other=0.3, judge=0.5, noise=1.0, first=0.0, near=0.0,
             documents=0.0, skewed=False, some=1.0, quote=4.0, both=True, items=7,
             seeds=3) -> dict[str, pd.DataFrame]:  # fmt: skip
    """Choices: `items` inputs, three judges, two metrics, two kinds of counterfeits and none.

    own, other: how far answers vary by luck, the one with the own memory for all its pairs; judge:
    how far judges see one answer differently; some: the worth is there in that share of the items.
    """
    judges, metrics = 3, 2
    lived = luck((n, metrics, 1, items), own, skewed)
    seen = RNG.normal(0, judge, (n, metrics, judges, items))
    there = (RNG.random((n, metrics, 1, items)) < some) / some

    def sheets(session, condition, seed, gap, size, turned):
        shape = (n, metrics, judges, size)
        lead = np.argsort(RNG.random((n, 1, judges, size)), axis=3) % 2 == seed % 2
        lead = np.broadcast_to(lead, shape)
        tables = []
        for name, stands in ((session, lead), ("reversed", ~lead))[: 1 + turned]:
            felt = gap + first * np.where(stands, 1, -1) + RNG.normal(0, noise, shape)
            said = np.where(np.abs(felt) < near, 2, np.where(felt > 0, 0, 1))
            tables.append(long(
                {"preferred": np.array(["own", "other", "neither"], dtype=object)[said],
                 "own_position": np.where(stands, "A", "B")},
                study=list(range(n)), metric=["one", "two"], judge=["j1", "j2", "j3"],
                item_id=[f"T{i}" for i in range(size)],
            ).assign(session=name, condition=condition, seed=seed or np.nan))  # fmt: skip
        return tables

    tables = []
    for kind in ("foreign", "shuffled", "none"):
        for seed in range(1, seeds + 1) if kind != "none" else (0,):
            text = RNG.normal(0, documents, (n, metrics, 1, 1)) if documents and seed else 0.0
            rival = luck((n, metrics, 1, items), other, skewed)
            gap = worth * there + lived + seen + text - rival
            gap = gap + RNG.normal(0, judge, (n, metrics, judges, items))
            session = "none" if kind == "none" else "counterfeit"
            tables += sheets(session, kind, seed, gap, items, both)
    tables += sheets("positive", "quoted", 0, quote, 7, False)
    return {"choices": pd.concat(tables, ignore_index=True).assign(state="complete")}


@cache
def at_margin(**way) -> float:
    """What the own memory must be worth for a share just at the margin."""
    low, high = 0.0, 12.0
    state = RNG.bit_generator.state
    for _ in range(16):
        middle = (low + high) / 2
        RNG.bit_generator.state = state
        table = compared(400, worth=middle, **way)["choices"]
        told = table[table["session"] != "positive"]["preferred"]
        share = told.map({"own": 1.0, "other": 0.0, "neither": 0.5}).mean()
        low, high = (middle, high) if share < 0.5 + MARGIN else (low, middle)
    return high


def direct() -> Iterator[World]:
    same, told = "indifferent hears", "prefers alone hears"
    even = {
        "nothing to prefer": {},
        "an answer's luck": {"own": 1.5, "other": 1.0},
        "an answer's luck, judges as one": {"own": 1.5, "judge": 0.0, "noise": 0.2},
        "judges differ": {"judge": 2.0},
        "near answers are neither's": {"near": 2.5, "own": 0.2, "other": 0.2},
        "all but alike": {"near": 3.5, "own": 0.1, "other": 0.1, "judge": 0.2},
        "in one order": {"both": False},
    }
    for name, way in even.items():
        yield name, lambda n, w=way: compared(n, **w), same
        worth = at_margin(**way)
        at = f"{name}, at the margin"
        yield at, lambda n, w=way, v=worth: compared(n, worth=v, **w), told
    yield "the first is worth 2", lambda n: compared(n, first=2.0), same + " place"
    yield "the first is all", lambda n: compared(n, first=9.0), same + " place"
    yield "deaf to quotations", lambda n: compared(n, quote=0.0), ""
    yield ("deaf to quotations, near ones are neither's",
           lambda n: compared(n, quote=0.0, near=2.5, own=0.2, other=0.2), "")  # fmt: skip
    yield "documents differ", lambda n: compared(n, documents=0.7), same + " prefers alone"
    for share in (0.5, 0.3):
        worth = at_margin(some=share)
        yield (f"at the margin, on {share:.0%} of the items",
               lambda n, v=worth, s=share: compared(n, worth=v, some=s), told)  # fmt: skip
    yield "apart", lambda n: compared(n, worth=2.5), told
    yield "apart, 14 items", lambda n: compared(n, worth=2.5, items=14), told
    yield (FREE + "a few answers are much better",
           lambda n: compared(n, own=1.5, other=0.1, judge=0.2, skewed=True), same)  # fmt: skip


def opened(n: int, effect=0.0, some=1.0, uneven=False, lift=0.0, **more) -> dict:
    """Scores of judges who see the memory: the worth is there where an answer can be checked."""
    items, judges, metrics = 7, 3, 2
    there = (RNG.random((n, metrics, 1, items)) < some) / some
    reads = np.array([0.0, 1.0, 2.0])[:, None] if uneven else 1.0
    tables = claim_rates.judged(n, **more)["verdicts"]
    keys = pd.MultiIndex.from_product(
        [range(n), ["one", "two"], ["j1", "j2", "j3"], [f"T{i}" for i in range(items)]]
    )
    worth = pd.Series(np.broadcast_to(effect * there * reads, (n, metrics, judges, items)).ravel(),
                      keys)  # fmt: skip
    rows = pd.MultiIndex.from_frame(tables[["study", "metric", "judge", "item_id"]])
    held = ~tables["condition"].isin(["veridical", "quoted"])
    fall = np.where(held, worth.reindex(rows).fillna(0.0).to_numpy(), 0.0)
    tables["other_score"] = np.clip(tables["other_score"] - fall + lift, 0, 1)
    tables["anchor_score"] = np.clip(tables["anchor_score"] + lift, 0, 1)
    return {"verdicts": tables}


def open_book() -> Iterator[World]:
    same, apart = "equivalent sensitive", "different different-here sensitive"
    ways = {
        "every answer near the top": ({"lift": 0.35}, same),
        "half of the answers can be checked, at the bound": (
            {"effect": 0.1, "some": 0.5}, apart),
        "half can be checked, at the bound, noise .15": (
            {"effect": 0.1, "some": 0.5, "noise": 0.15}, apart),
        "judges read unevenly, at the bound": ({"effect": 0.1, "uneven": True}, apart),
        "both are held against the memory, at the bound": ({"effect": 0.1, "pull": 0.4}, apart),
        "plain to see": ({"effect": 0.4, "noise": 0.1}, apart),
        FREE + "a third can be checked, at the bound": ({"effect": 0.1, "some": 1 / 3}, apart),
        FREE + "a fifth can be checked, at the bound": ({"effect": 0.1, "some": 0.2}, apart),
    }  # fmt: skip
    for name, (way, holds) in ways.items():
        yield name, lambda n, w=way: opened(n, **w), holds


KINDS = {
    "direct": (direct, {"pairs": "direct", "margin": MARGIN}, SAID),
    "open": (open_book, {"sheet": "open"},
             {key: said for key, said in claim_rates.SAID.items() if key.startswith("control1")}),
}  # fmt: skip


def main(studies: int, names: list[str]) -> None:
    print("| claim | in the world | said where false | 95 % | holds | found |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names or KINDS:
        worlds, design, claims = KINDS[name]
        claim_rates.SAID = claims
        claim_rates.DESIGNS["control1"] = (worlds, design)
        for row in claim_rates.rates("control1", studies):
            told = {key: row.get(key, float("nan")) for key in ("false", "low", "high", "power")}
            if told["false"] == told["false"]:
                free = row["world"].startswith(FREE)
                limit = claim_rates.NOMINAL + claim_rates.ROOM
                held = "-" if free else "yes" if told["high"] <= limit else "**no**"
                ends = f"{told['low']:.1%} to {told['high']:.1%}"
                cells = [row["claim"], row["world"], f"{told['false']:.1%}", ends, held, ""]
            else:
                cells = [row["claim"], row["world"], "", "", "", f"{told['power']:.0%}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2:])
