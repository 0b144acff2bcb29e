"""Control 1's tables, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, Shown, flag, interval, number, p_value, text, whole
from veridical.documents.names import COUNTERFEITS
from veridical.models.exchange import STATES
from veridical.statistics.agreement import NOTES

NONE = "none"  # answers given with no memory document
KINDS = ("veridical", *COUNTERFEITS, NONE)
COMPARED = {f"veridical-{kind}": kind for kind in KINDS[1:]}  # contrast: what it is held against
SESSIONS = ("original", "counterfeit")
QUOTED, REVERSED, REPEATED = "positive", "reversed", "repeated"
BESIDE = (NONE, REVERSED, REPEATED, QUOTED)  # sheets beside those of the source's design
READINGS = ("anchored", "unanchored")
VERDICTS = ("equivalent", "different", "inconclusive")
UNDEFINED = "not defined"
FINDINGS = (
    "different",
    "different here",
    "equivalent",
    "inconclusive",
    "not testable",
    "too few items",
    "not admitted",
    "no verdict",
)
SENSITIVE = ("sensitive", "not sensitive", "not run")
STATISTICS = (
    *("mean", "sd", "scores", "distinct_scores"),
    *("alpha", "alpha_low", "alpha_high", "order_effect", "order_low", "order_high"),
    *(
        f"{name}_{reading}{end}"
        for name in ("alone", "leave_one_out")
        for reading in READINGS
        for end in ("", "_low", "_high")
    ),
    *("alone", "leave_one_out"),  # where they could not be computed
)
JUDGED = ("", "constant", "single judge", *NOTES)

CELL = ("responder", "corpus")  # what is judged together and told apart in every table of results

SEVERAL = {name: Shown(name, several=True) for name in CELL}  # no column in a study of one cell
RESPONDER = text("responder", "the model that answered", shown=SEVERAL["responder"])
CORPUS = text("corpus", "the corpus whose memory was counterfeited", shown=SEVERAL["corpus"])
ITEM = text("item_id", "the item: one input of the test day")
DOCUMENT = text("document", "the memory document that the answer was given under")
SEED = whole("seed", "the counterfeit's seed", missing=True)
METRIC = text("metric", "the metric of the rubric", shown="value:metric")
CONTRAST = text(
    "contrast", "veridical against a kind of counterfeit", *COMPARED, shown="value:contrast"
)
JUDGE = text("judge", "the judge's name in the study")
BETWEEN = {"unit": "score", "low": -1, "high": 1}
APART = {"unit": "score", "low": -2, "high": 2}  # of two differences, as an anchored one is
SCORE = {"unit": "score", "low": 0, "high": 1}

RESPONSES = Contract(
    "control1/responses",
    "What each responder answered to every item under every memory document, and the anchors.",
    RESPONDER,
    CORPUS,
    ITEM,
    DOCUMENT,
    text(
        "condition", "the kind of document; anchor for the lived agent's answer", *KINDS, "anchor"
    ),
    SEED,
    text("text", "the answer as a reader sees it, without the model's thinking"),
    text("state", "what became of the reply", *STATES),
    key=(*CELL, "item_id", "document"),
)
SHEET = (
    text("sheet_id", "the sheet that a judge was given"),
    JUDGE,
    text("session", "the judging session, or what a sheet beside them is for", *SESSIONS, *BESIDE,
         shown="value:session"),
    text("responder", "the model that answered; empty where memories are quoted",
         shown=SEVERAL["responder"]),
    CORPUS,
    ITEM,
    DOCUMENT,
    text("condition", "the kind of document, or quoted where memories are quoted", *KINDS, "quoted",
         shown="value:condition"),
    SEED,
)  # fmt: skip
POSITIVE = Contract(
    "control1/positive",
    "Pairs known by construction: the agent's own memory quoted, and a stranger's in its place.",
    text("corpus", "the corpus whose memory is quoted", shown=SEVERAL["corpus"]),
    text("item_id", "the pair"),
    text("input", "what is asked: an encounter of the agent's memory block"),
    text("own", "the entry of that encounter, quoted"),
    text("stranger", "an entry of another life, quoted in the same words"),
    text("document", "the foreign document that the stranger's entry stands in"),
    whole("seed", "that document's seed", shown=""),
    key=("corpus", "item_id"),
)
# Why a verdict is incomplete: what its reply is instead, or what the object in it lacks.
REASONS = (
    *("", *STATES, "missing", "not JSON", "several objects", "another form"),
    *("no object", "no scores", "no score", "no number", "out of range"),
)
BLINDING = Contract(
    "control1/blinding_map",
    "Which pair stands on which sheet of which judge, and where its anchor stands.",
    *SHEET,
    text("position_of_anchor", "which of the two answers is the anchor", "A", "B"),
    key=("sheet_id",),
)
VERDICT = Contract(
    "control1/verdicts",
    "Every judge's scores, one row a sheet and metric, unblinded.",
    *SHEET,
    METRIC,
    number("anchor_score", "the score of the anchor", **SCORE, missing=True),
    number("other_score", "the score of the answer beside it", **SCORE, missing=True),
    text("anchor_position", "which of the two answers was the anchor", "A", "B"),
    text("state", "whether every metric of both answers was scored", "complete", "incomplete"),
    text("reason", "why the verdict is incomplete; empty where it is complete", *REASONS),
    text("at", "which answer or score that is about", missing=True),
    whole("attempt", "how often the judge was asked", low=1, missing=True),
    text("rationale", "the judge's reason in its own words, where asked for", missing=True),
    text("served_model", "the model as the server named it", missing=True),
    key=("sheet_id", "metric"),
)
ESTIMATE = number("estimate", "mean difference over items", **APART, shown="signed")
T_ENDS = number("", "", unit="score", missing=True, shown="signed")
CONTRASTS = Contract(
    "control1/contrasts",
    "Does a score move when the memory is another's? Every contrast by both readings and methods.",
    RESPONDER,
    CORPUS,
    METRIC,
    CONTRAST,
    text("reading", "whether the anchors' drift is taken off", *READINGS, shown="value:reading"),
    flag("registered", "whether this reading was registered as primary"),
    whole("n_items", "items, the unit of analysis", low=2, unit="items"),
    ESTIMATE,
    *interval("ci90", "90 % percentile bootstrap interval of estimate", ESTIMATE),
    *interval("ci95", "95 % percentile bootstrap interval of estimate", ESTIMATE),
    text("verdict", "what they say at the equivalence bound", *VERDICTS, shown="value:verdict"),
    flag("inside_not_zero", "whether ci90 lies inside the bounds and yet excludes 0"),
    *interval("t_ci90", "90 % interval of estimate by Student's t", T_ENDS),
    *interval("t_ci95", "95 % interval of estimate by Student's t", T_ENDS),
    p_value("tost_p", "p of the two one-sided t-tests at the equivalence bound", missing=True),
    text("t_verdict", "what the t intervals say", *VERDICTS, UNDEFINED, shown="value:verdict"),
    flag("methods_disagree", "whether the two methods' verdicts differ"),
    text(
        "bootstrap",
        "whether every resample was listed, or some were drawn",
        "enumerated",
        "resampled",
        shown="value:bootstrap",
    ),
    whole("omitted", "incomplete verdicts that the means leave out", unit="verdicts"),
    key=(*CELL, "metric", "contrast", "reading"),
)
DRIFT = Contract(
    "control1/drift",
    "How far the judges moved on the very same text, the anchor of each item.",
    RESPONDER,
    CORPUS,
    METRIC,
    ITEM,
    CONTRAST,
    number("anchor_original", "its mean score in the original session", **SCORE),
    number("anchor_counterfeit", "its mean score in the counterfeit session", **SCORE),
    number("drift", "original less counterfeit", **BETWEEN, shown="signed"),
    key=(*CELL, "metric", "item_id", "contrast"),
)
WIDE = {"unit": "score", "missing": True, "shown": "signed"}
FINDING = Contract(
    "control1/findings",
    "What follows from every metric and kind of counterfeit, each at its stated error rate.",
    RESPONDER,
    CORPUS,
    METRIC,
    CONTRAST,
    whole(
        "n_items", "items that judges scored on both sides; 0 without a verdict", unit="items"
    ),
    whole("n_documents", "documents of the kind; 0 without a verdict", unit="documents"),
    number("estimate", "mean difference over items", **APART, missing=True, shown="signed"),
    *interval(
        "interval95", "95 % t interval over items", number("", "", **WIDE), ("low", "high")
    ),
    *interval(
        "documents_interval",
        "95 % interval with items and documents taken as samples",
        number("", "", **WIDE),
        ("documents_low", "documents_high"),
    ),
    *(
        p_value(f"p_{name}{end}", f"{says}{after}", missing=not end, shown="p" if end else "")
        for name, says, more in (
            ("items", "two-sided p over items", ("_holm", ", after Holm over the study's rows")),
            ("documents", "the same over items and documents", ("_holm", ", after Holm")),
            (
                "same",
                "largest p of two one-sided tests, by both readings, and of the quoted pairs",
                ("_hochberg", ", after Hochberg over the study's rows"),
            ),
        )
        for end, after in (("", ""), more)
    ),
    text("sensitive", "whether the panel noticed pairs known by construction", *SENSITIVE,
         shown="value:finding"),
    text("finding", "what follows", *FINDINGS, shown="value:finding"),
    key=(*CELL, "metric", "contrast"),
)  # fmt: skip
