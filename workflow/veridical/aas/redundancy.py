"""Shannon redundancy of a series of answers, estimated as the series grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray


def redundancy_so_far(answers: Sequence[Hashable]) -> NDArray[np.float64]:
    """Redundancy R_j = 1 - H_j / log2(j) of the first j answers, for each j; shape (answers,).

    H_j is the plug-in Shannon entropy of the answers given in sessions 1..j, log2(j) the largest
    that j answers can have (all different). So R is 0 where no answer came back twice and 1 where
    all are the same. For j = 1 both are 0: one answer shows no repetition, and R is set to 0, the
    value that masks nothing.

    >>> redundancy_so_far(["1", "1", "2", "3"]).round(3).tolist()
    [0.0, 1.0, 0.421, 0.25]
    """
    counts: Counter[Hashable] = Counter()
    redundancy = np.zeros(len(answers))
    for j, answer in enumerate(answers, start=1):
        counts[answer] += 1
        if j > 1:
            share = np.fromiter(counts.values(), dtype=float) / j
            entropy = -(share * np.log2(share)).sum()
            redundancy[j - 1] = np.clip(1 - entropy / np.log2(j), 0, 1)
    return redundancy
