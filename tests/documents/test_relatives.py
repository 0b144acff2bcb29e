"""Another corpus's life in a memory's place: of the same form, on the same days, as long."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support.histories import write_history
from support.lives import corpus_of, encounters, life, write_life
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import entries_of, fidelity, require_fidelity
from veridical.documents.relatives import placed, relative

CORPORA = Path(__file__).parents[2] / "data/corpora"


@pytest.fixture(scope="module")
def pair():
    return read_corpus(CORPORA / "A"), read_corpus(CORPORA / "B")


def test_each_is_the_others_relative_and_not_its_own(pair):
    for own, other in (pair, pair[::-1]):
        require_fidelity(fidelity("adjacent-1", relative(own, other), own, 0.05))
    found = fidelity("adjacent-1", relative(pair[0], pair[0]), pair[0], 0.05)
    assert list(found.loc[~found["passed"].astype(bool), "check"]) == ["shared_topics"]


def test_a_relatives_names_are_told_and_allowed(pair):
    own, other = pair
    found = fidelity("adjacent-1", relative(own, other), own, 0.05).set_index("check")
    told = found.loc["shared_names"]
    assert (told["value"], told["limit"], told["note"]) == ("2", "any", "Llama, DeepSeek")
    foreign = fidelity("foreign-1", relative(own, other), own, 0.05).set_index("check")
    assert not foreign.loc["shared_names", "passed"]


def test_lines_are_as_long_as_those_they_stand_for():
    """Where the other life has a line of each length, each stands in the place of its equal."""
    own = life()
    topics = [f"a {'x' * len(topic)}" for topic in own.encounters["topic"]]
    table = own.encounters.assign(topic=topics[::-1])
    other = corpus_of(table.iloc[::-1].reset_index(drop=True), own.settings, own.vocabulary)
    text = relative(own, other)
    lengths = [len(line) for line in text.split("\n")]
    assert all(abs(a - len(b)) <= 4 for a, b in
               zip(lengths, own.memory_block.split("\n"), strict=True))  # fmt: skip


def test_what_is_remembered_goes_before_what_was_only_lived():
    own, other = life(), life()
    notes = [note[:-5] if kept else note for kept, note in
             zip(other.encounters["in_memory"], other.encounters["note"], strict=True)]  # fmt: skip
    other = replace(other, encounters=other.encounters.assign(note=notes))
    entries = entries_of(relative(own, other), own)[0]
    assert Counter(entries["topic"]) == Counter(other.remembered()["topic"])
    far = [f"{'far' * 12} {note}" if kept else note for kept, note in
           zip(other.encounters["in_memory"], other.encounters["note"], strict=True)]  # fmt: skip
    other = replace(other, encounters=other.encounters.assign(note=far))
    entries = entries_of(relative(own, other), own)[0]
    assert not entries["note"].str.startswith("far").any()  # 36 characters too long


def test_more_is_taken_of_the_life_where_less_is_remembered():
    own, other = life(), life(remembered=3)
    entries = entries_of(relative(own, other), own)[0]
    assert len(entries) == 24
    assert set(other.remembered()["topic"]) <= set(entries["topic"])


def test_lives_that_do_not_go_together(pair):
    own = pair[0]
    with pytest.raises(
        ValueError, match=r"corpus T has 3 partners, A 2: a counterfeit has as many"
    ):
        relative(own, life(("Xan", "Yve", "Zoe")))
    with pytest.raises(ValueError, match=r"corpus T has 5 encounters with Xan, and 15 are needed"):
        relative(own, life(each=5, remembered=5))
    livia = read_corpus(CORPORA / "Livia")
    with pytest.raises(ValueError, match=r"corpus A is one of encounters, corpus Livia is a life"):
        relative(own, livia)
    with pytest.raises(ValueError, match=r"corpus Livia is a life, corpus A is one of encounters"):
        relative(livia, own)


def test_a_corpus_is_named_by_its_settings_and_a_text_by_its_file(tmp_path, pair):
    own = life()
    folder = write_life(corpus_of(encounters(own.partners, 24, 12), dict(own.settings),
                                  own.vocabulary), tmp_path / "K")  # fmt: skip
    assert placed(folder / "corpus.yaml", own) == relative(own, read_corpus(folder))
    text = tmp_path / "kin.txt"
    text.write_text("one\n\n two \n", encoding="utf-8")
    assert placed(text, own) == "one\ntwo"
    with pytest.raises(ValueError, match="no such corpus folder"):
        placed(tmp_path / "none/corpus.yaml", own)


def test_a_lifes_text_keeps_the_lines_between_its_sessions(tmp_path):
    own = read_corpus(write_history(tmp_path / "L"))
    text = tmp_path / "kin.txt"
    text.write_text("\none\n\ntwo\n\n", encoding="utf-8")
    assert placed(text, own) == "one\n\ntwo"
    text.write_text("\n\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"kin.txt: no entry in it"):
        placed(text, own)
    table = tmp_path / "kin.csv"
    table.write_text("date,partner,topic,note\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"kin.csv: the memory of a life isn't a table"):
        placed(table, own)
