"""The log of departures from what was sealed: what, why, with what effect.

`data/freeze/<study>/deviations.csv` has one row a deviation. Each is bound to the record before and
after it; the record before is kept under `superseded/`. From a shell:

    python -m veridical.freeze.deviations add --study demo --stage design \\
        --what "..." --why "..." --effect "..."
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from veridical.base.tables import read_table, write_table
from veridical.freeze.manifest import (
    STAGES,
    after,
    compare,
    file_sha256,
    folder,
    read_manifest,
    take_manifest,
    write_record,
)
from veridical.freeze.sealing import deviations_path, found_path, withdraw_receipts
from veridical.freeze.tables import DEVIATIONS


def read_deviations(path: Path | str) -> pd.DataFrame:
    """Read a deviations log; an absent file is an empty log.

    Returns one row a deviation, in the order logged, all columns text: `date` (ISO), `stage`,
    `what`, `why`, `effect`, `manifest_before` and `manifest_after` (SHA-256 of the stage's record;
    equal where nothing that was sealed changed). Raises ValueError naming file, row and column
    where an entry gives no what, why or effect, or names no stage.
    """
    if not Path(path).is_file():
        return pd.DataFrame(columns=DEVIATIONS.names, dtype=str)
    table = read_table(path, DEVIATIONS)
    for row, entry in enumerate(table.itertuples(), start=1):
        for column in ("date", "what", "why", "effect"):
            if not getattr(entry, column).strip():
                raise ValueError(f"{path}, entry {row}: {column} is empty; say it in a sentence")
        if entry.stage not in STAGES:
            raise ValueError(f"{path}, entry {row}: no stage {entry.stage!r}")
    return table


def add_deviation(
    study: str,
    stage: str,
    *,
    what: str,
    why: str,
    effect: str,
    date: str | None = None,
    root: Path | str = ".",
) -> pd.Series:
    """Log a deviation and, where the stage's files differ from their record, seal them anew.

    The differing manifest is the one that the sealing rule left behind when it stopped, so nothing
    is adopted that it has not listed. The old record and those of the later stages go to
    `superseded/`; the later stages are sealed anew when the workflow passes them. Where nothing
    differs, the entry is logged alone: a departure in how the study was run.

    Returns the row. Raises ValueError where what, why or effect is empty, where the stage is not
    sealed yet, or where files have changed that the sealing rule hasn't listed as they are now.
    """
    root = Path(root)
    texts = {"what": what, "why": why, "effect": effect}
    texts = {name: " ".join((text or "").split()) for name, text in texts.items()}
    for name, text in texts.items():
        if not text:
            raise ValueError(f"--{name} is empty: a deviation without it is not logged")
    if stage not in STAGES:
        raise ValueError(f"no stage {stage!r}; the stages are {', '.join(STAGES)}")
    record = root / folder(study) / f"{stage}.json"
    if not record.is_file():
        raise ValueError(
            f"{record}: {stage} is not sealed yet, so there is nothing to deviate from"
        )
    sealed = read_manifest(record)
    waiting = root / found_path(study, stage)
    found = sealed
    if not waiting.is_file():
        now = take_manifest(study, stage, [file.path for file in sealed.files], root=root)
        if compare(sealed, now):
            raise ValueError(
                f"files of stage {stage} differ from its record and are not listed yet: run the "
                "workflow, which stops and lists them, then log that"
            )
    else:
        listed = read_manifest(waiting)
        found = take_manifest(study, stage, [file.path for file in listed.files], root=root)
        if compare(listed, found):
            raise ValueError(
                f"files of stage {stage} have changed since they were listed; run the workflow "
                "again to see what differs now, then log that"
            )
    log = root / deviations_path(study)
    hashes = {"manifest_before": file_sha256(record), "manifest_after": file_sha256(record)}
    if compare(sealed, found):
        hashes["manifest_after"] = found.sha256
    row = {"date": date or datetime.datetime.now(datetime.UTC).date().isoformat(), "stage": stage}
    table = pd.concat([read_deviations(log), pd.DataFrame([row | texts | hashes])])
    write_table(table, log, DEVIATIONS)
    if hashes["manifest_before"] != hashes["manifest_after"]:
        for name in (stage, *after(stage)):
            _supersede(record.with_name(f"{name}.json"))
        write_record(found, root)
    withdraw_receipts(study, stage, root)
    waiting.unlink(missing_ok=True)
    return table.iloc[-1]


def superseded(study: str, root: Path | str = ".") -> dict[str, Path]:
    """The records that deviations have replaced, by SHA-256."""
    paths = sorted((Path(root) / folder(study) / "superseded").glob("*.json"))
    return {file_sha256(path): path for path in paths}


def _supersede(record: Path) -> None:
    """Move a record, its sums and its timestamp proof to `superseded/`, under its hash."""
    if not record.is_file():
        return
    name = f"{record.stem}-{file_sha256(record)[:8]}"
    target = record.parent / "superseded"
    target.mkdir(exist_ok=True)
    for path in (record.with_suffix(".SHA256SUMS"), Path(f"{record}.ots"), record):
        if path.is_file():
            path.replace(target / path.name.replace(record.stem, name, 1))


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
    add.add_argument("--stage", required=True, choices=STAGES, help="the stage that departs")
    add.add_argument("--what", required=True, help="what is done otherwise than was sealed")
    add.add_argument("--why", required=True, help="the reason")
    add.add_argument("--effect", required=True, help="what it changes in the results")
    add.add_argument("--date", help="ISO date; today where not given")
    options = vars(parser.parse_args(arguments))
    command = options.pop("command")
    try:
        if command == "list":
            table = read_deviations(deviations_path(options["study"]))
            print(table.to_csv(index=False) if len(table) else "no deviation is logged")
            return 0
        row = add_deviation(options.pop("study"), options.pop("stage"), **options)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    same = row["manifest_before"] == row["manifest_after"]
    print(
        "logged; no sealed file differs, so the record stays"
        if same
        else f"logged; {row['stage']} is sealed anew as {row['manifest_after'][:8]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
