"""What Control 3's page and drill tell of a cell: partners, shifts, accuracies, what is valid."""

from __future__ import annotations

import pandas as pd
import pytest
from support.fixture_study import read, symmetric_tables
from veridical.control3.drill import _told, _under
from veridical.control3.findings import find
from veridical.control3.page import method
from veridical.control3.silence import orders_table
from veridical.control3.tables import ANSWERS
from veridical.report.wording import Wording, plain

EN, IT = Wording.read("en").of("control3"), Wording.read("it").of("control3")


def cells(**changes: object) -> pd.DataFrame:
    return symmetric_tables()["control3/cells"].assign(**changes)


def keys(found) -> list[str]:
    return [said.key for said in (found.answer, *found.limits, *found.details)]


@pytest.mark.parametrize(
    ("without", "valid"),
    [
        (["not shown"] * 14, True),
        (["not testable"] + ["not shown"] * 13, True),
        (["beats chance"] + ["not shown"] * 13, False),  # one that knows is enough
        (["doubtful"] * 14, False),  # nothing was shown, but of no cell
        (["not testable"] * 14, False),
    ],
)
def test_the_check_without_a_document_is_passed_by_all_or_not_at_all(without, valid):
    assert ("valid" in keys(find(cells(without=without), EN))) == valid


def test_of_one_cell_it_is_not_said_that_all_follow():
    only = cells().query("finding == 'follows'").head(1)
    assert find(only, EN).answer.key == "one_all"
    two = cells().query("finding == 'follows'").head(2)
    assert find(two, EN).answer.key == "all"


def test_a_document_has_its_shift_where_there_are_several():
    one, second = _under("binding-corrupted", EN), _under("binding-corrupted-2", EN)
    assert second == f"{one} 2"
    assert not any(character.isdigit() for character in one)


@pytest.mark.parametrize(("words", "shares"), [(EN, "91.7% → 8.3%"), (IT, "91,7 % → 8,3 %")])
def test_a_cell_is_told_by_its_accuracies_where_it_was_tested(words, shares):
    cell = {"tested": "tested", "veridical_accuracy": 22 / 24, "corrupted_accuracy": 2 / 24}
    assert plain(_told(cell, words)).replace("\u202f", " ").replace("\u00a0", " ") == shares
    open_ = cell | {"tested": "not testable"}
    assert _told(open_, words) == words.value("tested", "not testable") != shares


def test_the_method_counts_the_partners_and_shows_a_question_where_there_are_any(study_root):
    study = read(study_root)
    asked = {each["question"] for each in study.exchanges["control3"]["facts"]}
    said = " ".join(method(study, EN))
    assert "two partners" in said
    assert any(question in said for question in asked)
    del study.tables[ANSWERS.name]
    without = " ".join(method(study, EN))
    assert "two partners" not in without
    assert "–" in without


def row(answer: str | None, first: str, **more: object) -> dict:
    state = "ok" if answer else "abstained"
    key = {"corpus": "A", "model": "m", "document": "veridical", "probe_id": "p1"}
    return {**key, "answer": answer, "first_option": first, "state": state, **more}


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [  # (answered both times, the same partner, the one offered first both times)
        (("Al", "Al"), ("Bo", "Bo"), (1, 0, 1)),
        (("Al", "Bo"), ("Bo", "Bo"), (1, 0, 0)),  # first the second time alone
        (("Al", "Al"), ("Al", "Bo"), (1, 1, 0)),
        ((None, "Al"), ("Bo", "Bo"), (0, 0, 0)),
    ],
)
def test_first_twice_is_first_both_times(one, two, expected):
    (found,) = orders_table(pd.DataFrame([row(*one)]), pd.DataFrame([row(*two)])).itertuples()
    assert (found.both, found.same, found.first_twice) == expected
