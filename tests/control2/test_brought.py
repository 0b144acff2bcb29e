"""Control 2's own tables: probes written by hand, and answers given elsewhere."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import stranger
from veridical.base.tables import table_text
from veridical.control2.brought import _detail, read_own_answers, read_own_probes
from veridical.control2.tables import ANSWERS, PROBES, SAMPLES

IDS = pd.Series(["e1", "e2"])
MINE = pd.DataFrame(
    {
        "probe_id": ["a", "b"],
        "encounter_id": ["e1", "e2"],
        "true_text": ["Six boats came in.", "We met in Hull at noon."],
        "altered_text": ["Nine boats came in.", "We met in Goole at noon."],
        "kind": ["number", "place"],
        "true_is": ["A", "B"],
    }
)


def test_the_detail_is_found_where_two_texts_differ(write):
    probes = read_own_probes(write(MINE), IDS, "no such text", 2)
    assert table_text(probes, PROBES)
    assert probes[["position", "from", "to"]].to_numpy().tolist() == [
        [0, "Six", "Nine"],
        [10, "Hull", "Goole"],
    ]


WORDS = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6)


@given(WORDS, WORDS, st.text("xyz", min_size=1, max_size=4))
def test_the_detail_put_back_gives_the_altered_text(before, after, word):
    text = " ".join([*before, "hull", *after])
    altered = " ".join([*before, word, *after])
    at, was, became = _detail(text, altered)
    assert text[at:].startswith(was)
    assert text[:at] + became + text[at + len(was) :] == altered
    assert (was, became) == ("hull", word)


@pytest.mark.parametrize(
    ("change", "n", "said"),
    [
        ({}, 4, "has 2 probes, and control2/probes says 4"),
        ({"encounter_id": ["e1", "e7"]}, 2, "row 3, column encounter_id: .* no encounter 'e7'"),
        ({"true_is": ["A", "A"]}, 2, "the true text is A in 2 of 2 probes, not in half"),
        ({"altered_text": MINE["true_text"]}, 2, "a: the texts don't differ"),
        ({"kind": ["number", "mood"]}, 2, "row 3, column kind: 'mood' is none of number, name"),
        ({"true_text": ["In the block."] * 2}, 2, "a: its true text stands in the memory block"),
    ],
)
def test_probes_that_can_not_be_asked_are_refused(write, change, n, said):
    with pytest.raises(ValueError, match=said):
        read_own_probes(write(MINE.assign(**change)), IDS, "In the block.", n)


def test_answers_are_scored_and_silence_is_abstention(write):
    table = stranger.recognised(("keen",), 4)
    table.loc[1, "answer"] = None
    answers, samples = read_own_answers(write(table))
    assert table_text(answers, ANSWERS)
    assert table_text(samples, SAMPLES)
    assert answers["state"].tolist()[:2] == ["ok", "abstained"]
    assert answers["correct"].tolist()[:3] == [True, None, True]
    assert set(answers["first_option"]) == {"A"}
    assert len(samples) == 4


def test_the_first_sample_is_the_answer(write):
    once = stranger.recognised(("keen",), 2).assign(sample=1)
    twice = once[once["condition"] == "none"].assign(sample=2, answer="B")
    answers, samples = read_own_answers(write(pd.concat([once, twice])))
    assert len(answers) == 6
    none = answers[answers["condition"] == "none"]
    assert none["answer"].tolist() == ["A", "A"]
    assert len(samples) == 4


def test_every_model_answers_the_same_probes(write):
    table = stranger.recognised().drop(index=20)
    with pytest.raises(ValueError, match=r"keen counterfeit has no answer to 1 .* such as p04"):
        read_own_answers(write(table))


@pytest.mark.parametrize("condition", ["none", "counterfeit"])
def test_a_condition_that_one_model_or_all_lack_is_named(write, condition):
    table = stranger.recognised(("keen", "blind"), 4)
    away = table["condition"] == condition
    with pytest.raises(ValueError, match=f"keen {condition} has no answer to 4 .* such as p00"):
        read_own_answers(write(table[~away]))
    with pytest.raises(ValueError, match=f"blind {condition} has no answer to 4"):
        read_own_answers(write(table[~away | (table["model"] == "keen")]))


def test_a_probe_has_its_true_text_in_one_place(write):
    table = stranger.recognised(("keen",), 4)
    table.loc[0, "true_is"] = "B" if table.loc[0, "true_is"] == "A" else "A"
    with pytest.raises(ValueError, match="column true_is: probe p00 has both A and B"):
        read_own_answers(write(table))


def test_probes_are_held_to_the_rules_of_their_own_language(write):
    """In Italian `a Bari` stands as it should; English has no `a` before a name."""
    own = MINE.assign(
        true_text=["Andai a Ancona di notte.", "Vidi sei barche."],
        altered_text=["Andai a Bari di notte.", "Vidi nove barche."],
        kind=["place", "number"],
    )
    assert len(read_own_probes(write(own), IDS, "no such text", 2, "it")) == 2
    with pytest.raises(ValueError, match="'a' doesn't go with 'Bari'"):
        read_own_probes(write(own), IDS, "no such text", 2)


def test_an_answer_that_is_no_letter_is_named_by_row(write):
    table = stranger.recognised()
    table.loc[2, "answer"] = "C"
    with pytest.raises(ValueError, match="row 4, column answer: 'C' is none of A, B"):
        read_own_answers(write(table))


# --- of several corpora ---------------------------------------------------------------------------

BOTH = pd.concat([MINE.assign(corpus="A"), MINE.assign(corpus="B", probe_id=["c", "d"])])


def own_probes(path, corpus: str, n: int = 2, corpora=("A", "B")) -> pd.DataFrame:
    return read_own_probes(path, IDS, "no such text", n, corpus=corpus, corpora=corpora)


def test_each_corpus_has_its_own_probes(write):
    path = write(BOTH)
    assert own_probes(path, "A")["probe_id"].tolist() == ["a", "b"]
    found = own_probes(path, "B")
    assert found["probe_id"].tolist() == ["c", "d"]
    assert set(found["corpus"]) == {"B"}
    assert table_text(found, PROBES)


def test_probes_that_name_no_corpus_are_of_the_one_that_there_is(write):
    assert set(own_probes(write(MINE), "A", corpora=["A"])["corpus"]) == {"A"}
    with pytest.raises(ValueError, match=r"no column 'corpus', and control2/corpora has 2: say of"):
        own_probes(write(MINE), "A")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (BOTH[:3], "has 1 probes of corpus B, and control2/probes says 2: make it so"),
        (BOTH.assign(corpus=["A", "A", "B", "C"]), "column corpus: C, and control2/corpora has A,"),
        (
            BOTH.assign(probe_id=["a", "b", "a", "b"]),
            "rows 2, 3, 4, 5 have the same probe_id: a; b",
        ),
        (BOTH.assign(encounter_id=["e1", "e2", "e1", "e9"]), "row 5, column encounter_id: .*'e9'"),
        (
            BOTH.assign(corpus=["A", "A", "B", None]),
            "row 5, column corpus: missing; say it in every row",
        ),
    ],
)
def test_probes_of_several_corpora_are_held_to_each(write, table, said):
    with pytest.raises(ValueError, match=said):
        own_probes(write(table), "B")


def both_answers(n: int = 4) -> pd.DataFrame:
    one = stranger.recognised(("keen", "blind"), n)
    return pd.concat([one.assign(corpus="A"), one.assign(corpus="B")], ignore_index=True)


def test_answers_say_which_corpus_they_are_about(write):
    answers, samples = read_own_answers(write(both_answers()), ["A", "B"])
    assert table_text(answers, ANSWERS)
    assert table_text(samples, SAMPLES)
    assert answers["corpus"].value_counts().to_dict() == {"A": 24, "B": 24}
    alone = read_own_answers(write(stranger.recognised(("keen",), 4)))[0]
    assert set(alone["corpus"]) == {"unnamed"}
    assert set(read_own_answers(write(stranger.recognised(("keen",), 4)), ["A"])[0]["corpus"]) == {
        "A"
    }


def test_corpora_may_have_unequally_many_probes(write):
    table = both_answers(6)
    table = table[(table["corpus"] == "A") | (table["probe_id"] < "p04")]
    answers, _ = read_own_answers(write(table))
    assert answers.groupby("corpus")["probe_id"].nunique().to_dict() == {"A": 6, "B": 4}


@pytest.mark.parametrize(
    ("drop", "corpora", "said"),
    [
        ("corpus == 'B' and model == 'blind'", [], "blind has no answer about corpus B; every mod"),
        ("corpus == 'B'", ["A", "B"], "keen has no answer about corpus B"),
        (
            "corpus == 'B' and condition == 'none'", [],
            "keen none has no answer to 4 of the probes of corpus B, such as p00",
        ),
        ("corpus == 'Z'", ["A", "C"], "column corpus: B, and control2/corpora has A, C"),
    ],
)  # fmt: skip
def test_answers_that_lack_a_corpus_are_refused(write, drop, corpora, said):
    table = both_answers()
    with pytest.raises(ValueError, match=said):
        read_own_answers(write(table.drop(table.query(drop).index)), corpora)


def test_a_probe_may_be_shown_in_another_order_in_another_corpus(write):
    table = both_answers()
    there = table["corpus"] == "B"
    turned = table["true_is"].map({"A": "B", "B": "A"})
    table["true_is"] = table["true_is"].where(~there, turned)
    assert len(read_own_answers(write(table))[0]) == 48
    table.loc[there.idxmax(), "true_is"] = table.loc[there.idxmax() - 24, "true_is"]
    with pytest.raises(ValueError, match="probe p00 of corpus B has both A and B"):
        read_own_answers(write(table))


def test_several_corpora_without_the_column_are_refused(write):
    with pytest.raises(ValueError, match="no column 'corpus', and control2/corpora has 2"):
        read_own_answers(write(stranger.recognised()), ["A", "B"])
