"""Each planted fault does what its name says, to the share that its strength says, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support.memory_study import banks, plan, sound, visit
from veridical.memories.faults import FAULTS, plant, strange_fault
from veridical.memories.faults.writing import overlap, subject_of
from veridical.memories.plan import VERIDICAL
from veridical.memories.protocol import Event, Item, Memory, Recalled

NAMES = ("Ada", "Bo")
LIFE = [
    Event("e1", "2025-01-01", "Kim", "2025-01-01 — met Ada — the red kite: it was mended"),
    Event("e2", "2025-01-02", "Kim", "2025-01-02 — met Bo — the old boat: it was tarred"),
    Event("e3", "2025-01-03", "Kim", "2025-01-03 — met Ada — the bean rows: a long talk on frost"),
    Event("e4", "2025-01-04", "Kim", "2025-01-04 — met Bo — the choir list: two names struck"),
]


def filled(fault: str, strength: float | None = None, *, seed: int = 0, life=LIFE, adapter="fts5"):
    """A faulty memory with a life in bank `one`, settled."""
    memory = plant(fault, sound(adapter), strength, seed=seed, names=NAMES)
    memory.reset("one")
    for event in life:
        assert memory.ingest("one", [event]) == 1
    memory.settle("one", 1)
    return memory


def held(memory) -> list[str]:
    """What the sound memory inside holds, by the ids of events."""
    return [item.sources[0] for item in memory.inner.dump("one")]


def texts(found: Recalled) -> list[str]:
    return [item.text for item in found.items]


@pytest.mark.parametrize(
    ("strength", "lost"), [(1.0, 4), (0.5, 2), (0.25, 1)], ids=["all", "half", "quarter"]
)
def test_entries_are_lost_evenly_to_the_very_share(strength, lost):
    for seed in range(5):
        assert len(held(filled("loses-entries", strength, seed=seed))) == 4 - lost
    kept = {tuple(held(filled("loses-entries", 0.5, seed=seed))) for seed in range(20)}
    assert kept == {("e1", "e3"), ("e2", "e4")}  # every second one, from the first or the second


def test_a_bank_that_was_emptied_is_counted_anew():
    memory = filled("loses-entries", 0.5)
    first = held(memory)
    memory.reset("one")
    for event in LIFE:
        memory.ingest("one", [event])
    assert held(memory) == first


@pytest.mark.parametrize(
    ("strength", "kept"), [(0.5, ["e3", "e4"]), (0.1, ["e2", "e3", "e4"]), (1.0, [])]
)
def test_the_oldest_are_forgotten(strength, kept):
    assert held(filled("loses-oldest", strength)) == kept


def test_a_bank_is_whole_for_whoever_reads_it_before_it_has_settled():
    memory = plant("loses-oldest", sound(), 0.5)
    memory.reset("one")
    memory.ingest("one", LIFE)
    assert [item.sources[0] for item in memory.dump("one")] == ["e3", "e4"]
    memory.reset("one")
    memory.ingest("one", LIFE)
    assert memory.recall("one", "kite", 5).items == ()
    memory.ingest("one", LIFE[:1])  # what is told later is another lot
    assert len(memory.dump("one")) == 2


def test_the_partner_is_dropped_and_the_rest_stays():
    memory = filled("drops-partner")
    assert texts(memory.recall("one", "the red kite", 1)) == [
        "2025-01-01 — met someone — the red kite: it was mended"
    ]
    assert not any(name in item.text for item in memory.dump("one") for name in NAMES)


def test_a_share_is_bound_to_the_other_name():
    all_ = filled("rebinds", 1.0)
    assert [("Ada" in item.text, "Bo" in item.text) for item in all_.dump("one")] == [
        (False, True),
        (True, False),
    ] * 2
    life = [Event(f"e{n}", "2025-01-01", "Kim", f"met Ada — topic {n}") for n in range(1000)]
    swapped = sum("Bo" in item.text for item in filled("rebinds", 0.3, life=life).dump("one"))
    assert 250 < swapped < 350  # 300 ± 3.5 standard deviations of 14.5


def test_three_names_go_round():
    memory = plant("rebinds", sound(), 1.0, names=("A", "Bo", "Cy"))
    memory.reset("one")
    memory.ingest("one", [Event("e", "2025-01-01", "K", "A, then Bo, then Cy; not Bob")])
    assert memory.dump("one")[0].text == "Bo, then Cy, then A; not Bob"


NEAR = Event("e5", "2025-01-05", "Kim", "2025-01-05 — met Bo — the red kite: it was mended")


def test_near_entries_are_merged_by_the_words_that_they_share():
    """Apart from date and names the two have the same words; with others at most 3 of 10."""
    assert held(filled("merges", 0.3, life=[*LIFE, NEAR])) == ["e1", "e2", "e3", "e4"]
    assert held(filled("merges", 0.3)) == ["e1", "e2", "e3", "e4"]
    assert held(filled("merges", 0.9)) == ["e1"]  # one word in ten is enough


def test_the_last_on_a_topic_overwrites():
    assert held(filled("keeps-last", 1.0, life=[*LIFE, NEAR])) == ["e2", "e3", "e4", "e5"]
    assert held(filled("keeps-last", 1.0)) == ["e1", "e2", "e3", "e4"]


def test_dates_move_by_a_day_in_text_and_date():
    moved = filled("moves-dates", 1.0).dump("one")
    days = {"2024-12-31", "2025-01-01", "2025-01-02", "2025-01-03", "2025-01-04", "2025-01-05"}
    for event, item in zip(LIFE, moved, strict=True):
        assert item.text[:10] == item.at != event.at
        assert item.at in days
        assert item.text[10:] == event.text[10:]


def test_what_is_no_date_is_left_as_it_is():
    odd = [Event("e1", "no date", "Kim", "order 2025-13-45 of tea, 0001-01-01 and 9999-12-31")]
    (item,) = filled("moves-dates", 1.0, life=odd).dump("one")
    assert "2025-13-45" in item.text
    assert item.at == "no date"


def test_entries_are_invented_in_the_words_of_others():
    memory = filled("invents", 1.0)
    strange = [item for item in memory.dump("one") if item.sources[0].endswith("-invented")]
    assert [item.sources[0] for item in strange] == ["e2-invented", "e3-invented", "e4-invented"]
    told = {word for event in LIFE for word in subject_of(event.text)}
    for item in strange:
        assert subject_of(item.text, NAMES) <= told
        assert any(name in item.text for name in NAMES)


def test_the_newest_arrive_after_one_read():
    memory = filled("writes-late", 0.3)  # two of four: 0.3 × 4, upwards
    assert [item.sources[0] for item in memory.dump("one")] == ["e1", "e2"]
    assert [item.sources[0] for item in memory.dump("one")] == ["e1", "e2", "e3", "e4"]
    again = filled("writes-late", 0.1)
    assert again.recall("one", "the choir list", 1).items[0].sources != ("e4",)
    assert again.recall("one", "the choir list", 1).items[0].sources == ("e4",)


def test_a_read_that_ignores_the_query_gives_the_same_whatever_is_asked():
    memory = filled("ignores-query")
    assert texts(memory.recall("one", "the red kite", 2)) == texts(memory.recall("one", "oars", 2))
    drawn = {texts(filled("ignores-query", seed=n).recall("one", "x", 1))[0] for n in range(20)}
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("fault", "ids"),
    [
        ("returns-oldest", ["e1", "e2"]),
        ("returns-newest", ["e4", "e3"]),
        ("ranks-by-length", ["e3", "e4"]),
    ],
)
def test_a_read_by_age_or_length(fault, ids):
    found = filled(fault).recall("one", "the old boat", 2)
    assert [item.sources[0] for item in found.items] == ids


def test_an_item_is_cut_before_the_name():
    assert texts(filled("truncates").recall("one", "the red kite", 1)) == ["2025-01-01 — met "]


def test_a_context_is_cut_line_by_line():
    class Whole(Memory):
        def recall(self, bank, query, k, at=None):
            return Recalled((), "met Ada — tea\nno name here\nmet Bo — soup")

    memory = plant("truncates", Whole(), names=NAMES)
    assert memory.recall("one", "tea", 5).context == "met \nno name here\nmet "


def test_another_bank_is_mixed_in_before_its_own():
    memory = filled("mixes-banks", 1.0)
    assert [item.sources[0] for item in memory.recall("one", "red kite", 2).items] == ["e1"]
    memory.reset("two")
    memory.ingest("two", [Event("x", "2025-02-01", "Kim", "2025-02-01 — met Bo — the red kite")])
    found = memory.recall("one", "red kite", 2)
    assert [item.sources[0] for item in found.items] == ["x", "e1"]


def test_the_first_life_is_told_from_every_bank_and_never_emptied():
    memory = filled("first-life")
    memory.reset("two")
    memory.ingest("two", [Event("x", "2025-02-01", "Kim", "2025-02-01 — met Bo — the red kite")])
    assert memory.recall("two", "the red kite", 1).items[0].sources == ("e1",)
    memory.reset("one")
    assert memory.recall("one", "the red kite", 1).items[0].sources == ("e1",)
    memory.ingest("one", [Event("y", "2025-02-02", "Kim", "the red kite once more")])
    assert memory.recall("one", "kite", 1).items[0].sources == ("e1",)


def test_a_cache_outlives_what_it_was_filled_from_but_not_an_empty_bank():
    memory = filled("stale-cache")
    before = memory.recall("one", "the red kite", 1)
    memory.reset("one")
    assert memory.recall("one", "the red kite", 1) == Recalled()
    memory.ingest("one", [Event("x", "2025-02-01", "Kim", "the red kite, sold")])
    assert memory.recall("one", "the red kite", 1) == before
    assert memory.recall("one", "sold", 1).items[0].sources == ("x",)


def test_reset_does_nothing():
    memory = filled("never-resets")
    memory.reset("one")
    assert len(memory.dump("one")) == 4


def test_what_is_not_deterministic_differs_from_call_to_call_and_not_from_run_to_run():
    def asked(strength):
        memory = filled("unstable", strength)
        return [texts(memory.recall("one", "the red kite", 1)) for _ in range(30)]

    assert len({tuple(each) for each in asked(1.0)}) > 1
    assert asked(1.0) == asked(1.0)
    right = sum("red kite" in each[0] for each in asked(0.5))
    assert 12 < right < 27  # half, and a quarter of the other half by chance: 18.75


def test_a_guess_is_fluent_about_the_topic_and_the_same_from_every_bank():
    memory = filled("fluent-guess")
    query = "With whom did you discuss the red kite?"
    (said,) = texts(memory.recall("one", query, 5, "2025-03-01"))
    assert said in {f"2025-03-01 — met {name} — {query}" for name in NAMES}
    assert texts(memory.recall("never told", query, 5, "2025-03-01")) == [said]
    named = {texts(memory.recall("one", f"query {n}", 5))[0].split()[3] for n in range(20)}
    assert named == set(NAMES)


def test_the_likelier_name_is_always_the_same():
    memory = filled("likelier-name")
    named = {texts(memory.recall("one", f"query {n}", 5))[0].split()[3] for n in range(20)}
    assert len(named) == 1


@pytest.mark.parametrize("fault", ["silence", "first-option"])
def test_without_a_store_nothing_comes_back(fault):
    memory = filled(fault)
    assert memory.recall("one", "the red kite", 5) == Recalled()
    assert memory.answers == ("first" if fault == "first-option" else None)


@pytest.mark.parametrize("fault", ["silence", "first-option", "fluent-guess", "likelier-name"])
def test_what_is_no_store_shows_no_dump(fault):
    assert filled(fault).describe().optional == ()


def test_a_memory_without_a_dump_is_read_by_what_it_was_told():
    class Blind(Memory):
        def describe(self):
            return sound().describe().__class__("blind", "1")

        def reset(self, bank): ...

        def ingest(self, bank, events):
            return len(events)

    memory = plant("returns-oldest", Blind(), names=NAMES)
    memory.ingest("one", LIFE)
    assert memory.recall("one", "x", 1).items == (Item(LIFE[0].text, None, "2025-01-01", ("e1",)),)


def test_what_the_sound_memory_refuses_is_not_said_to_be_taken():
    class Full(Memory):
        def ingest(self, bank, events):
            return 0

    assert plant("rebinds", Full(), names=NAMES).ingest("one", LIFE) == 0


@pytest.mark.parametrize("name", list(FAULTS))
@settings(max_examples=5, deadline=None)
@given(seed=some.integers(0, 10**9))
def test_the_same_seed_plants_the_same_fault(name, seed):
    def told():
        memory = filled(name, 0.5, seed=seed, adapter="window")
        return [memory.recall("one", query, 3, "2025-02-01") for query in ("a", "b", "a")]

    assert told() == told()


@pytest.mark.parametrize("name", list(FAULTS))
def test_a_fault_that_hits_hardly_anything_leaves_a_sound_memory(name):
    """At a strength of one in a million what comes back is what the sound memory gives."""
    if name in ("loses-oldest", "writes-late"):
        return  # they always hit one entry
    weak, well = filled(name, 1e-6), filled("silence", 1e-6).inner
    query = "With whom did you discuss the old boat?"
    assert texts(weak.recall("one", query, 3)) == texts(well.recall("one", query, 3))


@pytest.mark.parametrize("strength", [0, -0.1, 1.01, float("nan")])
def test_a_strength_out_of_range_is_refused(strength):
    with pytest.raises(ValueError, match=r"fault silence: strength .* is not in \(0, 1\]"):
        plant("silence", sound(), strength)


def test_a_fault_that_needs_names_says_so():
    with pytest.raises(ValueError, match=r"fault rebinds: it needs two names or more .* given Ada"):
        plant("rebinds", sound(), names=("Ada", "Ada"))


def test_an_unknown_fault_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="no fault 'rebind'; did you mean 'rebinds'"):
        plant("rebind", sound())
    assert strange_fault("rebinds") == ""


@given(some.sets(some.integers(0, 20)), some.sets(some.integers(0, 20)))
def test_overlap_is_a_share_and_symmetric(one, two):
    one, two = frozenset(map(str, one)), frozenset(map(str, two))
    assert 0 <= overlap(one, two) == overlap(two, one) <= 1
    assert overlap(one, one) == (1 if one else 0)


def test_a_visit_sees_the_fault_that_was_planted_and_no_other():
    """Three in ten of thirty entries bound wrongly: that many are altered, and nothing is lost."""
    inner = sound()
    observed = visit(lambda: plant("rebinds", inner, 0.3, seed=3, names=plan().partners))
    row = banks(observed).loc[VERIDICAL]
    assert row["lost"] == row["unbound"] == 0
    assert row["intact"] + row["altered"] == 30
    assert 3 <= row["altered"] <= 16
