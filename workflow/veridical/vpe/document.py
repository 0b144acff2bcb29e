"""The same problems with and without an added document: does it open ways, or close them?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from veridical.vpe.leads import upper_entropy
from veridical.vpe.measures import bootstrap_means
from veridical.vpe.paired import MARGINS, Ends, Margins, settled, tested
from veridical.vpe.rollouts import DOCUMENT

MEASURED = ("verified_probability", "mode_entropy", "mode_entropy_chao_shen", "smoothed_vpe")
CLAIMED = MEASURED[:2]  # the others are too low by an amount that the document may change
ROW = ["model", "horizon"]


def compare_document(
    problems: pd.DataFrame,
    modes: int | None,
    margins: Margins = MARGINS,
    *,
    seed: int,
    resamples: int,
    level: float = 0.95,
) -> pd.DataFrame:
    """With the document less without it, paired by problem, of each model and horizon.

    `problems` are `measures.measure_problems`'; those of the preset `DOCUMENT` were asked with the
    document and the first other preset's sampling. Verified probability is how viable the ways are,
    the entropies how many there are, smoothed VPE both. Columns: model, horizon, measure,
    n_problems, without, with_document, estimate (with less without), low, high (bootstrap over
    problems), then those of `document_findings`, where finding is `reported` for measures of which
    nothing is concluded. Raises ValueError where one side lacks problems or there is none with the
    document.
    """
    rows = []
    for key, without, added in _pairs(problems, []):
        pair = [side[list(MEASURED)].to_numpy(dtype=float) for side in (without, added)]
        means = bootstrap_means(pair[1] - pair[0], seed, resamples, level)
        for at, (measure, (mean, low, high)) in enumerate(zip(MEASURED, means, strict=True)):
            row = dict(zip(ROW, key, strict=True)) | {"measure": measure}
            row |= {"n_problems": len(without), "without": pair[0][:, at].mean()}
            row |= {"with_document": pair[1][:, at].mean()}
            rows.append(row | {"estimate": mean, "low": low, "high": high})
    found = document_findings(problems, modes, margins)
    table = pd.DataFrame(rows).merge(found, on=[*ROW, "measure"], how="left")
    return table.fillna({"finding": "reported"}).astype({"n_tested": "Int64"})


def document_findings(
    problems: pd.DataFrame, modes: int | None, margins: Margins, by: Sequence[str] = ()
) -> pd.DataFrame:
    """Whether the document changed what is claimed of it: a row a model, horizon and measure.

    The verified probability over all problems; the entropy of the verified ways, between its ends
    (`leads.upper_entropy`, of `modes` that the map can tell apart), over the problems that have a
    verified rollout on both sides. Columns: `by`, model, horizon, measure, margin, `paired.TESTED`
    and what `paired.settled` adds; finding is `no bound` for entropies where modes have no end.
    """
    rows = []
    for key, without, added in _pairs(problems, by):
        head = dict(zip([*by, *ROW], key, strict=True))
        gap = (added[CLAIMED[0]] - without[CLAIMED[0]]).to_numpy(dtype=float)
        named = {"measure": CLAIMED[0], "margin": margins.share}
        rows.append(head | named | tested(Ends(gap, gap), margins.share))
        ends = _entropies(without, added, modes or 0)
        named = {"measure": CLAIMED[1], "margin": margins.nats}
        rows.append(head | named | tested(ends, margins.nats))
    table = pd.DataFrame(rows)
    if modes is not None:
        return settled(table, by)
    known = table["measure"] == CLAIMED[0]
    endless = table.loc[~known, [*by, *ROW, "measure", "margin"]]
    return pd.concat([settled(table[known], by), endless.assign(finding="no bound", n_tested=0)])


def _entropies(without: pd.DataFrame, added: pd.DataFrame, modes: int) -> Ends:
    """The least and most that the document could have changed the entropy of verified ways."""
    reached = ((without["n_verified"] > 0) & (added["n_verified"] > 0)).to_numpy()
    sides = []
    for side in (without[reached], added[reached]):
        plain = side["mode_entropy"].to_numpy(dtype=float)
        unseen = 1 - side["coverage_good_turing"].to_numpy(dtype=float)
        most = upper_entropy(plain, unseen, modes) if modes and len(plain) else plain
        sides.append((plain, np.maximum(plain, most)))
    (low, high), (low_added, high_added) = sides
    return Ends(low_added - high, high_added - low)


def _pairs(problems: pd.DataFrame, by: Sequence[str]):
    """Of each model and horizon its key and both sides, the problems in one order."""
    plain = next((name for name in problems["preset"] if name != DOCUMENT), None)
    sides = {name: own for name, own in problems.groupby("preset", sort=False, observed=True)}
    if plain is None or DOCUMENT not in sides:
        raise ValueError("no rollouts with the document, or none without: set vpe.document")
    with_it = dict(list(sides[DOCUMENT].groupby([*by, *ROW], sort=False, observed=True)))
    none = sides[DOCUMENT].iloc[:0]
    for key, without in sides[plain].groupby([*by, *ROW], sort=False, observed=True):
        first = without.set_index("problem_id")
        second = with_it.get(key, none).set_index("problem_id")
        alone = set(first.index) ^ set(second.index)
        if alone:
            raise ValueError(
                f"{key[-2]} at {key[-1]} tokens: only with or only without the document: "
                f"{', '.join(sorted(alone)[:5])}"
            )
        yield key, first, second.loc[first.index]
