"""Recompute every hash of a study's records and name each file that no longer agrees.

Works in a working copy, in a clone and in an unzipped archive, with or without the workflow engine:

    python -m veridical.freeze.verify --study demo
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from veridical.freeze.deviations import read_deviations, superseded
from veridical.freeze.manifest import (
    STAGES,
    Change,
    Manifest,
    before,
    file_sha256,
    folder,
    read_manifest,
    seal_file,
    sealed_files,
    sums,
)
from veridical.freeze.sealing import deviations_path
from veridical.freeze.timestamps import read_proof

SUMS = "SHA256SUMS"  # of a whole archive, at its root


@dataclass(frozen=True)
class Check:
    """What became of one stage (or of the archive as a whole): its files and every difference."""

    stage: str
    sha256: str | None = None
    files: int = 0
    changes: tuple[Change, ...] = field(default=())

    @property
    def holds(self) -> bool:
        """Whether nothing differs; a stage not sealed yet holds."""
        return not self.changes

    def __str__(self) -> str:
        if self.sha256 is None and self.holds:
            return f"{self.stage:<10} not sealed yet"
        state = "holds" if self.holds else "BROKEN"
        head = f"{self.stage:<10} {state:<7} {self.files} files"
        head += f", sealed as {self.sha256[:8]}" if self.sha256 else ""
        return "\n".join([head, *(f"  {change}" for change in self.changes)])


def check_stage(
    study: str,
    stage: str,
    *,
    expected: Iterable[str] | None = None,
    root: Path | str = ".",
) -> Check:
    """Compare a stage's record with the disk, with its `SHA256SUMS` and with the record before.

    `expected` are the files that the workflow counts to the stage today: one that the record lacks
    is *added*.
    """
    root = Path(root)
    record = root / folder(study) / f"{stage}.json"
    name = record.relative_to(root).as_posix()
    if not record.is_file():
        later = STAGES[STAGES.index(stage) + 1 :]
        gone = any(record.with_name(f"{other}.json").is_file() for other in later)
        return Check(stage, changes=(Change("missing", name),) if gone else ())
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
    if (proof := Path(f"{record}.ots")).is_file() and read_proof(proof).sha256 != sha256:
        changes.append(Change("changed", f"{name}.ots", "proves another record's time"))
    if (stage_before := before(stage)) is not None:
        earlier = record.with_name(f"{stage_before}.json")
        if not earlier.is_file() or file_sha256(earlier) != manifest.previous:
            note = f"{stage} was sealed after another record of {stage_before}"
            changes.append(Change("changed", earlier.relative_to(root).as_posix(), note))
    return Check(stage, sha256, len(manifest.files), tuple(changes))


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


def strays(
    study: str, root: Path | str = ".", *, expected: Mapping[str, Iterable[str]] | None = None
) -> dict[str, list[str]]:
    """Files that were put beside sealed ones since, by stage.

    A stray lies in a corpus's folder or under the study's results, has the folder and the suffix of
    a sealed file and belongs to no stage; other folders of `data/` are shared by studies. Without
    `expected`, the files of a stage to come look like strays too, so nothing is looked for until
    all stages are sealed.
    """
    root = Path(root)
    sealed = sealed_files(study, root)
    if expected is None and len(sealed) < len(STAGES):
        return {}
    known = {path for paths in (*sealed.values(), *(expected or {}).values()) for path in paths}
    result, seen = {}, set()
    for stage, paths in sealed.items():
        places = {(Path(path).parent, Path(path).suffix) for path in paths} - seen
        seen |= places
        result[stage] = sorted(
            path.relative_to(root).as_posix()
            for parent, suffix in places
            if parent.parts[:2] in (("data", "corpora"), ("results", study))
            for path in (root / parent).glob(f"*{suffix}")
            if path.is_file() and path.relative_to(root).as_posix() not in known
        )
    return result


def check_deviations(study: str, root: Path | str = ".") -> Check:
    """Check that every logged deviation names records that are there."""
    root = Path(root)
    log = deviations_path(study)
    known = set(superseded(study, root))
    for stage in STAGES:
        record = root / folder(study) / f"{stage}.json"
        if record.is_file():
            known.add(file_sha256(record))
    try:
        table = read_deviations(root / log)
    except ValueError as error:
        return Check("deviations", changes=(Change("changed", log.as_posix(), str(error)),))
    changes = [
        Change("changed", f"{log.as_posix()}, entry {number}", f"no record has hash {sha256[:8]}")
        for number, row in enumerate(table.to_dict("records"), start=1)
        for sha256 in dict.fromkeys((row["manifest_before"], row["manifest_after"]))
        if sha256 not in known
    ]
    return Check("deviations", "", len(table), tuple(changes))


def check_archive(root: Path | str = ".") -> Check | None:
    """Check an unzipped archive against the `SHA256SUMS` at its root; None where there is none."""
    root = Path(root)
    listed = root / SUMS
    if not listed.is_file():
        return None
    changes, lines = [], listed.read_text(encoding="utf-8").splitlines()
    for line in lines:
        sha256, _, path = line.partition("  ")
        if not (root / path).is_file():
            changes.append(Change("missing", path))
        elif file_sha256(root / path) != sha256:
            changes.append(Change("changed", path))
    return Check("archive", file_sha256(listed), len(lines), tuple(changes))


def verify(
    study: str,
    *,
    expected: Mapping[str, Iterable[str]] | None = None,
    root: Path | str = ".",
) -> list[Check]:
    """Check every stage, the deviations log and, in an unzipped archive, all its files.

    `expected` gives, by stage, the files that the workflow counts to it today.
    """
    beside = strays(study, root, expected=expected)
    checks = []
    for stage in STAGES:
        wanted = [*(expected or {}).get(stage, ()), *beside.get(stage, ())]
        checks.append(check_stage(study, stage, expected=wanted, root=root))
    checks.append(check_deviations(study, root))
    archive = check_archive(root)
    return checks if archive is None else [*checks, archive]


def render(checks: Sequence[Check]) -> str:
    """One line a stage, and one for each file that changed, went missing or was added."""
    lines = []
    for check in checks:
        if check.stage == "deviations" and check.holds:
            lines.append(f"deviations {check.files} logged")
        else:
            lines.append(str(check))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; returns 0 where everything holds, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.freeze.verify", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--study", required=True, help="the study's name, as in the config")
    study = parser.parse_args(arguments).study
    if not folder(study).is_dir():
        print(f"error: {folder(study)}: no records; run from the project's root", file=sys.stderr)
        return 1
    checks = verify(study)
    print(render(checks))
    return 0 if all(check.holds for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
