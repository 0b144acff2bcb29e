"""The prior bias, estimated: what a model prefers with no memory, and what a document adds.

Where the alternatives are not equally plausible, passing the probe shows nothing; an estimate of
the model's preference, and of the effect beyond it, must carry the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veridical.control2.tables import EFFECTS, PREFERENCES
from veridical.statistics.intervals import paired_difference

if TYPE_CHECKING:
    import pandas as pd


def estimate_preferences(answers: pd.DataFrame) -> pd.DataFrame:
    """Each model's preference per probe without a document, over all samples.

    Parameters
    ----------
    answers : pandas.DataFrame
        Of the condition `none`, every sample: `model`, `probe_id`, `sample`, `answer`, `correct`,
        `first_option`.

    Returns
    -------
    pandas.DataFrame
        `tables.PREFERENCES`: `samples` asked, `answered` of them, the share of the answered that
        name the true text (`true_share`) and the text shown first (`first_share`), both in [0, 1]
        and missing where none was answered.
    """
    import pandas as pd

    rows = []
    for (model, probe), group in answers.groupby(["model", "probe_id"], sort=False):
        given = group[group["answer"].notna()]
        answered = len(given)
        right = int(given["correct"].astype("boolean").fillna(False).sum())
        first = int((given["answer"] == given["first_option"]).sum())
        shares = (right / answered, first / answered) if answered else (None, None)
        rows.append((model, probe, len(group), answered, *shares))
    return pd.DataFrame(rows, columns=PREFERENCES.names)


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
) -> pd.DataFrame:
    """The adjusted memory effect of each document for each model: `tables.EFFECTS`.

    Parameters
    ----------
    answers : pandas.DataFrame
        `model`, `condition`, `probe_id`, `answer`, `correct`; one row a probe.
    preferences : pandas.DataFrame
        As `estimate_preferences` gives them.
    models, conditions : sequence of str
        What to estimate; `conditions` without `none`.
    """
    import pandas as pd

    rows = []
    for model in models:
        own = preferences[preferences["model"] == model]
        first = own["first_share"].astype(float).mean()
        for condition in conditions:
            mine = answers[(answers["model"] == model) & (answers["condition"] == condition)]
            effect = adjusted_effect(mine, own)
            row = {"model": model, "condition": condition, "samples": int(own["samples"].max())}
            rows.append({**row, **effect, "prior_first": None if pd.isna(first) else float(first)})
    return pd.DataFrame(rows, columns=EFFECTS.names)
