"""The tables of the fault zoo, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, flag, interval, number, share, text, whole
from veridical.models.exchange import STATES

SUBJECT = text("subject", "the fault, or the kind of sound memory", shown="value:subject")
SIDE = text(
    "side",
    "where the fault sits; `none`: there is no store",
    "write",
    "read",
    "none",
    "sound",
    shown="value:side",
)
INSTRUMENT = text("instrument", "the instrument", shown="value:instrument")
STRENGTH = number("strength", "the fault's strength", unit="share", low=0, high=1, missing=True)
GROUP = text(
    "group",
    "whose it is; `together`: several at once",
    "ours",
    "others",
    "yours",
    "together",
    shown="value:group",
)
SHARE = share("share", "studies in which the instrument noticed something")
COUNTED = (
    whole("studies", "seeded studies", low=1),
    whole("noticed", "those in which the instrument noticed something"),
    SHARE,
    *interval("interval", "that share, Wilson 95 %", SHARE, ("low", "high")),
)

RATES = Contract(
    "zoo/rates",
    "Every memory under every instrument: in how many studies it noticed something.",
    SUBJECT,
    SIDE,
    STRENGTH,
    INSTRUMENT,
    GROUP,
    *COUNTED,
    flag("seen", "a fault that is noticed in four studies of five"),
    key=("subject", "instrument"),
)
FALSE = share("false_share", "the share of false alarms on the sound memory where it is highest")
INSTRUMENTS = Contract(
    "zoo/instruments",
    "One number an instrument: the faults that it notices in four studies of five.",
    INSTRUMENT,
    GROUP,
    text(
        "kind", "decides by a rule of its own, or scores", "decides", "scores", shown="value:kind"
    ),
    whole("faults", "faults planted", low=1),
    whole("seen", "faults noticed in four studies of five; 0 where it is void"),
    share("seen_share", "the same, of all faults"),
    FALSE,
    *interval("false", "that share, Wilson 95 %", FALSE, ("false_low", "false_high")),
    text("false_on", "the sound memory on which that is", shown="value:subject"),
    flag("void", "whether its false alarms are surely more than 5 %, so that nothing counts"),
    key=("instrument",),
)
FAULT_TABLE = Contract(
    "zoo/faults",
    "Every fault: who notices it, and from which strength on.",
    SUBJECT,
    SIDE,
    STRENGTH,
    share("controls_share", "studies in which one of the controls noticed it"),
    share("recall_share", "studies in which recall@k noticed it"),
    text(
        "by",
        "the instruments that notice it in four studies of five",
        missing=True,
        shown="",
    ),
    share("controls_from", "lowest strength from which the controls notice it", missing=True),
    share("recall_from", "lowest strength from which recall@k notices it", missing=True),
    key=("subject",),
)
POWER = Contract(
    "zoo/power",
    "Every fault at several strengths, under every instrument.",
    SUBJECT,
    STRENGTH,
    INSTRUMENT,
    *COUNTED,
    key=("subject", "strength", "instrument"),
)
THRESHOLDS = Contract(
    "zoo/thresholds",
    "What the sound memories score, and below which score a memory is called faulty.",
    text("store", "the kind of sound memory", shown="value:subject"),
    INSTRUMENT,
    whole("studies", "sound studies that the threshold is set by"),
    number("mean", "mean score of the sound memory", missing=True),
    number("threshold", "below it a memory is called faulty; none: too few studies", missing=True),
    key=("store", "instrument"),
)
VERDICTS = Contract(
    "zoo/verdicts",
    "Every distinct answer that was judged, whatever memory it is from, and the judge's verdict.",
    text("judge", "the model that judged"),
    text("question", "the probe's question"),
    text("expected", "the right answer, as the judge was shown it"),
    text("reply", "what was answered, as the judge was shown it"),
    flag("matched", "whether the right name stands in it, word for word"),
    text("state", "what became of the judge's reply", *STATES, shown="value:state"),
    flag("right", "whether the judge called it right; not where its reply can't be read"),
    whole("times", "answers of the judged studies that say the same"),
    key=("question", "expected", "reply"),
)

TABLES = (RATES, INSTRUMENTS, FAULT_TABLE, POWER, THRESHOLDS, VERDICTS)
