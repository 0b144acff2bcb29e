"""Proof of time, asked for from real servers on this machine, kept with the freeze and checked."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.scripts import load_script
from support.time_server import DAY, NOW, Authority, Calendar, serving
from veridical.base.config import ConfigError, configure
from veridical.freeze.asked_times import ask_for_times
from veridical.freeze.authorities import slug, stamp
from veridical.freeze.deviations import add_deviation
from veridical.freeze.sealing import FreezeError, seal
from veridical.freeze.timestamps import (
    describe_record,
    read_times,
    times_in_force,
    times_path,
)
from veridical.freeze.timestamps import main as timestamps
from veridical.freeze.verify import main as verify_main
from veridical.freeze.verify import verify

FOLDER = Path("data/freeze/demo")
CLOCK = Authority()


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubric.txt").write_text("Score.\n")
    CLOCK.write_root(tmp_path / "roots.pem")
    seal("demo", "design", ["rubric.txt"])
    return tmp_path


def asked(url: str, **more) -> dict:
    given = {"rfc3161": [f"{url}/tsr"], "opentimestamps": [url], "certificates": "roots.pem"}
    return {name: value for name, value in (given | more).items() if value}


def times(**more):
    (check,) = [check for check in verify("demo", **more) if check.stage == "times"]
    return check


def test_both_kinds_are_asked_for_kept_and_checked_offline(sealed):
    with serving(CLOCK) as url:
        assert ask_for_times("demo", ["design"], asked(url)) == []
    rows = read_times("demo").set_index("kind")  # from here on nobody answers
    assert rows.loc["rfc3161", "state"] == "attested"
    assert rows.loc["rfc3161", "authority"] == "Clock of the tests"
    assert rows.loc["opentimestamps", ["state", "authority"]].tolist() == ["pending", url]
    check = times()
    assert check.holds
    assert "attested by Clock of the tests" in str(check)
    assert "Clock of the tests attests" in describe_record("demo", "design")


def test_the_hash_alone_is_sent_and_the_calendar_doesnt_see_even_that(sealed):
    digest = bytes.fromhex(times_record())
    with serving(CLOCK) as url:
        ask_for_times("demo", ["design"], asked(url))
    sent = {path: body for path, _, body in serving.seen}
    assert digest in sent["/tsr"]
    assert len(sent["/tsr"]) < 100
    assert len(sent["/digest"]) == 32
    assert sent["/digest"] != digest
    for _, headers, _ in serving.seen:
        assert not {"Authorization", "Cookie"} & set(headers)


def times_record() -> str:
    import hashlib

    return hashlib.sha256((FOLDER / "design.json").read_bytes()).hexdigest()


def test_what_is_there_is_not_asked_for_again(sealed):
    with serving(CLOCK) as url:
        ask_for_times("demo", ["design"], asked(url))
        before = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
        serving.seen.clear()
        assert ask_for_times("demo", ["design"], asked(url)) == []
        assert [path.partition("/timestamp")[0] for path, _, _ in serving.seen] == [""]
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == before


def test_a_calendars_promise_becomes_a_block(sealed):
    calendar = Calendar()
    with serving(CLOCK, calendar) as url:
        settings = asked(url, rfc3161=None, certificates=None)
        ask_for_times("demo", ["design"], settings)
        assert "this study's own word" in str(times())
        calendar.confirmed = True
        assert ask_for_times("demo", ["design"], settings) == []
        serving.seen.clear()
        ask_for_times("demo", ["design"], settings)
        assert serving.seen == []  # it has its block, nobody is asked
    assert sorted(read_times("demo")["state"]) == ["block", "pending"]
    assert "its Merkle root must be" in str(times())
    assert "own word" in str(times())  # a header that isn't there attests nothing


def test_calendars_that_the_config_doesnt_name_are_not_asked(sealed):
    """A proof is a file; an address in it must not lead this machine anywhere."""
    with serving(CLOCK) as stranger:
        ask_for_times("demo", ["design"], asked(stranger, rfc3161=None, certificates=None))
        serving.seen.clear()
        ask_for_times("demo", ["design"], {"opentimestamps": ["http://127.0.0.1:9"]})
        assert serving.seen == []


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"status": 503}, "it answered 503"),
        ({"status": 302, "to": "http://127.0.0.1:9/"}, "it answered 302"),
        ({"body": b""}, "no RFC 3161 response"),
        ({"body": b"<html>maintenance</html>"}, "no RFC 3161 response"),
        ({"body": b"x" * 70_000}, "longer than 65536 bytes"),
        ({"nonce": 1}, "answers another request"),
        ({"moment": NOW + 9 * DAY}, "a time to come"),
        ({"moment": NOW + 0.4 * DAY, "body": CLOCK.attest(b"0" * 32)}, "answers another request"),
    ],
)
def test_a_server_that_gives_no_receipt_is_named_and_the_study_is_whole(sealed, odd, said):
    with serving(CLOCK, **odd) as url:
        problems = ask_for_times("demo", ["design"], asked(url))
    assert any(said in problem and url in problem for problem in problems)
    assert all("snakemake timestamp" in problem for problem in problems)
    assert not list(FOLDER.glob("*.tsr"))
    assert times().holds
    assert all(check.holds for check in verify("demo"))
    with serving(CLOCK) as url:  # and it is asked again later
        assert ask_for_times("demo", ["design"], asked(url)) == []
    assert len(list(FOLDER.glob("*.tsr"))) == 1


def test_an_answer_that_unpacks_without_end_is_not_unpacked(sealed):
    bomb = gzip.compress(bytes(50_000_000))
    with serving(CLOCK, body=bomb, encoding="gzip") as url:
        (problem,) = ask_for_times("demo", ["design"], asked(url, opentimestamps=None))
    assert "packed" in problem
    assert all(headers["Accept-Encoding"] == "identity" for _, headers, _ in serving.seen)


def test_a_proxy_doesnt_see_what_is_asked_of_this_machine(sealed, monkeypatch):
    """Nor does one that is set and dead keep the study from its receipts."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving(CLOCK) as url:
        assert ask_for_times("demo", ["design"], asked(url)) == []


def test_a_redirect_is_not_followed_and_nothing_is_sent_there(sealed):
    with serving(CLOCK) as elsewhere:
        others = serving.seen
        with serving(CLOCK, status=307, to=f"{elsewhere}/tsr") as url:
            problems = ask_for_times("demo", ["design"], asked(url))
    assert len(problems) == 2
    assert others == []


def test_servers_that_are_down_are_told_and_the_others_asked(sealed):
    with serving(CLOCK) as url:
        settings = asked(url, rfc3161=["http://127.0.0.1:9/tsr", f"{url}/tsr"],
                         opentimestamps=["http://127.0.0.1:9", url])  # fmt: skip
        problems = ask_for_times("demo", ["design"], settings)
    assert [problem.split()[0] for problem in problems] == [
        "http://127.0.0.1:9/tsr", "http://127.0.0.1:9"]  # fmt: skip
    assert sorted(read_times("demo")["kind"]) == ["opentimestamps", "rfc3161"]


def test_a_server_that_drips_is_given_up_in_time(sealed):
    start = time.monotonic()
    with serving(CLOCK, drip=0.2, body=b"x" * 600) as url:
        settings = asked(url, opentimestamps=None)
        (problem,) = stamp("demo", "design", settings, wait=1.0)
    assert "no whole answer within 1 s" in problem
    assert time.monotonic() - start < 5


def test_an_authority_that_is_not_trusted_leaves_no_receipt(sealed):
    with serving(Authority("Stranger")) as url:
        (problem,) = ask_for_times("demo", ["design"], asked(url, opentimestamps=None))
    assert "trusted root" in problem
    assert not list(FOLDER.glob("*.tsr"))


def test_roots_that_are_not_there_stop_no_study(sealed):
    (problem,) = ask_for_times(
        "demo", ["design"], asked("http://127.0.0.1:9", certificates="no.pem")
    )
    assert problem.startswith("no proof of time: no.pem: no certificates there")


@pytest.fixture
def stamped(sealed) -> Path:
    with serving(CLOCK) as url:
        ask_for_times("demo", ["design"], asked(url))
    return sealed


def receipt(suffix: str) -> Path:
    (path,) = FOLDER.glob(f"design.json*{suffix}")
    return path


@pytest.mark.parametrize("suffix", [".tsr", ".ots"])
@pytest.mark.parametrize("forge", ["cut", "other", "gone", "forged"])
def test_a_bad_receipt_is_broken_and_named(stamped, capsys, suffix, forge):
    path = receipt(suffix)
    data = path.read_bytes()
    if forge == "cut":
        path.write_bytes(data[:-3])
    elif forge == "gone":
        path.unlink()
    elif forge == "forged":
        path.write_bytes(data.replace(bytes.fromhex(times_record()), b"\1" * 32))
    else:
        seal("other", "design", ["roots.pem"])
        with serving(CLOCK) as url:
            ask_for_times("other", ["design"], asked(url))
        (other,) = Path("data/freeze/other").glob(f"*{suffix}")
        shutil.copy(other, path)
    assert verify_main(["--study", "demo"]) == 1
    out = capsys.readouterr().out
    assert "times                BROKEN" in out
    named = f"{times_path('demo')}, entry" if forge == "gone" else path.name
    assert named in out


def test_a_time_edited_into_the_table_is_broken(stamped, capsys):
    """The page speaks by the table: an earlier day in it must not stand."""
    path = times_path("demo")
    today, year_ago = f"{NOW:%Y-%m-%d}", f"{NOW - 365 * DAY:%Y-%m-%d}"
    path.write_text(path.read_text().replace(today, year_ago))
    assert verify_main(["--study", "demo"]) == 1
    assert "timestamps.csv, entry 1" in capsys.readouterr().out


def test_a_promise_written_up_as_attested_is_broken(stamped):
    path = times_path("demo")
    path.write_text(path.read_text().replace(",pending,", f",attested,{NOW:%Y-%m-%dT%H:%M:%SZ}"))
    assert "entry 2" in str(times())


def test_a_reader_may_bring_roots_of_their_own(stamped, tmp_path, capsys):
    assert verify_main(["--study", "demo", "--roots", "roots.pem"]) == 0
    Authority("Another").write_root(tmp_path / "mine.pem")
    assert verify_main(["--study", "demo", "--roots", "mine.pem"]) == 1
    assert "trusted root" in capsys.readouterr().out
    (tmp_path / "empty.pem").write_text("")
    with pytest.raises(SystemExit):
        verify_main(["--study", "demo", "--roots", "empty.pem"])


def test_a_receipt_whose_record_is_gone_tells_of_it(stamped):
    for path in FOLDER.iterdir():
        if path.suffix not in (".tsr", ".ots", ".pem"):
            path.unlink()
    design = verify("demo")[0]
    assert not design.holds
    assert receipt(".tsr").name in str(design)


def test_a_deviation_takes_the_old_receipts_along_and_asks_for_new_ones(stamped):
    (stamped / "rubric.txt").write_text("Score twice.\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", ["rubric.txt"])
    add_deviation("demo", "design", what="w", why="y", effect="e")
    assert not list(FOLDER.glob("design.json.*"))
    assert len(list((FOLDER / "superseded").glob("design-*.json.*"))) == 2
    assert len(times_in_force("demo")) == 0
    check = times()
    assert check.holds, str(check)
    assert "own word" in str(check)
    with serving(CLOCK) as url:
        ask_for_times("demo", ["design"], asked(url))
    assert "attested by" in str(times())
    old = next((FOLDER / "superseded").glob("*.tsr"))
    old.write_bytes(old.read_bytes()[:-1])  # those of replaced records are checked as well
    assert old.name in str(times())


def test_without_the_clients_verify_says_that_it_didnt_look(stamped, tmp_path):
    """In a process of its own that has none: everything else is checked, and nothing claimed."""
    code = (
        "import sys; sys.modules['rfc3161_client'] = sys.modules['opentimestamps'] = None\n"
        "from veridical.freeze.verify import main; sys.exit(main(['--study', 'demo']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "not checked, the clients are not installed" in done.stdout
    assert "attested" not in done.stdout


def test_the_command_prints_the_hashes_to_register(stamped, capsys):
    assert timestamps(["--study", "demo"]) == 0
    out = capsys.readouterr().out
    assert times_record() in out
    assert "not sealed yet" in out
    receipt(".tsr").write_bytes(b"")
    assert "BROKEN: design.json" in describe_record("demo", "design")


def test_the_sealing_rule_asks_and_goes_on_where_nobody_answers(sealed, capfd):
    given = {"study": "demo", "stage": "design", "files": ["rubric.txt"]}
    out = sealed / "results/demo/freeze/design.json"
    main = load_script("freeze/seal_stage.py").main
    main(receipt=out, timestamps=asked("http://127.0.0.1:9"), **given)
    assert json.loads(out.read_text())["stage"] == "design"
    assert "WARNING: http://127.0.0.1:9/tsr gave no receipt" in capfd.readouterr().err
    with serving(CLOCK) as url:
        main(receipt=out, timestamps=asked(url), **given)
    assert "attested by" in str(times())


def test_names_of_receipts_tell_servers_apart():
    named = {
        slug(url) for url in ("https://a.example/tsr", "https://a.example/x", "http://b.example:8/")
    }
    assert named == {"a.example-tsr", "a.example-x", "b.example-8"}


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"rfc3161": ["http://clock.example/tsr"]}, "certificates"),
        ({"rfc3161": "http://clock.example/tsr", "certificates": "r.pem"}, "rfc3161"),
        ({"opentimestamps": ["ftp://calendar.example"]}, "opentimestamps"),
        ({"opentimestamps": ["https://me:s3cretword@calendar.example"]}, "looks like a key"),
        ({"opentimestamp": []}, "opentimestamp"),
    ],
)
def test_a_config_that_cant_be_asked_by_is_refused(tmp_path, section, said):
    given = {"study": "s", "seed": 1, "timestamps": section,
             "models": {"m": {"provider": "scripted", "model": "m"}}}  # fmt: skip
    path = tmp_path / "config.yaml"
    path.write_text(json.dumps(given))
    with pytest.raises(ConfigError, match=said):
        configure([path], [])
