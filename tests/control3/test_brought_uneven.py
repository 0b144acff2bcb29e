"""Answers given elsewhere about values of unequal frequency: chance from the counts, exactly."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from support.histories import write_history
from veridical.base.brought import partners_in
from veridical.claims.design import designs
from veridical.claims.worlds.control3 import _moved
from veridical.control3.brought import read_own_answers, read_own_probes
from veridical.control3.cells import cells
from veridical.corpora.corpus import read_corpus

TRUE = ["red"] * 4 + ["blue"] * 3 + ["green"] * 2
MOVED = ["blue", "blue", "green", "green", "red", "red", "green", "red", "red"]  # none where it was
assert not any(a == b for a, b in zip(TRUE, MOVED, strict=True))


def answers(without: list[str] | None = None, **changed: object) -> pd.DataFrame:
    """One reader that follows its documents, and says `without` where it has none."""
    told = {"veridical": TRUE, "binding-corrupted": MOVED, "none": without or [""] * len(TRUE)}
    rows = [
        {"corpus": "Elsewhere", "model": "reader", "document": document, "probe_id": f"s{n}",
         "answer": answer, "true_partner": TRUE[n], "first_option": "red",
         "document_partner": {"veridical": TRUE[n], "binding-corrupted": MOVED[n]}.get(document)}
        for document, given in told.items() for n, answer in enumerate(given)
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(**changed)


def test_chance_is_reckoned_from_the_counts(write):
    """Nine probes, four of them red: who always says red is right in 4 of 9, and not in 3."""
    path = write(answers())
    table = cells(read_own_answers(path), [("Elsewhere", "reader")], partners_in(path))
    (row,) = table.to_dict("records")
    assert row["corrupted_document"] == "binding-corrupted"
    assert row["chance"] == pytest.approx(4 / 9)
    assert (row["veridical_correct"], row["corrupted_correct"]) == (9, 0)
    assert row["corrupted_named"] == 9


def test_the_check_without_a_document_counts_every_order_of_its_answers(write):
    """Six answers right: the share of all orders of the same nine answers with six hits or more."""
    given = ["red", "red", "red", "blue", "blue", "blue", "red", "green", "green"]
    path = write(answers(given))
    table = cells(read_own_answers(path), [("Elsewhere", "reader")], partners_in(path))
    hits = [
        sum(a == b for a, b in zip(order, TRUE, strict=True)) for order in set(permutations(given))
    ]
    there = sum(a == b for a, b in zip(given, TRUE, strict=True))
    exact = sum(hit >= there for hit in hits) / len(hits)
    assert table["none_p"].iloc[0] == pytest.approx(exact)
    assert abs(exact - 0.3) > 0.01  # the binomial at one in three would be another number


def test_documents_and_partners_of_such_a_table_are_held_to_it(write):
    strange = answers().replace("binding-corrupted", "binding-corrupted-1")
    with pytest.raises(
        ValueError,
        match=r"'binding-corrupted-1' is none of veridical, "
        r"binding-corrupted, none, which .* 3 partners, unequally often the answer",
    ):
        read_own_answers(write(strange))
    with pytest.raises(ValueError, match=r"column document_partner: missing; with 3 partners only"):
        read_own_answers(write(answers().drop(columns="document_partner")))


def test_two_unequal_partners_are_swapped_where_the_table_does_not_say(write):
    two = answers().replace("green", "blue")
    bare = read_own_answers(write(two.drop(columns="document_partner")))
    named = bare[bare["document"] == "binding-corrupted"]
    assert list(named["document_partner"]) == ["blue"] * 4 + ["red"] * 5
    two.loc[two["document"] == "binding-corrupted", "document_partner"] = TRUE[:4] + ["red"] * 5
    said = read_own_answers(write(two))
    told = said[said["document"] == "binding-corrupted"]["document_partner"]
    assert list(told) == TRUE[:4] + ["red"] * 5


def test_the_claims_rates_are_measured_at_these_counts(write, tmp_path):
    part = {"answers_csv": str(write(answers())), "responders": ["reader"]}
    found = designs({"control3": part}, tmp_path)["control3"]
    assert (found.corpora, found.probes) == ({"Elsewhere": 0}, 9)
    assert found.margins == {"Elsewhere": (4, 3, 2)}
    assert found.k("Elsewhere") == 3


def test_values_are_exchanged_where_that_can_be_and_else_moved_on():
    true = np.repeat([0, 1, 2], [4, 3, 2])
    assert (_moved(true, 3) != true).all()
    assert sorted(_moved(true, 3)) == sorted(true)
    frequent = np.repeat([0, 1], [5, 2])
    assert _moved(frequent, 2).tolist() == [1] * 5 + [0] * 2


def test_own_probes_of_a_life_need_not_be_balanced(write, tmp_path):
    life = read_corpus(write_history(tmp_path / "T"))
    ids = list(life.remembered()["encounter_id"])
    own = pd.DataFrame({"corpus": "T", "probe_id": [f"p{n}" for n in range(len(ids))],
                        "encounter_id": ids})  # fmt: skip
    probes = read_own_probes(write(own), life, len(ids))
    assert probes["true_partner"].value_counts().nunique() > 1
    assert list(probes["true_partner"]) == list(life.remembered()["partner"])
