"""What tells of a record besides the record: calls made under it, receipts, sums, proofs, the log.

A stage is sealed once. Where its record is gone, all this says that there was one, and mostly
which; so another one can't take its place unnoticed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from veridical.base.files import file_sha256
from veridical.base.unseen import show_pandas
from veridical.freeze.chain import before, is_stage, kind_of, stage_of
from veridical.freeze.manifest import (
    folder,
    log_path,
    noted,
    record_path,
    records_there,
    stages_there,
)
from veridical.freeze.tables import DEVIATIONS
from veridical.ledger.exports import is_replies
from veridical.ledger.ledger import Ledger
from veridical.ledger.served import AFTER_RESPONSES, BEFORE_DESIGN, PARTS_OF

LOST = "lost:"  # before the hash of a record that is gone, in the log of deviations
UNKNOWN = "unknown"


def receipt_path(study: str, stage: str) -> Path:
    """Where the receipt of a stage lies: what the workflow knows of the record."""
    return Path("results", study, "freeze", f"{stage}.json")


def read_receipt(study: str, stage: str, root: Path | str = ".") -> dict[str, str]:
    """What the receipt of a stage says, `sha256` among it: `unknown` where it can't be read; empty
    without one."""
    path = Path(root) / receipt_path(study, stage)
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        told = {key: value for key, value in content.items() if key != "previous"}
        return {"sha256": UNKNOWN} | {key: str(value) for key, value in told.items()}
    except (AttributeError, TypeError, ValueError):
        return {"sha256": UNKNOWN}


def is_vouched(study: str, stage: str, root: Path | str = ".") -> bool:
    """Whether the receipt of a stage, where there is one, names the record that lies there."""
    traced = read_receipt(study, stage, root)
    record = Path(root) / record_path(study, stage)
    return not traced or (record.is_file() and traced["sha256"] == file_sha256(record))


def sums_hash(study: str, stage: str, root: Path | str = ".") -> str | None:
    """The record's SHA-256 by the `SHA256SUMS` beside it; None without one, `unknown` where it
    doesn't name the record."""
    record = record_path(study, stage)
    path = (Path(root) / record).with_suffix(".SHA256SUMS")
    if not path.is_file():
        return None
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        sha256, _, name = line.partition("  ")
        if name == record.as_posix():
            return sha256
    return UNKNOWN


def log_entries(study: str, root: Path | str = ".") -> list[dict[str, str]]:
    """The rows of the log of deviations, unchecked; none where it can't be read."""
    path = Path(root) / log_path(study)
    if not path.is_file():
        return []
    show_pandas()  # the engine asks for this while it plans
    try:
        from veridical.base.tables import read_table  # brings pandas, a quarter of a second

        return read_table(path, DEVIATIONS).to_dict("records")
    except ValueError:
        return []


def known_records(study: str, root: Path | str = ".") -> set[str]:
    """The SHA-256 of every record that is there or was replaced on the record, and of the lost
    ones that the log names."""
    there = records_there(study, root).values()
    known = {file_sha256(path) for path in there if path.is_file()} | {*superseded(study, root)}
    entries = log_entries(study, root)
    return known | {row["manifest_before"].removeprefix(LOST) for row in entries}


def superseded(study: str, root: Path | str = ".") -> dict[str, Path]:
    """The records that deviations have replaced, by SHA-256."""
    paths = sorted((Path(root) / folder(study) / "superseded").glob("*.json"))
    return {file_sha256(path): path for path in paths}


def calls(study: str, root: Path | str = ".") -> dict[str, Counter[str]]:
    """By collection, how many answers were asked for under which record (its SHA-256; empty
    where it isn't known), by the ledgers, or where there are none by the replies files.

    Raises LedgerError naming a ledger that can't be read.
    """
    root = Path(root)
    found: dict[str, Counter[str]] = {}
    for path in sorted((root / "data/ledger" / study).glob("*/*.sqlite")):
        with Ledger(path, create=False) as ledger:
            found.setdefault(path.parent.name, Counter()).update(ledger.records())
    for path in [] if any(found.values()) else _replies(study, root):
        for collection, records in records_in(path).items():
            found.setdefault(collection, Counter()).update(records)
    return found


def _replies(study: str, root: Path) -> list[Path]:
    """The replies files of a study; of an archive, those that it keeps for the replay."""
    for top in (f"results/{study}", f"data/replies/{study}"):
        if found := [p for p in sorted((root / top).rglob("*.jsonl")) if is_replies(p)]:
            return found
    return []


def records_in(path: Path) -> dict[str, Counter[str]]:
    """Of one replies file, how many answers were asked for under which record, by collection.

    A line that keeps no exchange counts as one that isn't known.
    """
    found: dict[str, Counter[str]] = {}
    with open(path, encoding="utf-8") as lines:
        for entry in map(json.loads, lines):
            replies = [exchange["reply"] for exchange in entry.get("exchanges", ())] or [{}]
            counted = found.setdefault(entry.get("stage", ""), Counter())
            counted.update(reply.get("record", "") for reply in replies)
    return found


def traces(study: str, stage: str, sha256: str, root: Path | str = ".") -> dict[str, str]:
    """What tells that a stage was sealed as another record than that of hash `sha256`: what it is,
    and which record it names (its SHA-256, or `unknown`). Empty where nothing does.

    Where something names the very record, what doesn't say which one is no trace of another.
    """
    root = Path(root)
    traced = dict(_named_by(study, stage, root))
    if sha256 in traced.values():
        traced = {by: named for by, named in traced.items() if named != UNKNOWN}
    return {by: named for by, named in traced.items() if named != sha256}


def _named_by(study: str, stage: str, root: Path) -> Iterator[tuple[str, str]]:
    """(what it is, the record it names) of all that tells of a stage's record."""
    for by, named in (
        ("its receipt", read_receipt(study, stage, root).get("sha256")),
        ("its SHA256SUMS", sums_hash(study, stage, root)),
    ):
        if named is not None:
            yield by, named
    rows = [row["manifest_after"] for row in log_entries(study, root) if row["stage"] == stage]
    if rows and rows[-1] not in superseded(study, root):  # by a deviation of an earlier stage
        yield "the log of deviations", rows[-1]
    for later, named in _followers(study, stage, root).items():
        yield f"the receipt of {later}", named
    yield from _named_by_calls(study, stage, root)


def _followers(study: str, stage: str, root: Path) -> dict[str, str]:
    """The record of a stage that the receipts of those after it name (or `unknown`), by stage."""
    found, there = {}, stages_there(study, root)
    for path in noted(study, root):
        if not is_stage(path.stem) or stage not in before(path.stem, there):
            continue
        previous: object = None
        with suppress(AttributeError, ValueError):
            previous = json.loads(path.read_text(encoding="utf-8")).get("previous")
        named = previous.get(stage) if isinstance(previous, dict) else previous
        found[path.stem] = str(named or UNKNOWN)
    return found


def asked_under(collection: str) -> set[str]:
    """The stages under whose record a collection's calls are made; none before any is sealed."""
    if collection in BEFORE_DESIGN:
        return set()
    kind = "responses" if collection in AFTER_RESPONSES else "design"
    return {kind} | {stage_of(part, kind) for part in PARTS_OF.get(collection, (collection,))}


def _named_by_calls(study: str, stage: str, root: Path) -> Iterator[tuple[str, str]]:
    """Calls that were made once a stage was sealed."""
    if kind_of(stage) not in ("design", "responses"):
        return
    replaced = known_records(study, root)
    made: Counter[str] = Counter()
    for collection, records in calls(study, root).items():
        if stage in asked_under(collection):
            made.update(records)
    for named, n in sorted(made.items()):
        if named not in replaced:
            yield f"{n} call(s) made after it", named or UNKNOWN
