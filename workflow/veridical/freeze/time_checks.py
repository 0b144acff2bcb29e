"""Checks of what proves a time: every receipt against its record, and the table against both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.base.files import file_sha256
from veridical.freeze.chain import kind_of
from veridical.freeze.checks import Check
from veridical.freeze.manifest import Change
from veridical.freeze.receipts import (
    NotInstalled,
    ReceiptError,
    Said,
    in_force,
    read_receipt,
    receipts,
    trusted,
)
from veridical.freeze.tags import TagError, check_tag
from veridical.freeze.timestamps import TAG, read_times, times_path

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

OWN_WORD = "when it was sealed is this study's own word"
UNREAD = "not checked, the clients are not installed"


def check_times(
    study: str, root: Path | str = ".", *, roots: Sequence[Certificate] | None = None
) -> Check:
    """Check every receipt against its record, and that the table of times says no more than they.

    `roots` are the certificates to trust; those that lie with the records where not given.
    """
    root = Path(root)
    found, changes, said, unread = receipts(study, root), [], {}, False
    try:
        trust = trusted(study, root) | ({} if roots is None else {"roots": roots})
    except NotInstalled:
        trust, unread = {}, bool(found)
    except ValueError as error:
        changes.append(Change("changed", times_path(study).parent.as_posix(), str(error)))
        trust = {"roots": [], "headers": {}}
    for path, record in {} if unread else found.items():
        name = path.relative_to(root).as_posix()
        if not record.is_file():
            changes.append(
                Change("missing", record.relative_to(root).as_posix(), f"{name} is of it")
            )
            continue
        try:
            for each in read_receipt(path, file_sha256(record), **trust):
                said.setdefault(file_sha256(record), []).append(each)
        except ReceiptError as error:
            changes.append(Change("changed", name, str(error)))
        except NotInstalled:
            unread = True
    changes += _check_table(study, root, said, unread)
    note = UNREAD if unread else _told(study, root, said)
    return Check("times", "", len(found), tuple(changes), note)


def _told(study: str, root: Path, said: dict[str, list[Said]]) -> str:
    """What attests the designs' times, in words: the last of them, where each has a proof."""
    designs = {
        stage: said.get(sha256, [])
        for stage, sha256 in in_force(study, root).items()
        if kind_of(stage) == "design"
    }
    first = {
        stage: min((each.time, each.authority) for each in found if each.state == "attested")
        for stage, found in designs.items()
        if any(each.state == "attested" for each in found)
    }
    if first and len(first) == len(designs):
        time, authority = max(first.values())
        what = "design" if len(designs) == 1 else f"{len(designs)} designs"
        return f"{what} sealed by {time}, attested by {authority}"
    own = f"{OWN_WORD} ({', '.join(s for s in designs if s not in first)})" if first else OWN_WORD
    waiting = (each for found in designs.values() for each in found if each.state != "attested")
    told = {f"{each.authority} ({each.detail or each.state})" for each in waiting}
    return "; ".join([own, *sorted(told)])


def _check_table(study: str, root: Path, said: dict[str, list[Said]], unread: bool) -> list[Change]:
    """Each row of the table against the receipts; what the page says, it says by this table."""
    name = times_path(study).as_posix()
    try:
        rows = read_times(study, root).to_dict("records")
    except ValueError as error:
        return [Change("changed", name, str(error))]
    records, changes = set(in_force(study, root).values()), []
    for number, row in enumerate(rows, start=1):
        where = f"{name}, entry {number}"
        if row["record"] not in records or (unread and row["kind"] != TAG):
            continue
        if row["kind"] == TAG:
            changes += _check_tagged(study, row["authority"], where, root)
            continue
        backed = {(each.kind, each.authority, each.state, each.time)
                  for each in said.get(row["record"], [])}  # fmt: skip
        if (row["kind"], row["authority"], row["state"], row["time"] or "") not in backed:
            note = f"no receipt says so of record {row['record'][:8]}"
            changes.append(Change("changed", where, note))
    return changes


def _check_tagged(study: str, tag: str, where: str, root: Path) -> list[Change]:
    """A row on a tag, where this is a clone that could have it."""
    if not (root / ".git").exists():
        return []
    try:
        check_tag(study, tag, root)
    except TagError as error:
        return [Change("changed", where, f"tag {tag}: {error}")]
    return []


def check_named_tag(study: str, tag: str, root: Path | str = ".") -> Check:
    """Check a tag that a reader names."""
    try:
        stage, signed = check_tag(study, tag, root)
    except TagError as error:
        return Check("tag", "", changes=(Change("changed", tag, str(error)),))
    return Check("tag", "", 1, note=f"{stage}, {'signed' if signed else 'not signed'}")
