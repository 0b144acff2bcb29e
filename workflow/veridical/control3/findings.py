"""What Control 3 found, in sentences: do the answers follow the document?"""

from __future__ import annotations

import pandas as pd

from veridical.choices.answers import ENOUGH
from veridical.control3.cells import follows_false
from veridical.documents.names import DocumentName
from veridical.report.finding import Finding
from veridical.report.wording import Wording


def find(cells: pd.DataFrame, words: Wording) -> Finding:
    """Do answers follow the document? Read on the cells that survive Holm's correction.

    A cell is said to follow where most of its answers under the false document name the partner
    that it names (`control3.follows_false`), and to use the true document where they don't: the
    model falls silent, say. A cell that beats chance without a document is neither. `firm` needs
    every declared cell to follow.
    """
    key = "findings."
    gap = (cells["veridical_correct"] - cells["corrupted_correct"]) / cells["n"]
    beats = cells[cells["none_p"] < 0.05]
    survives = cells["survives"]
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
    shift = DocumentName.read(row["corrupted_document"]).number
    return f"{row['model']} ({row['corpus']}{f', {shift}' if shift else ''})"


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
        rows = cells[(cells[column] >= 0.9) & (_given(cells) >= ENOUGH)]
        if len(rows):
            shares = words.span(rows[column], _whole(words))
            details.append(words(f"findings.{key}", cells=_cells(rows, words), shares=shares))
    return details


def _following(cells: pd.DataFrame, follow: pd.DataFrame, words: Wording) -> list[str]:
    """How closely the answers follow the document, where they do."""
    key, details = "findings.", []
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
    if len(cells):
        abstained, asked = int(cells["corrupted_abstained"].sum()), int(cells["n"].sum())
        details.append(
            words(
                key + "nothing_noticed",
                abstained=words.number(abstained, 0),
                all=words.number(asked, 0),
            )
        )
    return details
