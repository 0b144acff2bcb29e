"""Control 2 on the page: the sentences and the shares that the tables give."""

import pytest
from support.fixture_study import read, recognition_tables
from veridical.control2.drill import drill
from veridical.control2.findings import find
from veridical.control2.page import brief
from veridical.report.wording import Wording
from veridical.statistics.intervals import binomial_greater, wilson

EN, IT = Wording.read("en").of("control2"), Wording.read("it").of("control2")


def test_control2_as_printed():
    found = find(recognition_tables()["control2/validity"], EN)
    assert found.answer.startswith(
        "Five of seven models got past the registered threshold without a memory document, "
        "with 62% to 79% right on 24 answered probes (of 24); "
        "better than chance is shown for two of them"
    )
    assert "qwen3:32b and gemini-2.5-pro" in found.limits[0]  # 17 and 19 of 24: p = 0.032, 0.003
    assert "68.6%" in found.limits[1]  # the upper end of llama3


def test_control2_names_a_model_that_keeps_to_the_rule_and_yet_beats_chance():
    # 60 of 100 is at most 0.60, and chance does as well in 2.8 % of cases
    validity = without_document("llama3", 60, 40, 0, valid=True)
    found = find(validity, EN)
    assert found.answer.startswith("By the registered rule no model passes the probe without a")
    assert found.answer.endswith("but llama3 did better than chance by the exact test.")


def test_control2_reads_no_habit_from_a_single_answer():
    validity = without_document("llama3", 1, 0, 23, first_option_share=1.0)
    assert not any("a habit" in sentence for sentence in find(validity, EN).details)
    many = without_document("llama3", 12, 12, 0, first_option_share=1.0)
    assert any("a habit" in sentence for sentence in find(many, EN).details)


def test_control2_when_none_passes_and_when_none_answers():
    validity = recognition_tables()["control2/validity"]
    held = validity[validity["model"].isin(["llama3", "qwen3.5:27b"])]
    assert find(held, EN).answer.startswith("No model solves the probe")
    mute = held.assign(correct=0, wrong=0, abstained=24)
    found = find(mute, EN)
    assert found.sure == "open"
    assert "nothing can be said" in found.answer


def without_document(model, right, wrong, silent, **values):
    """The validity table of one model that left `silent` probes unanswered without a document."""
    validity = recognition_tables()["control2/validity"]
    table = validity[validity["model"] == model].reset_index(drop=True)
    ends = wilson(right, right + wrong)
    none = {
        "correct": right,
        "wrong": wrong,
        "abstained": silent,
        "n": right + wrong + silent,
        "accuracy": right / (right + wrong + silent),
        "accuracy_answered": right / (right + wrong),
        "wilson_low": ends.low,
        "wilson_high": ends.high,
        "binomial_p": binomial_greater(right, right + wrong, 0.5),
        "valid": False,
        **values,
    }
    for column, value in none.items():
        table.loc[table["condition"] == "none", column] = value
    return table


@pytest.mark.parametrize(
    ("right", "wrong", "english", "italian", "sure"),
    [
        # p = (7 + 1) / 2^7 = 0.0625: six of seven answered is not shown to beat chance
        (
            6,
            1,
            "qwen3:32b got past the registered threshold without a memory document, with 86% right "
            "on 7 answered probes (of 24): not shown to be better than chance.",
            "qwen3:32b: soglia registrata superata senza documento di memoria, con 86 % "
            "di risposte giuste su 7 sonde con risposta (di 24); non si è mostrato "
            "che sia meglio del caso.",
            "limited",
        ),
        # p = (8 + 1) / 2^8 = 0.035
        (
            7,
            1,
            "qwen3:32b solves the probe with no memory document at all "
            "(88% right of the 8 answered probes; 24 were asked): ",
            "qwen3:32b risolve la sonda senza alcun documento di memoria "
            "(88 % di risposte giuste fra le 8 sonde con risposta, su 24 poste): ",
            "firm",
        ),
    ],
)
def test_control2_claims_no_more_than_the_answered_probes(right, wrong, english, italian, sure):
    validity = without_document("qwen3:32b", right, wrong, 24 - right - wrong)
    for words, said in ((EN, english), (IT, italian)):
        found = find(validity, words)
        assert found.answer.replace("\u00a0", " ").startswith(said)
        assert found.sure == sure


def test_control2_by_the_upper_rule_no_threshold_was_passed():
    # 3 of 6: at chance, yet the interval reaches 81 %
    validity = without_document("qwen3:32b", 3, 3, 18, registered_rule="upper")
    said = find(validity, EN).answer
    assert "came, with the interval’s upper end, past the registered limit" in said
    assert "50% right on 6 answered probes (of 24): not shown" in said


def test_control2_shows_one_denominator(study_root):
    study = read(study_root)
    study.tables["control2/validity"] = without_document("qwen3:32b", 6, 1, 17)
    table = brief(study, EN)
    shown = dict(zip([column.name for column in table.columns], table.rows[0][1], strict=True))
    assert shown["none"] == "85.7% (6 of 7)"
    assert shown["answered_of_asked"] == "7 of 24"
    assert shown["wilson"] == "[48.7, 97.4]"
    assert "of the probes answered" in table.caption
    assert drill(study, EN).groups[0].facts == ("85.7% (6 of 7)",)
