"""The server's own name for a model: kept, and a stage stops where it changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.scripted import Scripted
from veridical.ledger.collecting import CollectionStopped, collect
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import read_replies
from veridical.ledger.served import Served, names_in, stage_of
from veridical.models.exchange import Form, Model, Raw
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
