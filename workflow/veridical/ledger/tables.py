"""What the ledger puts into a study's tables."""

from __future__ import annotations

from veridical.base.contract import Contract, text, whole

SERVED = Contract(
    "served",
    "Under which name each model's server answered (results/<study>/served.csv): one row a stage, "
    "model and name.",
    text("stage", "the stage in which it was asked: author, trial, responses or verdicts"),
    text("model", "the model, as the study calls it"),
    text("provider", "who serves it"),
    text("asked", "the name that it was asked for by"),
    text("served", "the name that the server gave it; empty where it gave none", missing=True),
    whole("n_replies", "the replies that came under that name"),
    text("first", "when the first of them came, ISO, UTC; empty where it isn't kept", missing=True),
    text("last", "when the last of them came", missing=True),
    key=("stage", "model", "asked", "served"),
)
