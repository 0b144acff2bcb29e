"""The tables on the memory documents, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, flag, text, whole

FIDELITY = Contract(
    "documents/fidelity",
    "Checks of every memory document against the real block: length, form, what it shares.",
    text("document", "the document's name"),
    text("check", "what is checked", shown="value:check"),
    text("value", "what was found"),
    text("limit", "what is required"),
    flag("passed", "whether it holds"),
    text("note", "what fails, by name"),
    key=("document", "check"),
    of="corpus",
)
ATTEMPTS = Contract(
    "documents/attempts",
    "Every attempt at every foreign counterfeit, and which one is used.",
    text("document", "the document's name"),
    whole("attempt", "the attempt, counted from 1", low=1),
    text("reason", "why it was made, as the config says; empty for the first"),
    flag("used", "whether the document is this one"),
    whole("characters", "its length", unit="characters"),
    text("failed_checks", "the checks that it failed"),
    text("served_model", "the author model as the server named it", missing=True),
    key=("document", "attempt"),
    of="corpus",
)

TABLES = (FIDELITY, ATTEMPTS)
