"""Benchmarks made by chance with one defect planted: for tests. Clean ones are the library's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from veridical.benchmarks.items import Item
from veridical.benchmarks.simulated import SHAPES, Shape, as_benchmark, simulate

__all__ = ["SHAPES", "Shape", "as_benchmark", "simulate"]


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
