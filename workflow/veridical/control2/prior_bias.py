"""The prior bias, estimated: what a model prefers with no memory, and what a document adds.

Where the alternatives are not equally plausible, passing the probe shows nothing; an estimate of
the model's preference, and of the effect beyond it, must carry the claim.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.choices.answers import LEFT_OUT
from veridical.choices.habits import ALPHA, FEW
from veridical.choices.tally import cells_of, truths
from veridical.control2.cells import (
    corpora_in_order,
    of_refused,
    ordered_corpora,
    without_none,
)
from veridical.control2.tables import EFFECTS
from veridical.statistics.intervals import paired_difference
from veridical.statistics.multiplicity import within
from veridical.statistics.neighbours import inflation, tail
from veridical.statistics.signs import sign_flip

if TYPE_CHECKING:
    import pandas as pd


NOBODY = {"samples": 0, "prior_first": None}  # a model that was asked nothing without a document
NO_PAIRS = (np.empty(0, dtype=bool), np.empty(0), False)


def estimate_preferences(answers: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Each model's preference per probe without a document, over all samples.

    Parameters
    ----------
    answers : pandas.DataFrame
        Of the condition `none`, every sample: `corpus`, `model`, `probe_id`, `sample`, `answer`,
        `correct`, `first_option`.
    by : sequence of str
        Columns that tell studies apart, where the table holds several.

    Returns
    -------
    pandas.DataFrame
        `tables.PREFERENCES` (after `by`): `samples` asked, `answered` of them, the share of the
        answered that name the true text (`true_share`) and the text shown first (`first_share`),
        both in [0, 1] and missing where none was answered.
    """
    codes, table = cells_of(answers, [*by, "corpus", "model", "probe_id"])
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
    right: ArrayLike, prior: ArrayLike, chance: float = 0.5
) -> dict[str, float | int | None]:
    """What a document adds to the model's own preference, paired probe by probe.

    Per answered probe: right (1) or wrong (0) with the document, less the preference for the true
    alternative without one. A probe on which the model never answered without a document has no
    preference to be seen; `chance` stands in for it, and such probes are counted (where there are
    no others, `prior_true` is None). Newcombe's
    hybrid score interval (1998, Stat. Med. 17:2635), 95 %.

    Parameters
    ----------
    right, prior : array_like
        One value an answered probe: right or not, and `true_share`, NaN where it was not seen.

    Returns
    -------
    dict
        The numeric columns of `tables.EFFECTS`; None where no probe was answered.
    """
    hits = [float(value) for value in np.asarray(right)]
    seen = np.asarray(prior, dtype=float)
    unknown = np.isnan(seen)
    filled = np.where(unknown, chance, seen)
    effect, ends = paired_difference(hits, filled.tolist())
    n = len(hits)
    return {
        "n_pairs": n,
        "n_prior_unknown": int(unknown.sum()),
        "accuracy_answered": sum(hits) / n if n else None,
        "prior_true": float(filled.mean()) if not unknown.all() else None,
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
    corpora: Sequence[str] = (),
    refused: Mapping[str, Collection[str]] | None = None,
) -> pd.DataFrame:
    """The adjusted memory effect of each document for each model on each corpus: `tables.EFFECTS`
    (after `by`).

    A probe whose reply without a document is left out, so that no preference was seen, is left out
    with it. A document `adds` right answers, or `takes away`, where the tests of `effect_p` say so
    after Holm over corpora, models and documents; with fewer than five probes whose preference was
    seen nothing is testable.

    Parameters
    ----------
    answers : pandas.DataFrame
        `corpus`, `model`, `condition`, `probe_id`, `state`, `answer`, `correct`; one row a probe;
        `place`, where the order of the probes' encounters is known.
    preferences : pandas.DataFrame
        As `estimate_preferences` gives them.
    models, conditions : sequence of str
        What to estimate; `conditions` without `none`.
    by : sequence of str
        Columns that tell studies apart, where the tables hold several; each has its own family.
    corpora : sequence of str
        The corpora that the config declares, in its order; those of the answers if not given.
    refused : mapping
        By corpus, conditions whose memory is not known to have arrived. Their effects, and without
        a preference all of the corpus, are `not admitted` and count as p = 1.

    Raises
    ------
    ValueError
        Naming the probes that were not asked without a document.
    """
    import pandas as pd

    corpora = corpora_in_order(answers, corpora)
    lacking = {corpus: set(conditions) for corpus, conditions in (refused or {}).items()}
    lacking |= {corpus: {"none", *conditions} for corpus in without_none(refused)}
    answers = answers[~of_refused(answers, lacking)]
    pairs = _paired(_without_left_out(answers, preferences, conditions, by), preferences, by)
    own = preferences.groupby([*by, "corpus", "model"], sort=False, observed=True)
    heads = own.agg(samples=("samples", "max"), prior_first=("first_share", "mean"))
    heads = heads.to_dict("index")
    studies = answers[list(by)].drop_duplicates().itertuples(index=False, name=None) if by else [()]
    rows = []
    for study, corpus, model in product(studies, corpora, models):
        without = "none" in lacking.get(corpus, ())
        head = NOBODY if without else heads[(*study, corpus, model)]
        first = head["prior_first"]
        for condition in conditions:
            cell = (*study, corpus, model, condition)
            refused_ = condition in lacking.get(corpus, ())
            right, prior, known = NO_PAIRS if refused_ else pairs[cell]
            row = dict(zip([*by, "corpus", "model", "condition"], cell, strict=True))
            row |= {"samples": int(head["samples"]), **adjusted_effect(right, prior)}
            row["prior_first"] = None if pd.isna(first) else float(first)
            rows.append(row | {"p_effect": effect_p(right, prior, ordered=known)})
    table = pd.DataFrame(rows)
    table["m"] = len(corpora) * len(models) * len(conditions)
    table["p_effect_holm"] = within(table, by, "p_effect", table["m"].iloc[0])
    shown = table["p_effect_holm"] <= ALPHA
    table["finding"] = np.select(
        [
            of_refused(table, lacking),
            table["p_effect"].isna(),
            shown & (table["effect"] > 0),
            shown & (table["effect"] < 0),
        ],
        ["not admitted", "not testable", "adds", "takes away"],
        "not shown",
    )
    return table[[*by, *EFFECTS.names]]


def _without_left_out(
    answers: pd.DataFrame, preferences: pd.DataFrame, conditions: Sequence[str], by: Sequence[str]
) -> pd.DataFrame:
    """The answers with a document; none to a probe that has no preference by decision.

    Chance stands in for a preference that the model didn't show, not for one that was left out.
    """
    given = answers[answers["condition"].isin(conditions)]
    if not (answers["state"] == LEFT_OUT).any():
        return given
    keys = [*by, "corpus", "model", "probe_id"]
    gone = answers[(answers["condition"] == "none") & (answers["state"] == LEFT_OUT)]
    unseen = preferences.loc[preferences["true_share"].isna(), keys].merge(gone[keys], on=keys)
    found = given[keys].merge(unseen, on=keys, how="left", indicator=True)
    lacking = (found["_merge"] == "both").to_numpy()
    return given.assign(answer=given["answer"].mask(lacking, None))


Pairs = dict[tuple, tuple[NDArray[np.bool_], NDArray[np.float64], bool]]


def _paired(answers: pd.DataFrame, preferences: pd.DataFrame, by: Sequence[str]) -> Pairs:
    """By study, corpus, model and condition: right and preference of each answered probe, in order.

    The last value tells whether that is the order of the probes' encounters in the log.
    """
    keys = [*by, "corpus", "model", "probe_id"]
    table = answers.merge(preferences[[*keys, "true_share"]], on=keys, how="left", indicator=True)
    strangers = sorted(set(table.loc[table["_merge"] == "left_only", "probe_id"]))
    if strangers:
        raise ValueError(f"never asked without a document: {', '.join(strangers)}")
    known = ordered_corpora(table)
    if table.empty:  # nothing is admitted
        return {}
    codes, heads = cells_of(table, [*by, "corpus", "model", "condition"])
    place = np.zeros(len(table))  # with no order they stay as the table has them
    if known:
        place = table["place"].where(table["corpus"].isin(known), 0).to_numpy(dtype=float)
    order = np.lexsort((place, codes))
    order = order[table["answer"].notna().to_numpy()[order]]
    right, prior = truths(table["correct"]), table["true_share"].to_numpy(dtype=float)
    parts = np.split(order, np.searchsorted(codes[order], np.arange(1, len(heads))))
    return {
        head: (right[rows], prior[rows], head[-3] in known)
        for head, rows in zip(heads.itertuples(index=False, name=None), parts, strict=True)
    }


def effect_p(right: ArrayLike, prior: ArrayLike, *, ordered: bool) -> float | None:
    """Two-sided p that a document moves no answer beyond the preference; None where untestable.

    Only probes whose preference was seen count: exact sign flips of the differences, which under
    the hypothesis fall either way as easily. Where the probes are `ordered` as in the log, answers
    with the document that are right and preferences without it that are wrong are counted together
    against a coin besides, neighbours that are answered alike as one, and the larger p is given.
    """
    seen = np.asarray(prior, dtype=float)
    known = np.isfinite(seen)
    if known.sum() < FEW:
        return None
    pair = np.stack([np.asarray(right, dtype=float)[known], seen[known]])
    p = sign_flip(np.round(pair[0] - pair[1], 12))
    if not ordered:
        return p
    signs = np.sign(pair - 0.5)
    with_it = int((signs[0] > 0).sum() + (signs[1] < 0).sum())
    told = int((signs != 0).sum())
    factor = max(float(inflation(side[None])) for side in signs)  # runs may go along one side only
    counted = tail(max(with_it, told - with_it), told, 0.5, factor)
    return max(p, min(1.0, 2 * float(counted)))
