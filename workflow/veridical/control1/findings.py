"""What Control 1 found, in sentences: did the judges notice whose memory it was?

Every conclusion is a word of the tables (`finding`); here it is only put into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from veridical.control1.kinds import doses_apart, told_apart
from veridical.control1.tables import COMPARED, NONE, UNDEFINED
from veridical.report.finding import Finding
from veridical.report.wording import Said, Wording

AGREEMENT = 0.667  # below it, Krippendorff (2004) advises against any conclusion
APART = ("different", "different here")
KEY = "findings."
WITHOUT = f"veridical-{NONE}"


def _names(words: Wording, rows: pd.DataFrame) -> str:
    return words.join(dict.fromkeys(words.value("metric", name) for name in rows["metric"]))


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
    agree (α at least 0.667, known for every metric); `open` where nothing was found.
    """
    without = findings[findings["contrast"] == WITHOUT]
    findings = findings.drop(without.index)
    main = findings[findings["contrast"] == "veridical-foreign"]
    main = findings if main.empty else main
    doubts = [*_judges_limits(judges, words), *_flat(contrasts, words)]
    limits = [
        *_refused([main, findings, without], words),
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
        *_instrument(instrument, drift, words),
        *_noise(noise, words),
        *_power(power, open_rows, words),
    ]
    return Finding(_answer(main, bound, words), sure, tuple(limits), tuple(details))


def _answer(main: pd.DataFrame, bound: float, words: Wording) -> Said:
    apart = main[main["finding"].isin(APART)]
    if len(apart):
        sizes = words.span(apart["estimate"].abs(), lambda value: words.number(value))
        lower = apart["estimate"] < 0
        if lower.all():
            return words(KEY + "inverted", metrics=_names(words, apart), sizes=sizes)
        if lower.any():
            higher, lower = _names(words, apart[~lower]), _names(words, apart[lower])
            return words(KEY + "both_ways", higher=higher, lower=lower)
        if len(apart) == len(main):
            return words(KEY + "recognised", metrics=_names(words, apart), sizes=sizes)
        rest = main.drop(apart.index)
        return words(KEY + "mixed", metrics=_names(words, apart), rest=_names(words, rest))
    if (main["finding"] == "not admitted").all():
        return words(KEY + "not_admitted")
    items = words.count(int(main["n_items"].max()), "item")
    if (main["finding"] == "equivalent").all():
        return words(KEY + "equivalent", bound=words.number(bound, 2))
    if (main["finding"] == "too few items").all():
        return words(KEY + "few", items=items)
    if (main["finding"] == "not testable").all():
        return words(KEY + "untested")
    return words(KEY + "unproven", items=items)


def _refused(tables: list[pd.DataFrame], words: Wording) -> Iterator[Said]:
    """The kinds of which a memory is not known to have arrived in the memory system."""
    rows = pd.concat(tables)
    rows = rows[rows["finding"] == "not admitted"]
    if len(rows):
        kinds = dict.fromkeys(words.value("kind", COMPARED[name]) for name in rows["contrast"])
        yield words(KEY + "refused", kinds=words.join(kinds))


def _limits(main: pd.DataFrame, findings: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """How far it carries: to these documents or to their kind, and what is left open."""
    here = findings[findings["finding"] == "different here"]
    if len(here):
        documents = words.numeral(int(here["n_documents"].max()))
        yield words(KEY + "here", metrics=_names(words, here), documents=documents)
    kind = findings[findings["finding"] == "different"]
    if len(kind):
        documents = words.numeral(int(kind["n_documents"].max()))
        yield words(KEY + "of_the_kind", metrics=_names(words, kind), documents=documents)
    deaf = main[(main["finding"] == "not testable") & (main["sensitive"] != "sensitive")]
    for state, key in (("not sensitive", "deaf"), ("not run", "no_control")):
        rows = deaf[deaf["sensitive"] == state]
        if len(rows):
            yield words(KEY + key, metrics=_names(words, rows))
    open_rows = main[main["finding"].isin(["inconclusive", "not testable"])].dropna(subset=["low"])
    if len(open_rows):
        interval = words.interval(open_rows["low"].min(), open_rows["high"].max(), 2)
        yield words(KEY + "admits", metrics=_names(words, open_rows), interval=interval)
    apart = findings[findings["finding"].isin(APART)]
    told = main[main["finding"].isin(APART)]["metric"]
    yield from told_apart(apart.drop(main.index, errors="ignore"), told, words)
    yield from doses_apart(apart, words)


def _without(rows: pd.DataFrame, bound: float, words: Wording) -> Iterator[Said]:
    """What became of answers given with no memory document at all."""
    apart = rows[rows["finding"].isin(APART)]
    if len(apart):
        sizes = words.span(apart["estimate"], lambda value: words.number(value, sign=True))
        yield words(KEY + "none_apart", metrics=_names(words, apart), sizes=sizes)
    same = rows[rows["finding"] == "equivalent"]
    if len(same):
        yield words(KEY + "none_same", metrics=_names(words, same), bound=words.number(bound, 2))
    rest = rows.drop(apart.index).drop(same.index)
    rest = rest[rest["finding"] != "not admitted"]
    if len(rest):
        yield words(KEY + "none_open", metrics=_names(words, rest))


def _noise(noise: pd.DataFrame | None, words: Wording) -> Iterator[Said]:
    """How often a judge repeats itself on the same sheet, beside how far the anchors move."""
    if noise is None or noise.empty:
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


def _registered(contrasts: pd.DataFrame, findings: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """Where the registered rule gives another verdict than what was found."""
    found = findings.set_index(["metric", "contrast"])["finding"].replace(
        "different here", "different"
    )
    rows = contrasts[contrasts["registered"] & (contrasts["contrast"] != WITHOUT)]
    for row in rows.to_dict("records"):
        here = found.get((row["metric"], row["contrast"]))
        if here is not None and here != row["verdict"]:
            yield words(
                KEY + "registered",
                metric=words.value("metric", row["metric"]),
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


def _instrument(
    instrument: pd.DataFrame, drift: pd.DataFrame | None, words: Wording
) -> Iterator[Said]:
    """What moves the judges besides: the pairing, and the place of a text."""
    if drift is not None and len(drift["drift"].dropna()):
        size = drift["drift"].dropna().abs()
        ends = {"mean": words.number(size.mean()), "largest": words.number(size.max())}
        moved = instrument[instrument["finding"] == "moves"]
        if len(moved):
            yield words(KEY + "drift", metrics=_names(words, moved), **ends)
        else:
            yield words(KEY + "no_drift", **ends)
    for row in instrument[instrument["finding"] == "matters"].to_dict("records"):
        yield words(
            KEY + "order",
            metric=words.value("metric", row["metric"]),
            effect=words.number(row["estimate"], sign=True),
            interval=words.interval(row["low"], row["high"]),
        )
    heard = instrument[instrument["finding"] == "sensitive"]
    if len(heard):
        sizes = words.span(heard["estimate"], lambda value: words.number(value, sign=True))
        yield words(KEY + "sensitive", metrics=_names(words, heard), sizes=sizes)


def _judges_limits(judges: pd.DataFrame | None, words: Wording) -> list[str]:
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


def _power(power: pd.DataFrame | None, open_rows: pd.DataFrame, words: Wording) -> Iterator[Said]:
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
        own = wanted[(wanted["metric"] == row["metric"]) & (wanted["contrast"] == row["contrast"])]
        if own.empty:
            continue
        names = {
            "metric": words.value("metric", row["metric"]),
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
