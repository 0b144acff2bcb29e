"""Corpora A and B, the strict form, give the bytes that they gave before there was a general one.

The sums were taken of the code as it stood when a corpus was nothing but encounters with partners.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from veridical.choices.probing import places_of
from veridical.control2.prompts import recognition_prompts
from veridical.control2.recognition import draw_probes as draw_recognition
from veridical.control3.beside import beside_prompts, document_of
from veridical.control3.prompts import partner_prompts
from veridical.control3.symmetric import check_symmetry, draw_probes
from veridical.corpora.corpus import Corpus, read_corpus
from veridical.documents.contradicting import contradict
from veridical.documents.fidelity import fidelity
from veridical.documents.given import Whole
from veridical.documents.rebinding import rebind
from veridical.documents.shuffled import shuffle_entries
from veridical.models.prompts import Document, Prompt

ROOT = Path(__file__).parents[2]
KEPT = {
    "A": {
        "veridical": "2a557caa9d4d5d15",
        "log": "f2d8fa48583beadd",
        "binding-corrupted": "79bef6c77ced0c61",
        "contradicting": "3636ba865e6a0620",
        "shuffled": "99ba32563091da00",
        "fidelity": "2f85681f7efe10c5",
        "symmetry": "3177231ecc3272e5",
        "probes": "2ebf8541d46fa763",
        "recognition": "24b4d3ff1badb0b7",
        "places": "e6f8cfdada36d34c",
        "asked, binding-corrupted": "3e9e7791169ab48e",
        "recognised, binding-corrupted": "0b194e592e7af9ce",
        "asked, none": "c9c6454ebcdc58ec",
        "recognised, none": "4aceefd813d139aa",
        "forced": "bc1f273d7ad74c71",
        "noticing": "0aa0f6666e7b46f5",
        "reversed": "3ad7222cb553ebae",
    },
    "B": {
        "veridical": "67e6dfb211a6a824",
        "log": "27a9947144c4cafa",
        "binding-corrupted": "2c00ae725518ea0f",
        "contradicting": "249b0b7523ab0493",
        "shuffled": "a48e2f0432582ea2",
        "fidelity": "dd3497caff5c80a0",
        "symmetry": "16c2d5a5e08f93af",
        "probes": "722f52b7b600408d",
        "recognition": "07f418f4d6afaf07",
        "places": "a66d993a1ffae7ac",
        "asked, binding-corrupted": "2a3327c1fe59852b",
        "recognised, binding-corrupted": "c9731aef5b1cdf44",
        "asked, none": "e5b48b6ec72fcf36",
        "recognised, none": "6177a76dd4c00088",
        "forced": "a43e908228227f8f",
        "noticing": "14c24540d4be6353",
        "reversed": "6870eabd1f7d8542",
    },
}


def told(prompts: list[Prompt]) -> str:
    """What is asked and carried along, whatever the prompts' own type looks like."""
    turns = [(turn, turn.quote) for prompt in prompts for turn in prompt.turns]
    said = [
        (one.system, one.user, one.form.options, one.form.begin, one.form.pieces)
        for pair in turns
        for one in pair
        if one
    ]
    return repr([said, [(prompt.id, prompt.samples, prompt.facts) for prompt in prompts]])


def outcome(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """What a study makes of a corpus before anything is asked, each part by its name; without the
    columns that tables have got since."""
    rng = np.random.default_rng(20250914)
    swapped = rebind(corpus, "binding-corrupted")
    entries = shuffle_entries(corpus.remembered(), np.random.default_rng([1, *b"shuffled"]))
    shuffled = "\n".join(map(corpus.entry, entries.to_dict("records")))
    probes = draw_probes(corpus, 24, rng)
    pairs = draw_recognition(corpus, 24, rng)
    yield "veridical", corpus.memory_block
    yield "log", corpus.log()
    yield "binding-corrupted", swapped
    yield "contradicting", contradict(corpus, probes["encounter_id"].head(8))
    yield "shuffled", shuffled
    yield "fidelity", fidelity("shuffled-1", shuffled, corpus, 0.05).to_csv()
    yield "symmetry", check_symmetry(corpus, 24, 30).drop(columns="asked").to_csv()
    yield "probes", probes.to_csv()
    yield "recognition", pairs.drop(columns="corpus").to_csv()
    yield "places", repr(places_of(corpus.encounters))
    for document in (Document("binding-corrupted", swapped), None):
        name = document.name if document else "none"
        yield f"asked, {name}", told(partner_prompts(corpus, document, probes))
        yield f"recognised, {name}", told(recognition_prompts(corpus, Whole(document), name, pairs))
    for arm in ("forced", "noticing", "reversed"):
        given = document_of(corpus, "none" if arm == "forced" else "veridical", probes)
        yield arm, told(beside_prompts(corpus, arm, given, probes))


@pytest.mark.parametrize("name", KEPT)
def test_the_strict_form_gives_the_same_bytes(name):
    corpus = read_corpus(ROOT / "data/corpora" / name)
    sums = {part: hashlib.sha256(text.encode()).hexdigest()[:16] for part, text in outcome(corpus)}
    assert sums == KEPT[name]
