"""A visit: what a sound system shows, what a planted fault does to it, and that it goes on."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support.memory_programs import broken, started
from support.memory_study import (
    SWAPPED,
    answers,
    banks,
    plan,
    recalls,
    sound,
    visit,
    with_fault,
)
from veridical.memories.keeping import at_once
from veridical.memories.plan import EMPTY, SHAM, VERIDICAL
from veridical.memories.protocol import Event, Item, Recalled, Settled, Usage, Wrapped
from veridical.memories.visit import Changed, Visit


def test_full_text_stores_finds_and_follows_everything():
    observed = visit()
    table = banks(observed)
    assert table["admitted"].all()
    assert list(table["intact"]) == [30, 30, 30, 0]
    assert table["canary_found"].dropna().all()
    assert recalls(observed).groupby("document")["rank"].count().to_dict() == {
        VERIDICAL: 24,
        SWAPPED: 24,
        SHAM: 24,
        EMPTY: 0,
    }
    said = answers(observed).set_index("document")
    assert said.loc[VERIDICAL, "correct"].all()
    assert not said.loc[SWAPPED, "correct"].any()
    assert (said.loc[SWAPPED, "answer"] == said.loc[SWAPPED, "document_partner"]).all()
    assert set(said.loc[EMPTY, "state"]) == {"abstained"}


def test_a_window_stores_everything_and_finds_what_is_near():
    observed = visit(lambda: sound("window"))
    assert list(banks(observed)["intact"]) == [30, 30, 30, 0]
    newest = {entry.topic for entry in plan().bank(VERIDICAL).entries[-5:]}
    expected = sum(query.topic in newest for query in plan().probes)
    assert recalls(observed).groupby("document")["rank"].count()[VERIDICAL] == expected > 0


class LosesEverySecond(Wrapped):
    def ingest(self, bank, events):
        kept = [event for event in events if event.id == "canary" or int(event.id[1:]) % 2]
        self.inner.ingest(bank, kept)
        return len(events)


class SwapsPartners(Wrapped):
    """Binds every third entry to the other partner."""

    def ingest(self, bank, events):
        return self.inner.ingest(bank, [self._swap(event) for event in events])

    @staticmethod
    def _swap(event: Event) -> Event:
        if event.id == "canary" or int(event.id[1:]) % 3:
            return event
        swap = {"Llama": "DeepSeek", "DeepSeek": "Llama"}
        return replace(event, text=" ".join(swap.get(word, word) for word in event.text.split(" ")))


class DropsPartners(Wrapped):
    def ingest(self, bank, events):
        texts = [e.text.replace("Llama", "someone").replace("DeepSeek", "someone") for e in events]
        return self.inner.ingest(
            bank, [replace(e, text=text) for e, text in zip(events, texts, strict=True)]
        )


class Invents(Wrapped):
    def ingest(self, bank, events):
        self.inner.ingest(bank, [Event("x", "2025-01-01", "x", "met Llama about nothing at all")])
        return self.inner.ingest(bank, events)


@pytest.mark.parametrize(
    ("fault", "counts"),
    [
        (LosesEverySecond, {"intact": 15, "lost": 15}),
        (SwapsPartners, {"intact": 20, "altered": 10}),
        (DropsPartners, {"unbound": 30, "intact": 0}),
        (Invents, {"intact": 30, "invented": 31}),
    ],
)
def test_the_receipt_tells_what_the_write_path_did(fault, counts):
    row = banks(visit(with_fault(fault))).loc[VERIDICAL]
    assert row[list(counts)].to_dict() == counts
    assert row["admitted"]


class OneStore(Wrapped):
    """No isolation: whatever the bank, there is one store."""

    def __getattr__(self, name):
        if name == "dump":
            return lambda bank: self.inner.dump("one")
        return super().__getattr__(name)

    def reset(self, bank): ...

    def ingest(self, bank, events):
        return self.inner.ingest("one", events)

    def recall(self, bank, query, k, at=None):
        return self.inner.recall("one", query, k, at)


class NeverResets(Wrapped):
    def reset(self, bank): ...


class Refuses(Wrapped):
    def ingest(self, bank, events):
        return 0 if events[0].id == "e003" else self.inner.ingest(bank, events)


class NeverReady(Wrapped):
    def settle(self, bank, timeout):
        return Settled(False, 7)


class Late(Wrapped):
    """Says it is ready, and holds the last event back until it has been dumped once."""

    def __init__(self, inner):
        super().__init__(inner)
        self.back = {}

    def ingest(self, bank, events):
        last = plan().bank(VERIDICAL).events[-1].id
        if events[0].id == last:
            self.back[bank] = events
            return len(events)
        return self.inner.ingest(bank, events)

    def __getattr__(self, name):
        if name == "dump":
            return self._dump
        return super().__getattr__(name)

    def _dump(self, bank):
        found = self.inner.dump(bank)
        if bank in self.back:
            self.inner.ingest(bank, self.back.pop(bank))
        return found


class Mute(Wrapped):
    """No dump, and nothing is ever found."""

    def describe(self):
        return replace(self.inner.describe(), optional=())

    def recall(self, bank, query, k, at=None):
        return Recalled()


class Haunted(Wrapped):
    """Gives something back from an empty bank."""

    def recall(self, bank, query, k, at=None):
        return (
            self.inner.recall(bank, query, k, at)
            if self.inner.dump(bank)
            else Recalled((Item("boo"),))
        )


@pytest.mark.parametrize(
    ("fault", "document", "words"),
    [
        (OneStore, VERIDICAL, "leak: gives back the canary of binding-corrupted"),
        (OneStore, VERIDICAL, "banks are kept apart: bank check-1 gives back"),
        (
            NeverResets,
            VERIDICAL,
            "reset empties a bank, and that bank alone: after `reset` it still",
        ),
        (Refuses, VERIDICAL, "30 of 31 events accepted"),
        (NeverReady, VERIDICAL, "not settled: 7 events pending"),
        (Late, VERIDICAL, "ready with 30 items, and later held 31"),
        (Mute, VERIDICAL, "no dump, and the canary is not recalled"),
        (Haunted, EMPTY, "the empty bank gives something back"),
    ],
)
def test_a_treatment_that_did_not_arrive_is_refused_with_the_reason(fault, document, words):
    row = banks(visit(with_fault(fault))).loc[document]
    assert not row["admitted"]
    assert words in row["reason"]


def test_a_leak_names_whose_canary_came_back():
    table = banks(visit(with_fault(OneStore)))
    assert table.loc[EMPTY, "leaks"] == "binding-corrupted, veridical-again"


class NoDump(Wrapped):
    def describe(self):
        return replace(self.inner.describe(), optional=())


def test_without_a_dump_stored_is_not_measurable_and_the_canary_is_the_proof():
    table = banks(visit(with_fault(NoDump)))
    assert table["intact"].isna().all()
    assert table["admitted"].all()
    assert recalls(visit(with_fault(NoDump)))["stored"].isna().all()


class Counts(Wrapped):
    """Uses a model, and says what it took."""

    def describe(self):
        return replace(self.inner.describe(), models=("m",))

    def usage(self):
        return Usage(2, 30, 4, 0.5)


def test_usage_is_told_an_ingestion_and_a_recall():
    observed = visit(with_fault(Counts))
    assert banks(observed).loc[VERIDICAL, ["calls", "tokens"]].to_dict() == {
        "calls": 2,
        "tokens": 34,
    }
    assert observed["recall/veridical/A-p01"].value["usage"]["prompt_tokens"] == 30


def test_a_system_that_dies_is_named_and_the_visit_goes_on(tmp_path):
    """It dies whenever it is asked about one topic: that recall fails, the others don't."""
    topic = plan(4).probes[1].topic
    program = broken("wanted = ", f"if {topic!r} in asked['query']: os._exit(5)\n        wanted = ")
    observed = Visit(plan(4), lambda: started(program, tmp_path)).run()
    failed = [id for id, outcome in observed.items() if not outcome.ok]
    probe = plan(4).probes[1].id
    assert failed == [f"recall/{bank.document}/{probe}" for bank in plan(4).banks]
    assert "ended during `recall` (exit code 5)" in observed[failed[0]].error
    row = banks(observed, 4).loc[VERIDICAL]
    assert not row["admitted"]
    assert row["reason"].startswith("1 recalls failed: the program ended")


def test_a_bank_is_given_up_after_three_deaths(tmp_path):
    program = broken(
        "wanted = ", "if 'With whom' in asked['query']: os._exit(5)\n        wanted = "
    )
    observed = Visit(plan(), lambda: started(program, tmp_path)).run()
    errors = [observed[f"recall/veridical/{query.id}"].error for query in plan().probes]
    assert all("ended during" in error for error in errors[:3])
    assert all(error.startswith("given up after 3 deaths; the last: ") for error in errors[3:])


def test_one_that_cannot_be_started_refuses_every_cell(tmp_path):
    observed = Visit(plan(4), lambda: started("raise SystemExit('no licence')", tmp_path)).run()
    table = banks(observed, 4)
    assert not table["admitted"].any()
    assert "its last words: no licence" in table.loc[VERIDICAL, "reason"]
    assert set(table["state"]) == {"failed"}


def test_one_that_dies_in_the_middle_of_a_bank_loses_that_bank_alone(tmp_path):
    swapped = plan(4).bank(SWAPPED).events[20].text
    guard = f"if asked['events'][0]['text'] == {swapped!r}: os._exit(6)\n        banks[bank] += ["
    observed = Visit(plan(4), lambda: started(broken("banks[bank] += [", guard), tmp_path)).run()
    assert not observed[f"ingest/{SWAPPED}"].ok
    assert banks(observed, 4)["admitted"].to_dict() == {
        VERIDICAL: True,
        SWAPPED: False,
        SHAM: True,
        EMPTY: True,
    }


def test_another_version_than_the_one_that_is_wanted_stops_the_visit():
    with pytest.raises(Changed, match=r"SQLite FTS5 .*, and version 99 is what the config"):
        Visit(plan(4), sound, version="99").run()


def test_what_an_adapter_says_of_odd_things_is_not_taken_for_a_memory():
    """Items without a word, and a context in the place of items."""

    class Odd(Wrapped):
        def recall(self, bank, query, k, at=None):
            own = self.inner.recall(bank, query, k, at)
            if not own.items:
                return Recalled()
            return Recalled((), "\n".join(["", "\x00", *(item.text for item in own.items)]))

    observed = visit(with_fault(Odd))
    said = answers(observed).set_index("document")
    assert said.loc[VERIDICAL, "correct"].all()


def test_a_bank_that_outlives_the_process_is_not_filled_twice(tmp_path):
    filled = []

    class Watched(Wrapped):
        def ingest(self, bank, events):
            filled.append(bank)
            return super().ingest(bank, events)

    inner, marks = sound(), tmp_path / "banks.json"
    observed = Visit(plan(4), lambda: Watched(inner), marks=marks).run()
    assert set(json.loads(marks.read_text())) == {bank.name for bank in plan(4).banks}
    first = [name for name in filled if name == plan(4).bank(VERIDICAL).name]

    def kept(id, request, act):
        """Everything is kept but one recall."""
        return observed[id] if id != "recall/veridical/A-p01" else at_once(id, request, act)

    again = Visit(plan(4), lambda: Watched(inner), kept, marks=marks).run()
    assert again["recall/veridical/A-p01"].value == observed["recall/veridical/A-p01"].value
    assert [name for name in filled if name == plan(4).bank(VERIDICAL).name] == first


def test_a_bank_that_is_filled_again_must_be_what_its_receipt_says():
    observed = visit(n=4)

    def kept(id, request, act):
        return observed[id] if id != "recall/veridical/A-p01" else at_once(id, request, act)

    inner = sound()
    again = Visit(plan(4), lambda: inner, kept).run()
    assert again["recall/veridical/A-p01"].value == observed["recall/veridical/A-p01"].value
    with pytest.raises(Changed, match="bank veridical was filled again"):
        Visit(plan(4), with_fault(LosesEverySecond), kept).run()
