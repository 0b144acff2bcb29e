"""A plan: true worlds of three sizes, power that grows with size, and what it would cost."""

import math
from pathlib import Path

import pandas as pd
import pytest
from scipy.stats import binom
from support.fixture_claims import DESIGNS
from veridical.base.config import configure
from veridical.claims import planning
from veridical.claims.catalogue import CLAIMS
from veridical.claims.planning import EFFECTS, SIZES, as_text, larger, plan
from veridical.claims.product import ROOMS
from veridical.claims.rates import measure
from veridical.claims.tables import PLAN
from veridical.claims.worlds import control2, control3
from veridical.corpora.corpus import read_corpus
from veridical.ledger.costs import by_part


@pytest.mark.parametrize("each", EFFECTS, ids=lambda each: each.claim)
def test_a_claim_is_true_of_every_row_of_its_planned_worlds(each):
    """Else its power would be of some rows only; and the three differ in words."""
    (claim,) = [one for one in CLAIMS if one.key == each.claim]
    assert not claim.registered
    assert len({each.words.format(at) for at in each.at}) == 3
    for world in each.made:
        analyse, design = ROOMS[claim.part].analyse, DESIGNS[claim.part]
        (rate,) = measure(world, [claim], analyse, design, 4, 1)
        assert rate.power is not None
        if claim.part not in ("benchmarks", "control2"):  # there rows differ in kind
            assert rate.false is None


def test_power_is_that_of_the_exact_test():
    """One model, 24 probes: chance is beaten with 17 or more right (p = 0.032); 16 give 0.076."""
    table = plan({"control2": control2.Design(1, 24)}, 400, 3).query("claim == 'control2.solves'")
    assert table["size"].to_list() == list(SIZES)
    for row, share in zip(table.itertuples(), (0.65, 0.75, 0.90), strict=True):
        exact = binom.sf(16, 24, share)  # neighbours alike by chance cost a little of it
        assert exact - 0.12 < row.power < exact + 0.05
        assert row.power_low <= row.power <= row.power_high
        assert row.twice >= row.power - 0.02
    PLAN.check(table.reset_index(drop=True), "the plan")


def test_a_design_without_pairs_known_by_construction_finds_no_sameness():
    from dataclasses import replace

    bare = replace(DESIGNS["control1"], quoted=0)
    table = plan({"control1": bare}, 5, 3).set_index(["claim", "size"])
    assert table.loc[("control1.equivalent", "large"), "power"] == 0
    assert math.isnan(table.loc[("control1.sensitive", "large"), "power"])
    assert " - (    -)" in as_text(table.reset_index(), {})


def test_twice_the_size_is_twice_what_is_asked():
    assert larger(DESIGNS["control3"]) == control3.Design({"A": 2, "B": 2}, 3, 48)
    assert larger(DESIGNS["memories"]).reader_probes == 24
    assert (larger(DESIGNS["control1"]).items, larger(DESIGNS["control1"]).quoted) == (14, 14)
    assert larger(DESIGNS["vpe"]).problems == 16
    twice = larger(DESIGNS["benchmarks"])
    assert len(twice.strata) == len(twice.lives) == len(twice.chance) == 96
    assert len(set(twice.lives)) == 16  # other lives, not more of the same


def test_nothing_is_planned_where_nothing_is_claimed():
    assert plan({}, 3, 1).empty
    assert list(plan({}, 3, 1).columns) == PLAN.names


def test_the_text_names_every_effect_and_every_part(tmp_path):
    config = configure(["config/rehearsal.yaml"], [])
    read = {name: read_corpus(Path("data/corpora") / name) for name in ("A", "B")}
    costs = by_part(config, read, tmp_path, tmp_path, Path("data/prices.csv"))
    asked = costs["control3"]["calls"]
    # two corpora, three models, 24 probes under a true, a false and no document
    assert asked >= 2 * 3 * 24 * 3
    parts = [name for name in costs if name != "all"]
    assert costs["all"]["calls"] == sum(costs[name]["calls"] for name in parts)
    rows = [("control3.uses", "control3", size, f"{n} of ten", 9, n / 10, 0.0, 1.0, 1.0)
            for n, size in zip((1, 5, 9), SIZES, strict=True)]  # fmt: skip
    text = as_text(pd.DataFrame(rows, columns=PLAN.names), costs)
    for words in ("control3: uses", "10% ( 100%)  1 of ten", "large", "What it would take at most"):
        assert words in text
    assert all(f"\n{part} " in text for part in costs)


def test_a_part_without_a_known_price_has_no_price(tmp_path):
    config = configure(["config/kairos.yaml"], [])
    read = {name: read_corpus(Path("data/corpora") / name) for name in ("A", "B")}
    costs = by_part(config, read, tmp_path, tmp_path, Path("data/prices.csv"))
    costs["control3"] = costs["control3"] | {"cost": None}
    assert "no price" in planning.as_text(pd.DataFrame(columns=PLAN.names), costs)
    assert costs["control1"]["prompt_tokens"] > 0
