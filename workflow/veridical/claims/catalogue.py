"""Every conclusion that the product can state, in one place.

A sentence of the page under a part's `findings` belongs to a claim or to `DESCRIBES`; a word in a
column of conclusions belongs to a claim or to `OPEN`. Tests hold both.
"""

from __future__ import annotations

from veridical.claims.claim import Claim

CLAIMS = (
    Claim(
        "control1.different",
        "control1/findings",
        "finding",
        ("different",),
        ("of_the_kind",),
        "metrics and kinds",
    ),
    Claim(
        "control1.different_here",
        "control1/findings",
        "finding",
        ("different", "different here"),
        ("recognised", "inverted", "mixed", "both_ways", "told_apart", "here", "none_apart"),
        "metrics and kinds",
    ),
    Claim(
        "control1.equivalent",
        "control1/findings",
        "finding",
        ("equivalent",),
        ("equivalent", "none_same"),
        "metrics and kinds",
    ),
    Claim(
        "control1.sensitive",
        "control1/instrument",
        "finding",
        ("sensitive",),
        ("sensitive",),
        "the metrics",
        where={"test": "quoted"},
    ),
    Claim(
        "control1.order",
        "control1/instrument",
        "finding",
        ("matters",),
        ("order",),
        "the metrics",
        where={"test": "order"},
    ),
    Claim(
        "control1.drift",
        "control1/instrument",
        "finding",
        ("moves",),
        ("drift",),
        "the metrics",
        where={"test": "drift"},
    ),
    Claim(
        "control2.solves",
        "control2/validity",
        "finding",
        ("solves",),
        ("one_solves", "some_solve", "all_solve", "tested", "held"),
        "the declared models",
        where={"condition": "none"},
    ),
    Claim(
        "control2.adds",
        "control2/prior_bias",
        "finding",
        ("adds",),
        ("adds",),
        "the models and documents",
    ),
    Claim(
        "control2.takes",
        "control2/prior_bias",
        "finding",
        ("takes away",),
        ("takes",),
        "the models and documents",
    ),
    Claim(
        "control2.habit",
        "control2/validity",
        "habit",
        ("one answer", "first option", "never the first option"),
        ("habit_first", "habit_second"),
        "the declared models",
        where={"condition": "none"},
    ),
    Claim(
        "control2.registered_not_valid",
        "control2/validity",
        "valid",
        (False,),
        (),
        "one model",
        registered=True,
        where={"condition": "none"},
    ),
    Claim(
        "control3.follows",
        "control3/cells",
        "finding",
        ("follows",),
        ("all", "one_all", "some", "weakest", "discordant", "follows", "below", "behaviour"),
        "the study's cells",
    ),
    Claim(
        "control3.uses",
        "control3/cells",
        "finding",
        ("follows", "uses"),
        ("use", "only_use"),
        "the study's cells",
    ),
    Claim(
        "control3.against",
        "control3/cells",
        "finding",
        ("against",),
        ("reversed", "against"),
        "the study's cells",
    ),
    Claim(
        "control3.guesses",
        "control3/cells",
        "without",
        ("beats chance",),
        ("invalid", "unreadable"),
        "the study's models and corpora",
    ),
    Claim(
        "control3.habit",
        "control3/cells",
        "habit",
        ("one answer", "first option", "never the first option"),
        ("one_name", "first_option", "never_first"),
        "the study's cells",
    ),
    Claim(
        "control3.registered_survives",
        "control3/cells",
        "survives",
        (True,),
        (),
        "the cells of a corpus",
        registered=True,
    ),
    Claim(
        "vpe.apart",
        "vpe/leads",
        "finding",
        ("apart",),
        ("apart",),
        "horizons and presets",
    ),
    Claim(
        "memories.follows",
        "memories/cells",
        "verdict",
        ("follows",),
        ("all", "some"),
        "the study's cells",
    ),
    Claim(
        "memories.uses",
        "memories/cells",
        "verdict",
        ("follows", "uses"),
        (),
        "the study's cells",
    ),
    Claim(
        "memories.against",
        "memories/cells",
        "verdict",
        ("against",),
        (),
        "the study's cells",
    ),
    Claim(
        "memories.guessed",
        "memories/cells",
        "verdict",
        ("guessed",),
        ("guessed",),
        "the study's cells",
    ),
    Claim(
        "memories.alarm",
        "memories/cells",
        "alarm",
        (True,),
        ("alarm",),
        "the study's cells",
    ),
    *(
        Claim(
            f"benchmarks.{word}",
            "benchmarks/premium",
            "finding",
            (word,),
            (word,),
            "the models",
            where={"stratum": ""},
        )
        for word in ("earns", "costs")
    ),
    *(
        Claim(
            f"benchmarks.stratum_{word}",
            "benchmarks/premium",
            "finding",
            (word,),
            (f"stratum_{word}",),
            "the models and kinds of question",
            but={"stratum": ""},
        )
        for word in ("earns", "costs")
    ),
    Claim(
        "benchmarks.lint",
        "benchmarks/checks",
        "verdict",
        ("found",),
        ("lint",),
        "the checks of a file",
        beforehand=True,
    ),
)

# What a part's sentences say without concluding: numbers as they are, what was not shown or could
# not be tested, what a registered rule gives, and how far a finding carries.
DESCRIBES = {
    "control1": (
        *("unproven", "untested", "few", "deaf", "no_control", "admits", "registered", "flat"),
        *("constant", "unmeasured", "agreement", "no_drift", "power", "power_beyond"),
        *("none_open", "repeated"),
    ),
    "control2": (
        *("none_shown", "of_answered", "not_testable", "past", "upper", "untestable", "bounds"),
        *("useless", "rules_differ", "left_out"),
    ),
    "control3": (
        *("not_testable", "none", "valid", "doubtful", "untestable", "unanswered", "missing"),
        *("rejected", "registered", "nothing_noticed", "confabulated", "left_out"),
    ),
    "aas": (
        *("falls_all", "falls_some", "falls_none", "one_phase", "lost", "scale", "language"),
        "redundancy",
    ),
    "vpe": (
        *("best", "best_two", "nothing", "overlap", "few", "no_bound", "rests"),
        *("horizon", "zero"),
    ),
    "memories": (
        *("none", "leak", "refused", "unseen", "sham", "behaviour", "reader", "of"),
        *("broke_stored", "broke_found", "broke_followed"),
    ),
    "benchmarks": ("not_shown", "reach", "lint_clear"),
}

# Words of the tables' columns of conclusions that conclude nothing.
OPEN = (
    *(
        "not admitted",
        "not shown",
        "not testable",
        "not readable",
        "missing",
        "inconclusive",
        "too few items",
    ),
    *(
        "not sensitive",
        "not run",
        "doubtful",
        "not settled",
        "too few problems",
        "no bound",
        "alone",
    ),
    *("clear", "reported", "not applicable"),
)
