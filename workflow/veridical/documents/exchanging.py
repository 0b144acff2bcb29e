"""Exchanging the bindings of a life: every fact another value, each value as often as before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from veridical.corpora.history import History

MOST_FREQUENT = "stands in {count} of {all} facts, more than half, so that some must keep it"


def derange(values: Sequence[str], rng: np.random.Generator) -> list[str]:
    """The same values in another order in which none stands where it stood.

    Each value is as often there as before. Values are laid out in runs and moved on by the length
    of the longest; then pairs trade places at random wherever neither gets its own value back.

    Raises ValueError naming the value where one stands in more than half of the places.

    >>> derange(["a", "b", "a", "b"], np.random.default_rng(1))
    ['b', 'a', 'b', 'a']
    """
    counts = Counter(values)
    value, most = max(counts.items(), key=lambda item: item[1], default=("", 0))
    if 2 * most > len(values):
        raise ValueError(f"{value!r} " + MOST_FREQUENT.format(count=most, all=len(values)))
    own: dict[str, list[int]] = {run: [] for run in sorted(counts)}
    for place, run in enumerate(values):
        own[run].append(place)
    runs = rng.permutation(list(own)).tolist()
    places = [int(i) for run in runs for i in rng.permutation(own[run])]
    taken = [values[place] for place in places]
    moved = taken[most:] + taken[:most]
    found = dict(zip(places, moved, strict=True))
    for one, two in rng.integers(0, max(1, len(values)), (4 * len(values), 2)).tolist():
        if found[one] != values[two] and found[two] != values[one]:
            found[one], found[two] = found[two], found[one]
    return [found[place] for place in range(len(values))]


def exchanged(life: History, seed: int) -> dict[str, str]:
    """What the seed's exchange gives each remembered fact of the attribute asked for.

    By the fact's `encounter_id`. Raises ValueError naming the corpus, and what to do, where no
    exchange keeps every value as frequent as it is.
    """
    rows = life.remembered()
    rng = np.random.default_rng([seed, *b"exchanged", *life.name.encode()])
    try:
        values = derange(list(rows["partner"]), rng)
    except ValueError as error:
        raise ValueError(
            f"corpus {life.name}: the {life.asked} {error}; take other facts into the memory, or "
            "ask for another attribute (`asked` in corpus.yaml), or have facts planted (`plant`)"
        ) from None
    return dict(zip(rows["encounter_id"], values, strict=True))


def with_values(life: History, given: dict[str, str]) -> list[str]:
    """The values of all facts, those of `given` (by `encounter_id`) in the place of their own.

    What was said again before (`restated`) goes along with the fact that holds.
    """
    values = list(life.facts["value"])
    rows = life.encounters[life.encounters["encounter_id"].isin(given)]
    new = dict(zip(rows["fact"], map(given.__getitem__, rows["encounter_id"]), strict=True))
    for number, (state, holder) in enumerate(
        zip(life.facts["state"], life.facts["holder"], strict=True)
    ):
        if state in ("holds", "restated") and holder in new:
            values[number] = new[holder]
    return values
