"""Sealing a stage of the study by content hash, before the next one starts.

The record of a stage (`manifest.py`) is written once, the first time its files are there.
Afterwards it is only compared with what lies on disk, and changes only by way of `deviations.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from veridical.base.files import file_sha256, write_text
from veridical.freeze.chain import KINDS, STUDY, after, design_of, kind_of
from veridical.freeze.checks import sealed_after
from veridical.freeze.evidence import known_records, receipt_path, records_in, traces
from veridical.freeze.journal import finish
from veridical.freeze.keys import check_keys
from veridical.freeze.manifest import (
    Change,
    Manifest,
    compare,
    folder,
    is_older,
    log_path,
    read_manifest,
    record_path,
    stages_there,
    sums,
    take_manifest,
    write_record,
)
from veridical.ledger.exports import is_replies

DESIGNS = (STUDY, "design")  # what is sealed before anything is asked


class FreezeError(ValueError):
    """What lies on disk is not what was sealed; the message lists what differs and the ways out."""


def found_path(study: str, stage: str) -> Path:
    """Where `seal` leaves the manifest that differs, for `deviations.py` to adopt."""
    return Path("results", study, "freeze", f"{stage}.found.json")


def log_digest(study: str, root: Path | str = ".") -> str:
    """SHA-256 of the study's deviations log, empty without one: for the params of a rule."""
    log = Path(root) / log_path(study)
    return file_sha256(log) if log.is_file() else ""


def times_digest(study: str, root: Path | str = ".") -> str:
    """SHA-256 of the study's table of times, empty without one: for the params of a rule."""
    table = Path(root) / folder(study) / "timestamps.csv"
    return file_sha256(table) if table.is_file() else ""


def receipts_to_withdraw(study: str, stage: str, root: Path | str = ".") -> list[Path]:
    """The receipts of a stage and of the later ones, which vouch for nothing once it changes.

    The workflow engine does not miss an intermediate file as long as what comes after it is there;
    so, for a stage to be checked again, all the receipts after it have to go, the archive's too.
    """
    archive = Path("results", study, "archive", "archive.json")
    later = after(stage, stages_there(study, root))
    return [archive, *(receipt_path(study, name) for name in (stage, *later))]


def withdraw_receipts(study: str, stage: str, root: Path | str = ".") -> None:
    """Remove the receipts of a stage and of the later ones."""
    for path in receipts_to_withdraw(study, stage, root):
        (Path(root) / path).unlink(missing_ok=True)


def seal(
    study: str,
    stage: str,
    files: Iterable[Path | str],
    *,
    follows: Iterable[str] | None = None,
    root: Path | str = ".",
) -> Manifest:
    """Seal a stage at the first call; at every later one, check that it still holds.

    `follows` are the stages that it is chained to; by what is sealed where not given.
    Returns the manifest of record and leaves its receipt. Raises FreezeError, saying what to do,
    where the files differ from the record (listing each; the receipts of this stage and the later
    ones are withdrawn, so that it is checked again); where the record is gone although something
    tells of it, calls made under it for one; and where replies were asked for under a record that
    the study doesn't have.
    """
    root = Path(root)
    finish(study, root)
    found = take_manifest(study, stage, files, follows=follows, root=root)
    record = root / record_path(study, stage)
    waiting = root / found_path(study, stage)
    if not record.is_file():
        _check_first(study, stage, found, root)
        if kind_of(stage) in DESIGNS:
            check_keys((file.path for file in found.files), root)
        write_record(found, root)
        return _vouch(found, root)
    sealed = read_manifest(record)
    if changes := compare(sealed, found):
        if kind_of(stage) in DESIGNS:
            _check_changed(sealed, found, root)
        write_text(waiting, found.to_json())
        withdraw_receipts(study, stage, root)
        raise FreezeError(explain(study, stage, file_sha256(record), changes))
    _check_calls(sealed, root)
    waiting.unlink(missing_ok=True)
    if not (listed := record.with_suffix(".SHA256SUMS")).is_file():
        write_text(listed, sums(sealed))
    return _vouch(sealed, root)


def _check_changed(sealed: Manifest, found: Manifest, root: Path) -> None:
    """Raises KeyFound where a file that isn't as it was sealed holds a key: no deviation adopts
    it."""
    check_keys((file.path for file in found.files if file not in sealed.files), root)


def _check_first(study: str, stage: str, found: Manifest, root: Path) -> None:
    """Raises FreezeError where a stage without a record was sealed before."""
    if stage == STUDY and is_older(study, root):
        write_text(root / found_path(study, stage), found.to_json())
        raise FreezeError(explain_older(study))
    if later := sealed_after(study, stage, root):
        raise FreezeError(
            f"{record_path(study, stage)} is gone while {later[0]} is sealed; "
            "bring the record back (git checkout), a sealed stage is never sealed twice"
        )
    _check_calls(found, root)
    if traced := traces(study, stage, found.sha256, root):
        write_text(root / found_path(study, stage), found.to_json())
        raise FreezeError(explain_lost(study, stage, found.sha256, traced))


def _check_calls(manifest: Manifest, root: Path) -> None:
    """Raises FreezeError where a stage's replies were asked for under a record that isn't there."""
    if kind_of(manifest.stage) in DESIGNS:
        return
    known = known_records(manifest.study, root) | {""}
    strange: Counter[str] = Counter()
    for file in manifest.files:
        if is_replies(root / file.path):
            for records in records_in(root / file.path).values():
                strange.update({name: n for name, n in records.items() if name not in known})
    for name, n in sorted(strange.items()):
        raise FreezeError(
            f"{n} call(s) of stage {manifest.stage} of study {manifest.study!r} were made under "
            f"record {name[:8]}, which is not among the study's ({folder(manifest.study)}): what "
            "is sealed there was put under replies that were collected before.\n"
            f"{_ways_out(manifest.study, design_of(manifest.stage))}"
        )


def _vouch(manifest: Manifest, root: Path) -> Manifest:
    """Leave the receipt: what the workflow saw sealed, apart from the record itself."""
    path = root / receipt_path(manifest.study, manifest.stage)
    if not path.is_file() or path.read_text(encoding="utf-8") != receipt(manifest):
        write_text(path, receipt(manifest))
    return manifest


def _ways_out(study: str, stage: str) -> str:
    return (
        "Ways out:\n"
        f"  1. bring the record back (git checkout, or from an archive of the study); or\n"
        "  2. go on with what is there and say why, then run the same command again; the report\n"
        "     names it:\n"
        f"     python -m veridical.freeze.deviations add --study {study} --stage {stage} \\\n"
        "         --what '...' --why '...' --effect '...'\n"
        "To run the whole study anew, give it another name (config: study)."
    )


def explain_older(study: str) -> str:
    """That a study was sealed in one chain, before parts had their own, and the ways out."""
    return (
        f"study {study!r} was sealed before each part had a chain of its own: its records "
        f"({folder(study)}/{KINDS[0]}.json and those after it) are of all parts at once.\n"
        "They hold, and `verify` checks them as they are. To go on with this version:\n"
        "  1. give the study another name (config: study) and leave this one as it is; its archive "
        "is replayed by the code that is packed in it; or\n"
        "  2. seal it anew by part and say why, then run the same command again. What was asked "
        "stays, the old records are kept and the report names it:\n"
        f"     python -m veridical.freeze.deviations add --study {study} --stage {STUDY} \\\n"
        "         --what '...' --why '...' --effect '...'"
    )


def explain_lost(study: str, stage: str, sha256: str, traced: Mapping[str, str]) -> str:
    """That a stage was sealed before, what tells of it, and the ways out, for a person."""
    listed = "\n".join(f"  {by} tells of {named[:8]}" for by, named in traced.items())
    return (
        f"stage {stage} of study {study!r} was sealed before, and its record "
        f"({record_path(study, stage)}) is gone:\n{listed}\n"
        f"What lies here now would be sealed as {sha256[:8]}, in its place.\n"
        f"{_ways_out(study, stage)}"
    )


def explain(study: str, stage: str, sha256: str, changes: Iterable[Change]) -> str:
    """What differs from a stage's freeze, and the two ways out, for a person."""
    listed = "\n".join(f"  {change}" for change in changes)
    return (
        f"stage {stage} of study {study!r} is not what was sealed as {sha256[:8]} "
        f"({record_path(study, stage)}):\n{listed}\n"
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
        "record": record_path(manifest.study, manifest.stage).as_posix(),
        "sha256": manifest.sha256,
        "files": len(manifest.files),
    }
    if manifest.previous:
        content["previous"] = manifest.previous  # type: ignore[assignment]
    return json.dumps(content, indent=1) + "\n"
