"""Control 1's conclusions: what the judges' scores let anyone say, each at its stated rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.control1.lacking import Contrast, lacking_rows
from veridical.control1.tables import CELL, NONE, QUOTED, REPEATED
from veridical.statistics.multiplicity import hochberg, within
from veridical.statistics.student import Estimate, crossed_samples, of_samples

ALPHA = 0.04  # t on scores that end at 0 and 1, few of them, claims in 6 % at 0.05: claims.md
ITEMS = 4  # below so many nothing is said: with three, one odd item decides
INSTRUMENT = {  # test: what is found where its p is at most `ALPHA` after Holm over metrics
    "quoted": "sensitive",
    "order": "matters",
    "drift": "moves",
}
OWN = ("original", "reversed")


def judged(verdicts: pd.DataFrame, by: Sequence[str] = ()) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Each item's and document's anchored and unanchored difference, by cell, metric and kind.

    The veridical answer is scored in its pairs with the anchor, in both orders where both were
    shown. Only judges with a complete verdict on both sides of an item's contrast count: a harsh
    judge missing on one side would make a difference of its own.

    Parameters
    ----------
    verdicts
        Complete verdicts: `by`, judge, session, responder, corpus, item_id, condition, seed,
        metric, anchor_score, other_score.

    Returns
    -------
    items, documents
        `by`, responder, corpus, metric, contrast, item_id (or seed), anchored, unanchored, drift:
        means over judges and over the kind's documents (or over items). Items that no judge scored
        on both sides are left out.
    """
    own = verdicts[(verdicts["condition"] == "veridical") & verdicts["session"].isin(OWN)]
    once = ~verdicts["session"].isin([QUOTED, REPEATED])
    other = verdicts[(verdicts["condition"] != "veridical") & once]
    keys = [*by, *CELL, "metric", "item_id", "judge"]
    scores = ["anchor_score", "other_score"]
    start = own.groupby(keys, sort=False, observed=True)[scores].mean()
    seeds = other.assign(seed=other["seed"].fillna(0))
    end = seeds.groupby([*keys, "condition", "seed"], sort=False, observed=True)[scores].mean()
    both = end.reset_index().merge(start.reset_index(), on=keys, suffixes=("", "_own"))
    both["unanchored"] = both["other_score_own"] - both["other_score"]
    both["drift"] = both["anchor_score_own"] - both["anchor_score"]
    both["anchored"] = both["unanchored"] - both["drift"]
    both["contrast"] = "veridical-" + both["condition"].astype(str)
    heads, values = [*by, *CELL, "metric", "contrast"], ["anchored", "unanchored", "drift"]
    per_judge = both.groupby([*heads, "item_id", "judge"], sort=False, observed=True)[values].mean()
    items = per_judge.groupby([*heads, "item_id"], sort=False, observed=True).mean()
    per_item = both.groupby([*heads, "seed", "item_id"], sort=False, observed=True)[values].mean()
    documents = per_item.groupby([*heads, "seed"], sort=False, observed=True).mean()
    return items.reset_index(), documents.reset_index()


def conclude(
    items: pd.DataFrame,
    documents: pd.DataFrame,
    instrument: pd.DataFrame,
    *,
    bound: float,
    by: Sequence[str] = (),
    lacking: Sequence[Contrast] = (),
    unread: Sequence[Contrast] = (),
) -> pd.DataFrame:
    """What follows from each cell, metric and kind of counterfeit.

    All rows of a study are one family: a study of many cells says no more that is false.

    - `different here`: t over the items, anchored, after Holm over cells, metrics and kinds. It
      holds of the very documents that were given.
    - `different`: besides, the items and the kind's documents taken as two samples, after Holm: the
      single documents of a kind differ among themselves as well.
    - `equivalent`: two one-sided t tests at the bound, of the anchored and of the unanchored
      reading, and the panel's test on the corpus's pairs known by construction: the largest p,
      Hochberg over the rows; and the panel was `sensitive` on the metric there. Without that,
      nothing that it lets pass is called the same: `not testable`.
    - `not admitted`: a bank of a memory system that the control goes through isn't; `no verdict`:
      judges were asked, and gave no complete one on both sides. Both count as p = 1 on every
      metric, so that no other finding is corrected over fewer tests for them.

    Parameters
    ----------
    items, documents
        As `judged` gives them.
    instrument
        As `examine` gives it.
    bound
        The largest difference called negligible, in units of the score.
    lacking, unread
        The declared (responder, corpus, contrast) that aren't admitted, and those without a
        verdict, of every metric of the one study in `items`.

    Returns
    -------
    pandas.DataFrame
        `by`, responder, corpus, metric, contrast, n_items, n_documents, estimate (anchored), low,
        high (95 %, t over items), documents_low, documents_high (95 %, items and documents
        crossed), p_items, p_items_holm, p_documents, p_documents_holm, p_same, p_same_hochberg,
        sensitive, finding.
    """
    heads = [*by, *CELL, "metric", "contrast"]
    table = items[heads].drop_duplicates().reset_index(drop=True)
    anchored, unanchored = (
        _by_row(items, table, heads, name) for name in ("anchored", "unanchored")
    )
    texts = _by_row(documents, table, heads, "anchored")
    n = [len(values) for values in anchored]
    over, raw, pairs = (
        of_samples(anchored),
        of_samples(unanchored),
        crossed_samples(anchored, texts),
    )
    table["n_items"], table["n_documents"] = n, [len(values) for values in texts]
    table["estimate"] = over.mean
    table["low"], table["high"] = over.interval(0.95)
    table["documents_low"], table["documents_high"] = pairs.interval(0.95)
    few = np.array(n) < ITEMS
    table["p_items"] = np.where(few, np.nan, over.p_apart())
    table["p_documents"] = np.where(few, np.nan, pairs.p_apart())
    same = np.maximum(over.p_within(bound), raw.p_within(bound))
    table["sensitive"], quoted = _sensitive(table, instrument, by)
    table["p_same"] = np.where(few, np.nan, np.minimum(np.fmax(same, quoted), 1.0))
    more = lacking_rows(table["metric"].drop_duplicates(), lacking, unread, table)
    table = pd.concat([table, more], ignore_index=True) if len(more) else table
    table["p_items_holm"] = within(table, by, "p_items")
    kinds = (table["contrast"] != f"veridical-{NONE}").to_numpy()  # no document is no sample of any
    table["p_documents_holm"] = 1.0
    table.loc[kinds, "p_documents_holm"] = within(table[kinds], by, "p_documents")
    table["p_same_hochberg"] = within(table, by, "p_same", correct=hochberg)
    found = _find(table)
    found[len(found) - len(more) :] = more["finding"]
    table["finding"] = found
    return table


def _by_row(
    rows: pd.DataFrame, table: pd.DataFrame, heads: list[str], column: str
) -> list[NDArray[np.float64]]:
    """The values of a column, one array a row of the table."""
    groups = rows.groupby(heads, sort=False, observed=True)[column]
    parts = {key: values.to_numpy(dtype=float) for key, values in groups}
    return [parts[key] for key in table[heads].itertuples(index=False, name=None)]


def _sensitive(
    table: pd.DataFrame, instrument: pd.DataFrame, by: Sequence[str]
) -> tuple[NDArray[np.object_], NDArray[np.float64]]:
    """What the panel did on pairs known by construction, and its p; NaN where there were none."""
    quoted = instrument[instrument["test"] == "quoted"]
    keys = [*by, "corpus", "metric"]
    found = table[keys].merge(quoted[[*keys, "finding", "p"]], on=keys, how="left")
    return found["finding"].fillna("not run").to_numpy(dtype=object), found["p"].to_numpy()


def _find(table: pd.DataFrame) -> NDArray[np.object_]:
    apart, same = table["p_items_holm"] <= ALPHA, table["p_same_hochberg"] <= ALPHA
    flat = table["p_items"].isna()
    deaf = table["sensitive"] == "not sensitive"
    untested = same & (table["sensitive"] != "sensitive")
    return np.select(
        [
            table["n_items"] < ITEMS,
            flat,
            apart & (table["p_documents_holm"] <= ALPHA),
            apart,
            deaf | untested,
            same,
        ],
        [
            "too few items",
            "not testable",
            "different",
            "different here",
            "not testable",
            "equivalent",
        ],
        "inconclusive",
    ).astype(object)


def examine(
    verdicts: pd.DataFrame, items: pd.DataFrame, *, bound: float, by: Sequence[str] = ()
) -> pd.DataFrame:
    """The panel as an instrument, by corpus and metric: can it notice, and what moves it besides?

    A judge's scores are its own whoever answered, so an item's are averaged over responders; what
    it reads is a corpus's, in its language, so what it can notice is shown corpus by corpus. Holm
    is over corpora and metrics.

    - `quoted`: pairs that quote the agent's own memory and a stranger's. The panel is `sensitive`
      where it scores the first higher by more than the bound (one-sided t over pairs): where even
      that counts as negligible, nothing would not (assay sensitivity, ICH E10). Judges that part
      all pairs by the same amount leave t undefined; then each pair beyond the bound is a toss that
      fell right, p = 1/2 to their number (the sign test).
    - `order`: the same pair in both orders; half the difference is what standing first is worth.
    - `drift`: how far the anchors' scores move between the pairings.

    Parameters
    ----------
    verdicts, items
        Complete verdicts, and the items of `judged`.

    Returns
    -------
    pandas.DataFrame
        `by`, corpus, metric, test, n, estimate, low, high (95 %, t), p, p_holm, finding (the word
        of `INSTRUMENT`, else `not shown`, and `not sensitive` of the first). Tests that were not
        run have no row.
    """
    keys = [*by, "corpus", "metric", "item_id"]
    moved = items.groupby(keys, sort=False, observed=True)["drift"].mean()
    parts = {
        "quoted": _quoted(verdicts, by),
        "order": _order(verdicts, by),
        "drift": moved.rename("value").reset_index(),
    }
    tables = [_test(test, values, bound, by) for test, values in parts.items() if len(values)]
    return pd.concat(tables, ignore_index=True)


def _quoted(verdicts: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The score of the agent's own memory less the stranger's, pair by pair."""
    pairs = verdicts[verdicts["session"] == QUOTED]
    gaps = pairs.assign(value=pairs["anchor_score"] - pairs["other_score"])
    keys = [*by, "corpus", "metric", "item_id"]
    return gaps.groupby(keys, sort=False, observed=True)["value"].mean().reset_index()


def _order(verdicts: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """What standing first is worth, item by item, from pairs shown in both orders."""
    pairs = verdicts[(verdicts["condition"] == "veridical") & verdicts["session"].isin(OWN)]
    sign = np.where(pairs["anchor_position"] == "A", 0.5, -0.5)
    gaps = pairs.assign(value=sign * (pairs["anchor_score"] - pairs["other_score"]))
    keys = [*by, "corpus", "metric", "item_id"]
    sums = gaps.groupby([*keys, "responder", "judge"], sort=False, observed=True)["value"].agg(
        ["sum", "size"]
    )
    both = sums[sums["size"] == 2]["sum"].rename("value")
    return both.groupby(keys, sort=False, observed=True).mean().reset_index()


def _test(test: str, values: pd.DataFrame, bound: float, by: Sequence[str]) -> pd.DataFrame:
    heads = [*by, "corpus", "metric"]
    table = values[heads].drop_duplicates().reset_index(drop=True)
    samples = _by_row(values, table, heads, "value")
    found = of_samples(samples)
    table["test"], table["n"], table["estimate"] = test, [len(one) for one in samples], found.mean
    table["low"], table["high"] = found.interval(0.95)
    p = _above(found, bound, table["n"]) if test == "quoted" else found.p_apart()
    table["p"] = np.where(table["n"] < ITEMS, np.nan, p)
    table["p_holm"] = within(table, by, "p")
    otherwise = "not sensitive" if test == "quoted" else "not shown"
    table["finding"] = np.where(table["p_holm"] <= ALPHA, INSTRUMENT[test], otherwise)
    return table


def _above(found: Estimate, bound: float, n: pd.Series) -> NDArray[np.float64]:
    """One-sided p above the bound: t, or the sign test where all values are the same."""
    same = np.isnan(found.error)
    return np.where(same, np.where(found.mean > bound, 0.5**n, 1.0), found.p_above(bound))
