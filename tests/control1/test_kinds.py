"""Counterfeits beside the foreign and shuffled ones, from their names to the page's sentences."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.fixture_study import judged_tables
from veridical.control1 import kinds
from veridical.control1.blinding import blind, judge_rng
from veridical.control1.brought import read_own_responses, read_own_verdicts
from veridical.control1.contrasts import item_scores
from veridical.control1.findings import find
from veridical.control1.kinds import further
from veridical.control1.responses import response_prompts, response_table
from veridical.control1.rules import conclude, examine, judged
from veridical.control1.tables import COMPARED, KINDS
from veridical.corpora.corpus import read_corpus
from veridical.documents.given import Whole
from veridical.documents.names import COUNTERFEITS, DOSES
from veridical.documents.partial import partial
from veridical.drawing.palette import COLORS
from veridical.models.prompts import Document
from veridical.report.wording import Wording

EN, IT = Wording.read("en").of("control1"), Wording.read("it").of("control1")
CORPUS = Path(__file__).parents[2] / "data/corpora/A"
NONE = pd.DataFrame(columns=["corpus", "metric", "test", "estimate", "low", "high", "finding"])


def test_the_examples_of_the_docstrings():
    assert doctest.testmod(kinds).failed == 0


def findings(**words: str) -> pd.DataFrame:
    """A row a kind on one metric, `partial_50="different"`; 0.3 where something differs."""
    rows = [
        ("memory_reference", f"veridical-{kind.replace('_', '-')}", 7, 1,
         0.3 * word.startswith("different"), -0.1, 0.1, "sensitive", word)
        for kind, word in words.items()
    ]  # fmt: skip
    columns = ["metric", "contrast", "n_items", "n_documents", "estimate", "low", "high"]
    table = pd.DataFrame(rows, columns=[*columns, "sensitive", "finding"])
    return table.assign(responder="m", corpus="A")


def said(text: Wording = EN, **words: str) -> dict[str, str]:
    contrasts = judged_tables(np.random.default_rng(1))["control1/contrasts"]
    found = find(findings(**words), NONE, contrasts, 0.10, text)
    return {one.key: plainly(one) for one in (found.answer, *found.limits)}


def plainly(sentence: str) -> str:
    """Without the narrow blanks before a per cent sign."""
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_the_doses_that_are_told_apart_are_named_by_their_size():
    found = said(
        partial_100="different here", foreign="different", partial_10="inconclusive",
        partial_50="different", partial_30="different here",
    )  # fmt: skip
    assert found["doses_apart"].startswith(
        "Of the real memory with part of its bindings altered, 30%, 50% and 100% are told apart"
    )
    assert found["doses_apart"].endswith("on memory reference (+0.300).")
    assert "kinds_apart" not in found


def test_no_dose_told_apart_is_no_sentence():
    assert "doses_apart" not in said(foreign="different", partial_50="inconclusive")


def test_doses_are_told_where_they_are_all_there_is():
    found = said(partial_30="inconclusive", partial_100="different here")
    assert "100% are told apart" in found["doses_apart"]
    assert {"mixed", "recognised"} & set(found)


def test_other_kinds_are_told_only_where_the_foreign_one_is_not():
    found = said(foreign="inconclusive", stale="different here", shuffled="different here")
    assert found["kinds_apart"].endswith(
        "told apart besides are superseded values on memory reference (+0.300) and shuffled on "
        "memory reference (+0.300)."
    )
    assert "told_apart" not in found
    assert "kinds_apart" not in said(foreign="different", stale="different here")
    assert "told_apart" in said(foreign="inconclusive", shuffled="different here")
    assert "kinds_apart" in said(foreign="inconclusive", adjacent="different here")


def test_rows_stand_by_kind_and_doses_by_size_within_each_metric():
    rows = [("b", "partial-100"), ("a", "partial-30"), ("b", "partial-20"), ("a", "foreign"),
            ("b", "none"), ("a", "partial-100"), ("b", "foreign")]  # fmt: skip
    table = pd.DataFrame(rows, columns=["metric", "kind"])
    table["contrast"] = "veridical-" + table["kind"]
    shown = [*kinds.by_dose(table)[["metric", "kind"]].itertuples(index=False, name=None)]
    assert shown == [
        ("b", "foreign"), ("b", "none"), ("b", "partial-20"), ("b", "partial-100"),
        ("a", "foreign"), ("a", "partial-30"), ("a", "partial-100"),
    ]  # fmt: skip
    assert kinds.by_dose(table[:0]).empty
    cells = pd.concat([table.assign(responder="m", corpus=corpus) for corpus in "BA"])
    shown = kinds.by_dose(cells)
    assert [*shown["corpus"]] == ["B"] * 7 + ["A"] * 7
    assert [*shown["kind"][:4]] == ["foreign", "none", "partial-20", "partial-100"]


@pytest.mark.parametrize("text", [EN, IT], ids=["en", "it"])
def test_every_kind_has_words_a_colour_and_a_mark_of_its_own(text):
    for group in ("kind", "condition"):
        words = [text.value(group, kind) for kind in KINDS[1:]]
        assert len({*words}) == len(words)
        assert not {*words} & {*DOSES, "adjacent"}
    contrasts = [text.value("contrast", contrast) for contrast in COMPARED]
    assert all("−" in each for each in contrasts)
    assert all(kinds.role(each) in COLORS for each in COUNTERFEITS)
    marks = [kinds.MARKS[each] for each in COUNTERFEITS[2:]]
    assert len({*marks}) == len(marks)


@pytest.mark.parametrize(
    ("text", "dose"), [(EN, "10% and 50% of the real"), (IT, "10 % e 50 % dei legami")]
)
def test_the_method_tells_what_stands_against_the_memory(text, dose):
    told = [
        plainly(one) for one in further(["partial-50", "stale", "partial-10", "adjacent"], text)
    ]
    assert len(told) == 3
    assert dose in told[0]
    assert list(further(["foreign", "shuffled"], text)) == []


def test_an_answer_under_a_dose_is_a_condition_of_its_own():
    corpus = read_corpus(CORPUS)
    names = ["veridical", "partial-30-2", "stale", "adjacent-1", "shuffled-3"]
    given = [Whole(Document(name, f"text of {name}")) for name in names]
    prompts = response_prompts(corpus, given, 1, {})
    facts = {p.facts["document"]: (p.facts["condition"], p.facts["seed"]) for p in prompts}
    assert facts == {
        "veridical": ("veridical", None),
        "partial-30-2": ("partial-30", 2),
        "stale": ("stale", None),
        "adjacent-1": ("adjacent", 1),
        "shuffled-3": ("shuffled", 3),
    }
    replies = pd.DataFrame([{"id": p.id, "text": "hm", "state": "ok"} for p in prompts])
    table = response_table(prompts, replies, corpus, "m")
    assert {"partial-30", "stale", "adjacent"} <= {*table["condition"]} <= {*KINDS, "anchor"}


def study(effects: dict[str, float], seeds: int = 2) -> pd.DataFrame:
    """Verdicts of three judges on seven items, each counterfeit scored lower by its effect."""
    rng = np.random.default_rng(3)
    documents = {"veridical": [None]}
    for kind in effects:
        documents[kind] = [None] if kind == "stale" else [*range(1, seeds + 1)]
    rows = [
        {
            "judge": judge, "metric": metric, "item_id": f"T{item}", "condition": kind,
            "seed": seed, "anchor_position": "A",
            "session": "original" if kind == "veridical" else "counterfeit",
            "anchor_score": 0.5 + rng.normal(0, 0.02),
            "other_score": 0.6 - effects.get(kind, 0.0) + rng.normal(0, 0.02),
        }
        for judge in ("a", "b", "c") for metric in ("warmth", "memory")
        for item in range(7) for kind, given in documents.items() for seed in given
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(responder="m", corpus="A").astype({"seed": "Int64"})


EFFECTS = {"partial-100": 0.3, "partial-30": 0.0, "partial-50": 0.2, "stale": 0.2, "foreign": 0.3}


def test_each_dose_is_a_contrast_and_they_stand_by_size():
    scores = item_scores(study(EFFECTS))
    order = [*scores["contrast"].drop_duplicates()]
    assert order == [
        "veridical-foreign", "veridical-partial-30", "veridical-partial-50",
        "veridical-partial-100", "veridical-stale",
    ]  # fmt: skip
    means = scores.groupby("contrast")[["veridical", "counterfeit"]].mean()
    gaps = (means["veridical"] - means["counterfeit"]).round(1)
    assert gaps.to_dict() == {f"veridical-{kind}": gap for kind, gap in EFFECTS.items()}


def test_what_differs_by_dose_is_found_at_that_dose():
    items, documents = judged(study(EFFECTS))
    panel = examine(study(EFFECTS), items, bound=0.1)
    found = conclude(items, documents, panel, bound=0.1).set_index(["metric", "contrast"])
    words = found.loc["memory"]["finding"]
    assert words["veridical-partial-30"] not in ("different", "different here")
    assert words[["veridical-partial-50", "veridical-partial-100"]].str.startswith("diff").all()
    assert words["veridical-stale"] == "different here"  # one document is no sample of its kind
    assert found.loc[("memory", "veridical-stale"), "n_documents"] == 1


def test_doses_are_blinded_in_balance():
    rows = [
        (f"T{item}", name, condition, seed, "text", "ok")
        for item in range(8)
        for name, condition, seed in (
            ("log", "anchor", None), ("veridical", "veridical", None),
            ("partial-10-1", "partial-10", 1), ("partial-90-1", "partial-90", 1),
            ("stale", "stale", None),
        )
    ]  # fmt: skip
    columns = ["item_id", "document", "condition", "seed", "text", "state"]
    table = pd.DataFrame(rows, columns=columns).assign(responder="m", corpus="A")
    table = table.astype({"seed": "Int64"})
    drawn = blind(table, "one", judge_rng(1, "one"))
    counts = drawn.groupby(["session", "condition"])["position_of_anchor"].value_counts()
    assert set(counts) == {4}
    assert set(drawn.loc[drawn["session"] == "counterfeit", "condition"]) == {
        "partial-10", "partial-90", "stale",
    }  # fmt: skip


def test_answers_and_verdicts_of_these_kinds_can_be_brought(tmp_path):
    table = study(EFFECTS)
    path = tmp_path / "verdicts.csv"
    table.drop(columns="session").to_csv(path, index=False)
    read = read_own_verdicts(path)
    names = {*read["document"]}
    assert {"partial-30-1", "partial-100-2", "stale", "foreign-1", "veridical"} == {
        name for name in names if not name.endswith(("30-2", "100-1", "50-1", "50-2", "n-2"))
    }
    own = pd.DataFrame(
        [("T1", "veridical", "", "a"), ("T1", "partial-30", "1", "b"), ("T1", "anchor", "", "c")],
        columns=["item_id", "condition", "seed", "text"],
    )
    path = tmp_path / "responses.csv"
    own.to_csv(path, index=False)
    day = {"A": pd.DataFrame([("T1", "hi", "")], columns=["item_id", "input", "anchor"])}
    assert [*read_own_responses(path, day, {"A": ["partial-30-1"]}, none=False)["document"]] == [
        "veridical", "partial-30-1", "anchor",
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"it lacks partial-50-1: answer under them too"):
        read_own_responses(path, day, {"A": ["partial-30-1", "partial-50-1"]}, none=False)
    own.assign(seed=None).to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"row 3, column seed: missing; .*partial-30 document"):
        read_own_responses(path, day, {"A": ["partial-30-1"]}, none=False)


def test_a_document_by_dose_keeps_what_the_judges_can_see_of_its_form():
    corpus = read_corpus(CORPUS)
    assert len(partial(corpus, 50, 1).split("\n")) == len(corpus.memory_block.split("\n"))
