"""The lint as a whole: clean benchmarks pass, each planted defect is found and named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.simulated_benchmarks import (
    SHAPES,
    Shape,
    abstaining_stratum,
    as_benchmark,
    length_cue,
    position_cue,
    repeated,
    simulate,
    topic_leak,
    word_cue,
)
from veridical.benchmarks.dates import impossible_dates
from veridical.benchmarks.items import Item, items_table
from veridical.benchmarks.lint import CHECKS, Lint, lint
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.simulated import (
    Alarms,
    alarms_of,
    described,
    nearest_alarms,
    shape_of,
)
from veridical.benchmarks.summary import as_json, false_alarms, summary
from veridical.benchmarks.tables import CHECKS as CHECKS_TABLE
from veridical.benchmarks.tables import FLAGS, STRATA

SHAPE = Shape(n=1500)


def found(result: Lint) -> set[str]:
    return set(result.checks.loc[result.checks["verdict"] == "found", "check"])


def row(result: Lint, check: str):
    return result.checks.set_index("check").loc[check]


def linted(items: Sequence[Item], **more) -> Lint:
    return lint(as_benchmark(items), **more)


@pytest.fixture(scope="module")
def clean() -> list[Item]:
    return simulate(SHAPE, 5)


@pytest.mark.parametrize("name", list(SHAPES))
def test_a_clean_benchmark_passes_and_keeps_the_contracts(name):
    result = linted(simulate(SHAPES[name], 3), seed=3)
    assert found(result) == set()
    assert tuple(result.checks["check"]) == CHECKS
    for contract, table in (
        (CHECKS_TABLE, result.checks),
        (STRATA, result.strata),
        (FLAGS, result.flags),
    ):
        assert list(table.columns) == contract.names
        contract.check(table.convert_dtypes(), name)
    assert result.strata["items"].sum() == SHAPES[name].n


def test_the_clean_benchmark_that_is_spoiled_below_passes(clean):
    assert found(linted(clean)) == set()


def test_a_length_cue_of_five_points(clean):
    result = linted(length_cue(clean, 0.05, 1))
    assert "length" in found(result)
    assert found(result) <= {"length", "both_clusters_held_out", "both_topics_held_out"}
    cue = row(result, "length")
    assert cue["which"] == "way longest"
    assert cue["statistic"] == pytest.approx(0.30, abs=0.03)
    assert cue["expected"] == pytest.approx(0.25, abs=0.02)
    assert cue["ci95_low"] < cue["statistic"] < cue["ci95_high"]
    # 30 % right where chance gives 25 %: as if one in fifteen items were known.
    assert cue["touched"] == pytest.approx((0.30 - 0.25) / 0.75, abs=0.04)


def test_a_position_cue(clean):
    result = linted(position_cue(clean, 0.05, 1))
    assert found(result) <= {"position", "position_in_stratum"}
    assert "position" in found(result)
    assert row(result, "position")["which"] == "way B"


def test_a_word_that_tells_the_right_options(clean):
    result = linted(word_cue(clean, 0.1, 1))
    both = {"options_clusters_held_out", "options_topics_held_out"}
    assert both <= found(result)
    assert {"position", "question_clusters_held_out"}.isdisjoint(found(result))


def test_a_topic_leak_goes_where_topics_are_held_out(clean):
    result = linted(topic_leak(clean, 0.3, 1))
    assert {"options_clusters_held_out", "both_clusters_held_out"} <= found(result)
    assert {"options_topics_held_out", "both_topics_held_out"}.isdisjoint(found(result))


def test_one_item_in_ten_asked_twice(clean):
    result = linted(repeated(clean, 0.1, 1))
    assert found(result) == {"duplicates"}
    assert row(result, "duplicates")["statistic"] == 150
    assert row(result, "duplicates")["touched"] == pytest.approx(150 / 1650)
    assert set(result.flags["check"]) == {"duplicates"}
    assert len(result.flags) == 150


def test_repeats_are_left_out_of_the_other_checks():
    """Else each key would count as often as it was copied, and every chance finding with it."""
    items = simulate(Shape(n=60), 11)
    copies = [replace(each, id=f"{each.id}-{k}") for k in range(12) for each in items]
    result = linted(copies)
    assert found(result) == {"duplicates"}
    assert row(result, "length")["items"] == 60


def test_a_stratum_that_not_knowing_wins():
    result = linted(abstaining_stratum(simulate(SHAPES["open"], 5), "stratum 1"))
    assert found(result) == {"constant_answer"}
    assert row(result, "constant_answer")["which"] == "stratum 1: not known"
    own = result.strata.set_index("stratum").loc["stratum 1"]
    assert (own["abstentions"], own["constant"], own["constant_answer"]) == (1, 1, "not known")


def test_a_key_that_cant_be():
    items = simulate(SHAPES["options"], 5)
    items[4] = replace(items[4], key=None, faults=("the key is none of the options",))
    result = linted(items)
    assert found(result) == {"inconsistencies"}
    assert result.flags.to_dict("records") == [
        {"item_id": "4", "check": "inconsistencies", "note": "the key is none of the options"}
    ]
    assert row(result, "position")["items"] == 199


def test_no_check_reads_the_place_of_options_that_have_none():
    items = [
        replace(each, key=0, answer=each.options[0]) for each in simulate(SHAPES["options"], 5)
    ]
    in_order = found(lint(as_benchmark(items)))
    assert {"position", "constant_answer"} <= in_order
    result = lint(as_benchmark(items, ordered=False))
    assert found(result) == set()
    for check in ("position", "position_in_stratum", "question_clusters_held_out"):
        assert row(result, check)["verdict"] == "not applicable"


def test_topics_given_or_derived():
    assert linted(simulate(SHAPES["options"], 1)).topics == "given"
    assert linted(simulate(SHAPES["few lives"], 1)).topics == "derived"
    assert linted([Item("1", "What?", "x")]).topics == "none"


def test_one_item_is_linted_and_nothing_applies():
    result = linted([Item("1", "What?", "x")])
    assert found(result) == set()
    assert row(result, "clusters")["statistic"] == 1


def test_the_same_seed_gives_the_same_tables():
    items = simulate(SHAPES["mixed"], 2)
    first, second, other = (linted(items, seed=seed).checks for seed in (4, 4, 5))
    assert first.equals(second)
    assert not first.equals(other)


def test_too_few_draws_are_refused():
    with pytest.raises(ValueError, match="10 draws"):
        linted([Item("1", "What?", "x")], draws=10)


# ---------------------------------------------------------------- how often it is wrong of its like


def test_a_shape_is_read_off_the_items():
    table = items_table(read_benchmark("data/benchmarks/quay.jsonl").items)
    assert shape_of(table) == Shape(
        n=32, options=(4,) * 32, clusters=4, topics=0, strata=2, sessions=2, abstentions=0.0
    )
    free = shape_of(items_table(read_benchmark("data/benchmarks/quay-open.jsonl").items))
    assert (free.n, set(free.options), free.abstentions) == (20, {0}, 0.2)


def test_a_benchmark_of_which_every_item_is_its_own_life_has_none():
    table = items_table(tuple(simulate(SHAPES["mixed"], 1)))
    shape = shape_of(table)
    assert (shape.clusters, shape.sessions) == (0, 0)
    assert described(shape) == "160 items (open, 2 options, 3 options, 4 options)"


def test_what_is_drawn_has_the_shape_that_it_was_drawn_for():
    wanted = Shape(n=300, options=(0, 4), clusters=7, topics=5, strata=2, sessions=3)
    drawn = shape_of(items_table(tuple(simulate(wanted, 3))))
    assert (drawn.n, drawn.clusters, drawn.topics, drawn.strata, drawn.sessions) == (
        300,
        7,
        5,
        2,
        3,
    )
    assert 0.4 < sum(not size for size in drawn.options) / 300 < 0.6


@pytest.mark.parametrize(
    ("shape", "alarms"),
    [
        (Shape(n=220), 6),
        (Shape(n=100, clusters=20), 11),  # 120 items are nearer to it than 200
        (Shape(n=5000, options=(0,)), 17),
        (Shape(n=20, options=(0,), clusters=0), 17),  # what is asked decides before lives do
        (Shape(n=500, options=(3, 4, 0), clusters=0), 8),
    ],
)
def test_the_nearest_measured_shape_stands_for_one_that_isnt(shape, alarms):
    found = alarms_of(shape, 0, 1)
    assert (found.alarms, found.benchmarks, found.own) == (alarms, 250, False)


def test_the_measured_shapes_make_up_what_is_said_of_all():
    found = [nearest_alarms(shape) for shape in SHAPES.values()]
    assert (sum(each.alarms for each in found), sum(each.benchmarks for each in found)) == (
        false_alarms()["any"]
    )


def test_its_own_shape_is_measured_where_that_is_asked_for():
    shape = Shape(n=40, clusters=4)
    found = alarms_of(shape, 12, 5)
    assert (found.benchmarks, found.own, found.shape) == (
        12,
        True,
        "40 items (4 options) in 4 lives",
    )
    assert found == alarms_of(shape, 12, 5)
    lints = [lint(as_benchmark(simulate(shape, 5 + n)), seed=5 + n).checks for n in range(12)]
    assert found.alarms == sum((checks["verdict"] == "found").any() for checks in lints)


def test_the_summary_says_of_which_shape_it_was_measured():
    benchmark = as_benchmark(simulate(Shape(n=40, clusters=4), 1))
    result = lint(benchmark)
    said = " ".join(summary(result, Alarms(3, 60, "40 items (4 options) in 4 lives", True)).split())
    assert "Of 60 of this one's own shape, 40 items (4 options) in 4 lives: 3 (5.0%)." in said
    near = " ".join(summary(result, nearest_alarms(Shape(n=40))).split())
    assert "Of 250 of the measured shape that is nearest to this one" in near
    assert "Add benchmark_clean=200" in near
    told = json.loads(as_json(result, 1, Alarms(3, 60, "x", True)))["false_alarms_of_this_shape"]
    assert told == {"alarms": 3, "benchmarks": 60, "shape": "x", "own": True}
    assert json.loads(as_json(result, 1))["false_alarms_of_this_shape"] is None


def test_a_clean_benchmark_has_no_day_that_does_not_exist():
    shape = Shape(n=40, options=(0,), clusters=2, sessions=45, strata=1, topics=0)
    items = simulate(shape, 1)
    days = {session.date for item in items for session in item.history.sessions}
    assert len(days) == 45
    assert not any(impossible_dates(day) for day in days)
