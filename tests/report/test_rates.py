"""The rates beside the sentences: read from the table of claims, worded in both languages."""

import pandas as pd
import pytest
from veridical.report.rates import TABLE, rates_of
from veridical.report.study import Study
from veridical.report.wording import LANGUAGES, Said, Wording

ROWS = [
    # a claim that holds its rate, one that was never false, one that exceeds, a registered one
    ("control3.follows", "all some", False, 0.05, 0.036, "runs of six", 0.97, "readers"),
    ("control3.uses", "use some", False, 0.05, 0.0, "coins", 0.9, "readers"),
    ("control3.against", "against", False, 0.05, 0.068, "runs of two", None, None),
    ("control3.registered_survives", "rejected", True, 0.05, 1.0, "coins", 1.0, "readers"),
    ("control3.guesses", "invalid", False, 0.05, None, None, None, None),
    ("vpe.apart", "apart", False, 0.05, 0.004, "models alike", 0.2, "ahead by twice the modes"),
]
NAMES = ["claim", "sentences", "registered", "rate", "false", "false_world", "power", "power_world"]


def study(rows=ROWS) -> Study:
    table = pd.DataFrame(rows, columns=NAMES)
    table = table.assign(part=table["claim"].str.partition(".")[0], studies=250, family="cells")
    table = table.assign(false_low=table["false"], false_high=table["false"])
    return Study("s", {}, {TABLE: table} if rows is not None else {})


def worded(part: str, language: str = "en", **more):
    return rates_of(part, study(**more), Wording.read(language).of(part))


def test_each_sentence_has_the_rate_of_its_claim():
    found = worded("control3")
    assert found.of(Said("", "all")) == (
        "Wrong in 3.6% of 250 simulated studies at worst (5% allowed)."
    )
    assert found.of(Said("", "use")) == "Wrong in none of 250 simulated studies."
    assert found.of(Said("", "against")) == (
        "Wrong in 6.8% of 250 simulated studies at worst, more than the 5% allowed."
    )
    assert found.of(Said("", "some")) == found.of(Said("", "all"))  # the stricter claim comes first


@pytest.mark.parametrize(
    ("low", "said"),
    [
        (0.049, "so in 4.9% to 36.0%: not clearly more than the 5% allowed"),
        (0.051, "at worst, more than the 5% allowed"),
    ],
)
def test_few_studies_condemn_no_claim(low, said):
    """3 of 20 is 15 %, and 5 % allowed lies within its interval: as likely chance as a fault."""
    table = study().tables[TABLE].assign(studies=20, false=0.15, false_low=low, false_high=0.36)
    found = rates_of("control3", Study("s", {}, {TABLE: table}), Wording.read("en").of("control3"))
    assert said in found.of(Said("", "against"))
    assert "of 20 simulated studies" in found.of(Said("", "against"))


def test_a_registered_rule_a_description_and_another_part_have_none():
    found = worded("control3")
    for key in ("rejected", "registered", "apart", "valid"):
        assert found.of(Said("", key)) == ""
    assert found.of("a text without a key") == ""
    assert worded("aas").table is None


def test_the_fold_names_claim_and_world_and_leaves_out_what_the_design_cannot_say():
    table = worded("control3").table
    first = dict(zip((column.name for column in table.columns), table.rows[0][1], strict=True))
    assert first["claim"] == "answers follow the document, true or false"
    assert (first["rate"], first["false"], first["power"]) == ("5%", "3.6%", "97%")
    assert first["false_world"] == "a coin in runs of six"
    claims = [cells[0] for _, cells in table.rows]
    assert len(claims) == 4
    assert claims[-1].startswith("registered rule")
    assert table.rows[-1][1][1] == "–"  # held to no rate


def test_a_study_whose_claims_were_not_measured_shows_nothing():
    found = rates_of("control3", Study("s", {}, {}), Wording.read("en").of("control3"))
    assert (found.table, found.beside) == (None, {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_italian_says_the_same_numbers(language):
    text = worded("control3", language).of(Said("", "against"))
    assert ("6,8" if language == "it" else "6.8") in text
