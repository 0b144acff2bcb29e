"""A ceiling in money holds for whoever sends a bill, whatever its replies count."""

from __future__ import annotations

import socket

import pytest
from support.scripted import Scripted
from veridical.ledger.budget import Budget, BudgetExceeded
from veridical.ledger.collecting import collect
from veridical.ledger.pricing import Prices
from veridical.models.exchange import Model, Raw
from veridical.models.prompts import Prompt, Turn

PRICES = """provider,model,input,output,batch,dated,source,checked
openai-compatible,paid,2,8,1,2026-11-01,its page,yes
openai-compatible,given,0,0,1,2026-11-01,its page,yes
ollama,kimi:cloud,1,1,1,2026-11-01,its page,yes
"""
PROMPTS = [Prompt(f"p{n}", (Turn(f"question {n}"),)) for n in range(6)]
GATEWAY = "https://gateway.example.org/v1"


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(PRICES, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("provider", "model", "address", "free"),
    [
        ("openai-compatible", "x", "http://localhost:8000/v1", True),
        ("openai-compatible", "x", "http://127.0.0.1:8000/v1", True),
        ("openai-compatible", "x", f"http://{socket.gethostname()}:8000/v1", True),
        ("openai-compatible", "x", GATEWAY, False),
        ("openai-compatible", "x", "http://192.168.1.20:8000/v1", False),  # whose is it?
        ("openai-compatible", "x", "http://localhost.example.org/v1", False),
        ("openai-compatible", "x", "http://localhost@gateway.example.org/v1", False),
        ("openai-compatible", "x", "no address", False),
        ("openai-compatible", "given", GATEWAY, True),  # a price of 0 is a price
        ("ollama", "llama3", None, True),
        ("ollama", "llama3", "https://ollama.com", False),
        ("ollama", "gpt-oss:120b-cloud", None, False),
        ("ollama", "glm-4.6:cloud", "http://localhost:11434", False),
        ("openai", "gpt-x", None, False),
        ("anthropic", "claude-x", None, False),
        ("embedded", "x", None, True),
        ("command", "x", None, True),
    ],
)
def test_who_is_free(provider, model, address, free, prices):
    found = Prices(prices).of(provider, model, address)
    assert (found is not None and found.cost(10, 10) == 0) is free
    assert free or found is None


def ask(folder, prices, model, script, money, provider=None):
    budget = Budget(folder / "ledger", money=money, prices=prices)
    provider = provider or Scripted(script, concurrency=1)
    ledger = folder / "ledger" / "stage" / "m.sqlite"
    try:
        collect(PROMPTS, model, ledger, out=folder / "r.jsonl", provider=provider, budget=budget)
    finally:
        spent = budget.spent()
        budget.close()
    return spent, provider


@pytest.mark.parametrize(
    "model",
    [
        Model("m", "openai-compatible", "unknown", base_url=GATEWAY),
        Model("m", "ollama", "gpt-oss:120b-cloud"),
    ],
)
def test_a_gateway_without_a_price_is_refused_before_anything_is_asked(model, tmp_path, prices):
    """It was asked 6 of 6 times, and $0.00 were booked."""
    provider = Scripted(lambda call, n: "yes", concurrency=1)
    with pytest.raises(ValueError, match=r"has no price for .*a price of 0 where nobody sends"):
        ask(tmp_path, prices, model, None, 1.0, provider)
    assert provider.seen == []


ODD = [-(10**9), 0, float("nan"), float("inf"), "400", -1.5, True, [1], None, 10**400]


@pytest.mark.parametrize("count", ODD, ids=lambda count: str(count)[:12])
def test_no_odd_count_gives_money_back(count, tmp_path, prices):
    """At 4096 tokens of output a call may cost 4096 × $8 / 10^6 = 3.3 cents: $0.10 are three."""
    model = Model("m", "openai-compatible", "paid", base_url=GATEWAY)
    said = Raw("yes", prompt_tokens=count, completion_tokens=count)
    provider = Scripted(lambda call, n: said, concurrency=1)
    with pytest.raises(BudgetExceeded):
        ask(tmp_path, prices, model, None, 0.10, provider)
    assert len(provider.seen) == 3
    budget = Budget(tmp_path / "ledger", money=1.0, prices=prices)
    assert budget.spent()[1] == pytest.approx(0.0985, abs=0.001)
    budget.close()


def test_what_a_ledger_holds_without_counts_is_counted_at_its_most(tmp_path, prices):
    """The budget's own file is gone, or there was none: the ledger alone says what was spent."""
    model = Model("m", "openai-compatible", "paid", base_url=GATEWAY)
    said = Raw("yes", prompt_tokens=-5, completion_tokens=-5)
    ask(tmp_path, prices, model, lambda call, n: said, 10.0)
    (tmp_path / "ledger" / "budget.sqlite").unlink()
    budget = Budget(tmp_path / "ledger", money=10.0, prices=prices)
    assert budget.spent()[1] == pytest.approx(6 * 4096 * 8 / 1e6, rel=0.01)
    budget.close()


def test_a_program_that_says_what_it_paid_is_not_free(tmp_path, prices):
    """$0.30 a call: after three $0.90 are booked, and a fourth like them would pass $1."""
    model = Model("m", "command", "agent")
    provider = Scripted(lambda call, n: Raw("yes", cost=0.3), concurrency=1)
    with pytest.raises(BudgetExceeded):
        ask(tmp_path, prices, model, None, 1.0, provider)
    assert len(provider.seen) == 3
    again = Budget(tmp_path / "ledger", money=1.0, prices=prices)
    calls, money = again.spent()
    assert (calls, money) == (3, pytest.approx(0.9))
    again.close()


def test_what_a_program_paid_before_there_was_a_budget_counts(tmp_path, prices):
    """Three calls at $0.30, with no tokens told and no ceiling then: $0.90 of today's."""
    model = Model("m", "command", "agent")
    provider = Scripted(lambda call, n: Raw("yes", cost=0.3), concurrency=1)
    with pytest.raises(BudgetExceeded):
        ask(tmp_path, prices, model, None, 1.0, provider)
    for path in (tmp_path / "ledger").glob("budget.sqlite*"):
        path.unlink()
    later = Budget(tmp_path / "ledger", money=1.0, prices=prices)
    assert later.spent() == (3, pytest.approx(0.9))
    later.close()


@pytest.mark.parametrize("cost", [-5.0, float("nan"), float("inf"), True, "1"])
def test_a_cost_that_is_none_is_none(cost, tmp_path, prices):
    model = Model("m", "command", "agent")
    (calls, money), _ = ask(tmp_path, prices, model, lambda call, n: Raw("yes", cost=cost), 1.0)
    assert (calls, money) == (6, 0.0)
