"""What the page says of what was sealed: every seal, when it was set, and on whose word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from veridical.base.contract import Shown
from veridical.freeze.chain import CLOSING, KINDS, STUDY, kind_of, part_of
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate
from veridical.report.wording import Wording

SHOWN = (
    Shown("stage"),
    Shown("hash"),
    Shown("files", "int"),
    Shown("holds", "flag"),
    Shown("note"),
)


def last_seal(study: Study) -> dict[str, str] | None:
    """The seal that holds all others by their hashes, and whether all that is sealed still holds:
    the closing one, or else the study's own; of a chain without parts its first."""
    ends = (CLOSING, STUDY) if STUDY in study.receipts else (KINDS[0],)
    found = [study.receipts[stage] for stage in ends if stage in study.receipts]
    if not found:
        return None
    changed = any(study.changes.values())
    return {"hash": found[0]["sha256"], "state": "seal_changed" if changed else "seal_verified"}


def seals(study: Study, words: Wording) -> Table | None:
    """What was sealed, one row a stage: its hash, its files, whether they hold, what differs."""
    rows = [
        {
            "stage": stage_name(stage, study, words),
            "hash": record["sha256"],
            "files": record["files"],
            "holds": not study.changes.get(stage),
            "note": "; ".join(study.changes.get(stage, ())),
        }
        for stage, record in study.receipts.items()
    ]
    return tabulate(pd.DataFrame(rows), SHOWN, words, "freezes") if rows else None


def stage_name(stage: str, study: Study, words: Wording) -> str:
    """What a stage is called on the page: of a part, with the part's name before it."""
    if stage == CLOSING and STUDY in study.receipts:
        return words("page.closing_seal")
    named = words.value("stage", kind_of(stage))
    if not (part := part_of(stage)):
        return named
    return words("page.stage_of_part", part=words(f"parts.{part}.name"), stage=named)


def proofs_of_time(study: Study, words: Wording) -> list[str]:
    """A sentence for each proof of time that records have, the earliest that attests first; those
    that one authority attests in one.

    Where nobody outside attests a design's, the first sentence says so. Empty where nothing is
    sealed.
    """
    if not study.receipts:
        return []
    rows = study.times.to_dict("records")
    said = [_said(group, study, words) for group in _together(_to_tell(rows))]
    designs = [stage for stage in study.receipts if kind_of(stage) == KINDS[0]]
    attested = {
        stage: min(times)
        for stage in designs
        if (times := [row["time"] for row in rows if _attests(row) and row["stage"] == stage])
    }
    if not attested:
        return [words("page.times_own_word"), *said]
    if lacking := [stage for stage in designs if stage not in attested]:
        said = [words("page.times_some", stages=_names(lacking, study, words)), *said]
    return [*said, *_replies(attested, study, words)]


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


def _together(rows: Iterator[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Rows of which one sentence is said: the parts' designs that one authority speaks of."""
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        of_parts = kind_of(row["stage"]) == KINDS[0] or row["stage"]
        groups.setdefault((of_parts, row["state"], row["authority"]), []).append(row)
    return list(groups.values())


def _said(rows: list[dict[str, Any]], study: Study, words: Wording) -> str:
    """A sentence on stages that one authority speaks of; attested are all of them by the last."""
    last = max(rows, key=lambda row: row["time"] or "")
    when = {"when": _moment(last["time"], words)} if _attests(last) else {}
    stages = _names([row["stage"] for row in rows], study, words)
    text = f"page.times_{last['state']}"
    return words(text, stage=stages, authority=last["authority"], **when)


def _names(stages: list[str], study: Study, words: Wording) -> str:
    return words.join([stage_name(stage, study, words) for stage in stages])


def _replies(attested: Mapping[str, str], study: Study, words: Wording) -> list[str]:
    """Whether the first reply of each part says that it came before the time that is attested."""
    firsts = {stage: study.first_asked(part_of(stage)) for stage in attested}
    late = [stage for stage, first in firsts.items() if first and first[:19] < attested[stage][:19]]
    if not late:
        return [words("page.times_before_replies")]
    return [
        words("page.times_after_replies", first=_moment(firsts[stage], words))
        if not part_of(stage)
        else words(
            "page.times_after_replies_of",
            first=_moment(firsts[stage], words),
            part=words(f"parts.{part_of(stage)}.name"),
        )
        for stage in late
    ]


def _moment(iso: str, words: Wording) -> str:
    return f"{words.date(iso[:10])}, {iso[11:16]} UTC"
