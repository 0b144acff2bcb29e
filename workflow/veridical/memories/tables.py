"""The tables of the memory systems, one line a column."""

from __future__ import annotations

from veridical.base.columns import difference
from veridical.base.contract import (
    Contract,
    flag,
    interval,
    number,
    p_value,
    share,
    text,
    whole,
)
from veridical.choices.columns import answered
from veridical.memories.cells import VERDICTS
from veridical.memories.receipts import KEPT
from veridical.memories.stages import STAGES

SYSTEM = text("system", "the memory system's name in the study")
CORPUS = text("corpus", "the corpus")
DOCUMENT = text("document", "the document that was ingested into the bank", shown="value:document")
READER = text(
    "reader", "who answered: `ideal`, `itself` (a system that does) or a model of the study"
)
PROBE = text("probe_id", "the probe")
WHERE = (SYSTEM, CORPUS)

HYGIENE = Contract(
    "memories/hygiene",
    "What was checked of every memory system before anything was asked of it.",
    *WHERE,
    text("check", "what was checked", shown="value:check"),
    text(
        "state",
        "ok, fault (none of its cells is admitted) or note",
        "ok",
        "fault",
        "note",
        shown="value:state",
    ),
    text("words", "what is wrong, in words", missing=True),
)
BANKS = Contract(
    "memories/banks",
    "The receipt of every bank: what was given, what was accepted, what the store holds of it.",
    *WHERE,
    DOCUMENT,
    text("version", "the version that the system says it has", missing=True),
    text(
        "writes", "whether it stores what it is given or extracts from it", missing=True, shown=""
    ),
    text("state", "whether the bank could be ingested", "ok", "failed", shown=""),
    whole("given", "events given, the canary among them"),
    whole("accepted", "events that the system says it accepted", missing=True),
    flag("ready", "whether it said that it had settled", missing=True, shown=""),
    whole(
        "pending", "events still on their way when it was asked to settle", missing=True, shown=""
    ),
    whole("entries", "entries of the document", shown=""),
    *(
        whole(kept, f"entries that the store holds {words}", missing=True)
        for kept, words in zip(
            KEPT,
            (
                "as they are",
                "bound to another partner, or value",
                "with no partner or value, or several",
                "not at all",
            ),
            strict=True,
        )
    ),
    whole("invented", "lines of the store that are about no entry and weren't told", missing=True),
    flag("canary_found", "whether the bank's own canary was recalled", missing=True, shown=""),
    text("leaks", "the documents whose canaries came out of this bank", missing=True),
    flag("admitted", "whether the treatment is known to have arrived"),
    text("reason", "why it is not admitted", missing=True),
    number("seconds", "from the first event to settled", unit="s", low=0, missing=True),
    number("slowest", "the slowest event", unit="s", low=0, missing=True, shown=""),
    whole("calls", "calls of models that the ingestion took", missing=True),
    whole("tokens", "tokens read and written by them", missing=True),
    text("chain", "SHA-256 over everything ingested, event by event", shown=""),
    key=("system", "corpus", "document"),
)
ENTRIES = Contract(
    "memories/entries",
    "Every entry of every bank whose store can be dumped, as the store holds it.",
    *WHERE,
    DOCUMENT,
    text("event_id", "the event"),
    text("topic", "what the entry is about"),
    text("partner", "whom (of a life: what) the document names"),
    text("kept", "how the store holds it", *KEPT, shown="value:kept"),
    text("held", "the store's line about it, at most 300 characters", missing=True),
    key=("system", "corpus", "document", "event_id", "topic"),
)
RECALLS = Contract(
    "memories/recalls",
    "Every recall: what came back for a probe from a bank.",
    *WHERE,
    DOCUMENT,
    PROBE,
    text("topic", "what it asks about"),
    text("state", "whether anything could be recalled", "ok", "failed"),
    whole("items", "items that came back", missing=True),
    whole("mentioned", "place of the first item that mentions the topic", low=1, missing=True),
    whole("rank", "place of the first item bound as the document has it", low=1, missing=True),
    flag("stored", "whether the store holds the entry as it is", missing=True),
    number("seconds", "how long the recall took", unit="s", low=0, missing=True),
    text("words", "why it failed", missing=True),
    text("recalled", "what came back, one item a line, each at most 300 characters", missing=True),
    key=("system", "corpus", "document", "probe_id"),
)
ANSWERS = Contract(
    "memories/answers",
    "Every reader's answer to every probe from every bank.",
    *WHERE,
    READER,
    DOCUMENT,
    PROBE,
    *answered(),
    key=("system", "corpus", "reader", "document", "probe_id"),
)
SAYS = {
    "stored": "entries intact in the store",
    "found": "probes whose entry is among the items recalled, bound as the document has it",
    "followed": "found probes answered as the document has it",
    "right": "probes answered as the document has it",
}


def _stage(name: str) -> tuple:
    shown = share(f"{name}_share", SAYS[name], missing=True)
    return (
        whole(name, SAYS[name], missing=True, shown=""),
        whole(f"{name}_of", f"what `{name}` is counted of", shown=""),
        shown,
        *interval(name, f"{SAYS[name]}, Wilson 95 %", shown),
    )


STAGE_TABLE = Contract(
    "memories/stages",
    "Where memory broke: stored, found and followed under every document.",
    *WHERE,
    READER,
    DOCUMENT,
    *(column for name in STAGES for column in _stage(name)),
    whole("lucky", "answers as the document has it although the entry was not found"),
    text(
        "broke",
        "the stage that lost most of what the one before had kept",
        *STAGES[:3],
        missing=True,
        shown="value:stage",
    ),
    key=("system", "corpus", "reader", "document"),
)
CURVE = Contract(
    "memories/curve",
    "Found among the first k items.",
    *WHERE,
    DOCUMENT,
    whole("k", "items looked at", low=1),
    *_stage("found"),
    key=("system", "corpus", "document", "k"),
)
DIFFER = share("differ_share", "probes that two equal banks answer differently")
SHAM = Contract(
    "memories/sham",
    "How often two banks with the same events disagree: the system's own noise.",
    *WHERE,
    READER,
    whole("n", "probes"),
    whole("recalls_differ", "probes whose recalls from the two are not the same"),
    whole("answers_differ", "probes that the two answer differently"),
    DIFFER,
    *interval("differ", "probes that two equal banks answer differently, Wilson 95 %", DIFFER),
    whole("discordant", "probes right from one of the two alone", shown=""),
    whole("m", "cells in the family", low=1, shown=""),
    share("smallest", "smallest difference that this design can claim beside it", missing=True),
    key=("system", "corpus", "reader"),
)
DELTA = difference(
    "delta",
    "right from the true bank less right from the swapped one, as a share of the probes",
    missing=True,
)
CELLS = Contract(
    "memories/cells",
    "Control 3 through every store: do answers follow what went into the bank?",
    *WHERE,
    READER,
    text(
        "swapped_document",
        "the document with the partners, or the values, exchanged",
        shown="value:document",
    ),
    whole("n", "probes a bank, without those left out"),
    whole("n_left_out", "probes left out from every bank, by the study's decision", shown=""),
    *(
        whole(
            f"{bank}_{part}",
            f"probes {said} from the {bank} bank",
            shown="int" if part == "right" else "",
        )
        for bank in ("true", "swapped", "empty")
        for part, said in (("right", "answered as the life was"), ("answered", "answered"))
    ),
    whole("swapped_named", "answers from the swapped bank that name its partner"),
    share("chance", "one partner in so many; of a life, the largest share of one value", shown=""),
    flag("admitted", "whether the treatment is known to have arrived in all three banks", shown=""),
    text("reason", "why it is not admitted", missing=True),
    whole("b", "probes right from the true bank alone", missing=True),
    whole("c", "probes right from the swapped bank alone", missing=True),
    DELTA,
    *interval("delta", "that difference, Newcombe 95 %", DELTA),
    p_value("p_mcnemar", "exact McNemar, two-sided", missing=True, shown=""),
    *(
        p_value(
            f"{name}{end}",
            said + (", Holm over the cells" if end else ""),
            shown="p" if f"{name}{end}" in ("p_use_holm", "p_follow_holm") else "",
        )
        for name, said in (
            ("p_use", "more right from the true bank, and as the bank has it beyond chance"),
            ("p_follow", "that, and of each bank's probes more than 55 % answered as it has it"),
            ("p_against", "more right from the swapped bank, and as the bank has it below chance"),
            ("p_below", "right from the true bank less often than by chance"),
            ("empty_p", "right from the empty bank more often than by chance"),
        )
        for end in ("", "_holm")
    ),
    whole("m", "cells in the family", low=1, shown=""),
    flag(
        "sound",
        "whether chance explains its answers from an empty bank, even uncorrected; and where these "
        "are too few to tell, those from the swapped bank don't lean away from it",
        shown="",
    ),
    flag("alarm", "whether it is right less often than by chance from the true bank", shown=""),
    text("verdict", "what follows", *VERDICTS, shown="value:verdict"),
    key=("system", "corpus", "reader", "swapped_document"),
)
COSTS = Contract(
    "memories/costs",
    "What writing and reading took.",
    *WHERE,
    whole("events", "events ingested, over all banks"),
    number("event_seconds", "seconds an event", unit="s", low=0, missing=True),
    number("slowest", "the slowest event", unit="s", low=0, missing=True),
    whole("recalls", "recalls, over all banks"),
    number("recall_seconds", "seconds a recall", unit="s", low=0, missing=True),
    whole("calls", "calls of models that writing took"),
    whole("tokens", "tokens that those calls read and wrote"),
    key=("system", "corpus"),
)

CONTEXTS = Contract(
    "memories/contexts",
    "What Controls 1 and 2 were given of each memory, where they go through a memory system.",
    text("part", "the control", "control1", "control2", shown="value:part"),
    *WHERE,
    DOCUMENT,
    whole("questions", "questions that the bank was asked"),
    whole("empty", "questions to which nothing came back"),
    number("characters", "median length of what came back", low=0, missing=True),
    flag("admitted", "whether the treatment is known to have arrived"),
    text("reason", "why it is not admitted", missing=True),
    key=("part", "corpus", "document"),
)

TABLES = (
    *(HYGIENE, BANKS, ENTRIES, RECALLS, ANSWERS, STAGE_TABLE, CURVE, SHAM, CELLS, COSTS),
    CONTEXTS,
)
