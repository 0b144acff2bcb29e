"""Which items are asked: all, or some of each stratum, drawn by the study's seed."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.benchmarks.items import Item


def draw(items: Sequence[Item], per_stratum: int | None, seed: int) -> list[Item]:
    """At most `per_stratum` items of every stratum, in the file's order; all where it is None.

    Each stratum is drawn by itself, so that one more item in one stratum changes no other's draw.
    """
    if per_stratum is None:
        return list(items)
    import numpy as np  # which no dry run of a study that asks everything needs

    strata: dict[str, list[int]] = {}
    for place, each in enumerate(items):
        strata.setdefault(each.stratum, []).append(place)
    chosen: set[int] = set()
    for name, places in strata.items():
        generator = np.random.default_rng([seed, *name.encode()])
        take = min(per_stratum, len(places))
        chosen |= set(generator.choice(places, take, replace=False).tolist())
    return [each for place, each in enumerate(items) if place in chosen]
