"""Control 2: can a system with no memory document pass the recognition probe?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from veridical.choices.answers import Counts
from veridical.choices.habits import ALPHA, blurred, find_habits
from veridical.choices.tally import PARTS, series, tally, truths
from veridical.control2.cells import (
    corpora_in_order,
    of_refused,
    ordered_corpora,
    without_none,
)
from veridical.control2.tables import CONDITIONS, RULES, SOLVING, VALIDITY
from veridical.statistics.intervals import binomial_greater, wilson
from veridical.statistics.multiplicity import within
from veridical.statistics.neighbours import inflation, tail

if TYPE_CHECKING:
    import pandas as pd

CHANCE = 0.5  # two texts


@dataclass(frozen=True)
class Validity:
    """Both readings of the condition `none`, and the registered one in a word.

    `valid` repeats the reading of the rule named in `registered`. All three are None where nothing
    was answered: not testable.
    """

    point: bool | None
    upper: bool | None
    registered: str
    valid: bool | None


def validity(
    counts: Counts, registered: str = "point", threshold: float = 0.60, upper: float = 0.75
) -> Validity:
    """Does the probe measure memory for a model, judged by what it answers without a document?

    Rule `point`: the accuracy is at most `threshold`. Rule `upper`: the upper end of its Wilson
    95 % interval lies below `upper`. Both are read on the answered probes: an abstention counted as
    an error would make any probe look valid.

    Parameters
    ----------
    counts : Counts
        Of the condition `none`.
    registered : str
        The rule that decides, `point` or `upper`.
    threshold, upper : float
        In [0, 1].

    Raises
    ------
    ValueError
        Where the rule is unknown or a threshold lies outside [0, 1].

    Examples
    --------
    >>> validity(Counts(15, 9, 0, 0)).valid
    False
    """
    if registered not in RULES:
        raise ValueError(
            f"unknown rule {registered!r}: control2/validity/registered is one of {RULES}"
        )
    for name, value in (("threshold", threshold), ("upper", upper)):
        if not 0 <= value <= 1:
            raise ValueError(f"control2/validity/{name} must lie in 0..1, not {value!r}")
    if counts.answered == 0:
        return Validity(None, None, registered, None)
    at_most = counts.correct / counts.answered <= threshold
    below = wilson(counts.correct, counts.answered).high < upper
    return Validity(at_most, below, registered, at_most if registered == "point" else below)


def judge_validity(
    answers: pd.DataFrame,
    models: Sequence[str],
    *,
    registered: str = "point",
    threshold: float = 0.60,
    upper: float = 0.75,
    by: Sequence[str] = (),
    corpora: Sequence[str] = (),
    refused: Mapping[str, Collection[str]] | None = None,
) -> pd.DataFrame:
    """Count every model's answers in every condition, corpus by corpus, and judge the probe on
    `none`.

    A model `solves` a corpus's probe where it beats chance with no document: exact binomial over
    the answered probes, neighbours that are answered alike counted as one where that gives the
    larger p, Holm over the declared models and corpora. Fewer than five answers, or nearly all
    alike, are no test.

    Parameters
    ----------
    answers : pandas.DataFrame
        One row a (corpus, model, condition, probe): `corpus`, `model`, `condition`, `probe_id`,
        `state`, `answer`, `correct`, `first_option`; `place`, where the order of the probes'
        encounters is known.
    models : sequence of str
        The models that the config declares, in its order.
    by : sequence of str
        Columns that tell studies apart, where the table holds several; each has its own family.
    corpora : sequence of str
        The corpora that the config declares, in its order; those of the answers if not given.
    refused : mapping
        By corpus, conditions whose memory is not known to have arrived, where it comes out of a
        memory system: of them no answer counts. Without `none` every model is `not admitted` there,
        and its p counts as 1.

    Returns
    -------
    pandas.DataFrame
        `tables.VALIDITY` (after `by`), one row a (corpus, model, condition). `accuracy` is over all
        probes, `accuracy_answered`, the Wilson interval and the exact one-sided binomial p are over
        the answered ones, `coverage` is the share answered; empty where nothing was answered. What
        is left out (`answers.LEFT_OUT`) is of no number but `n_left_out`. The verdict on the model
        stands in each of its rows.

    Raises
    ------
    ValueError
        Naming the probes answered more than once, and the cell and condition with no answers.
    """
    import pandas as pd

    keys = [*by, "corpus", "model", "condition"]
    corpora = corpora_in_order(answers, corpora)
    twice = answers[answers.duplicated([*keys, "probe_id"])]
    if len(twice):
        named = [f"{row.model}, {row.condition}, {row.probe_id}" for row in twice.itertuples()]
        raise ValueError(f"answered more than once: {'; '.join(named)}")
    answers = answers[~of_refused(answers, refused)]
    counts = tally(answers[answers["condition"].isin(CONDITIONS)], keys)
    counts["neighbours"] = _neighbours(answers, counts, keys)
    grid = _grid(answers, corpora, models, by)
    table = grid.merge(counts, on=keys, how="left")
    lacking = of_refused(table, refused)
    empty = table[table["n"].isna() & ~lacking]
    if len(empty):
        first = empty.iloc[0]
        about = f" about corpus {first['corpus']}" if len(corpora) > 1 else ""
        raise ValueError(
            f"no answers of {first['model']}{about} in the condition {first['condition']}: "
            "collect them first"
        )
    whole = ["n", "n_left_out", *PARTS, "answered", "given", "first", "most"]
    table[whole] = table[whole].fillna(0).astype(int)
    told = [_described(*row) for row in table[list(PARTS)].itertuples(index=False)]
    table = pd.concat([table.drop(columns=["n", *PARTS]), pd.DataFrame(told)], axis=1)
    table["first_option_share"] = _ratio(table["first"], table["given"])
    none = table[table["condition"] == "none"]
    m = len(models) * len(corpora)
    judged = _judged(none, by, m, registered, threshold, upper)
    table = table.merge(judged, on=[*by, "corpus", "model"], how="left")
    table.loc[table["corpus"].isin(without_none(refused)), "finding"] = "not admitted"
    return table[[*by, *VALIDITY.names]]


def _grid(
    answers: pd.DataFrame, corpora: Sequence[str], models: Sequence[str], by: Sequence[str]
) -> pd.DataFrame:
    """Every declared model on every corpus under every condition, in every study, in order."""
    import pandas as pd

    names = ["corpus", "model", "condition"]
    cells = pd.MultiIndex.from_product([corpora, models, CONDITIONS], names=names)
    grid = cells.to_frame(index=False)
    return answers[list(by)].drop_duplicates().merge(grid, how="cross") if by else grid


def _neighbours(answers: pd.DataFrame, counts: pd.DataFrame, keys: Sequence[str]) -> Any:
    """How many answers count as one in each cell; missing on a corpus whose probes' order isn't
    known."""
    import numpy as np

    known = ordered_corpora(answers)
    if not known:
        return np.full(len(counts), np.nan)
    asked = answers[answers["condition"].isin(CONDITIONS)]
    right = truths(asked["correct"])
    signs = np.where(asked["state"] != "ok", 0, np.where(right, 1, -1))
    found = inflation(series(asked.assign(place=asked["place"].fillna(0)), keys, signs)[:, None, :])
    return np.where(counts["corpus"].isin(known), found, np.nan)


def _judged(
    none: pd.DataFrame,
    by: Sequence[str],
    m: int,
    registered: str,
    threshold: float,
    upper: float,
) -> pd.DataFrame:
    """What the condition `none` says of each cell: the registered rules, the test, the habit."""
    import numpy as np

    found = none[[*by, "corpus", "model"]].copy()
    rules = [
        _rules(right, wrong, registered, threshold, upper)
        for right, wrong in zip(none["correct"], none["wrong"], strict=True)
    ]
    found["valid_point"] = [reading.point for reading in rules]
    found["valid_upper"] = [reading.upper for reading in rules]
    found["registered_rule"] = registered
    found["valid"] = [reading.valid for reading in rules]
    factor = none["neighbours"].fillna(1.0)
    counted = tail(none["correct"], none["answered"], CHANCE, factor)
    untestable = blurred(none)
    plain = none["binomial_p"].astype(float)
    found["p_solves"] = np.where(untestable, np.nan, np.maximum(plain, counted))
    found["p_solves_holm"] = within(found, by, "p_solves", m)
    found["m"] = m
    solves = found["p_solves_holm"] <= ALPHA
    found["finding"] = np.where(untestable, SOLVING[2], np.where(solves, SOLVING[0], SOLVING[1]))
    found["habit"] = find_habits(none, CHANCE, m)
    return found


def _ratio(part: pd.Series, whole: pd.Series) -> pd.Series:
    return (part / whole.where(whole > 0)).astype(float)


@lru_cache(maxsize=10_000)
def _rules(correct: int, wrong: int, registered: str, threshold: float, upper: float) -> Validity:
    return validity(Counts(correct, wrong, 0, 0), registered, threshold, upper)


@lru_cache(maxsize=10_000)
def _described(correct: int, wrong: int, abstained: int, unparseable: int) -> dict[str, Any]:
    return describe(Counts(correct, wrong, abstained, unparseable))


def describe(counts: Counts) -> dict[str, Any]:
    """The counts with accuracy, coverage, Wilson interval and exact p, as in `tables.VALIDITY`."""
    answered = counts.answered
    ends = wilson(counts.correct, answered)
    return {
        "n": counts.n,
        "correct": counts.correct,
        "wrong": counts.wrong,
        "abstained": counts.abstained,
        "unparseable": counts.unparseable,
        # With no answer at all there is no accuracy, rather than one of 0 %.
        "accuracy": counts.correct / counts.n if answered else None,
        "accuracy_answered": counts.correct / answered if answered else None,
        "coverage": answered / counts.n if counts.n else None,
        "bound_low": counts.correct / counts.n if counts.n else None,
        "bound_high": 1 - counts.wrong / counts.n if counts.n else None,
        "wilson_low": ends.low if answered else None,
        "wilson_high": ends.high if answered else None,
        "binomial_p": binomial_greater(counts.correct, answered, CHANCE) if answered else None,
    }
