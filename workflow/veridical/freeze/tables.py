"""The log of deviations, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, text

TIMES = Contract(
    "timestamps",
    "What proves from outside when a record existed (data/freeze/<study>/timestamps.csv).",
    text("stage", "the stage: `study`, a part's (`vpe-design`), or the closing one, `results`"),
    text("record", "SHA-256 of the stage's record"),
    text("kind", "what kind of proof", "rfc3161", "opentimestamps", "tag"),
    text("authority", "who attests: an authority, a calendar, a Bitcoin block; or the git tag"),
    text(
        "state",
        "attested; pending: promised by a calendar; block: a Bitcoin block whose header is not at "
        "hand; named: a git tag names the record",
        "attested",
        "pending",
        "block",
        "named",
    ),
    text("time", "by when the record existed, ISO, UTC; empty unless attested", missing=True),
)

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
    text(
        "parts",
        "the parts of the study that it concerns, by their keys, a blank between two; empty: the "
        "study as a whole. A log begun before this was recorded has no such column",
        optional=True,
    ),
)
