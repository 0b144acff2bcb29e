"""What Controls 2 and 3 found, in sentences: pure functions from tables to words.

Each function returns a `Finding`: the answer in one sentence, how sure it is, the limit that
belongs beside it, and the further sentences of the part's result. The rules that choose a sentence
are here, the sentences in `text.<language>.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from veridical.choices.answers import ENOUGH
from veridical.control3.cells import follows_false
from veridical.report.wording import Wording, plain


@dataclass(frozen=True)
class Finding:
    """A part's result in words.

    answer: one sentence for the first screen. sure: a key of `sureness`. limits: the sentences
    that say how far it carries, the weightiest first. details: the sentences of the result.
    """

    answer: str
    sure: str
    limits: tuple[str, ...] = ()
    details: tuple[str, ...] = ()

    @property
    def alternative(self) -> str:
        """The result as a figure's text alternative, without marks."""
        return plain(" ".join([self.answer, *self.details[:3]]))


def true(values: pd.Series) -> pd.Series:
    """Flags as booleans, a missing one false."""
    return values.map(lambda value: str(value).lower() in ("true", "1", "1.0")).astype(bool)


def control2(validity: pd.DataFrame, words: Wording) -> Finding:
    """Can models pass the recognition probe with no document? Read on the condition `none`.

    A model that passes is said to solve the probe only where it beats chance by the exact test on
    the probes it answered (p < 0.05); `firm` needs such a model. One that keeps to the rule and yet
    beats chance is named in the answer.
    """
    none = validity[validity["condition"] == "none"]
    answered = none["correct"] + none["wrong"] > 0
    mute, none = none[~answered], none[answered]
    key = "findings.control2."
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
    key = "findings.control2."
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
        "past": words(f"parts.control2.past_{rule}"),
        "shares": words.span(rate(passing), _whole(words)),
        "answered": _answered(passing, words),
        "asked": words.number(float(passing["n"].max()), 0),
    }
    if len(passing) == 1:
        return words("findings.control2.one_past", models=passing["model"].iloc[0], **said)
    said |= {"count": words.numeral(len(passing)), "all": words.numeral(len(none))}
    if beating:
        return words("findings.control2.some_past_some", shown=words.numeral(beating), **said)
    return words("findings.control2.some_past", **said)


def _answered(rows: pd.DataFrame, words: Wording) -> str:
    """How many probes were answered, as one number or from the least to the most."""
    return words.span(rows["correct"] + rows["wrong"], lambda count: words.number(float(count), 0))


def _of_answered(rows: pd.DataFrame, words: Wording) -> str:
    """What a share is a share of, where not every probe was answered."""
    if (rows["correct"] + rows["wrong"] == rows["n"]).all():
        return ""
    asked = words.number(float(rows["n"].max()), 0)
    return words("findings.control2.of_answered", answered=_answered(rows, words), asked=asked)


def rate(rows: pd.DataFrame) -> pd.Series:
    """Share right of the answered probes, which the validity rules read; else of all."""
    return rows["accuracy_answered"] if "accuracy_answered" in rows else rows["accuracy"]


def _probe_details(validity: pd.DataFrame, words: Wording) -> list[str]:
    """Habits and disagreements that a reader of the validity column should know."""
    key = "findings.control2."
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


def control3(cells: pd.DataFrame, words: Wording) -> Finding:
    """Do answers follow the document? Read on the cells that survive Holm's correction.

    A cell is said to follow where most of its answers under the false document name the partner
    that it names (`control3.follows_false`), and to use the true document where they don't: the
    model falls silent, say. A cell that beats chance without a document is neither. `firm` needs
    every declared cell to follow.
    """
    key = "findings.control3."
    gap = (cells["veridical_correct"] - cells["corrupted_correct"]) / cells["n"]
    beats = cells[cells["none_p"] < 0.05] if "none_p" in cells else cells[:0]
    survives = true(cells["survives"])
    holds = survives & ~cells.index.isin(beats.index)
    false = pd.Series([follows_false(row) for row in cells.to_dict("records")], cells.index, bool)
    follow, use = cells[holds & (gap > 0) & false], cells[holds & (gap > 0) & ~false]
    against = cells[holds & (gap < 0)]
    m = len(cells)
    mute = cells[cells["tested"] == "not testable"]

    def said(name: str, rows: pd.DataFrame) -> str:
        gaps = words.span(gap[rows.index].abs(), _points(words))
        return words(
            key + name, count=words.count(len(rows), "cell"), m=words.numeral(m), gaps=gaps
        )

    if m and len(follow) == m:
        answer = said("all" if m > 1 else "one_all", follow)
    elif len(follow):
        answer = said("some", follow)
    elif len(use):
        answer = said("use", use)
    elif len(against):
        answer = said("reversed", against)
    elif survives.any():
        answer = words(key + "unreadable")
    elif cells["tested"].isin(["missing", "not testable"]).all():
        answer = words(key + "not_testable")
    else:
        answer = words(key + "none", m=words.numeral(m))
    limits = []
    here = cells["tested"] != "missing"
    without = cells["none_answered"].astype(float)
    blind = cells[here & (without == 0)]
    gone = cells[cells["tested"] == "missing"]
    if len(beats):
        limits.append(words(key + "invalid", cells=_cells(beats, words)))
    elif (without > 0).any():
        limits.append(words(key + "valid"))
    if len(blind):
        limits.append(words(key + "untestable", cells=_cells(blind, words)))
    if len(mute):
        limits.append(words(key + "unanswered", cells=_cells(mute, words)))
    if len(gone):
        limits.append(words(key + "missing", cells=_cells(gone, words)))
    if len(follow):
        limits.append(words(key + "behaviour"))
    if len(use):
        limits.append(words(key + "silent", cells=_cells(use, words)))
    rest = cells[~survives & here & (cells["tested"] != "not testable")]
    details = [] if against.empty else [words(key + "against", cells=_cells(against, words))]
    if len(follow):
        details.append(words(key + "weakest", p=words.p_value(follow["p_holm"].max())))
    if len(rest):
        shown = words.p_value(rest["p_holm"].min())
        details.append(words(key + "rejected", cells=_cells(rest, words), p=shown))
    details += _following(cells, follow, words)
    details += _habits(cells, words)
    sure = "open" if follow.empty and use.empty else "limited"
    if m and len(follow) == m and beats.empty and blind.empty:
        sure = "firm"
    return Finding(answer, sure, tuple(limits), tuple(details))


def _points(words: Wording):
    return lambda share: words.points(share, 0, sign=False)


def _whole(words: Wording):
    return lambda share: words.percent(share, 0)


def _cell(row: dict) -> str:
    """A cell's model and corpus, and which corrupted document where the corpus has several."""
    shift = str(row.get("corrupted_document", "")).removeprefix("binding-corrupted").lstrip("-")
    return f"{row['model']} ({row['corpus']}{', ' + shift if shift else ''})"


def _cells(rows: pd.DataFrame, words: Wording) -> str:
    return words.join(_cell(row) for row in rows.to_dict("records"))


def _given(cells: pd.DataFrame) -> pd.Series:
    """How many probes a cell answered, under all documents."""
    names = [
        f"{kind}_{part}" for kind in ("veridical", "corrupted") for part in ("correct", "wrong")
    ]
    return cells[[*names, "none_answered"]].astype(float).sum(axis=1)


def _habits(cells: pd.DataFrame, words: Wording) -> list[str]:
    """Cells that answer by habit: nearly always one name, or whatever is offered first."""
    details = []
    for column, key in (("one_name_share", "one_name"), ("first_option_share", "first_option")):
        if column in cells:
            rows = cells[(cells[column] >= 0.9) & (_given(cells) >= ENOUGH)]
            if len(rows):
                shares = words.span(rows[column], _whole(words))
                said = words(f"findings.control3.{key}", cells=_cells(rows, words), shares=shares)
                details.append(said)
    return details


def _following(cells: pd.DataFrame, follow: pd.DataFrame, words: Wording) -> list[str]:
    """How closely the answers follow the document, where they do."""
    key, details = "findings.control3.", []
    shares = follow["discordant_share"].dropna()
    if len(shares):
        details.append(words(key + "discordant", shares=words.span(shares, words.percent)))
    shares = follow["follows_corrupted"].dropna()
    if len(shares):
        details.append(words(key + "follows", shares=words.span(shares, words.percent)))
    under = follow["corrupted_correct"] / follow["n"]
    if len(under) and (under < follow["chance"]).all():
        span = words.span(under, words.percent)
        details.append(words(key + "below", cells=span))
    if "corrupted_abstained" in cells and len(cells):
        abstained, asked = int(cells["corrupted_abstained"].sum()), int(cells["n"].sum())
        details.append(
            words(
                key + "nothing_noticed",
                abstained=words.number(abstained, 0),
                all=words.number(asked, 0),
            )
        )
    return details
