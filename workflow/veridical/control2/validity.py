"""Control 2: can a system with no memory document pass the recognition probe?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veridical.choices.answers import Counts, count_answers, find_habit
from veridical.control2.tables import CONDITIONS, RULES, VALIDITY
from veridical.statistics.intervals import binomial_greater, wilson

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
) -> pd.DataFrame:
    """Count every model's answers in every condition, and judge the probe on `none`.

    Parameters
    ----------
    answers : pandas.DataFrame
        One row a (model, condition, probe): `model`, `condition`, `probe_id`, `state`, `answer`,
        `correct`, `first_option`.
    models : sequence of str
        The models that the config declares, in its order.

    Returns
    -------
    pandas.DataFrame
        `tables.VALIDITY`, one row a (model, condition). `accuracy` is over all probes,
        `accuracy_answered`, the Wilson interval and the exact one-sided binomial p are over the
        answered ones, `coverage` is the share answered; empty where nothing was answered. The
        verdict on the model stands in each of its rows.

    Raises
    ------
    ValueError
        Naming the probes answered more than once, and the model and condition with no answers.
    """
    import pandas as pd

    twice = answers[answers.duplicated(["model", "condition", "probe_id"])]
    if len(twice):
        named = [f"{row.model}, {row.condition}, {row.probe_id}" for row in twice.itertuples()]
        raise ValueError(f"answered more than once: {'; '.join(named)}")
    rows = []
    for model in models:
        mine = answers[answers["model"] == model]
        parts = {condition: mine[mine["condition"] == condition] for condition in CONDITIONS}
        empty = [condition for condition, part in parts.items() if part.empty]
        if empty:
            raise ValueError(
                f"no answers of {model} in the condition {empty[0]}: collect them first"
            )
        reading = validity(count_answers(parts["none"]), registered, threshold, upper)
        rows.extend(
            {
                "model": model,
                "condition": condition,
                **describe(count_answers(part)),
                "valid_point": reading.point,
                "valid_upper": reading.upper,
                "registered_rule": registered,
                "valid": reading.valid,
                "first_option_share": find_habit(part).first_share,
            }
            for condition, part in parts.items()
        )
    return pd.DataFrame(rows, columns=VALIDITY.names)


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
        "wilson_low": ends.low if answered else None,
        "wilson_high": ends.high if answered else None,
        "binomial_p": binomial_greater(counts.correct, answered, CHANCE) if answered else None,
    }
