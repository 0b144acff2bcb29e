"""From a stratum of the page to its items, what was asked and said in each arm, the verdicts."""

from __future__ import annotations

import pandas as pd
import pytest
from veridical.benchmarks import tables
from veridical.benchmarks.drill import NONE, drill, to_stratum
from veridical.benchmarks.page import PART, method
from veridical.benchmarks.premium import arms_table, premiums
from veridical.report.study import Study
from veridical.report.wording import Wording, plain

EN, IT = (Wording.read(language).of("benchmarks") for language in ("en", "it"))
ARMS = ("none", "counterfeit", "full")
# By item: its stratum, and whether it is right in each arm.
RIGHT = {"1": ("talk", "nny"), "2": ("talk", "yny"), "3": ("talk", "nyn"), "4": ("led", "yyy")}


def answers(strata: bool = True) -> pd.DataFrame:
    rows = [
        ("m", arm, item, stratum if strata else "", "", "ok", f"{item} {arm}", flag == "y")
        for item, (stratum, flags) in RIGHT.items()
        for arm, flag in zip(ARMS, flags, strict=True)
    ]
    return pd.DataFrame(rows, columns=tables.ANSWERS.names)


def exchanges() -> pd.DataFrame:
    rows = []
    for arm in ARMS:
        for item in RIGHT:
            asked, facts = f"Question {item}?", {"arm": arm, "item_id": item}
            rows.append(("m", f"{arm}-{item}", 0, 0, facts, "ok", asked, f"{item} {arm}", "", ""))
    rows.append(("j", "answer-j-001", 0, 0, {}, "ok", "Is it right?", "right", "", ""))
    columns = ["model", "id", "sample", "turn", "facts", "state", "asked", "reply"]
    return pd.DataFrame(rows, columns=[*columns, "served_model", "time"])


def study(strata: bool = True, **more: pd.DataFrame) -> Study:
    own = answers(strata)
    items = pd.DataFrame(
        {"item_id": list(RIGHT), "question": [f"Question {i}?" for i in RIGHT], "answer": "yes"}
    )
    found = {"answers": own, "items": items, "premium": premiums(own), **more}
    found["arms"] = pd.DataFrame(arms_table(own))
    found["sample"] = pd.DataFrame({"stratum": [""], "items": [4], "left_out": [0], "asked": [4]})
    named = {f"benchmarks/{name}": table for name, table in found.items()}
    config = {"benchmarks": {"file": "data/benchmarks/x.jsonl"}}
    return Study("s", config, named, exchanges={"benchmarks": exchanges()})


@pytest.mark.parametrize("words", [EN, IT])
def test_a_stratum_opens_into_its_items_with_a_mark_an_arm(words):
    found = drill(study(), words)
    paths = [group.path for group in found.groups]
    assert paths == [("m", "talk"), ("m", "led")]
    rows = found.rows.set_index("item_id")
    assert rows.loc["2", ["answer_none", "answer_counterfeit", "answer_full"]].tolist() == [
        "1|2 none",
        "0|2 counterfeit",
        "1|2 full",
    ]
    assert rows["question"].tolist() == [f"Question {item}?" for item in RIGHT]
    assert [name for name, _, kind in found.columns if kind == "mark"] == [
        "answer_none",
        "answer_counterfeit",
        "answer_full",
    ]
    assert rows.index[rows["missed"]].tolist() == ["3"]
    assert rows.index[rows["right_without"]].tolist() == ["2", "3", "4"]


def test_a_group_says_its_own_premium():
    found = drill(study(), EN)
    # talk: 2 of 3 with the history, 1 of 3 in either arm without; led: 1 and 1.
    assert [group.facts for group in found.groups] == [("+33.3",), ("0.0",)]


def test_an_item_opens_into_what_was_asked_and_said_in_every_arm():
    found = drill(study(), EN)
    table = found.tables["exchanges"]
    own = table[table["item_id"] == "2"]
    assert own["arm"].tolist() == ["no history", "another’s history", "the own history"]
    assert own["reply"].tolist() == ["2 none", "2 counterfeit", "2 full"]
    assert set(table["asked"]) == {f"Question {item}?" for item in RIGHT}  # no judge's sheet
    assert found.nested[0].on == ("model", "item_id")
    assert "verdicts" not in found.tables
    assert found.to_json()


def test_the_verdicts_on_an_items_answers_are_there_in_words():
    judged = pd.DataFrame(
        [("j", "answer-j-001", "2", "2 full", "ok", "right", False)], columns=tables.JUDGED.names
    )
    found = drill(study(judged=judged), IT)
    assert found.tables["verdicts"]["verdict"].tolist() == ["giusta"]
    assert [nested.on for nested in found.nested] == [("model", "item_id"), ("item_id",)]


def test_a_benchmark_without_strata_has_one_group():
    (group,) = drill(study(strata=False), EN).groups
    assert group.path == ("m", NONE)
    assert group.label == "all items"
    assert group.facts == ("+25.0",)  # 3 of 4 against 2 of 4


def test_without_answers_there_is_nothing_to_open():
    assert drill(Study("s", {}, {}), EN) is None


def test_a_row_of_a_stratum_leads_to_it_and_one_of_all_items_nowhere():
    assert to_stratum({"model": "m", "stratum": "single hop"}) == "#benchmarks/m/single%20hop"
    assert to_stratum({"model": "m", "stratum": ""}) is None


def test_the_method_says_who_judged_and_where_they_part_from_exact_match():
    row = {"answers": 9, "unread": 1, "both": 3, "judge_only": 2, "exact_only": 1, "neither": 2}
    more = {"same": 5 / 8, "ci95_low": 0.3, "ci95_high": 0.9}
    agreed = pd.DataFrame([{"judge": name, **row, **more} for name in ("j", "k", "all")])
    for words, told in (
        (EN, "judged blind by j and k"),
        (IT, "giudicate alla cieca da j e k"),
    ):
        said = [plain(text) for text in method(study(agreement=agreed), words)]
        (line,) = (text for text in said if told in text)
        assert "9" in line
        assert "2" in line
        assert not any(told in plain(text) for text in method(study(), words))
    assert tables.AGREEMENT in [view.contract for view in PART.tables]


@pytest.mark.parametrize("words", [EN, IT])
def test_every_table_of_the_part_has_its_caption_and_headings(words):
    known = words.texts["parts"]["benchmarks"]
    for view in PART.tables:
        name = view.contract.name.rpartition("/")[2]
        assert known["tables"][name]
        for shown in view.contract.shown():
            assert words.heading(shown.name)
    for contract in (tables.BANKS, tables.AGREEMENT):
        assert {shown.name for shown in contract.shown()} & set(known["columns"])
