"""The same problems with and without an added document: does it open ways, or close them?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from veridical.statistics.multiplicity import holm
from veridical.statistics.signs import sign_flip
from veridical.vpe.measures import bootstrap_means
from veridical.vpe.rollouts import DOCUMENT

MEASURED = ("verified_probability", "mode_entropy", "mode_entropy_chao_shen", "smoothed_vpe")


def compare_document(
    problems: pd.DataFrame, *, seed: int, resamples: int, level: float = 0.95
) -> pd.DataFrame:
    """With the document less without it, paired by problem, of each model and horizon.

    `problems` are `measures.measure_problems`'; those of the preset `DOCUMENT` were asked with the
    document and the first other preset's sampling. Verified probability is how viable the ways are,
    the entropies how many there are, smoothed VPE both. Columns: model, horizon, measure,
    n_problems, without, with_document, estimate (with less without), low, high (bootstrap over
    problems), p (exact sign flips over problems, two-sided), p_holm (over the whole table). Raises
    ValueError where one side lacks problems or there is none with the document.
    """
    plain = next((name for name in problems["preset"] if name != DOCUMENT), None)
    sides = {name: own for name, own in problems.groupby("preset", sort=False, observed=True)}
    if plain is None or DOCUMENT not in sides:
        raise ValueError("no rollouts with the document, or none without: set vpe.document")
    rows = []
    for key, without in sides[plain].groupby(["model", "horizon"], sort=False, observed=True):
        mine = sides[DOCUMENT]
        added = mine[(mine["model"] == key[0]) & (mine["horizon"] == key[1])]
        pair = _paired(key, without.set_index("problem_id"), added.set_index("problem_id"))
        means = bootstrap_means(pair[1] - pair[0], seed, resamples, level)
        for at, (measure, (mean, low, high)) in enumerate(zip(MEASURED, means, strict=True)):
            row = dict(zip(("model", "horizon"), key, strict=True)) | {"measure": measure}
            row |= {"n_problems": len(without), "without": pair[0][:, at].mean()}
            row |= {"with_document": pair[1][:, at].mean(), "estimate": mean}
            flipped = sign_flip(pair[1][:, at] - pair[0][:, at])
            rows.append(row | {"low": low, "high": high, "p": flipped})
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"].tolist()))


def _paired(
    key: tuple, without: pd.DataFrame, added: pd.DataFrame
) -> tuple[np.ndarray, np.ndarray]:
    """The measures of both sides, the problems in one order: shape (problems, measures) each."""
    alone = set(without.index) ^ set(added.index)
    if alone:
        raise ValueError(
            f"{key[0]} at {key[1]} tokens: only with or only without the document: "
            f"{', '.join(sorted(alone)[:5])}"
        )
    names = list(MEASURED)
    return (
        without[names].to_numpy(dtype=float),
        added.loc[without.index, names].to_numpy(dtype=float),
    )
