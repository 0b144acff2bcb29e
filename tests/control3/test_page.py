"""Control 3 on the page: the sentences and the cells that the tables give."""

from support.fixture_study import read, symmetric_tables
from veridical.control3.findings import find
from veridical.control3.page import PART, brief, method
from veridical.report.part import views
from veridical.report.wording import Wording, plain

EN, IT = Wording.read("en").of("control3"), Wording.read("it").of("control3")


def test_control3_as_printed():
    found = find(symmetric_tables()["control3/cells"], EN)
    assert plain(found.answer).startswith("Yes, in all 14 cells")
    assert "by 38 to 100 points" in found.answer
    assert found.sure == "firm"
    assert any("0.012" in sentence for sentence in found.details)


def test_control3_some_none_and_a_probe_that_can_be_guessed():
    cells = symmetric_tables()["control3/cells"]
    some = cells.assign(survives=[False] * 13 + [True])
    assert plain(find(some, EN).answer).startswith("In one cell of 14: swap")
    assert plain(find(some, IT).answer).startswith("In una cella su 14: scambiando")
    none = find(cells.assign(survives=False), EN)
    assert none.answer.startswith("That could not be shown")
    assert none.sure == "open"
    guessed = find(cells.assign(none_p=[0.01] + [0.5] * 13), EN)
    assert guessed.sure == "limited"
    assert "gpt-4.1 (A): better than chance" in guessed.limits[0]


def test_control3_says_follow_only_where_the_false_document_is_followed():
    cells = symmetric_tables()["control3/cells"].head(1)
    silent = cells.assign(  # 24 right, then 4 right and 20 abstained: b = 20, c = 0
        veridical_correct=24, corrupted_correct=4, corrupted_wrong=0, corrupted_abstained=20,
        corrupted_named=0, b=20, c=0, survives=True, follows_corrupted=float("nan"),
    )  # fmt: skip
    found = find(silent, EN)
    assert "in one cell of one the true document adds right answers" in found.answer.lower()
    assert found.sure == "limited"
    assert any("abstained or named someone else" in sentence for sentence in found.limits)
    assert not any("signature" in sentence for sentence in found.details)


def test_control3_that_runs_against_the_document_is_not_called_chance():
    cells = symmetric_tables()["control3/cells"].head(2)
    against = cells.assign(veridical_correct=2, corrupted_correct=22, survives=True)
    assert find(against, EN).answer.startswith("Not as expected: in two cells of two the ans")
    guessed = find(cells.assign(none_p=0.01), EN)
    assert guessed.answer.startswith("That can’t be read")
    assert guessed.sure == "open"


def test_a_cell_that_was_not_tested_shows_no_accuracy(study_root):
    study = read(study_root)
    cells = study.tables["control3/cells"]
    first = cells.index == 0
    empty = {"tested": "not testable", "veridical_accuracy": None, "corrupted_accuracy": None}
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
    cells = cells.assign(none_answered=[0] + [24] * 13)
    silent = cells.index == 1
    cells.loc[silent, ["tested", "survives"]] = ["not testable", False]
    cells.loc[silent, ["veridical_correct", "corrupted_correct"]] = 0
    first, second = (f"{row.model} ({row.corpus})" for row in cells.head(2).itertuples())
    found = find(cells, EN)
    assert f"{first}: no answer without a document, so the check could not be made there." in (
        found.limits
    )
    assert any(s.startswith(f"{second}: no probe answered under either") for s in found.limits)
    assert not any("no effect shown" in sentence.lower() for sentence in found.details)
    nothing = find(cells.assign(tested="not testable", survives=False), EN)
    assert nothing.answer.startswith("That could not be tested")
    assert nothing.sure == "open"


def test_the_method_takes_its_numbers_from_the_data(study_root):
    text = plain(" ".join(method(read(study_root), IT)))
    assert "24 sonde × 7 modelli × 2 corpora = 14 celle" in text
