"""Control 2 through a memory system: a bank that is not admitted counts as p = 1, stops nothing."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support.scripts import load_script
from support.validity import validity_of
from veridical.base.tables import read_table
from veridical.control2.findings import find
from veridical.control2.page import brief
from veridical.control2.prior_bias import estimate_effects, estimate_preferences
from veridical.control2.prompts import question_of, refused_conditions
from veridical.control2.tables import ANSWERS, EFFECTS, PREFERENCES, PROBES, SAMPLES, VALIDITY
from veridical.control2.validity import judge_validity
from veridical.documents.given import Recalled, write_recalled
from veridical.ledger.collecting import collect
from veridical.ledger.replies import answered
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts
from veridical.report.study import Study
from veridical.report.wording import Wording, plain

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "data/corpora/A/corpus.yaml"
DOCUMENTS = {"veridical": "veridical", "counterfeit": "shuffled-1", "none": "none"}
RULES = {"registered": "point", "threshold": 0.6, "upper": 0.75}
MODELS = ["first", "second"]
WHY = "leak: gives back the canary of shuffled-1"
EN, IT = (Wording.read(language).of("control2") for language in ("en", "it"))


def run(name: str, *paths, **values) -> None:
    load_script(f"{name}.py").main(*paths, **values)


def study(at: Path, *refused: str) -> Path:
    """From what a store gave back to both tables, as the rules call it; scripted models answer."""
    run("control2/draw_probes", [CORPUS], at / "probes.csv", n=24, seed=5)
    questions = [question_of(probe) for probe in read_table(at / "probes.csv", PROBES).itertuples()]
    banks = [
        Recalled(name, {}, WHY)
        if condition in refused
        else Recalled(name, dict.fromkeys(questions, "" if name == "none" else f"told by {name}"))
        for condition, name in DOCUMENTS.items()
    ]
    write_recalled(at / "recalled.jsonl", banks)
    prompts, replies = [], []
    for condition, name in DOCUMENTS.items():
        prompts.append(at / f"{condition}.jsonl")
        document = None if name == "none" else at / f"{name}.txt"
        if document:
            document.write_text("a memory\n", encoding="utf-8")
        files = (CORPUS, at / "probes.csv", document, prompts[-1])
        how = {"condition": condition, "samples": 1, "recalled": at / "recalled.jsonl"}
        run("control2/write_prompts", *files, **how)
        for model in MODELS:
            settings = {"provider": "scripted", "model": model, "structured": "grammar"}
            replies.append(at / f"{condition}-{model}.jsonl")
            ledger = at / f"{model}.sqlite"
            collect(prompts[-1], Model.from_config(model, settings), ledger, out=replies[-1])
    run("control2/score_answers", prompts, replies, at / "answers.csv", at / "samples.csv")
    more = {"models": MODELS, "documents": DOCUMENTS, "recalled": [at / "recalled.jsonl"]}
    more["corpora"] = ["A"]
    run("control2/judge_validity", at / "answers.csv", at / "validity.csv", rules=RULES, **more)
    files = (at / "answers.csv", at / "samples.csv", at / "effects.csv", at / "preferences.csv")
    run("control2/estimate_prior", *files, **more)
    return at


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A study with these conditions refused, made once."""
    kept: dict[tuple[str, ...], Path] = {}

    def make(*refused: str) -> Path:
        if refused not in kept:
            kept[refused] = study(tmp_path_factory.mktemp("study"), *refused)
        return kept[refused]

    return make


def tables(at: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    return read_table(at / "validity.csv", VALIDITY), read_table(at / "effects.csv", EFFECTS)


# --- which conditions -----------------------------------------------------------------------------


def test_the_condition_of_a_bank_that_is_refused(tmp_path):
    write_recalled(tmp_path / "r.jsonl", [Recalled("shuffled-1", {}, WHY), Recalled("none", {})])
    write_recalled(tmp_path / "s.jsonl", [Recalled("shuffled-1", {}), Recalled("none", {}, WHY)])
    recalled = {"A": tmp_path / "r.jsonl", "B": tmp_path / "s.jsonl"}
    assert refused_conditions(recalled, DOCUMENTS) == {"A": ["counterfeit"], "B": ["none"]}
    assert refused_conditions({}, DOCUMENTS) == {}


def test_nothing_is_asked_from_a_bank_that_is_refused_and_the_log_says_why(tmp_path, capsys):
    at = study(tmp_path, "counterfeit")
    assert f"bank shuffled-1 is not admitted: {WHY}" in capsys.readouterr().out
    assert read_prompts(at / "counterfeit.jsonl") == []
    assert len(read_prompts(at / "veridical.jsonl")) == 24
    assert set(read_table(at / "answers.csv", ANSWERS)["condition"]) == {"veridical", "none"}


# --- what follows ---------------------------------------------------------------------------------


def test_one_document_lacking_leaves_the_other_and_the_family_as_they_were(made):
    whole, lacking = tables(made()), tables(made("counterfeit"))
    effects = [table.set_index(["model", "condition"]) for table in (whole[1], lacking[1])]
    for model in MODELS:
        gone = effects[1].loc[(model, "counterfeit")]
        assert (gone["finding"], gone["n_pairs"], gone["p_effect_holm"]) == ("not admitted", 0, 1)
        assert pd.isna(gone["effect"])  # and not 0
        old, new = (table.loc[(model, "veridical")] for table in effects)
        assert old["p_effect"] == new["p_effect"]
        assert old["m"] == new["m"] == 4
    none = [
        table[table["condition"] == "none"].reset_index(drop=True)
        for table in (whole[0], lacking[0])
    ]
    pd.testing.assert_frame_equal(*none)
    row = lacking[0].set_index(["model", "condition"]).loc[("first", "counterfeit")]
    assert (row["n"], row["correct"]) == (0, 0)
    assert pd.isna(row["accuracy"])


def test_without_the_empty_bank_no_model_is_judged(made):
    validity, effects = tables(made("none"))
    assert set(validity["finding"]) == set(effects["finding"]) == {"not admitted"}
    assert (validity["p_solves_holm"] == 1).all()
    assert (validity["m"] == 2).all()
    assert (effects["p_effect_holm"] == 1).all()
    assert (effects["samples"] == 0).all()
    assert validity["valid"].isna().all()  # neither valid nor not
    assert len(read_table(made("none") / "preferences.csv", PREFERENCES)) == 0


def test_a_store_of_which_nothing_is_admitted(made):
    at = made(*DOCUMENTS)
    validity, effects = tables(at)
    assert len(validity) == 6
    assert set(validity["finding"]) == set(effects["finding"]) == {"not admitted"}
    assert (validity["n"] == 0).all()
    assert len(read_table(at / "answers.csv", ANSWERS)) == 0
    assert len(read_table(at / "samples.csv", SAMPLES)) == 0


def test_a_condition_that_lacks_answers_and_is_not_refused_is_an_error(made):
    answers = read_table(made() / "answers.csv", ANSWERS)
    few = answers[answers["condition"] != "none"]
    with pytest.raises(ValueError, match="no answers of first in the condition none"):
        judge_validity(few, MODELS, refused={"A": ["counterfeit"]}, **RULES)


def test_holm_by_hand_over_what_was_declared(made):
    at = made("counterfeit")
    answers = read_table(at / "answers.csv", ANSWERS)
    known = estimate_preferences(read_table(at / "samples.csv", SAMPLES))
    both = ["veridical", "counterfeit"]
    table = estimate_effects(answers, known, MODELS, both, refused={"A": ["counterfeit"]})
    p = sorted(table["p_effect"].dropna())
    wanted = [min(1, 4 * p[0]), min(1, max(4 * p[0], 3 * p[1]))]
    assert sorted(table["p_effect_holm"])[:2] == pytest.approx(sorted(wanted))


def test_answers_from_a_bank_that_is_refused_are_not_counted():
    """Were there any, they would stand for a memory that never arrived."""
    answers = pd.DataFrame(
        [
            {
                "corpus": "A",
                "model": "m",
                "condition": condition,
                "probe_id": f"p{n}",
                "state": "ok",
                "answer": "A",
                "correct": True,
                "first_option": "A",
            }
            for condition in DOCUMENTS
            for n in range(8)
        ]
    )
    table = judge_validity(answers, ["m"], refused={"A": ["veridical"]}).set_index("condition")
    assert table["n"].to_dict() == {"veridical": 0, "counterfeit": 8, "none": 8}


# --- empty files ----------------------------------------------------------------------------------


def test_replies_to_nothing_are_passed_over_where_nothing_was_asked(made, tmp_path):
    at = made("counterfeit")
    asked = [at / f"{condition}.jsonl" for condition in DOCUMENTS]
    replies = [at / f"{condition}-first.jsonl" for condition in DOCUMENTS]
    assert [model for model, *_ in answered(asked, replies)] == ["first", "first"]
    with pytest.raises(ValueError, match="answers none of the prompts"):
        list(answered([asked[0], asked[2]], replies))


# --- on the page ----------------------------------------------------------------------------------


def keys(found) -> list[str]:
    return [said.key for said in (found.answer, *found.limits, *found.details)]


@pytest.mark.parametrize(
    ("words", "answer", "limit"),
    [
        (EN, "not known to give back nothing where nothing went in", "never as 0 %"),
        (IT, "non si sa se il sistema di memoria non restituisca niente", "mai come 0 %"),
    ],
)
def test_the_page_says_that_nothing_was_tested_and_why(made, words, answer, limit):
    found = find(*_swapped(tables(made("none")), words))
    assert (found.answer.key, found.sure) == ("not_admitted", "open")
    assert answer in plain(found.answer)
    (refused,) = found.limits
    assert limit in plain(refused)
    assert found.details == ()


def _swapped(read: tuple[pd.DataFrame, pd.DataFrame], words: Wording):
    return read[0], words, read[1]


def test_the_page_names_the_document_that_is_lacking(made):
    found = find(*_swapped(tables(made("counterfeit")), EN))
    (refused,) = [said for said in found.limits if said.key == "refused"]
    assert EN.value("condition", "counterfeit") in plain(refused).lower()
    assert found.answer.key != "not_admitted"
    assert "refused" not in keys(find(*_swapped(tables(made()), EN)))


def test_a_finding_on_models_is_told_beside_what_is_lacking():
    """The answer rests on `none`; that a document is lacking is a limit, and takes nothing away."""
    validity = validity_of(m=(23, 1, 0))
    effects = pd.DataFrame(
        {
            "corpus": ["A"],
            "model": ["m"],
            "condition": ["veridical"],
            "finding": ["not admitted"],
        }
    )
    found = find(validity, EN, effects)
    assert (found.answer.key, found.sure, found.limits[0].key) == ("one_solves", "firm", "refused")


def test_the_tables_of_the_page_show_a_dash(made):
    validity, effects = tables(made("counterfeit"))
    held = Study("s", {}, {VALIDITY.name: validity, EFFECTS.name: effects})
    shown = brief(held, EN)
    place = [column.name for column in shown.columns].index("counterfeit")
    assert {cells[place] for _, cells in shown.rows} == {"–"}


@pytest.mark.parametrize("refused", [("counterfeit",), ("none",), tuple(DOCUMENTS)])
@pytest.mark.parametrize(("name", "source"), [("accuracy", "validity"), ("prior", "effects")])
def test_figures_say_what_is_not_admitted(made, tmp_path, refused, name, source):
    paths = [tmp_path / f"{name}.{suffix}" for suffix in ("svg", "pdf")]
    run(f"control2/draw_{name}", made(*refused) / f"{source}.csv", *paths)
    assert "not admitted" in paths[0].read_text(encoding="utf-8")
