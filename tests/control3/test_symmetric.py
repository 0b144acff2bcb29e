"""Symmetric probes: balance, re-bindings and the check that comes before anything is asked."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lives import life, with_parts
from veridical.control3.symmetric import (
    check_symmetry,
    draw_probes,
    require_symmetry,
    telling_word,
)
from veridical.documents.corrupted import corrupted_names, count_partners, named_partner, shift_of
from veridical.documents.rebinding import rebind

TWO, THREE = ("Xan", "Yve"), ("Xan", "Yve", "Zoe")


def failed(corpus, probes=8, entries=24):
    checks = check_symmetry(corpus, probes, entries)
    return list(checks.loc[~checks["passed"], "check"])


def changed(corpus, row, **values):
    table = corpus.encounters.copy()
    for column, value in values.items():
        table.loc[row, column] = value
    return with_parts(corpus, encounters=table)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_every_rebinding_names_another_partner_and_together_they_name_all(k):
    partners = [f"P{i}" for i in range(k)]
    for true in partners:
        named = [named_partner(partners, true, name) for name in corrupted_names(k)]
        assert sorted([true, *named]) == partners
        assert named_partner(partners, true, "veridical") == true
        assert named_partner(partners, true, "none") is None


def test_names_of_documents():
    assert [shift_of(name) for name in ("veridical", "binding-corrupted")] == [0, 1]
    assert shift_of("binding-corrupted-2") == 2
    with pytest.raises(ValueError, match="neither veridical"):
        shift_of("shuffled-1")
    with pytest.raises(ValueError, match="two partners"):
        corrupted_names(1)


@pytest.mark.parametrize("partners", [TWO, THREE])
def test_a_corrupted_document_changes_the_partner_in_every_line_and_nothing_else(partners):
    corpus = life(partners)
    true = [corpus.parse_entry(line) for line in corpus.memory_block.split("\n")]
    for name in corrupted_names(len(partners)):
        false = [corpus.parse_entry(line) for line in rebind(corpus, name).split("\n")]
        assert all(a["partner"] != b["partner"] for a, b in zip(true, false, strict=True))
        assert [a | {"partner": ""} for a in true] == [b | {"partner": ""} for b in false]
        counts = pd.Series([entry["partner"] for entry in false]).value_counts()
        assert set(counts) == {12}  # as many entries a partner as before


@pytest.mark.parametrize(("partners", "n"), [(TWO, 24), (TWO, 8), (THREE, 18), (THREE, 36)])
def test_probes_are_balanced_exactly_where_they_can_be(partners, n):
    k = len(partners)
    probes = draw_probes(life(partners), n, np.random.default_rng(3))
    assert set(probes["true_partner"].value_counts()) == {n // k}
    assert set(probes.groupby(["true_partner", "true_position"]).size()) == {n // k**2}
    first = probes["options"].str[0]
    assert set(first.value_counts()) == {n // k}  # naming the first is right once in k
    for row in probes.itertuples():
        assert row.options[row.true_position - 1] == row.true_partner
        assert sorted(row.options) == list(partners)
    assert probes["topic"].is_unique
    assert probes["probe_id"].is_unique


@settings(max_examples=40)
@given(st.integers(2, 4), st.integers(1, 6), st.integers(0, 2**32))
def test_the_true_partner_stands_everywhere_equally_often(k, each, seed):
    partners = TWO if k == 2 else THREE if k == 3 else ("P", "Q", "R", "S")
    probes = draw_probes(
        life(partners, each=8, remembered=6), k * each, np.random.default_rng(seed)
    )
    places = probes["true_position"].value_counts()
    assert list(places.sort_index()) == [each] * k
    within = pd.crosstab(probes["true_partner"], probes["true_position"])  # 0 where never
    within = within.reindex(columns=range(1, k + 1), fill_value=0)
    assert within.to_numpy().max() - within.to_numpy().min() <= 1


def test_the_seed_decides():
    one, two, other = (draw_probes(life(), 12, np.random.default_rng(s)) for s in (1, 1, 2))
    pd.testing.assert_frame_equal(one, two)
    assert not one.equals(other)


def test_odd_numbers_and_too_many_probes_are_refused():
    with pytest.raises(ValueError, match="7 probes can't be balanced over 2 partners"):
        draw_probes(life(), 7, np.random.default_rng(0))
    with pytest.raises(ValueError, match="which has 12"):
        draw_probes(life(), 26, np.random.default_rng(0))


@pytest.mark.parametrize(("partners", "probes"), [(TWO, 24), (THREE, 36)])
def test_a_balanced_life_passes(partners, probes):
    checks = check_symmetry(life(partners), probes, 12 * len(partners))
    require_symmetry(checks)
    assert checks["passed"].all()


def test_unbalanced_partners_are_found():
    corpus = changed(life(), 0, partner="Yve")
    assert failed(corpus) == ["encounters a partner", "entries a partner"]
    with pytest.raises(ValueError, match=r"encounters a partner: Xan 23, Yve 25"):
        require_symmetry(check_symmetry(corpus, 8, 24))


def test_a_topic_twice_is_found():
    corpus = life()
    topic = corpus.encounters.loc[1, "topic"].upper()
    assert failed(changed(corpus, 0, topic=topic)) == ["a topic twice"]


def test_a_document_of_another_length_is_found():
    assert failed(life(), entries=30) == ["entries of the document"]


@pytest.mark.parametrize("probes", [7, 26])
def test_probes_that_cannot_balance_are_found(probes):
    assert failed(life(), probes=probes) == ["probes a partner"]


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("topic", "what Xan had left"),
        ("topic", "the xans of old"),  # a plural is no other word
        ("note", "as Yve said"),
    ],
)
def test_a_partners_name_in_a_text_is_found(column, text):
    checks = check_symmetry(changed(life(), 5, **{column: text}), 8, 24)
    row = checks[checks["check"] == "a text that names or hints at a partner"].iloc[0]
    assert not row["passed"]
    assert "T-006" in row["note"]


def test_parts_of_a_name_and_associated_words_hint_where_the_document_has_them():
    corpus = life(("Llama", "DeepSeek"), associations={"Llama": ["wool"]})

    def found(**values):
        checks = check_symmetry(changed(corpus, 0, **values), 8, 24).set_index("check")
        return checks.loc["a text that names or hints at a partner", "note"]

    assert found(topic="the kettle") == ""
    assert found(topic="a deep well") == "T-001, column topic: 'Deep' may hint at DeepSeek"
    assert found(note="the wool") == "T-001, column note: 'wool' may hint at Llama"
    assert found(topic="the woollen depth") == ""  # whole words only
    assert found(text="Llama sold the cup.") == ""  # no document of Control 3 holds it


@pytest.mark.parametrize("partners", [TWO, THREE])
def test_a_subject_of_ones_own_tells_the_partner(partners):
    corpus = life(partners)
    own = [
        f"music {i}" if p == "Xan" else f"stone {i}"
        for i, p in enumerate(corpus.encounters["partner"])
    ]
    table = corpus.encounters.assign(topic=own)
    word, p = telling_word(with_parts(corpus, encounters=table))
    assert word in ("music", "stone")
    assert p < 0.001
    assert telling_word(corpus)[1] > 0.05


def test_partners_are_counted_from_the_settings(tmp_path):
    (tmp_path / "corpus.yaml").write_text("partners: [a, b, c]\n")
    assert count_partners(tmp_path) == 3
    with pytest.raises(ValueError, match=r"corpus\.yaml: can't read"):
        count_partners(tmp_path / "nowhere")
