"""Checks of what binds the records: the log of deviations, and the calls that were made."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pandas as pd

from veridical.base.files import file_sha256
from veridical.base.tables import table_text
from veridical.freeze.checks import Check
from veridical.freeze.deviations import read_deviations
from veridical.freeze.evidence import LOST, calls, known_records, superseded
from veridical.freeze.manifest import (
    Change,
    Manifest,
    log_path,
    log_sums_path,
    read_manifest,
    records_there,
)
from veridical.freeze.tables import DEVIATIONS
from veridical.ledger.file import LedgerError
from veridical.ledger.served import BEFORE_DESIGN


def check_deviations(study: str, root: Path | str = ".") -> Check:
    """Check the log of deviations against its own sums, against what the records say of it, and
    against the records that were replaced."""
    root = Path(root)
    name = log_path(study).as_posix()
    try:
        table = read_deviations(root / log_path(study))
    except ValueError as error:
        return Check("deviations", changes=(Change("changed", name, str(error)),))
    rows, there = table.to_dict("records"), manifests_there(study, root)
    changes = _check_log(study, there, table, root)
    changes += [
        Change("changed", f"{name}, entry {number}", f"no record has hash {sha256[:8]}")
        for number, row in enumerate(rows, start=1)
        for sha256 in dict.fromkeys((row["manifest_before"], row["manifest_after"]))
        if not sha256.startswith(LOST) and sha256 not in there
    ]
    named = {row["manifest_before"] for row in rows}
    changes += [
        Change("changed", name, f"no entry says why {path.name} was replaced")
        for sha256, path in superseded(study, root).items()
        if not _explained(sha256, there, named)
    ]
    return Check("deviations", "", len(table), tuple(changes))


def manifests_there(study: str, root: Path | str = ".") -> dict[str, Manifest]:
    """The records of a study that are there, those in force and those replaced, by SHA-256."""
    found = {}
    for path in [*records_there(study, root).values(), *superseded(study, root).values()]:
        with suppress(
            OSError, ValueError
        ):  # one that isn't there, or can't be read: told elsewhere
            found[file_sha256(path)] = read_manifest(path)
    return found


def _explained(sha256: str, there: Mapping[str, Manifest], named: set[str]) -> bool:
    """Whether an entry replaced a record, or one that it was sealed after."""
    if sha256 in named:
        return True
    earlier = there[sha256].follows.values() if sha256 in there else ()
    return any(_explained(each, there, named) for each in earlier)


def _check_log(
    study: str, there: Mapping[str, Manifest], table: pd.DataFrame, root: Path
) -> list[Change]:
    """The log against its sums, and against the log as it was when each record was sealed."""
    log, listed = log_path(study), log_sums_path(study)
    data = (root / log).read_bytes() if (root / log).is_file() else b""
    changes = []
    if (root / listed).is_file():
        wanted = f"{hashlib.sha256(data).hexdigest()}  {log.as_posix()}\n"
        if not data:
            changes.append(Change("missing", log.as_posix(), f"{listed.name} tells of it"))
        elif (root / listed).read_text(encoding="utf-8", errors="replace") != wanted:
            changes.append(Change("changed", log.as_posix(), f"not as {listed.name} has it"))
    elif data:
        changes.append(Change("missing", listed.as_posix()))
    ends = [place + 1 for place, byte in enumerate(data) if byte == ord("\n")]
    once = {hashlib.sha256(data[:end]).hexdigest() for end in ends} | {""}
    once |= _before_parts(table)
    for manifest in there.values():
        if manifest.deviations not in once:
            note = f"the record of {manifest.stage} was sealed after other entries"
            kind = "changed" if data else "missing"
            changes.append(Change(kind, log.as_posix(), note))
    return changes


def _before_parts(table: pd.DataFrame) -> set[str]:
    """SHA-256 of the log as it was while no entry said which parts it concerns: the column came
    later, and an entry that is added writes it for all."""
    unsaid = int(table["parts"].eq("").cummin().sum())
    texts = [
        table_text(table.head(n).drop(columns="parts"), DEVIATIONS) for n in range(1, unsaid + 1)
    ]
    return {hashlib.sha256(text.encode()).hexdigest() for text in texts}


def check_calls(study: str, root: Path | str = ".") -> Check:
    """Check that every answer was asked for under a record that the study has, or has given up in
    its log."""
    known = known_records(study, root)
    try:
        made = calls(study, root)
    except (LedgerError, ValueError) as error:
        return Check("calls", "", changes=(Change("changed", "a ledger", str(error)),))
    found: Counter[str] = Counter()
    changes, blank = [], 0
    for collection, records in made.items():
        found.update(records)
        blank += records[""] if collection not in BEFORE_DESIGN else 0
        changes += [
            Change(
                "changed",
                f"{n} call(s) of {collection}",
                f"made under {name[:8]}, no record of this study",
            )
            for name, n in sorted(records.items())
            if name and name not in known
        ]
    note = f"{blank} more don't say under which" if blank else ""
    return Check("calls", "", sum(found[name] for name in known), tuple(changes), note)
