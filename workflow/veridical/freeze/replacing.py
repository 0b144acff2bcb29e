"""What becomes of each file of the records when a deviation is logged."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pandas as pd

from veridical.base.files import file_sha256
from veridical.base.tables import table_text
from veridical.freeze.chain import KINDS, STUDY, after, kind_of, part_of
from veridical.freeze.evidence import LOST
from veridical.freeze.manifest import (
    Manifest,
    log_path,
    log_sums_path,
    read_manifest,
    record_path,
    records_there,
    stages_there,
    sums,
)
from veridical.freeze.receipts import receipts_of
from veridical.freeze.sealing import found_path, receipts_to_withdraw
from veridical.freeze.tables import DEVIATIONS


def plan(
    study: str, table: pd.DataFrame, found: Manifest, before: str, root: Path
) -> dict[Path, bytes | None]:
    """What becomes of each file when a deviation is logged: its content, or None where it goes."""
    text = table_text(table, DEVIATIONS).encode()
    listed = f"{hashlib.sha256(text).hexdigest()}  {log_path(study).as_posix()}\n"
    files: dict[Path, bytes | None] = {log_path(study): text, log_sums_path(study): listed.encode()}
    stage, there = found.stage, stages_there(study, root)
    if before != found.sha256 and not (before.startswith(LOST) and _is_record(found, root)):
        gone = [
            path for name in (stage, *after(stage, there)) for path in _parts(study, name, root)
        ]
        files |= {_superseded_path(path, root): (root / path).read_bytes() for path in gone}
        files |= dict.fromkeys(gone)
        record = record_path(study, stage)
        files[record] = found.to_json().encode()
        files[record.with_suffix(".SHA256SUMS")] = sums(found).encode()
        if stage == STUDY:
            files |= _chained_anew(found, root)
    gone = [found_path(study, stage), *receipts_to_withdraw(study, stage, root)]
    return files | {path: None for path in gone if (root / path).is_file()}


def _chained_anew(study: Manifest, root: Path) -> dict[Path, bytes]:
    """The parts' designs after another record of the study, each with the files that it had: what
    has changed in a part is still found when its design is compared."""
    plan = {}
    for stage, path in records_there(study.study, root).items():
        if part_of(stage) and kind_of(stage) == KINDS[0]:
            anew = replace(
                read_manifest(path),
                previous={STUDY: study.sha256},
                version=study.version,
                lock=study.lock,
                deviations=study.deviations,
            )
            record = record_path(study.study, stage)
            plan[record] = anew.to_json().encode()
            plan[record.with_suffix(".SHA256SUMS")] = sums(anew).encode()
    return plan


def _is_record(found: Manifest, root: Path) -> bool:
    record = root / record_path(found.study, found.stage)
    return record.is_file() and file_sha256(record) == found.sha256


def _parts(study: str, stage: str, root: Path) -> list[Path]:
    """A stage's record with what lies beside it: its sums, and proofs of its time."""
    record = record_path(study, stage)
    if not (root / record).is_file():
        return []
    paths = [record, record.with_suffix(".SHA256SUMS")]
    paths += [path.relative_to(root) for path in receipts_of(study, stage, root)]
    return [path for path in paths if (root / path).is_file()]


def _superseded_path(path: Path, root: Path) -> Path:
    """Where a part of a record goes when another takes its place: under the record's hash."""
    stage = path.name.partition(".")[0]
    sha256 = file_sha256(root / path.with_name(f"{stage}.json"))
    return path.parent / "superseded" / path.name.replace(stage, f"{stage}-{sha256[:8]}", 1)
