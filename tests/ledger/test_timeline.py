"""The timeline: stretches of time by hand, and what it says of ledgers that are no rule's."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.ledger.ledger import Ledger, LedgerError
from veridical.ledger.pricing import Prices
from veridical.ledger.timeline import Spell, as_text, at_once, spells, union
from veridical.models.exchange import Call, Model, Raw, Reply

TABLE = "provider,model,input,output,batch,dated,source,checked\nopenai,gpt,2,8,0.5,,,\n"


@pytest.fixture
def prices(tmp_path):
    (tmp_path / "prices.csv").write_text(TABLE)
    return Prices(tmp_path / "prices.csv")


def keep(folder, collection, *, at, latency, model="gpt", state="ok", **raw) -> Call:
    """One reply that came so many seconds after noon and took `latency` seconds."""
    call = Call(
        Model("m", "openai", model, base_url=raw.pop("base_url", None)),
        ({"role": "user", "content": f"{collection} {at}"},),
    )
    time = f"2026-03-01T12:{at // 60:02}:{at % 60:02}.000Z"
    with Ledger(folder / collection / "m.sqlite") as ledger:
        ledger.keep(call, Reply(call.key, state, "x", Raw("x", latency=latency, **raw), time=time))
    return call


def test_a_spell_is_what_its_calls_make(tmp_path, prices):
    """Replies after 10 s (4 s long), 12 s (4 s) and 30 s (1 s): under way from 6 to 12 and from 29
    to 30, so 7 s of 24. Of 1,500,000 tokens read and 250,000 written: 3 + 2 dollars."""
    folder = tmp_path / "l"
    keep(folder, "a", at=10, latency=4.0, prompt_tokens=1_000_000, completion_tokens=250_000)
    keep(folder, "a", at=12, latency=4.0, prompt_tokens=500_000)
    keep(folder, "a", at=30, latency=1.0, state="failed", prompt_tokens=0)
    (spell,) = spells(folder, prices)
    assert (spell.calls, spell.failed, spell.restored) == (3, 1, 0)
    assert spell.busy == 7.0
    assert spell.end - spell.begin == 24.0
    assert (spell.tokens_in, spell.tokens_out) == (1_500_000, 250_000)
    assert spell.cost == pytest.approx(5.0)
    line = as_text([spell]).splitlines()[1]
    words = "a m 03-01 12:00:06 03-01 12:00:30 7 3 1 1,500,000 250,000 5.00"
    assert line.split() == words.split()


def test_spells_stand_in_the_order_of_their_first_call(tmp_path, prices):
    for collection, at in (("a", 50), ("b", 20), ("c", 35)):
        keep(tmp_path / "l", collection, at=at, latency=1.0)
    assert [spell.collection for spell in spells(tmp_path / "l", prices)] == ["b", "c", "a"]


def test_a_model_without_a_price_is_said_so(tmp_path, prices):
    keep(tmp_path / "l", "a", at=1, latency=1.0, model="unheard-of")
    (spell,) = spells(tmp_path / "l", prices)
    assert spell.cost is None
    assert "no price" in as_text([spell])


def test_a_reply_without_tokens_is_in_no_sum_and_that_is_said(tmp_path, prices):
    keep(tmp_path / "l", "a", at=1, latency=1.0, prompt_tokens=500_000, completion_tokens=125_000)
    keep(tmp_path / "l", "a", at=2, latency=1.0)
    (spell,) = spells(tmp_path / "l", prices)
    assert (spell.cost, spell.untold) == (2.0, 1)
    assert "1 replies did not tell all their tokens" in as_text([spell])


def test_a_memory_system_is_no_model_with_a_bill(tmp_path, prices):
    """It runs here; what its models cost stands in the ledgers of those."""
    call = Call(Model("m", "memory", "fts5"), ({"role": "user", "content": "{}"},))
    with Ledger(tmp_path / "l/memories/m.sqlite") as ledger:
        reply = Reply(call.key, "ok", "x", Raw("x"), time="2026-03-01T12:00:00.000Z")
        ledger.keep(call, reply)
    (spell,) = spells(tmp_path / "l", prices)
    assert spell.cost == 0.0


def test_what_came_from_an_export_has_no_time(tmp_path, prices):
    call = keep(tmp_path / "l", "a", at=1, latency=1.0)
    with Ledger(tmp_path / "l/a/m.sqlite") as first, Ledger(tmp_path / "l2/a/m.sqlite") as second:
        reply = first.answer(call.key)
        second.restore(json.loads(call.canonical()), reply)
    (spell,) = spells(tmp_path / "l2", prices)
    assert (spell.calls, spell.restored, spell.intervals) == (0, 1, [])
    assert "1 replies came from an export" in as_text([spell])


def test_at_once_by_hand():
    """a: 0-10; b: 5-20; then nothing until c at 25-30: two at once for 5, none for 5."""
    found = [
        Spell("a", "m", intervals=[(0.0, 10.0)]),
        Spell("b", "m", intervals=[(5.0, 12.0), (11.0, 20.0)]),
        Spell("c", "m", intervals=[(25.0, 30.0)]),
    ]
    assert at_once(found) == {0: 5.0, 1: 20.0, 2: 5.0}


def test_a_study_that_stood_still_overnight_was_not_idle():
    found = [Spell("a", "m", intervals=[(0.0, 10.0), (50_000.0, 50_010.0)])]
    assert at_once(found) == {1: 20.0}


@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda x: (x[0], x[0] + x[1])),
        max_size=12,
    )
)
def test_a_union_covers_the_same_seconds_once(intervals):
    """Against counting each second on its own."""
    joined = list(union(intervals))
    seconds = {second for begin, end in intervals for second in range(begin, end)}
    assert {second for begin, end in joined for second in range(begin, end)} == seconds
    assert sum(end - begin for begin, end in joined) == len(seconds)
    assert all(one[1] < two[0] for one, two in pairwise(joined))


def test_nothing_asked_yet_and_a_file_that_is_no_ledger(tmp_path, prices):
    assert as_text(spells(tmp_path / "l", prices)) == "Nothing has been asked yet."
    (tmp_path / "l/a").mkdir(parents=True)
    (tmp_path / "l/a/m.sqlite").write_text("no ledger, but longer than a header of SQLite's" * 9)
    with pytest.raises(LedgerError, match=r"a/m\.sqlite"):
        spells(tmp_path / "l", prices)
