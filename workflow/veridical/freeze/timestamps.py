"""Proof from outside that a record existed at a time: an OpenTimestamps proof, or a signed git tag.

Nothing here reaches for a network. `python -m veridical.freeze.timestamps --study demo` prints the
hash of each record, as one would register it (at OSF, in a preprint), and what proofs lie beside:

    ots stamp data/freeze/demo/design.json      # the OpenTimestamps client, sends the hash alone
    python -m veridical.freeze.timestamps --study demo --tag design
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.freeze.manifest import STAGES, file_sha256, folder

MAGIC = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94"
SHA256 = b"\x08"
BITCOIN = bytes.fromhex("0588960d73d71901")
PENDING = bytes.fromhex("83dfe30d2ef90c8e")


@dataclass(frozen=True)
class Proof:
    """An OpenTimestamps proof: of which hash, and whether a Bitcoin block holds it already."""

    sha256: str
    in_bitcoin: bool
    pending: bool


def read_proof(path: Path | str) -> Proof:
    """Read the head of an `.ots` file; the client (`ots verify`) checks the rest.

    Raises ValueError naming the file where it is no OpenTimestamps proof of a SHA-256.
    """
    data = Path(path).read_bytes()
    start = len(MAGIC) + 1
    if not data.startswith(MAGIC + b"\x01") or data[start : start + 1] != SHA256:
        raise ValueError(f"{path}: not an OpenTimestamps proof of a SHA-256")
    digest, rest = data[start + 1 : start + 33], data[start + 33 :]
    if len(digest) < 32:
        raise ValueError(f"{path}: cut off")
    return Proof(digest.hex(), BITCOIN in rest, PENDING in rest)


def describe_record(study: str, stage: str, root: Path | str = ".") -> str:
    """One line on a record: its hash, and the state of its proof."""
    record = Path(root) / folder(study) / f"{stage}.json"
    if not record.is_file():
        return f"{stage:<10} not sealed yet"
    sha256 = file_sha256(record)
    proof = Path(f"{record}.ots")
    if not proof.is_file():
        return f"{stage:<10} {sha256}  no timestamp proof"
    found = read_proof(proof)
    if found.sha256 != sha256:
        return f"{stage:<10} {sha256}  BROKEN: {proof.name} is for {found.sha256}"
    state = "in a Bitcoin block" if found.in_bitcoin else "submitted, waiting for a block"
    return f"{stage:<10} {sha256}  proof {state}"


def tag_record(study: str, stage: str, *, sign: bool = False, root: Path | str = ".") -> str:
    """Tag the commit that holds a record, with the record's hash in the message; return the tag.

    Raises ValueError where the record is missing or not committed as it stands.
    """
    record = folder(study) / f"{stage}.json"
    if not (Path(root) / record).is_file():
        raise ValueError(f"{record}: missing; {stage} is not sealed yet")

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise ValueError(f"git {arguments[0]}: {done.stderr.strip()}")
        return done.stdout.strip()

    tracked = git("ls-files", "--", record.as_posix())
    if not tracked or git("status", "--porcelain", "--", record.as_posix()):
        raise ValueError(f"{record}: commit it first; a tag vouches for what is committed")
    sha256 = file_sha256(Path(root) / record)
    tag = f"freeze/{study}/{stage}/{sha256[:8]}"
    message = f"{record.as_posix()}\nSHA-256 {sha256}"
    git("tag", "--sign" if sign else "--annotate", "-m", message, tag)
    return tag


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: print the hashes to register, or tag a record."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.freeze.timestamps", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--study", required=True, help="the study's name, as in the config")
    parser.add_argument("--tag", choices=STAGES, help="make a git tag for this stage's record")
    parser.add_argument("--sign", action="store_true", help="sign the tag with your git key")
    options = parser.parse_args(arguments)
    try:
        if options.tag:
            print(tag_record(options.study, options.tag, sign=options.sign))
        else:
            print("\n".join(describe_record(options.study, stage) for stage in STAGES))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
