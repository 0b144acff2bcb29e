"""Proofs of time: the two below were made with the opentimestamps library 0.4.5."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest
from veridical.freeze.sealing import seal
from veridical.freeze.timestamps import describe_record, main, read_proof, tag_record
from veridical.freeze.verify import verify

HEAD = (
    "004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e892940108"
    "59772b9c70d6cc244274937445f7c5b56ec6fe0a11292c4ed68848655515a1e6"  # SHA-256 of "record\n"
    "f002010208"
)
PENDING = HEAD + (
    "0083dfe30d2ef90c8e222168747470733a2f2f612e706f6f6c2e6f70656e74696d657374616d70732e6f7267"
)
IN_BITCOIN = HEAD + "000588960d73d7190103c0c407"


@pytest.mark.parametrize(("proof", "in_bitcoin"), [(PENDING, False), (IN_BITCOIN, True)])
def test_a_proof_says_of_what_and_how_far(tmp_path, proof, in_bitcoin):
    path = tmp_path / "record.json.ots"
    path.write_bytes(bytes.fromhex(proof))
    found = read_proof(path)
    assert found.sha256 == hashlib.sha256(b"record\n").hexdigest()
    assert (found.in_bitcoin, found.pending) == (in_bitcoin, not in_bitcoin)


@pytest.mark.parametrize("data", [b"", b"not a proof", bytes.fromhex(HEAD[:80])])
def test_what_is_no_proof_is_refused(tmp_path, data):
    (tmp_path / "x.ots").write_bytes(data)
    with pytest.raises(ValueError, match=r"x\.ots"):
        read_proof(tmp_path / "x.ots")


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch) -> Path:
    (tmp_path / "rubric.txt").write_text("Score.\n")
    monkeypatch.chdir(tmp_path)
    seal("demo", "design", ["rubric.txt"])
    return tmp_path


def test_a_proof_of_another_record_is_broken(sealed, capsys):
    assert "no timestamp proof" in describe_record("demo", "design")
    Path("data/freeze/demo/design.json.ots").write_bytes(bytes.fromhex(PENDING))
    assert "BROKEN" in describe_record("demo", "design")
    assert verify("demo")[0].changes[0].name == "data/freeze/demo/design.json.ots"
    assert main(["--study", "demo"]) == 0
    assert "not sealed yet" in capsys.readouterr().out


def test_a_tag_carries_the_hash_of_a_committed_record(sealed):
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(
            ["git", *identity, *arguments], check=True, capture_output=True, text=True
        )
        return done.stdout

    git("init", "-q")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    with pytest.raises(ValueError, match="commit it first"):
        tag_record("demo", "design")
    git("add", ".")
    git("commit", "-q", "-m", "sealed")
    tag = tag_record("demo", "design")
    sha256 = hashlib.sha256(Path("data/freeze/demo/design.json").read_bytes()).hexdigest()
    assert tag == f"freeze/demo/design/{sha256[:8]}"
    assert sha256 in git("tag", "-n9", tag)
