"""What the paired comparisons found, in sentences: under every mode map, and with a document."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.report.wording import Wording
from veridical.vpe.document import CLAIMED

KEY = "findings."
DOCUMENT = dict(zip(CLAIMED, ("document_verified", "document_ways"), strict=True))
ENDING = {"not settled": "open", "no bound": "no_bound"}


def of_document(table: pd.DataFrame | None, horizon: int, words: Wording) -> Iterator[str]:
    """What the document changed at the longest horizon, model by model: numbers, then findings."""
    if table is None:
        return
    tests = words.count(int(table["p_holm"].notna().sum()), "test")
    for model, own in table[table["horizon"] == horizon].groupby("model", sort=False):
        by = own.set_index("measure")
        said = {}
        for name, key in zip(CLAIMED, ("p", "h"), strict=True):
            row = by.loc[name]
            said[key] = words.number(row["estimate"], 3, sign=True)
            said[f"{key}_interval"] = words.interval(row["low"], row["high"], 3)
        yield words(KEY + "document", model=model, horizon=horizon, **said)
        for name in CLAIMED:
            yield _found(by.loc[name], DOCUMENT[name], words, tests, model=model, horizon=horizon)


def of_maps(
    table: pd.DataFrame | None, horizon: int, pair: tuple[str, str | None], words: Wording
) -> Iterator[str]:
    """Whether the first two models are apart or the same, the maps of one finding together."""
    if table is None or pair[1] is None:
        return
    tests = words.count(int(table["p_holm"].notna().sum()), "test")
    rows = table[table["horizon"] == horizon]
    rows = rows[rows["first"].isin(pair) & rows["second"].isin(pair)]
    for finding, own in rows.groupby("finding", sort=False):
        row = own.loc[own["p_same_holm" if finding == "same" else "p_holm"].fillna(1).idxmax()]
        least, most, names = own["least"].min(), own["most"].max(), (row["first"], row["second"])
        if finding == "less":  # told the other way round
            least, names, finding = -most, names[::-1], "more"
        row = row.copy()
        row["least"], row["finding"] = least, finding
        more = {"first": names[0], "second": names[1], "maps": words.join(own["map"])}
        yield _found(row, "maps", words, tests, **more)


def _found(row: pd.Series, key: str, words: Wording, tests: str, **said: object) -> str:
    """The sentence of one finding, its numbers filled in."""
    finding = str(row["finding"])
    if finding == "too few problems":
        said |= {"problems": words.count(int(row["n_tested"]), "problem")}
        said |= {"lowest": words.number(row["lowest"], 3), "tests": tests}
        return words(f"{KEY}{key}_few", **said)
    if finding in ENDING:
        return words(f"{KEY}{key}_{ENDING[finding]}", **said)
    p = row["p_same_holm"] if finding == "same" else row["p_holm"]
    nearest = row["least"] if finding == "more" else row["most"]
    said |= {"p": words.p_equals(p), "tests": tests, "margin": words.number(row["margin"], 2)}
    value = words.number(abs(nearest), 2)
    return words(f"{KEY}{key}_{finding}", value=value, **said)
