"""What a stage of the study consists of: path, size and SHA-256 of every file, and what it follows.

A stage's record is `data/freeze/<study>/<stage>.json` (`chain.py` says which stages there are);
`<stage>.SHA256SUMS` beside it says the same in the form that `sha256sum -c` reads from the
project's root.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical import __version__
from veridical.base.files import file_sha256, sync_folder, write_text
from veridical.freeze.chain import (
    KINDS,
    MAY_BE_EMPTY,
    STUDY,
    after,
    before,
    check_stage_name,
    in_order,
    is_stage,
    kind_of,
    part_of,
)


@dataclass(frozen=True)
class Sealed:
    """One file of a manifest: path from the project's root, size in bytes, SHA-256 in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Change:
    """One difference: `kind` is changed, missing or added; `name` is a path or a field."""

    kind: str
    name: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.kind:<8} {self.name}" + (f"  ({self.note})" if self.note else "")


@dataclass(frozen=True)
class Manifest:
    """What a stage consists of, and what it follows.

    `previous` gives the SHA-256 of each record that it follows, by stage; None for the first; in a
    chain without parts, of the one before it alone. `deviations` is that of the log of deviations
    as it was then, empty where none was logged.
    """

    study: str
    stage: str
    files: tuple[Sealed, ...]
    previous: Mapping[str, str] | str | None = None
    version: str = __version__
    lock: str = ""
    deviations: str = ""

    @property
    def follows(self) -> dict[str, str]:
        """The SHA-256 of each record that it follows, by stage."""
        if isinstance(self.previous, str):
            return dict.fromkeys(before(self.stage), self.previous)
        return dict(self.previous or {})

    def to_json(self) -> str:
        """The record's text: sorted keys, one line a file, the same bytes from the same content."""
        files = ",\n".join(
            "  " + json.dumps({"path": f.path, "size": f.size, "sha256": f.sha256})
            for f in self.files
        )
        head = {
            "study": self.study,
            "stage": self.stage,
            "previous": self.previous,
            "version": self.version,
            "lock": self.lock,
        }
        if self.deviations:
            head["deviations"] = self.deviations
        lines = "".join(f' "{key}": {json.dumps(value)},\n' for key, value in head.items())
        return "{\n" + lines + ' "files": [\n' + files + "\n ]\n}\n"

    @property
    def sha256(self) -> str:
        """SHA-256 of the record's bytes, in hex: what is registered, stamped and chained."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Manifest:
        """The inverse of `to_json`, after `json.loads`."""
        files = tuple(Sealed(**file) for file in entry["files"])
        manifest = cls(**{**entry, "files": files})
        check_stage_name(manifest.stage)
        for stage, sha256 in manifest.follows.items():
            if manifest.stage not in after(stage, [manifest.stage]):
                raise ValueError(f"'previous': {manifest.stage} can't follow {stage}")
            if not isinstance(sha256, str):
                raise TypeError(f"'previous' gives no hash of {stage}")
        return manifest


def folder(study: str) -> Path:
    """Where a study's records lie, from the project's root."""
    return Path("data/freeze", study)


def record_path(study: str, stage: str) -> Path:
    """Where a stage's record lies, from the project's root."""
    return folder(study) / f"{stage}.json"


def log_path(study: str) -> Path:
    """Where a study's deviations are logged, from the project's root."""
    return folder(study) / "deviations.csv"


def log_sums_path(study: str) -> Path:
    """Where the log's own hash is kept, for `sha256sum -c`."""
    return log_path(study).with_suffix(".SHA256SUMS")


def stages_there(study: str, root: Path | str = ".") -> list[str]:
    """The stages of which anything lies there, in order: a record, its sums, a proof of its time,
    or what the workflow noted of it."""
    root, found = Path(root), set()
    for path in [*(root / folder(study)).glob("*"), *noted(study, root)]:
        name, _, end = path.name.partition(".")
        if end.startswith(("json", "SHA256SUMS")) and is_stage(name):
            found.add(name)
    return in_order(found)


def noted(study: str, root: Path | str = ".") -> list[Path]:
    """The receipts that the workflow keeps of a study's records."""
    paths = (Path(root) / "results" / study / "freeze").glob("*.json")
    return sorted(path for path in paths if not path.name.endswith(".found.json"))


def records_there(study: str, root: Path | str = ".") -> dict[str, Path]:
    """The records in force that lie there, by stage, in order."""
    paths = {stage: Path(root) / record_path(study, stage) for stage in stages_there(study, root)}
    return {stage: path for stage, path in paths.items() if path.is_file()}


def is_older(study: str, root: Path | str = ".") -> bool:
    """Whether a study was sealed before parts had chains of their own."""
    there = stages_there(study, root)
    return KINDS[0] in there and STUDY not in there


def sealed_files(study: str, root: Path | str = ".") -> dict[str, list[str]]:
    """The files that each stage's record names, of the stages that are sealed, in order."""
    return {
        stage: [file.path for file in read_manifest(record).files]
        for stage, record in records_there(study, root).items()
    }


def seal_file(path: Path | str, root: Path | str = ".") -> Sealed:
    """Path from the root, size and hash of one file.

    Raises ValueError where it is no file, lies outside the root, or has a name that a
    `SHA256SUMS` can't hold on one plain line.
    """
    root = Path(root).resolve()
    full = root / path
    try:
        name = full.resolve().relative_to(root).as_posix()
    except ValueError:
        raise ValueError(f"{path}: lies outside the project and can't be sealed") from None
    if not full.is_file():
        raise ValueError(f"{path}: no such file, so it can't be sealed; build or restore it first")
    if any(sign in name for sign in "\n\r\\"):
        raise ValueError(f"{name!r}: rename it; a sealed path has no line break and no backslash")
    return Sealed(name, full.stat().st_size, file_sha256(full))


def take_manifest(
    study: str,
    stage: str,
    files: Iterable[Path | str],
    *,
    follows: Iterable[str] | None = None,
    root: Path | str = ".",
) -> Manifest:
    """The manifest of a stage as its files lie on disk now, chained to the records that it follows.

    Parameters
    ----------
    files
        Paths from the root (or below it); order and repetitions don't matter.
    follows
        The stages that it follows; by what is there where not given.

    Raises
    ------
    ValueError
        Where a file is missing, the stage before has no record yet, or none is given for a stage
        that can't do without.
    """
    root, there = Path(root), stages_there(study, root)
    stages = before(stage, there) if follows is None else tuple(map(check_stage_name, follows))
    records = {name: root / record_path(study, name) for name in stages}
    if lacking := [name for name, record in records.items() if not record.is_file()]:
        raise ValueError(f"{records[lacking[0]]}: missing; seal {lacking[0]} before {stage}")
    previous: Any = {name: file_sha256(record) for name, record in records.items()} or None
    if previous and not (part_of(stage) or STUDY in there):
        (previous,) = previous.values()
    sealed = sorted({seal_file(path, root) for path in files}, key=lambda file: file.path)
    if not sealed and kind_of(stage) not in MAY_BE_EMPTY:
        raise ValueError(f"stage {stage} of study {study!r} has no files to seal")
    lock, log = (
        file_sha256(path) if path.is_file() else ""
        for path in (root / "uv.lock", root / log_path(study))
    )
    return Manifest(study, stage, tuple(sealed), previous, lock=lock, deviations=log)


def read_manifest(path: Path | str) -> Manifest:
    """Read a record. Raises ValueError naming the file where it is none."""
    try:
        return Manifest.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a freeze manifest ({error})") from error


def sums(manifest: Manifest) -> str:
    """The lines of a stage's `SHA256SUMS`: its files, its record, and the records it follows."""
    lines = [f"{file.sha256}  {file.path}" for file in manifest.files]
    here = folder(manifest.study).as_posix()
    lines.append(f"{manifest.sha256}  {here}/{manifest.stage}.json")
    lines += [f"{sha256}  {here}/{stage}.json" for stage, sha256 in manifest.follows.items()]
    return "".join(f"{line}\n" for line in lines)


def write_record(manifest: Manifest, root: Path | str = ".") -> Path:
    """Write a stage's record, then its `SHA256SUMS`; return the record's path.

    In this order: a record alone is completed by the next run, sums alone tell of a lost record.
    """
    record = Path(root) / record_path(manifest.study, manifest.stage)
    write_text(record, manifest.to_json())
    write_text(record.with_suffix(".SHA256SUMS"), sums(manifest))
    sync_folder(record.parent)
    return record


def compare(sealed: Manifest, found: Manifest) -> list[Change]:
    """Every difference between what was sealed and what was found, files first.

    The log of deviations grows after a stage is sealed; that is no difference.
    """
    old = {file.path: file for file in sealed.files}
    new = {file.path: file for file in found.files}
    changes = []
    for path in sorted(old | new):
        if path not in new:
            changes.append(Change("missing", path))
        elif path not in old:
            changes.append(Change("added", path))
        elif old[path].sha256 != new[path].sha256:
            changes.append(Change("changed", path, f"{old[path].size} → {new[path].size} bytes"))
    for field, label in (("version", "code version"), ("lock", "uv.lock")):
        was, now = getattr(sealed, field), getattr(found, field)
        if was != now and not any(change.name == label for change in changes):
            changes.append(Change("changed", label, f"{was[:12]} → {now[:12]}"))
    was, now = sealed.follows, found.follows
    for stage in in_order([*was, *now]):
        if was.get(stage) != now.get(stage):
            kind = (
                "changed" if stage in was and stage in now else ("missing", "added")[stage in now]
            )
            changes.append(Change(kind, f"the record of stage {stage}"))
    return changes
