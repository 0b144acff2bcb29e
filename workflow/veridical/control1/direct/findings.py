"""What direct pairs found, in sentences: which answer did the judges prefer?

Every conclusion is a word of the tables (`finding`); here it is only put into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control1.cells import by_cell
from veridical.control1.direct.tables import CONSTANT, OTHER, OWN, SAME
from veridical.control1.panel_findings import (
    KEY,
    LACKING,
    named,
    names_of,
    nothing_said,
    of_lacking,
)
from veridical.control1.tables import CELL, COMPARED, NONE
from veridical.report.finding import Finding
from veridical.report.wording import Said, Wording

APART = (OWN, OTHER)
TOLD = ("preferred", "preferred_other", "preferred_some", "preferred_both")
WITHOUT = f"veridical-{NONE}"


def find(
    preferences: pd.DataFrame,
    alone: pd.DataFrame,
    panel: pd.DataFrame,
    choosers: pd.DataFrame,
    margin: float,
    words: Wording,
) -> Finding:
    """Which answer was preferred? Read on the rows with `foreign`, or on all where there is none.

    Never `firm`: a finding holds of the documents that were given. `open` where nothing was found.
    With several cells the answer counts them, and what is said of each follows it.
    """
    varied = [name for name in CELL if preferences[name].nunique() > 1]
    rows, alone, panel = (named(table, words, varied) for table in (preferences, alone, panel))
    without = rows[rows["contrast"] == WITHOUT]
    held = rows.drop(without.index)
    main = held[held["contrast"] == "veridical-foreign"]
    main = held if main.empty else main
    limits = [
        *of_lacking([rows], words, varied),
        *(_by_cell(main, margin, words) if varied else ()),
        *_limits(main, held, words),
        *_without(without, margin, words),
        *_alone(alone, words),
        *_constant(choosers, words),
    ]
    details = [*_panel(panel, words), *_choosers(choosers, words)]
    answer = _counted(main, margin, words) if varied else _answer(main, margin, words)
    sure = "limited" if main["finding"].isin([*APART, SAME]).any() else "open"
    return Finding(answer, sure, tuple(limits), tuple(details))


def _answer(main: pd.DataFrame, margin: float, words: Wording) -> Said:
    own, other = main[main["finding"] == OWN], main[main["finding"] == OTHER]
    if len(own) and len(other):
        return words(KEY + "preferred_both", own=names_of(words, own), other=names_of(words, other))
    for apart, key in ((own, "preferred"), (other, "preferred_other")):
        if len(apart) == len(main) or (len(apart) and key == "preferred_other"):
            told = {"metrics": names_of(words, apart), "shares": _shares(apart, words)}
            return words(KEY + key, **told)
    if len(own):
        rest = names_of(words, main.drop(own.index))
        told = {"metrics": names_of(words, own), "shares": _shares(own, words)}
        return words(KEY + "preferred_some", rest=rest, **told)
    items = words.count(int(main["n_items"].max()), "item")
    if main["finding"].isin(LACKING).all():
        return nothing_said(main, words)
    for finding, key in (
        (SAME, "indifferent"),
        ("too few items", "few"),
        ("not testable", "untested"),
    ):
        if (main["finding"] == finding).all():
            return words(KEY + key, items=items, margin=words.number(margin, 2))
    return words(KEY + "unpreferred", items=items)


def _counted(main: pd.DataFrame, margin: float, words: Wording) -> Said:
    """The answer over several cells: in how many of them, and in which."""
    told = dict(_told(main, margin, words))
    m = words.count(len(told), "cell")
    for keys, text in ((TOLD, "preferred_cells"), (("indifferent",), "indifferent_cells")):
        cells = [cell for cell, said in told.items() if said.key in keys]
        if cells:
            counted = {"count": words.numeral(len(cells)), "m": m, "cells": words.join(cells)}
            return words(KEY + text, margin=words.number(margin, 2), **counted)
    return _answer(main, margin, words)


def _told(main: pd.DataFrame, margin: float, words: Wording) -> Iterator[tuple[str, Said]]:
    """The answer in each cell, with the cell's name."""
    for (responder, corpus), rows in by_cell(main):
        said = _answer(named(rows, words, []), margin, words)
        yield words("cell", responder=responder, corpus=corpus), said


def _by_cell(main: pd.DataFrame, margin: float, words: Wording) -> Iterator[Said]:
    """A line for each answer, with all the cells that have it."""
    told = dict(_told(main, margin, words))
    for said in dict.fromkeys(told.values()):
        cells = words.join(cell for cell, mine in told.items() if mine == said)
        yield Said(words("cell_line", cell=cells, said=said[:1].lower() + said[1:]), said.key)


def _limits(main: pd.DataFrame, held: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How far it carries, what the other kinds gave, and what is left open."""
    apart = held[held["finding"].isin(APART)]
    if len(apart):
        low, high = apart["document_low"].min(), apart["document_high"].max()
        span = words.span([low, high], lambda value: words.percent(value, 0))
        documents = words.span(apart["n_documents"], lambda count: words.numeral(int(count)))
        yield words(KEY + "preferred_here", documents=documents, shares=span)
    more = apart.drop(main.index, errors="ignore")
    if len(more):
        kinds = [
            words(
                "preferred_by_kind",
                kind=words.value("kind", COMPARED[str(contrast)]),
                metrics=names_of(words, own),
                shares=_shares(own, words),
            )
            for contrast, own in more.groupby("contrast", sort=False)
        ]
        yield words(KEY + "preferred_kinds", kinds=words.join(kinds))
    silent = main[main["finding"] == "not testable"]
    for state, key in (("not sensitive", "deaf_direct"), ("not run", "no_control")):
        rows = silent[silent["sensitive"] == state]
        if len(rows):
            yield words(KEY + key, metrics=names_of(words, rows))
    unsure = main[main["finding"].isin(["inconclusive", "not testable"])].dropna(
        subset=["share_low"]
    )
    if len(unsure):
        ends = unsure["share_low"].min(), unsure["share_high"].max()
        interval = words.interval(*ends, 2, sign=False)
        yield words(KEY + "share_admits", metrics=names_of(words, unsure), interval=interval)


def _without(rows: pd.DataFrame, margin: float, words: Wording) -> Iterator[Said]:
    """What became of answers given with no memory document at all."""
    apart, same = rows[rows["finding"].isin(APART)], rows[rows["finding"] == SAME]
    if len(apart):
        told = {"metrics": names_of(words, apart), "shares": _shares(apart, words)}
        yield words(KEY + "preferred_none", **told)
    if len(same):
        told = {"metrics": names_of(words, same), "margin": words.number(margin, 2)}
        yield words(KEY + "indifferent_none", **told)
    rest = rows.drop([*apart.index, *same.index])
    rest = rest[~rest["finding"].isin(LACKING)]
    if len(rest):
        yield words(KEY + "unpreferred_none", metrics=names_of(words, rest))


def _alone(alone: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """What single judges prefer by their own exact tests, or that these can tell nothing."""
    apart = alone[alone["finding"].isin(APART)]
    for side, own in apart.groupby("finding", sort=False):
        told = [
            words(
                "alone_on",
                judge=row["judge"],
                metric=row["named"],
                kind=words.value("kind", COMPARED[row["contrast"]]),
                n=words.numeral(max(row["toward"], row["away"])),
                items=words.numeral(row["n_items"]),
            )
            for row in own.to_dict("records")
        ]
        which = words("alone_own" if side == OWN else "alone_other")
        yield words(KEY + "prefer_alone", which=which, rows=words.join(told))
    if len(alone) and (alone["finding"] == "too few items").all():
        tests = words.number(len(alone), 0)
        items = words.count(int(alone["n_items"].max()), "item")
        yield words(KEY + "alone_few", tests=tests, items=items)


def _constant(choosers: pd.DataFrame, words: Wording) -> Iterator[Said]:
    same = choosers[choosers["note"] == CONSTANT]
    if len(same):
        yield words(KEY + "chose_alike", judges=words.join(dict.fromkeys(same["judge"])))


def _panel(panel: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """Whether the panel notices quotations, and whether a place matters to it."""
    heard = panel[panel["finding"] == "sensitive"]
    if len(heard):
        told = {"metrics": names_of(words, heard), "shares": _shares(heard, words)}
        yield words(KEY + "hears", **told)
    placed = panel[panel["test"] == "place"]
    for found, key in (("matters", "place"), ("not shown", "no_place")):
        rows = placed[placed["finding"] == found]
        if len(rows):
            told = {"metrics": names_of(words, rows), "shares": _shares(rows, words)}
            yield words(KEY + key, **told)


def _choosers(choosers: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How often neither was named, and the same again in the other order or on the same sheet."""
    if choosers["sheets"].sum():
        neither = words.span(choosers["neither"], lambda value: words.percent(value, 0))
        yield words(KEY + "named_neither", shares=neither)
    for n, share, key in (
        ("both_orders", "same_answer", "kept_in_order"),
        ("given_twice", "chosen_again", "kept_again"),
    ):
        rows = choosers[choosers[n] > 0]
        if len(rows):
            shares = words.span(rows[share], lambda value: words.percent(value, 0))
            yield words(KEY + key, shares=shares)


def _shares(rows: pd.DataFrame, words: Wording) -> str:
    return words.span(rows["share"], lambda value: words.percent(value, 0))
