"""Counterfeits of a life: shuffled, partial by dose, stale, a stranger's; and what holds them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support.histories import EVENTS, SETTINGS, write_history
from veridical.corpora.corpus import read_corpus
from veridical.documents.exchanging import with_values
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.life_counterfeits import shuffle_life, stale
from veridical.documents.partial import partial
from veridical.documents.relatives import relative

LIVIA = Path(__file__).parents[2] / "data/corpora/Livia"
HEAD = "subject,attribute,value,event,valid_from,valid_to\n"


@pytest.fixture(scope="module")
def livia():
    return read_corpus(LIVIA)


def wide(folder: Path, n: int = 40, shape: str = "lines"):
    """A life of n facts in four boxes."""
    rng = np.random.default_rng(5)
    boxes = rng.permutation([("red", "blue", "green", "white")[i % 4] for i in range(n)])
    events = "".join(
        f"w{i},2025-01-{i % 28 + 1:02d},Ada,The thing{i} is in the {box} box.,s\n"
        for i, box in enumerate(boxes)
    )
    facts = "".join(f"the thing{i},box,{box},w{i},,\n" for i, box in enumerate(boxes))
    settings = SETTINGS + f"memory: {shape}\n"
    head = EVENTS.splitlines()[0] + "\n"
    return read_corpus(
        write_history(
            folder, corpus_yaml=settings, events_csv=head + events, facts_csv=HEAD + facts
        )
    )


@pytest.mark.parametrize("shape", ["lines", "paragraphs", "profile", "turns"])
def test_a_shuffled_life_keeps_form_and_values_and_no_binding(tmp_path, shape):
    life = wide(tmp_path / "L", shape=shape)
    text = shuffle_life(life, np.random.default_rng(1))
    require_fidelity(fidelity("shuffled-1", text, life, 0.05))
    for row in life.encounters.itertuples():
        pattern = f"hing{row.topic.removeprefix('the thing')} is in the "
        (line,) = [part for part in text.replace(". ", ".\n").split("\n") if pattern in part]
        assert f"in the {row.partner} box" not in line
    for box in life.partners:
        assert text.count(box) == life.memory_block.count(box)


def test_superseded_values_are_shuffled_too_and_a_single_value_stays(livia):
    text = shuffle_life(livia, np.random.default_rng(1))
    assert Counter(text.split()) == Counter(livia.memory_block.split())
    assert "il termometro da forno: al prezzo di 4 euro" in text  # two prices trade places
    assert text != livia.memory_block


@pytest.mark.parametrize(("dose", "altered"), [(10, 4), (30, 12), (50, 20), (100, 40)])
@pytest.mark.parametrize("shape", ["lines", "turns", "profile"])
def test_a_dose_alters_so_many_bindings(tmp_path, dose, altered, shape):
    life = wide(tmp_path / "L", shape=shape)
    text = partial(life, dose, 1)
    lines = zip(text.split("\n"), life.memory_block.split("\n"), strict=True)
    assert sum(a != b for a, b in lines) == altered
    require_fidelity(fidelity(f"partial-{dose}-1", text, life, 0.05))


def test_a_stale_life_holds_what_was_replaced(livia):
    text = stale(livia)
    assert text.count("l'imbuto di latta: nella scatola verde") == 2
    assert "l'imbuto di latta: nella scatola bianca" not in text
    assert text.count("il pennello largo: nella scatola verde") == 2
    lines = zip(text.split("\n"), livia.memory_block.split("\n"), strict=True)
    assert sum(a != b for a, b in lines) == len(livia.changed()) == 3
    require_fidelity(fidelity("stale", text, livia, 0.05))


def test_a_life_in_which_nothing_changed_can_not_be_stale(tmp_path):
    with pytest.raises(ValueError, match=r"corpus L: no fact of its memory changed"):
        stale(wide(tmp_path / "L"))


def test_a_life_of_one_value_can_not_be_shuffled(tmp_path):
    facts = HEAD + "the lamp,box,red,e1,,\nthe bell,box,red,e3,,\n"
    life = read_corpus(write_history(tmp_path / "L", facts_csv=facts))
    with pytest.raises(ValueError, match="no fact of its memory can be given another's value"):
        shuffle_life(life, np.random.default_rng(1))


def test_a_strangers_life_is_cut_to_length_in_the_same_shape(tmp_path, livia):
    short, long = wide(tmp_path / "A", 20), wide(tmp_path / "B", 60)
    text = relative(short, long)
    assert abs(len(text) - len(short.memory_block)) < 60
    assert set(text.split("\n")) <= set(long.memory_block.split("\n"))
    with pytest.raises(ValueError, match=r"corpus A: its memory has \d+ characters, that of B \d+"):
        relative(long, short)
    with pytest.raises(
        ValueError, match=r"corpus C: its memory has the shape 'turns', that of Livia"
    ):
        relative(livia, wide(tmp_path / "C", shape="turns"))


def test_a_strangers_life_may_share_no_name_and_a_relatives_may(livia):
    told = livia.memory_block.replace("l'imbuto", "la zia di Ines e l'imbuto")[
        : len(livia.memory_block)
    ]
    foreign = fidelity("foreign-1", told, livia, 0.05)
    assert list(foreign.loc[~foreign["passed"].astype(bool), "check"]) == ["shared_names"]
    require_fidelity(fidelity("adjacent-1", told, livia, 0.05))


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (lambda life: life.memory_block, "differs"),
        (lambda life: life.memory_block[:200], "characters"),
        (lambda life: life.memory_block.replace("\n", " "), "entries"),
    ],
)
def test_what_gives_a_counterfeit_away_is_named(livia, text, check):
    found = fidelity("shuffled-1", text(livia), livia, 0.05)
    assert check in list(found.loc[~found["passed"].astype(bool), "check"])
    with pytest.raises(ValueError, match=rf"shuffled-1: {check} is"):
        require_fidelity(found)


def test_the_real_document_is_held_to_nothing_but_its_form(livia):
    require_fidelity(fidelity("veridical", livia.memory_block, livia, 0.05))


def test_values_that_go_back_give_the_document_back(livia):
    own = dict(zip(livia.encounters["encounter_id"], livia.encounters["partner"], strict=True))
    assert livia.written(with_values(livia, own)) == livia.memory_block
