"""Tables that a study brings: what they fill in the config, and what is refused there."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import stranger
from veridical.base.brought import UNEVEN, brought, listed, margins_in, partners_in, values
from veridical.base.config import ConfigError, check_config
from veridical.base.counterfeits import (
    authored,
    brought_life,
    counterfeited,
    counterfeits,
    documents_of,
    life_files,
)
from veridical.documents.corrupted import COUNTED

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A project's folder with tables of one's own; the corpora are the project's."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/corpora").symlink_to(ROOT / "data/corpora")
    own = tmp_path / "data/own"
    stranger.write(stranger.verdicts(), own / "verdicts.csv")
    stranger.write(stranger.recognised(), own / "recognised.csv")
    stranger.write(stranger.partners(), own / "partners.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(**parts: dict) -> dict:
    return check_config({"study": "s", "seed": 1, **parts})


def test_a_table_says_whom_its_answers_are_from(folder):
    config = checked(
        control1={"verdicts_csv": "data/own/verdicts.csv", "metrics": stranger.METRICS},
        control2={"answers_csv": "data/own/recognised.csv"},
        control3={"answers_csv": "data/own/partners.csv"},
    )
    assert config["control1"]["judges"] == ["ann", "bob"]
    assert config["control1"]["metrics"] == ["warmth"]
    assert config["control2"]["responders"] == ["keen", "blind"]
    assert config["control3"]["corpora"] == ["Elsewhere"]
    assert config["control3"]["noticing"]["probes"] == 0
    assert config["models"] == {}
    assert counterfeited(config) == []
    assert [brought(config, part) for part in ("control1", "control2", "aas")] == [
        True,
        True,
        False,
    ]
    assert check_config(config) == config  # what was filled in agrees with the table


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"control2": {"answers_csv": "no.csv"}}, "control2/answers_csv: no file 'no.csv' can be"),
        (
            {"control3": {"answers_csv": "data/own/recognised.csv"}},
            "control3/answers_csv: data/own/recognised.csv has no column 'corpus'; it has model,",
        ),
        (
            {"control2": {"answers_csv": "data/own/recognised.csv", "responders": ["keen"]}},
            "control2/responders: ['keen'], and data/own/recognised.csv has ['keen', 'blind']",
        ),
        (
            {"control1": {"verdicts_csv": "data/own/verdicts.csv", "metrics": ["charm"]}},
            "control1/metrics: ['charm'], and data/own/verdicts.csv has ['warmth']",
        ),
        ({"control1": {"corpora": ["A"]}}, "control1/responders: missing"),
        ({"control1": {"responses_csv": "data/own/verdicts.csv"}}, "control1/corpora: missing"),
        ({"control2": {"corpus": "A"}}, "control2/responders: missing"),
        ({"control3": {"responders": ["x"]}}, "control3/corpora: missing"),
        (
            {
                "control3": {"answers_csv": "data/own/partners.csv"},
                "memories": {"systems": {"v": {"adapter": "verbatim"}}},
            },
            "memories: asks control3's probes, and control3 is off or brings its answers",
        ),
        (
            {"control3": {"answers_csv": "data/own/partners.csv"}, "zoo": {"studies": 4}},
            "zoo: it draws studies of control3's size",
        ),
    ],
)
def test_what_a_table_can_not_make_up_for_is_named(folder, parts, said):
    with pytest.raises(ConfigError) as error:
        checked(**parts)
    assert said in str(error.value)


def with_lives(own: dict, **more: object) -> dict:
    models = {"m": {"provider": "scripted", "model": "m", "structured": "grammar"}}
    documents = {"foreign_seeds": [1, 2], "own": own, **more}
    part = {"corpora": ["A"], "responders": ["m"], "judges": ["m"]}
    return checked(models=models, documents=documents, control1=part)


def test_an_author_is_needed_only_for_lives_that_nobody_brought(folder):
    life = "data/own/partners.csv"  # any file: what is in it is checked where it is read
    config = with_lives({"A": {"foreign-1": life, "foreign-2": life}})
    assert authored(config, "A") == []
    with pytest.raises(ConfigError, match="documents/author: missing; foreign_seeds asks for"):
        with_lives({"A": {"foreign-1": life}})
    config = with_lives({"A": {"foreign-1": life}}, author="m")
    assert authored(config, "A") == [2]


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"B": {"foreign-1": "data/own/partners.csv"}}, "documents/own/B: no part counterfeits"),
        ({"A": {"foreign-9": "data/own/partners.csv"}}, "A/foreign-9: foreign_seeds has no such"),
        ({"A": {"foreign-1": "data/own/no.txt"}}, "own/A/foreign-1: no file 'data/own/no.txt'"),
        ({"A": {"foreign-1": "data/../data/own/partners.csv"}}, "may lie outside the project"),
        ({"A": {"adjacent-1": "data/own"}}, "adjacent-1: no file 'data/own/corpus.yaml'"),
        ({"A": {"shuffled-1": "data/own/partners.csv"}}, "documents/own/A"),
    ],
)
def test_lives_for_nobody_and_files_that_are_not_there(folder, own, said):
    with pytest.raises(ConfigError) as error:
        with_lives(own, author="m")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"stale": ["A"]}, "documents/stale: corpus 'A' is one of encounters, in which nothing"),
        ({"stale": ["B"]}, "documents/stale: no part counterfeits corpus 'B'"),
        ({"partial_doses": [25]}, "documents/partial_doses"),
        ({"partial_doses": [110]}, "documents/partial_doses"),
        ({"partial_doses": [10, 10]}, "documents/partial_doses"),
    ],
)
def test_counterfeits_by_rule_that_can_not_be(folder, more, said):
    with pytest.raises(ConfigError) as error:
        with_lives({}, author="m", **more)
    assert said in str(error.value)


def test_every_counterfeit_that_the_config_asks_for_is_named_in_order(folder):
    own = {"A": {"adjacent-1": "data/own/partners.csv"}}
    more = {"partial_doses": [50, 10], "partial_seeds": [1, 2], "shuffled_seeds": [4]}
    config = with_lives(own, author="m", **more)
    assert counterfeits(config, "A") == [
        *("foreign-1", "foreign-2", "shuffled-4", "adjacent-1"),
        *("partial-10-1", "partial-10-2", "partial-50-1", "partial-50-2"),
    ]
    assert documents_of(config, "A")[0] == "veridical"
    assert "adjacent-1" not in counterfeits(config, "B")  # it was brought for A
    assert authored(config, "A") == [1, 2]
    assert brought_life(config, "A", "adjacent-1") == ["data/own/partners.csv"]
    assert brought_life(config, "A", "foreign-1") == []
    older = {"documents": {"foreign_seeds": [1], "shuffled_seeds": []}}
    assert counterfeits(older, "A") == ["foreign-1"]


def test_a_corpus_that_is_brought_is_all_its_files(tmp_path):
    for name in ("corpus.yaml", "b.csv", "a.csv", "memory.txt", "notes.md"):
        (tmp_path / name).write_text("x")
    found = [Path(file).name for file in life_files(str(tmp_path))]
    assert found == ["corpus.yaml", "a.csv", "b.csv", "memory.txt"]


def test_an_earlier_session_leaves_no_pair_to_reverse(folder):
    models = {"m": {"provider": "scripted", "model": "m", "structured": "grammar"}}
    part = {"corpora": ["A"], "responders": ["m"], "judges": ["m"]}
    part |= {"original_csv": "data/own/verdicts.csv", "positive": 0}
    documents = {"foreign_seeds": []}
    with pytest.raises(ConfigError, match="control1/reversed: with original_csv the veridical"):
        checked(models=models, documents=documents, control1=part)
    own = {**part, "reversed": False}
    assert checked(models=models, documents=documents, control1=own)["control1"]["original_csv"]


def test_columns_are_read_in_order_and_each_value_once(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("\ufeffa,b\nx,1\ny,\nx,2\n", encoding="utf-8")
    assert values(path, "a") == ["x", "y"]
    assert values(path, "b") == ["1", "2"]
    with pytest.raises(ValueError, match="has no column 'c'; it has a, b"):
        values(path, "c")
    path.write_text("a,b\n,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no row that says a a"):
        values(path, "a")


def test_partners_are_counted_a_corpus(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("corpus,true_partner\nA,x\nA,y\nA,z\nB,x\nB,\n", encoding="utf-8")
    assert partners_in(path) == {"A": 3, "B": 2}
    assert margins_in(path) == {"A": (1, 1, 1), "B": (1,)}


def test_values_of_unequal_frequency_are_counted_over_probes(tmp_path):
    """Of three probes two ask for x, under two documents each: not one in two."""
    path, head = tmp_path / "t.csv", "corpus,document,probe_id,true_partner\n"
    rows = [f"A,{document},{probe}" for document in ("veridical", "none") for probe in
            ("1,x", "2,x", "3,y")]  # fmt: skip
    path.write_text(head + "\n".join(rows), encoding="utf-8")
    assert margins_in(path) == {"A": (2, 1)}
    assert partners_in(path) == {"A": UNEVEN} == {"A": COUNTED}


@pytest.mark.parametrize(
    ("document", "k"), [("binding-corrupted", UNEVEN), ("binding-corrupted-1", 3)]
)
def test_a_document_of_exchanged_values_tells_a_life(tmp_path, document, k):
    path, head = tmp_path / "t.csv", "corpus,document,probe_id,true_partner\n"
    path.write_text(head + "\n".join(f"A,{document},{v},{v}" for v in "xyz"), encoding="utf-8")
    assert partners_in(path) == {"A": k}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("modèle,x\n".encode("latin-1"), "not UTF-8"),
        (b"model;x\na;b\n", "cells are parted by ';'; save it with commas"),
        (b"model\tx\na\tb\n", "cells are parted by"),
        (b"", "no column 'model'; it is empty"),
        (b"model\n" + b"a" * 200_000 + b"\n", "no CSV table"),
    ],
)
def test_a_file_that_is_no_such_table_is_named_with_the_reason(tmp_path, content, said):
    path = tmp_path / "own.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=said) as refused:
        values(path, "model")
    assert str(path) in str(refused.value)


def test_a_byte_order_mark_and_windows_line_ends_are_passed_over(tmp_path):
    path = tmp_path / "own.csv"
    path.write_bytes(b"\xef\xbb\xbfmodel,x\r\n007,1\r\n")
    assert values(path, "model") == ["007"]


# --- one corpus of Control 2, or several ----------------------------------------------------------

SCRIPTED = {"models": {"m": {"provider": "scripted", "model": "m"}}}


def probed(**given) -> dict:
    documents = {"foreign_seeds": [], "shuffled_seeds": [1]}
    part = {"responders": ["m"], "counterfeit": "shuffled-1", **given}
    return checked(**SCRIPTED, documents=documents, control2=part)


def test_one_corpus_is_short_for_a_list_of_one(folder):
    short, long = probed(corpus="A"), probed(corpora=["A"])
    assert short == long
    assert short["control2"]["corpora"] == ["A"]
    assert "corpus" not in short["control2"]
    assert check_config(short) == short


def test_a_list_of_corpora_stays_as_it_is(folder):
    assert probed(corpora=["B", "A"])["control2"]["corpora"] == ["B", "A"]
    assert counterfeited(probed(corpora=["B", "A"])) == ["B", "A"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"corpus": "A", "corpora": ["A", "B"]},
            "control2/corpus: 'A', and control2/corpora is th",
        ),
        ({"corpus": ["A", "B"]}, "a list of corpora stands under control2/corpora"),
        ({"corpora": []}, "control2/corpora: "),
        ({"corpora": ["A", "A"]}, "control2/corpora: "),
        ({"corpora": "A"}, "control2/corpora: 'A' is not a list, as in [a, b]"),
        ({"corpora": ["A", "Nowhere"]}, "corpus 'Nowhere': no folder data/corpora/Nowhere"),
        ({"corpus": None}, "control2/corpora: missing"),
        ({}, "control2/corpora: missing"),
        (
            {"corpora": ["A", "B"], "counterfeit": "foreign-9"},
            "control2/counterfeit: no document 'foreign-9' of corpus 'B'; known: shuffled-1",
        ),
        ({"corpus": "A", "counterfeit": "foreign-9"}, "no document 'foreign-9'; known: shuffled-1"),
        ({"corpora": ["A", "B"], "memory": "x"}, "control2/memory: its corpus 'B' is none of the"),
    ],
)
def test_corpora_that_can_not_be_probed_are_refused(folder, given, said):
    with pytest.raises(ConfigError) as error:
        probed(**given)
    assert said in str(error.value)


def test_a_counterfeit_that_one_corpus_alone_has_is_refused_for_the_other(folder):
    stranger.write(stranger.partners(), folder / "data/own/near.csv")
    documents = {
        "foreign_seeds": [], "shuffled_seeds": [1],
        "own": {"A": {"adjacent-1": "data/own/near.csv"}},
    }  # fmt: skip
    part = {"responders": ["m"], "corpora": ["A", "B"], "counterfeit": "adjacent-1"}
    with pytest.raises(ConfigError, match="no document 'adjacent-1' of corpus 'B'; known: shuffl"):
        checked(**SCRIPTED, documents=documents, control2=part)


def test_what_names_no_corpus_is_left_alone():
    for config in ({}, {"control2": {"probes": 2}}, {"control2": "off"}, {"control2": None}):
        assert listed(config) == (config, [])


@pytest.mark.parametrize("nothing", [None, "null", "~"])
def test_a_corpus_of_another_file_is_taken_back_by_null(nothing):
    """As a file laid over another does, which gives a list instead."""
    found, wrong = listed({"control2": {"corpus": nothing, "corpora": ["A", "B"]}})
    assert (found, wrong) == ({"control2": {"corpora": ["A", "B"]}}, [])
