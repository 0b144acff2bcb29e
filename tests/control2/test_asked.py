"""What Control 2 asks and how often, and which of its sentences stand beside which numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.lives import life
from support.validity import validity_of
from veridical.control2.alterations import Alterer
from veridical.control2.asks import ALTERATION_TOKENS, asks
from veridical.control2.findings import find
from veridical.control2.prompts import LETTERS, recognition_prompts
from veridical.control2.recognition import draw_probes
from veridical.control2.tables import EFFECTS
from veridical.documents.given import Whole
from veridical.models.prompts import Document
from veridical.report.wording import Wording

EN = Wording.read("en").of("control2")


@pytest.fixture(scope="module")
def probes() -> pd.DataFrame:
    return draw_probes(life(), 8, np.random.default_rng(1))


@pytest.mark.parametrize("condition", ["veridical", "none"])
def test_every_probe_is_asked_with_its_two_texts_in_their_places(probes, condition):
    document = Document("veridical", life().memory_block) if condition != "none" else None
    prompts = recognition_prompts(life(), Whole(document), condition, probes, samples=3)
    assert [p.id for p in prompts] == [f"{condition}-{name}" for name in probes["probe_id"]]
    for prompt, probe in zip(prompts, probes.itertuples(), strict=True):
        (turn,) = prompt.turns
        first, second = probe.true_text, probe.altered_text
        if probe.true_is == "B":
            first, second = second, first
        assert 0 <= turn.user.index(first) < turn.user.index(second)
        assert turn.form.options == LETTERS
        assert turn.form.abstention == life().settings["abstention"]
        assert prompt.samples == 3
        assert prompt.facts["truth"] == probe.true_is
        assert prompt.facts["document"] == (document.name if document else "none")
        assert (document is None) or (document.text in turn.system)
        assert prompt.facts["place"] is not None
    assert len({turn.system for prompt in prompts for turn in prompt.turns}) == 1


def test_a_true_text_that_is_nowhere_is_named(probes):
    wrong = probes.assign(true_is=["C", *probes["true_is"][1:]])
    name = probes["probe_id"].iloc[0]
    with pytest.raises(ValueError, match=f"probe {name}: true_is is 'C', not A or B"):
        recognition_prompts(life(), Whole(None), "none", wrong)


@pytest.mark.parametrize(
    ("alterations", "samples", "corpora", "calls"),
    [
        ("rule", 1, ["A"], {"control2": 2 * 3 * 24}),
        ("rule", 5, ["A"], {"control2": 2 * 7 * 24}),
        ("author", 1, ["A"], {"author": 48, "control2": 2 * 3 * 24}),
        ("author", 5, ["A", "B", "C"], {"author": 3 * 48, "control2": 3 * 2 * 7 * 24}),
    ],
)
def test_calls_are_counted_by_who_is_asked(alterations, samples, corpora, calls):
    entry = {"provider": "scripted", "model": "any"}
    config = {
        "models": {"a": entry, "b": entry, "writer": entry},
        "documents": {"author": "writer"},
        "control2": {
            "corpora": corpora,
            "alterations": alterations,
            "probes": 24,
            "prior_samples": samples,
            "responders": ["a", "b"],
        },
    }
    found: dict[str, int] = {}
    for ask in asks(config, {}):
        found[ask.collection] = found.get(ask.collection, 0) + ask.calls
    assert found == calls
    assert ALTERATION_TOKENS > 0


def reachable(number: str) -> set[int]:
    alterer = Alterer(life())
    text = f"Ada paid {number} crowns."
    seeds = range(400)
    found = [alterer.find(text, "number", np.random.default_rng(seed)) for seed in seeds]
    return {int(each.target) for listed in found for each in listed}


@pytest.mark.parametrize(
    ("number", "others"),
    [
        ("2", {3, 4}),  # 1 and 2 off, above 1
        ("5", {2, 3, 4, 6, 7, 8}),  # 1 to 3 off
        ("10", {12, 13, 14, 15, 16}),  # 2 to 6 off, of two digits
        ("20", {*range(10, 17), *(24, 25, 26, 27, 28, 29, 30, 31, 32)} - {9}),  # 4 to 12 off
    ],
)
def test_every_number_from_a_fifth_to_three_fifths_off_may_be_drawn(number, others):
    wanted = {n for n in others if abs(n - int(number)) >= max(1, round(0.2 * int(number)))}
    assert reachable(number) == wanted


@pytest.mark.parametrize("number", ["0", "1"])
def test_numbers_that_change_grammar_are_left(number):
    assert reachable(number) == set()


# ---------------------------------------------------------------- sentences


def said(table: pd.DataFrame, effects: pd.DataFrame | None = None) -> dict[str, str]:
    found = find(table, EN, effects)
    return {one.key.rpartition(".")[2]: str(one) for one in (*found.limits, *found.details)}


def test_a_model_that_solves_it_and_is_valid_by_the_rule_is_named_and_no_other():
    # 60 of 100: at most 0.60, and P(X >= 60) = 0.028. All of 24: solves it, and is not valid.
    sentences = said(validity_of(m=(60, 40, 0)))
    assert "m" in sentences["held"]
    assert "past" not in sentences
    assert "held" not in said(validity_of(n=(24, 0, 0)))
    assert "held" not in said(validity_of(k=(12, 12, 0)))


def test_silence_is_bounded_only_where_some_probe_was_silent():
    assert "bounds" not in said(validity_of(m=(6, 6, 0)))
    assert "bounds" in said(validity_of(m=(6, 6, 1)))
    sentences = said(validity_of(m=(6, 6, 12), k=(12, 12, 0)))
    assert "m would have 25% to 75%" in sentences["bounds"]
    assert "k" not in sentences["bounds"].split("every one right, ")[1].split(" would")[0]


def test_a_rule_that_was_passed_is_told_with_its_shares():
    sentences = said(validity_of(m=(15, 9, 0)))
    assert "62%" in sentences["past"] or "63%" in sentences["past"]
    assert "24" in sentences["past"]
    assert "past" not in said(validity_of(m=(14, 10, 0)))


@pytest.mark.parametrize(
    ("finding", "condition", "key"),
    [
        ("adds", "veridical", "adds"),
        ("adds", "counterfeit", "adds"),
        ("takes away", "counterfeit", "takes"),
        ("not shown", "veridical", "useless"),
        ("not shown", "counterfeit", None),
        ("not testable", "veridical", None),
    ],
)
def test_what_a_document_does_is_said_by_its_word(finding, condition, key):
    row = dict.fromkeys(EFFECTS.names) | {"corpus": "A", "model": "m", "condition": condition}
    row |= {"finding": finding}
    sentences = said(validity_of(m=(12, 12, 0)), pd.DataFrame([row]))
    assert {name for name in ("adds", "takes", "useless") if name in sentences} == (
        {key} if key else set()
    )
    if key:
        assert "m" in sentences[key]
