"""What a design could find, before anything is asked: each claim's power at stated effects.

An effect is a world in which the claim is true of everything, at three sizes. The words of a size
say what it is, in the units of the part; whether it is small for one's own question is for the
reader to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from veridical.claims.catalogue import CLAIMS
from veridical.claims.claim import World
from veridical.claims.product import ROOMS
from veridical.claims.rates import measure
from veridical.claims.tables import PLAN
from veridical.claims.worlds import (
    benchmarks,
    beside,
    choosing,
    control1,
    control2,
    control3,
    memories,
    vpe,
)
from veridical.claims.worlds.answers import Manner
from veridical.statistics.intervals import wilson

SIZES = ("small", "medium", "large")


@dataclass(frozen=True)
class Effect:
    """A claim that is true at three sizes: what each is in words, and how its world is made."""

    claim: str
    words: str  # with a place {} for the size's number
    at: tuple[str, str, str]
    made: tuple[World, World, World]


def effect(
    claim: str, words: str, values: Iterable[float], shown: str, world: Callable[[float], World]
) -> Effect:
    """An effect from its three numbers, each written in the form `shown`."""
    at = [shown.format(value) for value in values]
    made = [world(value) for value in values]
    return Effect(claim, words, (at[0], at[1], at[2]), (made[0], made[1], made[2]))


def _scores(**bench: Any) -> World:
    return control1.world("planned", control1.Bench(**bench))


def _texts(**model: Any) -> World:
    return control2.world("planned", control2.Model(**model))


def _reads(agrees: float) -> World:
    return control3.world("planned", control3.reader(agrees, agrees))


def _finds(agrees: float) -> World:
    return memories.world("planned", control3.reader(agrees, agrees))


def _knows(agrees: float) -> World:
    return control3.world("planned", lambda k: control3.Model(
        Manner(1 / k), Manner(1 / k), Manner(agrees)))  # fmt: skip


def _ways(more: float) -> World:
    ahead, behind = vpe.Model(0.9, vpe.even(int(more))), vpe.Model(0.9, vpe.even(4))
    return vpe.world("planned", ahead, behind)


def _helps(points: float) -> World:
    opened = vpe.even(4 + round(points / 10))
    return beside.document_world("planned", beside.Added(effect=points / 100, with_it=opened))


def _idle(verified: float) -> World:
    return beside.document_world("planned", beside.Added(verified, spread=0.0))


def _ahead(more: float) -> World:
    return beside.mapped_world("planned", vpe.Model(0.9, vpe.even(int(more))), beside.FOUR)


def _alike(verified: float) -> World:
    return beside.mapped_world("planned", vpe.Model(verified, vpe.even(4)))


def _earns(points: float) -> World:
    without = benchmarks.Arm(0.3)
    model = benchmarks.Model(benchmarks.Arm(0.3 + points / 100), without, without)
    return benchmarks.world("planned", model)


EFFECTS = (
    effect(
        "control1.different_here",
        "the own memory is worth {} of the score's range to every judge",
        (0.05, 0.10, 0.20),
        "{:.2f}",
        lambda worth: _scores(effect=worth),
    ),
    effect(
        "control1.equivalent",
        "nothing differs, and single scores scatter by {}",
        (0.30, 0.15, 0.05),
        "{:.2f}",
        lambda noise: _scores(noise=noise),
    ),
    effect(
        "control1.sensitive",
        "quoting the own memory is worth {} of the score's range",
        (0.15, 0.20, 0.40),
        "{:.2f}",
        lambda worth: _scores(quoted=worth),
    ),
    effect(
        "control1.prefers",
        "shown both, a judge prefers the own memory's answer in {}",
        (0.60, 0.75, 0.95),
        "{:.0%}",
        lambda share: choosing.world("planned", lambda _: choosing.Chooser(own=share - 0.5)),
    ),
    effect(
        "control1.indifferent",
        "there is nothing to prefer, and judges say neither in {}",
        (0.0, 0.50, 0.80),
        "{:.0%}",
        lambda ties: choosing.world("planned", lambda _: choosing.Chooser(ties=ties)),
    ),
    effect(
        "control1.hears",
        "shown both, a judge prefers the own memory quoted in {}",
        (0.70, 0.85, 0.95),
        "{:.0%}",
        lambda share: choosing.world("planned", lambda _: choosing.Chooser(quoted=share - 0.5)),
    ),
    effect(
        "control2.solves",
        "right in {} without a document",
        (0.65, 0.75, 0.90),
        "{:.0%}",
        lambda share: _texts(none=Manner(share)),
    ),
    effect(
        "control2.adds",
        "right in {} with a document, in half without",
        (0.65, 0.80, 0.95),
        "{:.0%}",
        lambda share: _texts(veridical=Manner(share), counterfeit=Manner(share)),
    ),
    effect(
        "control3.uses",
        "{} of the answers are as the document has it, true or false",
        (0.60, 0.75, 0.90),
        "{:.0%}",
        _reads,
    ),
    effect(
        "control3.follows",
        "{} of the answers are as the document has it, true or false",
        (0.70, 0.80, 0.95),
        "{:.0%}",
        _reads,
    ),
    effect(
        "control3.guesses",
        "right in {} without a document",
        (0.65, 0.75, 0.90),
        "{:.0%}",
        _knows,
    ),
    effect(
        "memories.follows",
        "{} of the answers are as the bank has it, true or swapped",
        (0.70, 0.80, 0.95),
        "{:.0%}",
        _finds,
    ),
    effect(
        "vpe.apart",
        "the leader has {} ways, the next model four, both verified in 90%",
        (6, 8, 16),
        "{:d}",
        _ways,
    ),
    effect(
        "vpe.document_changes",
        "the document adds {} points to 50% verified, and a way to four for every ten",
        (10, 20, 40),
        "{:d}",
        _helps,
    ),
    effect(
        "vpe.document_same",
        "the document changes nothing, and {} are verified",
        (0.50, 0.80, 0.95),
        "{:.0%}",
        _idle,
    ),
    effect(
        "vpe.maps_apart",
        "one model has {} ways, the other four, both verified in 90%",
        (6, 8, 16),
        "{:d}",
        _ahead,
    ),
    effect(
        "vpe.maps_same",
        "two models alike, of which {} are verified, in four ways",
        (0.50, 0.80, 0.95),
        "{:.0%}",
        _alike,
    ),
    effect(
        "benchmarks.earns",
        "the history earns {} points more than the 30% without it",
        (10, 30, 50),
        "{:d}",
        _earns,
    ),
)  # fmt: skip


def plan(designs: Mapping[str, Any], studies: int, seed: int) -> pd.DataFrame:
    """The power of every claim at every size: `tables.PLAN`, for the parts that the design has.

    `twice` is the power with twice as many items, probes or problems.
    """
    rows = [row for part, design in designs.items() for row in _of(part, design, studies, seed)]
    return pd.DataFrame(rows, columns=PLAN.names)


def _of(part: str, design: Any, studies: int, seed: int) -> Iterator[dict[str, Any]]:
    known = {claim.key: claim for claim in CLAIMS}
    for each in EFFECTS:
        claim = known[each.claim]
        if claim.part != part or not all(world.fits(design) for world in each.made):
            continue
        for size, at, world in zip(SIZES, each.at, each.made, strict=True):
            power, twice = (
                measure(world, [claim], ROOMS[part].analyse, one, studies, seed)[0].power
                for one in (design, larger(design))
            )
            low, high = (None, None) if power is None else wilson(power * studies, studies)
            row = {"claim": each.claim, "part": part, "size": size, "effect": each.words.format(at)}
            yield row | {"studies": studies, "power": power, "power_low": low, "power_high": high,
                         "twice": twice}  # fmt: skip


def larger(design: Any) -> Any:
    """The design with twice as many items, probes or problems, and pairs known by construction."""
    if isinstance(design, benchmarks.Design):
        lives = tuple(f"{life}, again" if life else "" for life in design.lives)
        return replace(design, strata=design.strata * 2, lives=design.lives + lives,
                       chance=design.chance * 2)  # fmt: skip
    names = ("items", "quoted", "probes", "reader_probes", "problems")
    sizes = {name: getattr(design, name, None) for name in names}
    return replace(design, **{name: 2 * size for name, size in sizes.items() if size})


def as_text(table: pd.DataFrame, costs: Mapping[str, Mapping[str, float | None]]) -> str:
    """The plan to read: what could be found, then what it would take, part by part."""
    title = "How often each claim would be made where it is true (and with twice the size):"
    lines = [title, ""] if len(table) else ["The parts of this study make no claims.", ""]
    for part, rows in table.groupby("part", sort=False):
        for claim, sizes in rows.groupby("claim", sort=False):
            lines.append(f"{part}: {claim.partition('.')[2].replace('_', ' ')}")
            for row in sizes.itertuples():
                powers = (_percent(row.power), _percent(row.twice))
                lines.append("  {:<7} {:>5} ({:>5})  {}".format(row.size, *powers, row.effect))
        lines.append("")
    head = ("part", "calls", "tokens in", "tokens out", "cost, $")
    lines += ["What it would take at most:", ""]
    lines.append("{:<12} {:>9} {:>12} {:>12} {:>10}".format(*head))
    for part, cost in costs.items():
        paid = "no price" if cost["cost"] is None else f"{cost['cost']:,.2f}"
        numbers = [f"{cost[name]:,.0f}" for name in ("calls", "prompt_tokens", "completion_tokens")]
        lines.append("{:<12} {:>9} {:>12} {:>12} {:>10}".format(part, *numbers, paid))
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    return "-" if share is None or pd.isna(share) else f"{share:.0%}"
