"""One collection under way: what its tally says, in which requests it asks, and who it stops."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.scripted import Scripted
from veridical.ledger.asking import Asking
from veridical.ledger.ledger import Ledger
from veridical.ledger.stopping import CollectionStopped
from veridical.ledger.task import Tally, Task
from veridical.models.exchange import Model, ProviderError
from veridical.models.prompts import Prompt, Turn

MODEL = Model("gpt", "openai", "gpt-4.1")


def asked(tmp_path: Path, prompts: list[Prompt], provider: Scripted, **more) -> Tally:
    """Run one collection into a ledger; its tally."""
    path = tmp_path / "l.sqlite"
    task = Task(prompts, MODEL, path, backoff=0.001, **{"retries": 0} | more)
    with Ledger(path) as ledger:
        return asyncio.run(Asking(task, ledger, None).run(provider, {}))


def prompts(n: int, *turns: str, samples: int = 1) -> list[Prompt]:
    asked_ = tuple(Turn(f"{turn} {{n}}") for turn in (turns or ("question",)))
    return [
        Prompt(f"p{k}", tuple(Turn(turn.user.replace("{n}", str(k))) for turn in asked_), samples)
        for k in range(n)
    ]


def last(call) -> str:
    return call.messages[-1]["content"]


def test_a_tally_of_what_was_asked_for_and_what_was_there(tmp_path):
    yes = Scripted(lambda call, n: "yes")
    assert asked(tmp_path, prompts(2), yes) == Tally(conversations=2, held=0, asked=2, failed=0)
    assert asked(tmp_path, prompts(5), yes) == Tally(conversations=5, held=2, asked=3, failed=0)
    assert asked(tmp_path, prompts(5), yes) == Tally(conversations=5, held=5, asked=0, failed=0)


def test_a_conversation_that_was_begun_before_is_no_held_one(tmp_path):
    provider = Scripted(lambda call, n: "yes")
    asked(tmp_path, prompts(1, "first"), provider)
    tally = asked(tmp_path, prompts(1, "first", "second"), provider)
    assert tally == Tally(conversations=1, held=0, asked=1, failed=0)


def test_every_try_counts_as_asked_and_a_conversation_given_up_as_failed(tmp_path):
    provider = Scripted(lambda call, n: ProviderError("busy", transient=True), concurrency=1)
    tally = asked(tmp_path, prompts(2), provider, retries=2)
    assert tally == Tally(conversations=0, held=0, asked=6, failed=2)


@pytest.mark.parametrize(("fails", "failed", "done"), [((), 0, 3), ((2,), 1, 2), ((1,), 2, 1)])
def test_of_a_block_those_that_were_not_done_are_given_up(tmp_path, fails, failed, done):
    """The conversations of a block go on one after the other: where one gets no reply, it and
    those after it are left for another run."""

    def script(call, before):
        second = last(call).startswith("second")
        return ProviderError("busy", transient=True) if second and call.sample in fails else "yes"

    provider = Scripted(script, concurrency=1, block=3)
    tally = asked(tmp_path, prompts(1, "first", "second", samples=3), provider)
    assert (tally.conversations, tally.failed) == (done, failed)


@pytest.mark.parametrize(
    ("block", "samples", "requests"),
    [
        (1, 1, [("ask", [0])]),
        (1, 2, [("ask", [0]), ("ask", [1])]),
        (2, 1, [("ask", [0])]),  # one sample is no block
        (2, 2, [("sample", [0, 1])]),
        (2, 3, [("sample", [0, 1]), ("sample", [2])]),
        (3, 2, [("sample", [0, 1])]),
    ],
)
def test_samples_go_by_the_providers_blocks(tmp_path, block, samples, requests):
    provider = Scripted(lambda call, n: "yes", concurrency=1, block=block)
    asked(tmp_path, prompts(1, samples=samples), provider)
    assert provider.requests == requests


def test_a_provider_that_says_nothing_of_blocks_is_asked_singly(tmp_path):
    provider = Scripted(lambda call, n: "yes", concurrency=1)
    del provider.block
    asked(tmp_path, prompts(1, samples=2), provider)
    assert provider.requests == [("ask", [0]), ("ask", [1])]


def test_no_more_are_under_way_than_the_provider_takes(tmp_path):
    provider = Scripted(lambda call, n: "yes", concurrency=3, seconds=0.01)
    asked(tmp_path, prompts(12), provider)
    assert provider.most_under_way == 3


def test_five_calls_in_a_row_without_a_reply_end_it_and_one_between_does_not(tmp_path):
    def script(call, before):
        failing = last(call) not in ("question 4", "question 9")
        return ProviderError("busy", transient=True) if failing else "yes"

    tally = asked(tmp_path, prompts(9), Scripted(script, concurrency=1))
    assert (tally.conversations, tally.failed) == (1, 8)
    with pytest.raises(CollectionStopped, match=r"gpt: 5 calls in a row got no reply; .* busy\."):
        asked(tmp_path, prompts(20), Scripted(script, concurrency=1))


def test_what_can_not_pass_stops_all_and_keeps_what_was_answered(tmp_path):
    def script(call, before):
        return "yes" if last(call) == "question 0" else ProviderError("no right", transient=False)

    provider = Scripted(script, concurrency=1)
    with pytest.raises(
        CollectionStopped, match=r"gpt, prompts \('p1', sample 0, turn 0\): no right"
    ):
        asked(tmp_path, prompts(9), provider)
    assert [last(call) for call in provider.seen] == ["question 0", "question 1"]
    with Ledger(tmp_path / "l.sqlite", create=False) as ledger:
        states = [exchange.reply.state for exchange in ledger.exchanges()]
    assert sorted(states) == ["failed", "ok"]


def test_leases_are_given_back_whatever_happened(tmp_path):
    provider = Scripted(lambda call, n: ZeroDivisionError("bug"), concurrency=2)
    with pytest.raises(ZeroDivisionError):
        asked(tmp_path, prompts(4), provider)
    tally = asked(tmp_path, prompts(4), Scripted(lambda call, n: "yes"))
    assert tally.conversations == 4


def test_the_first_conversations_are_asked_in_the_prompts_order(tmp_path):
    provider = Scripted(lambda call, n: "yes", concurrency=1)
    asked(tmp_path, prompts(6, "first", "second"), provider)
    firsts = [last(call) for call in provider.seen if last(call).startswith("first")]
    assert firsts == [f"first {n}" for n in range(6)]
