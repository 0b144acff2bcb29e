"""Planted facts: drawn from a seed, woven into events, and known from nowhere else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support.histories import SETTINGS, write_history
from veridical.control3.symmetric import check_symmetry, draw_probes, require_symmetry
from veridical.corpora.corpus import read_corpus
from veridical.corpora.hints import partner_hint
from veridical.documents.rebinding import rebind

HEAD = "id,time,speaker,text,session\n"
PLAIN = "form: life\nagent: Memo\nlanguage: en\nlicence: x\norigin: y\nmemory: turns\n"
TALK = HEAD + "".join(
    f"t{n},2025-02-{n // 3 + 1:02d}T09:0{n % 3},Ada,It rained on day {n} and I read a little.,s\n"
    for n in range(30)
)


def planted(folder: Path, plant: str = "{ facts: 12, seed: 1 }", more: str = "", **files: str):
    settings = PLAIN + f"plant: {plant}\n" + more
    files = {"events_csv": TALK, "facts_csv": "", **files}
    return read_corpus(write_history(folder, corpus_yaml=settings, **files))


def test_a_chat_with_nothing_to_ask_about_gets_something(tmp_path):
    life = planted(tmp_path / "T")
    assert life.asked == "drawer"
    assert set(life.partners) == {"red drawer", "green drawer", "blue drawer"}
    counts = Counter(life.remembered()["partner"])
    assert set(counts.values()) == {4}
    for row in life.encounters.itertuples():
        assert row.text.endswith(f"By the way, {row.topic} is in the {row.partner}.")
        assert f"{row.topic} is in the {row.partner}." in life.memory_block
    require_symmetry(check_symmetry(life, 12, 30))
    probes = draw_probes(life, 12, np.random.default_rng(1))
    assert len(probes) == 12
    moved = rebind(life, "binding-corrupted")
    assert len(moved.split("\n")) == len(life.memory_block.split("\n"))
    for row in life.encounters.itertuples():
        assert f"{row.topic} is in the {row.partner}." not in moved


def test_the_seed_decides_which_is_where_and_another_seed_another(tmp_path):
    one, same, other = (
        planted(tmp_path / name, f"{{ facts: 12, seed: {seed} }}")
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one.encounters.drop(columns="encounter_id").equals(
        same.encounters.drop(columns="encounter_id")
    )
    assert list(one.encounters["topic"]) != list(other.encounters["topic"])


def test_no_prior_can_know_it_since_values_are_drawn_whatever_the_subject(tmp_path):
    """Over seeds every subject has every value; the words foretell none (hints)."""
    seen: dict[str, set[str]] = {}
    for seed in range(1, 25):
        life = planted(tmp_path / str(seed), f"{{ facts: 36, seed: {seed} }}")
        for row in life.encounters.itertuples():
            seen.setdefault(row.topic, set()).add(row.partner)
    assert len(seen) == 36
    assert all(len(values) == 3 for values in seen.values())
    rows = life.encounters
    hint = partner_hint(list(rows["topic"]), list(rows["partner"]), np.random.default_rng(1))
    assert hint.p > 0.01


def test_values_of_unequal_frequency_can_be_planted(tmp_path):
    life = planted(tmp_path / "T", "{ counts: [6, 4, 2], seed: 3 }")
    counts = Counter(life.remembered()["partner"])
    assert counts == {"red drawer": 6, "green drawer": 4, "blue drawer": 2}


@pytest.mark.parametrize("language", ["it", "tr"])
def test_facts_are_planted_in_other_languages(tmp_path, language):
    settings = PLAIN.replace("language: en", f"language: {language}") + "plant: { facts: 24 }\n"
    folder = write_history(tmp_path / "T", corpus_yaml=settings, events_csv=TALK, facts_csv="")
    life = read_corpus(folder)
    assert len(life.remembered()) == 24
    require_symmetry(check_symmetry(life, 24, 30))
    for row in life.encounters.itertuples():
        assert row.partner in row.text
        assert row.topic in row.text


def test_they_stand_beside_facts_of_the_lifes_own(tmp_path):
    settings = SETTINGS.replace("asked: box\n", "plant: { facts: 4, seed: 1 }\n")
    life = read_corpus(write_history(tmp_path / "T", corpus_yaml=settings))
    assert life.asked == "drawer"
    assert set(life.facts["attribute"]) == {"box", "price", "drawer"}
    assert "the lamp is in the blue box" in life.memory_block
    named = read_corpus(
        write_history(tmp_path / "U", corpus_yaml=SETTINGS + "plant: { facts: 4, seed: 1 }\n")
    )
    assert named.asked == "box"  # what the life says itself goes first


def test_nothing_is_planted_after_the_test_day_or_where_the_memory_knows_nothing(tmp_path):
    flagged = TALK.replace("session\n", "session,in_memory\n").replace(",s\n", ",s,false\n")
    flagged = flagged.replace(",s,false\n", ",s,true\n", 14)
    life = planted(tmp_path / "T", events_csv=flagged, more="today: 2025-02-08\n")
    known = set(life.events.loc[life.events["in_memory"], "id"])
    assert set(life.facts["event"]) <= known
    assert life.events["time"].max() < "2025-02-09"
    assert len(life.remembered()) == 12


def test_a_subject_that_is_spoken_of_already_is_passed_over(tmp_path):
    life = planted(
        tmp_path / "T",
        "{ facts: 35, seed: 1 }",
        events_csv=TALK + "u,2025-02-11,Ada,Where is the brass key?,s\n",
    )
    assert "the brass key" not in set(life.encounters["topic"])
    with pytest.raises(
        ValueError, match=r"plant/subjects: 36 facts need .* and there are 35; list"
    ):
        planted(
            tmp_path / "U",
            "{ facts: 36, seed: 1 }",
            events_csv=TALK + "u,2025-02-11,Ada,Where is the brass key?,s\n",
        )


BROKEN = {
    "a number": ("12", r"key plant: must hold facts and seed, as in"),
    "an unknown key": ("{ fact_s: 12 }", r"key plant: unknown key 'fact_s'; known: facts, seed"),
    "no number": ("{ facts: many }", r"plant/facts: must be a whole number from 1, not 'many'"),
    "no seed": ("{ facts: 12, seed: x }", r"plant/seed: must be a whole number"),
    "too many": ("{ facts: 99 }", r"plant/facts: 99 facts need as many subjects, and there are 36"),
    "counts that fit nothing": (
        "{ counts: [3, 2] }",
        r"plant/counts: must list one number for each",
    ),
    "a count of nothing": ("{ counts: [3, 2, 0] }", r"plant/counts: must be a whole number from 1"),
    "one value": ("{ values: [red] }", r"plant/values: must list two or more"),
    "subjects that are none": ("{ subjects: red }", r"plant/subjects: must list two or more"),
    "a sentence without a value": (
        "{ sentence: 'It is {subject}.' }",
        r"plant/sentence: must contain \{value\} exactly once",
    ),
    "a question without a subject": (
        "{ question: 'Where?' }",
        r"plant/question: must contain \{subject\} exactly once",
    ),
}


@pytest.mark.parametrize(("plant", "message"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_planted_is_said(tmp_path, plant, message):
    with pytest.raises(ValueError, match=r"corpus\.yaml, " * message.startswith("key") + message):
        planted(tmp_path / "T", plant)


def test_a_language_without_its_own_words_must_be_given_them(tmp_path, monkeypatch):
    monkeypatch.setattr("veridical.corpora.planting.LIBRARY", tmp_path)
    with pytest.raises(
        ValueError, match=r"'en' has no planted\.en\.yaml; word attribute, question,"
    ):
        planted(tmp_path / "T")
