"""What the page says of when the stages were sealed, and on whose word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veridical.report.study import Study
from veridical.report.wording import Wording


def proofs_of_time(study: Study, words: Wording) -> list[str]:
    """A sentence for each proof of time that a record has, the earliest that attests first.

    Where nobody outside attests the design's, the first sentence says so. Empty where nothing is
    sealed.
    """
    if not study.receipts:
        return []
    rows = study.times.to_dict("records")
    said = [_said(row, words) for row in _to_tell(rows)]
    attested = [row["time"] for row in rows if _attests(row) and row["stage"] == "design"]
    if not attested:
        return [words("page.times_own_word"), *said]
    return [*said, _replies(min(attested), study, words)]


def _attests(row: Mapping[str, Any]) -> bool:
    return row["state"] == "attested"


def _to_tell(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Of each stage the earliest attestation, or else all that is promised; and the tags."""
    for stage in dict.fromkeys(row["stage"] for row in rows):
        own = [row for row in rows if row["stage"] == stage]
        attested = [row for row in own if _attests(row)]
        if attested:
            yield min(attested, key=lambda row: (row["time"], row["authority"]))
        yield from (row for row in own if row["state"] == "named")
        yield from (row for row in own if row["state"] in ("pending", "block") and not attested)


def _said(row: Mapping[str, Any], words: Wording) -> str:
    stage = words.value("stage", row["stage"])
    when = {"when": _moment(row["time"], words)} if _attests(row) else {}
    return words(f"page.times_{row['state']}", stage=stage, authority=row["authority"], **when)


def _replies(attested: str, study: Study, words: Wording) -> str:
    """Whether the first reply says that it came before the time that is attested."""
    first = study.first_asked()
    if not first or first[:19] >= attested[:19]:
        return words("page.times_before_replies")
    return words("page.times_after_replies", first=_moment(first, words))


def _moment(iso: str, words: Wording) -> str:
    return f"{words.date(iso[:10])}, {iso[11:16]} UTC"
