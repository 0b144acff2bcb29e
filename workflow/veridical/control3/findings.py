"""What Control 3 found, in sentences: do the answers follow the document?

Every conclusion is a word of the table (`finding`, `without`, `habit`); here it is only put into a
sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control3.cells import follows_false
from veridical.documents.names import DocumentName
from veridical.report.finding import Finding
from veridical.report.wording import Said, Wording

KEY = "findings."


def find(
    cells: pd.DataFrame,
    words: Wording,
    forced: pd.DataFrame | None = None,
    noticing: pd.DataFrame | None = None,
    orders: pd.DataFrame | None = None,
    stale: pd.DataFrame | None = None,
) -> Finding:
    """Do answers follow the document? `firm` needs every declared cell to follow.

    And a check of the answers without a document in each; `open` where no cell follows or uses it.
    `forced`, `noticing`, `orders` and `stale` are the tables of what was asked beside the
    registered probes.
    """
    of = {name: rows for name, rows in cells.groupby("finding", sort=False)}
    none = cells[:0]
    follow, use = (of.get(name, none) for name in ("follows", "uses"))
    checked = cells["without"] == "not shown"
    sure = "open" if follow.empty and use.empty else "limited"
    beaten = _beaten(forced)
    if len(cells) and len(follow) == len(cells) and checked.all() and beaten.empty:
        sure = "firm"
    limits = [*_limits(cells, of, words)]
    if len(beaten):
        limits.append(words(KEY + "forced_beats", cells=_models(beaten, words)))
    details = [*_details(cells, of, words), *_asked_beside(forced, noticing, orders, words)]
    details += _changed(stale, words)
    return Finding(_answer(cells, of, words), sure, tuple(limits), tuple(details))


def _beaten(forced: pd.DataFrame | None) -> pd.DataFrame:
    """Where answers that had to be given, with no document, did better than chance."""
    rows = pd.DataFrame({"finding": []}) if forced is None else forced
    return rows[rows["finding"] == "beats chance"]


def _asked_beside(
    forced: pd.DataFrame | None,
    noticing: pd.DataFrame | None,
    orders: pd.DataFrame | None,
    words: Wording,
) -> Iterator[Said]:
    """Counts of what was asked beside the registered probes; they conclude nothing."""
    if forced is not None and len(forced):
        numbers = {name: int(forced[name].sum()) for name in ("n", "correct", "wrong")}
        given = numbers["correct"] + numbers["wrong"]
        told = {"given": given, "right": numbers["correct"], "all": numbers["n"]}
        shown = {name: words.number(value, 0) for name, value in told.items()}
        yield words(KEY + "forced", **shown)
        rest = forced[forced["finding"] != "beats chance"]
        if len(rest):
            yield words(KEY + "forced_open", cells=_models(rest, words))
    if noticing is not None and len(noticing):
        counts = noticing.groupby("document", sort=False)[["flagged", "n"]].sum()
        shares = [
            words(
                "flagged_share",
                document=words.value("document", document),
                flagged=words.number(one.flagged, 0),
                all=words.number(one.n, 0),
            )
            for document, one in counts.iterrows()
        ]
        yield words(KEY + "noticed", shares=words.join(shares))
    if orders is not None and len(orders):
        both, same, first = (int(orders[name].sum()) for name in ("both", "same", "first_twice"))
        shown = {"both": both, "same": same, "first": first}
        yield words(KEY + "orders", **{name: words.number(n, 0) for name, n in shown.items()})


def _changed(stale: pd.DataFrame | None, words: Wording) -> list[Said]:
    """What was named of facts that changed, under the true document."""
    rows = None if stale is None else stale[stale["document"] == "veridical"]
    if rows is None or rows.empty:
        return []
    counts = {name: int(rows[name].sum()) for name in ("n", "latest", "stale", "other")}
    return [words(KEY + "stale", **{name: words.number(n, 0) for name, n in counts.items()})]


def _models(rows: pd.DataFrame, words: Wording) -> str:
    return words.join(f"{row.model} ({row.corpus})" for row in rows.itertuples())


def _answer(cells: pd.DataFrame, of: dict[str, pd.DataFrame], words: Wording) -> Said:
    m = len(cells)

    def said(name: str, rows: pd.DataFrame) -> Said:
        gaps = words.span(rows["delta"].astype(float).abs(), _points(words))
        count = words.count(len(rows), "cell")
        return words(KEY + name, count=count, m=words.numeral(m), gaps=gaps)

    if m and len(of.get("follows", ())) == m:
        return said("all" if m > 1 else "one_all", of["follows"])
    for finding, name in (("follows", "some"), ("uses", "use"), ("against", "reversed")):
        if finding in of:
            return said(name, of[finding])
    if "not readable" in of:
        return words(KEY + "unreadable")
    if cells["tested"].isin(["missing", "not testable"]).all():
        return words(KEY + "not_testable")
    return words(KEY + "none", m=words.numeral(m))


def _limits(cells: pd.DataFrame, of: dict[str, pd.DataFrame], words: Wording) -> Iterator[Said]:
    """How far it carries: the check without a document, what is missing, what it is about."""
    here = cells[cells["tested"] != "missing"]
    without = {name: rows for name, rows in here.groupby("without", sort=False)}
    for state, key in (("beats chance", "invalid"), ("doubtful", "doubtful")):
        if state in without:
            yield words(KEY + key, cells=_cells(without[state], words))
    if "beats chance" not in without and "not shown" in without:
        yield words(KEY + "valid")
    if "not testable" in without:
        yield words(KEY + "untestable", cells=_cells(without["not testable"], words))
    for finding, key in (("not testable", "unanswered"), ("missing", "missing")):
        if finding in of:
            yield words(KEY + key, cells=_cells(of[finding], words))
    if "follows" in of:
        yield words(KEY + "behaviour")
    if "follows" in of and "uses" in of:
        yield words(KEY + "only_use", cells=_cells(of["uses"], words))


def _details(cells: pd.DataFrame, of: dict[str, pd.DataFrame], words: Wording) -> Iterator[Said]:
    if "against" in of:
        yield words(KEY + "against", cells=_cells(of["against"], words))
    if "follows" in of:
        yield words(KEY + "weakest", p=words.p_value(of["follows"]["p_follow_holm"].max()))
        yield from _following(of["follows"], words)
    if "not shown" in of:
        least = of["not shown"]["p_use_holm"].min()
        shown = words.p_value(least)
        yield words(KEY + "rejected", cells=_cells(of["not shown"], words), p=shown)
    yield from _registered(cells, words)
    yield from _silence(cells, words)
    yield from _left_out(cells, words)
    for habit, key, share in (
        ("one answer", "one_name", "one_name_share"),
        ("first option", "first_option", "first_option_share"),
        ("never the first option", "never_first", "first_option_share"),
    ):
        rows = cells[cells["habit"] == habit]
        if len(rows):
            shares = words.span(rows[share], _whole(words))
            yield words(KEY + key, cells=_cells(rows, words), shares=shares)


def _registered(cells: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """Cells that the registered rule would call followers, and the tests above do not."""
    false = pd.Series([follows_false(row) for row in cells.to_dict("records")], cells.index, bool)
    valid = cells["valid"].astype("boolean").fillna(True).astype(bool)
    rule = cells["survives"] & false & valid & (cells["delta"].fillna(0.0) > 0)
    rows = cells[rule & (cells["finding"] != "follows")]
    if len(rows):
        yield words(KEY + "registered", cells=_cells(rows, words))


def _silence(cells: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """What was left unanswered under the false document, and answered with nothing to remember."""
    asked = int(cells["n"].sum())
    if not asked:
        return
    silent = int(cells["corrupted_abstained"].sum())
    once = cells.drop_duplicates(["corpus", "model"])
    given, of = int(once["none_answered"].sum()), int(once["n"].sum())
    yield words(
        KEY + "nothing_noticed", abstained=words.number(silent, 0), all=words.number(asked, 0)
    )
    yield words(KEY + "confabulated", given=words.number(given, 0), all=words.number(of, 0))


def _left_out(cells: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How many probes the study does without, once a model and corpus."""
    once = cells.drop_duplicates(["corpus", "model"])
    rows = once[once["n_left_out"] > 0]
    if len(rows):
        probes = words.count(int(rows["n_left_out"].sum()), "probe", word=False)
        yield words(KEY + "left_out", cells=_models(rows, words), probes=probes)


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


def _following(follow: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How closely the answers follow the document, where they do."""
    for column, key in (("discordant_share", "discordant"), ("follows_corrupted", "follows")):
        shares = follow[column].dropna()
        if len(shares):
            yield words(KEY + key, shares=words.span(shares, words.percent))
    under = follow["corrupted_correct"] / follow["n"]
    yield words(KEY + "below", cells=words.span(under, words.percent))
