"""What Control 1 found, in sentences: did the judges notice whose memory it was?

Every conclusion is a word of the tables (`finding`); here it is only put into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from veridical.control1.cells import by_cell
from veridical.control1.kinds import doses_apart, told_apart
from veridical.control1.panel_findings import (
    KEY,
    LACKING,
    named,
    names_of,
    nothing_said,
    of_instrument,
    of_judges,
    of_lacking,
    of_noise,
    of_power,
)
from veridical.control1.tables import CELL, COMPARED, NONE, UNDEFINED
from veridical.report.finding import Finding
from veridical.report.wording import Said, Wording

APART = ("different", "different here")
TOLD = ("recognised", "inverted", "mixed", "both_ways")  # answers that something is told apart
WITHOUT = f"veridical-{NONE}"


def find(
    findings: pd.DataFrame,
    instrument: pd.DataFrame,
    contrasts: pd.DataFrame,
    bound: float,
    words: Wording,
    drift: pd.DataFrame | None = None,
    judges: pd.DataFrame | None = None,
    power: pd.DataFrame | None = None,
    noise: pd.DataFrame | None = None,
) -> Finding:
    """Did the judges notice the counterfeit? Read on the findings with `foreign`.

    Where a study has no foreign counterfeit, the shuffled one takes its place; what was answered
    with no memory document has sentences of its own. `firm` needs a
    finding on every metric that holds of the kind (not only of these documents) and judges that
    agree (α at least 0.667, known for every metric); `open` where nothing was found. With several
    cells the answer counts them, and what is said of each follows it.
    """
    varied = [name for name in CELL if findings[name].nunique() > 1]
    findings, instrument, contrasts = (
        named(table, words, varied) for table in (findings, instrument, contrasts)
    )
    without = findings[findings["contrast"] == WITHOUT]
    findings = findings.drop(without.index)
    main = findings[findings["contrast"] == "veridical-foreign"]
    main = findings if main.empty else main
    doubts = [*of_judges(judges, words), *_flat(contrasts, words)]
    told = dict(_told(main, bound, words)) if varied else {}
    limits = [
        *of_lacking([main, findings, without], words, varied),
        *_lines(told, words),
        *_limits(main, findings, words),
        *_without(without, bound, words),
        *_registered(contrasts, findings, words),
        *doubts,
    ]
    sure = "limited"
    found = main["finding"]
    if not found.isin([*APART, "equivalent"]).any():
        sure = "open"
    elif found.isin(["different", "equivalent"]).all() and not doubts:
        sure = "firm"
    open_rows = main[found == "inconclusive"]
    details = [
        *of_instrument(instrument, drift, words),
        *of_noise(noise, words),
        *of_power(power, open_rows, words),
    ]
    answer = _counted(main, told, bound, words) if varied else _answer(main, bound, words)
    return Finding(answer, sure, tuple(limits), tuple(details))


def _told(main: pd.DataFrame, bound: float, words: Wording) -> Iterator[tuple[str, Said]]:
    """The answer in each cell, with the cell's name."""
    for (responder, corpus), rows in by_cell(main):
        said = _answer(named(rows, words, []), bound, words)
        yield words("cell", responder=responder, corpus=corpus), said


def _lines(told: Mapping[str, Said], words: Wording) -> Iterator[Said]:
    """A line for each answer, with all the cells that have it."""
    for said in dict.fromkeys(told.values()):
        cells = words.join(cell for cell, mine in told.items() if mine == said)
        lower = said[:1].lower() + said[1:]
        yield Said(words("cell_line", cell=cells, said=lower), said.key)


def _counted(main: pd.DataFrame, told: Mapping[str, Said], bound: float, words: Wording) -> Said:
    """The answer over several cells: in how many of them, and in which."""
    m = words.count(len(told), "cell")
    for keys, text in ((TOLD, "cells_apart"), (("equivalent",), "cells_same")):
        cells = [cell for cell, said in told.items() if said.key in keys]
        if cells:
            counted = {"count": words.numeral(len(cells)), "m": m, "cells": words.join(cells)}
            return words(KEY + text, bound=words.number(bound, 2), **counted)
    return _answer(main, bound, words)


def _answer(main: pd.DataFrame, bound: float, words: Wording) -> Said:
    apart = main[main["finding"].isin(APART)]
    if len(apart):
        sizes = words.span(apart["estimate"].abs(), lambda value: words.number(value))
        lower = apart["estimate"] < 0
        if lower.all():
            return words(KEY + "inverted", metrics=names_of(words, apart), sizes=sizes)
        if lower.any():
            higher, lower = names_of(words, apart[~lower]), names_of(words, apart[lower])
            return words(KEY + "both_ways", higher=higher, lower=lower)
        if len(apart) == len(main):
            return words(KEY + "recognised", metrics=names_of(words, apart), sizes=sizes)
        rest = main.drop(apart.index)
        return words(KEY + "mixed", metrics=names_of(words, apart), rest=names_of(words, rest))
    if main["finding"].isin(LACKING).all():
        return nothing_said(main, words)
    items = words.count(int(main["n_items"].max()), "item")
    if (main["finding"] == "equivalent").all():
        return words(KEY + "equivalent", bound=words.number(bound, 2))
    if (main["finding"] == "too few items").all():
        return words(KEY + "few", items=items)
    if (main["finding"] == "not testable").all():
        return words(KEY + "untested")
    return words(KEY + "unproven", items=items)


def _limits(main: pd.DataFrame, findings: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How far it carries: to these documents or to their kind, and what is left open."""
    here = findings[findings["finding"] == "different here"]
    one = here["n_documents"] == 1  # of one document nothing is known of how its kind differs
    if one.any():
        yield words(KEY + "here_one", metrics=names_of(words, here[one]))
    if not one.all():
        documents = words.span(here[~one]["n_documents"], lambda count: words.numeral(int(count)))
        yield words(KEY + "here", metrics=names_of(words, here[~one]), documents=documents)
    kind = findings[findings["finding"] == "different"]
    if len(kind):
        documents = words.span(kind["n_documents"], lambda count: words.numeral(int(count)))
        yield words(KEY + "of_the_kind", metrics=names_of(words, kind), documents=documents)
    deaf = main[(main["finding"] == "not testable") & (main["sensitive"] != "sensitive")]
    for state, key in (("not sensitive", "deaf"), ("not run", "no_control")):
        rows = deaf[deaf["sensitive"] == state]
        if len(rows):
            yield words(KEY + key, metrics=names_of(words, rows))
    open_rows = main[main["finding"].isin(["inconclusive", "not testable"])].dropna(subset=["low"])
    if len(open_rows):
        interval = words.interval(open_rows["low"].min(), open_rows["high"].max(), 2)
        yield words(KEY + "admits", metrics=names_of(words, open_rows), interval=interval)
    apart = findings[findings["finding"].isin(APART)]
    told = main[main["finding"].isin(APART)]["named"]
    yield from told_apart(apart.drop(main.index, errors="ignore"), told, words)
    yield from doses_apart(apart, words)


def _without(rows: pd.DataFrame, bound: float, words: Wording) -> Iterator[Said]:
    """What became of answers given with no memory document at all."""
    apart = rows[rows["finding"].isin(APART)]
    if len(apart):
        sizes = words.span(apart["estimate"], lambda value: words.number(value, sign=True))
        yield words(KEY + "none_apart", metrics=names_of(words, apart), sizes=sizes)
    same = rows[rows["finding"] == "equivalent"]
    if len(same):
        yield words(KEY + "none_same", metrics=names_of(words, same), bound=words.number(bound, 2))
    rest = rows.drop(apart.index).drop(same.index)
    rest = rest[~rest["finding"].isin(LACKING)]
    if len(rest):
        yield words(KEY + "none_open", metrics=names_of(words, rest))


def _registered(contrasts: pd.DataFrame, findings: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """Where the registered rule gives another verdict than what was found."""
    keys = [*CELL, "metric", "contrast"]
    found = findings.set_index(keys)["finding"].replace("different here", "different")
    rows = contrasts[contrasts["registered"] & (contrasts["contrast"] != WITHOUT)]
    for row in rows.to_dict("records"):
        here = found.get(tuple(row[key] for key in keys))
        if here is not None and here != row["verdict"]:
            yield words(
                KEY + "registered",
                metric=row["named"],
                kind=words.value("kind", COMPARED[row["contrast"]]),
                reading=words.value("reading", row["reading"]),
                estimate=words.number(row["estimate"], sign=True),
                verdict=words.value("verdict", row["verdict"]),
                finding=words.value("finding", here),
            )


def _flat(contrasts: pd.DataFrame, words: Wording) -> Iterator[Said]:
    read = contrasts[contrasts["reading"] == "anchored"]
    flat = read["t_verdict"] == UNDEFINED
    if flat.sum():
        rows, every = words.numeral(int(flat.sum())), words.count(len(read), "row")
        yield words(KEY + "flat", rows=rows, all=every)
