"""The scripts of the archive: packed with a receipt, and uploaded once by what the receipt says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from archive.test_archive import CONFIG, study  # noqa: F401
from support.scripts import load_script
from support.zenodo_server import TOKEN, Zenodo
from veridical.archive.packing import ArchiveError

RECEIPT = Path("results/demo/archive/archive.json")
RECORD = Path("data/deposits/demo.json")


def packed() -> dict:
    load_script("archive/pack_archive.py").main(RECEIPT, study="demo", settings=CONFIG)
    return json.loads(RECEIPT.read_text())


def upload(server: str, **deposit) -> None:
    main = load_script("archive/upload_archive.py").main
    main(RECEIPT, RECORD, study="demo", title="Two parrots", deposit={"server": server} | deposit)


def test_the_receipt_names_the_zip_beside_it(study, capsys):  # noqa: F811
    facts = packed()
    archive = RECEIPT.parent / facts["archive"]
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == facts["sha256"]
    assert archive.stat().st_size == facts["bytes"]
    said = capsys.readouterr().out
    assert said == f"{archive}: {facts['files']} files, {facts['bytes']} bytes\n"


def test_no_receipt_is_written_where_nothing_was_packed(study):  # noqa: F811
    Path("LICENSE").unlink()
    with pytest.raises(ArchiveError, match="LICENSE is missing"):
        packed()
    assert not RECEIPT.exists()


def test_the_archive_of_the_receipt_is_uploaded_as_a_draft(study, monkeypatch):  # noqa: F811
    facts = packed()
    (RECEIPT.parent / "veridical-demo-00000000.zip").write_bytes(b"an earlier one")
    monkeypatch.setenv("ZENODO_TOKEN", TOKEN)
    with Zenodo() as zenodo:
        upload(zenodo.url)
        upload(zenodo.url)  # once: what was done is on record
        (stored,) = [data for bucket in zenodo.buckets.values() for data in bucket.values()]
        (deposition,) = zenodo.depositions.values()
    assert hashlib.sha256(stored).hexdigest() == facts["sha256"]
    assert not deposition["submitted"]
    assert deposition["metadata"]["title"].endswith("Study demo: Two parrots")
    assert TOKEN not in RECORD.read_text()


def test_the_token_may_stand_in_another_variable(study, monkeypatch):  # noqa: F811
    packed()
    monkeypatch.delenv("ZENODO_TOKEN", raising=False)
    monkeypatch.setenv("MY_DEPOSITS", TOKEN)
    with Zenodo() as zenodo:
        upload(zenodo.url, token_env="MY_DEPOSITS", publish=True)
        (deposition,) = zenodo.depositions.values()
    assert deposition["submitted"]


def test_without_a_token_nothing_is_sent(study, monkeypatch):  # noqa: F811
    packed()
    monkeypatch.delenv("ZENODO_TOKEN", raising=False)
    with Zenodo() as zenodo:
        with pytest.raises(Exception, match=r"(?i)token"):
            upload(zenodo.url)
        assert zenodo.log == []
    assert not RECORD.exists()
