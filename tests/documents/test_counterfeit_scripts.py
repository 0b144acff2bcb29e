"""The scripts that write a life's counterfeits, as the workflow and a person run them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.histories import write_history
from support.scripts import load_script
from veridical.control2.recognition import check_probes, draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.names import read_document

LIVIA = Path(__file__).parents[2] / "data/corpora/Livia"


def test_a_shuffled_life_is_written_for_the_study(tmp_path):
    document = tmp_path / "shuffled-1.txt"
    main = load_script("documents/shuffle_memory.py").main
    main(LIVIA / "corpus.yaml", document, seed=1, tolerance=0.05)
    life = read_corpus(LIVIA)
    name, text = read_document(document)
    assert name == "shuffled-1"
    assert text != life.memory_block
    assert sorted(text.split()) == sorted(life.memory_block.split())


def test_doses_and_the_stale_are_written_and_what_cannot_be_is_said(tmp_path, capsys):
    main = load_script("documents/write_counterfeits.py").main
    assert main(LIVIA, tmp_path / "out") == 5
    names = sorted(path.stem for path in (tmp_path / "out").glob("*.txt"))
    assert names == ["partial-10", "partial-100", "partial-30", "partial-50", "stale"]
    assert [read_document(path).name for path in sorted((tmp_path / "out").glob("*"))] == names
    other = write_history(tmp_path / "T")
    assert main(LIVIA, tmp_path / "out", other) == 5
    assert "adjacent: corpus T: its memory has" in capsys.readouterr().out


def test_a_corpus_of_encounters_has_none_of_these(tmp_path):
    with pytest.raises(ValueError, match="only a life has such counterfeits"):
        load_script("documents/write_counterfeits.py").main(LIVIA.parent / "A", tmp_path)


def test_events_outside_the_memory_are_recognised_with_a_detail_altered_by_rule(tmp_path):
    events = "id,time,speaker,text,session,in_memory\n" + "".join(
        f"e{n},2025-03-{n + 1:02d},Ada,Ada paid {n + 20} crowns for it.,s,{str(n > 11).lower()}\n"
        for n in range(14)
    )
    facts = "subject,attribute,value,event,valid_from,valid_to\nit,price,33 crowns,e13,,\n"
    plain = "form: life\nagent: Memo\nlanguage: en\nlicence: x\norigin: y\n"
    life = read_corpus(
        write_history(tmp_path / "T", corpus_yaml=plain, events_csv=events, facts_csv=facts)
    )
    probes = draw_probes(life, 12, np.random.default_rng(1))
    check_probes(probes, life.memory_block)
    assert set(probes["kind"]) == {"number"}
    assert set(probes["encounter_id"]) == {f"e{n}" for n in range(12)}
