"""What Control 2 found, in sentences: can a model pass the probe with no document?

Every conclusion is a word of the tables (`finding`, `habit`); here it is only put into a sentence.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from veridical.control2.cells import named, several
from veridical.report.finding import Finding, true
from veridical.report.wording import Said, Wording

KEY = "findings."


def find(validity: pd.DataFrame, words: Wording, effects: pd.DataFrame | None = None) -> Finding:
    """Can models pass the recognition probe with no document? Read on the condition `none`.

    `firm` needs a model that is shown to solve the probe; `open` where none could be tested.
    `effects` is the table of what a document adds (`control2/prior_bias`).
    """
    apart = several(validity)
    validity = named(validity, apart=apart)
    effects = None if effects is None else named(effects, apart=apart)
    none = validity[validity["condition"] == "none"]
    refused = _refused(validity, effects, words)
    if (none["finding"] == "not admitted").all():
        return Finding(words(KEY + "not_admitted"), "open", tuple(refused), ())
    mute = none[none["finding"] == "not testable"]
    testable = none[~none["finding"].isin(["not testable", "not admitted"])]
    solving = testable[testable["finding"] == "solves"]
    details = tuple(_details(validity, none, effects, words))
    if testable.empty:
        limits = (*refused, *_silent(none[none["finding"] != "not admitted"], words))
        return Finding(words(KEY + "not_testable"), "open", limits, details)
    limits = [*refused, *_tested(solving, words, apart=apart), *_registered(testable, words)]
    rest = testable.drop(index=solving.index)
    if len(rest):
        reach = words.percent(rest["wilson_high"].max())
        limits.append(words(KEY + "upper", models=words.join(rest["named"]), reach=reach))
    if len(mute):
        limits.append(words(KEY + "untestable", models=words.join(mute["named"])))
    limits += _silent(testable, words)
    sure = "firm" if len(solving) else "limited"
    answer = _answer_of_cells if apart else _answer
    return Finding(answer(testable, solving, none, words), sure, tuple(limits), details)


def _refused(validity: pd.DataFrame, effects: pd.DataFrame | None, words: Wording) -> list[Said]:
    """The conditions of which the memory is not known to have arrived in the memory system."""
    apart, shown = several(validity), []
    for corpus, own in validity.groupby("corpus", sort=False):
        names = ["none"] if (own["finding"] == "not admitted").any() else []
        if effects is not None and not names:
            here = effects[(effects["corpus"] == corpus) & (effects["finding"] == "not admitted")]
            names = here["condition"].drop_duplicates().tolist()
        of = f" ({corpus})" if apart else ""
        shown += [words.value("condition", name) + of for name in names]
    return [words(KEY + "refused", conditions=words.join(shown))] if shown else []


def _none_shown(testable: pd.DataFrame, words: Wording) -> Said:
    high = words.percent(testable["accuracy_answered"].max(), 0)
    return words(KEY + "none_shown", high=high, of=_of_answered(testable, words))


def _answer(
    testable: pd.DataFrame, solving: pd.DataFrame, none: pd.DataFrame, words: Wording
) -> Said:
    """Which models solve the probe with nothing to remember, if any is shown to."""
    if solving.empty:
        return _none_shown(testable, words)
    shares = words.span(solving["accuracy_answered"], _whole(words))
    of = _of_answered(solving, words)
    if len(solving) == len(testable) > 1:
        return words(KEY + "all_solve", shares=shares, of=of)
    if len(solving) == 1:
        return words(KEY + "one_solves", models=solving["named"].iloc[0], share=shares, of=of)
    count, every = words.numeral(len(solving)), words.numeral(len(testable))
    return words(KEY + "some_solve", count=count, all=every, shares=shares, of=of)


def _answer_of_cells(
    testable: pd.DataFrame, solving: pd.DataFrame, none: pd.DataFrame, words: Wording
) -> Said:
    """The same of several corpora: in which cells, of all that were declared."""
    if solving.empty:
        return _none_shown(testable, words)
    shares, of = (
        words.span(solving["accuracy_answered"], _whole(words)),
        _of_answered(solving, words),
    )
    told = {"cells": words.join(solving["named"]), "shares": shares, "of": of}
    told["count"] = words.count(len(solving), "cell")
    if len(solving) == len(none):
        return words(KEY + "all_solve_cells", **told)
    return words(KEY + "some_solve_cells", m=words.numeral(len(none)), **told)


def _tested(solving: pd.DataFrame, words: Wording, *, apart: bool) -> list[Said]:
    """By what test the models that solve the probe were shown to."""
    if solving.empty:
        return []
    m = words.count(int(solving["m"].max()), "cell" if apart else "model")
    p = words.p_value(solving["p_solves_holm"].max())
    return [words(KEY + "tested", models=words.join(solving["named"]), m=m, p=p)]


def _registered(testable: pd.DataFrame, words: Wording) -> list[Said]:
    """Where the registered rule says another thing than the test."""
    said = []
    valid, solves = true(testable["valid"]), testable["finding"] == "solves"
    past = testable[~valid & ~solves]
    if len(past):
        said.append(
            words(
                KEY + "past",
                models=words.join(past["named"]),
                past=words(f"past_{past['registered_rule'].iloc[0]}"),
                shares=words.span(past["accuracy_answered"], _whole(words)),
                answered=_answered(past, words),
                asked=_asked(past, words),
            )
        )
    held = testable[valid & solves]
    if len(held):
        said.append(words(KEY + "held", models=words.join(held["named"])))
    return said


def _silent(none: pd.DataFrame, words: Wording) -> list[Said]:
    """What silence leaves open: the share right if every silent probe were wrong, or right."""
    silent = none[none["correct"] + none["wrong"] < none["n"]]
    if silent.empty:
        return []
    low, high = silent["bound_low"].min(), silent["bound_high"].max()
    ends = {"low": words.percent(low, 0), "high": words.percent(high, 0)}
    return [words(KEY + "bounds", models=words.join(silent["named"]), **ends)]


def _answered(rows: pd.DataFrame, words: Wording) -> str:
    """How many probes were answered, as one number or from the least to the most."""
    return words.span(rows["correct"] + rows["wrong"], lambda count: words.number(float(count), 0))


def _asked(rows: pd.DataFrame, words: Wording) -> str:
    """How many probes were asked, as one number or from the least to the most."""
    asked = rows.groupby("corpus", sort=False)["n"].max()
    return words.span(asked, lambda count: words.number(float(count), 0))


def _of_answered(rows: pd.DataFrame, words: Wording) -> str:
    """What a share is a share of, where not every probe was answered."""
    if (rows["correct"] + rows["wrong"] == rows["n"]).all():
        return ""
    return words(KEY + "of_answered", answered=_answered(rows, words), asked=_asked(rows, words))


def _details(
    validity: pd.DataFrame, none: pd.DataFrame, effects: pd.DataFrame | None, words: Wording
) -> list[Said]:
    """What documents add, habits, and where the registered rules disagree."""
    details = _effects(effects, words) if effects is not None else []
    for habit, key, share in (
        ("first option", "habit_first", none["first_option_share"]),
        ("never the first option", "habit_second", 1 - none["first_option_share"]),
    ):
        rows = none[_alike(none) == habit]
        if len(rows):
            shares = words.span(share[rows.index], _whole(words))
            details.append(words(KEY + key, models=words.join(rows["named"]), shares=shares))
    differ = none[true(none["valid_point"]) != true(none["valid_upper"])]
    if len(differ):
        details.append(words(KEY + "rules_differ", models=words.join(differ["named"])))
    return details + _left_out(validity, words)


def _left_out(validity: pd.DataFrame, words: Wording) -> list[Said]:
    """How many replies the study does without, each in one condition."""
    rows = validity[validity["n_left_out"] > 0]
    if rows.empty:
        return []
    replies = words.count(int(rows["n_left_out"].sum()), "reply", word=False)
    models = words.join(rows["named"].drop_duplicates())
    return [words(KEY + "left_out", models=models, replies=replies)]


def _alike(none: pd.DataFrame) -> pd.Series:
    """A model's habit by the place of the text: with two texts, one answer is one place."""
    first = none["first_option_share"] >= 0.5
    place = first.map({True: "first option", False: "never the first option"})
    return place.where(none["habit"].notna(), None)


def _effects(effects: pd.DataFrame, words: Wording) -> list[Said]:
    """What each document does beyond the models' own preferences."""
    said = []
    real = effects[(effects["condition"] == "veridical") & (effects["finding"] == "not shown")]
    if len(real):
        said.append(words(KEY + "useless", models=words.join(real["named"])))
    for condition, rows in effects.groupby("condition", sort=False):
        for finding, key in (("adds", "adds"), ("takes away", "takes")):
            some = rows[rows["finding"] == finding]
            if len(some):
                document = words.value("condition", condition)
                models = words.join(some["named"])
                said.append(words(KEY + key, document=document, models=models))
    return said


def _whole(words: Wording) -> Callable[[float], str]:
    return lambda share: words.percent(share, 0)
