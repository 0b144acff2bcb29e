"""The prior bias, estimated: what a model prefers with no memory, and what a document adds.

Where the alternatives are not equally plausible, passing the probe shows nothing; an estimate of
the model's preference, and of the effect beyond it, must carry the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from veridical.choices.habits import ALPHA, FEW
from veridical.choices.tally import cells_of, truths
from veridical.control2.tables import EFFECTS
from veridical.statistics.intervals import paired_difference
from veridical.statistics.multiplicity import within
from veridical.statistics.neighbours import inflation, tail
from veridical.statistics.signs import sign_flip

if TYPE_CHECKING:
    import pandas as pd


def estimate_preferences(answers: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Each model's preference per probe without a document, over all samples.

    Parameters
    ----------
    answers : pandas.DataFrame
        Of the condition `none`, every sample: `model`, `probe_id`, `sample`, `answer`, `correct`,
        `first_option`.
    by : sequence of str
        Columns that tell studies apart, where the table holds several.

    Returns
    -------
    pandas.DataFrame
        `tables.PREFERENCES` (after `by`): `samples` asked, `answered` of them, the share of the
        answered that name the true text (`true_share`) and the text shown first (`first_share`),
        both in [0, 1] and missing where none was answered.
    """
    codes, table = cells_of(answers, [*by, "model", "probe_id"])
    given = answers["answer"].notna().to_numpy()
    right = given & truths(answers["correct"])
    first = given & (answers["answer"] == answers["first_option"]).to_numpy()

    def count(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(codes[rows], minlength=len(table))

    table["samples"] = np.bincount(codes, minlength=len(table))
    table["answered"] = count(given)
    some = np.where(table["answered"] > 0, table["answered"], np.nan)
    table["true_share"], table["first_share"] = count(right) / some, count(first) / some
    return table


def adjusted_effect(
    answers: pd.DataFrame, preferences: pd.DataFrame, chance: float = 0.5
) -> dict[str, Any]:
    """What a document adds to the model's own preference, paired probe by probe.

    Per answered probe: right (1) or wrong (0) with the document, less the preference for the true
    alternative without one. A probe on which the model never answered without a document has no
    preference to be seen; `chance` stands in for it, and such probes are counted (where there are
    no others, `prior_true` is None). Newcombe's
    hybrid score interval (1998, Stat. Med. 17:2635), 95 %.

    Parameters
    ----------
    answers : pandas.DataFrame
        One model under one document, one row a probe: `probe_id`, `answer`, `correct`.
    preferences : pandas.DataFrame
        The same model's rows of `estimate_preferences`.

    Returns
    -------
    dict
        The numeric columns of `tables.EFFECTS`; None where no probe was answered.

    Raises
    ------
    ValueError
        Naming the probes that were not asked without a document.
    """
    known = preferences.set_index("probe_id")
    strangers = sorted(set(answers["probe_id"]) - set(known.index))
    if strangers:
        raise ValueError(f"never asked without a document: {', '.join(strangers)}")
    given = answers[answers["answer"].notna()]
    right = [float(bool(value)) for value in given["correct"]]
    prior = known.loc[given["probe_id"], "true_share"].astype(float)
    effect, ends = paired_difference(right, list(prior.fillna(chance)))
    n = len(right)
    return {
        "n_pairs": n,
        "n_prior_unknown": int(prior.isna().sum()),
        "accuracy_answered": sum(right) / n if n else None,
        "prior_true": float(prior.fillna(chance).mean()) if prior.notna().any() else None,
        "effect": effect if n else None,
        "low": ends.low if n else None,
        "high": ends.high if n else None,
    }


def estimate_effects(
    answers: pd.DataFrame,
    preferences: pd.DataFrame,
    models: Sequence[str],
    conditions: Sequence[str],
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """The adjusted memory effect of each document for each model: `tables.EFFECTS` (after `by`).

    A document `adds` right answers, or `takes away`, where the sign-flip test over the probes whose
    preference was seen says so after Holm over models and documents; with fewer than five such
    probes nothing is testable.

    Parameters
    ----------
    answers : pandas.DataFrame
        `model`, `condition`, `probe_id`, `answer`, `correct`; one row a probe; `place`, where the
        order of the probes' encounters is known.
    preferences : pandas.DataFrame
        As `estimate_preferences` gives them.
    models, conditions : sequence of str
        What to estimate; `conditions` without `none`.
    by : sequence of str
        Columns that tell studies apart, where the tables hold several; each has its own family.
    """
    import pandas as pd

    known = dict(tuple(preferences.groupby([*by, "model"], sort=False, observed=True)))
    asked = dict(tuple(answers.groupby([*by, "model", "condition"], sort=False, observed=True)))
    studies = answers[list(by)].drop_duplicates().itertuples(index=False, name=None) if by else [()]
    rows = []
    for study in studies:
        for model in models:
            own = known[(*study, model)]
            first = own["first_share"].astype(float).mean()
            for condition in conditions:
                mine = asked[(*study, model, condition)]
                row = dict(
                    zip([*by, "model", "condition"], (*study, model, condition), strict=True)
                )
                row |= {"samples": int(own["samples"].max()), **adjusted_effect(mine, own)}
                row["prior_first"] = None if pd.isna(first) else float(first)
                rows.append(row | {"p_effect": effect_p(mine, own)})
    table = pd.DataFrame(rows)
    table["m"] = len(models) * len(conditions)
    table["p_effect_holm"] = within(table, by, "p_effect", table["m"].iloc[0])
    shown = table["p_effect_holm"] <= ALPHA
    table["finding"] = np.select(
        [table["p_effect"].isna(), shown & (table["effect"] > 0), shown & (table["effect"] < 0)],
        ["not testable", "adds", "takes away"],
        "not shown",
    )
    return table[[*by, *EFFECTS.names]]


def effect_p(answers: pd.DataFrame, preferences: pd.DataFrame) -> float | None:
    """Two-sided p that a document moves no answer beyond the preference; None where untestable.

    Only probes whose preference was seen count, which under the hypothesis may fall either way.
    Where neighbours in the log are answered alike, several count as one, and the larger p is given.
    """
    prior = preferences.set_index("probe_id")["true_share"].reindex(answers["probe_id"])
    known = answers["answer"].notna().to_numpy() & prior.notna().to_numpy()
    if known.sum() < FEW:
        return None
    right = truths(answers["correct"]).astype(float)
    gaps = np.round((right - prior.to_numpy(dtype=float))[known], 12)
    p = sign_flip(gaps)
    if "place" not in answers or answers["place"].isna().any():
        return p
    order = np.argsort(answers["place"].to_numpy()[known], kind="stable")
    pair = np.stack([right[known], prior.to_numpy(dtype=float)[known]])[:, order]
    up, down = int((gaps > 0).sum()), int((gaps < 0).sum())
    counted = tail(max(up, down), up + down, 0.5, inflation(np.sign(pair - 0.5)))
    return max(p, min(1.0, 2 * float(counted)))
