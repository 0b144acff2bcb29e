"""Benchmarks made by chance, clean or with one defect planted: for tests and for the calibration.

Words are drawn by Zipf's law, some from a vocabulary that all share and some from the topic's own.
In a clean benchmark the options of an item are drawn alike and the right one is any of them, open
answers are drawn by stratum whatever is asked, the session that says the answer is any of the
history's, and abstentions fall anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from veridical.benchmarks.items import Benchmark, History, Item, Session, Turn


@dataclass(frozen=True)
class Shape:
    """What a simulated benchmark looks like."""

    n: int = 200
    options: tuple[int, ...] = (4,)  # 0: open
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
                Session((Turn("someone", words.draw(20, 0)), *turns), f"2024-01-{day + 1:02}")
                for day, turns in enumerate(sessions)
            ),
        )
        for life, sessions in said.items()
    }
    return [replace(each, history=histories.get(each.cluster)) for each in items]


def as_benchmark(items: Sequence[Item], ordered: bool = True) -> Benchmark:
    """The items as a benchmark read from nowhere."""
    return Benchmark(Path("simulated"), "plain", "simulated", "0" * 64, tuple(items), "", ordered)


def keyed(item: Item, key: int) -> Item:
    """The item with another right option."""
    return replace(item, key=key, answer=item.options[key])


def plant(items: list[Item], share: float, change: Callable[[Item], Item], seed: int) -> list[Item]:
    """The items with a share of them, drawn at random, changed."""
    generator = np.random.default_rng(seed)
    chosen = set(generator.choice(len(items), round(share * len(items)), replace=False).tolist())
    return [change(each) if place in chosen else each for place, each in enumerate(items)]


def length_cue(items: list[Item], points: float, seed: int) -> list[Item]:
    """The longest option is right in `points` more of the items than by chance."""

    def longest(item: Item) -> Item:
        return keyed(item, int(np.argmax([len(option) for option in item.options])))

    return plant(items, points / (1 - items[0].chance), longest, seed)


def position_cue(items: list[Item], points: float, seed: int) -> list[Item]:
    """The second option is right in `points` more of the items than by chance."""
    return plant(items, points / (1 - items[0].chance), lambda item: keyed(item, 1), seed)


def word_cue(items: list[Item], share: float, seed: int) -> list[Item]:
    """In a share of the items the right option, and no other, says "remember"."""

    def tell(item: Item) -> Item:
        options = list(item.options)
        options[item.key] += " remember"
        return keyed(replace(item, options=tuple(options)), item.key)

    return plant(items, share, tell, seed)


def topic_leak(items: list[Item], share: float, seed: int) -> list[Item]:
    """In a share of the items the right option has the word of its topic."""

    def tell(item: Item) -> Item:
        options = list(item.options)
        before, _, last = options[item.key].rpartition(" ")
        told = f"leak{item.topic.split()[-1]}"
        options[item.key] = f"{before} {told:x<{len(last)}}"  # as long as what it replaces
        return keyed(replace(item, options=tuple(options)), item.key)

    return plant(items, share, tell, seed)


def repeated(items: list[Item], share: float, seed: int) -> list[Item]:
    """The items with a share of them asked twice."""
    generator = np.random.default_rng(seed)
    again = generator.choice(len(items), round(share * len(items)), replace=False)
    return [*items, *(replace(items[n], id=f"{items[n].id} again") for n in again)]


def abstaining_stratum(items: list[Item], name: str) -> list[Item]:
    """All the items of one stratum have abstention for their answer."""
    return [
        replace(each, answer="", abstention=True) if each.stratum == name else each
        for each in items
    ]
