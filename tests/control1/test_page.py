"""Control 1 on the page: the sentences that the tables give."""

import numpy as np
import pandas as pd
import pytest
from support.fixture_study import judged_tables, read
from veridical.control1.findings import find
from veridical.control1.page import method
from veridical.report.wording import Wording, plain

EN = Wording.read("en").of("control1")


def contrasts(**verdicts):
    table = judged_tables(np.random.default_rng(1))["control1/contrasts"]
    for place, verdict in verdicts.items():
        table.loc[table["metric"].str.startswith(place), "verdict"] = verdict
    return table.assign(methods_disagree=False)


def test_control1_as_printed():
    found = find(contrasts(), 0.10, EN)
    assert found.answer == (
        "The judges did not recognise the counterfeit; seven items can’t prove that they couldn’t."
    )
    assert found.sure == "limited"  # one metric equivalent, one inconclusive
    # 90 % interval of memory reference: [−0.117, +0.114]
    assert "on memory reference differences anywhere in [−0.12, +0.11]" in found.limits[0].lower()


@pytest.mark.parametrize(
    ("identity", "memory", "says", "sure"),
    [
        ("equivalent", "equivalent", "an invented life scores the same", "firm"),
        ("different", "equivalent", "on identity markers, but not on memory reference", "firm"),
        ("inconclusive", "inconclusive", "seven items can’t prove", "open"),
    ],
)
def test_control1_words_follow_the_verdicts(identity, memory, says, sure):
    found = find(contrasts(identity=identity, memory=memory), 0.10, EN)
    assert says in found.answer
    assert found.sure == sure


def test_control1_says_where_only_the_shuffled_counterfeit_is_told_apart():
    table = contrasts(identity="inconclusive", memory="inconclusive")
    assert not any("shuffled" in limit for limit in find(table, 0.10, EN).limits)
    rows = (table["contrast"] == "veridical-shuffled") & (table["metric"].str.startswith("memory"))
    table.loc[rows, "verdict"], table.loc[rows, "estimate"] = "different", 0.2
    said = [limit for limit in find(table, 0.10, EN).limits if "shuffled" in limit]
    assert len(said) == 1
    assert "told apart on memory reference (+0.200)" in said[0]


def test_control1_is_not_firm_on_differences_that_never_vary():
    table = contrasts(identity="equivalent", memory="equivalent")
    found = find(table.assign(t_verdict="not defined"), 0.10, EN)
    assert found.sure == "limited"
    assert "t is not defined: that is no evidence of equivalence" in found.limits[0]


def test_control1_is_not_firm_where_one_judge_leaves_agreement_unknown():
    judges = pd.DataFrame(
        [(who, metric, name, "", value, "")
         for metric in ("identity_markers", "memory_reference")
         for who, name, value in (("one", "distinct_scores", 9), ("all", "alpha", None))],
        columns=["judge", "metric", "statistic", "contrast", "value", "note"],
    )  # fmt: skip
    table = contrasts(identity="equivalent", memory="equivalent")
    found = find(table, 0.10, EN, None, judges)
    assert found.sure == "limited"
    assert "can’t be measured on every metric" in found.limits[0]


def test_control1_tells_opposite_differences_apart():
    table = contrasts(identity="different", memory="different")
    lower = table["metric"].str.startswith("memory")
    table["estimate"] = table["estimate"].abs().where(~lower, -table["estimate"].abs())
    answer = find(table, 0.10, EN).answer
    assert answer.endswith("scored higher on identity markers and lower on memory reference.")


def test_control1_a_preferred_counterfeit_is_not_recognition():
    table = contrasts(identity="different", memory="different")
    table["estimate"] = -table["estimate"].abs()
    assert "preferred the counterfeit" in find(table, 0.10, EN).answer


def test_control1_says_where_the_registered_reading_differs():
    found = find(contrasts(), 0.10, EN)
    said = [sentence for sentence in found.limits if "registered reading" in sentence]
    assert any("+0.116, different" in sentence for sentence in said)
    assert any("−0.006, inconclusive" in sentence for sentence in said)


def test_control1_a_constant_judge_and_low_agreement_weaken_it():
    judges = pd.DataFrame(
        [
            ("tiny", "identity_markers", "distinct_scores", "", 1, ""),
            ("all", "identity_markers", "alpha", "", 0.12, ""),
        ],
        columns=["judge", "metric", "statistic", "contrast", "value", "note"],
    )
    table = contrasts(identity="equivalent", memory="equivalent")
    found = find(table, 0.10, EN, None, judges)
    assert found.sure == "limited"
    assert any(sentence.startswith("tiny") for sentence in found.limits)
    assert any("0.12" in sentence for sentence in found.limits)


def test_the_method_takes_its_numbers_from_the_data(study_root):
    text = plain(" ".join(method(read(study_root), EN)))
    # 7 items × 6 counterfeits; 3 judges × 7 items × (1 veridical + 6 counterfeits)
    assert "(42 answers, temperature 0.7, at most 300 tokens)" in text
    assert "147 verdicts, 0 incomplete" in text
