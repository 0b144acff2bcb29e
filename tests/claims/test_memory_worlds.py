"""The memory systems' worlds: truths by hand, their tables' form, a study's own design."""

from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from veridical.claims.design import designs
from veridical.claims.worlds import memories
from veridical.claims.worlds.answers import Manner
from veridical.claims.worlds.control3 import Model
from veridical.documents.corrupted import COUNTED
from veridical.memories.tables import ANSWERS

DESIGN = memories.Design({"A": 2, "B": 3}, ("one", "two"), 24, {"model": (("A", "one"),)}, 12)


def drawn(key: str, studies: int = 3):
    (world,) = [each for each in memories.WORLDS if each.key == key]
    return world.draw(DESIGN, studies, np.random.default_rng(5))["memories/answers"]


@pytest.mark.parametrize(
    ("true", "swapped", "empty", "holds"),
    [
        (Manner(0.5), Manner(0.5), Manner(0.5), set()),
        (Manner(0.5), Manner(0.5, 1.0), Manner(0.5), set()),  # silence is no use
        (Manner(1.0), Manner(0.0), Manner(1.0), {"guessed"}),  # the first life, whatever went in
        (Manner(1.0), Manner(0.5), Manner(0.5), {"uses"}),
        (Manner(1.0), Manner(1.0), Manner(0.5), {"uses", "follows"}),
        (Manner(1.0, 0.5), Manner(1.0, 0.5), Manner(0.5), {"uses"}),  # half of all is not 55 %
        (Manner(0.0), Manner(0.0), Manner(0.5), {"against", "alarm"}),
        (Manner(0.2), Manner(0.8), Manner(0.5), {"alarm"}),  # the swapped life, whatever went in
    ],
)
def test_what_is_true_of_a_store_with_two_partners(true, swapped, empty, holds):
    assert memories.true_of(Model(true, swapped, empty), 2) == holds


def test_with_three_partners_whoever_leaves_the_swapped_one_names_the_true_one_in_half():
    """So a bank decides: true in 1 of 1 from the true bank, in 1 of 2 from the swapped one."""
    assert memories.true_of(Model(Manner(1.0), Manner(0.0), Manner(1 / 3)), 3) == {"uses"}
    coin = Manner(1 / 3)
    assert memories.true_of(Model(coin, coin, coin), 3) == set()


def test_studies_have_the_form_of_the_parts_own_table():
    table = drawn("nothing found, the reader guesses")
    for _, study in table.groupby("study"):
        plain = study.drop(columns="study")[ANSWERS.names].reset_index(drop=True)
        ANSWERS.check(plain, "a study of the world")
    sizes = table[table["study"] == 0].groupby(["reader", "corpus", "system"]).size()
    # documents: the true bank, k - 1 swapped, the empty one
    assert sizes["ideal", "A"].to_list() == [3 * 24] * 2
    assert sizes["ideal", "B"].to_list() == [4 * 24] * 2
    assert sizes["model"].to_list() == [3 * 12]


def test_a_store_that_ignores_the_bank_names_the_first_life_from_each():
    table = drawn("the first life, whatever went in")
    two = table[(table["corpus"] == "A") & (table["document"] != "none")]
    assert (two["answer"] == two["true_partner"]).all()


def test_every_second_system_is_the_other():
    table = drawn("finds all, the other nothing", 40)
    banks = table[table["document"] != "none"]
    agrees = (banks["answer"] == banks["document_partner"]).groupby(banks["system"]).mean()
    assert agrees["one"] == 1
    assert agrees["two"] == pytest.approx(0.5, abs=0.15)


def test_a_studys_design_says_who_reads_what(monkeypatch):
    monkeypatch.setattr("veridical.claims.design.count_partners", lambda folder: 2)
    config = {
        "control3": {"corpora": ["A", "B"], "responders": ["m"], "probes": 24},
        "memories": {
            "systems": {"full-text": {}, "window": {}},
            "readers": [{"model": "m", "systems": ["full-text"], "corpora": 1}, {"model": "n"}],
            "reader_probes": 12,
        },
    }
    design = designs(config, Path("data/corpora"))["memories"]
    assert design.asked() == [
        ("ideal", "A", "full-text", 24),
        ("ideal", "A", "window", 24),
        ("ideal", "B", "full-text", 24),
        ("ideal", "B", "window", 24),
        ("m", "A", "full-text", 12),
        ("n", "A", "full-text", 12),
        ("n", "A", "window", 12),
        ("n", "B", "full-text", 12),
        ("n", "B", "window", 12),
    ]


LIVES = memories.Design(
    {"L": COUNTED, "A": 2}, ("one", "two"), 9, {"m": (("L", "one"),)}, 5, {"L": (4, 3, 2)}
)


def test_a_life_is_asked_for_its_values_as_often_as_they_are_among_its_probes():
    assert (LIVES.of("L", 9).k("L"), LIVES.of("L", 9).probes) == (3, 9)
    # Of five, by largest remainders: 2 2/9, 1 6/9 and 1 1/9.
    assert LIVES.of("L", 5).margins == {"L": (2, 2, 1)}
    assert LIVES.of("L", 40).probes == 9  # there are no more
    assert (LIVES.of("A", 9).k("A"), LIVES.of("A", 9).margins) == (2, {})


def test_studies_of_lives_hold_what_their_margins_say_and_are_told_their_values():
    (world,) = [each for each in memories.WORLDS if each.key == "finds all"]
    tables = world.draw(LIVES, 2, np.random.default_rng(3))
    drawn = tables["memories/answers"]
    own = drawn[(drawn["corpus"] == "L") & (drawn["study"] == 0) & (drawn["document"] == "none")]
    ideal = own[(own["reader"] == "ideal") & (own["system"] == "one")]
    assert ideal["true_partner"].value_counts().to_dict() == {"P1": 4, "P2": 3, "P3": 2}
    assert len(own[own["reader"] == "m"]) == 5
    cells = memories.analyse(tables, LIVES)["memories/cells"]
    assert set(zip(cells["corpus"], cells["k"], strict=True)) == {("L", 3), ("A", 2)}
    assert set(cells.loc[cells["reader"] == "ideal", "verdict"]) == {"follows"}


@pytest.mark.parametrize(
    "key", ["the first life, silent in half from the empty bank", "always one name"]
)
def test_of_a_life_nothing_is_said_of_a_store_that_the_bank_does_not_move(key):
    """Of 60 studies at most six: a rate of 5 % gives more in fewer than one of twenty."""
    (world,) = [each for each in memories.WORLDS if each.key == key]
    design = memories.Design({"L": COUNTED}, ("one", "two"), 9, margins={"L": (4, 3, 2)})
    drawn = world.draw(design, 60, np.random.default_rng(11))
    cells = memories.analyse(drawn, design)["memories/cells"]
    for verdict in ("uses", "follows"):
        assert cells[cells["verdict"] == verdict]["study"].nunique() <= 6


def test_a_studys_design_takes_the_margins_of_its_lives():
    config = {
        "control3": {"corpora": ["Livia", "A"], "responders": ["m"], "probes": 9},
        "memories": {"systems": {"full-text": {}}, "corpora": ["Livia"]},
    }
    design = designs(config, ROOT / "data/corpora")["memories"]
    assert (design.corpora, design.margins) == ({"Livia": COUNTED}, {"Livia": (4, 3, 2)})
