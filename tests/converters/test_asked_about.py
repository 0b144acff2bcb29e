"""A converted talk through Control 3: who said it, in the true memory and the exchanged one."""

from __future__ import annotations

import numpy as np
import pytest
from support import converted
from support.converted import PEOPLE, wish
from veridical.control3.symmetric import check_symmetry, draw_probes, require_symmetry
from veridical.converters.forms import convert
from veridical.converters.writing import write_life
from veridical.corpora.corpus import read_corpus
from veridical.documents.rebinding import rebind


def test_a_talk_whose_speakers_words_tell_them_is_refused(tmp_path):
    """In this history one always speaks of a wall, the other of paint: no memory is needed."""
    names = {"user": "Ada", "assistant": "Bruno"}
    told = wish(converted.longmemeval(tmp_path / "l.json"), "longmemeval", names=names)
    list(write_life(convert(told), told, tmp_path / "corpora/Ada"))
    corpus = read_corpus(tmp_path / "corpora/Ada")
    with pytest.raises(ValueError, match=r"the word that tells a value best"):
        require_symmetry(check_symmetry(corpus, 12, 24))


@pytest.mark.parametrize(("make", "form"), [(converted.locomo, "locomo"), (converted.chat, "chat")])
def test_control_3_asks_a_converted_talk_who_said_it(make, form, tmp_path):
    told = wish(make(tmp_path / "file.json"), form)
    list(write_life(convert(told), told, tmp_path / "corpora/Ada"))
    corpus = read_corpus(tmp_path / "corpora/Ada")
    require_symmetry(check_symmetry(corpus, 12, 24))
    probes = draw_probes(corpus, 12, np.random.default_rng(3))
    assert probes["true_partner"].value_counts().to_dict() == dict.fromkeys(PEOPLE, 6)
    said = {event.text: event.speaker for event in corpus.events.itertuples()}
    assert all(said[row.topic] == row.true_partner for row in probes.itertuples())
    true, swapped = corpus.written(), rebind(corpus, "binding-corrupted")
    for row in probes.itertuples():
        other = next(name for name in PEOPLE if name != row.true_partner)
        assert f"{row.true_partner}: {row.topic}" in true
        assert f"{other}: {row.topic}" in swapped
