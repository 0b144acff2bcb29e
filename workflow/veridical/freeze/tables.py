"""The log of deviations, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, text

DEVIATIONS = Contract(
    "deviations",
    "Departures from what was sealed, in the order logged (data/freeze/<study>/deviations.csv).",
    text("date", "the day on which it was logged, ISO"),
    text("stage", "the stage that departs"),
    text("what", "what is done otherwise than was sealed"),
    text("why", "the reason"),
    text("effect", "what it changes in the results"),
    text("manifest_before", "SHA-256 of the stage's record before; `lost:` before it: it was gone"),
    text("manifest_after", "SHA-256 of the stage's record after; the same where no file differs"),
)
