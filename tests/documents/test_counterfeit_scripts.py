"""The scripts that write a life's counterfeits, as the workflow and a person run them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.histories import write_history
from support.scripts import load_script
from veridical.control2.recognition import check_probes, draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import entries_of
from veridical.documents.names import read_document
from veridical.documents.partial import altered

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


@pytest.mark.parametrize("name", ["partial-30-1", "partial-100-2", "stale"])
def test_a_memory_is_altered_by_rule_as_its_name_says(tmp_path, name):
    document = tmp_path / f"{name}.txt"
    main = load_script("documents/alter_memory.py").main
    main(LIVIA / "corpus.yaml", document, name=name, tolerance=0.05)
    found, text = read_document(document)
    assert (found, text) == (name, altered(read_corpus(LIVIA), name))


def test_what_a_corpus_can_not_have_is_refused_and_nothing_is_written(tmp_path):
    main = load_script("documents/alter_memory.py").main
    with pytest.raises(ValueError, match=r"corpus A: in a corpus of encounters nothing takes"):
        main(LIVIA.parent / "A/corpus.yaml", tmp_path / "stale.txt", name="stale", tolerance=0.05)
    assert not list(tmp_path.iterdir())


def test_a_relatives_life_is_brought_as_a_corpus(tmp_path):
    """B's entries on the days of A's, as many with each partner, and none of A's topics."""
    main = load_script("documents/assemble_foreign.py").main
    folder, document = LIVIA.parent, tmp_path / "adjacent-1.txt"
    given = {"kind": "adjacent", "seed": 1, "tolerance": 0.05, "further": {}}
    settings, brought = folder / "A/corpus.yaml", folder / "B/corpus.yaml"
    main(settings, None, None, document, brought=brought, **given)
    own, kin = read_corpus(folder / "A"), read_corpus(folder / "B")
    entries = entries_of(read_document(document).text, own)[0]
    assert list(entries["date"]) == list(own.remembered()["date"])
    assert list(entries["partner"]) == list(own.remembered()["partner"])
    assert len(set(entries["topic"]) & set(kin.remembered()["topic"])) == 28  # two fit better
    assert set(entries["topic"]) < set(kin.encounters["topic"])
    with pytest.raises(ValueError, match="foreign-1: shared_names is 2, must be 0"):
        main(settings, None, None, document, brought=brought, **given | {"kind": "foreign"})


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
