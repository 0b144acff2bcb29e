"""What the product says without concluding: each sentence that is no claim, and why it is none."""

from __future__ import annotations

# What a part's sentences say without concluding: numbers as they are, what was not shown or could
# not be tested, what a registered rule gives, and how far a finding carries.
DESCRIBES = {
    "control1": (
        *("unproven", "untested", "few", "deaf", "no_control", "admits", "registered", "flat"),
        *("constant", "unmeasured", "agreement", "no_drift", "power", "power_beyond"),
        *("none_open", "repeated", "not_admitted", "refused"),
        *("no_verdict", "unread"),
        *("unpreferred", "unpreferred_none", "preferred_here", "deaf_direct", "share_admits"),
        *("alone_few", "chose_alike", "no_place", "named_neither", "kept_in_order", "kept_again"),
    ),
    "control2": (
        *("none_shown", "of_answered", "not_testable", "past", "upper", "untestable", "bounds"),
        *("useless", "rules_differ", "left_out", "not_admitted", "refused"),
    ),
    "control3": (
        *("not_testable", "none", "valid", "doubtful", "untestable", "unanswered", "missing"),
        *("rejected", "registered", "nothing_noticed", "confabulated", "left_out"),
        *("forced", "forced_open", "noticed", "orders", "stale", "behaviour"),
    ),
    "aas": (
        *("falls_all", "falls_some", "falls_none", "one_phase", "lost", "scale", "language"),
        *("redundancy", "carried", "alarm", "alarm_phase"),
        *("runs_falls_all", "runs_falls_some", "runs_falls_none", "runs_one_phase", "runs_scale"),
        *("runs_carried", "over_runs", "over_runs_model"),
    ),
    "vpe": (
        *("best", "best_two", "nothing", "overlap", "few", "no_bound", "rests"),
        *("horizon", "zero"),
        *("maps_agree", "maps_differ", "maps_first", "document"),
        *("document_verified_open", "document_verified_few"),
        *("document_ways_open", "document_ways_few", "document_ways_no_bound"),
        *("maps_open", "maps_few", "maps_no_bound"),
    ),
    "zoo": ("noticed", "alarms", "void", "planted", "unseen", "one", "judge", "unread", "yours"),
    "memories": (
        *("none", "leak", "refused", "unseen", "sham", "behaviour", "reader", "of"),
        *("broke_stored", "broke_found", "broke_followed", "line"),
    ),
    "benchmarks": ("not_shown", "reach", "refused", "lint_clear"),
}

# Words of the tables' columns of conclusions that conclude nothing.
OPEN = (
    *(
        "not admitted",
        "no verdict",
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

# Sentences of the page's frame. `checked` ones hold or don't: files against their hashes, numbers
# counted in tables, what a receipt proves; no chance is in them, so they have no rate. `frame` ones
# say how the page is made and read. Which sentences a part's "firm" rests on are the part's own.
PAGE = {
    "checked": (
        *("seal_verified", "seal_changed", "seal_none", "nothing_sealed", "sealed_text"),
        *("deviations_logged", "no_deviations", "no_deviations_text", "no_date", "left_out_text"),
        *("published_text", "published_all", "rates_text", "defaults_text"),
        *("rate", "rate_none", "rate_unclear", "rate_over"),
        *("served_otherwise", "served_changed"),
        *("times_own_word", "times_attested", "times_pending", "times_block", "times_named"),
        *("times_before_replies", "times_after_replies", "times_after_replies_of", "times_some"),
    ),
    "frame": (
        *("lead", "of", "figure", "figure_text", "table_view", "sealed_and_deviations"),
        *("how_to_read_text", "sureness_text", "glossary_text", "colophon_text", "fonts"),
        *("noscript", "stage_of_part"),
    ),
}
