"""Sealing a stage of the study by content hash, before the next one starts.

The record of a stage (`manifest.py`) is written once, the first time its files are there.
Afterwards it is only compared with what lies on disk, and changes only by way of `deviations.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from veridical.base.files import write_text
from veridical.freeze.manifest import (
    Change,
    Manifest,
    after,
    compare,
    file_sha256,
    folder,
    read_manifest,
    take_manifest,
    write_record,
)


class FreezeError(ValueError):
    """What lies on disk is not what was sealed; the message lists what differs and the ways out."""


def found_path(study: str, stage: str) -> Path:
    """Where `seal` leaves the manifest that differs, for `deviations.py` to adopt."""
    return Path("results", study, "freeze", f"{stage}.found.json")


def deviations_path(study: str) -> Path:
    """Where a study's deviations are logged."""
    return folder(study) / "deviations.csv"


def log_digest(study: str, root: Path | str = ".") -> str:
    """SHA-256 of the study's deviations log, empty without one: for the params of a rule."""
    log = Path(root) / deviations_path(study)
    return file_sha256(log) if log.is_file() else ""


def receipt_path(study: str, stage: str) -> Path:
    """Where the sealing rule of a stage writes its receipt."""
    return Path("results", study, "freeze", f"{stage}.json")


def withdraw_receipts(study: str, stage: str, root: Path | str = ".") -> None:
    """Remove the receipts of a stage and of the later ones, which vouch for nothing any more.

    The workflow engine does not miss an intermediate file as long as what comes after it is there;
    so, for a stage to be checked again, all the receipts after it have to go, the archive's too.
    """
    archive = Path("results", study, "archive", "archive.json")
    for path in (archive, *(receipt_path(study, name) for name in (stage, *after(stage)))):
        (Path(root) / path).unlink(missing_ok=True)


def seal(
    study: str, stage: str, files: Iterable[Path | str], *, root: Path | str = "."
) -> Manifest:
    """Seal a stage at the first call; at every later one, check that it still holds.

    Returns the manifest of record. Raises FreezeError, listing every changed, missing or added file
    and the two ways out, where the files differ from it (the receipts of this stage and the later
    ones are withdrawn, so that it is checked again); and where the record is gone although a
    later stage is sealed.
    """
    root = Path(root)
    found = take_manifest(study, stage, files, root=root)
    record = root / folder(study) / f"{stage}.json"
    waiting = root / found_path(study, stage)
    if not record.is_file():
        later = [s for s in after(stage) if (record.parent / f"{s}.json").is_file()]
        if later:
            raise FreezeError(
                f"{folder(study) / f'{stage}.json'} is gone while {later[0]} is sealed; "
                "bring the record back (git checkout), a sealed stage is never sealed twice"
            )
        write_record(found, root)
        return found
    changes = compare(read_manifest(record), found)
    if changes:
        write_text(waiting, found.to_json())
        withdraw_receipts(study, stage, root)
        raise FreezeError(explain(study, stage, file_sha256(record), changes))
    waiting.unlink(missing_ok=True)
    if not record.with_suffix(".SHA256SUMS").is_file():
        write_record(found, root)
    return found


def explain(study: str, stage: str, sha256: str, changes: Iterable[Change]) -> str:
    """What differs from a stage's freeze, and the two ways out, for a person."""
    listed = "\n".join(f"  {change}" for change in changes)
    return (
        f"stage {stage} of study {study!r} is not what was sealed as {sha256[:8]} "
        f"({folder(study) / f'{stage}.json'}):\n{listed}\n"
        "Two ways out:\n"
        "  1. undo the change; or\n"
        "  2. keep it and say why, then run the same command again:\n"
        f"     python -m veridical.freeze.deviations add --study {study} --stage {stage} \\\n"
        "         --what '...' --why '...' --effect '...'\n"
        "To run the whole study anew, give it another name (config: study)."
    )


def receipt(manifest: Manifest) -> str:
    """What a sealing rule puts out: the same bytes as long as the record is the same."""
    content = {
        "study": manifest.study,
        "stage": manifest.stage,
        "record": (folder(manifest.study) / f"{manifest.stage}.json").as_posix(),
        "sha256": manifest.sha256,
        "files": len(manifest.files),
    }
    return json.dumps(content, indent=1) + "\n"
