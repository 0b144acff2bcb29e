"""What a clean benchmark would show: its keys drawn anew, again and again, all else as it is.

Every check computes its statistic once on the benchmark's own keys and once on each draw; the
largest of all the checks' statistics over the draws says how large any of them may become by chance
(Westfall & Young 1993, step-down maxT), so that the checks together raise a false alarm at the rate
promised, however much they depend on one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veridical.benchmarks.items import Item


@dataclass(frozen=True)
class Draws:
    """The benchmark's keys and `n` draws of keys; draw 0 is the benchmark itself."""

    items: Sequence[Item]
    n: int
    seed: int

    def _generator(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, stream])

    @cached_property
    def with_options(self) -> np.ndarray:
        """Places of the items that have options and a key."""
        return np.array([i for i, each in enumerate(self.items) if each.key is not None], dtype=int)

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many options each of them has."""
        return np.array([len(self.items[i].options) for i in self.with_options], dtype=int)

    @cached_property
    def keys(self) -> np.ndarray:
        """Right options' places, shape (draws + 1, items with options): uniform in every draw."""
        drawn = self._generator(1).integers(self.sizes, size=(self.n, len(self.sizes)))
        own = np.array([self.items[i].key for i in self.with_options], dtype=int)
        return np.vstack([own, drawn]) if len(own) else np.empty((self.n + 1, 0), dtype=int)

    @cached_property
    def open(self) -> np.ndarray:
        """Places of the items without options that have an answer."""
        return np.array(
            [i for i, each in enumerate(self.items) if not each.options and each.answer], dtype=int
        )

    @cached_property
    def answers(self) -> np.ndarray:
        """Whose answer each open item has, shape (draws + 1, open items), as places in `open`:
        its own, then another's of its stratum."""
        return self._permuted(2, [self.items[i].stratum for i in self.open])

    @cached_property
    def abstentions(self) -> np.ndarray:
        """Whether abstaining is right, shape (draws + 1, items): moved about over all items."""
        own = np.array([each.abstention for each in self.items])
        return own[self._permuted(3, [""] * len(self.items))]

    @cached_property
    def last(self) -> dict[str, np.ndarray]:
        """The place of the session that counts as a history's last, by history, for every draw."""
        generator = self._generator(4)
        found: dict[str, np.ndarray] = {}
        for each in self.items:
            if each.history and each.history.id not in found:
                sessions = len(each.history.sessions)
                drawn = generator.integers(sessions, size=self.n)
                found[each.history.id] = np.concatenate([[sessions - 1], drawn])
        return found

    def _permuted(self, stream: int, groups: Sequence[str]) -> np.ndarray:
        """Places, permuted within groups in every draw; draw 0 leaves them as they are."""
        generator = self._generator(stream)
        found = np.tile(np.arange(len(groups)), (self.n + 1, 1))
        names = np.array(groups, dtype=object)
        for name in dict.fromkeys(groups):
            places = np.flatnonzero(names == name)
            drawn = np.tile(places, (self.n, 1))
            found[1:, places] = generator.permuted(drawn, axis=1)
        return found


def adjusted(statistics: Mapping[str, np.ndarray]) -> dict[str, float]:
    """P values for all the checks together, by the step-down maximum over the draws.

    Parameters
    ----------
    statistics : mapping of str to numpy.ndarray, shape (draws + 1,)
        Each check's statistic, large where something is wrong; place 0 is the benchmark's own. A
        check whose statistic never varies gets p = 1.

    Returns
    -------
    dict of str to float
        Adjusted p, at least 1/(draws + 1): the probability, where every key is drawn at random,
        that any check comes out as far above what it shows in the draws.
    """
    scores = {}
    for name, values in statistics.items():
        spread = values.std()
        if spread > 1e-12:
            scores[name] = (values - values.mean()) / spread
    result = dict.fromkeys(statistics, 1.0)
    running = 0.0
    order = sorted(scores, key=lambda name: -scores[name][0])
    for place, name in enumerate(order):
        highest = np.max([scores[other] for other in order[place:]], axis=0)
        share = float(np.mean(highest >= scores[name][0] - 1e-12))
        running = max(running, share)
        result[name] = running
    return result
