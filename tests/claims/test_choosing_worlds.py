"""Judges who choose: what their worlds draw, what is true in them, and which designs live there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from veridical.base.config import check_config
from veridical.claims.catalogue import CLAIMS
from veridical.claims.design import designs
from veridical.claims.planning import larger, plan
from veridical.claims.product import claims_table
from veridical.claims.rates import measure
from veridical.claims.worlds import choosing, control1
from veridical.claims.worlds.choosing import Chooser, draw
from veridical.claims.worlds.judging import Bench, Design
from veridical.claims.worlds.judging import draw as draw_scores
from veridical.control1.direct.choices import whole_pairs
from veridical.control1.direct.rules import WORTH

DIRECT = Design(pairs="direct")
OWN = [claim for claim in CLAIMS if claim.table in ("control1/preferences", "control1/alone",
                                                    "control1/panel")]  # fmt: skip
SCORED = [claim for claim in CLAIMS if claim.part == "control1" and claim not in OWN]


def drawn(bench, design=DIRECT, studies=200, seed=1):
    return draw(design, bench, studies, np.random.default_rng(seed))["control1/choices"]


def share(table, **where):
    rows = whole_pairs(table, ["study"])
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows["preferred"].map(WORTH).astype(float).mean()


@pytest.mark.parametrize(
    ("bench", "expected"),
    [
        (Chooser(), 0.5),
        (Chooser(own=0.15), 0.65),
        (Chooser(own=0.15, some=0.5), 0.65),
        (Chooser(own=0.3, place=0.5), 0.65),
        (Chooser(own=0.3, ties=0.5), 0.65),
        (Chooser(own=0.3, constant=True), 0.5),
        (Chooser(own=-0.3), 0.2),
        (Chooser(items=0.2, alike=1.0, steady=1.0), 0.5),
    ],
)
@pytest.mark.parametrize("both", [0.0, 1.0])
def test_the_share_is_what_the_world_says_in_one_order_and_in_both(bench, expected, both):
    """Of foreign counterfeits, 200 studies: the truth that the claims are held to."""
    table = drawn(bench, replace(DIRECT, both_orders=both))
    near = 0.025 if bench.constant else 0.012  # of 21 pairs in one order 10 stand first
    assert share(table, condition="foreign") == pytest.approx(expected, abs=near)
    assert 0.5 + bench.of("foreign") == pytest.approx(expected)


def test_kinds_cells_and_quotations_have_their_own():
    bench = Chooser(own={"foreign": 0.3}, first_cell=True, first_heard=True)
    table = drawn(bench, replace(DIRECT, responders=2, corpora=2), studies=100)
    assert share(table, condition="foreign", responder="r1", corpus="c1") == pytest.approx(
        0.8, abs=0.02
    )
    for where in (
        {"condition": "foreign", "responder": "r2"},
        {"condition": "foreign", "corpus": "c2"},
        {"condition": "shuffled"},
        {"condition": "quoted", "corpus": "c2"},
    ):
        assert share(table, **where) == pytest.approx(0.5, abs=0.03)
    assert share(table, condition="quoted", corpus="c1") == pytest.approx(0.95, abs=0.02)


def test_the_design_is_drawn_whole():
    """49 pairs in both orders and 7 quotations, two metrics, three judges; two studies."""
    table = drawn(Chooser(), studies=2)
    assert len(table) == 2 * 3 * 2 * (2 * 49 + 7)
    keys = ["study", "metric", "judge", "item_id", "condition", "seed"]
    sides = table[table["session"] != "positive"].groupby(keys, dropna=False, observed=True)
    assert (sides["own_position"].nunique() == 2).all()
    half = drawn(Chooser(), replace(DIRECT, both_orders=0.5), studies=2)
    assert (half["session"] == "reversed").sum() == 2 * 3 * 2 * 7 * 4  # four of seven items


@pytest.mark.parametrize("world", choosing.WORLDS, ids=lambda world: world.key)
def test_no_world_of_choices_says_what_is_false_by_far(world):
    """100 studies: 5 % allowed, the binomial's 99.9 % lies at 13; rates stand in the notes."""
    for rate in measure(world, OWN, control1.analyse, DIRECT, 100, 2):
        assert rate.false is None or rate.false <= 0.13, rate


@pytest.mark.parametrize(
    ("key", "claim", "least"),
    [
        ("choices: the own memory is plain", "control1.prefers", 0.9),
        ("choices: the counterfeit is preferred", "control1.prefers", 0.4),
        ("choices: always neither", "control1.indifferent", 0.8),
        ("choices: neither in four of five", "control1.indifferent", 0.6),
        ("choices: half go by place", "control1.place", 0.95),
        ("choices: nothing to prefer", "control1.hears", 0.8),
    ],
)
def test_what_is_true_is_found(key, claim, least):
    (world,) = (world for world in choosing.WORLDS if world.key == key)
    wanted = [one for one in OWN if one.key == claim]
    (rate,) = measure(world, wanted, control1.analyse, DIRECT, 60, 3)
    assert rate.power >= least


def test_truths_follow_the_margin():
    """A preference of 0.15 is no preference to a study whose margin is 0.25."""
    world = choosing.world("planned", lambda _: Chooser(own=0.15, ties=0.0))
    (claim,) = (one for one in OWN if one.key == "control1.indifferent")
    for margin, true in ((0.15, False), (0.25, True)):
        design = replace(DIRECT, margin=margin)
        tables = control1.analyse(world.draw(design, 2, np.random.default_rng(1)), design)
        rows = claim.rows(tables[claim.table])
        kinds = rows["contrast"] == "veridical-foreign"
        assert (world.true(claim, rows)[kinds] == true).all()


def test_each_design_lives_in_its_own_worlds():
    scored, opened = Design(), Design(sheet="open")
    kinds = {"scored": scored, "open": opened, "direct": DIRECT}
    by = {
        key: {world.key for world in control1.WORLDS if world.fits(design)}
        for key, design in kinds.items()
    }
    assert not by["scored"] & by["direct"]
    assert by["scored"] < by["open"]
    assert all(key.startswith("open book") for key in by["open"] - by["scored"])
    assert len(by["open"] - by["scored"]) == 6
    assert all(key.startswith("choices") for key in by["direct"])
    several = {w.key for w in control1.WORLDS if w.fits(replace(DIRECT, corpora=2))}
    assert len(several - by["direct"]) == 2


@pytest.mark.parametrize(("design", "claims"), [(Design(), SCORED), (DIRECT, OWN)])
def test_a_study_is_told_the_rates_of_what_it_can_say(design, claims):
    table = claims_table({"control1": design}, 3, 1)
    assert set(table["claim"]) == {claim.key for claim in claims}
    planned = plan({"control1": design}, 3, 1)
    assert set(planned["claim"]) <= {claim.key for claim in claims}
    assert len(planned) == 9  # three claims at three sizes


def test_twice_the_items_find_more():
    design = larger(DIRECT)
    assert (design.items, design.quoted) == (14, 14)
    (world,) = (w for w in choosing.WORLDS if w.key == "choices: twice the margin")
    wanted = [one for one in OWN if one.key == "control1.prefers"]
    few, many = (measure(world, wanted, control1.analyse, each, 60, 3)[0].power
                 for each in (DIRECT, design))  # fmt: skip
    assert many > few + 0.1


def test_a_configs_design_says_what_its_pairs_are():
    models = {"m": {"provider": "scripted", "model": "m", "structured": "grammar"}}
    part = {"corpora": ["A"], "responders": ["m"], "judges": ["m"]}
    study = {"study": "s", "seed": 1, "models": models, "documents": {"author": "m"}}
    made = designs(check_config({**study, "control1": part}), None)["control1"]
    assert (made.pairs, made.sheet, made.margin, made.direct) == ("anchored", "blind", 0.15, False)
    direct = {**part, "pairs": "direct", "sheet": "open", "preference_margin": 0.2}
    made = designs(check_config({**study, "control1": direct}), None)["control1"]
    assert (made.pairs, made.sheet, made.margin, made.direct) == ("direct", "open", 0.2, True)


@pytest.mark.parametrize(
    ("bench", "expected"),
    [
        (Bench(effect=0.10, some=0.5, items=0.0), 0.10),
        (Bench(effect=0.10, uneven=True, items=0.0), 0.10),
        (Bench(effect=0.0, lift=0.3), 0.0),
    ],
)
def test_open_books_are_worth_what_their_worlds_say(bench, expected):
    table = draw_scores(Design(sheet="open"), bench, 300, np.random.default_rng(4))
    scores = table["control1/verdicts"]
    mean = scores.groupby("condition", observed=True)["other_score"].mean()
    assert mean["veridical"] - mean["foreign"] == pytest.approx(expected, abs=0.012)
    level = scores["anchor_score"].mean()
    assert level == pytest.approx(0.5 + bench.lift, abs=0.03)


def test_half_of_the_items_carry_all_of_a_difference():
    table = draw_scores(
        Design(sheet="open", metrics=1), Bench(effect=0.1, some=0.5, items=0, noise=0), 200,
        np.random.default_rng(4),
    )["control1/verdicts"]  # fmt: skip
    foreign = table[(table["condition"] == "foreign") & (table["seed"] == 1)]
    gap = (foreign["anchor_score"] - foreign["other_score"]).round(6)
    assert gap.eq(0.2).mean() == pytest.approx(0.5, abs=0.03)
    assert gap.eq(0.0).mean() == pytest.approx(0.5, abs=0.03)
    assert gap.isin([0.0, 0.2]).mean() > 0.99  # all but those at an end of the scale


def test_uneven_readers_see_nothing_half_and_twice():
    table = draw_scores(
        Design(sheet="open", metrics=1), Bench(effect=0.1, uneven=True, items=0, noise=0), 2,
        np.random.default_rng(4),
    )["control1/verdicts"]  # fmt: skip
    foreign = table[table["condition"] == "foreign"]
    gap = (
        (foreign["anchor_score"] - foreign["other_score"])
        .groupby(foreign["judge"], observed=True)
        .mean()
    )
    assert gap.round(6).tolist() == [0.0, 0.1, 0.2]
