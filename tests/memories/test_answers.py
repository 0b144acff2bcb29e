"""Systems that answer themselves: asked Control 3's question, read by the name that they say."""

from __future__ import annotations

import pandas as pd
import pytest
from support.memory_study import SWAPPED, corpus, plan, sound
from veridical.memories.cells import cells
from veridical.memories.keeping import Outcome
from veridical.memories.plan import Plan
from veridical.memories.protocol import Wrapped
from veridical.memories.readers import ITSELF, own_rows
from veridical.memories.visit import Visit

N = 8


class Agent(Wrapped):
    """Answers from what its store finds, in a sentence."""

    def describe(self):
        from dataclasses import replace

        found = self.inner.describe()
        return replace(found, reads=("query", "answer"), optional=(*found.optional, "answer"))

    def answer(self, bank, messages):
        found = self.inner.recall(bank, messages[-1]["content"], 1).items
        if not found or " — met " not in found[0].text:
            return "I don't know."
        return f"That was with {found[0].text.split(' — ')[1].removeprefix('met ')}, I think."


class Dying(Agent):
    """Dies at the first question that it is to answer."""

    ended = False

    def answer(self, bank, messages):
        from veridical.memories.protocol import MemoryFault

        raise MemoryFault("it says: no answer today", verb="answer", bank=bank)


def answers(observed: dict[str, Outcome]) -> pd.DataFrame:
    return pd.DataFrame(own_rows(plan(N), observed))


@pytest.fixture(scope="module")
def observed():
    inner = sound()
    return Visit(plan(N), lambda: Agent(inner), settle=5).run()


def test_every_probe_is_asked_of_every_bank_with_its_options(observed):
    asked = [id for id in observed if id.startswith("answer/")]
    assert len(asked) == N * 4
    (first, *_) = plan(N).probes
    a, b = first.options
    assert first.direct.startswith(first.text)
    assert f"{a} or {b}?" in first.direct
    assert corpus().settings["abstention"] in first.direct


def test_an_agent_that_remembers_follows_its_store(observed):
    found = answers(observed).set_index("document")
    assert found.loc["veridical", "correct"].all()
    assert not found.loc[SWAPPED, "correct"].any()
    assert (found.loc[SWAPPED, "answer"] == found.loc[SWAPPED, "document_partner"]).all()
    assert set(found.loc["none", "state"]) == {"abstained"}
    table = cells(
        answers(observed).assign(reader=ITSELF, system="s", corpus="A"),
        {}, {"A": [SWAPPED]}, ["s"], {"A": 2},
    )  # fmt: skip
    assert table.loc[0, ["b", "c", "true_right"]].to_list() == [N, 0, N]


def test_a_system_without_the_verb_is_asked_nothing():
    observed = Visit(plan(4), sound, settle=5).run()
    assert not [id for id in observed if id.startswith("answer/")]
    assert [*own_rows(plan(4), observed)] == []


def test_one_that_cannot_answer_has_failed_and_is_not_wrong():
    inner = sound()
    observed = Visit(plan(N), lambda: Dying(inner), settle=5).run()
    found = answers(observed)
    assert set(found["state"]) == {"failed"}
    assert found["correct"].isna().all()
    assert observed["recall/veridical/A-p01"].ok


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("{a}", "ok", "{a}"),
        ("With {a}; I am sure of it.", "ok", "{a}"),
        ("{a}... or was it {b}?", "abstained", None),
        ("Not with anybody that I recall.", "abstained", None),
        ("", "abstained", None),
        ("{a}ish", "abstained", None),
    ],
)
def test_an_answer_is_the_one_partner_that_it_names(text, state, answer):
    a, b = plan(N).partners
    (first, *_) = plan(N).probes
    said = text.format(a=a, b=b)
    observed = {f"answer/veridical/{first.id}": Outcome("x", {"text": said})}
    row = next(iter(own_rows(plan(N), observed)))
    assert (row["state"], row["answer"]) == (state, answer and answer.format(a=a))


def test_the_question_travels_with_the_plan():
    assert Plan.from_json(plan(N).to_json()) == plan(N)
