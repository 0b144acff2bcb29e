"""What is said of Control 1's panel, and of what more items would bring.

Rows carry, in `named`, their metric in words, with its cell where there are several.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from veridical.control1.lacking import REFUSED, UNREAD
from veridical.control1.tables import CELL, COMPARED
from veridical.report.wording import Said, Wording

AGREEMENT = 0.667  # below it, Krippendorff (2004) advises against any conclusion
KEY = "findings."
LACKING = {REFUSED: "refused", UNREAD: "unread"}  # nothing to analyse, and the sentence on why


def named(table: pd.DataFrame, words: Wording, varied: list[str]) -> pd.DataFrame:
    """A table with each row's metric in words, and in brackets those parts of its cell that the
    study has several of."""
    metrics = [words.value("metric", name) for name in table["metric"]]
    cells = zip(*(table[column] for column in varied if column in table), strict=True)
    told = [f"{{}} ({', '.join(cell)})" for cell in cells] or ["{}"] * len(table)
    return table.assign(named=[each.format(name) for each, name in zip(told, metrics, strict=True)])


def names_of(words: Wording, rows: pd.DataFrame) -> str:
    """The metrics of some rows, each once."""
    return words.join(dict.fromkeys(rows["named"]))


def of_noise(noise: pd.DataFrame | None, words: Wording) -> Iterator[Said]:
    """How often a judge repeats itself on the same sheet, beside how far the anchors move; nothing
    where no anchor has two complete verdicts to move between."""
    if noise is None or noise["moved"].dropna().empty:
        return
    texts = int(noise["n_repeated"].sum())
    same = float((noise["identical"] * noise["n_repeated"]).sum()) / texts
    yield words(
        KEY + "repeated",
        scores=words.number(texts, 0),
        share=words.percent(same, 0),
        noise=words.span(noise["noise"], lambda value: words.number(value, 3)),
        moved=words.span(noise["moved"].dropna(), lambda value: words.number(value, 3)),
    )


def of_instrument(
    instrument: pd.DataFrame, drift: pd.DataFrame | None, words: Wording
) -> Iterator[Said]:
    """What moves the judges besides: the pairing, and the place of a text."""
    if drift is not None and len(drift["drift"].dropna()):
        size = drift["drift"].dropna().abs()
        ends = {"mean": words.number(size.mean()), "largest": words.number(size.max())}
        moved = instrument[instrument["finding"] == "moves"]
        if len(moved):
            yield words(KEY + "drift", metrics=names_of(words, moved), **ends)
        else:
            yield words(KEY + "no_drift", **ends)
    for row in instrument[instrument["finding"] == "matters"].to_dict("records"):
        yield words(
            KEY + "order",
            metric=row["named"],
            effect=words.number(row["estimate"], sign=True),
            interval=words.interval(row["low"], row["high"]),
        )
    heard = instrument[instrument["finding"] == "sensitive"]
    if len(heard):
        sizes = words.span(heard["estimate"], lambda value: words.number(value, sign=True))
        yield words(KEY + "sensitive", metrics=names_of(words, heard), sizes=sizes)


def of_judges(judges: pd.DataFrame | None, words: Wording) -> list[str]:
    """Why the judges' silence may mean little: they do not agree, or never vary."""
    if judges is None or judges.empty:
        return []
    sentences = []
    distinct = judges[judges["statistic"] == "distinct_scores"]
    constant = distinct[pd.to_numeric(distinct["value"], errors="coerce") <= 1]["judge"].unique()
    if len(constant):
        sentences.append(words("findings.constant", judges=words.join(constant)))
    alphas = pd.to_numeric(
        judges[judges["statistic"] == "alpha"]["value"], errors="coerce"
    ).dropna()
    if judges.loc[alphas.index, "metric"].nunique() < judges["metric"].nunique():
        sentences.append(words("findings.unmeasured"))
    if len(alphas) and alphas.min() < AGREEMENT:
        shown = words.span(alphas, lambda value: words.number(value, 2))
        wanted = words.number(AGREEMENT, 2)
        sentences.append(words("findings.agreement", alphas=shown, wanted=wanted))
    return sentences


def of_power(power: pd.DataFrame | None, open_rows: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How many items an open contrast would take, by the calibrated method, if nothing differed.

    The spread is known from a few items only, so a range is told: that of the variance's 95 %
    interval, since the items needed go with the variance.
    """
    from scipy.stats import chi2

    if power is None:
        return
    wanted = power[(power["method"] == "t") & (power["assumed"] == "zero")]
    wanted = wanted[wanted["reading"] == "anchored"]
    for row in open_rows.to_dict("records"):
        keys = [*CELL, "metric", "contrast"]
        own = wanted[(wanted[keys] == pd.Series(row)[keys]).all(axis=1)]
        if own.empty:
            continue
        names = {
            "metric": row["named"],
            "kind": words.value("kind", COMPARED[row["contrast"]]),
        }
        items, most, df = own["items_for_80"].iloc[0], own["n_items"].max(), row["n_items"] - 1
        if pd.isna(items):
            yield words(KEY + "power_beyond", items=words.number(most, 0), **names)
            continue
        low, high = (float(items) * df / chi2.ppf(share, df) for share in (0.975, 0.025))
        ends = {
            "low": words.number(np.ceil(max(low, 4)), 0),
            "high": words.number(np.ceil(high), 0),
        }
        yield words(KEY + "power", **ends, **names)


def nothing_said(main: pd.DataFrame, words: Wording) -> Said:
    """The answer where there is nothing to analyse in any row."""
    unread = (main["finding"] == UNREAD).any()
    return words(KEY + ("no_verdict" if unread else "not_admitted"))


def of_lacking(tables: list[pd.DataFrame], words: Wording, varied: list[str]) -> Iterator[Said]:
    """The kinds of which a memory is not known to have arrived in the memory system, or on which no
    verdict can be read, and where: a bank that one corpus lacks says nothing of another's."""
    every = pd.concat(tables)
    for finding, key in LACKING.items():
        rows = every[every["finding"] == finding]
        if rows.empty:
            continue
        kinds = dict.fromkeys(
            words.value("kind", COMPARED[row["contrast"]])
            + (f" ({', '.join(row[name] for name in varied)})" if varied else "")
            for row in rows.to_dict("records")
        )
        yield words(KEY + key, kinds=words.join(kinds))
