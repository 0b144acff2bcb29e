"""Recompute every hash of a study's records and name each file that no longer agrees.

Works in a working copy, in a clone and in an unzipped archive, with or without the workflow engine:

    python -m veridical.freeze.verify --study demo
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.base.files import file_sha256
from veridical.freeze.beside import SUMS, changes_of_archive, listed_sums, strays
from veridical.freeze.chain import is_stage, part_of
from veridical.freeze.checks import Check, check_stage
from veridical.freeze.evidence import log_entries
from veridical.freeze.journal import PENDING, finish
from veridical.freeze.left_off import awaited, left_off
from veridical.freeze.log_checks import check_calls, check_deviations
from veridical.freeze.manifest import Change, folder
from veridical.freeze.receipts import NotInstalled, read_roots
from veridical.freeze.time_checks import check_named_tag, check_times

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

LEFT_OFF = "the closing seal follows no results of its part, which was turned off or came later"

__all__ = ["SUMS", "Check", "check_stage", "render", "verify"]


def check_archive(root: Path | str = ".") -> Check | None:
    """Check an unzipped archive against the `SHA256SUMS` at its root; None where there is none."""
    listed = listed_sums(root)
    if not listed:
        return None
    sha256 = file_sha256(Path(root) / SUMS)
    return Check("archive", sha256, len(listed), tuple(changes_of_archive(root)))


def verify(
    study: str,
    *,
    expected: Mapping[str, Iterable[str]] | None = None,
    root: Path | str = ".",
    roots: Sequence[Certificate] | None = None,
    tags: Sequence[str] = (),
) -> list[Check]:
    """Check every stage, the deviations log, the calls, the proofs of time and, in an unzipped
    archive, all its files.

    `expected` gives, by stage, the files that the workflow counts to it today; `roots` the
    certificates by which receipts are checked, those beside the records where not given; `tags`
    the git tags to check.
    """
    checks = []
    try:
        finish(study, root)
    except OSError as error:
        note = f"logging a deviation was cut off, and can't be finished here ({error.strerror})"
        changes = (Change("changed", (folder(study) / PENDING).as_posix(), note),)
        checks.append(Check("records", "", changes=changes))
    beside = strays(study, root, expected=expected)
    logged = {row["stage"] for row in log_entries(study, root) if is_stage(row["stage"])}
    asked = {part_of(stage) for stage in expected or ()}
    off = {part for part in left_off(study, root) if part not in asked}
    for stage in awaited(study, root, more={*logged, *(expected or {})}):
        wanted = [*(expected or {}).get(stage, ()), *beside.get(stage, ())]
        check = check_stage(study, stage, expected=wanted, root=root)
        checks.append(replace(check, note=LEFT_OFF) if part_of(stage) in off else check)
    checks += [check_deviations(study, root), check_calls(study, root)]
    checks.append(check_times(study, root, roots=roots))
    checks += [check_named_tag(study, tag, root) for tag in tags]
    archive = check_archive(root)
    return checks if archive is None else [*checks, archive]


def render(checks: Sequence[Check]) -> str:
    """One line a stage, and one for each file that changed, went missing or was added."""
    return "\n".join(str(check) for check in checks)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; returns 0 where everything holds, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.freeze.verify", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--study", required=True, help="the study's name, as in the config")
    parser.add_argument("--roots", help="certificates (PEM) to trust, not those in the records")
    parser.add_argument("--tag", action="append", default=[], help="a git tag to check as well")
    options = parser.parse_args(arguments)
    study, roots = options.study, None
    try:
        if options.roots and not (roots := read_roots(options.roots)):
            parser.error(f"--roots {options.roots}: no certificates there")
    except (ValueError, NotInstalled) as error:
        parser.error(f"--roots: {error}")
    checks = verify(study, roots=roots, tags=options.tag)
    print(render(checks))
    if not folder(study).is_dir():
        print(f"error: {folder(study)}: no records; run from the project's root", file=sys.stderr)
        return 1
    return 0 if all(check.holds for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
