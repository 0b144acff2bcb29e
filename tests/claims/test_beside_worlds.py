"""The worlds of an added document and of several mode maps: what they draw, what is true there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from veridical.base.config import check_config
from veridical.claims.catalogue import CLAIMS
from veridical.claims.design import designs
from veridical.claims.planning import plan
from veridical.claims.product import rates
from veridical.claims.rates import measure
from veridical.claims.worlds import beside, rolling, vpe
from veridical.claims.worlds.beside import Added
from veridical.vpe.document import CLAIMED, document_findings
from veridical.vpe.maps import map_findings
from veridical.vpe.measures import measure_problems
from veridical.vpe.paired import MARGINS
from veridical.vpe.rollouts import DOCUMENT

DESIGN = vpe.Design(2, 8, 16, document=True, maps=(560,))
BY = {claim.key: claim for claim in CLAIMS}


def world(key: str):
    (found,) = [one for one in beside.WORLDS if one.key == key]
    return found


# --- what a document does


@pytest.mark.parametrize("problems", [1, 2, 3, 8, 30])
@pytest.mark.parametrize(
    ("added", "mean"),
    [(Added(), 0.0), (Added(effect=0.3), 0.3), (Added(few=0.5), 0.0),
     (Added(margins=1.0, few=0.3), 0.2), (Added(margins=-1.0), -0.2)],
)  # fmt: skip
def test_the_effect_is_the_worlds_whatever_the_number_of_problems(added, mean, problems):
    moved = np.broadcast_to(added.moved(problems, 0.2), problems)
    assert moved.mean() == pytest.approx(mean)
    centre, reach = added.around(problems, 0.2)
    for end in (centre - reach, centre + reach):
        assert end >= -1e-9
        assert (end + moved >= -1e-9).all()
        assert (end + moved <= 1 + 1e-9).all()
    if mean in (0.0, 0.3):
        assert (centre, reach) == (0.5, pytest.approx(0.1))


@pytest.mark.parametrize("nats", [0.05, 0.25, 1.0, 1.5])
def test_ways_that_lose_just_so_much(nats):
    shares = rolling.less_even(nats)
    assert sum(shares) == pytest.approx(1)
    assert np.log(len(shares)) - rolling.entropy(shares) == pytest.approx(nats, abs=1e-6)


def test_an_entropy_by_hand():
    assert rolling.entropy((0.5, 0.25, 0.25)) == pytest.approx(1.5 * np.log(2))
    assert rolling.entropy((0.5, 0.0, 0.5)) == pytest.approx(np.log(2))


def test_rollouts_are_drawn_with_and_without_at_every_horizon():
    design = vpe.Design(2, 8, 16, document=True, horizons=2)
    drawn = beside.draw_added(design, Added(effect=0.3, with_it=(0.7, 0.3)), 30,
                              np.random.default_rng(1))["vpe/rollouts"]  # fmt: skip
    assert len(drawn) == 30 * 2 * 2 * 8 * 16 * 2
    assert drawn["horizon"].unique().tolist() == [1, 2]
    for preset, chance, most in (("own", 0.5, 3), (DOCUMENT, 0.8, 1)):
        own = drawn[drawn["preset"] == preset]
        low, high = binom.ppf([1e-6, 1 - 1e-6], len(own), chance)
        assert low - 200 <= own["verified"].sum() <= high + 200  # problems differ
        assert own["mode"].max() == most
    low, high = binom.ppf([1e-6, 1 - 1e-6], len(own), 0.7)
    assert low <= (own["mode"] == 0).sum() <= high


def rows(*given: tuple[str, float, str]) -> pd.DataFrame:
    return pd.DataFrame(given, columns=["measure", "margin", "finding"])


def test_what_is_true_of_a_document_by_hand():
    """It adds 0.3 and doubles the ways: log 2 nats."""
    helps = world("the document helps, and opens ways")
    table = rows(
        (CLAIMED[0], 0.1, "more"), (CLAIMED[0], 0.1, "less"), (CLAIMED[0], 0.4, "same"),
        (CLAIMED[1], 0.25, "more"), (CLAIMED[1], 0.25, "not settled"), (CLAIMED[1], 0.7, "same"),
    )  # fmt: skip
    changes, same = BY["vpe.document_changes"], BY["vpe.document_same"]
    assert helps.true(changes, table).tolist() == [True, False, True, True, True, True]
    assert helps.true(same, table).tolist() == [False, False, True, False, False, True]


def test_at_the_margin_nothing_is_the_same_and_less_is_the_truth_of_the_ways():
    bound = world("the document is worth the margin")
    table = rows((CLAIMED[0], 0.1, "more"), (CLAIMED[1], 0.25, "less"), (CLAIMED[1], 0.25, "more"))
    assert bound.true(BY["vpe.document_changes"], table).tolist() == [True, True, False]
    assert not bound.true(BY["vpe.document_same"], table).any()


# --- models under several maps


@pytest.mark.parametrize(
    ("shares", "times", "expected"),
    [
        ((0.4, 0.4, 0.1, 0.1), 1, (0.8, 0.2)),
        ((0.4, 0.1, 0.4, 0.1), 1, (0.5, 0.5)),
        ((1 / 3, 0.0, 1 / 3, 0.0, 1 / 3), 1, (1 / 3,) * 3),
        ((0.25,) * 4, 2, (1.0,)),
        ((0.25,) * 4, 0, (0.25,) * 4),
    ],
)
def test_a_map_merges_neighbouring_modes(shares, times, expected):
    assert beside.merged(shares, times) == pytest.approx(expected)


def under(*given: tuple[str, str, str, str]) -> pd.DataFrame:
    table = pd.DataFrame(given, columns=["map", "first", "second", "finding"])
    return table.assign(margin=0.25)


def test_what_is_true_of_two_models_goes_by_map():
    """Four ways against three under the registered map, two against three under the other."""
    turned = world("two maps, first under one and second under the other")
    table = under(
        ("modes", "m1", "m2", "more"), ("modes", "m1", "m2", "less"),
        ("map-1", "m1", "m2", "less"), ("map-1", "m2", "m1", "more"), ("modes", "m1", "m3", "more"),
    )  # fmt: skip
    apart, same = BY["vpe.maps_apart"], BY["vpe.maps_same"]
    assert turned.true(apart, table).tolist() == [True, False, True, True, False]
    assert turned.true(same, table).tolist() == [False, False, False, False, True]


def test_models_equal_under_the_registered_map_differ_under_the_other():
    one = world("two maps, equal under the first alone")
    table = under(("modes", "m1", "m2", "more"), ("map-1", "m1", "m2", "less"))
    assert one.true(BY["vpe.maps_apart"], table).tolist() == [False, True]


def test_the_same_rollouts_stand_under_every_map():
    drawn = world("two maps, models alike").draw(DESIGN, 3, np.random.default_rng(1))
    table = drawn["vpe/rollouts"]
    keys = ["study", "model", "horizon", "problem_id", "sample"]
    one, two = (
        table[table["map"] == name].set_index(keys).sort_index() for name in ("modes", "map-1")
    )
    assert (one["verified"] == two["verified"]).all()
    assert (one["mode"] // 2 == two["mode"]).all()
    assert set(one["mode"]) == {0, 1, 2, 3}


# --- the study's own analysis


def test_many_studies_at_once_are_each_study_by_itself():
    drawn = world("the document helps, and opens ways").draw(DESIGN, 4, np.random.default_rng(2))
    every = vpe.analyse(drawn, DESIGN)["vpe/document"]
    for study, own in drawn["vpe/rollouts"].groupby("study"):
        alone = document_findings(measure_problems(own), 2240, MARGINS)
        mine = every[every["study"] == study].drop(columns="study").reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, alone, check_dtype=False)


def test_many_studies_of_several_maps_are_each_study_by_itself():
    drawn = world("two maps, twice the modes").draw(DESIGN, 4, np.random.default_rng(2))
    every = vpe.analyse(drawn, DESIGN)["vpe/map_contrasts"]
    for study, own in drawn["vpe/rollouts"].groupby("study"):
        problems = measure_problems(own, by=["map"])
        alone = map_findings(problems, {"modes": 2240, "map-1": 560}, MARGINS.nats)
        mine = every[every["study"] == study].drop(columns="study").reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, alone, check_dtype=False)


@pytest.mark.parametrize("problems", [2, 3, 4])
def test_a_few_problems_find_nothing_whatever_is_true(problems):
    design = vpe.Design(2, problems, 16, document=True, maps=(560,))
    claims = [claim for key, claim in BY.items() if key.startswith(("vpe.document", "vpe.maps"))]
    for one in beside.WORLDS:
        for rate in measure(one, claims, vpe.analyse, design, 20, 1):
            assert not rate.false
            assert not rate.power


def test_more_problems_find_more():
    found = [
        measure(world("the document helps, and opens ways"), [BY["vpe.document_changes"]],
                vpe.analyse, vpe.Design(1, n, 32, document=True), 40, 1)[0].power
        for n in (7, 14, 28)
    ]  # fmt: skip
    assert found == sorted(found)
    assert found[-1] > 0.9


# --- of which designs they are


def test_a_design_without_a_document_or_maps_has_none_of_these_worlds():
    bare = vpe.Design(2, 4, 8)
    assert not any(one.fits(bare) for one in beside.WORLDS)
    assert not any(one.fits(vpe.Design(1, 4, 8, maps=(9,))) for one in beside.WORLDS)
    both = [one for one in beside.WORLDS if one.fits(DESIGN)]
    assert both == list(beside.WORLDS)
    drawn = {rate.claim: rate for rate in rates({"vpe": bare}, 2, 1)}
    assert drawn["vpe.document_same"].false is drawn["vpe.document_same"].power is None
    planned = set(plan({"vpe": bare}, 2, 1)["claim"])
    assert planned == {"vpe.apart"}
    assert set(plan({"vpe": DESIGN}, 2, 1)["claim"]) == {claim.key for claim in CLAIMS
                                                          if claim.part == "vpe"}  # fmt: skip


def config(**part) -> dict:
    models = {"m": {"provider": "scripted", "model": "m"}}
    given = {"models": ["m"], "problems": "data/problems/arithmetic.jsonl", "horizons": [24, 96]}
    given |= {"n_problems": 5, "rollouts": 6, **part}
    return check_config({"study": "s", "seed": 1, "models": models, "vpe": given})


def test_the_design_is_the_configs(tmp_path):
    design = designs(config(), tmp_path)["vpe"]
    assert (design.document, design.maps, design.horizons) == (False, (), 2)
    assert (design.share, design.nats) == MARGINS
    maps = {"fine": {"operators": "sequence"}, "coarse": {"equations_cap": 1}}
    own = config(maps=maps, document={"corpus": "A"}, margins={"share": 0.2})
    design = designs(own, tmp_path)["vpe"]
    assert design.document
    assert design.maps == (None, 4 * 16 * 2 * 7)
    assert (design.share, design.nats) == (0.2, 0.25)
