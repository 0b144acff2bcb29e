"""The budget's running sums: what its file adds up itself is what a sum over its rows says."""

import asyncio
import random
import sqlite3

import pytest
from veridical.ledger.budget import Budget, BudgetExceeded
from veridical.ledger.writer import Scribe
from veridical.models.exchange import Call, Model, Raw, Reply

MODEL = Model("m", "openai", "gpt-4.1")
PRICES = "provider,model,input,output,batch,dated,source,checked\nopenai,gpt-4.1,2,8,0.5,,,\n"


@pytest.fixture
def prices(tmp_path):
    (tmp_path / "prices.csv").write_text(PRICES)
    return tmp_path / "prices.csv"


def call(sample: int) -> Call:
    messages = ({"role": "user", "content": "hello"},)
    return Call(MODEL, messages, parameters={"max_tokens": 10}, sample=sample)


def summed(budget: Budget) -> tuple[int, float]:
    """The same from the rows, by another reader of the file."""
    with sqlite3.connect(budget.path) as book:
        return book.execute("SELECT COUNT(*), COALESCE(SUM(cost), 0.0) FROM spending").fetchone()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sums_follow_every_reservation_and_every_settlement(seed, tmp_path, prices):
    draw = random.Random(seed)
    budget = Budget(tmp_path / "l", calls=1000, money=10.0, prices=prices)
    for i in range(60):
        calls = [call(1000 * i + j) for j in range(draw.randint(1, 3))]
        uids = budget.reserve(calls)
        states = draw.choices(("ok", "failed", "killed"), k=len(calls))
        replies = [
            Reply(
                c.key, state, None, Raw("", prompt_tokens=draw.randint(0, 50), completion_tokens=5)
            )
            for c, state in zip(calls, states, strict=True)
            if state != "killed"
        ]
        kept = [(c, u) for c, u, s in zip(calls, uids, states, strict=True) if s != "killed"]
        budget.settle([c for c, _ in kept], replies, [u for _, u in kept])
        count, cost = summed(budget)
        assert budget.spent() == (count, pytest.approx(cost, abs=1e-12))
    assert count > 60


def test_a_file_from_before_there_were_sums_is_summed_on_opening(tmp_path):
    (tmp_path / "l").mkdir()
    with sqlite3.connect(tmp_path / "l/budget.sqlite") as book:
        book.execute(
            "CREATE TABLE spending (uid TEXT PRIMARY KEY, cost REAL NOT NULL, settled INTEGER"
            " NOT NULL) WITHOUT ROWID"
        )
        book.executemany("INSERT INTO spending VALUES (?, ?, 1)", [("a", 0.25), ("b", 0.5)])
    budget = Budget(tmp_path / "l", calls=3)
    assert budget.spent() == (2, 0.75)
    budget.reserve([call(1)])
    with pytest.raises(BudgetExceeded, match="budget is 3 calls and 3 were made"):
        budget.reserve([call(2)])


def test_sums_that_went_astray_are_taken_anew_on_opening(tmp_path):
    budget = Budget(tmp_path / "l", calls=9)
    budget.reserve([call(1)])
    budget.close()
    with sqlite3.connect(tmp_path / "l/budget.sqlite") as book:
        book.execute("UPDATE totals SET calls = 5, cost = 7.0")
    assert Budget(tmp_path / "l", calls=9).spent() == (1, 0.0)


def test_one_call_too_many_in_a_commit_leaves_the_others_entered(tmp_path):
    """Three reservations of one moment under a budget of two: two pass, one is refused."""
    budget = Budget(tmp_path / "l", calls=2)

    async def reserve() -> list:
        scribe = Scribe(budget, lambda problem: None, reserve=0)
        wishes = [scribe.write(lambda i=i: budget.reserve([call(i)])) for i in range(3)]
        results = await asyncio.gather(*wishes, return_exceptions=True)
        await scribe.close()
        return results

    results = asyncio.run(reserve())
    refused = [result for result in results if isinstance(result, BudgetExceeded)]
    assert len(refused) == 1
    assert budget.spent() == summed(budget) == (2, 0.0)


def test_reservations_of_one_moment_share_a_commit(tmp_path):
    budget = Budget(tmp_path / "l", calls=100)
    commits = []
    budget._db.set_trace_callback(lambda words: commits.append(words) if words == "COMMIT" else 0)

    async def reserve() -> None:
        scribe = Scribe(budget, lambda problem: None, reserve=0)
        await asyncio.gather(
            *(scribe.write(lambda i=i: budget.reserve([call(i)])) for i in range(40))
        )
        await scribe.close()

    asyncio.run(reserve())
    assert budget.spent() == (40, 0.0)
    assert len(commits) == 1


def test_what_fails_inside_leaves_nothing(tmp_path):
    budget = Budget(tmp_path / "l", calls=9)

    def entered_and_undone() -> None:
        with budget.together():
            budget.reserve([call(1)])
            with budget.together():
                budget.reserve([call(2)])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        entered_and_undone()
    assert budget.spent() == summed(budget) == (0, 0.0)
    budget.reserve([call(3)])  # and the file goes on
    assert budget.spent() == (1, 0.0)
