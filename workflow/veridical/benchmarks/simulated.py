"""Clean benchmarks made by chance, of a given shape: how often the lint finds something in them.

Words are drawn by Zipf's law, some from a vocabulary that all share and some from the topic's own.
The options of an item are drawn alike and the right one is any of them, open answers are drawn by
stratum whatever is asked, the session that says the answer is any of the history's, and abstentions
fall anywhere.
"""

from __future__ import annotations

import csv
import datetime as dt
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veridical.benchmarks.items import Benchmark, History, Item, Session, Turn

if TYPE_CHECKING:
    import pandas as pd

FIRST = dt.date(2024, 1, 1)  # the day of a history's first session; one a day follows
BY_SHAPE = Path(__file__).with_name("false_alarms_by_shape.csv")


@dataclass(frozen=True)
class Shape:
    """What a simulated benchmark looks like."""

    n: int = 200
    options: tuple[int, ...] = (4,)  # 0: open; any of them, as likely
    clusters: int = 10  # 0: every item alone
    topics: int = 8
    strata: int = 3
    sessions: int = 6
    abstentions: float = 0.1  # among open items


SHAPES = {
    "options": Shape(),
    "open": Shape(n=250, options=(0,), topics=0),
    "mixed": Shape(n=160, options=(2, 3, 4, 0), clusters=0, sessions=0, strata=1),
    "few lives": Shape(n=120, options=(5,), clusters=3, topics=0, strata=5),
}


class Words:
    """Words of a shared vocabulary and of topics, drawn by Zipf's law."""

    def __init__(self, generator: np.random.Generator):
        self.generator = generator

    def draw(self, n: int, topic: int, own: float = 0.4) -> str:
        """So many words about a topic, a share of them its own."""
        ranks = np.minimum(self.generator.zipf(1.4, n), 400)
        mine = self.generator.random(n) < own
        return " ".join(
            f"t{topic}w{rank}" if yes else f"w{rank}" for rank, yes in zip(ranks, mine, strict=True)
        )


def simulate(shape: Shape, seed: int) -> list[Item]:
    """The items of a clean benchmark."""
    generator = np.random.default_rng(seed)
    words = Words(generator)
    answers = [f"answer{n}" for n in range(60)]
    likely = 1 / np.arange(1, 61)
    items = []
    said: dict[int, list[list[Turn]]] = {}
    for place in range(shape.n):
        topic = int(generator.integers(max(1, shape.topics or 6)))
        life = int(generator.integers(shape.clusters)) if shape.clusters else place
        size = int(generator.choice(shape.options))
        question = words.draw(int(generator.integers(6, 15)), topic)
        stratum = int(generator.integers(shape.strata))
        options = tuple(
            words.draw(int(generator.integers(3, 10)), topic) + f" end{generator.integers(10**6)}"
            for _ in range(size)
        )
        key = int(generator.integers(size)) if size else None
        answer = (
            options[key]
            if size
            else f"s{stratum} {generator.choice(answers, p=likely / likely.sum())}"
        )
        abstains = not size and bool(generator.random() < shape.abstentions)
        turn = Turn("someone", f"{words.draw(8, topic)} {answer}", f"e{place}")
        sessions = said.setdefault(life, [[] for _ in range(shape.sessions)])
        if shape.sessions and not abstains:
            sessions[int(generator.integers(shape.sessions))].append(turn)
        items.append(
            Item(
                id=str(place),
                question=question,
                answer="" if abstains else answer,
                options=options,
                key=key,
                stratum=f"stratum {stratum}",
                topic=f"topic {topic}" if shape.topics else "",
                cluster=f"life {life}" if shape.clusters else "",
                evidence=() if abstains or not shape.sessions else (turn.id,),
                abstention=abstains,
            )
        )
    if not shape.sessions:
        return items
    histories = {
        f"life {life}": History(
            f"life {life}",
            tuple(
                Session((Turn("someone", words.draw(20, 0)), *turns), _day(day))
                for day, turns in enumerate(sessions)
            ),
        )
        for life, sessions in said.items()
    }
    return [replace(each, history=histories.get(each.cluster)) for each in items]


def _day(number: int) -> str:
    return (FIRST + dt.timedelta(days=number)).isoformat()


def as_benchmark(items: Sequence[Item], ordered: bool = True) -> Benchmark:
    """The items as a benchmark read from nowhere."""
    return Benchmark(Path("simulated"), "plain", "simulated", "0" * 64, tuple(items), "", ordered)


def shape_of(items: pd.DataFrame) -> Shape:
    """The shape of a benchmark: how many items, options, lives, topics, kinds and sessions.

    `items` is `tables.ITEMS`. Of the shape's `options` there is one entry an item, so that what is
    drawn has as many of each.
    """
    lives = items["cluster"].fillna("").astype(str)
    lives = set(lives.where(lives != "", items["item_id"].astype(str)))
    sizes = tuple(len(json.loads(options)) for options in items["options"])
    free = items[[not size for size in sizes]]
    asks = items.loc[items["sessions"] > 0, "sessions"]
    shared = len(lives) < len(items)
    return Shape(
        n=len(items),
        options=sizes,
        clusters=len(lives) if shared else 0,
        topics=items["topic"].replace("", None).nunique(),
        strata=items["stratum"].fillna("").nunique(),
        sessions=round(float(asks.median())) if len(asks) and shared else 0,
        abstentions=float(free["abstention"].astype(bool).mean()) if len(free) else 0.0,
    )


@dataclass(frozen=True)
class Alarms:
    """In how many of how many clean benchmarks something was found, and which they were; `own` says
    that they have the benchmark's own shape."""

    alarms: int
    benchmarks: int
    shape: str
    own: bool = False


def alarms_of(shape: Shape, clean: int, seed: int) -> Alarms:
    """Of so many clean benchmarks of the shape; where none is asked for, the nearest measured."""
    return simulated_alarms(shape, clean, seed) if clean else nearest_alarms(shape)


def simulated_alarms(shape: Shape, benchmarks: int, seed: int) -> Alarms:
    """Lint so many clean benchmarks of a shape."""
    from veridical.benchmarks.lint import lint

    found = 0
    for number in range(benchmarks):
        own = seed + number
        checks = lint(as_benchmark(simulate(shape, own)), seed=own).checks
        found += bool((checks["verdict"] == "found").any())
    return Alarms(found, benchmarks, described(shape), own=True)


def described(shape: Shape) -> str:
    """A shape in a few words: `200 items of 4 options in 10 lives`."""
    sizes = sorted(set(shape.options))
    kinds = [f"{size} options" if size else "open" for size in sizes]
    told = f"{shape.n:,} items ({', '.join(kinds)})"
    return f"{told} in {shape.clusters:,} lives" if shape.clusters else told


def nearest_alarms(shape: Shape) -> Alarms:
    """The measured shape that is nearest: the same mix of open items and options first, then lives
    or none, then the number of items (of its logarithm)."""

    def far(other: Shape) -> tuple[float, float, float]:
        parts = [np.mean([not size for size in each.options]) for each in (shape, other)]
        lives = bool(shape.clusters) != bool(other.clusters)
        return abs(parts[0] - parts[1]), lives, abs(math.log(shape.n / other.n))

    with open(BY_SHAPE, encoding="utf-8", newline="") as file:
        rows = {row["shape"]: row for row in csv.DictReader(file)}
    name = min(rows, key=lambda each: far(SHAPES[each]))
    row = rows[name]
    return Alarms(int(row["alarms"]), int(row["benchmarks"]), described(SHAPES[name]))
