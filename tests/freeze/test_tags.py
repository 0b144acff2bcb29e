"""Git tags: the humble proof of time, made and checked in a real repository."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest
from veridical.freeze.sealing import seal
from veridical.freeze.tags import TagError, check_tag, tag_record
from veridical.freeze.timestamps import main, read_times
from veridical.freeze.verify import main as verify_main
from veridical.freeze.verify import verify


def git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def committed(tmp_path: Path, monkeypatch) -> Path:
    """A repository with a sealed and committed design."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubric.txt").write_text("Score.\n")
    git("init", "-q")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    seal("demo", "design", ["rubric.txt"])
    git("add", ".")
    git("commit", "-q", "-m", "sealed")
    return tmp_path


def sha256() -> str:
    return hashlib.sha256(Path("data/freeze/demo/design.json").read_bytes()).hexdigest()


def test_a_tag_carries_the_hash_of_a_committed_record(committed):
    tag = tag_record("demo", "design")
    assert tag == f"freeze/demo/design/{sha256()[:8]}"
    assert sha256() in git("tag", "-n9", tag)
    assert check_tag("demo", tag) == ("design", False)


def test_what_is_not_committed_gets_no_tag(committed):
    git("rm", "-q", "--cached", "data/freeze/demo/design.json")
    with pytest.raises(ValueError, match="commit it first"):
        tag_record("demo", "design")
    with pytest.raises(ValueError, match="responses is not sealed yet"):
        tag_record("demo", "responses")


def test_a_tag_made_here_is_noted_and_checked(committed, capsys):
    assert main(["--study", "demo", "--tag", "design"]) == 0
    (row,) = read_times("demo").to_dict("records")
    assert (row["kind"], row["state"], row["time"]) == ("tag", "named", None)
    assert verify_main(["--study", "demo", "--tag", row["authority"]]) == 0
    assert "design, not signed" in capsys.readouterr().out
    git("tag", "-d", row["authority"])
    (times,) = [check for check in verify("demo") if check.stage == "times"]
    assert not times.holds
    assert "no annotated tag of that name" in str(times)


def test_a_tag_of_another_record_is_broken(committed, capsys):
    git("tag", "-a", "-m", f"data/freeze/demo/design.json\nSHA-256 {'0' * 64}", "wrong")
    assert verify_main(["--study", "demo", "--tag", "wrong"]) == 1
    assert "BROKEN" in (out := capsys.readouterr().out)
    assert "names no record that is in force" in out


def test_a_tag_on_a_commit_without_the_record_is_broken(committed):
    """The right hash in the message proves nothing where the commit holds other bytes."""
    right = sha256()
    Path("data/freeze/demo/design.json").write_text("{}\n")
    git("commit", "-qam", "another")
    git("tag", "-a", "-m", f"SHA-256 {right}", "elsewhere")
    git("checkout", "-q", "HEAD~1", "--", "data/freeze/demo/design.json")
    with pytest.raises(TagError, match=r"holds another data/freeze/demo/design\.json"):
        check_tag("demo", "elsewhere")
    git("rm", "-qf", "data/freeze/demo/design.json")
    git("commit", "-qm", "without")
    git("tag", "-a", "-m", f"SHA-256 {right}", "without")
    git("checkout", "-q", "HEAD~2", "--", "data/freeze/demo/design.json")
    with pytest.raises(TagError, match="doesn't hold"):
        check_tag("demo", "without")


def test_a_light_tag_or_none_is_no_proof(committed):
    git("tag", "light")
    for name in ("light", "nowhere", "--help"):
        with pytest.raises(TagError, match="no annotated tag"):
            check_tag("demo", name)


@pytest.fixture
def signing(committed) -> Path:
    """A key to sign with, known to git as the author's."""
    key = committed / ".git/key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    public = key.with_suffix(".pub").read_text().split()
    (committed / ".git/signers").write_text(f"t@example.org {public[0]} {public[1]}\n")
    git("config", "gpg.format", "ssh")
    git("config", "user.signingkey", str(key))
    git("config", "gpg.ssh.allowedSignersFile", str(committed / ".git/signers"))
    return committed


def test_a_signed_tag_is_checked_by_its_signature(signing):
    tag = tag_record("demo", "design", sign=True)
    assert check_tag("demo", tag) == ("design", True)
    (signing / ".git/signers").write_text("")
    with pytest.raises(TagError, match="signature doesn't verify"):
        check_tag("demo", tag)


def test_a_signed_tag_that_was_edited_is_broken(signing):
    """Written anew with another sentence before the signature, as a forger would."""
    tag = tag_record("demo", "design", sign=True)
    text = git("cat-file", "tag", tag).replace("data/freeze", "Data/freeze", 1) + "\n"
    forged = subprocess.run(
        ["git", "hash-object", "-t", "tag", "-w", "--stdin"],
        input=text, check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    git("update-ref", "refs/tags/forged", forged)
    with pytest.raises(TagError, match="signature doesn't verify"):
        check_tag("demo", "forged")
