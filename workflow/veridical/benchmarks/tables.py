"""The tables of the benchmarks' part, one line a column."""

from __future__ import annotations

from veridical.base.columns import difference
from veridical.base.contract import Contract, flag, interval, number, p_value, share, text, whole
from veridical.benchmarks.arms import ARMS, MEMORYLESS
from veridical.models.exchange import STATES

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
    text("check", "the check", shown="value:lint_check"),
    text("verdict", "what came of it", *VERDICTS, shown="value:lint_verdict"),
    whole("items", "items it was tried on", unit="items"),
    STATISTIC,
    text("unit", "unit of the statistic: share, items or count"),
    number("expected", "the mean of the same over draws of random keys", missing=True),
    *interval(
        "ci95",
        "95 % interval of the statistic, the wider of Wilson's and t over clusters",
        STATISTIC,
    ),
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
    text("check", "the check that names it", shown="value:lint_check"),
    text("note", "what is the matter"),
    key=("item_id", "check", "note"),
)
MODEL = text("model", "the model's name in the study; `model + system` reads a memory system")
ARM = text("arm", "what stood before the question", *ARMS, shown="value:arm")
OVER = text("stratum", "the kind of question; empty: all items asked")
ACCURACY = share("accuracy", "items answered rightly; no answer is not right")
DIFFERENCE = difference(
    "difference",
    "items right in the first arm less those right in the second, paired",
)
PREMIUM = difference(
    "premium",
    "items right with the whole history less those right in the best arm without memory",
)

SAMPLE = Contract(
    "benchmarks/sample",
    "How many items of every stratum are asked, and of how many.",
    STRATUM,
    whole("items", "items of the benchmark", low=1, unit="items"),
    whole("left_out", "of these, with a key that is none of the options", unit="items"),
    whole("asked", "items drawn by the study's seed", unit="items"),
    key=("stratum",),
)
GIVEN = Contract(
    "benchmarks/given",
    "What every item is given in every arm that gives it something.",
    ARM,
    ITEM,
    whole("characters", "length of what is given", unit="characters"),
    number("ratio", "that length over the own history's", low=0, missing=True),
    text("how", "how it was made: whose history it is, what was exchanged in it"),
    flag("says_answer", "whether the right answer's words stand in it"),
    key=("arm", "item_id"),
)
ANSWERS = Contract(
    "benchmarks/answers",
    "What every model answered to every item in every arm.",
    MODEL,
    ARM,
    ITEM,
    STRATUM,
    text("cluster", "whose life the item is about"),
    text("state", "what became of the reply", *STATES, shown="value:state"),
    text("answer", "the option named, or the answer given", missing=True),
    flag("correct", "whether that is right; no answer is not"),
    key=("model", "arm", "item_id"),
)
BANKS = Contract(
    "benchmarks/banks",
    "Every history that went into a memory system: what it took, held and gave back.",
    text("system", "the memory system's name in the study"),
    text("bank", "the bank: the arm, and the number of its history"),
    ARM,
    whole("items", "items that ask about it", unit="items"),
    whole("given", "turns given to it", unit="turns"),
    whole("accepted", "turns that it accepted", unit="turns", missing=True),
    whole("held", "entries in its dump; missing where it has none", unit="entries", missing=True),
    whole("recalled", "questions for which anything came back", unit="items"),
    flag("admitted", "whether what is answered from it counts"),
    text("reason", "why not", missing=True),
    key=("system", "bank"),
)
JUDGE = text("judge", "the judge's name among the study's models")
SHEET = text("sheet_id", "the sheet's id; its number is its place in the judge's own order")
SHEETS = Contract(
    "benchmarks/sheets",
    "Which open answers every judge is shown: each different answer to an item once.",
    JUDGE,
    SHEET,
    ITEM,
    text("answer", "the answer given, by one model or several, in one arm or several"),
    key=("sheet_id",),
)
JUDGED = Contract(
    "benchmarks/judged",
    "What every judge said of every open answer.",
    JUDGE,
    SHEET,
    ITEM,
    text("answer", "the answer given"),
    text("state", "what became of the judge's reply", *STATES, shown="value:state"),
    text(
        "verdict",
        "the verdict, where it could be read",
        *("right", "wrong"),
        missing=True,
        shown="value:judged",
    ),
    flag("exact", "whether the answer is one of the right answer's wordings, word for word"),
    key=("sheet_id",),
)
SAME = share("same", "verdicts that say what exact match says", missing=True)
AGREEMENT = Contract(
    "benchmarks/agreement",
    "Every judge's verdicts beside exact match, and those of all judges together.",
    text(
        "judge",
        "the judge; `all`: what more than half of their verdicts say",
        shown="value:judges",
    ),
    whole("answers", "different answers shown", unit="answers"),
    whole(
        "unread",
        "of these, without a verdict: none can be read, or all are split",
        unit="answers",
    ),
    whole("both", "right by the judge and word for word", unit="answers"),
    whole("judge_only", "right by the judge alone", unit="answers"),
    whole("exact_only", "right word for word, and wrong by the judge", unit="answers"),
    whole("neither", "wrong by both", unit="answers"),
    SAME,
    *interval("ci95", "95 % interval of that share (Wilson)", SAME),
    key=("judge",),
)
EARNED = Contract(
    "benchmarks/arms",
    "What every arm earns, over all items and by stratum.",
    MODEL,
    ARM,
    OVER,
    whole("items", "items asked", low=1, unit="items"),
    whole("correct", "items answered rightly", unit="items"),
    ACCURACY,
    *interval("ci95", "95 % interval, the wider of Wilson's and t over clusters", ACCURACY),
    whole("no_answer", "items with no readable answer, or an abstention", unit="items"),
    key=("model", "arm", "stratum"),
)
CONTRASTS = Contract(
    "benchmarks/contrasts",
    "The whole history against each other arm, item by item.",
    MODEL,
    OVER,
    text("first", "the first arm", *ARMS, shown="value:arm"),
    text("second", "the second arm", *ARMS, shown="value:arm"),
    whole("items", "items asked in both", low=1, unit="items"),
    DIFFERENCE,
    *interval("ci95", "95 % interval, the wider of Newcombe's and t over clusters", DIFFERENCE),
    whole("b", "items right in the first arm only", unit="items"),
    whole("c", "items right in the second arm only", unit="items"),
    p_value("p", "exact two-sided McNemar"),
    whole("m", "tests of its Holm family: the contrasts over all items, or a contrast's strata"),
    p_value("p_holm", "p after Holm"),
    key=("model", "second", "stratum"),
)
PREMIUMS = Contract(
    "benchmarks/premium",
    "The memory premium: the whole history less the best arm without memory.",
    MODEL,
    OVER,
    whole("items", "items asked", low=1, unit="items"),
    share("full", "items right with the whole history"),
    text("best_arm", "the best arm without memory", *MEMORYLESS, shown="value:arm"),
    share("without", "items right in that arm"),
    PREMIUM,
    *interval("ci95", "95 % interval that allows for the arm having been picked", PREMIUM),
    p_value(
        "p_mcnemar",
        "the largest of the exact McNemar p values; 1 where the premium is negative",
        shown="",
    ),
    p_value(
        "p",
        "that memory earns nothing: the largest of exact McNemar's, t's over lives, and t's with "
        "silence counted at chance, over the arms without memory",
    ),
    p_value(
        "p_costs",
        "that the history costs nothing: the smallest of the same, times the arms",
        shown="",
    ),
    whole("m", "tests of its Holm family: the models over all items, or the models' strata"),
    p_value("p_holm", "p after Holm"),
    p_value("p_costs_holm", "p_costs after Holm", shown=""),
    text("finding", "what is shown", "earns", "costs", "not shown", shown="value:earning"),
    key=("model", "stratum"),
)

TABLES = (
    *(ITEMS, CHECKS, STRATA, FLAGS, SAMPLE, GIVEN, ANSWERS, EARNED, CONTRASTS, PREMIUMS),
    *(BANKS, SHEETS, JUDGED, AGREEMENT),
)
