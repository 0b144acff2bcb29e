"""What Control 1 found, in sentences: did the judges notice whose memory it was?"""

from __future__ import annotations

import pandas as pd

from veridical.control1.tables import COMPARED, UNDEFINED
from veridical.report.finding import Finding
from veridical.report.wording import Wording

AGREEMENT = 0.667  # below it, Krippendorff (2004) advises against any conclusion


def _names(words: Wording, rows: pd.DataFrame) -> str:
    return words.join(dict.fromkeys(words.value("metric", name) for name in rows["metric"]))


def find(
    contrasts: pd.DataFrame,
    bound: float,
    words: Wording,
    drift: pd.DataFrame | None = None,
    judges: pd.DataFrame | None = None,
    power: pd.DataFrame | None = None,
) -> Finding:
    """Did the judges notice the counterfeit? Read on the anchored contrasts with `foreign`.

    Where a study has no foreign counterfeit, the shuffled one takes its place. `firm` needs a
    conclusive verdict by both methods on every metric, judges that agree (α at least 0.667, and
    known for every metric), differences that vary, and no registered reading that says otherwise.
    """
    read = contrasts[contrasts["reading"] == "anchored"]
    main = read[read["contrast"] == "veridical-foreign"]
    if main.empty:
        main = read
    different = main[main["verdict"] == "different"]
    open_rows = main[main["verdict"] == "inconclusive"]
    sizes = words.span(
        different["estimate"].abs() if len(different) else [0.0], lambda value: words.number(value)
    )
    items = words.count(int(main["n_items"].iloc[0]), "item")
    key = "findings."
    if len(different) and (different["estimate"] < 0).all():
        answer = words(key + "inverted", metrics=_names(words, different), sizes=sizes)
    elif len(different) == len(main) and (different["estimate"] < 0).any():
        ways = different["estimate"] > 0
        answer = words(
            key + "both_ways",
            higher=_names(words, different[ways]),
            lower=_names(words, different[~ways]),
        )
    elif len(different) == len(main):
        answer = words(key + "recognised", metrics=_names(words, different), sizes=sizes)
    elif len(different):
        rest = main[main["verdict"] != "different"]
        answer = words(key + "mixed", metrics=_names(words, different), rest=_names(words, rest))
    elif len(open_rows):
        answer = words(key + "unproven", items=items)
    else:
        answer = words(key + "equivalent", bound=words.number(bound, 2))

    limits, doubted = [], False
    if len(open_rows):
        interval = words.interval(open_rows["ci90_low"].min(), open_rows["ci90_high"].max(), 2)
        limits.append(words(key + "admits", metrics=_names(words, open_rows), interval=interval))
    apart = read.drop(main.index)
    apart = apart[(apart["verdict"] == "different") & ~apart["metric"].isin(different["metric"])]
    if len(apart):
        sizes = words.span(apart["estimate"], lambda value: words.number(value, sign=True))
        limits.append(words(key + "told_apart", metrics=_names(words, apart), sizes=sizes))
    differs, same = _registered(contrasts, words)
    limits += differs
    for sentence in _judges_limits(judges, words):
        doubted = True
        limits.append(sentence)
    disagreeing = read["methods_disagree"]
    if disagreeing.sum():
        limits.append(
            words(
                key + "disagree",
                rows=words.numeral(int(disagreeing.sum())),
                all=words.count(len(read), "row"),
            )
        )
    flat = read["t_verdict"] == UNDEFINED
    if flat.sum():
        rows, every = words.numeral(int(flat.sum())), words.count(len(read), "row")
        limits.append(words(key + "flat", rows=rows, all=every))
    if not limits:
        limits.append(words(key + "conclusive", n=int(main["n_items"].iloc[0])))
    sure = "firm"
    if len(open_rows) == len(main):
        sure = "open"
    elif len(open_rows) or doubted or differs or disagreeing.sum() or flat.sum():
        sure = "limited"
    details = [_contrast(row, words) for row in read[read["inside_not_zero"]].to_dict("records")]
    details += same
    details += _drift(drift, words)
    details += _order(judges, words)
    details += _power(power, open_rows, words)
    return Finding(answer, sure, tuple(limits), tuple(details))


def _contrast(row: dict, words: Wording) -> str:
    return words(
        "findings.contrast",
        metric=words.value("metric", row["metric"]),
        kind=words.value("kind", COMPARED[row["contrast"]]),
        estimate=words.number(row["estimate"], sign=True),
        ci90=words.interval(row["ci90_low"], row["ci90_high"]),
        verdict=words.value("verdict", row["verdict"]),
    )


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


def _registered(contrasts: pd.DataFrame, words: Wording) -> tuple[list[str], list[str]]:
    """Where the reading registered as primary is not the anchored one: does it say otherwise?

    Returns the sentences on rows where it does and, where it nowhere does, one that says so.
    """
    registered = contrasts[contrasts["registered"]]
    if registered.empty or (registered["reading"] == "anchored").all():
        return [], []
    anchored = contrasts[contrasts["reading"] == "anchored"].set_index(["metric", "contrast"])
    sentences = []
    for row in registered.to_dict("records"):
        pair = (row["metric"], row["contrast"])
        if pair in anchored.index and anchored.loc[pair, "verdict"] != row["verdict"]:
            sentences.append(
                words(
                    "findings.registered",
                    metric=words.value("metric", row["metric"]),
                    kind=words.value("kind", COMPARED[row["contrast"]]),
                    estimate=words.number(row["estimate"], sign=True),
                    verdict=words.value("verdict", row["verdict"]),
                    anchored=words.number(anchored.loc[pair, "estimate"], sign=True),
                    anchored_verdict=words.value("verdict", anchored.loc[pair, "verdict"]),
                )
            )
    name = words.value("reading", registered["reading"].iloc[0])
    same = [words("findings.registered_same", registered=name)]
    return sentences, [] if sentences else same


def _drift(drift: pd.DataFrame | None, words: Wording) -> list[str]:
    if drift is None or drift["drift"].dropna().empty:
        return []
    size = drift["drift"].dropna().abs()
    return [
        words(
            "findings.drift",
            mean=words.number(size.mean()),
            largest=words.number(size.max()),
        )
    ]


def _order(judges: pd.DataFrame | None, words: Wording) -> list[str]:
    """Where a text gains or loses by being shown first: the interval excludes zero."""
    if judges is None or judges.empty:
        return []
    pooled = judges[judges["judge"] == "all"]
    table = pooled.pivot_table(index="metric", columns="statistic", values="value", sort=False)
    if not {"order_effect", "order_low", "order_high"} <= set(table.columns):
        return []
    moved = table[(table["order_low"] > 0) | (table["order_high"] < 0)]
    return [
        words(
            "findings.order",
            metric=words.value("metric", metric),
            effect=words.number(row["order_effect"], sign=True),
            interval=words.interval(row["order_low"], row["order_high"]),
        )
        for metric, row in moved.iterrows()
    ]


def _power(power: pd.DataFrame | None, open_rows: pd.DataFrame, words: Wording) -> list[str]:
    """How many items an open contrast would take, by the calibrated method, if nothing differed."""
    if power is None:
        return []
    curve = (power["method"] == "t") & (power["assumed"] == "zero")
    wanted = power[curve & (power["reading"] == "anchored")]
    sentences = []
    for row in open_rows.to_dict("records"):
        own = wanted[(wanted["metric"] == row["metric"]) & (wanted["contrast"] == row["contrast"])]
        if own.empty:
            continue
        items, most = own["items_for_80"].iloc[0], own["n_items"].max()
        key = "power" if pd.notna(items) else "power_beyond"
        sentences.append(
            words(
                f"findings.{key}",
                metric=words.value("metric", row["metric"]),
                kind=words.value("kind", COMPARED[row["contrast"]]),
                items=words.number(items if pd.notna(items) else most, 0),
            )
        )
    return sentences
