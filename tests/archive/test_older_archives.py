"""Archives as earlier versions packed them: replayed, or refused with the reason and the way out.

Formats have differed in these places: a reply's line had no `facts` and its raw answer no token
lengths, stop texts or cost; a reply did not say under which record it was asked for; a record did
not hold the log's hash; the log had no column of parts.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.scripted import Scripted
from veridical.freeze.manifest import Manifest, take_manifest, write_record
from veridical.freeze.sealing import FreezeError, seal
from veridical.freeze.verify import verify
from veridical.ledger.collecting import MissingReplies, collect
from veridical.ledger.exports import exports_of
from veridical.ledger.file import LedgerError
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import read_replies, rebuild_all
from veridical.models.exchange import Form, Model
from veridical.models.prompts import Prompt, Turn, write_prompts

ROOT = Path(__file__).parents[2]
MODEL = Model("parrot", "openai", "parrot-1", parameters={"temperature": 0.0})
LATER = {"token_bytes", "stopped_by", "cost"}  # came to a raw answer later
REPLIES = Path("results/demo/toy/replies/main/parrot.jsonl")
EXPORT = Path("data/replies/demo/toy/replies/main/parrot.jsonl")
SCRIPT = ROOT / "workflow/scripts/ledger/rebuild_ledgers.py"


def gather(folder: str, provider=None, **rest) -> Path:
    """Collect two answers, or replay them, below a folder."""
    prompts = Path("results/demo/toy/prompts/main.jsonl")
    asked = [
        Prompt(name, (Turn(f"Say {name}.", Form("choice", ("yes", "no"))),), facts={"word": name})
        for name in ("yes", "no")
    ]
    prompts.parent.mkdir(parents=True, exist_ok=True)
    write_prompts(prompts, asked)
    out = Path(folder, REPLIES)
    ledger = Path(folder, "data/ledger/demo/toy/parrot.sqlite")
    collect(prompts, MODEL, ledger, out=out, provider=provider, collection="toy", **rest)
    return out


def older(line: str) -> str:
    """A replies line as it was written before facts and token lengths were kept."""
    entry = json.loads(line)
    del entry["facts"]
    for exchange in entry["exchanges"]:
        reply = exchange["reply"]
        reply.pop("record", None)
        reply["raw"] = {name: value for name, value in reply["raw"].items() if name not in LATER}
    return json.dumps(entry) + "\n"


@pytest.fixture
def archive(tmp_path, monkeypatch) -> Path:
    """An unzipped archive of the older form: replies under `data/replies`, and no ledger."""
    monkeypatch.chdir(tmp_path)
    echo = Scripted(lambda call, before: call.messages[-1]["content"].split()[-1].strip("."))
    made = gather("run", echo)
    text = "".join(older(line) for line in made.read_text().splitlines())
    for path in (EXPORT, REPLIES):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_older_replies_are_replayed_without_a_call_and_gain_their_facts(archive):
    out = gather("replay", asking=False, exports=[EXPORT])
    replies = read_replies(out)
    assert replies[["id", "state", "value"]].to_numpy().tolist() == [
        ["yes", "ok", "yes"],
        ["no", "ok", "no"],
    ]
    assert replies["facts"].tolist() == [{"word": "yes"}, {"word": "no"}]
    assert replies[["token_bytes", "stopped_by"]].isna().all(axis=None)  # unknown, not none


def test_older_replies_are_not_read_as_they_are(archive):
    with pytest.raises(ValueError, match=r"parrot\.jsonl, line 1: no facts: an earlier version"):
        read_replies(REPLIES)


def test_older_replies_that_lack_an_answer_say_so_before_anything_is_asked(archive):
    EXPORT.write_text(EXPORT.read_text().splitlines(keepends=True)[0])
    with pytest.raises(MissingReplies, match="1 of 2"):
        gather("replay", asking=False, exports=[EXPORT])
    assert not Path("replay", REPLIES).exists()


def test_the_script_rebuilds_ledgers_from_older_replies(archive):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "results/demo", "data/ledger/demo"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{REPLIES}: 2 exchanges put back\n"
    with Ledger("data/ledger/demo/toy/parrot.sqlite", create=False) as ledger:
        assert ledger.check() == []
        assert ledger.records() == {"": 2}  # nobody knows under which record
        kept = [exchange.reply.raw.token_bytes for exchange in ledger.exchanges()]
    assert kept == [None, None]
    assert rebuild_all(Path("results/demo"), Path("data/ledger/demo")) == {REPLIES: 0}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"key"', '"kee"', "line 1: 'key' is missing"),
        ('"attempt": 1, "time"', '"tries": 1, "time"', "line 1: 'attempt' is missing"),
        ('"truncated": false', '"cut": false', "line 1: .*unexpected keyword argument 'cut'"),
        ("Say yes.", "Say yes!", "line 1: the request is not the one of key .*: it was altered"),
        ('"state": "ok"', '"state": "failed"', "line 1: a failed attempt can't be the answer"),
        ("{", "[", r"line 1: not a reply"),
    ],
)
def test_replies_of_no_known_form_are_refused_by_file_and_line(archive, old, new, reason):
    text = EXPORT.read_text()
    assert old in text
    EXPORT.write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=rf"parrot\.jsonl, {reason}"):
        gather("replay", asking=False, exports=[EXPORT])


def test_an_export_is_found_by_the_replies_files_path_alone(archive):
    assert exports_of(REPLIES) == [EXPORT]
    assert exports_of("results/demo/toy/replies/other/parrot.jsonl") == []


@pytest.mark.parametrize("version", [3, 9])
def test_a_ledger_of_a_later_version_is_refused_and_left_as_it_is(archive, version):
    path = Path("run/data/ledger/demo/toy/parrot.sqlite")
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(LedgerError, match=f"ledger version {version}; this code reads 2"):
        gather("run", asking=False)
    assert path.read_bytes() == before


def test_a_ledger_that_is_none_is_refused(archive):
    path = Path("run/data/ledger/demo/toy/parrot.sqlite")
    path.write_text("id,answer\n1,yes\n" * 100)
    with pytest.raises(LedgerError, match=r"parrot\.sqlite: can't be opened as a ledger"):
        gather("run", asking=False)


# Records


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("corpus.csv").write_text("encounter_id\nA-001\n")
    return tmp_path


def write_older_record(**other: str) -> Path:
    """The design's record as it was written before it held the log's hash."""
    manifest = take_manifest("demo", "design", ["corpus.csv"])
    entry = json.loads(manifest.to_json()) | other
    assert "deviations" not in entry  # no log, so no hash of one: the older form
    return write_record(Manifest.from_dict(entry))


def test_an_older_record_is_read_and_holds(project):
    record = write_older_record()
    before = record.read_bytes()
    assert all(check.holds for check in verify("demo"))
    seal("demo", "design", ["corpus.csv"])
    assert record.read_bytes() == before


def test_a_record_of_another_version_of_the_code_holds_and_is_not_gone_on_with(project):
    """Its files are what they were; but what would be made now is another version's."""
    record = write_older_record(version="0.0.9")
    before = record.read_bytes()
    assert all(check.holds for check in verify("demo"))
    with pytest.raises(FreezeError, match=r"changed  code version  \(0\.0\.9 → "):
        seal("demo", "design", ["corpus.csv"])
    assert record.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"study": "demo", "stage": "design", "files": [], "witness": "x"}', "'witness'"),
        ('{"study": "demo", "stage": "design"}', "'files'"),
        ('{"study": "demo", "stage": "design", "files": [{"path": "corpus.csv"}]}', "'size'"),
        ("[]", "list indices"),
        ("sealed", "Expecting value"),
    ],
)
def test_a_record_of_no_known_form_is_named_and_the_other_checks_go_on(project, text, reason):
    record = write_older_record()
    record.write_text(text)
    checks = {check.stage: check for check in verify("demo")}
    (change,) = checks["design"].changes
    assert change.name == "data/freeze/demo/design.json"
    assert "not a freeze manifest" in change.note
    assert reason in change.note
    assert {stage for stage, check in checks.items() if check.holds} == set(checks) - {"design"}
