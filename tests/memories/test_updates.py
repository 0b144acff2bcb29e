"""What a memory makes of what changes is said in words, and a sound one is left alone."""

from __future__ import annotations

import pytest
from support.memory_study import sound
from veridical.memories.conformance import check_system
from veridical.memories.faults import plant
from veridical.memories.protocol import Description, Memory, Recalled

TWICE = "a topic told twice is kept twice"
NEAR = "near topics are kept apart"
DATE = "a date is kept as it was told"


def told(start) -> dict[str, str]:
    """What the three checks say: name → state and words."""
    found = check_system(start, (TWICE, NEAR, DATE), pause=0)
    return {check.name: f"{check.state} {check.words}".strip() for check in found}


def faulty(name: str, strength: float = 1.0, seed: int = 0):
    inner = sound()
    return lambda: plant(name, inner, strength, seed=seed, names=("Ada", "Bo"))


@pytest.mark.parametrize("adapter", ["fts5", "window"])
def test_a_sound_memory_keeps_all(adapter):
    inner = sound(adapter)
    assert told(lambda: inner) == dict.fromkeys((TWICE, NEAR, DATE), "ok")


def test_one_that_overwrites_loses_the_earlier():
    said = told(faulty("keeps-last"))
    assert said[TWICE] == (
        "note of two entries told, it gives back one; the one with 'copied' is gone"
    )
    assert "'north' is gone" in said[NEAR]
    assert said[DATE] == "ok"


def test_one_that_merges_near_entries_loses_the_later():
    """12 of 14 words are the same, names aside; of the topic told twice 9 of 13."""
    said = told(faulty("merges", 0.2))
    assert said[TWICE] == "ok"
    assert "'south' is gone" in said[NEAR]


def test_a_date_that_moves_is_named():
    assert told(faulty("moves-dates"))[DATE] in (
        "note an entry dated 2025-01-31 comes back dated 2025-01-30",
        "note an entry dated 2025-01-31 comes back dated 2025-02-01",
    )


def test_a_memory_that_finds_nothing_is_not_said_to_have_lost_one():
    assert told(faulty("silence")) == dict.fromkeys((TWICE, NEAR, DATE), "ok")


def test_one_that_is_read_by_its_tools_is_asked_nothing():
    class Tools(Memory):
        def describe(self):
            return Description("tools", "1", reads=("tools",))

        def recall(self, bank, query, k, at=None) -> Recalled:
            raise AssertionError("asked")

    start = Tools
    found = check_system(start, ("it starts and describes itself", TWICE, NEAR, DATE), pause=0)
    assert [check.state for check in found if check.name != "it starts and describes itself"] == [
        "ok"
    ] * 3
