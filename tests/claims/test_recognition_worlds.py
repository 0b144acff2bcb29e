"""Control 2's worlds of several corpora: what is drawn, what is true, how often it is missaid."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support import stranger
from veridical.claims.catalogue import CLAIMS
from veridical.claims.design import designs
from veridical.claims.rates import measure
from veridical.claims.worlds import control2
from veridical.claims.worlds.answers import Manner
from veridical.claims.worlds.control2 import Design, Model, analyse, world

FOUR = Design(2, 24, corpora=2)
OWN = [one for one in CLAIMS if one.part == "control2"]
FIRST = [one for one in control2.WORLDS if "first corpus" in one.key]


def claim(name: str):
    return next(one for one in OWN if one.key == f"control2.{name}")


def test_every_cell_has_all_answers():
    tables = control2.WORLDS[0].draw(
        Design(3, 8, samples=2, corpora=2), 5, np.random.default_rng(1)
    )
    answers, samples = tables["control2/answers"], tables["control2/samples"]
    assert len(answers) == 5 * 2 * 3 * 3 * 8  # studies, corpora, models, conditions, probes
    assert len(samples) == 5 * 2 * 3 * 2 * 8
    assert answers["corpus"].astype(str).drop_duplicates().tolist() == ["c1", "c2"]
    places = answers.groupby(["study", "corpus", "model", "condition"], observed=True)["place"]
    assert (places.nunique() == 8).all()


def test_the_order_in_the_log_is_a_corpus_s_own():
    table = control2.WORLDS[0].draw(FOUR, 1, np.random.default_rng(1))["control2/answers"]
    orders = [own["place"].tolist() for _, own in table.groupby("corpus", observed=True)]
    assert orders[0] != orders[1]
    assert orders[0][:24] == orders[0][24:48]  # and one for all who answer about it


def test_the_family_is_that_of_all_cells():
    found = analyse(control2.WORLDS[0].draw(FOUR, 3, np.random.default_rng(1)), FOUR)
    assert set(found["control2/validity"]["m"]) == {4}
    assert set(found["control2/prior_bias"]["m"]) == {8}
    assert len(found["control2/prior_bias"]) == 3 * 8


def test_a_design_of_one_corpus_is_drawn_as_it_ever_was():
    """The numbers of the catalogue's worlds before there were corpora: 250 studies, seed 1."""
    one = Design(2, 24)
    assert one.about == ["c1"]
    rates = measure(control2.WORLDS[0], OWN, analyse, one, 50, 1)
    tables = control2.WORLDS[0].draw(one, 50, np.random.default_rng(1))
    bare = {name: table.drop(columns="corpus") for name, table in tables.items()}
    for name, table in analyse(bare, one).items():
        pd.testing.assert_frame_equal(table, analyse(tables, one)[name])
    assert all(rate.false is None or rate.false <= 0.1 for rate in rates if "reg" not in rate.claim)


@pytest.mark.parametrize("one", FIRST, ids=lambda one: one.key)
def test_what_holds_of_the_first_corpus_is_true_of_it_alone(one):
    assert one.fits(FOUR)
    assert not one.fits(Design(2, 24))
    found = analyse(one.draw(FOUR, 2, np.random.default_rng(1)), FOUR)
    name, table = (
        ("solves", "control2/validity") if "solves" in one.key else ("adds", "control2/prior_bias")
    )
    rows = claim(name).rows(found[table])
    true = one.true(claim(name), rows)
    there = (rows["corpus"].astype(str) == "c1").to_numpy()
    assert (true <= there).all()
    assert true[there].any()


@pytest.mark.parametrize(
    ("key", "name", "least"),
    [
        ("solves the first corpus's probe alone", "solves", 0.7),
        ("reads the first corpus's document alone", "adds", 0.5),
    ],
)
def test_it_is_found_there_and_hardly_said_of_the_other(key, name, least):
    (one,) = [one for one in FIRST if one.key == key]
    (rate,) = measure(one, [claim(name)], analyse, FOUR, 150, 1)
    assert rate.power >= least
    assert rate.false <= 0.08


def test_more_cells_cost_power():
    solves = world("solved", Model(none=Manner(0.8)))
    powers = [
        measure(solves, [claim("solves")], analyse, Design(2, 24, corpora=n), 150, 1)[0].power
        for n in (1, 4)
    ]
    assert powers[0] > powers[1] > 0.3


# --- a study's own design -------------------------------------------------------------------------

CONFIG = {"control2": {"responders": ["a", "b"], "probes": 12, "prior_samples": 3,
                       "validity": {"registered": "point"}}}  # fmt: skip


@pytest.mark.parametrize("corpora", [["A"], ["A", "B", "C"]])
def test_a_design_counts_its_corpora(corpora, tmp_path):
    config = {"control2": CONFIG["control2"] | {"corpora": corpora}}
    found = designs(config, tmp_path)["control2"]
    assert found == Design(2, 12, 3, {"registered": "point"}, len(corpora))


def test_the_corpora_of_a_brought_table_are_counted_and_the_smallest_decides(tmp_path):
    one = stranger.recognised(("keen", "blind"), 8).assign(corpus="A")
    two = stranger.recognised(("keen", "blind"), 6).assign(corpus="B")
    again = one[one["condition"] == "none"].assign(sample=1)
    table = pd.concat([one.assign(sample=0), again, two.assign(sample=0)])
    path = tmp_path / "own.csv"
    stranger.write(table, path)
    given = CONFIG["control2"] | {"answers_csv": str(path)}
    found = designs({"control2": given}, tmp_path)["control2"]
    assert (found.models, found.probes, found.samples, found.corpora) == (2, 6, 2, 2)
