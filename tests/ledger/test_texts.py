"""Each long text once: in the ledger by hash, in prompts and replies where it first stands."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from pathlib import Path

import pytest
from support.scripted import Scripted
from veridical.ledger.budget import Budget
from veridical.ledger.collecting import collect
from veridical.ledger.file import LedgerError
from veridical.ledger.ledger import Ledger
from veridical.ledger.pricing import Prices
from veridical.ledger.replies import iterate_replies, read_replies, rebuild
from veridical.ledger.texts import shortened
from veridical.ledger.timeline import spells
from veridical.models.exchange import Call, Form, Model, Raw, Reply
from veridical.models.prompts import Document, Prompt, Turn, read_prompts, write_prompts

MODEL = Model("gpt", "openai", "gpt-4.1", parameters={"temperature": 0.0})
DOCUMENT = "2025-03-01 — met Llama; talked of the harbour\n" * 40
RUBRIC = "Score what you read, as if it stood alone. " * 20
EARLIER = """
CREATE TABLE requests (key TEXT PRIMARY KEY, request TEXT NOT NULL);
CREATE TABLE attempts (
    key TEXT NOT NULL REFERENCES requests (key), attempt INTEGER NOT NULL, uid TEXT NOT NULL,
    served INTEGER NOT NULL, reply TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (key, attempt)
);
CREATE UNIQUE INDEX one_answer ON attempts (key) WHERE served;
CREATE TABLE owners (
    owner TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL,
    heartbeat REAL NOT NULL
);
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


def prompts(n: int = 6) -> list[Prompt]:
    """Every second one with a quote to follow, over one document; two turns each."""
    quote = Turn("Quote it.", system=DOCUMENT)
    document = Document("veridical", DOCUMENT)
    return [
        Prompt(
            f"p{number}",
            (
                Turn(f"Question {number}?", system=DOCUMENT, document=document,
                     quote=quote if number % 2 else None),
                Turn(RUBRIC, Form("choice", ("a", "b")), system=f"Said of:\n{DOCUMENT}"),
            ),
        )
        for number in range(n)
    ]  # fmt: skip


def within(text: str) -> str:
    """A text as it stands within a longer one in a file of JSON lines."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def price_list(folder: Path) -> Path:
    """A dollar for a token read."""
    head = "provider,model,input,output,batch,dated,source,checked\n"
    path = folder / "prices.csv"
    path.write_text(f"{head}openai,gpt-4.1,1000000,0,1,2026-01,here,yes\n")
    return path


def call(text: str = DOCUMENT, sample: int = 0) -> Call:
    messages = ({"role": "system", "content": text}, {"role": "user", "content": "who?"})
    return Call(MODEL, messages, sample=sample)


def answer(asked: Call) -> Reply:
    return Reply(asked.key, "ok", "a", Raw("a", prompt_tokens=700, completion_tokens=1))


def collected(folder: Path, n: int = 6, **more) -> tuple[Path, Path]:
    write_prompts(folder / "prompts.jsonl", prompts(n))
    ledger, out = folder / "stage/gpt.sqlite", folder / "replies.jsonl"
    provider = Scripted(lambda asked, before: Raw("a", prompt_tokens=5, completion_tokens=1))
    collect(folder / "prompts.jsonl", MODEL, ledger, out=out, provider=provider, **more)
    return ledger, out


def an_earlier_ledger(path: Path, *asked: Call) -> None:
    """As version 1 wrote it: every request whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as database:
        database.executescript(EARLIER)
        for each in asked:
            text = json.dumps(
                answer(each).to_dict(), ensure_ascii=False, sort_keys=True, separators=(",", ":")
            )
            sha256 = hashlib.sha256(f"{each.key}\n{text}".encode()).hexdigest()
            database.execute("INSERT INTO requests VALUES (?, ?)", (each.key, each.canonical()))
            row = (each.key, 1, f"u{each.sample}", 1, text, sha256)
            database.execute("INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?)", row)
    database.close()


def test_prompts_come_back_as_they_were_and_hold_each_text_once(tmp_path):
    path = tmp_path / "p.jsonl"
    write_prompts(path, prompts())
    assert read_prompts(path) == prompts()
    text = path.read_text(encoding="utf-8")
    assert text.count(within(DOCUMENT)) == 2  # by itself, and within the longer system
    assert text.count(within(RUBRIC)) == 1


def test_a_document_that_stands_in_no_system_prompt_is_held_once_too(tmp_path):
    path = tmp_path / "p.jsonl"
    document = Document("veridical", DOCUMENT)
    asked = [Prompt(f"p{n}", (Turn("who?", document=document),)) for n in range(3)]
    write_prompts(path, asked)
    assert read_prompts(path) == asked
    assert path.read_text(encoding="utf-8").count("harbour") == DOCUMENT.count("harbour")


def test_prompts_of_an_earlier_version_are_read(tmp_path):
    path = tmp_path / "p.jsonl"
    lines = [
        {"id": each.id, "turns": [turn.to_dict() for turn in each.turns], "samples": 1,
         "parameters": {}, "facts": {}}
        for each in prompts()
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert read_prompts(path) == prompts()


def test_prompts_whose_first_line_is_gone_are_refused_with_the_reason(tmp_path):
    path = tmp_path / "p.jsonl"
    write_prompts(path, prompts())
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(ValueError, match=r"p\.jsonl, line 1: .* in no line before: lines were"):
        read_prompts(path)


def test_the_ledger_holds_each_text_once_and_gives_the_request_as_it_was_sent(tmp_path):
    asked = [call(sample=sample) for sample in range(20)]
    with Ledger(tmp_path / "m.sqlite") as ledger:
        ledger.lease(asked)
        for each in asked:
            ledger.keep(each, answer(each))
        found = {each.reply.key: each.request for each in ledger.exchanges()}
        assert found == {each.key: each.canonical() for each in asked}
        shown = [each.request for each in ledger.exchanges(texts=False)]
        assert not any("harbour" in request for request in shown)
        assert ledger.check() == []
    with sqlite3.connect(tmp_path / "m.sqlite") as database:
        assert database.execute("SELECT text FROM texts").fetchall() == [(DOCUMENT,)]


def test_a_request_is_shortened_in_its_long_messages_alone():
    asked = call()
    kept, texts = shortened(asked.content())
    (sha256,) = texts
    assert json.loads(kept)["messages"] == [
        {"content": {"sha256": sha256}, "role": "system"},
        {"content": "who?", "role": "user"},
    ]
    assert asked.content()["messages"][0]["content"] == DOCUMENT  # not changed on the way
    short = call("briefly")
    assert shortened(short.content()) == (short.canonical(), {})


def test_words_that_look_like_a_hash_are_words(tmp_path):
    asked = call('"content":{"sha256":"' + "0" * 64 + '"}')
    with Ledger(tmp_path / "m.sqlite") as ledger:
        ledger.keep(asked, answer(asked))
        assert [each.request for each in ledger.exchanges()] == [asked.canonical()]
        assert ledger.check() == []


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE texts SET text = replace(text, 'harbour', 'market')", "is not the one sent"),
        ("DELETE FROM texts", r"the text with SHA-256 \w{64} is missing"),
        ("UPDATE requests SET request = replace(request, 'messages', 'none')", "not the one sent"),
    ],
)
def test_the_check_names_a_request_whose_text_was_altered_or_lost(tmp_path, statement, words):
    asked = call()
    with Ledger(tmp_path / "m.sqlite") as ledger:
        ledger.keep(asked, answer(asked))
    with sqlite3.connect(tmp_path / "m.sqlite") as database:
        database.execute(statement)
    with Ledger(tmp_path / "m.sqlite") as ledger:
        (problem,) = ledger.check()
        assert asked.key in problem
        assert re.search(words, problem)


def test_a_ledger_that_lost_a_text_says_so_and_serves_its_answers(tmp_path):
    asked = call()
    with Ledger(tmp_path / "m.sqlite") as ledger:
        ledger.keep(asked, answer(asked))
        ledger._db.execute("DELETE FROM texts")
        assert ledger.answer(asked.key) is not None
        with pytest.raises(LedgerError, match=r"m\.sqlite: the text with .* restore a copy"):
            list(ledger.exchanges())


def test_an_earlier_ledger_is_read_and_goes_on_in_the_new_form(tmp_path):
    path = tmp_path / "study/stage/m.sqlite"
    old, new = call(sample=0), call(sample=1)
    an_earlier_ledger(path, old)
    with Ledger(path) as ledger:
        assert ledger.answer(old.key).value == "a"
        ledger.keep(new, answer(new))
        assert {each.request for each in ledger.exchanges()} == {old.canonical(), new.canonical()}
        assert ledger.check() == []
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
        lengths = [row[0] for row in database.execute("SELECT length(request) FROM requests")]
    assert max(lengths) > len(DOCUMENT) > min(lengths)


def test_an_earlier_ledger_that_cannot_be_written_is_read_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "study/stage/m.sqlite"
    asked = call()
    an_earlier_ledger(path, asked)
    before = path.read_bytes()
    monkeypatch.setattr("veridical.ledger.databases.os.access", lambda *_: False)
    with Ledger(path, create=False) as ledger:
        assert [each.request for each in ledger.exchanges()] == [asked.canonical()]
        assert ledger.check() == []
    assert path.read_bytes() == before


def test_a_later_ledger_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "m.sqlite"
    with Ledger(path) as ledger:
        ledger._db.execute("PRAGMA user_version = 3")
    with pytest.raises(LedgerError, match=r"version 3; this code reads 2 and earlier\. Use the"):
        Ledger(path)


def test_replies_hold_each_text_once_and_rebuild_the_ledger(tmp_path):
    ledger, out = collected(tmp_path)
    text = out.read_text(encoding="utf-8")
    assert text.count(within(DOCUMENT)) == 2
    assert text.count(within(RUBRIC)) == 1
    with Ledger(tmp_path / "again.sqlite") as again, Ledger(ledger) as first:
        assert rebuild([out], again) == 12
        assert [each.request for each in again.exchanges()] == [
            each.request for each in first.exchanges()
        ]
    before = out.read_bytes()
    collect(tmp_path / "prompts.jsonl", MODEL, tmp_path / "again.sqlite", out=out, asking=False)
    assert out.read_bytes() == before


def test_replies_of_an_earlier_version_give_the_same_table_and_ledger(tmp_path):
    _, out = collected(tmp_path)
    old = tmp_path / "old.jsonl"
    whole = [json.dumps(line, ensure_ascii=False) + "\n" for line in iterate_replies(out)]
    old.write_text("".join(whole), encoding="utf-8")
    assert old.stat().st_size > 2 * out.stat().st_size
    assert read_replies(old).equals(read_replies(out))
    with Ledger(tmp_path / "again.sqlite") as again:
        assert rebuild([old], again) == 12
        assert rebuild([out], again) == 0


def test_replies_whose_first_line_is_gone_are_refused_with_the_reason(tmp_path):
    _, out = collected(tmp_path)
    out.write_text("".join(out.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(ValueError, match=r"replies\.jsonl, line 1: .* in no line before"):
        read_replies(out)


def test_a_reply_altered_in_its_text_is_refused(tmp_path):
    _, out = collected(tmp_path)
    out.write_text(out.read_text().replace("harbour", "market"))
    with (
        Ledger(tmp_path / "again.sqlite") as ledger,
        pytest.raises(ValueError, match=r"line 1: the request is not the one of key"),
    ):
        rebuild([out], ledger)


def test_what_was_spent_before_there_was_a_budget_counts_the_whole_prompt(tmp_path):
    """A reply without token counts is entered at the most: a token for two bytes of prompt."""
    asked = call()
    path = tmp_path / "ledger/study/stage/gpt.sqlite"
    with Ledger(path) as ledger:
        ledger.keep(asked, Reply(asked.key, "ok", "a", Raw("a")))
    budget = Budget(tmp_path / "ledger/study", money=1e9, prices=price_list(tmp_path))
    calls, cost = budget.spent()
    assert calls == 1
    assert cost >= len(DOCUMENT) / 2


def test_the_timeline_needs_no_text(tmp_path):
    ledger, _ = collected(tmp_path)
    with sqlite3.connect(ledger) as database:
        database.execute("DELETE FROM texts")
    (spell,) = spells(tmp_path, Prices(price_list(tmp_path)))
    assert spell.calls == 12
