"""Control 3's tables, one line a column."""

from __future__ import annotations

from dataclasses import replace

from veridical.base.columns import difference
from veridical.base.contract import (
    Column,
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
from veridical.choices.columns import answered
from veridical.choices.habits import HABITS
from veridical.control3.arms import ARMS

DOCUMENTS = ("veridical", "corrupted", "none")
PARTS = ("correct", "wrong", "abstained", "unparseable")
TESTED = ("tested", "not testable", "missing")
FINDINGS = (
    "follows",
    "uses",
    "against",
    "not shown",
    "not readable",
    "not testable",
    "missing",
)
FLAGGED = "flagged"  # the state of an answer that something is wrong with the document
WITHOUT = ("beats chance", "doubtful", "not shown", "not testable")

CORPUS = text("corpus", "the corpus: one agent's recorded life")
MODEL = text("model", "the model's name in the study")
PROBE = text("probe_id", "the probe")

SYMMETRY = Contract(
    "control3/symmetry",
    "Checks, made before anything is asked, that no partner can be told but from the document.",
    CORPUS,
    text("check", "what is checked", shown="value:check"),
    text("value", "what was found"),
    text("limit", "what is required"),
    flag("passed", "whether it holds"),
    text("note", "what fails, by name"),
    text("asked", "what is asked for: `partner`, or the attribute of a life", missing=True),
    key=("corpus", "check"),
)
PROBES = Contract(
    "control3/probes",
    "The symmetric probes: with whom was this topic discussed?",
    PROBE,
    CORPUS,
    text("encounter_id", "the encounter asked about"),
    text("topic", "its topic"),
    text("true_partner", "its partner"),
    text("options", "the partners as offered, a JSON list"),
    whole("true_position", "the true partner's place among them, from 1", low=1),
    text("question", "the question in words of its own", missing=True, optional=True),
    key=("corpus", "probe_id"),
)
ANSWERS = Contract(
    "control3/answers",
    "What every model answered to every probe under every document.",
    CORPUS,
    MODEL,
    text("document", "the memory document it was given", shown="value:document"),
    PROBE,
    whole(
        "place",
        "where the probe's encounter stands in the memory document",
        low=1,
        missing=True,
        shown="",
    ),
    *answered(),
    key=("corpus", "model", "document", "probe_id"),
)


def _counts(document: str, part: str) -> Column:
    """How many probes under a document were answered so."""
    shown: str | Shown = "int" if part == "abstained" else ""
    if part == "correct":
        whole_of = ("none_correct",) if document == "none" else (f"{document}_correct", "n")
        shown = Shown(f"{document}_correct", "int" if document == "none" else "count", whole_of)
    said = {"correct": "answered rightly", "wrong": "answered wrongly", "abstained": "declined"}
    under = "with no document" if document == "none" else f"under the {document} document"
    says = f"probes {said.get(part, 'with no readable answer')} {under}"
    return whole(f"{document}_{part}", says, unit="probes", shown=shown)


def _bounds(document: str) -> tuple[Column, Column]:
    """What silence under a document leaves open."""
    of = share("bound", "", missing=True)
    says = f"right of all probes, {document} document, every silent one wrong, or right (Manski)"
    low, high = interval(f"{document}_bound", says, of)
    return replace(low, shown=None) if document != "none" else low, high


DELTA = difference(
    "delta",
    "right answers of all probes under the veridical less those under the corrupted document",
    missing=True,
    shown="points",
)
CELLS = Contract(
    "control3/cells",
    "Do the answers follow the document? One row a model, corpus and corrupted document.",
    CORPUS,
    MODEL,
    text(
        "corrupted_document",
        "the corrupted document's name",
        shown=Shown("corrupted_document", several=True),
    ),
    whole("n", "probes a document, without those left out", unit="probes"),
    whole(
        "n_left_out",
        "probes left out under every document, by the study's decision about one",
        unit="probes",
        shown="",
    ),
    *(_counts(document, part) for document in DOCUMENTS for part in PARTS),
    whole("none_answered", "probes answered with no document", unit="probes"),
    share("veridical_accuracy", "right of all probes, veridical document", missing=True, shown=""),
    share("corrupted_accuracy", "right of all probes, corrupted document", missing=True, shown=""),
    share("none_accuracy_answered", "right of answered, no document", missing=True, shown=""),
    whole("b", "probes right under the veridical document alone", missing=True, unit="probes"),
    whole("c", "probes right under the corrupted document alone", missing=True, unit="probes"),
    whole("both", "probes right under both", missing=True, unit="probes", shown=""),
    whole("neither", "probes right under neither", missing=True, unit="probes", shown=""),
    DELTA,
    *interval(
        "delta_ci95", "Newcombe's 95 % interval of delta", DELTA, ("delta_low", "delta_high")
    ),
    share("discordant_share", "b of b + c", missing=True),
    p_value("p_exact", "exact McNemar p, two-sided", missing=True),
    p_value("p_mid", "its mid-p", missing=True),
    p_value("p_holm", "p_exact after Holm's correction over the corpus's m cells"),
    whole("m", "cells of the corpus's family", low=1, unit="cells"),
    flag("survives", "whether p_holm is at most 0.05"),
    share(
        "chance",
        "what naming one partner throughout makes right: one in as many as there "
        "are; in a life, where values differ in frequency, the share of the most frequent",
        shown="",
    ),
    p_value(
        "none_p",
        "exact one-sided p against chance with no document (in a life, over all "
        "matchings of these answers and values)",
        missing=True,
    ),
    flag("valid", "whether chance is not beaten with no document", missing=True),
    share("follows_corrupted", "wrong answers that name the document's partner", missing=True),
    whole("corrupted_named", "answers that name it", missing=True, unit="probes", shown=""),
    share(
        "first_option_share", "answers that name the option offered first", missing=True, shown=""
    ),
    share("one_name_share", "answers that name the partner named most", missing=True, shown=""),
    text("tested", "whether the cell could be tested", *TESTED, shown="value:tested"),
    *(end for document in DOCUMENTS for end in _bounds(document)),
    whole("agreeing", "answers with the partner of the document at hand", unit="probes", shown=""),
    number(
        "neighbours",
        "answers that count as one, judged by how often neighbours in the document differ",
        low=1,
        missing=True,
    ),
    whole("cells", "cells of the study, over which each rule is corrected", low=1, shown=""),
    *(
        p_value(f"p_{name}{end}", f"{says}{after}", missing=not end, shown="" if not end else "p")
        for name, says in (
            ("use", "largest p of the tests that the answers use the document"),
            ("follow", "the same, that they follow it, true or false"),
            ("against", "the same, that they go against it"),
        )
        for end, after in (("", ""), ("_holm", ", after Holm over the study's cells"))
    ),
    p_value("p_without", "one-sided p of the answers with no document", missing=True, shown=""),
    p_value("p_without_holm", "the same after Holm over models and corpora"),
    text(
        "without",
        "whether chance explains the answers with no document",
        *WITHOUT,
        shown="value:without",
    ),
    text("finding", "what follows from the cell", *FINDINGS, shown="value:finding"),
    text(
        "habit", "what all its answers have in common", *HABITS, missing=True, shown="value:habit"
    ),
    key=("corpus", "model", "corrupted_document"),
)

BESIDE = Contract(
    "control3/beside",
    "What models answered beside the registered probes: with no way out, in the other order, or "
    "in a form that can say that something is wrong.",
    CORPUS,
    MODEL,
    text("arm", "how it was asked", *ARMS, shown="value:arm"),
    text("document", "the memory document it was given", shown="value:document"),
    PROBE,
    whole("place", "where the probe's encounter stands in the memory block", low=1, missing=True,
          shown=""),
    *answered(FLAGGED, document_partner=False),
    key=("corpus", "model", "arm", "document", "probe_id"),
)  # fmt: skip
FORCED = Contract(
    "control3/forced",
    "With no document and no way out: does the partner named beat chance?",
    CORPUS,
    MODEL,
    whole("n", "probes asked", unit="probes"),
    whole("correct", "answered rightly", unit="probes"),
    whole("wrong", "answered wrongly", unit="probes"),
    whole("unanswered", "with no readable answer all the same", unit="probes"),
    number("chance", "one in as many as there are partners; in a life, the most frequent value's "
           "share", low=0, high=1, shown=""),
    number("neighbours", "answers that count as one, by how often neighbours differ", low=1),
    p_value("p", "exact one-sided p against chance", missing=True),
    p_value("p_holm", "the same after Holm over models and corpora"),
    text("finding", "what follows", "beats chance", "not shown", "not testable",
         shown="value:without"),
    key=("corpus", "model"),
)  # fmt: skip
SHARE_FLAGGED = share("flagged_share", "of the probes asked, those flagged")
NOTICING = Contract(
    "control3/noticing",
    "How often a model says that something is wrong with its document, where a form lets it.",
    CORPUS,
    MODEL,
    text("document", "the memory document it was given", shown="value:document"),
    whole("n", "probes asked", unit="probes"),
    whole("flagged", "answered that something is wrong", unit="probes"),
    whole("named", "answered with a partner", unit="probes"),
    whole("abstained", "declined", unit="probes"),
    whole("unparseable", "with no readable answer", unit="probes"),
    SHARE_FLAGGED,
    *interval("flagged_ci95", "Wilson's 95 % interval of that share", SHARE_FLAGGED,
              ("flagged_low", "flagged_high")),
    key=("corpus", "model", "document"),
)  # fmt: skip
ORDERS = Contract(
    "control3/orders",
    "The same probe with the partners offered in either order: is it answered alike?",
    CORPUS,
    MODEL,
    text("document", "the memory document it was given", shown="value:document"),
    whole("n", "probes asked both ways", unit="probes"),
    whole("both", "answered both times", unit="probes"),
    whole("same", "of these, with the same partner", unit="probes"),
    whole("first_twice", "of these, with the partner offered first both times", unit="probes"),
    key=("corpus", "model", "document"),
)

STALE = Contract(
    "control3/stale",
    "Facts of a life that changed: is the value named that holds, or the one that it replaced?",
    CORPUS,
    MODEL,
    text("document", "the memory document it was given", shown="value:document"),
    whole("n", "probes asked", unit="probes"),
    whole("latest", "answered with the value that holds", unit="probes"),
    whole("stale", "answered with the value that it replaced", unit="probes"),
    whole("other", "answered with another value", unit="probes"),
    whole("abstained", "declined", unit="probes"),
    whole("unparseable", "with no readable answer", unit="probes"),
    key=("corpus", "model", "document"),
)

TABLES = (SYMMETRY, PROBES, ANSWERS, CELLS, BESIDE, FORCED, NOTICING, ORDERS, STALE)
