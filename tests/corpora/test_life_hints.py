"""The hints of a life: what is written beside a value, without the value that the event says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.histories import EVENTS, FACTS, write_history
from support.scripts import load_script
from veridical.corpora.corpus import read_corpus
from veridical.corpora.hints import partner_hint, written

CORPORA = Path(__file__).parents[2] / "data/corpora"


def test_the_value_that_an_event_says_is_no_hint(tmp_path):
    life = read_corpus(write_history(tmp_path / "T"))
    columns = written(life)
    assert list(columns) == ["topic", "text", "both"]
    assert columns["text"][0] == "The rope goes into the   box, the bell into the   one."
    assert columns["topic"][0] in columns["both"][0]
    for text in columns["both"]:
        assert not any(value in text.split() for value in life.partners)


def test_a_word_that_goes_with_one_value_is_noticed_however_the_rows_are_ordered(tmp_path):
    events, facts = [EVENTS.splitlines()[0]], [FACTS.splitlines()[0]]
    for n in range(36):
        box, word = ("red", "early") if n % 3 else ("blue", "late")
        events.append(f"h{n},2025-03-01T10:{n:02d},Ada,I came {word}: {box} box for thing{n}.,s")
        facts.append(f"thing{n},box,{box},h{n},,")
    rng = np.random.default_rng(1)
    for order in (range(36), sorted(range(36), key=lambda n: n % 3), rng.permutation(36)):
        rows = [f"\n{events[1:][n]}" for n in order]
        files = {
            "events_csv": events[0] + "".join(rows) + "\n",
            "facts_csv": "\n".join(facts) + "\n",
        }
        life = read_corpus(write_history(tmp_path / "T", **files))
        texts = written(life)["text"]
        hint = partner_hint(
            texts, list(life.encounters["partner"]), np.random.default_rng(2), shufflings=99
        )
        assert hint.accuracy == 1.0
        assert hint.p == 0.01


@pytest.mark.parametrize("name", ["Livia", "Defne"])
def test_no_word_of_a_shipped_life_tells_its_values(name, capsys):
    script = load_script("corpora/check_hints.py")
    assert script.main(CORPORA / name, shufflings=99) == 0
    found = script.measure(read_corpus(CORPORA / name), 199)
    assert set(found) == {"topic", "text", "both"}
    assert found["topic"].p > 0.01
    assert "0 telling words" in capsys.readouterr().out
