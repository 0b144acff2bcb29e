"""The memory systems' worlds: truths by hand, their tables' form, a study's own design."""

from pathlib import Path

import numpy as np
import pytest
from veridical.claims.design import designs
from veridical.claims.worlds import memories
from veridical.claims.worlds.answers import Manner
from veridical.claims.worlds.control3 import Model
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
