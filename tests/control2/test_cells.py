"""Control 2 in several corpora: a cell is a model on a corpus, and all cells are one family."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.multitest import multipletests
from support.scripts import load_script
from support.validity import validity_of, validity_on
from veridical.base.tables import as_agreed, read_table
from veridical.control2.alterations import Alterer
from veridical.control2.cells import (
    corpora_in_order,
    named,
    of_refused,
    ordered_corpora,
    several,
    without_none,
)
from veridical.control2.prior_bias import estimate_effects, estimate_preferences
from veridical.control2.tables import CONDITIONS, EFFECTS, PROBES, VALIDITY
from veridical.control2.validity import judge_validity
from veridical.corpora.corpus import read_corpus
from veridical.ledger.collecting import collect
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts

ROOT = Path(__file__).parents[2]
CORPORA = [ROOT / f"data/corpora/{name}/corpus.yaml" for name in "AB"]
DOCUMENTS = ["veridical", "counterfeit"]


def answers_of(seed: int, corpora=("A", "B"), models=("m", "n"), share=0.7) -> pd.DataFrame:
    """Twelve probes a corpus and condition, each answered rightly with a chance of `share`."""
    rng = np.random.default_rng(seed)
    rows = []
    for corpus in corpora:
        for model in models:
            for condition in CONDITIONS:
                for probe in range(12):
                    right, truth = bool(rng.random() < share), "AB"[probe % 2]
                    answer = truth if right else "BA"[probe % 2]
                    rows.append(
                        (corpus, model, condition, f"{corpus}-{probe}", "ok", answer, right)
                    )
    columns = ["corpus", "model", "condition", "probe_id", "state", "answer", "correct"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(first_option="A", place=table.groupby(columns[:3]).cumcount() + 1)


def both_tables(answers: pd.DataFrame, **more) -> tuple[pd.DataFrame, pd.DataFrame]:
    none = answers[answers["condition"] == "none"].assign(sample=0)
    models = list(answers["model"].drop_duplicates())
    effects = estimate_effects(answers, estimate_preferences(none), models, DOCUMENTS, **more)
    return judge_validity(answers, models, **more), effects


# --- one family -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_holm_runs_over_all_cells_of_the_study(seed):
    validity, effects = both_tables(answers_of(seed))
    none = validity[validity["condition"] == "none"]
    assert len(none) == set(none["m"]).pop() == 4  # two models on two corpora
    assert len(effects) == set(effects["m"]).pop() == 8  # under two documents each
    for table, column in ((none, "p_solves"), (effects, "p_effect")):
        ps = table[column].fillna(1.0)
        wanted = multipletests(ps, method="holm")[1]
        assert table[f"{column}_holm"].tolist() == pytest.approx(list(wanted))


@pytest.mark.parametrize("seed", range(5))
def test_what_a_corpus_counts_is_not_another_corpus_s_affair(seed):
    """Every number but those of the family is that of a study of the corpus alone."""
    answers = answers_of(seed)
    together = both_tables(answers)
    for corpus in "AB":
        alone = both_tables(answers[answers["corpus"] == corpus])
        for whole, own in zip(together, alone, strict=True):
            mine = whole[whole["corpus"] == corpus].reset_index(drop=True)
            family = ["m", "finding", "habit", "p_solves_holm", "p_effect_holm"]
            pd.testing.assert_frame_equal(
                mine.drop(columns=family, errors="ignore"),
                own.drop(columns=family, errors="ignore"),
            )


@given(st.integers(0, 1000))
def test_more_corpora_never_lower_a_corrected_p(seed):
    answers = answers_of(seed)
    together, alone = both_tables(answers), both_tables(answers[answers["corpus"] == "A"])
    for whole, own, column in zip(together, alone, ("p_solves", "p_effect"), strict=True):
        mine = whole[whole["corpus"] == "A"][f"{column}_holm"].to_numpy()
        assert (mine >= own[f"{column}_holm"].to_numpy() - 1e-12).all()


def test_nine_of_twelve_is_found_alone_and_not_among_four_cells():
    # P(X >= 10 | 12, 1/2) = 79/4096 = 0.0193: at most 0.05 alone, 0.0386 twice, 0.0772 in a four
    assert binom.sf(9, 12, 0.5) == pytest.approx(79 / 4096)
    cells = {"m": (10, 2, 0), "n": (6, 6, 0)}
    alone = validity_of(**cells)
    assert set(alone[alone["model"] == "m"]["finding"]) == {"solves"}
    among = validity_on(A=cells, B={"m": (6, 6, 0), "n": (6, 6, 0)})
    assert set(among["finding"]) == {"not shown"}
    p = among[(among["corpus"] == "A") & (among["model"] == "m")]["p_solves_holm"].iloc[0]
    assert p == pytest.approx(4 * 79 / 4096)


def test_tables_keep_their_contract_and_the_study_s_order():
    validity, effects = both_tables(answers_of(1, corpora=("B", "A")))
    as_agreed(validity, VALIDITY)
    as_agreed(effects, EFFECTS)
    cells = list(zip(validity["corpus"], validity["model"], strict=True))[:: len(CONDITIONS)]
    assert cells == [("B", "m"), ("B", "n"), ("A", "m"), ("A", "n")]
    declared = both_tables(answers_of(1, corpora=("B", "A")), corpora=["A", "B"])[0]
    assert declared["corpus"].drop_duplicates().tolist() == ["A", "B"]


def test_the_probes_of_two_corpora_may_bear_one_name():
    answers = answers_of(3)
    same = answers.assign(probe_id=answers["probe_id"].str.split("-").str[1])
    for one, other in zip(both_tables(answers), both_tables(same), strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_a_corpus_that_was_declared_and_not_asked_about_is_named():
    answers = answers_of(1)
    for lacking in (
        answers[(answers["corpus"] == "A") | (answers["model"] == "n")],
        answers[(answers["corpus"] == "A") | (answers["condition"] != "veridical")],
    ):
        with pytest.raises(ValueError, match="no answers of m about corpus B in the condition ver"):
            judge_validity(lacking, ["m", "n"], corpora=["A", "B"])
    only = answers[answers["corpus"] == "A"]
    with pytest.raises(ValueError, match="no answers of m about corpus B"):
        judge_validity(only, ["m", "n"], corpora=["A", "B"])


# --- a bank that is not admitted in one corpus ----------------------------------------------------


def test_a_bank_that_one_corpus_lacks_says_nothing_of_another_s():
    whole = both_tables(answers_of(2))
    lacking = both_tables(answers_of(2), refused={"B": ["none"]})
    for before, after in zip(whole, lacking, strict=True):
        assert set(after[after["corpus"] == "B"]["finding"]) == {"not admitted"}
        assert "not admitted" not in set(after[after["corpus"] == "A"]["finding"])
        assert set(after["m"]) == set(before["m"])  # they stay in the family, as p = 1
        column = "p_solves_holm" if "p_solves_holm" in after else "p_effect_holm"
        assert (after[after["corpus"] == "B"][column] == 1).all()
    rest = lacking[1][lacking[1]["corpus"] == "B"]
    assert (rest["samples"] == 0).all()
    assert rest["effect"].isna().all()


def test_one_document_lacking_in_one_corpus_leaves_its_models_judged():
    validity, effects = both_tables(answers_of(2), refused={"B": ["counterfeit"]})
    assert "not admitted" not in set(validity["finding"])
    gone = effects[effects["finding"] == "not admitted"]
    assert set(zip(gone["corpus"], gone["condition"], strict=True)) == {("B", "counterfeit")}
    row = validity[(validity["corpus"] == "B") & (validity["condition"] == "counterfeit")]
    assert set(row["n"]) == {0}


def test_who_is_refused_by_hand():
    table = pd.DataFrame({"corpus": ["A", "A", "B"], "condition": ["none", "veridical", "none"]})
    assert of_refused(table, {"A": ["none"]}).tolist() == [True, False, False]
    assert of_refused(table, {"A": [], "B": ["none"]}).tolist() == [False, False, True]
    assert of_refused(table, None).tolist() == [False] * 3
    assert without_none({"A": ["counterfeit"], "B": ["none", "veridical"]}) == ["B"]
    assert without_none(None) == []


# --- order in the log -----------------------------------------------------------------------------


def test_one_corpus_without_an_order_leaves_the_other_s_neighbours():
    answers = answers_of(4)
    half = answers.assign(place=answers["place"].where(answers["corpus"] == "A"))
    assert (ordered_corpora(answers), ordered_corpora(half)) == (["A", "B"], ["A"])
    assert ordered_corpora(answers.drop(columns="place")) == []
    whole, found = (both_tables(table)[0] for table in (answers, half))
    mine = found["corpus"] == "A"
    assert found[mine]["neighbours"].tolist() == whole[mine]["neighbours"].tolist()
    assert found[~mine]["neighbours"].isna().all()


def test_runs_are_counted_within_a_corpus():
    """Six right and then six wrong about A, about B the other way: in one log they would take
    turns."""
    answers = answers_of(0, models=("m",))
    first = answers["place"] <= 6
    right = first.where(answers["corpus"] == "A", ~first)
    answers = answers.assign(correct=right, answer=np.where(right, "A", "B"))
    factor = judge_validity(answers, ["m"])["neighbours"]
    assert factor.nunique() == 1
    assert factor.iloc[0] > 3  # one change where chance has about six
    mixed = answers.assign(correct=answers["place"] % 2 == 0)
    assert set(judge_validity(mixed, ["m"])["neighbours"]) == {1.0}


# --- names ----------------------------------------------------------------------------------------


def test_a_cell_is_named_only_where_there_are_several_corpora():
    rows = pd.DataFrame({"corpus": ["A", "B"], "model": ["m", "m"]})
    assert several(rows)
    assert not several(rows[:1])
    assert named(rows, apart=True)["named"].tolist() == ["m (A)", "m (B)"]
    assert named(rows, apart=False)["named"].tolist() == ["m", "m"]
    assert corpora_in_order(rows) == ["A", "B"]
    assert corpora_in_order(rows, ["B", "A"]) == ["B", "A"]


# --- what is asked --------------------------------------------------------------------------------


def drawn(at: Path, *settings: Path) -> pd.DataFrame:
    load_script("control2/draw_probes.py").main(settings, at, n=8, seed=5)
    return read_table(at, PROBES)


def test_another_corpus_changes_no_probe_and_no_prompt_of_the_first(tmp_path):
    alone = drawn(tmp_path / "alone.csv", CORPORA[0])
    both = drawn(tmp_path / "both.csv", *CORPORA)
    assert len(both) == 16
    assert both["corpus"].tolist() == ["A"] * 8 + ["B"] * 8
    pd.testing.assert_frame_equal(both[:8], alone)
    write = load_script("control2/write_prompts.py").main
    how = {"condition": "none", "samples": 1}
    for probes, out in (("alone.csv", "one.jsonl"), ("both.csv", "two.jsonl")):
        write(CORPORA[0], tmp_path / probes, None, tmp_path / out, **how)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    write(CORPORA[1], tmp_path / "both.csv", None, tmp_path / "b.jsonl", **how)
    asked = read_prompts(tmp_path / "b.jsonl")
    assert [prompt.facts["probe_id"] for prompt in asked] == both["probe_id"].tolist()[8:]
    assert {prompt.facts["corpus"] for prompt in asked} == {"B"}


def proposals(settings: Path, folder: Path) -> tuple[Path, Path]:
    """What the author is asked about a corpus, and what a scripted one that obeys replies."""
    asked, altered = folder / "asked.jsonl", folder / "altered.jsonl"
    load_script("control2/write_alteration_prompts.py").main(settings, asked, n=8, seed=5)
    alterer, rules = Alterer(read_corpus(settings)), []
    for prompt in read_prompts(asked):
        text = prompt.facts["text"]
        found = alterer.find(text, prompt.facts["kind"], np.random.default_rng(1))
        said = {"from": found[0].source, "to": found[0].target} if found else {"from": "", "to": ""}
        rules.append({"match": re.escape(text), "reply": json.dumps(said)})
    entry = {"provider": "scripted", "model": "author", "structured": "schema", "replies": rules}
    collect(asked, Model.from_config("author", entry), folder / "author.sqlite", out=altered)
    return asked, altered


def test_the_author_s_proposals_go_to_their_own_corpus(tmp_path):
    pairs = []
    for settings in CORPORA:
        folder = tmp_path / settings.parent.name
        folder.mkdir()
        pairs.append(proposals(settings, folder))
    asked, altered = zip(*pairs, strict=True)
    draw = load_script("control2/draw_probes.py").main
    draw(CORPORA, tmp_path / "both.csv", n=4, seed=5, asked=asked, altered=altered)
    probes = read_table(tmp_path / "both.csv", PROBES)
    for settings, mine in zip(CORPORA, asked, strict=True):
        own = probes[probes["corpus"] == settings.parent.name]
        texts = {
            prompt.facts["encounter_id"]: prompt.facts["text"] for prompt in read_prompts(mine)
        }
        assert len(own) == 4
        assert own["true_text"].tolist() == [texts[name] for name in own["encounter_id"]]
    with pytest.raises(ValueError, match="corpus A: 4 probes need"):
        draw(CORPORA, tmp_path / "no.csv", n=4, seed=5, asked=asked, altered=altered[::-1])
