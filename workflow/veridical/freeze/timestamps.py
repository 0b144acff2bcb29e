"""Proof from outside that a record existed at a time, in one table: what attests what.

`data/freeze/<study>/timestamps.csv` is made from the receipts beside the records (and names the git
tags made here). The page speaks by it, `verify` holds it to the receipts. From a shell:

    python -m veridical.freeze.timestamps --study demo
    python -m veridical.freeze.timestamps --study demo --tag vpe-design --sign

The first prints each record's hash, as one would register it (at OSF, in a preprint), and what
proves its time; the second tags the commit that holds the record.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from veridical.base.files import file_sha256, write_text
from veridical.base.tables import read_table, table_text
from veridical.freeze.chain import WIDTH, check_stage_name, is_stamped
from veridical.freeze.left_off import awaited
from veridical.freeze.manifest import folder
from veridical.freeze.receipts import (
    NotInstalled,
    ReceiptError,
    Said,
    in_force,
    read_receipt,
    receipts_of,
    trusted,
)
from veridical.freeze.tables import TIMES
from veridical.freeze.tags import tag_record

TAG = "tag"


def times_path(study: str) -> Path:
    """Where the table of times lies, from the project's root."""
    return folder(study) / "timestamps.csv"


def read_times(study: str, root: Path | str = ".") -> pd.DataFrame:
    """The table of times; empty without one. Raises ValueError naming file, row and column."""
    path = Path(root) / times_path(study)
    if not path.is_file():
        return pd.DataFrame(columns=TIMES.names, dtype=object)
    return read_table(path, TIMES)


def times_in_force(study: str, root: Path | str = ".") -> pd.DataFrame:
    """The rows of the table that are about records as they lie there now."""
    table, records = read_times(study, root), in_force(study, root)
    kept = [records.get(row.stage) == row.record for row in table.itertuples()]
    return table[pd.Series(kept, index=table.index, dtype=bool)].reset_index(drop=True)


def write_times(study: str, root: Path | str = ".") -> pd.DataFrame:
    """Make the table anew from the receipts of the records in force; tags stay in it.

    A receipt that proves nothing has no row: `verify` names it. Raises NotInstalled where the
    receipts can't be read here.
    """
    rows = []
    trust, old = trusted(study, root), times_in_force(study, root)
    for stage, sha256 in in_force(study, root).items():
        for path in receipts_of(study, stage, root):
            try:
                said = read_receipt(path, sha256, **trust)
            except ReceiptError:
                continue
            rows += [_row(stage, sha256, each) for each in said]
        rows += old[(old["kind"] == TAG) & (old["stage"] == stage)].to_dict("records")
    table = pd.DataFrame(rows, columns=TIMES.names).drop_duplicates()
    _write(study, table, root)
    return table


def _write(study: str, table: pd.DataFrame, root: Path | str) -> None:
    path = Path(root) / times_path(study)
    if len(table) or path.is_file():
        write_text(path, table_text(table, TIMES))


def _row(stage: str, sha256: str, said: Said) -> dict[str, str]:
    return {
        "stage": stage,
        "record": sha256,
        "kind": said.kind,
        "authority": said.authority,
        "state": said.state,
        "time": said.time or None,
    }


def name_tag(study: str, stage: str, tag: str, root: Path | str = ".") -> None:
    """Note in the table that a tag names a stage's record."""
    said = Said(TAG, tag, "named")
    row = _row(stage, in_force(study, root)[stage], said)
    table = pd.concat([times_in_force(study, root), pd.DataFrame([row])])[TIMES.names]
    _write(study, table.drop_duplicates(), root)


def describe_record(study: str, stage: str, root: Path | str = ".") -> str:
    """One line on a record: its hash, and what its receipts say."""
    record = Path(root) / folder(study) / f"{stage}.json"
    if not record.is_file():
        return f"{stage:<{WIDTH}} not sealed yet"
    sha256 = file_sha256(record)
    trust, said = {}, []
    for path in receipts_of(study, stage, root):
        try:
            trust = trust or trusted(study, root)
            said += [_in_words(each) for each in read_receipt(path, sha256, **trust)]
        except (ReceiptError, NotInstalled) as error:
            said.append(f"{'BROKEN: ' * isinstance(error, ReceiptError)}{path.name}: {error}")
    none = "no proof of its time" if is_stamped(stage) else "held by the records after it"
    return f"{stage:<{WIDTH}} {sha256}  {'; '.join(said) or none}"


def describe_records(study: str, root: Path | str = ".") -> list[str]:
    """A line on each record of a study, and on those that are to come."""
    return [describe_record(study, stage, root) for stage in awaited(study, root)]


def _in_words(said: Said) -> str:
    words = {"attested": f"by {said.time}, as {said.authority} attests"}
    words |= {"pending": f"promised by {said.authority}, no block yet"}
    return words.get(said.state, f"{said.authority}: {said.detail}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: print the hashes to register, or tag a record."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.freeze.timestamps", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--study", required=True, help="the study's name, as in the config")
    parser.add_argument(
        "--tag", help="make a git tag for a stage's record: study, vpe-design, results"
    )
    parser.add_argument("--sign", action="store_true", help="sign the tag with your git key")
    options = parser.parse_args(arguments)
    try:
        if options.tag:
            stage = check_stage_name(options.tag)
            tag = tag_record(options.study, stage, sign=options.sign)
            name_tag(options.study, options.tag, tag)
            print(f"{tag}\nPush it: it is worth what the place is worth that keeps it.")
        else:
            print("\n".join(describe_records(options.study)))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
