"""Checks of what is sealed: a record against the disk, and against all that tells of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from veridical.base.files import file_sha256
from veridical.freeze.chain import WIDTH, after, before
from veridical.freeze.evidence import UNKNOWN, read_receipt, receipt_path, traces
from veridical.freeze.manifest import (
    Change,
    Manifest,
    read_manifest,
    record_path,
    seal_file,
    stages_there,
    sums,
)
from veridical.freeze.receipts import receipts_of
from veridical.ledger.file import LedgerError

COUNTED = {  # else files
    "deviations": "logged",
    "calls": "made under records of this study",
    "times": "receipt(s) of time",
    "tag": "names a record",
}


@dataclass(frozen=True)
class Check:
    """What became of one stage (or of log, calls, archive as a whole): its files, every difference.

    `note` is said where it holds: what can't be told of it.
    """

    stage: str
    sha256: str | None = None
    files: int = 0
    changes: tuple[Change, ...] = field(default=())
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing differs; a stage not sealed yet holds."""
        return not self.changes

    def __str__(self) -> str:
        if self.holds and self.stage in COUNTED:
            return f"{self.stage:<{WIDTH}} {self.files} {COUNTED[self.stage]}{self._noted}"
        if self.holds and self.sha256 is None:
            return f"{self.stage:<{WIDTH}} not sealed yet"
        state = "holds" if self.holds else "BROKEN"
        counted = COUNTED.get(self.stage, "files")
        head = f"{self.stage:<{WIDTH}} {state:<7} {self.files} {counted}"
        head += f", sealed as {self.sha256[:8]}" if self.sha256 else ""
        head += self._noted
        return "\n".join([head, *(f"  {change}" for change in self.changes)])

    @property
    def _noted(self) -> str:
        return f"; {self.note}" if self.note else ""


def check_stage(
    study: str,
    stage: str,
    *,
    expected: Iterable[str] | None = None,
    root: Path | str = ".",
) -> Check:
    """Compare a stage's record with the disk, with all that tells of it, and with those before.

    `expected` are the files that the workflow counts to the stage today: one that the record lacks
    is *added*. A record that is gone is *missing* where anything tells that there was one.
    """
    root = Path(root)
    record = root / record_path(study, stage)
    name = record.relative_to(root).as_posix()
    if not record.is_file():
        return Check(stage, changes=_gone(study, stage, root))
    sha256 = file_sha256(record)
    try:
        manifest = read_manifest(record)
    except ValueError as error:
        return Check(stage, sha256, changes=(Change("changed", name, str(error)),))
    changes = []
    for file in manifest.files:
        if not (root / file.path).is_file():
            changes.append(Change("missing", file.path))
        elif seal_file(file.path, root).sha256 != file.sha256:
            changes.append(Change("changed", file.path))
    known = {file.path for file in manifest.files}
    changes += [Change("added", path) for path in sorted(set(expected or ()) - known)]
    changes += _check_sums(manifest, record, root)
    changes += _check_receipt(manifest, sha256, root)
    for stage_before, was in manifest.follows.items():
        earlier = record.with_name(f"{stage_before}.json")
        if not earlier.is_file() or file_sha256(earlier) != was:
            note = f"{stage} was sealed after another record of {stage_before}"
            changes.append(Change("changed", earlier.relative_to(root).as_posix(), note))
    return Check(stage, sha256, len(manifest.files), tuple(changes))


def _gone(study: str, stage: str, root: Path) -> tuple[Change, ...]:
    """A record that isn't there, where a later one or anything else tells that it was."""
    name = record_path(study, stage).as_posix()
    if found := sealed_after(study, stage, root):
        return (Change("missing", name, f"{found[0]} is sealed after it"),)
    try:
        traced = traces(study, stage, "", root)
    except LedgerError as error:
        return (Change("changed", name, str(error)),)
    proofs = [path.relative_to(root).as_posix() for path in receipts_of(study, stage, root)]
    traced |= dict.fromkeys(proofs, UNKNOWN)
    if not traced:
        return ()
    by = ", ".join(f"{by} ({sha256[:8]})" for by, sha256 in traced.items())
    return (Change("missing", name, f"there was one: {by}"),)


def sealed_after(study: str, stage: str, root: Path) -> list[str]:
    """The sealed stages that follow a stage, at once or further on."""
    there = stages_there(study, root)
    return [
        other
        for other in after(stage, there)
        if (root / record_path(study, other)).is_file()
        and stage in _followed(study, other, there, root)
    ]


def _followed(study: str, stage: str, there: list[str], root: Path) -> set[str]:
    """The stages that one follows, at once or further on: by the records; where one is gone, by
    what it must have followed."""
    try:
        earlier = set(read_manifest(root / record_path(study, stage)).follows)
    except (OSError, ValueError):
        earlier = set(before(stage, there))
    return earlier.union(*(_followed(study, each, there, root) for each in earlier))


def _check_sums(manifest: Manifest, record: Path, root: Path) -> list[Change]:
    """The record against its `SHA256SUMS`, which names the record's own hash as well."""
    name, listed = record.relative_to(root).as_posix(), record.with_suffix(".SHA256SUMS")
    sums_name = listed.relative_to(root).as_posix()
    if not listed.is_file():
        return [Change("missing", sums_name)]
    lines = listed.read_text(encoding="utf-8").splitlines()
    if f"{file_sha256(record)}  {name}" not in lines:
        return [Change("changed", name, f"not as {listed.name} has it")]
    if lines != sums(manifest).splitlines():
        return [Change("changed", sums_name, "not as the record has it")]
    return []


def _check_receipt(manifest: Manifest, sha256: str, root: Path) -> list[Change]:
    """The record against what the workflow noted when it was sealed."""
    content = read_receipt(manifest.study, manifest.stage, root)
    if not content or content["sha256"] == sha256:
        return []
    name = receipt_path(manifest.study, manifest.stage).as_posix()
    return [Change("changed", name, f"names record {content['sha256'][:8]}, not {sha256[:8]}")]
