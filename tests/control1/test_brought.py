"""Control 1's own tables: answers and verdicts given elsewhere, and an earlier study's session."""

from __future__ import annotations

import pandas as pd
import pytest
from support import stranger
from veridical.base.tables import table_text
from veridical.control1.blinding import check_responses
from veridical.control1.brought import (
    blinding_of,
    read_earlier,
    read_own_responses,
    read_own_verdicts,
)
from veridical.control1.tables import BLINDING, RESPONSES, VERDICT

DOCUMENTS = ["foreign-1", "foreign-2", "shuffled-1", "shuffled-2"]
TEST_DAY = pd.DataFrame({"item_id": ["T1", "T2"], "input": ["a", "b"], "anchor": ["", ""]})


def answers() -> pd.DataFrame:
    corpus = type("Corpus", (), {"test_day": TEST_DAY})
    return stranger.responses(corpus)


def test_responses_are_taken_as_they_stand(write):
    table = read_own_responses(write(answers()), {"A": TEST_DAY}, {"A": DOCUMENTS}, none=False)
    check_responses(table, ["T1", "T2"])
    assert table_text(table, RESPONSES)
    assert len(table) == 12
    assert set(table["document"]) == {"anchor", "veridical", *DOCUMENTS}
    said = table.set_index(["item_id", "document"])["text"]
    assert said["T2", "foreign-2"] == "To T2 I say what foreign 2 has me say."


def test_anchors_come_from_the_corpus_where_the_table_has_none(write):
    lived = TEST_DAY.assign(anchor=["one", "two"])
    rest = answers().query("condition != 'anchor'")
    table = read_own_responses(write(rest), {"A": lived}, {"A": DOCUMENTS}, none=False)
    assert table[table["condition"] == "anchor"]["text"].tolist() == ["one", "two"]
    with pytest.raises(ValueError, match="there is no anchor"):
        check_responses(
            read_own_responses(write(rest), {"A": TEST_DAY}, {"A": DOCUMENTS}, none=False),
            ["T1", "T2"],
        )


@pytest.mark.parametrize(
    ("documents", "none", "said"),
    [
        ([*DOCUMENTS, "foreign-3"], False, "it lacks foreign-3: answer under them too"),
        (DOCUMENTS[1:], False, "it has foreign-1, which the config doesn't describe"),
        (DOCUMENTS, True, "it lacks none"),
    ],
)
def test_documents_and_config_must_agree(write, documents, none, said):
    with pytest.raises(ValueError, match=said):
        read_own_responses(write(answers()), {"A": TEST_DAY}, {"A": documents}, none=none)


def test_a_counterfeit_without_its_seed_is_named_by_row(write):
    table = answers()
    table.loc[4, "seed"] = pd.NA
    with pytest.raises(ValueError, match=r"row 6, column seed: missing; it says which foreign"):
        read_own_responses(write(table), {"A": TEST_DAY}, {"A": DOCUMENTS}, none=False)


def test_verdicts_become_sheets_and_a_map(write):
    own = read_own_verdicts(write(stranger.verdicts(("warmth", "wit"))))
    assert table_text(own, VERDICT)
    drawn = blinding_of(own)
    assert table_text(drawn, BLINDING)
    # two judges; 8 items under five documents, and 7 quotations
    assert len(drawn) == 2 * (8 * 5 + 7)
    assert {tuple(names) for _, names in own.groupby("sheet_id")["metric"]} == {("warmth", "wit")}
    sessions = drawn["session"].value_counts()
    assert sessions.to_dict() == {"counterfeit": 64, "original": 16, "positive": 14}


def test_a_missing_score_makes_the_whole_sheet_incomplete(write):
    table = stranger.verdicts(("warmth", "wit"))
    table.loc[1, "other_score"] = None  # the second metric of the first sheet
    own = read_own_verdicts(write(table))
    assert own["state"].tolist()[:3] == ["incomplete", "incomplete", "complete"]
    assert own["anchor_score"].isna().tolist()[:3] == [True, True, False]
    assert own["reason"].iloc[0] == "no score"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("other_score", 1.2, r"row 2, column other_score: 1.2 is not in 0..1"),
        ("condition", "forged", r"row 2, column condition: 'forged' is none of veridical"),
        ("anchor_position", "left", r"row 2, column anchor_position: 'left' is none of A, B"),
    ],
)
def test_a_cell_that_breaks_the_contract_is_named(write, column, value, said):
    table = stranger.verdicts()
    table.loc[0, column] = value
    with pytest.raises(ValueError, match=said):
        read_own_verdicts(write(table))


def test_a_pair_whose_anchor_has_two_places_is_refused(write):
    table = stranger.verdicts(("warmth", "wit"))
    table.loc[1, "anchor_position"] = "B" if table.loc[1, "anchor_position"] == "A" else "A"
    with pytest.raises(ValueError, match=r"rows 2 and after, column anchor_position: one pair of"):
        read_own_verdicts(write(table))


def test_an_earlier_session_is_taken_where_all_else_is_the_same(write):
    now = read_own_verdicts(write(stranger.verdicts()))
    then = read_earlier(write(stranger.verdicts(shift=0.25)), now)
    assert set(then["session"]) == {"original"}
    assert then["anchor_score"].eq(0.75).all()
    assert set(then["sheet_id"]).isdisjoint(now["sheet_id"])


@pytest.mark.parametrize(
    ("column", "old", "new"), [("judge", "ann", "cid"), ("item_id", "Q1", "Q9"),
                               ("metric", "warmth", "wit")]
)  # fmt: skip
def test_an_earlier_session_of_other_judges_items_or_metrics_is_refused(write, column, old, new):
    now = read_own_verdicts(write(stranger.verdicts()))
    other = stranger.verdicts()
    other[column] = other[column].replace(old, new)
    with pytest.raises(ValueError, match=rf"its {column} and this study's are not the same"):
        read_earlier(write(other), now)


def test_an_earlier_study_needs_veridical_pairs(write):
    now = read_own_verdicts(write(stranger.verdicts()))
    rest = stranger.verdicts().query("condition != 'veridical'")
    with pytest.raises(ValueError, match="has no verdict of the session original"):
        read_earlier(write(rest), now)


# --- several cells --------------------------------------------------------------------------------


def of_cells(table: pd.DataFrame, *cells: tuple[str, str]) -> pd.DataFrame:
    """The table once a cell."""
    return pd.concat([table.assign(responder=r, corpus=c) for r, c in cells], ignore_index=True)


def test_answers_of_several_cells_are_taken_cell_by_cell(write):
    table = of_cells(answers(), ("m", "A"), ("n", "A"), ("m", "B"))
    days, documents = dict.fromkeys("AB", TEST_DAY), dict.fromkeys("AB", DOCUMENTS)
    found = read_own_responses(write(table), days, documents, none=False)
    assert table_text(found, RESPONSES)
    assert found.groupby(["responder", "corpus"]).size().to_dict() == {
        ("m", "A"): 12, ("m", "B"): 12, ("n", "A"): 12,
    }  # fmt: skip
    with pytest.raises(ValueError, match="no answer in corpus B"):
        read_own_responses(write(table.query("corpus == 'A'")), days, documents, none=False)
    with pytest.raises(ValueError, match="column corpus: B, and control1/corpora has A"):
        read_own_responses(write(table), {"A": TEST_DAY}, documents, none=False)
    short = {"A": DOCUMENTS, "B": [*DOCUMENTS, "foreign-9"]}
    with pytest.raises(ValueError, match="it lacks foreign-9"):
        read_own_responses(write(table), days, short, none=False)


def test_a_row_that_does_not_say_whose_it_is_is_named(write):
    table = of_cells(answers(), ("m", "A"))
    table.loc[3, "responder"] = None
    with pytest.raises(ValueError, match=r"row 5, column responder: missing; say it in every row"):
        read_own_responses(write(table), {"A": TEST_DAY}, {"A": DOCUMENTS}, none=False)


def test_answers_of_one_responder_need_not_say_whose_they_are(write):
    own = {"none": False, "responders": ["m"]}
    found = read_own_responses(write(answers()), {"A": TEST_DAY}, {"A": DOCUMENTS}, **own)
    assert set(found["responder"]) == {"m"}
    assert set(found["corpus"]) == {"A"}


def test_verdicts_of_several_cells_stand_on_sheets_of_their_own(write):
    table = of_cells(stranger.verdicts(), ("m", "A"), ("n", "A"))
    quoted = table["condition"] == "quoted"
    table = table[~(quoted & (table["responder"] == "n"))]  # a quotation is nobody's answer
    own = read_own_verdicts(write(table))
    assert table_text(own, VERDICT)
    sheets = own.drop_duplicates("sheet_id").groupby(["responder", "session"]).size().to_dict()
    assert sheets == {
        ("", "positive"): 14,
        ("m", "counterfeit"): 64, ("m", "original"): 16,
        ("n", "counterfeit"): 64, ("n", "original"): 16,
    }  # fmt: skip
    drawn = blinding_of(own)
    assert table_text(drawn, BLINDING)
    assert len(drawn) == 14 + 2 * 80


def test_an_earlier_session_is_of_the_same_cells(write):
    two = of_cells(stranger.verdicts(), ("m", "A"), ("n", "A"))
    two = two[two["condition"] != "quoted"]
    now = read_own_verdicts(write(two))
    then = read_earlier(write(two.assign(anchor_score=0.25)), now)
    assert then.groupby("responder").size().to_dict() == {"m": 16, "n": 16}
    with pytest.raises(ValueError, match="its responder and this study's are not the same"):
        read_earlier(write(two.query("responder == 'm'")), now)


def test_an_earlier_session_without_names_is_this_studys_one_cell(write):
    bare = stranger.verdicts()
    now = read_own_verdicts(write(of_cells(bare, ("m", "A")).query("condition != 'quoted'")))
    then = read_earlier(write(bare), now)
    assert set(then["responder"]) == {"m"}
    assert set(then["corpus"]) == {"A"}
