"""What the models inside memory systems are asked for a benchmark: counted before anything is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.memory_study import sound
from veridical.base.config import check_config
from veridical.benchmarks.arms import Arms
from veridical.benchmarks.asks import asks, put_through
from veridical.benchmarks.banks import bank_plans
from veridical.benchmarks.reading import read_benchmark
from veridical.corpora.corpus import read_corpus
from veridical.ledger.costs import by_part, estimates, together
from veridical.ledger.ledger import Ledger
from veridical.memories.asks import HYGIENE_EVENTS, HYGIENE_QUERIES
from veridical.memories.keeping import Keeper
from veridical.memories.protocol import Usage, Wrapped
from veridical.memories.systems import System
from veridical.memories.visit import Visit
from veridical.models.asks import Ask
from veridical.models.exchange import Model

ROOT = Path(__file__).parents[2]
QUAY = "data/benchmarks/quay.jsonl"
BENCHMARK = read_benchmark((ROOT / QUAY).as_posix())
ARMS = Arms(BENCHMARK)
SERVED = {"base_url": "https://models.example/v1", "model": "paid", "max_tokens": 100}
FILES = {"adapter": "files", "settings": {"model": SERVED, "write": "model", "steps": 2}}
WRITES = READS = 2  # calls that `files` with two steps makes at most for an event, for a query
EVERY = ("none", "counterfeit", "corrupted", "oracle", "full")
EVENTS, QUERIES = 24, 14  # of hygiene


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def study(**more) -> dict:
    models = {"small": {"provider": "scripted", "model": "small"}}
    given = {"file": QUAY, "models": ["small"], "systems": ["folder"], "arms": [*EVERY], **more}
    systems = {"folder": FILES, "words": {"adapter": "fts5"}}
    return check_config(
        {
            "study": "s",
            "seed": 1,
            "models": models,
            "control3": {"corpora": ["A"], "responders": ["small"], "probes": 24},
            "memories": {"systems": systems},
            "benchmarks": given,
        }
    )


def within(config: dict) -> list[Ask]:
    return [ask for ask in asks(config, {}) if ask.within is not None]


class TwiceAsked(Wrapped):
    """A store whose model is asked twice an event and twice a query, and says so."""

    spent = Usage()

    def describe(self):
        return replace(self.inner.describe(), models=("paid",))

    def ingest(self, bank, events):
        self.spent += Usage(WRITES * len(events), 10, 1)
        return self.inner.ingest(bank, events)

    def recall(self, bank, query, k, at=None):
        self.spent += Usage(READS, 10, 1)
        return self.inner.recall(bank, query, k, at)

    def usage(self):
        told, self.spent = self.spent, Usage()
        return told


# ---------------------------------------------------------------- counted


def test_a_history_is_ingested_once_an_arm_and_asked_once_an_item():
    """Four lives of four turns and eight items each; half the items name one turn as evidence."""
    assert put_through(ARMS, ["full"], BENCHMARK.items, 3) == (16, 32)
    assert put_through(ARMS, ["none"], BENCHMARK.items, 3) == (0, 0)
    assert put_through(ARMS, ["oracle"], BENCHMARK.items, 3) == (16, 16)


def test_what_two_arms_give_alike_is_counted_once():
    twice = put_through(ARMS, ["full", "full"], BENCHMARK.items, 3)
    assert twice == put_through(ARMS, ["full"], BENCHMARK.items, 3)


def test_arms_that_differ_are_counted_each():
    full, other = (put_through(ARMS, [arm], BENCHMARK.items, 3) for arm in ("full", "corrupted"))
    both = put_through(ARMS, ["full", "corrupted"], BENCHMARK.items, 3)
    assert both == (full[0] + other[0], full[1] + other[1])


def test_only_the_items_drawn_go_in():
    events, queries = put_through(ARMS, ["full"], BENCHMARK.items[:1], 3)
    assert (events, queries) == (4, 1)


def test_a_system_with_a_model_is_counted_and_one_without_is_not():
    (found,) = within(study(systems=["folder", "words"]))
    events, queries = put_through(ARMS, EVERY, BENCHMARK.items, 3)
    assert found.calls == WRITES * events + READS * queries
    assert (found.collection, found.ledger) == ("memories", "folder")
    assert found.within == System.from_config("folder", FILES).identity()
    assert within(study(systems=["words"])) == within(study(systems=[])) == []


def test_what_is_counted_is_what_a_visit_asks(tmp_path):
    """Beside a real visit of every arm through a ledger: no call more, no call less."""
    config = study()
    (found,) = within(config)
    identity = dict(found.within)
    k = config["memories"]["k"]
    with Ledger(tmp_path / "folder.sqlite") as ledger:
        for arm in EVERY[1:]:
            for plan in bank_plans(ARMS, arm, BENCHMARK.items, k):
                keeper = Keeper("folder", identity, ledger)
                Visit(plan, lambda: TwiceAsked(sound()), keeper, settle=5, pause=0).run()
        made = ledger.calls_within(identity)
    assert made == found.calls + WRITES * EVENTS + READS * QUERIES
    assert (EVENTS, QUERIES) == (HYGIENE_EVENTS, HYGIENE_QUERIES)


# ---------------------------------------------------------------- beside the part `memories`


def counted(config: dict, folder: Path) -> dict[str, int]:
    corpora = {"A": read_corpus(ROOT / "data/corpora/A")}
    places = (folder, folder, ROOT / "data/prices.csv")
    return {
        f"{part}/{each.model}": each.calls for part, each in estimates(config, corpora, *places)
    }


def test_the_estimate_has_one_line_a_system_whatever_goes_through_it(tmp_path):
    alone, both = (counted(study(systems=s), tmp_path) for s in ([], ["folder"]))
    line = "memories/folder: paid"
    (more,) = within(study())
    assert both[line] == alone[line] + more.calls
    assert [name for name in both if "paid" in name] == [line]


def test_what_the_ledger_holds_is_taken_off_once(tmp_path):
    """Were there two lines, each would take off the same exchanges."""
    config = study()
    (found,) = within(config)
    path = tmp_path / "memories/folder.sqlite"
    path.parent.mkdir()
    (plan, *_) = bank_plans(ARMS, "full", BENCHMARK.items, config["memories"]["k"])
    with Ledger(path) as ledger:
        keeper = Keeper("folder", dict(found.within), ledger)
        Visit(plan, lambda: TwiceAsked(sound()), keeper, settle=5, pause=0).run()
        made = ledger.calls_within(found.within)
    corpora = {"A": read_corpus(ROOT / "data/corpora/A")}
    lines = [
        each
        for _, each in estimates(config, corpora, tmp_path, tmp_path, ROOT / "data/prices.csv")
        if "paid" in each.model
    ]
    assert [each.held for each in lines] == [made]
    assert made == WRITES * (EVENTS + 4) + READS * (QUERIES + 8)


def test_the_claims_and_the_report_see_the_calls_of_the_part(tmp_path):
    corpora = {"A": read_corpus(ROOT / "data/corpora/A")}
    places = (tmp_path, tmp_path, ROOT / "data/prices.csv")
    sums = by_part(study(), corpora, *places)
    less = by_part(study(systems=[]), corpora, *places)
    (found,) = within(study())
    assert sums["memories"]["calls"] == less["memories"]["calls"] + found.calls


@pytest.mark.parametrize("same", [True, False])
def test_asks_are_put_together_within_one_system_alone(same):
    model = Model("m", "openai", "gpt")
    first = Ask("memories", model, "", 3, 10, within={"a": 1}, ledger="one")
    second = Ask("memories", model, "", 4, 10, within={"a": 1}, ledger="one" if same else "two")
    plain = Ask("memories", model, "p/*.jsonl", 5, 10)
    found = together([("memories", first), ("benchmarks", plain), ("benchmarks", second)])
    calls = [(part, ask.calls) for part, ask in found]
    if same:
        assert calls == [("memories", 7), ("benchmarks", 5)]
    else:
        assert calls == [("memories", 3), ("benchmarks", 5), ("benchmarks", 4)]
    assert [calls for _, calls in [(p, a.calls) for p, a in together([("x", plain)] * 2)]] == [5, 5]
