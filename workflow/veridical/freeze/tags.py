"""The humble proof of time: a git tag whose message holds a record's hash, signed or not.

It is worth what the place is worth that it was pushed to: a clock and a history of one's own prove
nothing.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from veridical.base.files import file_sha256
from veridical.freeze.manifest import folder, record_path, records_there


class TagError(ValueError):
    """A tag doesn't vouch for a record; the message says why."""


def tag_name(study: str, stage: str, sha256: str) -> str:
    """What the tag of a record is called."""
    return f"freeze/{study}/{stage}/{sha256[:8]}"


def tag_record(study: str, stage: str, *, sign: bool = False, root: Path | str = ".") -> str:
    """Tag the commit that holds a record, with the record's hash in the message; return the tag.

    Raises ValueError where the record is missing or not committed as it stands.
    """
    record = folder(study) / f"{stage}.json"
    if not (Path(root) / record).is_file():
        raise ValueError(f"{record}: missing; {stage} is not sealed yet")
    tracked = _git(root, "ls-files", "--", record.as_posix())
    if not tracked or _git(root, "status", "--porcelain", "--", record.as_posix()):
        raise ValueError(f"{record}: commit it first; a tag vouches for what is committed")
    sha256 = file_sha256(Path(root) / record)
    tag = tag_name(study, stage, sha256)
    message = f"{record.as_posix()}\nSHA-256 {sha256}"
    _git(root, "tag", "--sign" if sign else "--annotate", "-m", message, tag)
    return tag


def check_tag(study: str, tag: str, root: Path | str = ".") -> tuple[str, bool]:
    """The stage whose record a tag names, and whether the tag is signed.

    Raises TagError where there is no such tag, where it names no record that is in force, where
    its commit doesn't hold that record, and where it is signed and the signature doesn't verify.
    """
    try:
        text = _git(root, "cat-file", "tag", f"refs/tags/{tag}")
    except ValueError as error:
        raise TagError(f"no annotated tag of that name here ({error})") from None
    for stage, record in records_there(study, root).items():
        sha256 = file_sha256(record)
        if not re.search(rf"^SHA-256 {sha256}$", text, re.MULTILINE):
            continue
        _check_commit(root, tag, record_path(study, stage).as_posix())
        signed = "-----BEGIN " in text
        if signed:
            _check_signature(root, tag)
        return stage, signed
    raise TagError("names no record that is in force")


def _check_commit(root: Path | str, tag: str, name: str) -> None:
    try:
        held = _git(root, "rev-parse", f"refs/tags/{tag}^{{commit}}:./{name}")
    except ValueError:
        raise TagError(f"its commit doesn't hold {name}") from None
    if held != _git(root, "hash-object", "--no-filters", "--", name):
        raise TagError(f"its commit holds another {name}")


def _check_signature(root: Path | str, tag: str) -> None:
    try:
        _git(root, "verify-tag", tag)
    except ValueError as error:
        raise TagError(f"its signature doesn't verify ({error})"[:300]) from None


def _git(root: Path | str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise ValueError(f"git can't be run ({error})") from None
    if done.returncode:
        raise ValueError(f"git {arguments[0]}: {' '.join(done.stderr.split())}")
    return done.stdout.strip()
