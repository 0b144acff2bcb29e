"""The log of departures from what was sealed: what, why, with what effect.

`data/freeze/<study>/deviations.csv` has one row a deviation. Each is bound to the record before and
after it; the record before is kept under `superseded/`. Row and records change together or not at
all. From a shell:

    python -m veridical.freeze.deviations add --study demo --stage vpe-design \\
        --what "..." --why "..." --effect "..." --part control1
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from veridical.base.files import file_sha256
from veridical.base.schema import part_names, read_schema
from veridical.base.tables import read_table
from veridical.freeze.chain import KINDS, STUDY, check_stage_name, is_stage, part_of
from veridical.freeze.evidence import LOST, UNKNOWN, calls, known_records, traces
from veridical.freeze.journal import alone, change, finish
from veridical.freeze.manifest import (
    Manifest,
    compare,
    is_older,
    log_path,
    read_manifest,
    record_path,
    take_manifest,
)
from veridical.freeze.replacing import plan
from veridical.freeze.sealing import found_path
from veridical.freeze.tables import DEVIATIONS


def read_deviations(path: Path | str) -> pd.DataFrame:
    """Read a deviations log; an absent file is an empty log.

    Returns one row a deviation, in the order logged, all columns text: `date` (ISO), `stage`,
    `what`, `why`, `effect`, `manifest_before` and `manifest_after` (SHA-256 of the stage's record;
    equal where nothing that was sealed changed; `lost:` stands before that of a record that was
    gone), `parts` (keys of the parts that it concerns; empty for the study as a whole, and in a log
    that was begun before parts were recorded). Raises ValueError naming file, row and column where
    an entry gives no what, why or effect, or names no stage, or a part that there isn't.
    """
    if not Path(path).is_file():
        return pd.DataFrame(columns=DEVIATIONS.names, dtype=str)
    table = read_table(path, DEVIATIONS)
    for row, entry in enumerate(table.itertuples(), start=1):
        for column in ("date", "what", "why", "effect"):
            if not getattr(entry, column).strip():
                raise ValueError(f"{path}, entry {row}: {column} is empty; say it in a sentence")
        if not is_stage(entry.stage):
            raise ValueError(f"{path}, entry {row}: no stage {entry.stage!r}")
    if "parts" not in table:
        return table.assign(parts="")
    for row, parts in enumerate(table["parts"], start=1):
        _known_parts(parts.split(), f"{path}, entry {row}")
    return table


def _known_parts(parts: Sequence[str], where: str) -> str:
    """The keys of parts as the log has them, in the report's order; ValueError where one is none.

    >>> _known_parts(["vpe", "control1", "vpe"], "here")
    'control1 vpe'
    """
    known = part_names(read_schema())
    if strange := [part for part in parts if part not in known]:
        raise ValueError(f"{where}: no part {strange[0]!r}; the parts are {', '.join(known)}")
    return " ".join(part for part in known if part in parts)


def add_deviation(
    study: str,
    stage: str,
    *,
    what: str,
    why: str,
    effect: str,
    parts: Sequence[str] = (),
    date: str | None = None,
    root: Path | str = ".",
) -> pd.Series:
    """Log a deviation and, where the stage's files differ from their record, seal them anew.

    The differing manifest is the one that the sealing rule left behind when it stopped, so nothing
    is adopted that it has not listed. The old record and those of the later stages go to
    `superseded/`; the later stages are sealed anew when the workflow passes them. Where nothing
    differs, the entry is logged alone: a departure in how the study was run. Where the record is
    gone, or calls were made under one that is, the entry says so and names it. `parts` are the keys
    of further parts that it concerns; none, of a stage of the study's own: the study as a whole.

    Logging the same once more, with nothing changed since, logs nothing. Returns the row. Raises
    ValueError where what, why or effect is empty, where there is no such part, where the stage was
    never sealed, or where files have changed that the sealing rule hasn't listed as they are now.
    """
    root = Path(root)
    texts = {"what": what, "why": why, "effect": effect}
    texts = {name: " ".join((text or "").split()) for name, text in texts.items()}
    for name, text in texts.items():
        if not text:
            raise ValueError(f"--{name} is empty: a deviation without it is not logged")
    own = part_of(check_stage_name(stage))
    concerned = _known_parts([*parts, *({own} & {*part_names(read_schema())})], "--part")
    day = date or datetime.datetime.now(datetime.UTC).date().isoformat()
    with alone(study, root):
        before, found = _departure(study, stage, root)
        row = {"date": day, "stage": stage, **texts}
        row |= {"manifest_before": before, "manifest_after": found.sha256, "parts": concerned}
        table = read_deviations(root / log_path(study))
        if len(table) and _same(table.iloc[-1], row):
            return table.iloc[-1]
        table = pd.concat([table, pd.DataFrame([row])])[DEVIATIONS.names]
        change(study, plan(study, table, found, before, root), root)
    return table.iloc[-1]


def _same(last: Mapping[str, str], row: Mapping[str, str]) -> bool:
    """Whether a row says what the last one did, of a record that has not changed since."""
    said = ("date", "stage", "what", "why", "effect", "parts")
    words = all(last[column] == row[column] for column in said)
    return words and row["manifest_before"] == row["manifest_after"] == last["manifest_after"]


def _departure(study: str, stage: str, root: Path) -> tuple[str, Manifest]:
    """The record before (its SHA-256, `lost:` before it where it is gone) and the manifest that
    is the record after."""
    record = root / record_path(study, stage)
    found = _listed(study, stage, root)
    if stage == STUDY and found and is_older(study, root):
        return file_sha256(root / record_path(study, KINDS[0])), found
    if not record.is_file():
        traced = traces(study, stage, found.sha256, root) if found else {}
        if not traced:
            raise ValueError(
                f"{record}: {stage} is not sealed yet, so there is nothing to deviate from"
            )
        named = [sha256 for sha256 in traced.values() if sha256 != UNKNOWN]
        return LOST + (named or [UNKNOWN])[0], found
    sealed = read_manifest(record)
    if found is not None and compare(sealed, found):
        return file_sha256(record), found
    now = _as_listed(sealed, root)
    if compare(sealed, now):
        raise ValueError(
            f"files of stage {stage} differ from its record and are not listed yet: run the "
            "workflow, which stops and lists them, then log that"
        )
    return _strange_record(study, root) or file_sha256(record), sealed


def _listed(study: str, stage: str, root: Path) -> Manifest | None:
    """The manifest that the sealing rule left behind when it stopped, as it still is on disk."""
    waiting = root / found_path(study, stage)
    if not waiting.is_file():
        return None
    listed = read_manifest(waiting)
    found = _as_listed(listed, root)
    if compare(listed, found):
        raise ValueError(
            f"files of stage {stage} have changed since they were listed; run the workflow "
            "again to see what differs now, then log that"
        )
    return found


def _as_listed(manifest: Manifest, root: Path) -> Manifest:
    """A manifest's files, and the records that it follows, as they are on disk now."""
    files = [file.path for file in manifest.files]
    study, stage, follows = manifest.study, manifest.stage, manifest.follows
    return take_manifest(study, stage, files, follows=follows, root=root)


def _strange_record(study: str, root: Path) -> str:
    """A record under which calls were made and that the study doesn't have; empty without one."""
    known = known_records(study, root) | {""}
    named = {record for records in calls(study, root).values() for record in records}
    return LOST + min(named - known) if named - known else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: `add` an entry or `list` them. Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.freeze.deviations",
        description="Log a departure from what was sealed, and seal the stage anew.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="log a deviation and seal the stage anew")
    show = commands.add_parser("list", help="print the log")
    for command in (add, show):
        command.add_argument("--study", required=True, help="the study's name, as in the config")
    add.add_argument(
        "--stage", required=True, help="the stage that departs: study, vpe-design, results"
    )
    add.add_argument("--what", required=True, help="what is done otherwise than was sealed")
    add.add_argument("--why", required=True, help="the reason")
    add.add_argument("--effect", required=True, help="what it changes in the results")
    add.add_argument("--date", help="ISO date; today where not given")
    known = part_names(read_schema())
    add.add_argument(
        "--part",
        dest="parts",
        action="append",
        default=[],
        choices=known,
        help="a part of the study that it concerns; may be given several times",
    )
    options = vars(parser.parse_args(arguments))
    command = options.pop("command")
    try:
        if command == "list":
            finish(options["study"])
            table = read_deviations(log_path(options["study"]))
            print(table.to_csv(index=False) if len(table) else "no deviation is logged")
            return 0
        row = add_deviation(options.pop("study"), options.pop("stage"), **options)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(_said(row))
    return 0


def _said(row: Mapping[str, str]) -> str:
    before, sealed = row["manifest_before"], row["manifest_after"][:8]
    if before == row["manifest_after"]:
        return "logged; no sealed file differs, so the record stays"
    if before.startswith(LOST):
        lost = before.removeprefix(LOST)[:8]
        return f"logged; {row['stage']} is sealed as {sealed} in the place of {lost}, which is gone"
    return f"logged; {row['stage']} is sealed anew as {sealed}"


if __name__ == "__main__":
    sys.exit(main())
