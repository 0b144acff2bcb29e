"""What Control 2 found, in sentences: can a model pass the probe with no document?"""

from __future__ import annotations

import pandas as pd

from veridical.choices.answers import ENOUGH
from veridical.report.finding import Finding, true
from veridical.report.wording import Wording


def find(validity: pd.DataFrame, words: Wording) -> Finding:
    """Can models pass the recognition probe with no document? Read on the condition `none`.

    A model that passes is said to solve the probe only where it beats chance by the exact test on
    the probes it answered (p < 0.05); `firm` needs such a model. One that keeps to the rule and yet
    beats chance is named in the answer.
    """
    none = validity[validity["condition"] == "none"]
    answered = none["correct"] + none["wrong"] > 0
    mute, none = none[~answered], none[answered]
    key = "findings."
    if none.empty:
        return Finding(words(key + "not_testable"), "open")
    passing = none[~true(none["valid"])]
    held = none[true(none["valid"])]
    beating = passing[passing["binomial_p"] < 0.05]
    better = held[held["binomial_p"] < 0.05]
    if passing.empty:
        high = words.percent(rate(none).max(), 0)
        answer = words(
            key + ("none_pass_but" if len(better) else "none_pass"),
            high=high,
            of=_of_answered(none, words),
            models=words.join(better["model"]),
        )
    elif len(beating) == len(passing):
        answer = _solved(none, passing, words)
    else:
        answer = _past(none, passing, len(beating), words)
    limits = []
    if len(passing) and beating.empty:
        p = words.p_value(passing["binomial_p"].min())
        limits.append(words(key + "point_only", p=p))
    elif len(beating):
        limits.append(
            words(
                key + ("tested" if len(beating) == len(passing) else "tested_some"),
                models=words.join(beating["model"]),
                rest=words.join(passing["model"][~passing["model"].isin(beating["model"])]),
            )
        )
    if len(better) and len(passing):
        limits.append(words(key + "better", models=words.join(better["model"])))
    held = held.drop(index=better.index)
    if len(held):
        reach = words.percent(held["wilson_high"].max())
        limits.append(words(key + "upper", models=words.join(held["model"]), reach=reach))
    if len(mute):
        limits.append(words(key + "untestable", models=words.join(mute["model"])))
    sure = "firm" if len(beating) else "limited"
    return Finding(answer, sure, tuple(limits), tuple(_probe_details(validity, words)))


def _solved(none: pd.DataFrame, passing: pd.DataFrame, words: Wording) -> str:
    """The answer where every model that passes beats chance."""
    key = "findings."
    shares, of = words.span(rate(passing), _whole(words)), _of_answered(passing, words)
    if len(passing) == len(none) > 1:
        return words(key + "all_pass", shares=shares, of=of)
    if len(passing) == 1:
        return words(key + "one_passes", models=passing["model"].iloc[0], share=shares, of=of)
    count, every = words.numeral(len(passing)), words.numeral(len(none))
    return words(key + "some_pass", count=count, all=every, shares=shares, of=of)


def _past(none: pd.DataFrame, passing: pd.DataFrame, beating: int, words: Wording) -> str:
    """The answer where a model fails the registered rule without being shown to beat chance."""
    rule = passing["registered_rule"].iloc[0] if "registered_rule" in passing else "point"
    said = {
        "past": words(f"past_{rule}"),
        "shares": words.span(rate(passing), _whole(words)),
        "answered": _answered(passing, words),
        "asked": words.number(float(passing["n"].max()), 0),
    }
    if len(passing) == 1:
        return words("findings.one_past", models=passing["model"].iloc[0], **said)
    said |= {"count": words.numeral(len(passing)), "all": words.numeral(len(none))}
    if beating:
        return words("findings.some_past_some", shown=words.numeral(beating), **said)
    return words("findings.some_past", **said)


def _answered(rows: pd.DataFrame, words: Wording) -> str:
    """How many probes were answered, as one number or from the least to the most."""
    return words.span(rows["correct"] + rows["wrong"], lambda count: words.number(float(count), 0))


def _of_answered(rows: pd.DataFrame, words: Wording) -> str:
    """What a share is a share of, where not every probe was answered."""
    if (rows["correct"] + rows["wrong"] == rows["n"]).all():
        return ""
    asked = words.number(float(rows["n"].max()), 0)
    return words("findings.of_answered", answered=_answered(rows, words), asked=asked)


def rate(rows: pd.DataFrame) -> pd.Series:
    """Share right of the answered probes, which the validity rules read; else of all."""
    return rows["accuracy_answered"] if "accuracy_answered" in rows else rows["accuracy"]


def _probe_details(validity: pd.DataFrame, words: Wording) -> list[str]:
    """Habits and disagreements that a reader of the validity column should know."""
    key = "findings."
    none = validity[validity["condition"] == "none"].set_index("model")
    many = none["correct"] + none["wrong"] >= ENOUGH
    real = validity[validity["condition"] == "veridical"].set_index("model")
    details = []
    both = [model for model in none.index if model in real.index]
    useless = [m for m in both if rate(real)[m] <= rate(none)[m]]  # the shares that the table shows
    if useless:
        details.append(words(key + "useless", models=words.join(useless)))
    for model, share in none.get("first_option_share", pd.Series(dtype=float)).items():
        if many[model] and (share >= 0.9 or share <= 0.1):
            shown = words.percent(share, 0)
            details.append(words(key + "first_option", models=model, share=shown))
    if {"valid_point", "valid_upper"} <= set(none.columns):
        differ = none.index[true(none["valid_point"]) != true(none["valid_upper"])]
        if len(differ):
            details.append(words(key + "rules_differ", models=words.join(differ)))
    return details


def _whole(words: Wording):
    return lambda share: words.percent(share, 0)
