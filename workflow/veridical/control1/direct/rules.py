"""What direct pairs let anyone say: which answer is preferred, or that neither is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.control1.direct.choices import in_both_orders
from veridical.control1.direct.tables import NEITHER, OTHER, OWN, SAME
from veridical.control1.lacking import Contrast, lacking_rows
from veridical.control1.tables import CELL, QUOTED
from veridical.statistics.flips import flip
from veridical.statistics.multiplicity import hochberg, within
from veridical.statistics.signs import sign_test
from veridical.statistics.student import of_samples

ALPHA = 0.05
WORTH = {"own": 1.0, "other": 0.0, NEITHER: 0.5}
UNIT = ["corpus", "item_id"]  # flips together wherever it stands
TESTED = ["corpus", "metric", "test", "n", "share", "p", "p_adjusted", "finding"]
COUNTED = ("n_items", "n_documents", "toward", "away", "level")
MEASURED = (  # of a preference, and missing where nothing is admitted
    *("share", "share_low", "share_high", "document_low", "document_high"),
    *("p_sign", "p_flips", "p_adjusted", "p_same"),
)
LEVEL = 1e-9  # a share this near to one half leans neither way


def shares_of(choices: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """How far each judge prefers the own memory's answer, item by item and document by document.

    Parameters
    ----------
    choices
        Choices on whole pairs (`choices.whole_pairs`): `by`, judge, session, responder, corpus,
        item_id, condition, seed, metric, preferred.

    Returns
    -------
    pandas.DataFrame
        `by`, responder, corpus, metric, contrast, seed (0 where there is one document), item_id,
        judge and share: the mean over the orders shown, `neither` counting half.
    """
    rows = choices[choices["session"] != QUOTED]
    rows = rows.assign(
        share=rows["preferred"].map(WORTH).astype(float),
        contrast="veridical-" + rows["condition"].astype(str),
        seed=rows["seed"].fillna(0).astype(int),
    )
    keys = [*by, *CELL, "metric", "contrast", "seed", "item_id", "judge"]
    return rows.groupby(keys, sort=False, observed=True)["share"].mean().reset_index()


def alone(shares: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Every judge by itself: an exact sign test over items, Holm over judges, metrics and kinds.

    An item leans to the answer that the judge prefers over the kind's documents. `shares` are as
    `shares_of` gives them. Returns `tables.ALONE`; `too few items` where not even items that all
    lean one way could be told from chance in so large a family.
    """
    heads = [*by, "judge", *CELL, "metric", "contrast"]
    items = shares.groupby([*heads, "item_id"], sort=False, observed=True)["share"].mean()
    table = leans(items.reset_index(), heads)
    table["p_sign_holm"] = within(table, by, "p_sign")
    family = table.groupby(list(by))["p_sign"].transform("size") if by else len(table)
    shown = table["p_sign_holm"] <= ALPHA
    reach = family * 2.0 ** (1 - table["n_items"]) <= ALPHA
    table["finding"] = np.select(
        [~reach, shown & (table["toward"] > table["away"]), shown],
        ["too few items", OWN, OTHER],
        "not shown",
    ).astype(object)
    return table


def leans(items: pd.DataFrame, heads: Sequence[str]) -> pd.DataFrame:
    """A row a combination of `heads`: n_items, share, and how many items lean which way, with p."""
    side = np.sign((items["share"] - 0.5).where((items["share"] - 0.5).abs() > LEVEL, 0.0))
    counted = items.assign(toward=side > 0, away=side < 0, level=side == 0)
    groups = counted.groupby(list(heads), sort=False, observed=True)
    table = groups[["toward", "away", "level"]].sum().astype(int)
    table.insert(0, "n_items", groups.size())
    table.insert(1, "share", groups["share"].mean())
    table["p_sign"] = sign_test(table["toward"], table["away"])
    return table.reset_index()


def conclude(
    shares: pd.DataFrame,
    panel: pd.DataFrame,
    *,
    margin: float,
    rng: np.random.Generator,
    by: Sequence[str] = (),
    lacking: Sequence[Contrast] = (),
    unread: Sequence[Contrast] = (),
) -> pd.DataFrame:
    """What follows from each cell, metric and kind of counterfeit, for the panel.

    An item's share is the mean over judges of theirs over the kind's documents. All rows of a study
    are one family; what is found holds of the very documents that were given.

    - `prefers own`, `prefers other`: sign flips over items around one half, step-down over all
      rows.
    - `indifferent`: two one-sided flips at the margin, and the panel's test on the corpus's pairs
      known by construction: the largest p, Hochberg over the rows; and the panel was `sensitive` on
      the metric there. Without that, nothing that it doesn't tell apart is called so: `not
      testable`.
    - `too few items`: even items that all lean one way could not be told from chance.
    - `not admitted`, `no verdict`: as `control1.rules.conclude` has them.

    Parameters
    ----------
    shares
        As `shares_of` gives them.
    panel
        As `examine` gives it.
    margin
        How far from one half a share counts as no preference.
    rng
        Draws the flips where there are too many to write out.
    lacking
        The declared (responder, corpus, contrast) that aren't admitted, of every metric.
    unread
        Those that were asked about without one whole pair.

    Returns
    -------
    pandas.DataFrame
        `by` and the columns of `tables.PREFERENCES`.
    """
    heads = [*by, *CELL, "metric", "contrast"]
    judged = shares.groupby([*heads, "item_id", "judge"], sort=False, observed=True)["share"].mean()
    items = judged.groupby([*heads, "item_id"], sort=False, observed=True).mean().reset_index()
    table = leans(items, heads)
    table = table.merge(_documents(shares, heads), on=heads)
    table = table.merge(_intervals(items, heads), on=heads)
    off, every = items["share"] - 0.5, (heads, by, rng)
    table["p_flips"], table["p_adjusted"] = _flipped(items, off, table, *every)
    least, _ = _flipped(items, margin + off, table, *every, above=True)
    most, _ = _flipped(items, margin - off, table, *every, above=True)
    table["sensitive"], quoted = _sensitive(table, panel, by)
    table["p_same"] = np.fmax(np.maximum(least, most), quoted)
    metrics = list(table["metric"].drop_duplicates())
    table = pd.concat([table, *_nothing(metrics, lacking, unread, panel)], ignore_index=True)
    table["p_adjusted"] = table["p_adjusted"].fillna(1.0)
    table["p_same_hochberg"] = within(table, by, "p_same", correct=hochberg)
    table["finding"] = _find(table)
    return table


def _documents(shares: pd.DataFrame, heads: list[str]) -> pd.DataFrame:
    """How many documents a kind has, and the lowest and highest share of a single one."""
    each = shares.groupby([*heads, "seed", "item_id"], sort=False, observed=True)["share"].mean()
    each = each.groupby([*heads, "seed"], sort=False, observed=True).mean()
    groups = each.groupby(heads, sort=False, observed=True)
    told = {"n_documents": "size", "document_low": "min", "document_high": "max"}
    return groups.agg(**told).reset_index()


def _intervals(items: pd.DataFrame, heads: list[str]) -> pd.DataFrame:
    """The 95 % t interval of each share, within [0, 1]; missing where all items are alike."""
    groups = items.groupby(heads, sort=False, observed=True)["share"]
    table = groups.size().reset_index()[heads]
    ends = of_samples([own.to_numpy() for _, own in groups]).interval(0.95)
    low, high = (np.clip(end, 0.0, 1.0) for end in ends)
    return table.assign(share_low=low, share_high=high)


def _flipped(
    items: pd.DataFrame,
    values: pd.Series,
    table: pd.DataFrame,
    heads: list[str],
    by: Sequence[str],
    rng: np.random.Generator,
    *,
    above: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The p of every row of the table that its items' values lie around 0, and its adjusted p."""
    units = pd.MultiIndex.from_frame(items[UNIT])
    known = units.unique()
    rows = pd.MultiIndex.from_frame(table[heads]).get_indexer(
        pd.MultiIndex.from_frame(items[heads])
    )
    matrix = np.full((len(table), len(known)), np.nan)
    matrix[rows, known.get_indexer(units)] = values
    p, adjusted = np.ones(len(table)), np.ones(len(table))
    for own in _families(table, by):
        found = flip(matrix[own], rng, above=above)
        p[own], adjusted[own] = found.p, found.adjusted
    return p, adjusted


def _families(table: pd.DataFrame, by: Sequence[str]) -> Iterator[NDArray[np.int64]]:
    """The places of each study's rows."""
    if not by:
        yield np.arange(len(table))
        return
    yield from table.groupby(list(by), sort=False, observed=True).indices.values()


def _sensitive(
    table: pd.DataFrame, panel: pd.DataFrame, by: Sequence[str]
) -> tuple[NDArray[np.object_], NDArray[np.float64]]:
    """What the panel did on pairs known by construction, and its p; NaN where there were none."""
    quoted = panel[panel["test"] == "quoted"]
    keys = [*by, "corpus", "metric"]
    found = table[keys].merge(quoted[[*keys, "finding", "p"]], on=keys, how="left")
    return found["finding"].fillna("not run").to_numpy(dtype=object), found["p"].to_numpy(float)


def nothing_known(
    metrics: Sequence[str], lacking: Sequence[Contrast], unread: Sequence[Contrast] = ()
) -> pd.DataFrame:
    """The findings of a study in which there is nothing to analyse, as `conclude` gives them."""
    table = pd.concat(_nothing(metrics, lacking, unread, pd.DataFrame(columns=TESTED)))
    return table.assign(p_adjusted=1.0, p_same_hochberg=1.0)


def _nothing(
    metrics: Sequence[str],
    lacking: Sequence[Contrast],
    unread: Sequence[Contrast],
    panel: pd.DataFrame,
) -> Iterator[pd.DataFrame]:
    """A row a metric and contrast of which there is nothing to analyse, where there is one."""
    if lacking or unread:
        heard = panel[panel["test"] == "quoted"].assign(sensitive=lambda table: table["finding"])
        told = {"counted": COUNTED, "measured": MEASURED}
        yield lacking_rows(metrics, lacking, unread, heard, **told)


def _find(table: pd.DataFrame) -> NDArray[np.object_]:
    apart, same = table["p_adjusted"] <= ALPHA, table["p_same_hochberg"] <= ALPHA
    heard = table["sensitive"] == "sensitive"
    found = np.select(
        [
            2.0 ** (1 - table["n_items"]) > ALPHA,
            apart & (table["share"] > 0.5),
            apart,
            same & heard,
            same | (table["sensitive"] == "not sensitive"),
        ],
        ["too few items", OWN, OTHER, SAME, "not testable"],
        "inconclusive",
    )
    nothing = table["n_items"] == 0  # and why is known
    return np.where(nothing, table.get("finding", ""), found).astype(object)


def examine(
    choices: pd.DataFrame, *, margin: float, rng: np.random.Generator, by: Sequence[str] = ()
) -> pd.DataFrame:
    """The panel as an instrument, by corpus and metric: can it notice, and does a place matter?

    - `quoted`: pairs that quote the agent's own memory and a stranger's. The panel is `sensitive`
      where it prefers the first (one-sided flips over pairs, around one half) and does so by more
      than the margin. That its true share lies beyond the margin seven pairs can't show: a panel
      just at 0.65 has all of them right in 5 % of studies.
    - `place`: pairs shown in both orders; how often what stands first is chosen.

    `choices` are whole pairs. Returns `by` and the columns of `tables.PANEL`; a test that was not
    run has no row.
    """
    worth = choices["preferred"].map(WORTH).astype(float)
    rows = choices.assign(share=worth)
    first = worth.where(rows["own_position"] == "A", 1 - worth)
    shown = in_both_orders(rows.assign(share=first)[rows["session"] != QUOTED], by)
    parts = {"quoted": rows[rows["session"] == QUOTED], "place": shown}
    tables = [_test(test, values, margin, rng, by) for test, values in parts.items() if len(values)]
    if not tables:
        return pd.DataFrame(columns=[*by, *TESTED])
    return pd.concat(tables, ignore_index=True)


def _test(
    test: str, values: pd.DataFrame, margin: float, rng: np.random.Generator, by: Sequence[str]
) -> pd.DataFrame:
    heads = [*by, "corpus", "metric"]
    per = values.groupby([*heads, "item_id", "judge"], sort=False, observed=True)["share"].mean()
    items = per.groupby([*heads, "item_id"], sort=False, observed=True).mean().reset_index()
    groups = items.groupby(heads, sort=False, observed=True)["share"]
    table = groups.agg(n="size", share="mean").reset_index()
    quoted = test == "quoted"
    off = items["share"] - 0.5
    p, table["p_adjusted"] = _flipped(items, off, table, heads, by, rng, above=quoted)
    few = (1 if quoted else 2) * 2.0 ** -table["n"] > ALPHA
    table["p"] = np.where(few, np.nan, p)
    words = ("sensitive", "not sensitive") if quoted else ("matters", "not shown")
    beyond = (table["share"] > 0.5 + margin) | (not quoted)
    table["finding"] = np.where(~few & beyond & (table["p_adjusted"] <= ALPHA), *words)
    return table.assign(test=test)[[*by, *TESTED]]
