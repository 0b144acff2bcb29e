"""Control 2's tables, one line a column."""

from __future__ import annotations

from veridical.base.columns import difference
from veridical.base.contract import (
    Contract,
    Shown,
    flag,
    interval,
    number,
    p_value,
    share,
    text,
    whole,
)
from veridical.choices.answers import LEFT_OUT
from veridical.choices.habits import HABITS
from veridical.control2.alterations import KINDS
from veridical.control2.fact_values import VALUE
from veridical.models.exchange import STATES

CONDITIONS = ("veridical", "counterfeit", "none")
RULES = ("point", "upper")
SOLVING = ("solves", "not shown", "not testable", "not admitted")
EFFECTS_FOUND = ("adds", "takes away", "not shown", "not testable", "not admitted")

# No column on the page in a study of one corpus.
CORPUS = text("corpus", "the corpus that the probes are of", shown=Shown("corpus", several=True))
MODEL = text("model", "the model's name in the study")
CONDITION = text(
    "condition", "the memory document it was given", *CONDITIONS, shown="value:condition"
)
PLACE = whole(
    "place", "where the probe's encounter stands in the log", low=1, missing=True, shown=""
)
FAMILY = whole("m", "tests declared, over which Holm corrects", low=1, shown="")
ANSWER = (
    text("probe_id", "the probe"),
    PLACE,
    text("state", "what became of the reply", *STATES, LEFT_OUT, shown="value:state"),
    text("answer", "the text named, A or B", missing=True),
    flag("correct", "whether that is the true text", missing=True),
    text("first_option", "the option offered first"),
)
ACCURACY = share("accuracy_answered", "right answers of the answered probes", missing=True)
EFFECT = difference(
    "effect",
    "right answers of the answered probes less the preference for the true text, paired",
    missing=True,
)

PROBES = Contract(
    "control2/probes",
    "The recognition probes: a true text and one that differs from it in a single detail.",
    CORPUS,
    text("probe_id", "the probe"),
    text("encounter_id", "the encounter that the true text tells of"),
    text("true_text", "the text as it stands in the agent's history, dates masked"),
    text("altered_text", "the same text with one detail altered"),
    text("kind", "what kind of detail was altered", *KINDS, VALUE),
    whole("position", "where the detail begins in the true text", unit="characters"),
    text("from", "the detail as it was"),
    text("to", "the detail as it was altered"),
    text("true_is", "the place of the true text", "A", "B"),
    key=("probe_id",),
)
ANSWERS = Contract(
    "control2/answers",
    "What every model answered to every probe under every condition, first sample.",
    CORPUS,
    MODEL,
    CONDITION,
    *ANSWER,
    key=("corpus", "model", "condition", "probe_id"),
)
SAMPLES = Contract(
    "control2/samples",
    "Every sample of the answers given with no document.",
    CORPUS,
    MODEL,
    ANSWER[0],
    whole("sample", "the sample, counted from 0"),
    *ANSWER[1:],
    key=("corpus", "model", "probe_id", "sample"),
)
PREFERENCES = Contract(
    "control2/preferences",
    "What every model prefers on every probe with no document, over all samples.",
    CORPUS,
    MODEL,
    text("probe_id", "the probe"),
    whole("samples", "how often it was asked", low=1),
    whole("answered", "how many of these were answered"),
    share("true_share", "answers that name the true text", missing=True),
    share("first_share", "answers that name the text shown first", missing=True),
    key=("corpus", "model", "probe_id"),
)
VALIDITY = Contract(
    "control2/validity",
    "How every model answered under every condition, and whether the probe is valid for it.",
    CORPUS,
    MODEL,
    CONDITION,
    whole("n", "probes asked, without those left out", unit="probes"),
    whole("n_left_out", "probes left out by the study's decision", unit="probes", shown=""),
    whole("correct", "probes answered rightly", unit="probes"),
    whole("wrong", "probes answered wrongly", unit="probes"),
    whole("abstained", "probes declined", unit="probes"),
    whole("unparseable", "probes with no readable answer", unit="probes"),
    share("accuracy", "right answers of all probes; none where nothing was answered", missing=True),
    ACCURACY,
    share("coverage", "probes answered; none where all are left out", missing=True),
    *interval(
        "bound",
        "right answers of all probes if every silent one were wrong, or right (Manski)",
        share("accuracy", "", missing=True),
    ),
    *interval("wilson", "Wilson's 95 % interval of accuracy_answered", ACCURACY),
    p_value("binomial_p", "exact one-sided p of accuracy_answered against chance", missing=True),
    flag("valid_point", "valid by the rule on the accuracy itself, read on none", missing=True),
    flag("valid_upper", "valid by the rule on its interval's upper end", missing=True),
    text("registered_rule", "the rule that decides", *RULES, shown=""),
    flag("valid", "valid by the registered rule", missing=True),
    share("first_option_share", "answers that name the text shown first", missing=True),
    number(
        "neighbours",
        "answers that count as one, judged by how often neighbours in the log differ",
        low=1,
        missing=True,
    ),
    p_value(
        "p_solves", "binomial_p, neighbours counted as one where larger; of none", missing=True
    ),
    p_value("p_solves_holm", "p_solves after Holm over corpora and models", missing=True),
    FAMILY,
    text(
        "finding",
        "whether the model solves the probe with no document",
        *SOLVING,
        shown="value:solving",
    ),
    text(
        "habit",
        "what all its answers with no document have in common",
        *HABITS,
        missing=True,
        shown="value:habit",
    ),
    key=("corpus", "model", "condition"),
)
EFFECTS = Contract(
    "control2/prior_bias",
    "What a document adds to right answers beyond the model's own preference.",
    CORPUS,
    MODEL,
    CONDITION,
    whole("samples", "samples behind each preference; 0 where it isn't admitted"),
    whole("n_pairs", "answered probes, each paired with its preference", unit="probes"),
    whole("n_prior_unknown", "of these, with no preference seen", unit="probes"),
    ACCURACY,
    share("prior_true", "mean preference for the true text", missing=True),
    share("prior_first", "mean preference for the text shown first", missing=True),
    EFFECT,
    *interval("ci95", "Newcombe's 95 % interval of effect", EFFECT, ("low", "high")),
    p_value("p_effect", "exact sign-flip p over the pairs whose preference was seen", missing=True),
    p_value(
        "p_effect_holm", "p_effect after Holm over corpora, models and documents", missing=True
    ),
    FAMILY,
    text(
        "finding",
        "what the document does beyond the preference",
        *EFFECTS_FOUND,
        shown="value:effect",
    ),
    key=("corpus", "model", "condition"),
)

TABLES = (PROBES, ANSWERS, SAMPLES, PREFERENCES, VALIDITY, EFFECTS)
