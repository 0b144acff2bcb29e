"""What the page says of when the design was sealed, and on whose word."""

from __future__ import annotations

import pandas as pd
import pytest
from support.fixture_study import build, read
from support.time_server import NOW, Authority, Calendar, serving
from veridical.freeze.asked_times import ask_for_times
from veridical.parts import PARTS
from veridical.report.page import render
from veridical.report.sealed import proofs_of_time
from veridical.report.served import names_served
from veridical.report.study import Study
from veridical.report.wording import Wording

EN, IT = Wording.read("en"), Wording.read("it")
CLOCK = "Clock <b>A</b>"
ATTESTED = ("design", "rfc3161", CLOCK, "attested", "2026-03-01T10:00:00Z")
EARLIER = ("design", "opentimestamps", "Bitcoin block 7", "attested", "2026-02-28T23:59:00Z")
LATER_STAGE = ("responses", "rfc3161", CLOCK, "attested", "2026-03-02T08:30:00Z")
PENDING = ("design", "opentimestamps", "https://c.example", "pending", None)
BLOCK = ("design", "opentimestamps", "Bitcoin block 9", "block", None)
TAG = ("design", "tag", "freeze/s/design/1234abcd", "named", None)


def study(*rows, asked=("2026-03-01T11:00:00+00:00",), sealed=True) -> Study:
    names = ["stage", "kind", "authority", "state", "time"]
    return Study(
        name="s",
        config={},
        tables={},
        receipts={"design": {"sha256": "ab", "files": 1}} if sealed else {},
        times=pd.DataFrame(rows, columns=names),
        exchanges={"control3": pd.DataFrame({"time": list(asked)})},
    )


def said(*rows, words=EN, **more) -> list[str]:
    return proofs_of_time(study(*rows, **more), words)


def test_without_any_proof_the_order_is_the_studys_own_word():
    assert said() == [
        "Nobody outside attests when the design was sealed: the order of the stages is this "
        "study’s own word."
    ]
    (italian,) = said(words=IT)
    assert "parola dello studio stesso" in italian


def test_a_study_that_sealed_nothing_says_nothing_of_it():
    assert said(sealed=False) == []


def test_an_authority_attests_and_the_replies_order_is_still_the_studys_word():
    first, second = said(ATTESTED)
    assert first.startswith(f"design: sealed at a time that {CLOCK} attests, by ")
    assert "1 March 2026, 10:00 UTC" in first
    assert "none was drawn before is this study’s own word" in second


def test_the_earliest_attestation_of_a_stage_is_the_one_that_is_told():
    first, second, _ = said(ATTESTED, LATER_STAGE, EARLIER)
    assert "Bitcoin block 7" in first
    assert second.startswith("responses: sealed at a time that")


@pytest.mark.parametrize("row", [PENDING, BLOCK, TAG])
def test_a_promise_a_block_unseen_and_a_tag_attest_nothing(row):
    first, second = said(row)
    assert "own word" in first
    assert row[2] in second


def test_attested_and_pending_says_what_is_attested_only():
    assert not any("https://c.example" in sentence for sentence in said(ATTESTED, PENDING))
    assert any(TAG[2] in sentence for sentence in said(ATTESTED, TAG))


@pytest.mark.parametrize(
    ("asked", "late"),
    [
        (("2026-03-01T10:00:00+00:00",), False),  # in the very second
        (("2026-03-01T09:59:59+00:00", "2026-03-02T00:00:00+00:00"), True),
        (("", "2026-03-01T09:59:59.250+00:00"), True),
        ((), False),
        (("", ""), False),
    ],
)
def test_replies_that_were_asked_for_before_are_told(asked, late):
    *_, last = said(ATTESTED, asked=asked)
    assert ("The first reply says" in last) == late
    *_, italian = said(ATTESTED, asked=asked, words=IT)
    assert ("La prima risposta" in italian) == late


def test_the_page_tells_it_and_runs_nothing_of_an_authoritys_name(tmp_path, monkeypatch):
    build(tmp_path)
    own_word = "<p>Nobody outside attests when the design was sealed"
    assert own_word in render(read(tmp_path), EN, PARTS)
    clock = Authority(CLOCK)
    monkeypatch.chdir(tmp_path)
    clock.write_root(tmp_path / "roots.pem")
    with serving(clock, Calendar()) as url:
        asked = {"rfc3161": [f"{url}/tsr"], "certificates": "roots.pem"}
        assert ask_for_times("fixture", ["design"], asked) == []
    page = render(read(tmp_path), EN, PARTS)
    assert own_word not in page
    assert "sealed at a time that Clock &lt;b&gt;A&lt;/b&gt; attests" in page
    assert f"{NOW:%H:%M} UTC" in page
    assert page.count("<p>design: sealed at a time that") == 1


# The names under which servers answered


def served(*rows, words=EN) -> list[str]:
    names = ["stage", "model", "provider", "asked", "served", "n_replies", "first", "last"]
    table = pd.DataFrame([(*row, None, None) for row in rows], columns=names)
    return names_served(Study(name="s", config={}, tables={"served": table}), words)


def test_a_model_served_as_it_was_asked_for_is_not_told():
    assert served(("responses", "gpt", "openai", "gpt-4.1", "gpt-4.1", 24)) == []
    assert served(("responses", "local", "embedded", "qwen", "qwen-q4.gguf", 24)) == []
    assert served(("responses", "gpt", "openai", "gpt-4.1", None, 24)) == []
    assert names_served(Study(name="s", config={}, tables={}), EN) == []


def test_another_name_is_told_once_with_its_stages_and_replies():
    (said,) = served(
        ("responses", "gpt", "openai", "gpt-4.1", "gpt-4.1-2025", 1024),
        ("verdicts", "gpt", "openai", "gpt-4.1", "gpt-4.1-2025", 6),
    )
    assert said == (
        "gpt was asked for as gpt-4.1, and the server called it gpt-4.1-2025 (1,030) "
        "(responses and verdicts; replies in brackets)."
    )


@pytest.mark.parametrize(("words", "told"), [(EN, "changed within a stage"), (IT, "è cambiato")])
def test_a_change_within_a_stage_is_told_and_one_between_stages_is_no_change(words, told):
    first = ("responses", "gpt", "openai", "gpt-4.1", "gpt-4.1", 20)
    (said,) = served(first, ("responses", "gpt", "openai", "gpt-4.1", "gpt-4.2", 4), words=words)
    assert told in said
    assert "gpt-4.1 (20)" in said
    assert "gpt-4.2 (4)" in said
    (said,) = served(first, ("verdicts", "gpt", "openai", "gpt-4.1", "gpt-4.2", 4), words=words)
    assert told not in said


def test_a_name_that_turns_the_line_around_doesnt(tmp_path):
    (said,) = served(("responses", "gpt", "openai", "gpt-4.1", "gpt\u202e1.4-tpg\x1b[2J", 20))
    assert not {"\u202e", "\x1b"} & set(said)
