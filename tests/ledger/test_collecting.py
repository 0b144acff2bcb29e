from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from support.remote import WORKER, Server
from support.scripted import Scripted
from veridical.base.decisions import Decisions
from veridical.ledger.budget import Budget, BudgetExceeded
from veridical.ledger.collecting import CollectionStopped, MissingReplies, collect
from veridical.ledger.file import LedgerError
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import (
    COLUMNS,
    DRAWN,
    answered,
    iterate_replies,
    model_of,
    read_replies,
    rebuild,
    rebuild_all,
)
from veridical.models.exchange import Call, Form, Model, ProviderError, Raw
from veridical.models.prompts import Prompt, Turn, write_prompts

HERE = Path(__file__).parent
PATHS = os.pathsep.join([str(HERE), str(HERE.parent)])  # this file, and what tests share
MODEL = Model("gpt", "openai", "gpt-4.1", parameters={"temperature": 0.0, "max_tokens": 16})
TEXT = Form()
CHOICE = Form("choice", ("Llama", "DeepSeek"), "I don't know")


def ask(text: str, form: Form = TEXT, **rest) -> Turn:
    return Turn(text, form, **rest)


def questions(n: int, form: Form = TEXT) -> list[Prompt]:
    return [Prompt(f"p{i:03}", (ask(f"question {i}", form, system="You are."),)) for i in range(n)]


def last(call) -> str:
    return call.messages[-1]["content"]


class Study:
    """A folder with a ledger and an output, and a way to collect into them."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.ledger = folder / "ledger" / "study" / "stage" / "gpt.sqlite"
        self.out = folder / "replies.jsonl"

    def collect(self, prompts, provider=None, *, model=MODEL, **rest):
        path = self.folder / "prompts.jsonl"
        write_prompts(path, prompts)
        rest.setdefault("backoff", 0.001)
        return collect(path, model, self.ledger, out=self.out, provider=provider, **rest)

    def attempts(self):
        with Ledger(self.ledger, create=False) as ledger:
            assert ledger.check() == []
            return list(ledger.exchanges())


@pytest.fixture
def study(tmp_path):
    return Study(tmp_path)


def echo(call, before):
    return f"reply to {last(call)}"


HARD = [
    "a lone\rcarriage return",
    "\rfirst and last\r",
    "null\x00inside\x00",
    "\x00",
    "escape \x1b[31mred\x1b[0m, bell \x07, delete \x7f",
    "separators \x1c\x1d\x1e\x1f, \x0b and \x0c",
    "next line \x85, line \u2028 and paragraph \u2029",
    "a byte-order mark \ufeff and no-break\u00a0space",
    "quotes \" and ' and \\ and \\n and \\u0000",
    "emoji \U0001f600 and combining e\u0301",
    "NaN",
    "null",
    "0012",
    "=1+1",
]


def test_what_was_said_is_read_back_as_it_was(study):
    """Through prompts, ledger, export and a ledger rebuilt from it: to the character."""
    prompts = [Prompt(f"p{n}", (ask(said),), facts={"said": said}) for n, said in enumerate(HARD)]
    study.collect(prompts, Scripted(lambda call, before: f".{last(call)}."))
    for _ in range(2):
        replies = read_replies(study.out)
        assert replies["text"].tolist() == [f".{said}." for said in HARD]
        assert [facts["said"] for facts in replies["facts"]] == HARD
        export = study.out.rename(study.folder / "export.jsonl")
        study.ledger.unlink()
        study.collect(prompts, asking=False, exports=[export])


def test_replies_come_in_the_order_of_the_prompts_whatever_the_order_of_arrival(study):
    def slow_first(call, before):
        return f"reply to {last(call)}"

    provider = Scripted(slow_first, concurrency=5, seconds=0.001)
    tally = study.collect(questions(12), provider)
    assert (tally.conversations, tally.held, tally.asked) == (12, 0, 12)
    replies = read_replies(study.out)
    assert list(replies.columns) == [*COLUMNS, *DRAWN, "left_out"]
    assert list(replies["id"]) == [f"p{i:03}" for i in range(12)]
    assert list(replies["value"]) == [f"reply to question {i}" for i in range(12)]
    first = replies.iloc[0]
    assert first["served_model"] == "gpt-4.1-2025-01-01"
    assert first["parameters"] == {"temperature": 0.0, "max_tokens": 16}
    assert (first["state"], first["attempt"], first["first_state"]) == ("ok", 1, None)
    assert provider.most_under_way == 5


def test_a_line_carries_the_facts_of_its_prompt_and_its_turn(study):
    turns = (ask("a", system="You are.", facts={"session": 1}), ask("b", facts={"session": 2}))
    facts = {"document": "foreign-1", "item_id": "T 1-2", "seed": 1, "shift": None}
    study.collect([Prompt("p", turns, samples=2, facts=facts)], Scripted(echo))
    replies = read_replies(study.out)
    assert list(replies["facts"]) == [{**facts, "session": n} for n in (1, 2)] * 2
    assert list(replies["model"]) == ["gpt"] * 4
    # No model is sent them, and they are no part of what the ledger files a reply under.
    for exchange in study.attempts():
        assert "foreign-1" not in exchange.request
        assert "item_id" not in exchange.request


def test_facts_can_be_added_to_what_was_asked_and_nothing_is_asked_again(study):
    study.collect(questions(3), Scripted(echo))
    told = [replace(prompt, facts={"probe_id": prompt.id}) for prompt in questions(3)]
    tally = study.collect(told, Scripted(echo))
    assert (tally.held, tally.asked) == (3, 0)
    assert [facts["probe_id"] for facts in read_replies(study.out)["facts"]] == list(
        read_replies(study.out)["id"]
    )


def test_replies_are_put_beside_their_prompts_by_id_alone(study):
    asked = {}
    for name, ids in (("one", ("a", "b")), ("two", ("a-b",))):
        asked[name] = study.folder / f"{name}.jsonl"
        write_prompts(asked[name], [Prompt(each, (ask(each),)) for each in ids])
    swapped = []
    for name in ("two", "one"):  # each under the other's name
        swapped.append(study.folder / "replies" / ("one" if name == "two" else "two"))
        collect(asked[name], MODEL, study.ledger, out=swapped[-1], provider=Scripted(echo))
    found = list(answered(asked.values(), swapped))
    assert [(model, [p.id for p in prompts], list(own["id"])) for model, prompts, own in found] == [
        ("gpt", ["a-b"], ["a-b"]),
        ("gpt", ["a", "b"], ["a", "b"]),
    ]
    with pytest.raises(ValueError, match="answers none of the prompts"):
        list(answered([asked["one"]], swapped))
    with pytest.raises(ValueError, match=r"one\.jsonl: prompt 'a' stands in another prompts file"):
        list(answered([asked["one"]] * 2, swapped))


def test_the_replies_of_two_models_are_not_taken_for_one(study):
    study.collect(questions(2), Scripted(echo))
    table = read_replies(study.out)
    assert model_of(table) == "gpt"
    with pytest.raises(ValueError, match=r"these are of \['gpt', 'other'\]"):
        model_of(table.assign(model=["gpt", "other"]))
    with pytest.raises(ValueError, match="these are of none"):
        model_of(table.iloc[:0])


def test_lines_from_before_facts_rebuild_a_ledger_but_are_no_replies(study):
    study.collect(questions(2), Scripted(echo))
    lines = [json.loads(line) for line in study.out.read_text().splitlines()]
    old = study.folder / "old.jsonl"
    for line in lines:
        del line["facts"]
    old.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Ledger(study.folder / "rebuilt.sqlite") as ledger:
        assert rebuild([old], ledger) == 2
    with pytest.raises(ValueError, match=r"old\.jsonl, line 1: no facts: .* nothing is asked"):
        read_replies(old)


def test_a_second_run_asks_nothing_opens_nothing_and_writes_the_same_bytes(study, monkeypatch):
    study.collect(questions(5), Scripted(echo))
    before = study.out.read_bytes()
    study.out.unlink()
    tally = study.collect(questions(5))  # opening a provider would raise: no key is set
    assert (tally.held, tally.asked) == (5, 0)
    assert study.out.read_bytes() == before


def test_only_what_is_missing_is_asked(study):
    study.collect(questions(4), Scripted(echo))
    provider = Scripted(echo)
    tally = study.collect(questions(7), provider)
    assert [last(call) for call in provider.seen] == ["question 4", "question 5", "question 6"]
    assert (tally.conversations, tally.held, tally.asked) == (7, 4, 3)


def test_one_at_a_time_means_in_the_prompts_order(study):
    prompts = [Prompt(f"p{i}", (ask(f"a{i}"), ask(f"b{i}")), samples=2) for i in range(3)]
    provider = Scripted(echo, concurrency=1)
    study.collect(prompts, provider)
    assert [(last(c), c.sample) for c in provider.seen] == [
        (f"{turn}{i}", sample) for i in range(3) for sample in (0, 1) for turn in "ab"
    ]


def test_later_turns_see_the_earlier_ones_and_the_replies_to_them(study):
    prompt = Prompt("p", (ask("one", system="s1"), ask("two", system="s2"), ask("three")))
    provider = Scripted(lambda call, n: f"<{last(call)}>")
    study.collect([prompt], provider)
    thread = ["s1", "one", "<one>", "s2", "two", "<two>", "three"]
    assert [[m["content"] for m in call.messages] for call in provider.seen] == [
        thread[:2],
        thread[:5],
        thread,
    ]


def test_an_empty_reply_leaves_no_empty_message_behind(study):
    provider = Scripted(lambda call, n: "" if last(call) == "one" else "x")
    study.collect([Prompt("p", (ask("one"), ask("two")))], provider)
    assert provider.seen[1].messages[1] == {"role": "assistant", "content": "…"}
    assert list(read_replies(study.out)["state"]) == ["empty", "ok"]


# Samples


def test_samples_of_a_provider_with_blocks_are_asked_in_blocks(study):
    provider = Scripted(lambda call, n: f"sample {call.sample}", concurrency=1, block=4)
    study.collect([Prompt("p", (ask("q"),), samples=10)], provider)
    assert provider.requests == [
        ("sample", [0, 1, 2, 3]),
        ("sample", [4, 5, 6, 7]),
        ("sample", [8, 9]),
    ]
    assert list(read_replies(study.out)["text"]) == [f"sample {i}" for i in range(10)]


def test_blocks_stay_where_they_are_when_more_is_asked(study):
    """Six samples, then ten: the seventh still belongs to the block of the fifth."""
    study.collect([Prompt("p", (ask("q"),), samples=6)], Scripted(echo, concurrency=1, block=4))
    provider = Scripted(echo, concurrency=1, block=4)
    study.collect([Prompt("p", (ask("q"),), samples=10)], provider)
    assert provider.requests == [("sample", [6, 7]), ("sample", [8, 9])]


def test_a_single_missing_sample_is_still_asked_as_one_of_its_block(study):
    study.collect([Prompt("p", (ask("q"),), samples=3)], Scripted(echo, concurrency=1, block=4))
    provider = Scripted(echo, concurrency=1, block=4)
    study.collect([Prompt("p", (ask("q"),), samples=4)], provider)
    assert provider.requests == [("sample", [3])]


def test_a_prompt_of_one_sample_is_asked_singly(study):
    provider = Scripted(echo, concurrency=1, block=4)
    study.collect(questions(2), provider)
    assert provider.requests == [("ask", [0]), ("ask", [0])]


def test_samples_of_a_provider_without_blocks_are_calls_of_their_own(study):
    provider = Scripted(echo, concurrency=3, seconds=0.005)
    study.collect([Prompt("p", (ask("q"),), samples=6)], provider)
    assert [kind for kind, _ in provider.requests] == ["ask"] * 6
    assert provider.most_under_way == 3


# The second question of quoting models

QUOTE = ask("Quote first.", Form("choice", ("Llama", "DeepSeek"), begin="The entry is dated"))
QUOTED = [Prompt("p", (ask("With whom?", CHOICE, system="memory", quote=QUOTE), ask("Why?")))]
QUOTING = Model("gpt", "openai", "gpt-4.1", quoting=True)


def quoter(direct, quoted=" 2025-01-02 — met DeepSeek"):
    return Scripted(
        lambda call, n: {"With whom?": direct, "Quote first.": quoted}.get(last(call), "because")
    )


def test_a_quote_takes_the_place_of_its_turn(study):
    provider = quoter("Llama")
    study.collect(QUOTED, provider, model=QUOTING)
    assert [last(call) for call in provider.seen] == ["With whom?", "Quote first.", "Why?"]
    assert [m["content"] for m in provider.seen[1].messages] == ["memory", "Quote first."]
    assert [m["content"] for m in provider.seen[2].messages[:3]] == [
        "memory",
        "Quote first.",
        "The entry is dated 2025-01-02 — met DeepSeek",
    ]
    row = read_replies(study.out).iloc[0]
    assert (row["value"], row["state"]) == ("DeepSeek", "ok")
    assert (row["first_value"], row["first_state"]) == ("Llama", "ok")
    assert row["attempt"] == 1


@pytest.mark.parametrize(
    ("direct", "state"), [("I don't know", "abstained"), ("Somebody else", "unparseable")]
)
def test_no_quote_is_asked_after_an_abstention_or_no_answer(study, direct, state):
    provider = quoter(direct)
    study.collect(QUOTED, provider, model=QUOTING)
    assert [last(call) for call in provider.seen] == ["With whom?", "Why?"]
    row = read_replies(study.out).iloc[0]
    assert (row["state"], row["first_state"]) == (state, None)


def test_models_that_do_not_quote_are_not_asked_to(study):
    provider = quoter("Llama")
    study.collect(QUOTED, provider)
    assert [last(call) for call in provider.seen] == ["With whom?", "Why?"]


# Asking again


def test_what_can_not_be_read_is_asked_again_with_another_seed_and_all_is_kept(study):
    provider = Scripted(lambda call, n: "Llama" if call.sample >= 2_000_000 else "hm")
    study.collect([Prompt("p", (ask("q", CHOICE),))], provider, reask=3)
    assert [call.sample for call in provider.seen] == [0, 1_000_000, 2_000_000]
    row = read_replies(study.out).iloc[0]
    assert (row["state"], row["value"], row["attempt"]) == ("ok", "Llama", 3)
    assert sorted(each.reply.raw.text for each in study.attempts()) == ["Llama", "hm", "hm"]


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        (Raw("Lla", truncated=True), "truncated"),
        (Raw(""), "empty"),
        (Raw("either"), "unparseable"),
    ],
)
def test_asking_again_ends_and_the_state_stays_honest(study, raw, state):
    provider = Scripted(lambda call, n: raw)
    study.collect([Prompt("p", (ask("q", CHOICE),))], provider, reask=2)
    assert len(provider.seen) == 3
    row = read_replies(study.out).iloc[0]
    assert (row["state"], row["value"], row["attempt"]) == (state, None, 3)


@pytest.mark.parametrize(
    ("raw", "state"), [(Raw("", refused=True), "refused"), (Raw("", filtered=True), "filtered")]
)
def test_refusals_and_filters_are_answers(study, raw, state):
    provider = Scripted(lambda call, n: raw)
    study.collect([Prompt("p", (ask("q", CHOICE),))], provider, reask=2)
    assert len(provider.seen) == 1
    assert read_replies(study.out).iloc[0]["state"] == state


def test_by_default_nothing_is_asked_again(study):
    provider = Scripted(lambda call, n: Raw("1, 2, ", truncated=True))
    study.collect(questions(1), provider)
    assert len(provider.seen) == 1


def test_parameters_of_asking_again(study):
    provider = Scripted(lambda call, n: "Llama" if call.sample else "hm")
    study.collect(
        [Prompt("p", (ask("q", CHOICE),), parameters={"max_tokens": 5})],
        provider,
        reask=1,
        reask_parameters={"temperature": 0.5},
    )
    assert [call.effective() for call in provider.seen] == [
        {"temperature": 0.0, "max_tokens": 5},
        {"temperature": 0.5, "max_tokens": 5},
    ]


# Errors


def test_transient_errors_are_tried_again_and_kept(study):
    provider = Scripted(
        lambda call, n: ProviderError("503 overloaded", transient=True) if n < 2 else "fine"
    )
    study.collect(questions(2), provider)
    assert list(read_replies(study.out)["text"]) == ["fine", "fine"]
    kept = [(each.reply.state, each.reply.error, each.served) for each in study.attempts()]
    assert kept == [("failed", "503 overloaded", False)] * 2 + [("ok", "", True)] + [
        ("failed", "503 overloaded", False)
    ] * 2 + [("ok", "", True)]


def test_retry_after_is_honoured_by_all(study):
    """The server says: not for 0.3 s. No request of any worker comes earlier."""
    times = []

    def script(call, n):
        times.append(time.monotonic())
        if len(times) == 1:
            return ProviderError("429", transient=True, retry_after=0.3)
        return "fine"

    study.collect(questions(6), Scripted(script, concurrency=2, seconds=0.01))
    later = [each - times[0] for each in times[2:]]  # the second was under way already
    assert min(later) >= 0.3


def test_a_call_that_gets_no_reply_is_named_and_the_rest_is_kept(study):
    def script(call, n):
        if last(call) == "question 3":
            return ProviderError("500", transient=True)
        return "fine"

    with pytest.raises(MissingReplies, match=r"gpt, prompts: 5 of 6 .* 'p003'") as caught:
        study.collect(questions(6), Scripted(script), retries=2)
    assert "1 are not" in str(caught.value)
    assert not study.out.exists()
    assert len([e for e in study.attempts() if not e.served]) == 3
    provider = Scripted(echo)
    study.collect(questions(6), provider)
    assert [last(call) for call in provider.seen] == ["question 3"]


def test_an_error_that_will_not_pass_stops_at_once(study):
    def script(call, n):
        if last(call) == "question 3":
            return ProviderError("401: set OPENAI_API_KEY", transient=False)
        return "fine"

    provider = Scripted(script, concurrency=2, seconds=0.002)
    with pytest.raises(CollectionStopped, match="OPENAI_API_KEY") as caught:
        study.collect(questions(200), provider)
    assert "'p003'" in str(caught.value)
    assert len(provider.seen) <= 6
    served = [each for each in study.attempts() if each.served]
    assert len(served) == len(provider.seen) - 1  # what was under way was kept


def test_a_server_that_is_down_is_given_up(study):
    provider = Scripted(lambda call, n: ProviderError("refused", transient=True), concurrency=1)
    with pytest.raises(CollectionStopped, match="5 calls in a row"):
        study.collect(questions(50), provider, retries=1)
    assert len(provider.seen) == 10


def test_an_error_in_opening_is_told(study):
    class Closed(Scripted):
        async def __aenter__(self):
            raise ProviderError("OPENAI_API_KEY is not set", transient=False)

    with pytest.raises(CollectionStopped, match="OPENAI_API_KEY is not set"):
        study.collect(questions(1), Closed(echo))


def test_an_unforeseen_error_is_raised_as_it_is_and_gives_its_lease_back(study):
    with pytest.raises(ZeroDivisionError):
        study.collect(questions(3), Scripted(lambda call, n: ZeroDivisionError("bug")))
    study.collect(questions(3), Scripted(echo))


# Replay


def test_an_exported_set_alone_rebuilds_the_ledger(study, tmp_path):
    prompts = [*QUOTED, *questions(3, CHOICE)]

    def script(call, n):
        if call.sample == 0 and last(call).startswith("question"):
            return "hm"
        return "Llama" if "Quote" not in last(call) else " 2025-01-02 — met Llama"

    study.collect(prompts, Scripted(script), model=QUOTING, reask=1)
    before = study.out.read_bytes()
    other = Study(tmp_path / "other")
    other.folder.mkdir()
    tally = other.collect(prompts, model=QUOTING, reask=1, asking=False, exports=[study.out])
    assert other.out.read_bytes() == before
    assert tally.asked == 0
    with Ledger(other.ledger) as ledger:
        assert ledger.check() == []
        assert rebuild([study.out], ledger) == 0  # all there already


def test_all_ledgers_of_a_study_are_rebuilt_from_its_results(study, tmp_path):
    study.out = tmp_path / "results" / "control3" / "replies" / "slice" / "gpt.jsonl"
    study.collect(questions(3), Scripted(echo), collection="control3")
    before = study.out.read_bytes()
    new = rebuild_all(tmp_path / "results", tmp_path / "rebuilt")
    assert list(new.values()) == [3]
    study.ledger = tmp_path / "rebuilt" / "control3" / "gpt.sqlite"
    study.collect(questions(3), asking=False, collection="control3")
    assert study.out.read_bytes() == before


def test_replay_names_what_is_missing_and_asks_nothing(study):
    study.collect(questions(3), Scripted(echo))
    with pytest.raises(MissingReplies, match=r"3 of 4 .*'p003', sample 0, turn 0 \(key [0-9a-f]+"):
        study.collect(questions(4), asking=False)


def test_replay_without_a_ledger_says_so(study):
    with pytest.raises(LedgerError, match="no such ledger"):
        study.collect(questions(1), asking=False)


def test_replay_imports_no_sdk_and_needs_no_key(study):
    study.collect(questions(2), Scripted(echo))
    code = f"""
import socket, sys
def no(*a, **k): raise AssertionError("network")
socket.socket.connect = no
from pathlib import Path
from veridical.ledger.collecting import collect
from test_collecting import MODEL
collect(Path({str(study.folder / "prompts.jsonl")!r}), MODEL, {str(study.ledger)!r},
        out={str(study.out)!r}, asking=False)
loaded = {{"openai", "anthropic", "google.genai", "httpx", "xllamacpp",
          "veridical.models.providers"}}
print(sorted(loaded & set(sys.modules)))
"""
    environ = {k: v for k, v in os.environ.items() if "KEY" not in k}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=HERE,
        env={**environ, "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n", done.stderr


def test_an_export_that_was_altered_is_refused(study, tmp_path):
    study.collect(questions(2), Scripted(echo))
    text = study.out.read_text()
    (tmp_path / "altered.jsonl").write_text(text.replace("question 1", "question 9"))
    with (
        Ledger(tmp_path / "new.sqlite") as ledger,
        pytest.raises(ValueError, match=r"altered\.jsonl, line 2: the request is not the one"),
    ):
        rebuild([tmp_path / "altered.jsonl"], ledger)


@pytest.mark.parametrize(
    ("line", "words"),
    [("{", "line 2: not a reply"), ('{"model": "gpt", "id": "x"}', "line 2: 'sample' is missing")],
)
def test_a_broken_replies_file_is_refused(study, line, words):
    study.collect(questions(1), Scripted(echo))
    study.out.write_text(study.out.read_text() + line + "\n")
    with pytest.raises(ValueError, match=words):
        read_replies(study.out)


def test_a_reply_that_occurs_twice_is_refused(study):
    study.collect(questions(1), Scripted(echo))
    study.out.write_text(study.out.read_text() * 2)
    with pytest.raises(ValueError, match="occurs twice"):
        read_replies(study.out)


def test_an_answer_is_read_anew_when_the_reading_changes(study, monkeypatch):
    """The raw answer is what is kept: a mended parser mends old replies, at no cost."""
    study.collect([Prompt("p", (ask("q", CHOICE),))], Scripted(lambda call, n: "Llama!"))
    monkeypatch.setattr("veridical.ledger.task.read_answer", lambda raw, form: ("refused", None))
    study.collect([Prompt("p", (ask("q", CHOICE),))], asking=False)
    assert read_replies(study.out).iloc[0]["state"] == "refused"


def test_strange_characters_survive(study):
    text = "line\u2028sep \x00 nul \ud83d half"
    study.collect(questions(2), Scripted(lambda call, n: text))
    assert list(read_replies(study.out)["text"]) == ["line\u2028sep \x00 nul ? half"] * 2


# The budget

PRICES = "provider,model,input,output,batch,dated,source,checked\nopenai,gpt-4.1,2,8,0.5,,,\n"


@pytest.fixture
def prices(tmp_path):
    (tmp_path / "prices.csv").write_text(PRICES)
    return tmp_path / "prices.csv"


def test_the_budget_stops_before_one_call_too_many(study):
    folder = study.ledger.parents[1]
    provider = Scripted(echo, concurrency=8, seconds=0.001)
    with pytest.raises(BudgetExceeded, match="budget is 7 calls and 7 were made"):
        study.collect(questions(20), provider, budget=Budget(folder, calls=7))
    assert len(provider.seen) == 7
    assert len(study.attempts()) == 7  # every one of them kept
    provider = Scripted(echo)
    with pytest.raises(BudgetExceeded):
        study.collect(questions(20), provider, budget=Budget(folder, calls=7))
    assert provider.seen == []
    study.collect(questions(20), provider, budget=Budget(folder, calls=20))
    assert len(provider.seen) == 13


def test_calls_made_before_there_was_a_budget_count(study):
    study.collect(questions(5), Scripted(echo))
    provider = Scripted(echo)
    with pytest.raises(BudgetExceeded, match="6 calls and 6 were made"):
        study.collect(questions(9), provider, budget=Budget(study.ledger.parents[1], calls=6))
    assert len(provider.seen) == 1


def test_failed_calls_count_as_calls(study):
    provider = Scripted(lambda call, n: ProviderError("500", transient=True), concurrency=1)
    with pytest.raises(BudgetExceeded):
        study.collect(questions(1), provider, budget=Budget(study.ledger.parents[1], calls=3))
    assert len(provider.seen) == 3


def test_the_budget_in_money_is_never_exceeded(study, prices):
    """A reply reads 1,000 and writes 16 tokens: 0.002 + 0.000128 = 0.002128 dollars. Before it is
    sent, a call may cost (16 + 1250) * 2 + 16 * 8 = 2660 millionths: 2,500 bytes count as 1,250
    tokens, and 16 for the message's frame. With 0.01 dollars four calls go out (0.008512 spent);
    a fifth might have come to 0.011172."""
    raw = Raw("x", prompt_tokens=1000, completion_tokens=16)
    prompts = [Prompt(f"p{i}", (ask(f"{i:04}" + "x" * 2496),)) for i in range(9)]
    provider = Scripted(lambda call, n: raw, concurrency=1)
    budget = Budget(study.ledger.parents[1], money=0.01, prices=prices)
    with pytest.raises(BudgetExceeded, match=r"\$0.0085 are spent .* may cost \$0.0027"):
        study.collect(prompts, provider, budget=budget)
    assert len(provider.seen) == 4
    assert budget.spent() == (4, pytest.approx(4 * 0.002128))


def test_two_processes_share_one_budget(study):
    """Two that look at the same moment: of 100 calls wanted, 60 are let through."""
    folder = study.ledger.parents[1]
    one, two = Budget(folder, calls=60), Budget(folder, calls=60)
    through = []

    def spend(budget):
        for i in range(50):
            with suppress(BudgetExceeded):
                through.extend(budget.reserve([Call(MODEL, (), sample=i)]))

    threads = [threading.Thread(target=spend, args=(budget,)) for budget in (one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(through) == 60
    assert one.spent() == (60, 0.0)


def test_money_can_not_be_limited_without_a_price(study, prices):
    model = Model("x", "openai", "gpt-9")
    budget = Budget(study.ledger.parents[1], money=1.0, prices=prices)
    with pytest.raises(ValueError, match="no price for openai/gpt-9"):
        study.collect(questions(1), Scripted(echo), model=model, budget=budget)


def test_a_call_that_died_under_way_stays_entered_at_its_most(study, prices):
    budget = Budget(study.ledger.parents[1], money=1.0, prices=prices)

    def script(call, n):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.collect(questions(1), Scripted(script), budget=budget)
    calls, cost = budget.spent()
    assert calls == 1
    assert cost > 0


def test_no_budget_in_the_config_is_no_budget(tmp_path):
    assert Budget.from_config(tmp_path, {}) is None
    assert Budget.from_config(tmp_path, {"calls": None}) is None
    assert Budget.from_config(tmp_path, {"calls": 3}).calls == 3


# Keys


def test_keys_appear_nowhere(study, monkeypatch, caplog, capfd):
    """Keys stand in the environment; the server repeats them in errors, replies and headers."""
    canaries = {
        "OPENAI_API_KEY": "sk-canary-0123456789abcdef",
        "MY_SERVICE_TOKEN": "canary-of-another-make",
        "GEMINI_API_KEY": "AIzaCanary0123456789abcdef",
    }
    for name, value in canaries.items():
        monkeypatch.setenv(name, value)
    everything = " ".join(canaries.values())

    def script(call, n):
        if n == 0:
            return ProviderError(f"503 with {everything}", transient=True)
        if last(call) == "question 2":
            return ProviderError(f"401 with {everything}", transient=False)
        return Raw(
            f"text {everything}",
            thinking=everything,
            served_model=everything,
            parameters={"headers": {"Authorization": f"Bearer {everything}"}},
        )

    with caplog.at_level(logging.DEBUG), pytest.raises(CollectionStopped) as caught:
        study.collect(questions(3), Scripted(script, concurrency=1))
    study.collect(questions(2), asking=False)
    files = [path for path in study.folder.rglob("*") if path.is_file()]
    assert len(files) >= 3
    written = b"".join(path.read_bytes() for path in files).decode("latin-1")
    captured = capfd.readouterr()
    for value in canaries.values():
        for where in (written, captured.out, captured.err, caplog.text, str(caught.value)):
            assert value not in where
        error = caught.value
        while error is not None:  # nor in what a traceback would show
            assert value not in str(error)
            error = None if error.__suppress_context__ else error.__context__
    assert "[key]" in written


def test_a_key_in_an_unforeseen_error_is_struck_out_with_its_trace(study, monkeypatch):
    key = "-".join(["canary", "in", "a", "bug"])
    monkeypatch.setenv("SOME_API_KEY", key)
    provider = Scripted(lambda call, n: ValueError(f"header {key}"))
    with pytest.raises(CollectionStopped, match=r"ValueError: header \[key\]") as caught:
        study.collect(questions(1), provider)
    assert key not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "entry",
    [
        {"base_url": "https://me:secret@example.org/v1"},
        {"base_url": "https://example.org/v1?api_key=123"},
        {"parameters": {"extra_headers": {"Authorization": "Bearer abc"}}},
        {"parameters": {"api_key": "abc"}},
        {"headers": {"x-api-key": "abc"}},
        {"command": ["agent", "--with", "sk-abcdefghijklmnopqrstuv"]},
    ],
)
def test_a_key_in_the_config_is_refused(study, entry):
    model = Model.from_config("m", {"provider": "openai", "model": "gpt", **entry})
    with pytest.raises(ValueError, match="environment variable"):
        study.collect(questions(1), Scripted(echo), model=model)


# Several processes, kills


def start(study: Study, port: int, out: str = "replies.jsonl") -> subprocess.Popen:
    arguments = [
        MODEL.model,
        study.folder / "prompts.jsonl",
        study.ledger,
        study.folder / out,
        port,
    ]
    return subprocess.Popen(
        [sys.executable, WORKER, *map(str, arguments)],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": PATHS},
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(study: Study) -> set[str]:
    if not study.ledger.exists():
        return set()
    try:
        with Ledger(study.ledger, create=False) as ledger:
            return {each.reply.key for each in ledger.exchanges() if each.served}
    except LedgerError:
        return set()


def test_killed_twenty_times_it_ends_with_every_answer_and_asks_no_finished_call_again(study):
    """Each kill comes when so many calls, drawn at random, have reached the server, and a random
    moment later."""
    write_prompts(study.folder / "prompts.jsonl", questions(200))
    draw = random.Random(20250914)
    moments = sorted(draw.randrange(180) for _ in range(20))
    with Server(0.02) as server:
        for moment in moments:
            before, counted = finished(study), server.counts()
            worker = start(study, server.port)
            time.sleep(draw.uniform(0, 0.1))
            while len(server.counts()) < moment:
                assert worker.poll() is None, worker.stderr.read()
                time.sleep(0.002)
            time.sleep(draw.uniform(0, 0.04))
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            asked = server.counts()
            assert all(asked[key] == counted[key] for key in before)
            assert len(asked.keys() - finished(study)) <= 8  # those under way, none that waited
            with Ledger(study.ledger) as ledger:
                assert ledger.check() == []
        before, counted = finished(study), server.counts()
        worker = start(study, server.port)
        assert worker.wait(timeout=30) == 0, worker.stderr.read()
        asked = server.counts()
    assert all(asked[key] == counted[key] for key in before)
    assert len(read_replies(study.out)) == 200
    assert len(finished(study)) == len(asked) == 200
    assert sum(asked.values()) <= 200 + 8 * 20  # only what was under way was asked again
    assert all(each.served for each in study.attempts())


def test_two_processes_on_one_ledger_never_ask_the_same(study):
    write_prompts(study.folder / "prompts.jsonl", questions(150))
    with Server(0.01) as server:
        workers = [start(study, server.port, f"{name}.jsonl") for name in ("one", "two")]
        for worker in workers:
            assert worker.wait(timeout=60) == 0, worker.stderr.read()
        counts = server.counts()
    assert len(counts) == 150
    assert set(counts.values()) == {1}
    one, two = (study.folder / f"{name}.jsonl" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert len(list(iterate_replies(one))) == 150
    assert len(study.attempts()) == 150


def test_a_live_process_takes_over_from_a_killed_one(study):
    write_prompts(study.folder / "prompts.jsonl", questions(60))
    with Server(0.05) as server:
        one, two = start(study, server.port, "one.jsonl"), start(study, server.port, "two.jsonl")
        while len(finished(study)) < 16:
            time.sleep(0.02)
        one.kill()
        one.wait()
        assert two.wait(timeout=60) == 0, two.stderr.read()
        counts = server.counts()
    assert len(list(iterate_replies(study.folder / "two.jsonl"))) == 60
    assert sum(counts.values()) <= 60 + 8


def test_an_interrupt_lets_calls_under_way_end_and_be_kept(study):
    write_prompts(study.folder / "prompts.jsonl", questions(100))
    with Server(0.2) as server:
        worker = start(study, server.port)
        while len(server.counts()) < 8:
            time.sleep(0.02)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=20) != 0
        assert "stopped by SIGTERM" in worker.stderr.read()
        assert len(finished(study)) == len(server.counts()) < 100


# A full disk


def test_a_disk_that_fills_up_costs_no_answer(study):
    """The file system holds 12 MB; each reply is 200 kB. What was paid for is kept."""
    small = study.folder / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(small)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("needs leave to mount a small file system")
    try:
        ledger = small / "ledger" / "stage" / "gpt.sqlite"
        prompts = study.folder / "prompts.jsonl"
        write_prompts(prompts, questions(100))
        provider = Scripted(lambda call, n: "x" * 200_000, concurrency=8, seconds=0.01)
        with pytest.raises(LedgerError, match="can't be written"):
            collect(prompts, MODEL, ledger, out=study.out, provider=provider)
        with Ledger(ledger) as book:
            assert book.check() == []
            kept = [each for each in book.exchanges() if each.served]
        assert 8 < len(kept) < 100
        assert len(kept) == len(provider.seen)
    finally:
        subprocess.run(["umount", str(small)], check=True)


# Under which record


def test_each_call_is_kept_with_the_record_it_was_made_under(study):
    """The key stays the same, so what was asked under one record is not asked again under another;
    the export carries it, so that a rebuilt ledger knows it too."""
    one, two = "1" * 64, "2" * 64
    study.collect(questions(1), Scripted(echo))  # none is sealed yet
    study.collect(questions(2), Scripted(echo), record=one)
    tally = study.collect(questions(3), Scripted(echo), record=two)
    assert (tally.held, tally.asked) == (2, 1)
    lines = list(iterate_replies(study.out))
    records = [line["exchanges"][0]["reply"].get("record") for line in lines]
    assert records == [None, one, two]
    with Ledger(study.folder / "rebuilt.sqlite") as ledger:
        assert rebuild([study.out], ledger) == 3
        kept = {each.reply.key: each.reply.record for each in ledger.exchanges()}
    assert sorted(kept.values()) == ["", one, two]


def test_a_failed_attempt_is_kept_with_its_record_too(study):
    provider = Scripted(lambda call, n: ProviderError("busy", transient=True) if n == 0 else "x")
    study.collect(questions(1), provider, record="d" * 64)
    assert [each.reply.record for each in study.attempts()] == ["d" * 64] * 2


# What a server refuses, and how long it makes one wait


def test_a_prompt_that_is_refused_for_good_is_set_aside_and_the_others_go_on(study):
    refused = ProviderError("HTTP 400: too long", transient=False, of_prompt=True)
    provider = Scripted(lambda call, n: refused if last(call) == "question 2" else "yes")
    with pytest.raises(MissingReplies, match=r"6 of 7 .*'p002'"):
        study.collect(questions(7), provider)
    assert len(provider.seen) == 7  # it was asked once, and no more
    assert [each.reply.error for each in study.attempts() if each.reply.state == "failed"] == [
        "HTTP 400: too long"
    ]


def test_a_server_that_refuses_every_prompt_is_not_asked_them_all(study):
    """A parameter that it doesn't know is told as a bad request, too."""
    refused = ProviderError("HTTP 400: no such parameter", transient=False, of_prompt=True)
    provider = Scripted(lambda call, n: refused, concurrency=1)
    with pytest.raises(CollectionStopped, match=r"5 calls in a row .*no such parameter"):
        study.collect(questions(40), provider)
    assert len(provider.seen) == 5


@pytest.mark.parametrize("named", [999_999_999.0, 1e9, 301.0])
def test_no_wait_is_endless_and_a_long_one_is_told_on_the_terminal(
    named, study, monkeypatch, capfd
):
    from veridical.ledger import requesting

    monkeypatch.setattr(requesting, "LONGEST_WAIT", 0.3)
    monkeypatch.setattr(requesting, "ALOUD", 0.2)
    busy = ProviderError("HTTP 429: slow\x1b[2J", transient=True, retry_after=named)
    provider = Scripted(lambda call, n: "yes" if n else busy, concurrency=1)
    log = study.folder / "log"
    with log.open("w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)  # as a script of the workflow has it
        begun = time.monotonic()
        study.collect(questions(1), provider, backoff=1.0)
        assert 0.3 <= time.monotonic() - begun < 3
    told = capfd.readouterr().err
    assert f"the server said {named:.0f} s; no wait is longer than 0.3 s" in told
    assert "\x1b" not in told + log.read_text()


def test_an_attempt_at_which_a_provider_stumbles_is_kept(study):
    provider = Scripted(lambda call, n: ZeroDivisionError("bug"), concurrency=1)
    with pytest.raises(ZeroDivisionError):
        study.collect(questions(3), provider)
    assert [each.reply.error for each in study.attempts()] == ["ZeroDivisionError: bug"]


# No reply ends a collection for good


def decided(**kinds) -> Decisions:
    return Decisions.from_config(kinds)


def test_what_is_left_out_is_neither_asked_for_nor_missing(study):
    refused = ProviderError("HTTP 400: too long", transient=False, of_prompt=True)
    provider = Scripted(lambda call, n: refused if last(call) == "question 1" else "yes")
    address = "control3/gpt/prompts/p001"
    with pytest.raises(MissingReplies, match=rf"HTTP 400: too long.*leave_out: {{ '{address}'"):
        study.collect(questions(3), provider, collection="control3")
    asked = len(provider.seen)
    decisions = decided(leave_out={address: "the server says that it is too long"})
    tally = study.collect(questions(3), provider, collection="control3", decisions=decisions)
    assert (tally.conversations, len(provider.seen)) == (3, asked)
    lines = list(iterate_replies(study.out))
    assert [line["state"] for line in lines] == ["ok", "failed", "ok"]
    assert lines[1]["left_out"] == "the server says that it is too long"
    assert (lines[1]["attempt"], lines[1]["value"], lines[1]["exchanges"]) == (0, None, [])
    assert list(read_replies(study.out)["id"]) == ["p000", "p001", "p002"]


def test_a_reply_that_is_left_out_stays_on_the_record(study):
    study.collect(questions(2), Scripted(lambda call, n: ""), collection="aas")
    before = [each.request for each in study.attempts()]
    decisions = decided(leave_out={"aas/gpt/prompts/p000": "it says nothing"})
    study.collect(questions(2), collection="aas", decisions=decisions)
    first, second = iterate_replies(study.out)
    assert (first["state"], first["exchanges"][0]["reply"]["state"]) == ("failed", "empty")
    assert (second["state"], second["attempt"]) == ("empty", 1)
    (study.folder / "again").mkdir()
    other = Study(study.folder / "again")
    exports = [study.out]
    other.collect(
        questions(2), collection="aas", decisions=decisions, asking=False, exports=exports
    )
    assert other.out.read_bytes() == study.out.read_bytes()
    assert [each.request for each in other.attempts()] == before


def test_one_sample_of_several_is_left_out(study):
    prompts = [Prompt("p", (ask("q"),), samples=4)]
    decisions = decided(leave_out={"vpe/gpt/prompts/p#2": "filtered"})
    for block in (1, 4):
        provider = Scripted(lambda call, n: f"s{call.sample}", concurrency=1, block=block)
        study.collect(prompts, provider, collection="vpe", decisions=decisions)
        assert list(read_replies(study.out)["text"]) == ["s0", "s1", "", "s3"]
        study.ledger.unlink()


def test_a_reply_is_asked_for_again_on_the_record_whatever_it_says(study):
    """One reason, one further attempt: the last counts, and all are kept."""
    provider = Scripted(lambda call, n: f"said at sample {call.sample}", concurrency=1)
    study.collect(questions(2), provider, collection="responses")
    for reasons in ("a NUL in it", ["a NUL in it", "and again"]):
        decisions = decided(ask_again={"responses/gpt/prompts/p001": reasons})
        study.collect(questions(2), provider, collection="responses", decisions=decisions)
    lines = list(iterate_replies(study.out))
    assert [line["text"] for line in lines] == ["said at sample 0", "said at sample 2000000"]
    assert [line["attempt"] for line in lines] == [1, 3]
    assert len(lines[1]["exchanges"]) == 3
    assert len(provider.seen) == 4  # nothing was asked twice


def test_how_often_is_asked_may_be_said_by_collection(study):
    provider = Scripted(lambda call, n: "" if call.sample < 2_000_000 else "yes", concurrency=1)
    decisions = decided(attempts={"responses": 3, "control2": 1})
    study.collect(questions(1), provider, collection="responses", decisions=decisions)
    assert next(iterate_replies(study.out))["attempt"] == 3
    study.collect(questions(1), Scripted(lambda c, n: ""), collection="x", decisions=decisions)


def test_a_decision_about_no_reply_is_refused_before_anything_is_asked(study):
    provider = Scripted(echo)
    decisions = decided(leave_out={"x/gpt/prompts/p9": "why"})
    with pytest.raises(ValueError, match="there is no reply x/gpt/prompts/p9"):
        study.collect(questions(2), provider, collection="x", decisions=decisions)
    assert provider.seen == []
