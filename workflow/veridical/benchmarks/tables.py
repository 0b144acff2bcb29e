"""The tables of the benchmarks' part, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, flag, interval, number, p_value, share, text, whole

VERDICTS = ("found", "clear", "reported", "not applicable")

ITEM = text("item_id", "the item's id, unique in its benchmark")
STRATUM = text("stratum", "the kind of question; empty where the benchmark tells none apart")
STATISTIC = number(
    "statistic",
    "what the way of answering earns, or how many items are touched; its unit stands beside it",
    missing=True,
)

ITEMS = Contract(
    "benchmarks/items",
    "The items of a benchmark, in its file's order.",
    ITEM,
    STRATUM,
    text("topic", "what the item is about; empty where the benchmark names none"),
    text("cluster", "whose life it is about; empty where every item stands alone"),
    text("question", "the question"),
    text("answer", "the right answer; empty where abstaining is right and no wording is given"),
    text("options", "the options, a JSON list; [] for an open question", shown=""),
    whole("key", "the right option's place from 0", missing=True),
    share("chance", "what guessing among the options earns; 0 for an open question"),
    flag("abstention", "whether the right answer is that it can't be known"),
    text("evidence", "ids of the turns or sessions that hold the answer, a JSON list", shown=""),
    text("history_id", "the history that it asks about; empty where there is none"),
    whole("sessions", "sessions of that history", unit="sessions"),
    whole("history_characters", "length of that history", unit="characters"),
    text("date", "when it is asked, as the benchmark writes it"),
    key=("item_id",),
)
CHECKS = Contract(
    "benchmarks/checks",
    "What the lint looked at, and what it found.",
    text("check", "the check", shown="value:check"),
    text("verdict", "what came of it", *VERDICTS, shown="value:verdict"),
    whole("items", "items it was tried on", unit="items"),
    STATISTIC,
    text("unit", "unit of the statistic: share, items or count"),
    number("expected", "the mean of the same over draws of random keys", missing=True),
    *interval("ci95", "95 % interval of the statistic, t over clusters", STATISTIC),
    share(
        "touched",
        "share of all items concerned; for a way of answering, its right answers beyond those of "
        "random keys, as a share of what these leave",
    ),
    p_value("p", "p over all the shuffled checks together (step-down maximum)", missing=True),
    text("which", "the way, the stratum, the answer that earned it"),
    key=("check",),
)
STRATA = Contract(
    "benchmarks/strata",
    "Every stratum: what guessing, one constant answer and the best cue earn without any memory.",
    STRATUM,
    whole("items", "items", low=1, unit="items"),
    share("chance", "what guessing among the options earns"),
    share("abstentions", "items whose right answer is that it can't be known"),
    share("constant", "what the best constant answer earns"),
    text("constant_answer", "which answer that is"),
    share(
        "cues",
        "what words and length earn, learnt from other lives; repeated items left out",
        missing=True,
    ),
    key=("stratum",),
)
FLAGS = Contract(
    "benchmarks/flags",
    "Items to look at: one line a fault.",
    ITEM,
    text("check", "the check that names it", shown="value:check"),
    text("note", "what is the matter"),
    key=("item_id", "check", "note"),
)
FALSE_ALARMS = Contract(
    "benchmarks/false_alarms",
    "How often the lint finds something in clean simulated benchmarks, by check and together.",
    text("check", "the check; any: at least one of them", shown="value:check"),
    whole("benchmarks", "clean benchmarks simulated", low=1),
    whole("alarms", "benchmarks in which it found something"),
    share("rate", "alarms of benchmarks"),
    key=("check",),
)
