"""The server's own name for a model: kept, and a stage stops where it changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.scripted import Scripted
from support.scripts import load_script
from veridical.base.tables import read_table, write_table
from veridical.ledger.collecting import CollectionStopped, collect
from veridical.ledger.estimating import as_text, estimate
from veridical.ledger.ledger import Ledger
from veridical.ledger.pricing import Prices
from veridical.ledger.replies import read_replies
from veridical.ledger.served import Served, names_in, served_table, stage_of
from veridical.ledger.tables import SERVED
from veridical.models.asks import Ask
from veridical.models.exchange import Form, Model, ProviderError, Raw
from veridical.models.prompts import Prompt, Turn

MODEL = Model("gpt", "openai", "gpt-4.1")
ANY = replace(MODEL, options={"served": ["gpt-4.1-*", "gpt-4.2"]})


def prompts(n: int, kind: str = "p") -> list[Prompt]:
    return [Prompt(f"{kind}{i}", (Turn(f"question {kind}{i}", Form()),)) for i in range(n)]


def named(*names: str | None) -> Scripted:
    """One at a time; the i-th call is answered under the i-th name, later ones under the last."""
    said = iter(names)
    last = [names[-1]]

    def script(call, before):
        last[0] = next(said, last[0])
        return Raw("an answer", finish="stop", served_model=last[0])

    return Scripted(script, concurrency=1)


def ask(root: Path, provider, *, asked=None, model=MODEL, collection="control3", asking=True):
    ledger = root / collection / "gpt.sqlite"
    return collect(
        asked or prompts(4), model, ledger, out=root / f"{collection}.jsonl",
        collection=collection, provider=provider, asking=asking, backoff=0.001,
    )  # fmt: skip


def test_one_name_is_kept_with_every_reply(tmp_path):
    assert ask(tmp_path, named("gpt-4.1-2025")).asked == 4
    assert set(read_replies(tmp_path / "control3.jsonl")["served_model"]) == {"gpt-4.1-2025"}


def test_a_change_in_the_middle_stops_the_stage_and_repeats_nothing(tmp_path):
    provider = named("gpt-4.1-2025", "gpt-4.1-2025", "gpt-4.1-2026")
    with pytest.raises(CollectionStopped, match=r"gpt-4.1-2025 \(2 replies\), gpt-4.1-2026 \(1 "):
        ask(tmp_path, provider)
    assert len(provider.seen) == 3  # not one more after the change
    again = named("gpt-4.1-2026")
    with pytest.raises(CollectionStopped, match="models/gpt/served"):
        ask(tmp_path, again)
    assert again.seen == []  # nothing is spent before it is decided
    on = named("gpt-4.1-2026")
    assert ask(tmp_path, on, model=ANY).asked == 1  # what was answered before is not asked again
    assert len(on.seen) == 1


def test_names_that_the_entry_lists_may_change_and_others_not(tmp_path):
    assert ask(tmp_path, named("gpt-4.1-a", "gpt-4.1-b", "gpt-4.2"), model=ANY).asked == 4
    with pytest.raises(CollectionStopped, match="is not among those under `served`"):
        ask(tmp_path, named("gpt-4.3"), asked=prompts(6), model=ANY)


def test_an_entry_that_lists_the_name_refuses_the_first_stranger(tmp_path):
    provider = named("gpt-3.5")
    with pytest.raises(CollectionStopped, match=r"gpt-3\.5 \(1 replies\)"):
        ask(tmp_path, provider, model=ANY)
    assert len(provider.seen) == 1


def test_a_server_that_tells_no_name_is_no_change(tmp_path):
    assert ask(tmp_path, named("gpt-4.1-a", None, "", "gpt-4.1-a")).asked == 4


def test_the_name_holds_over_the_collections_of_a_stage_and_not_beyond(tmp_path):
    ask(tmp_path, named("gpt-4.1-a"), collection="control3")
    with pytest.raises(CollectionStopped, match="changed in the middle of a stage"):
        ask(tmp_path, named("gpt-4.1-b"), collection="control2", asked=prompts(2, "q"))
    judge = named("gpt-4.1-b")
    assert ask(tmp_path, judge, collection="verdicts", asked=prompts(2, "v")).asked == 2
    assert ask(tmp_path, named("gpt-4.0"), collection="trial", asked=prompts(1, "t")).asked == 1


def test_a_replay_asks_nobody_and_is_not_stopped(tmp_path):
    ask(tmp_path, named("gpt-4.1-a", "gpt-4.1-b"), model=ANY)
    before = (tmp_path / "control3.jsonl").read_bytes()
    assert ask(tmp_path, None, asking=False).held == 4
    assert (tmp_path / "control3.jsonl").read_bytes() == before


def test_the_list_of_names_is_no_part_of_a_request(tmp_path):
    """Else naming a new one would ask everything again."""
    ask(tmp_path, named("gpt-4.1-a"))
    assert ask(tmp_path, None, model=ANY).held == 4


def test_a_key_in_a_servers_name_is_not_shown(tmp_path, monkeypatch):
    """A gateway that echoes the key as the model's name: not in the error, not in the ledger."""
    key = "sk-proj-a8Kd92LmQz71Xw0PbV5t"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(CollectionStopped) as stopped:
        ask(tmp_path, named("gpt-4.1-a", f"gpt {key}"))
    assert key not in str(stopped.value)
    assert key.encode() not in (tmp_path / "control3/gpt.sqlite").read_bytes()


def test_blocks_are_heard_whole():
    heard = Served("gpt")
    assert heard.hear([Raw("x", served_model="a"), Raw("y", served_model="a")]) == ""
    assert "a (2 replies), b (1 replies)" in heard.hear([Raw("z", served_model="b")])


def test_names_are_counted_over_ledgers(tmp_path):
    ask(tmp_path, named("a"), collection="control2", asked=prompts(2))
    ask(tmp_path, named("a", None), collection="control3", asked=prompts(3))
    ledgers = [*tmp_path.glob("*/gpt.sqlite")]
    assert dict(names_in(ledgers)) == {"a": 3}
    with Ledger(tmp_path / "control3/gpt.sqlite", create=False) as ledger:
        assert dict(ledger.served_names()) == {"a": 1, "": 2}


@pytest.mark.parametrize(
    ("collection", "stage"),
    [("author", "author"), ("trial", "trial"), ("verdicts", "verdicts"),
     ("responses", "responses"), ("control2", "responses"), ("vpe", "responses")],
)  # fmt: skip
def test_stages_of_collections(collection, stage):
    assert stage_of(collection) == stage


def test_the_table_says_what_was_asked_and_what_was_served(tmp_path):
    ask(tmp_path, named("gpt-4.1-a", "gpt-4.1-a", "gpt-4.1-b"), model=ANY)
    ask(tmp_path, named(None), collection="verdicts", asked=prompts(2, "v"))
    files = [tmp_path / "control3.jsonl", tmp_path / "verdicts.jsonl", tmp_path / "control3.jsonl"]
    table = served_table(files, {"gpt": {"provider": "openai"}})
    rows = table[["stage", "asked", "served", "n_replies"]].values.tolist()
    assert rows == [  # a file given twice counts once
        ["responses", "gpt-4.1", "gpt-4.1-a", 2],
        ["responses", "gpt-4.1", "gpt-4.1-b", 2],
        ["verdicts", "gpt-4.1", None, 2],
    ]
    assert (table["first"] <= table["last"]).all()
    write_table(table, tmp_path / "served.csv", SERVED)
    assert read_table(tmp_path / "served.csv", SERVED)["served"].tolist()[-1] is None


def test_failed_attempts_and_memory_systems_have_no_name(tmp_path):
    tries = iter([ProviderError("busy", transient=True), "an answer", "an answer"])
    ask(tmp_path, Scripted(lambda call, before: next(tries), concurrency=1), asked=prompts(2))
    path = tmp_path / "control3.jsonl"
    assert served_table([path], {})["n_replies"].tolist() == [2]
    lines = path.read_text().splitlines()
    visit = {"request": {"system": "fts5"}, "reply": {"state": "ok", "key": "k", "raw": {}}}
    entry = json.loads(lines[0]) | {"exchanges": [visit]}
    path.write_text(json.dumps(entry) + "\n")
    assert len(served_table([path], {})) == 0


def test_the_script_takes_the_replies_among_what_was_collected(tmp_path, capsys):
    ask(tmp_path, named("gpt-4.1-a"))
    (tmp_path / "prompts.jsonl").write_text('{"id": "p0"}\n')
    collected = [tmp_path / "prompts.jsonl", tmp_path / "control3.jsonl"]
    main = load_script("ledger/list_served.py").main
    main(collected, tmp_path / "served.csv", models={"gpt": {"provider": "openai"}})
    assert read_table(tmp_path / "served.csv", SERVED)["served"].tolist() == ["gpt-4.1-a"]
    main([], tmp_path / "none.csv", models={})
    assert len(read_table(tmp_path / "none.csv", SERVED)) == 0


def test_the_estimate_says_under_which_other_name_it_was_served(tmp_path):
    ledgers, results = tmp_path / "ledger", tmp_path / "results"
    ask(ledgers, named("gpt-4.1-2025"))
    asked = Ask("control3", MODEL, "control3/prompts/*.jsonl", 4, 10, {"max_tokens": 8})
    prices = Prices(Path(__file__).parents[2] / "data/prices.csv")
    found = estimate(asked, results, ledgers, prices)
    assert found.served == ("gpt-4.1-2025",)
    assert "control3/gpt was served as gpt-4.1-2025" in as_text([found])
    ask(tmp_path / "same", named("gpt-4.1"))
    assert estimate(asked, results, tmp_path / "same", prices).served == ()


@pytest.mark.parametrize(
    "name", ["=HYPERLINK(1)", "@SUM(1)", "gpt\x1b[31m", "gpt\u202etpg", " gpt", "1e5"]
)
def test_names_of_servers_are_other_peoples_text(tmp_path, name):
    """Safe in a spreadsheet and on a terminal, and back from the CSV as they came."""
    ask(tmp_path, named(name))
    main = load_script("ledger/list_served.py").main
    main([tmp_path / "control3.jsonl"], tmp_path / "served.csv", models={})
    assert read_table(tmp_path / "served.csv", SERVED)["served"].tolist() == [name]
    cell = (tmp_path / "served.csv").read_text().splitlines()[1].split(",")[4]
    assert not cell.startswith(("=", "@"))
    assert "\x1b" not in cell
