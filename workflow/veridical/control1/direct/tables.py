"""The tables of direct pairs, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, interval, number, p_value, share, text, whole
from veridical.control1.lacking import REFUSED, UNREAD
from veridical.control1.tables import (
    CELL,
    CONTRAST,
    CORPUS,
    JUDGE,
    METRIC,
    REASONS,
    RESPONDER,
    SENSITIVE,
    SHEET,
)

NEITHER = "neither"
PREFERRED = ("own", "other", NEITHER)
OWN, OTHER = "prefers own", "prefers other"
SAME = "indifferent"
FINDINGS = (OWN, OTHER, SAME, "inconclusive", "not testable", "too few items", REFUSED, UNREAD)
CONSTANT = "constant"
# Why a verdict is incomplete: besides, what the object names on a metric.
WHY = (*REASONS, "no choice", "no side")

CHOICES = Contract(
    "control1/choices",
    "Which of two answers every judge preferred, one row a sheet and metric, unblinded.",
    *SHEET,
    METRIC,
    text("own_position", "where the answer given with the agent's own memory stood", "A", "B"),
    text("preferred", "that answer, the other, or neither of them", *PREFERRED, missing=True,
         shown="value:preferred"),
    text("state", "whether a side, or neither, was named on every metric", "complete",
         "incomplete"),
    text("reason", "why the verdict is incomplete; empty where it is complete", *WHY),
    text("at", "which metric that is about", missing=True),
    whole("attempt", "how often the judge was asked", low=1, missing=True),
    text("rationale", "the judge's reason in its own words, where asked for", missing=True),
    text("served_model", "the model as the server named it", missing=True),
    key=("sheet_id", "metric"),
)  # fmt: skip
SHARE = share("share", "preferences for the own memory's answer; neither counts half",
              missing=True)  # fmt: skip
LEANS = (
    whole("toward", "items that lean to the own memory's answer", unit="items"),
    whole("away", "items that lean to the other", unit="items"),
    whole("level", "items that lean to neither", unit="items"),
)
PREFERENCES = Contract(
    "control1/preferences",
    "Which answer the panel prefers on every metric and kind of counterfeit, at its stated rate.",
    RESPONDER,
    CORPUS,
    METRIC,
    CONTRAST,
    whole("n_items", "items whose pair judges saw; 0 of what was not analysed", unit="items"),
    whole("n_documents", "documents of the kind; 0 of what was not analysed", unit="documents"),
    SHARE,
    *interval("share_interval", "95 % t interval of the share, over items", SHARE,
              ("share_low", "share_high")),
    number("document_low", "the lowest share of a single document", unit="share", low=0, high=1,
           missing=True, shown="share"),
    number("document_high", "the highest share of a single document", unit="share", low=0, high=1,
           missing=True, shown="share"),
    *LEANS,
    p_value("p_sign", "two-sided exact p of the items' leans (sign test)", missing=True),
    p_value("p_flips", "two-sided p of one half, by sign flips over items", missing=True, shown=""),
    p_value("p_adjusted", "the same over the study's rows (step-down maxT)"),
    p_value("p_same", "largest p of two one-sided flips at the margin, and of the quoted pairs",
            missing=True, shown=""),
    p_value("p_same_hochberg", "the same after Hochberg over the study's rows"),
    text("sensitive", "whether the panel preferred the own memory where it is quoted", *SENSITIVE,
         shown="value:finding"),
    text("finding", "what follows", *FINDINGS, shown="value:finding"),
    key=(*CELL, "metric", "contrast"),
)  # fmt: skip
ALONE = Contract(
    "control1/alone",
    "Every judge by itself: which answer it prefers, by an exact sign test over items.",
    JUDGE,
    RESPONDER,
    CORPUS,
    METRIC,
    CONTRAST,
    whole("n_items", "items of which it saw the pair", unit="items"),
    SHARE,
    *LEANS,
    p_value("p_sign", "two-sided exact p of the items' leans (sign test)"),
    p_value("p_sign_holm", "the same after Holm over the study's judges, metrics and kinds"),
    text("finding", "what follows", OWN, OTHER, "not shown", "too few items",
         shown="value:finding"),
    key=("judge", *CELL, "metric", "contrast"),
)  # fmt: skip
PANEL = Contract(
    "control1/panel",
    "The panel as an instrument: does it prefer its own memory quoted, and does a place matter?",
    CORPUS,
    METRIC,
    text("test", "what is tested", "quoted", "place", shown="value:test"),
    whole("n", "pairs known by construction, or items shown in both orders", low=1),
    share("share", "of the own memory quoted, or of what stands first"),
    p_value("p", "by sign flips around one half: one-sided of quoted, else two-sided",
            missing=True),
    p_value("p_adjusted", "the same over metrics and corpora (step-down maxT)"),
    text("finding", "what follows", "sensitive", "not sensitive", "matters", "not shown",
         shown="value:finding"),
    key=("corpus", "metric", "test"),
)  # fmt: skip
CHOOSERS = Contract(
    "control1/choosers",
    "How each judge chose: by place, by neither, and the same again or not.",
    JUDGE,
    METRIC,
    whole("sheets", "complete verdicts", low=1, unit="verdicts"),
    whole("incomplete", "verdicts that stayed incomplete", unit="verdicts"),
    share("first", "of sheets on which it named a side, those on which it named the first",
          missing=True),
    share("neither", "sheets on which it named neither"),
    whole("both_orders", "pairs that it was shown in both orders", unit="pairs"),
    share("same_answer", "of these, the same answer preferred in both, or neither twice",
          missing=True),
    whole("given_twice", "sheets that it was given twice", unit="sheets"),
    share("chosen_again", "of these, the same choice both times", missing=True),
    whole("n_quoted", "pairs known by construction", unit="pairs"),
    share("quoted", "of these, preferences for the own memory; neither counts half",
          missing=True),
    text("note", "constant where it chose the same on every sheet", "", CONSTANT,
         shown="value:note"),
    key=("judge", "metric"),
)  # fmt: skip
