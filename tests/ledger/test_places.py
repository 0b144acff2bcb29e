"""Side files kept on a volume of their own: links lose nothing, machines may share nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from veridical.ledger.ledger import Ledger
from veridical.ledger.places import PlaceError, check_shared, check_storage, keep_elsewhere
from veridical.models.exchange import Call, Model, Raw, Reply

CALL = Call(Model("m", "openai", "gpt"), ({"role": "user", "content": "hello"},))
ALL = ("PERSISTENCE", "INPUT_OUTPUT", "SOURCES", "SOURCE_CACHE", "SOFTWARE_DEPLOYMENT")


def kept(path: Path) -> str | None:
    with Ledger(path, create=False) as ledger:
        reply = ledger.answer(CALL.key)
    return reply and reply.value


def keep(path: Path, words: str) -> None:
    with Ledger(path) as ledger:
        ledger.lease([CALL])
        ledger.keep(CALL, Reply(CALL.key, "ok", words, Raw(words)))


def test_a_ledger_written_through_the_link_lies_on_the_volume(tmp_path):
    root, volume = tmp_path / "project", tmp_path / "volume"
    keep_elsewhere({"study": "s", "ledger_folder": str(volume)}, root, {})
    keep(root / "data/ledger/s/control3/m.sqlite", "hi")
    assert kept(volume / "s/control3/m.sqlite") == "hi"
    assert not (root / "data/memories").exists()  # nothing said of banks


def test_another_project_goes_on_with_what_the_volume_holds(tmp_path):
    """A pod whose working folder is gone: a new one is linked to the same volume."""
    volume = tmp_path / "volume"
    for number in (1, 2):
        keep_elsewhere({"study": "s", "ledger_folder": str(volume)}, tmp_path / f"pod{number}", {})
    keep(tmp_path / "pod1/data/ledger/s/c/m.sqlite", "paid for once")
    assert kept(tmp_path / "pod2/data/ledger/s/c/m.sqlite") == "paid for once"


def test_the_environment_overrides_the_config_and_a_link_follows(tmp_path):
    config = {"study": "s", "ledger_folder": str(tmp_path / "old")}
    link = tmp_path / "p/data/ledger/s"
    keep_elsewhere(config, tmp_path / "p", {})
    assert link.readlink() == tmp_path / "old/s"
    keep_elsewhere(config, tmp_path / "p", {"VERIDICAL_LEDGERS": str(tmp_path / "new")})
    assert link.readlink() == tmp_path / "new/s"
    assert (tmp_path / "old/s").is_dir()  # what was there stays


def test_banks_have_a_folder_of_their_own(tmp_path):
    keep_elsewhere({"study": "s"}, tmp_path, {"VERIDICAL_BANKS": str(tmp_path / "banks")})
    assert (tmp_path / "data/memories/s").readlink() == tmp_path / "banks/s"
    assert not (tmp_path / "data/ledger").exists()


def test_what_was_collected_before_is_never_hidden_behind_a_link(tmp_path):
    keep(tmp_path / "data/ledger/s/c/m.sqlite", "before")
    with pytest.raises(PlaceError, match=r"data/ledger/s holds what was collected before.*\n.*cp"):
        keep_elsewhere({"study": "s", "ledger_folder": str(tmp_path / "v")}, tmp_path, {})
    assert kept(tmp_path / "data/ledger/s/c/m.sqlite") == "before"


def test_an_empty_folder_gives_way(tmp_path):
    (tmp_path / "data/ledger/s").mkdir(parents=True)
    keep_elsewhere({"study": "s", "ledger_folder": str(tmp_path / "v")}, tmp_path, {})
    assert (tmp_path / "data/ledger/s").is_symlink()


@pytest.mark.parametrize(
    ("folder", "said"),
    [("ledgers", "ledger_folder: ledgers is no absolute path"), ("/proc/no/such", "can't be made")],
)
def test_a_folder_that_will_not_do_is_refused_by_its_key(folder, said, tmp_path):
    with pytest.raises(PlaceError, match=said):
        keep_elsewhere({"study": "s", "ledger_folder": folder}, tmp_path, {})


def test_several_jobs_link_at_once(tmp_path):
    code = "import sys; from veridical.ledger.places import keep_elsewhere as keep\n"
    code += (
        "for _ in range(50): keep({'study': 's', 'ledger_folder': sys.argv[2]}, sys.argv[1], {})"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "p"), str(tmp_path / "v")]
    running = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    ended = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0] * 4, ended
    assert (tmp_path / "p/data/ledger/s").readlink() == tmp_path / "v/s"


def test_machines_that_share_their_folders_are_asked_nothing():
    check_shared(ALL, {})


@pytest.mark.parametrize("provider", ["fs", "s3", "gcs"])
def test_a_store_of_the_engines_is_refused_before_anything_is_sealed(provider):
    """Tried with `fs`: two stages were sealed under the names of the copies that a job gets."""
    with pytest.raises(PlaceError, match=f"--default-storage-provider {provider}: seals name"):
        check_storage(provider)
    for none in (None, ""):
        check_storage(none)


def test_the_workflow_asks_whether_a_store_is_meant():
    """The plugins of stores are in no lock, so the engine itself can't be asked for one here."""
    snakefile = (Path(__file__).parents[2] / "Snakefile").read_text(encoding="utf-8")
    assert "check_storage(workflow.storage_settings.default_storage_provider)" in snakefile


@pytest.mark.parametrize(
    "shared", [(), ("SOURCES",), ("INPUT_OUTPUT", "SOURCES"), ("PERSISTENCE",)]
)
def test_machines_that_share_no_folder_need_a_volume_for_the_ledgers(shared, monkeypatch):
    monkeypatch.delenv("VERIDICAL_LEDGERS", raising=False)
    with pytest.raises(PlaceError, match="ledger_folder: /mnt/ledger"):
        check_shared(shared, {"banks_folder": "/mnt/banks"})
    check_shared(shared, {"ledger_folder": "/mnt/ledger"})
    monkeypatch.setitem(os.environ, "VERIDICAL_LEDGERS", "/mnt/ledger")
    check_shared(shared, {})
