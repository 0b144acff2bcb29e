"""The models inside memory systems: counted before anything is asked, and held by the budget."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from support.memory_study import corpus, plan, sound
from support.scripts import load_script
from veridical.base.config import check_config
from veridical.control1.responses import needs_anchors
from veridical.ledger.budget import Budget, BudgetExceeded
from veridical.ledger.estimating import estimate
from veridical.ledger.ledger import Ledger
from veridical.ledger.pricing import Prices
from veridical.memories import asks as counted
from veridical.memories.keeping import Keeper
from veridical.memories.plan import EMPTY, VERIDICAL, with_part
from veridical.memories.protocol import Event, MemoryFault, Usage, Wrapped
from veridical.memories.spending import Counted, Inside, Metered, inside
from veridical.memories.systems import System
from veridical.memories.visit import Visit
from veridical.models.exchange import Model

ROOT = Path(__file__).parents[2]
HEAD = "provider,model,input,output,batch,dated,source,checked\n"
QWEN = "qwen2.5-coder-1.5b-instruct-q4_k_m"
SERVED = {"base_url": "https://models.example/v1", "model": "paid", "max_tokens": 100}
MEM0 = {"adapter": "mem0", "settings": {"infer": True, "model": SERVED}}
FILES = {"adapter": "files", "settings": {"model": SERVED, "write": "model", "steps": 2}}
DRIVEN = {
    "adapter": "mcp",
    "settings": {"driver": {"model": {"weights": QWEN}, "tools": ["search"], "steps": 4}},
}
PAID = Model("s", "openai-compatible", "paid", SERVED["base_url"], parameters={"max_tokens": 100})


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A million tokens read cost 2 dollars, written 8."""
    path = tmp_path / "prices.csv"
    path.write_text(f"{HEAD}openai-compatible,paid,2,8,0.5,2026-04,https://x,no\n")
    return path


class Asking(Wrapped):
    """A store that asks a model once an event and twice a query, and tells."""

    def __init__(self, inner):
        super().__init__(inner)
        self.made, self.since = 0, Usage()

    def _ask(self, calls: int) -> None:
        self.made += calls
        self.since = self.since + Usage(calls, 1000 * calls, 10 * calls)

    def ingest(self, bank, events):
        self._ask(len(events))
        return self.inner.ingest(bank, events)

    def recall(self, bank, query, k, at=None):
        self._ask(2)
        return self.inner.recall(bank, query, k, at)

    def describe(self):
        found = self.inner.describe()
        return type(found)(**vars(found) | {"models": ("paid",)})

    def usage(self):
        told, self.since = self.since, Usage()
        return told


WITHIN = Inside(PAID, 1, 3, 1000)


# --- who is asked, and how often ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "write", "read", "provider"),
    [
        (MEM0, 1, 0, "openai-compatible"),
        (FILES, 2, 2, "openai-compatible"),
        ({"adapter": "files", "settings": {"model": {"weights": "w"}}}, 0, 3, "embedded"),
        (DRIVEN, 0, 4, "embedded"),
    ],
)
def test_a_system_with_a_model_says_how_often_it_asks(entry, write, read, provider):
    found = inside("mine", entry["adapter"], entry["settings"])
    assert (found.write, found.read, found.model.provider) == (write, read, provider)
    assert found.model.name == "mine"
    assert found.tokens > 100


@pytest.mark.parametrize("adapter", ["fts5", "window", "embedding", "command", "amb"])
def test_a_system_without_a_model_asks_nothing(adapter):
    assert inside("mine", adapter, {}) is None
    assert inside("mine", "mem0", {"infer": False}) is None


def test_hygiene_puts_to_a_system_what_the_estimate_counts_for_it():
    asked = Asking(sound())
    asked.made = 0
    seen = {"events": 0, "queries": 0}

    class Seeing(Wrapped):
        def ingest(self, bank, events):
            seen["events"] += len(events)
            return self.inner.ingest(bank, events)

        def recall(self, bank, query, k, at=None):
            seen["queries"] += 1
            return self.inner.recall(bank, query, k, at)

    visit = Visit(plan(4), lambda: Seeing(sound()), settle=5, pause=0)
    visit.described = visit.memory.describe()
    visit._hygiene()
    assert seen == {"events": counted.HYGIENE_EVENTS, "queries": counted.HYGIENE_QUERIES}


def study(systems: dict, **over) -> dict:
    sections = {
        "documents": {"author": "small", "foreign_seeds": [1, 2], "shuffled_seeds": [1]},
        "control1": {"corpora": ["A"], "responders": ["small"], "judges": ["small"]},
        "control2": {"corpus": "A", "responders": ["small"]},
        "control3": {"corpora": ["A", "B"], "responders": ["small"], "probes": 24},
        "memories": {"systems": systems},
    }
    for name, keys in over.items():
        sections[name] = sections[name] | keys
    models = {"small": {"provider": "scripted", "model": "small"}}
    return check_config({"study": "s", "seed": 1, "models": models, **sections})


def asked(config: dict, **replaced) -> list:
    from veridical.corpora.corpus import read_corpus

    corpora = {name: read_corpus(ROOT / "data/corpora" / name) for name in ("A", "B")} | replaced
    return [ask for ask in counted.asks(config, corpora) if ask.within is not None]


def test_every_event_and_every_query_is_counted_on_every_corpus():
    """Two corpora: 3 filled banks of 31 events; 4 banks of 25 queries; hygiene once."""
    mem0, files = asked(study({"extracting": MEM0, "folder": FILES}))
    assert mem0.calls == 2 * 3 * 31 + 24
    assert files.calls == 2 * (2 * 3 * 31 + 24) + 2 * (2 * 4 * 25 + 14)
    assert (mem0.ledger, mem0.collection) == ("extracting", "memories")
    assert mem0.within == System.from_config("extracting", MEM0).identity()
    assert asked(study({"plain": {"adapter": "fts5"}})) == []


def test_no_more_than_k_calls_a_query_and_of_a_part_of_the_entries():
    (few,) = asked(study({"t": DRIVEN}, memories={"k": 1, "entries": 7, "corpora": ["A"]}))
    assert few.calls == 1 * (4 * (6 + 1) + 14)  # seven is three a partner
    (mem0,) = asked(study({"m": MEM0}, memories={"entries": 6, "corpora": ["A"]}))
    assert mem0.calls == 3 * (6 + 1) + 24


@pytest.mark.parametrize("lived", [True, False])
@pytest.mark.parametrize("through", [("control1",), ("control2",), ("control1", "control2")])
def test_what_other_controls_put_through_it_is_what_its_plan_holds(through, lived):
    """Counted beside the plan itself, bank by bank; a life without anchors brings its log."""
    own = corpus()
    if not lived:
        own = dataclasses.replace(own, test_day=own.test_day.assign(anchor=""))
    config = study({"m": FILES}, memories={"corpora": ["A"]})
    for part in through:
        config[part]["memory"] = "m"
    (found,) = asked(config, A=own)
    planned, rng = plan(), __import__("numpy").random.default_rng(1)
    documents = {VERIDICAL: corpus().memory_block}
    counterfeits = {n: corpus().memory_block for n in ("foreign-1", "foreign-2", "shuffled-1")}
    if "control1" in through:
        assert needs_anchors(own) != lived
        log = {} if lived else {"encounter-log": own.log()}
        items = list(corpus().test_day["input"])
        mine = documents | counterfeits | log
        planned = with_part(planned, corpus(), "control1", mine, items, rng)
    if "control2" in through:
        texts = [f"text {n}" for n in range(config["control2"]["probes"])]
        mine = documents | {"foreign-1": corpus().memory_block}
        planned = with_part(planned, corpus(), "control2", mine, texts, rng)
    events = sum(len(bank.events) for bank in planned.banks)
    queries = sum(len(planned.asked_of(bank)) for bank in planned.banks)
    assert planned.bank(EMPTY).events == ()
    assert found.calls == 2 * (events + 24) + 2 * (queries + 14)


# --- the estimate ---------------------------------------------------------------------------------


def visited(folder: Path, identity: dict, **more) -> Asking:
    """A visit of four probes through a ledger where the estimate looks for it."""
    store = Asking(sound())
    path = folder / "memories/m.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    with Ledger(path) as ledger:
        Visit(plan(4), lambda: store, Keeper("m", identity, ledger), settle=5, **more).run()
    return store


def test_a_systems_calls_are_estimated_with_tokens_and_price(tmp_path, prices):
    (ask,) = asked(study({"m": MEM0}, memories={"corpora": ["A"]}))
    found = estimate(ask, tmp_path, tmp_path / "none", Prices(prices))
    assert (found.calls, found.held, found.unwritten) == (117, 0, 117)
    assert found.prompt_tokens == 117 * 8300
    assert found.completion_tokens == 117 * 100
    assert found.ceiling == pytest.approx((117 * 8300 * 2 + 117 * 100 * 8) / 1e6)
    assert 0 < found.cost <= found.ceiling


def test_what_the_ledger_holds_of_the_system_as_it_is_now_is_not_asked_again(tmp_path, prices):
    (ask,) = asked(study({"m": MEM0}, memories={"corpora": ["A"]}))
    store = visited(tmp_path, dict(ask.within))
    assert 0 < store.made < 500
    found = estimate(ask, tmp_path, tmp_path, Prices(prices))
    assert found.held == min(117, store.made)
    assert found.to_ask == 117 - found.held
    other = System.from_config("m", {**MEM0, "take": 2}).identity()
    (tmp_path / "anew").mkdir()
    visited(tmp_path / "anew", other)
    assert estimate(ask, tmp_path, tmp_path / "anew", Prices(prices)).held == 0


def test_hygiene_tells_what_its_model_took(tmp_path):
    store = visited(tmp_path, {"adapter": "x"})
    with Ledger(tmp_path / "memories/m.sqlite") as ledger:
        assert ledger.calls_within({"adapter": "x"}) == store.made
        assert ledger.calls_within({"adapter": "y"}) == 0


# --- the budget -----------------------------------------------------------------------------------


def events(n: int) -> list[Event]:
    return [Event(f"e{i}", "2025-01-01", "Ada", f"fact {i}") for i in range(n)]


def test_calls_are_entered_at_the_most_and_then_as_they_were(tmp_path, prices):
    budget = Budget(tmp_path, calls=100, money=1.0, prices=prices)
    memory = Metered(Asking(sound()), WITHIN, budget)
    memory.reset("b")
    memory.ingest("b", events(1))
    assert budget.spent()[0] == 1
    memory.recall("b", "fact", 5)
    assert budget.spent()[0] == 4  # three may be made
    memory.usage()
    calls, cost = budget.spent()
    assert calls == 3  # one event, and two for the query
    assert cost == pytest.approx((3000 * 2 + 30 * 8) / 1e6)


def test_k_bounds_what_a_query_may_take(tmp_path):
    budget = Budget(tmp_path, calls=100)
    memory = Metered(Asking(sound()), WITHIN, budget)
    memory.recall("b", "fact", 2)
    assert budget.spent()[0] == 2


def test_a_system_is_not_asked_beyond_the_budget(tmp_path):
    store = Asking(sound())
    memory = Metered(store, WITHIN, Budget(tmp_path, calls=2))
    memory.reset("b")
    memory.ingest("b", events(2))
    with pytest.raises(BudgetExceeded, match="budget is 2 calls and 2 were made"):
        memory.ingest("b", events(1))
    assert store.made == 2


def test_money_stops_it_too_and_a_model_without_price_is_named(tmp_path, prices):
    budget = Budget(tmp_path / "a", money=0.01, prices=prices)  # one call may cost 0.0048 or more
    memory = Metered(Asking(sound()), WITHIN, budget)
    memory.reset("b")
    memory.ingest("b", events(1))
    with pytest.raises(BudgetExceeded, match=r"budget is \$0\.01"):
        memory.ingest("b", events(10))
    other = Inside(Model("s", "openai-compatible", "dear", "https://x.example"), 1, 0, 10)
    unpriced = Metered(Asking(sound()), other, Budget(tmp_path / "b", money=1, prices=prices))
    with pytest.raises(ValueError, match="no price for openai-compatible/dear"):
        unpriced.ingest("b", events(1))


def test_a_system_that_takes_more_than_it_may_is_entered_with_all_of_it(tmp_path):
    budget = Budget(tmp_path, calls=100)
    memory = Metered(Asking(sound()), Inside(PAID, 1, 1, 10), budget)
    memory.recall("b", "fact", 5)
    memory.usage()
    assert budget.spent()[0] == 2


def test_a_system_that_dies_stays_entered_at_the_most(tmp_path):
    class Dead(Asking):
        ended = True

        def usage(self):
            raise AssertionError("the dead are not asked")

    budget = Budget(tmp_path, calls=100)
    memory = Metered(Dead(sound()), WITHIN, budget)
    memory.recall("b", "fact", 5)
    memory.close()
    assert budget.spent()[0] == 3


def test_closing_enters_what_was_not_asked_yet(tmp_path):
    budget = Budget(tmp_path, calls=100)
    memory = Metered(Asking(sound()), WITHIN, budget)
    memory.recall("b", "fact", 5)
    memory.close()
    assert (budget.spent()[0], memory.spent.calls) == (2, 2)


def test_a_visit_stops_before_the_call_that_is_too_many_and_goes_on_with_more(tmp_path):
    """Hygiene takes 24 events and 14 queries; what was kept is not asked again."""
    identity = {"adapter": "x"}

    def run(calls: int) -> int:
        budget = Budget(tmp_path, calls=calls)
        store = Asking(sound())
        start = partial(Metered, store, WITHIN, budget)
        with Ledger(tmp_path / "memories.sqlite") as ledger:
            Visit(plan(4), start, Keeper("m", identity, ledger), settle=5).run()
        return budget.spent()[0]

    with pytest.raises(BudgetExceeded, match="stopped before the next one"):
        run(60)
    spent = run(1000)
    again = run(1000)
    assert spent == again  # nothing was asked the third time
    with Ledger(tmp_path / "memories.sqlite") as ledger:
        assert spent >= ledger.calls_within(identity)


def test_exchanges_with_a_store_are_no_calls_of_a_budget(tmp_path):
    """A budget opened over a ledger of recalls starts at nothing."""
    visited(tmp_path, {"adapter": "fts5"})
    assert Budget(tmp_path, calls=5).spent() == (0, 0.0)


def test_what_is_released_is_neither_call_nor_cost(tmp_path, prices):
    budget = Budget(tmp_path, calls=10, money=1.0, prices=prices)
    uids = budget.reserve([WITHIN.call()] * 3)
    one = budget.spent()[1] / 3
    budget.release(uids[:2])
    assert budget.spent() == (1, pytest.approx(one))
    assert Budget(tmp_path, calls=10).spent()[0] == 1  # and so says the file


def test_the_script_holds_a_system_to_the_study_s_budget(tmp_path, monkeypatch):
    """A folder worked by a model: with no call to spend, its first question is not put."""
    script = load_script("memories/visit_memory.py")
    (tmp_path / "A.json").write_text(plan(4).to_json(), encoding="utf-8")
    monkeypatch.setattr(System, "start", lambda self, *given: Asking(sound()))
    monkeypatch.chdir(tmp_path)
    ask = partial(
        script.main,
        tmp_path / "A.json",
        Path("results/s/memories/replies/systems/A/m.jsonl"),
        system="m",
        entry=FILES,
        identity={"adapter": "files"},
        version=None,
        ledger=tmp_path / "ledger/memories/m.sqlite",
        store=tmp_path / "store",
    )
    (tmp_path / "ledger/memories").mkdir(parents=True)
    with pytest.raises(BudgetExceeded, match="budget is 1 calls"):
        ask(budget={"calls": 1})
    ask()  # none is set
    kept = next(tmp_path.glob("results/**/m.jsonl")).read_text().splitlines()
    assert len(kept) == 2 + 4 * 7


@pytest.mark.parametrize("fault", [MemoryFault("usage: no"), BudgetExceeded("budget is 1 calls")])
def test_what_does_not_tell_its_use_is_closed_all_the_same(fault):
    """Else its program would stay; only what the study itself says is passed on."""

    class Silent(Wrapped):
        closed = False

        def usage(self):
            raise fault

        def close(self):
            self.closed = True

    inner = Silent(sound())
    told = isinstance(fault, BudgetExceeded)
    with pytest.raises(BudgetExceeded) if told else nullcontext():
        Counted(inner).close()
    assert inner.closed


def test_what_was_spent_is_summed_until_it_is_closed():
    memory = Counted(Asking(sound()))
    memory.recall("b", "fact", 5)
    assert memory.usage().calls == 2
    memory.recall("b", "fact", 5)
    memory.close()
    assert memory.spent == Usage(4, 4000, 40)
