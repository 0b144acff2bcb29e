"""Files that are there whole or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.files import atomic, file_sha256, sync_folder, write_text


def test_a_file_appears_when_all_has_gone_well_and_its_folder_with_it(tmp_path):
    path = tmp_path / "new" / "folder" / "a.txt"
    with atomic(path) as part:
        part.write_text("half")
        assert not path.exists()
        assert part.parent == path.parent  # the same file system: a rename, no copy
    assert path.read_text() == "half"
    assert os.listdir(path.parent) == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_was_there_stays_where_writing_fails(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write() -> None:
        with atomic(path) as part:
            part.write_text("new")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_writing_nothing_is_an_error_and_leaves_nothing(tmp_path):
    with pytest.raises(FileNotFoundError), atomic(tmp_path / "a.txt"):
        pass
    assert os.listdir(tmp_path) == []


def test_two_processes_write_apart(tmp_path):
    """The part's name holds the process's number, so neither takes the other's half."""
    with atomic(tmp_path / "a.txt") as part:
        assert str(os.getpid()) in part.name
        assert part.name.startswith(".")  # hidden: no glob of results takes it for one
        part.write_text("")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_is_written_as_utf8_with_its_own_line_ends(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "text.txt"
    write_text(path, text)
    assert path.read_bytes() == text.encode()
    assert file_sha256(path) == hashlib.sha256(text.encode()).hexdigest()


def test_text_that_is_none_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half \ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_folder_is_synced_or_named(tmp_path):
    sync_folder(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        sync_folder(tmp_path / "nowhere")


def test_a_file_is_hashed_in_pieces(tmp_path):
    path = Path(tmp_path / "big")
    path.write_bytes(b"0123456789abcdef" * 100_000)
    assert file_sha256(path) == hashlib.sha256(path.read_bytes()).hexdigest()
