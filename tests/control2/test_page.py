"""Control 2 on the page: the sentences and the shares that the tables give."""

from dataclasses import replace

import pytest
from support.fixture_study import read, recognition_tables
from support.validity import validity_of
from veridical.control2.drill import drill
from veridical.control2.findings import find
from veridical.control2.page import brief, method
from veridical.report.wording import Wording, plain

EN, IT = Wording.read("en").of("control2"), Wording.read("it").of("control2")


def keys(found):
    return [said.key for said in (found.answer, *found.limits, *found.details)]


def test_control2_as_printed():
    tables = recognition_tables()
    found = find(tables["control2/validity"], EN, tables["control2/prior_bias"])
    # of seven Holm leaves one, which solves it with 19 of 24
    assert found.answer.startswith("gemini-2.5-pro solves")
    assert "79% right" in found.answer
    assert found.sure == "firm"
    (past,) = [said for said in found.limits if said.key == "past"]
    assert "qwen3.6:35b-a3b, deepseek-r1:32b, qwen3:32b and gpt-4.1 got past the" in past
    assert "by itself that is no finding" in past
    assert "85.1%" in next(said for said in found.limits if said.key == "upper")  # qwen3:32b


def test_the_registered_rule_alone_is_never_the_answer():
    # 15 of 24 is past 0.60, and chance does as well in 15 % of cases
    found = find(validity_of(m=(15, 9, 0)), EN)
    assert found.answer.startswith(
        "No model was shown to solve the probe without a memory document"
    )
    assert (found.sure, "past" in keys(found)) == ("limited", True)


@pytest.mark.parametrize(("text", "door"), [(EN, "by its own door"), (IT, "per la sua porta")])
def test_the_method_says_through_which_store_it_went(study_root, text, door):
    study = read(study_root)
    assert door not in plain(" ".join(method(study, text)))
    through = study.config | {"control2": study.config["control2"] | {"memory": "full-text"}}
    said = plain(" ".join(method(replace(study, config=through), text)))
    assert door in said
    assert "full-text" in said


def test_a_model_valid_by_the_rule_that_beats_chance_is_named():
    # 60 of 100 is at most 0.60; chance does as well in 2.8 % of cases
    found = find(validity_of(m=(60, 40, 0)), EN)
    assert found.answer.startswith("m solves the probe with no memory document at all (60% right)")
    assert "held" in keys(found)


@pytest.mark.parametrize(
    ("counts", "english", "italian"),
    [
        # P(X >= 19 | 24) = 0.0033 for each; three models
        (
            {"m": (19, 5, 0), "n": (19, 5, 0), "o": (12, 12, 0)},
            "Two of three models solve",
            "Due modelli su tre risolvono",
        ),
        ({"m": (19, 5, 0), "n": (20, 4, 0)}, "Every model solves", "Tutti i modelli risolvono"),
        # 7 of 8: P = 9/256 = 0.035, alone it holds
        (
            {"m": (7, 1, 16)},
            "m solves the probe with no memory document at all "
            "(88% right of the 8 answered probes; 24 were asked): ",
            "m risolve la sonda senza alcun documento di memoria "
            "(88 % di risposte giuste fra le 8 sonde con risposta, su 24 poste): ",
        ),
        # 6 of 7: P = 8/128 = 0.0625
        ({"m": (6, 1, 17)}, "No model was shown to solve", "Per nessun modello si è mostrato"),
    ],
)
def test_who_solves_the_probe(counts, english, italian):
    validity = validity_of(**counts)
    for words, said in ((EN, english), (IT, italian)):
        assert find(validity, words).answer.replace("\u00a0", " ").startswith(said)


def test_too_few_answers_or_a_habit_are_no_test():
    found = find(validity_of(m=(3, 1, 20)), EN)
    assert (found.sure, found.answer.key) == ("open", "not_testable")
    some = find(validity_of(m=(3, 1, 20), n=(12, 12, 0)), EN)
    assert "m: fewer than five answers" in next(s for s in some.limits if s.key == "untestable")


def test_silence_has_bounds():
    (said,) = [s for s in find(validity_of(m=(6, 6, 12)), EN).limits if s.key == "bounds"]
    assert said.endswith("m would have 25% to 75% right of all.")


def test_a_habit_needs_more_than_a_few_answers():
    validity = validity_of(m=(12, 12, 0))
    none = validity["condition"] == "none"
    for habit, share, key in (
        ("first option", 1.0, "habit_first"),
        ("one answer", 0.0, "habit_second"),
        (None, 1.0, None),
    ):
        validity.loc[none, ["habit", "first_option_share"]] = [habit, share]
        told = [said.key for said in find(validity, EN).details if said.key.startswith("habit")]
        assert told == ([key] if key else [])


def test_what_documents_add_is_said_only_where_the_table_says_so():
    effects = recognition_tables()["control2/prior_bias"]
    assert set(effects["m"]) == {14}
    told = find(validity_of(m=(12, 12, 0)), EN, effects).details
    adding = effects[effects["finding"] == "adds"]["model"]
    assert len(adding)
    said = " ".join(said for said in told if said.key == "adds")
    assert all(model in said for model in adding)
    nothing = effects.assign(finding="not shown")
    told = find(validity_of(m=(12, 12, 0)), EN, nothing).details
    assert [said.key for said in told] == ["useless"]


def test_control2_by_the_upper_rule_no_threshold_was_passed():
    # 3 of 6: at chance, yet the interval reaches 81 %
    limits = find(validity_of("upper", m=(3, 3, 18)), EN).limits
    (said,) = [said for said in limits if said.key == "past"]
    assert "came, with the interval’s upper end, past the registered limit" in said
    assert "with 50% right on 6 answered probes (of 24)" in said


def test_control2_shows_one_denominator(study_root):
    study = read(study_root)
    study.tables["control2/validity"] = validity_of(m=(6, 1, 17))
    table = brief(study, EN)
    shown = dict(zip([column.name for column in table.columns], table.rows[0][1], strict=True))
    assert shown["none"] == "85.7% (6 of 7)"
    assert shown["answered_of_asked"] == "7 of 24"
    assert shown["wilson"] == "[48.7, 97.4]"
    assert shown["finding"] == "not shown"
    assert "of the probes answered" in table.caption
    assert drill(study, EN).groups[0].facts == ("85.7% (6 of 7)",)


def test_what_is_left_out_is_said_and_nothing_where_it_is_not():
    validity = validity_of(m=(12, 12, 0), n=(12, 12, 0))
    assert "left_out" not in keys(find(validity, EN))
    out = validity.assign(n_left_out=[1, 0, 2, 0, 0, 0])
    (said,) = [said for said in find(out, EN).details if said.key == "left_out"]
    assert (
        said == "m: 3 replies left out, by a decision on the record, each in its condition alone."
    )
    (said,) = [said for said in find(out, IT).details if said.key == "left_out"]
    assert said.startswith("m: 3 risposte fuori dai conti per decisione messa agli atti")
