"""Collecting through a batch API: one submission, resumed by another run, kept like the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.wire_server import Answer, WireServer
from veridical.ledger.budget import Budget, BudgetExceeded
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.ledger.stopping import CollectionStopped
from veridical.models.exchange import Form, Model
from veridical.models.prompts import Prompt, Turn
from veridical.models.providers import open_provider
from veridical.models.providers.batching import Batching

CHOICE = Form("choice", ("Llama", "DeepSeek"), "Non lo so")


@pytest.fixture
def wire():
    with WireServer() as server:
        yield server


def by_batch(wire, folder):
    model = Model("m", "openai", "asked-1", base_url=f"{wire.url}/v1", structured="schema")
    inner = open_provider(model, environ={"OPENAI_API_KEY": "canary-77ab10"})
    waiting = replace(model, options={"batch": True})
    return waiting, Batching(inner, folder / "batches", quiet=0.1, pause=0.05)


def prompts(n):
    return [Prompt(f"p{i}", (Turn(f"q{i}", CHOICE),)) for i in range(n)]


def submissions(wire):
    return sum(r["method"] == "POST" and r["path"].endswith("/batches") for r in wire.requests)


def test_all_calls_go_in_one_batch(wire, tmp_path):
    wire.batch_answers = {"q1": Answer('{"answer": "DeepSeek"}')}
    wire.polls = 2
    model, provider = by_batch(wire, tmp_path)
    out = tmp_path / "replies.jsonl"
    tally = collect(prompts(20), model, tmp_path / "m.sqlite", out=out, provider=provider)
    assert tally.asked == 20
    assert submissions(wire) == 1
    assert list(read_replies(out)["value"][:3]) == ["Llama", "DeepSeek", "Llama"]


def test_a_run_that_was_stopped_is_continued_and_nothing_submitted_again(
    wire, tmp_path, monkeypatch
):
    monkeypatch.setattr("veridical.ledger.asking.GRACE", 0.1)
    wire.polls = 10**6  # not today
    model, provider = by_batch(wire, tmp_path)
    out = tmp_path / "replies.jsonl"

    class Impatient(type(provider)):
        async def _watch(self, batch):
            raise KeyError("the machine goes down")

    provider.__class__ = Impatient
    with pytest.raises((KeyError, CollectionStopped)):
        collect(prompts(5), model, tmp_path / "m.sqlite", out=out, provider=provider)
    assert submissions(wire) == 1
    wire.polls = 0
    model, provider = by_batch(wire, tmp_path)
    collect(prompts(5), model, tmp_path / "m.sqlite", out=out, provider=provider)
    assert submissions(wire) == 1
    assert list(read_replies(out)["state"]) == ["ok"] * 5


def test_a_batch_stays_within_the_budget(wire, tmp_path):
    model, provider = by_batch(wire, tmp_path)
    budget = Budget(tmp_path / "study", calls=3)
    with pytest.raises(BudgetExceeded):
        collect(
            prompts(5),
            model,
            tmp_path / "study" / "s" / "m.sqlite",
            out=tmp_path / "x",
            provider=provider,
            budget=budget,
        )
    assert budget.spent()[0] == 3
