"""Control 1's tables about the panel of judges, and about what more items would bring."""

from __future__ import annotations

from veridical.base.contract import Contract, interval, number, p_value, share, text, whole
from veridical.control1.tables import (
    APART,
    CELL,
    CONTRAST,
    CORPUS,
    ESTIMATE,
    JUDGED,
    METRIC,
    READINGS,
    RESPONDER,
    SEVERAL,
    STATISTICS,
    VERDICTS,
    WIDE,
)

JUDGES = Contract(
    "control1/judges",
    "Each judge as an instrument: scores, agreement, order effects, contrasts alone and without.",
    text("judge", "the judge's name in the study, or all"),
    METRIC,
    text("responder", "whose answers, where it is about one contrast", missing=True,
         shown=SEVERAL["responder"]),
    text("corpus", "in which corpus, where it is about one contrast", missing=True,
         shown=SEVERAL["corpus"]),
    text("statistic", "which statistic", *STATISTICS, shown="value:statistic"),
    text("contrast", "which contrast, where it is one's", missing=True, shown="value:contrast"),
    number("value", "its value", missing=True),
    text("note", "the verdict of a contrast, or why a value is missing or says little",
         *JUDGED, *VERDICTS, shown="value:note"),
    key=("judge", "metric", *CELL, "statistic", "contrast"),
)  # fmt: skip
POWER = Contract(
    "control1/power",
    "How likely a verdict is to be conclusive with more items, from the spread that these showed.",
    RESPONDER,
    CORPUS,
    METRIC,
    CONTRAST,
    text("reading", "whose spread is taken", *READINGS, shown="value:reading"),
    text(
        "method",
        "how the intervals are made; none where the items don't differ",
        "bootstrap",
        "t",
        missing=True,
        shown="value:method",
    ),
    whole("n_items", "items of a simulated study", low=2, unit="items"),
    number("true_difference", "what is assumed to be true", **APART, missing=True, shown="signed"),
    text(
        "assumed",
        "no difference, or the one observed",
        "zero",
        "observed",
        missing=True,
        shown="value:assumed",
    ),
    number("sd_items", "standard deviation of the item differences", unit="score", low=0),
    *(
        number(
            f"probability_{name}",
            f"simulated studies {what}",
            unit="share",
            low=0,
            high=1,
            missing=True,
            shown="share",
        )
        for name, what in (
            ("conclusive", "whose verdict is equivalent or different"),
            ("equivalent", "whose verdict is equivalent"),
            ("different", "whose verdict is different"),
        )
    ),
    whole("items_for_80", "first number of items that is conclusive in 80 % of them", missing=True),
    whole("simulations", "simulated studies", low=1, missing=True, shown=""),
    key=(*CELL, "metric", "contrast", "reading", "method", "assumed", "n_items"),
)
INSTRUMENT = Contract(
    "control1/instrument",
    "The panel as an instrument: can it notice, and what moves it besides?",
    CORPUS,
    METRIC,
    text("test", "what is tested", "quoted", "order", "drift", shown="value:test"),
    whole("n", "pairs or items", low=1),
    ESTIMATE,
    *interval("interval95", "95 % t interval", number("", "", **WIDE), ("low", "high")),
    p_value("p", "its p: one-sided above the bound of quoted, else two-sided", missing=True),
    p_value("p_holm", "p after Holm over metrics and corpora"),
    text("finding", "what follows", "sensitive", "not sensitive", "matters", "moves", "not shown",
         shown="value:finding"),
    key=("corpus", "metric", "test"),
)  # fmt: skip
NOISE = Contract(
    "control1/noise",
    "How far a judge's score of one text moves: on the same sheet judged twice, and beside other "
    "answers.",
    text("judge", "the judge's name in the study"),
    METRIC,
    whole("n_repeated", "texts scored twice on the same sheet", low=1, unit="texts"),
    share("identical", "of these, the same score both times"),
    number("noise", "standard deviation of a score, on the same sheet", unit="score", low=0),
    number("moved", "that of an anchor's score, over its sheets in the source's sessions",
           unit="score", low=0, missing=True),
    number("beyond", "what of moved is not noise: the root of the variances' difference, or 0",
           unit="score", low=0, missing=True),
    key=("judge", "metric"),
)  # fmt: skip
