"""Control 3 on the page: the sentences and the cells that the tables give."""

import pandas as pd
from support.fixture_study import read, symmetric_tables
from veridical.control3.drill import drill
from veridical.control3.findings import find
from veridical.control3.page import PART, brief, kind, method
from veridical.report.part import make_section, views
from veridical.report.wording import Wording, plain

EN, IT = Wording.read("en").of("control3"), Wording.read("it").of("control3")


def keys(found):
    return [said.key for said in (found.answer, *found.limits, *found.details)]


def test_control3_as_printed():
    """Six of seven cells of corpus A follow; deepseek-r1 reads the true document, and leans."""
    cells = symmetric_tables()["control3/cells"]
    only = cells[cells["finding"] != "follows"]
    assert list(zip(only["corpus"], only["model"], only["finding"], strict=True)) == [
        ("A", "deepseek-r1:32b", "uses"),
        ("B", "deepseek-r1:32b", "uses"),  # invented within the printed ranges
    ]
    found = find(cells, EN)
    assert plain(found.answer).startswith("In twelve cells of 14: swap the partners")
    assert found.sure == "limited"
    (lean,) = [said for said in found.limits if said.key == "only_use"]
    assert lean.startswith("deepseek-r1:32b (A) and deepseek-r1:32b (B): the answers lean on")
    assert "deepseek-r1:32b (A)" in next(s for s in found.details if s.key == "registered")
    follow = find(cells[cells["finding"] == "follows"].reset_index(drop=True), EN)
    assert plain(follow.answer).startswith("Yes, in all twelve cells")
    assert "by 75 to 100 points" in follow.answer
    assert follow.sure == "firm"


def test_every_sentence_repeats_a_word_of_the_table():
    cells = symmetric_tables()["control3/cells"]
    one = cells.assign(finding=["follows"] + ["not shown"] * 13)
    assert plain(find(one, EN).answer).startswith("In one cell of 14: swap")
    assert plain(find(one, IT).answer).startswith("In una cella su 14: si scambiano")
    none = find(cells.assign(finding="not shown"), EN)
    assert none.answer.startswith("That could not be shown")
    assert none.sure == "open"
    use = find(cells.assign(finding="uses"), EN)
    assert use.answer.startswith("In 14 cells of 14 the answers lean on the document at hand")
    assert "below" not in keys(use)
    against = find(cells.assign(finding="against"), EN)
    assert against.answer.startswith("Not as expected: in 14 cells of 14 the ans")
    read = find(cells.assign(finding="not readable", without="beats chance"), EN)
    assert read.answer.startswith("That can’t be read")
    assert read.sure == "open"
    assert "invalid" in keys(read)
    assert "valid" not in keys(read)
    doubt = find(cells.assign(without=["doubtful"] + ["not shown"] * 13), EN)
    assert (
        "gpt-4.1 (A): better than chance without a document in a test by itself"
        in (doubt.limits[0])
    )


def test_a_habit_is_named_where_the_table_has_one():
    cells = symmetric_tables()["control3/cells"]
    assert not {"one_name", "first_option", "never_first"} & set(keys(find(cells, EN)))
    for habit, key in (
        ("one answer", "one_name"),
        ("first option", "first_option"),
        ("never the first option", "never_first"),
    ):
        assert key in keys(find(cells.assign(habit=[habit] + [None] * 13), EN))


def test_what_was_answered_with_nothing_to_remember_is_counted():
    said = next(s for s in find(symmetric_tables()["control3/cells"], EN).details if
                s.key == "confabulated")  # fmt: skip
    assert said == "With nothing to remember 112 of 336 probes were answered all the same."


def test_a_cell_that_was_not_tested_shows_no_accuracy(study_root):
    study = read(study_root)
    cells = study.tables["control3/cells"]
    first = cells.index == 0
    empty = {"tested": "not testable", "finding": "not testable"}
    empty |= {"veridical_accuracy": None, "corrupted_accuracy": None}
    for column, value in (empty | {"delta": None, "veridical_correct": 0}).items():
        cells.loc[first, column] = value
    for table in (brief(study, EN), next(views(PART, study, EN))):
        last = [row for _, row in table.rows if "not testable" in row]
        assert len(last) == 1
        assert "0.0%" not in last[0]
        shown = dict(zip([column.name for column in table.columns], last[0], strict=True))
        assert shown["veridical_correct"] == shown["corrupted_correct"] == "–"


def test_control3_tells_an_unmade_check_from_a_cell_without_answers():
    cells = symmetric_tables()["control3/cells"]
    cells.loc[0, "without"] = "not testable"
    cells.loc[1, ["tested", "finding"]] = ["not testable", "not testable"]
    first, second = (f"{row.model} ({row.corpus})" for row in cells.head(2).itertuples())
    found = find(cells, EN)
    assert any(s.startswith(f"{first}: fewer than five answers without") for s in found.limits)
    assert any(s.startswith(f"{second}: no probe answered under either") for s in found.limits)
    nothing = find(cells.assign(tested="not testable", finding="not testable"), EN)
    assert nothing.answer.startswith("That could not be tested")
    assert nothing.sure == "open"


def test_the_method_takes_its_numbers_from_the_data(study_root):
    text = plain(" ".join(method(read(study_root), IT)))
    assert "24 sonde × 7 modelli × 2 corpora = 14 celle" in text


def test_what_is_left_out_is_said_once_a_model_and_nothing_where_it_is_not():
    cells = symmetric_tables()["control3/cells"]
    assert "left_out" not in keys(find(cells, EN))
    out = cells.assign(n_left_out=[1, 2] + [0] * 12)
    first, second = (f"{row.model} ({row.corpus})" for row in out.head(2).itertuples())
    (said,) = [said for said in find(out, EN).details if said.key == "left_out"]
    assert plain(said) == (
        f"{first} and {second}: 3 probes left out under every document, "
        "by a decision on the record."
    )
    one = cells.assign(n_left_out=[1] + [0] * 13)
    (said,) = [said for said in find(one, IT).details if said.key == "left_out"]
    assert plain(said).startswith(f"{first}: una sonda fuori dai conti con ogni documento")
    again = pd.concat([one.head(1)] * 2, ignore_index=True)  # one model, two false documents
    (said,) = [said for said in find(again, EN).details if said.key == "left_out"]
    assert "one probe left out" in said


def test_a_probe_left_out_is_not_among_those_whose_answers_differ(study_root):
    study = read(study_root)
    rows = drill(study, EN).rows
    first = rows[rows["discordant"]].iloc[0]
    answers = study.tables["control3/answers"]
    mine = (answers[["corpus", "model", "probe_id"]] == first[["corpus", "model", "probe_id"]]).all(
        axis=1
    )
    at = mine & (answers["document"] == "binding-corrupted")
    assert at.sum() == 1
    answers.loc[at, "state"] = "left out"
    answers.loc[at, ["answer", "correct"]] = None
    again = drill(study, EN).rows
    assert again["discordant"].sum() == rows["discordant"].sum() - 1
    assert again.loc[first.name, "answer_binding-corrupted"] == "-|left out"


def test_the_probes_drawn_are_said_whether_or_not_some_are_left_out(study_root):
    study = read(study_root)
    whole = list(method(study, EN))
    cells = study.tables["control3/cells"]
    study.tables["control3/cells"] = cells.assign(n=cells["n"] - 1, n_left_out=1)
    assert list(method(study, EN)) == whole


def test_of_a_life_the_page_speaks_of_values_and_of_no_partner(study_root):
    study = read(study_root)
    assert kind(study) == ""
    said = make_section(PART, study, Wording.read("en"))
    assert "Whom the agent met" in said.adversary
    assert "exactly two partners" in said.method[0]

    asked = ("partner", "speaker")  # one corpus of two is enough
    study.tables["control3/symmetry"] = checks_asking(*asked)
    assert kind(study) == "life"
    for language, partner, values in (
        ("en", "partner", "two values"),
        ("it", "interlocutor", "due valori"),
    ):
        section = make_section(PART, study, Wording.read(language))
        told = [section.adversary, *section.method, *section.not_established]
        told += [section.finding.answer, *section.finding.limits, *section.finding.details]
        assert values in section.method[0]
        assert not [text for text in told if partner in text.lower()]
    assert plain(section.finding.answer).startswith("In dodici celle su 14: si scambiano i valori")


def test_encounters_are_of_partners(study_root):
    study = read(study_root)
    study.tables["control3/symmetry"] = checks_asking("partner", "partner")
    assert kind(study) == ""


def checks_asking(*asked):
    row = {"check": "values", "value": "2", "limit": "2 to 12", "passed": True, "note": ""}
    return pd.DataFrame(
        [{"corpus": name, **row, "asked": of} for name, of in zip("AB", asked, strict=True)]
    )
