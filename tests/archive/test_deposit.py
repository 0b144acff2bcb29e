"""Depositing once, against a server that speaks the documented API and misbehaves on purpose."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from support.raw_server import RawServer, http
from support.zenodo_server import TOKEN, Zenodo
from veridical.archive.deposit import DepositError, deposit_archive

NAME = "veridical-demo-0123abcd.zip"
METADATA = {"title": "A study", "upload_type": "dataset"}


@pytest.fixture
def zenodo():
    with Zenodo() as server:
        yield server


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.write_bytes(b"0123456789abcdef" * 200_000)  # 3.2 MB: more than a socket's buffer
    return path


@pytest.fixture
def deposit(zenodo, archive):
    def call(**changes):
        options = {"metadata": METADATA, "token": TOKEN, "server": zenodo.url, "pauses": (0, 0)}
        record = archive.parent / "deposits" / "demo.json"
        return deposit_archive(archive, record, **options | changes, say=lambda _: None)

    return call


def stored(zenodo: Zenodo) -> list[bytes]:
    return [data for bucket in zenodo.buckets.values() for data in bucket.values()]


def test_a_draft_with_metadata_file_and_reserved_doi(deposit, zenodo, archive):
    facts = deposit()
    assert facts["doi"] == "10.5072/zenodo.1000"
    assert facts["state"] == "draft"
    assert facts["checksum"] == "md5:" + hashlib.md5(archive.read_bytes()).hexdigest()
    assert stored(zenodo) == [archive.read_bytes()]
    assert zenodo.depositions[1000]["metadata"]["title"] == "A study"
    assert not zenodo.depositions[1000]["submitted"]
    kept = json.loads((archive.parent / "deposits/demo.json").read_text())
    assert kept == {f"{zenodo.url} {NAME}": facts}


def test_the_token_goes_to_the_server_alone(deposit, zenodo, monkeypatch, archive):
    """Neither through a proxy to loopback, nor to a bucket that the server says lies elsewhere."""
    with RawServer(http(b"{}")) as other:
        monkeypatch.setenv("HTTP_PROXY", other.url)
        monkeypatch.setenv("ALL_PROXY", "socks4://127.0.0.1:9")
        deposit()
        (archive.parent / "deposits" / "demo.json").unlink()
        zenodo.depositions.clear()
        zenodo.bucket_url = other.url
        with pytest.raises(DepositError, match="another server, which is not given the token"):
            deposit()
    assert other.requests == []


def test_the_second_time_nothing_is_uploaded(deposit, zenodo):
    assert deposit() == deposit()
    assert zenodo.count("PUT /api/files") == 1
    assert zenodo.count("POST") == 1


def test_published_only_when_told_and_once(deposit, zenodo):
    deposit()
    facts = deposit(publish=True)
    assert facts["state"] == "published"
    assert facts["url"].endswith("/records/1000")
    assert deposit(publish=True)["state"] == "published"
    assert zenodo.count("POST /api/deposit/depositions/1000/actions/publish") == 1
    assert zenodo.count("PUT /api/files") == 1


@pytest.mark.parametrize("fault", ["cut", "lost", 500, 503])
def test_an_upload_that_breaks_is_taken_up_again(deposit, zenodo, archive, fault):
    zenodo.faults = [("PUT", "/api/files", fault)]
    assert deposit()["state"] == "draft"
    assert stored(zenodo) == [archive.read_bytes()]
    # an upload that arrived although its answer was lost is not sent again
    assert zenodo.count("PUT /api/files") == (1 if fault == "lost" else 2)
    assert len(zenodo.depositions) == 1


def test_a_line_that_stays_cut_ends_and_the_next_call_goes_on(deposit, zenodo, archive):
    zenodo.faults = [("PUT", "/api/files", "cut")] * 3
    with pytest.raises(DepositError, match="run the same command to try again"):
        deposit()
    facts = deposit()
    assert facts["id"] == 1000
    assert len(zenodo.depositions) == 1
    assert stored(zenodo) == [archive.read_bytes()]


def test_a_wrong_checksum_is_never_published(deposit, zenodo):
    zenodo.faults = [("PUT", "/api/files", "garbled")] * 3
    with pytest.raises(DepositError, match="the server's checksum is md5:"):
        deposit(publish=True)
    assert not zenodo.depositions[1000]["submitted"]
    zenodo.faults = [("PUT", "/api/files", "garbled")]  # once: the second try is right
    assert deposit(publish=True)["state"] == "published"


def test_a_refused_token_says_which_scopes_it_needs(deposit, zenodo):
    with pytest.raises(DepositError, match="deposit:write"):
        deposit(token="another")
    with pytest.raises(DepositError, match="no token"):
        deposit(token="")
    assert zenodo.depositions == {}


def test_a_creation_whose_answer_was_lost_ends_rather_than_create_two(deposit, zenodo):
    zenodo.faults = [("POST", "/api/deposit/depositions", "lost")]
    with pytest.raises(DepositError, match="goes on from here"):
        deposit()
    assert zenodo.count("POST") == 1


def test_without_its_record_the_deposit_is_found_on_the_server(deposit, zenodo, archive):
    deposit()
    (archive.parent / "deposits/demo.json").unlink()
    assert deposit()["id"] == 1000
    assert zenodo.count("PUT /api/files") == 1
    assert len(zenodo.depositions) == 1


def test_a_deposit_deleted_on_the_server_is_made_anew(deposit, zenodo):
    deposit()
    zenodo.depositions.clear()
    zenodo.buckets.clear()
    assert deposit()["state"] == "draft"
    assert len(zenodo.depositions) == 1


def test_a_publication_whose_answer_was_lost_is_found_published(deposit, zenodo):
    zenodo.faults = [("POST", "/actions/publish", "lost")]
    with pytest.raises(DepositError, match="goes on from here"):
        deposit(publish=True)
    assert deposit(publish=True)["state"] == "published"
    assert zenodo.count("POST /api/deposit/depositions/1000/actions/publish") == 1


def test_another_archive_is_another_deposit(deposit, zenodo, archive, tmp_path):
    deposit()
    other = archive.with_name("veridical-demo-4567cdef.zip")
    other.write_bytes(b"other")
    record = tmp_path / "deposits" / "demo.json"
    deposit_archive(
        other, record, metadata=METADATA, token=TOKEN, server=zenodo.url, say=lambda _: None
    )
    assert len(json.loads(record.read_text())) == 2
    assert len(zenodo.depositions) == 2


@pytest.mark.parametrize(("behind", "faults"), [("/api", []), ("", [("PUT", "/api/files", 404)])])
def test_a_server_that_has_no_such_place_is_named(deposit, zenodo, behind, faults):
    zenodo.faults = faults
    with pytest.raises(DepositError, match=r"is not there: is deposit/server, http://.*, right\?"):
        deposit(server=zenodo.url + behind)


def test_a_refused_request_says_why(deposit, zenodo):
    zenodo.faults = [("PUT", "/api/deposit/depositions/1000", 400)]
    with pytest.raises(DepositError, match=r"status 400: .*a fault"):
        deposit()
