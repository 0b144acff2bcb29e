"""What is asked beside the registered probes: no way out, the other order, a form with a flag."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from veridical.control3.arms import ARMS, arms_of
from veridical.control3.beside import beside_prompts, document_of, score_beside
from veridical.control3.prompts import partner_prompts
from veridical.control3.symmetric import draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.contradicting import contradict
from veridical.documents.names import CONTRADICTING, DocumentName
from veridical.documents.rebinding import rebind
from veridical.models.choosing import choose
from veridical.models.forms import pieces_of
from veridical.models.grammars import grammar

CORPUS = read_corpus(Path(__file__).parents[2] / "data/corpora/A")
PROBES = draw_probes(CORPUS, 24, np.random.default_rng(1))
FLAG = "something is wrong with my notes"
PART = {
    "corpora": ["A", "B"],
    "responders": ["x", "y"],
    "forced": True,
    "reversed": False,
    "noticing": {"probes": 8},
}
CORRUPTED = {"A": ["binding-corrupted"], "B": ["binding-corrupted-1", "binding-corrupted-2"]}


def asked(arm: str, name: str, n: int = 24):
    probes = PROBES.head(n)
    return beside_prompts(CORPUS, arm, document_of(CORPUS, name, probes), probes)


def test_arms_are_those_of_the_config():
    found = arms_of(PART, CORRUPTED)
    assert [slice_ for slice_ in found if slice_.startswith("noticing-B")] == [
        "noticing-B-veridical", "noticing-B-binding-corrupted-1",
        "noticing-B-binding-corrupted-2", "noticing-B-contradicting",
    ]  # fmt: skip
    assert [slice_ for slice_ in found if slice_.startswith("forced")] == [
        "forced-A-none", "forced-B-none",
    ]  # fmt: skip
    assert not [slice_ for slice_ in found if slice_.startswith("reversed")]
    assert set(map(tuple, found.values())) == {("x", "y")}


def test_noticing_may_be_asked_of_some_models_on_some_corpora():
    part = PART | {"noticing": {"probes": 8, "corpora": ["B"], "responders": ["y"]}}
    found = arms_of(part | {"forced": False}, CORRUPTED)
    assert {slice_.split("-")[1] for slice_ in found} == {"B"}
    assert set(map(tuple, found.values())) == {("y",)}
    off = PART | {"forced": False, "noticing": {"probes": 0}}
    assert arms_of(off, CORRUPTED) == {}


def test_the_other_order_is_asked_under_every_document():
    found = arms_of(PART | {"reversed": True, "forced": False, "noticing": {"probes": 0}},
                    CORRUPTED)  # fmt: skip
    assert list(found) == [
        "reversed-A-veridical", "reversed-A-binding-corrupted", "reversed-A-none",
        "reversed-B-veridical", "reversed-B-binding-corrupted-1",
        "reversed-B-binding-corrupted-2", "reversed-B-none",
    ]  # fmt: skip


def test_no_way_out_is_left_in_form_question_or_system():
    registered = partner_prompts(CORPUS, None, PROBES)
    for prompt, free in zip(asked("forced", "none"), registered, strict=True):
        (turn,), (out,) = prompt.turns, free.turns
        assert (turn.form.abstention, out.form.abstention) == (None, "I don't know")
        assert turn.form.options == out.form.options
        assert "know, answer" not in turn.user + turn.system
        assert "I don't know" not in turn.user + turn.system
        assert turn.system == out.system  # the same agent, with nothing to remember
        assert "I don't know" not in grammar(pieces_of(turn.form))


def test_the_forms_flag_is_an_answer_that_can_be_given():
    for prompt in asked("noticing", "veridical", 8):
        (turn,) = prompt.turns
        assert turn.form.options[-1] == FLAG
        assert set(turn.form.options[:-1]) == set(CORPUS.partners)
        assert turn.form.abstention == "I don't know"
        assert turn.quote is None
        for said in (FLAG, f"Answer: {FLAG}.", f"{FLAG.capitalize()}."):
            assert choose(said, [*turn.form.options, turn.form.abstention]) == FLAG
        assert choose("Llama", list(turn.form.options)) == "Llama"


def test_registered_prompts_are_what_they_were():
    """What stands beside them changes none of the 24 probes of a cell."""
    document = document_of(CORPUS, "veridical", PROBES)
    registered = partner_prompts(CORPUS, document, PROBES)
    other = asked("reversed", "veridical")
    assert len(registered) == 24
    for one, two in zip(registered, other, strict=True):
        assert one.turns[0].form.options == two.turns[0].form.options[::-1]
        assert one.turns[0].system == two.turns[0].system
        assert one.turns[0].user != two.turns[0].user
        assert (one.turns[0].quote is None) == (two.turns[0].quote is None)
        assert one.facts["truth"] == two.facts["truth"]


def test_ids_tell_the_arms_apart():
    ids = [
        prompt.id
        for arm, name in (("forced", "none"), ("reversed", "none"), ("noticing", "veridical"))
        for prompt in asked(arm, name, 6)
    ]
    assert len(set(ids)) == 18
    assert {prompt.facts["arm"] for prompt in asked("noticing", "veridical", 2)} == {"noticing"}


def test_only_the_contradicting_document_says_that_something_is_wrong():
    """With two entries of one date and topic, one must be wrong; exchanged throughout, none is."""
    probes = PROBES.head(8)
    told = {}
    for name in ("veridical", "binding-corrupted", CONTRADICTING):
        lines = document_of(CORPUS, name, probes).text.split("\n")
        entries = pd.DataFrame([CORPUS.parse_entry(line) for line in lines])
        twice = entries[entries.duplicated(["date", "topic"], keep=False)]
        told[name] = set(twice["topic"])
    assert told["veridical"] == told["binding-corrupted"] == set()
    assert told[CONTRADICTING] == set(probes["topic"])


def test_a_contradiction_stands_beside_its_entry_with_another_partner():
    wanted = PROBES["encounter_id"].head(3)
    block, lines = rebind(CORPUS, "veridical").split("\n"), contradict(CORPUS, wanted).split("\n")
    assert len(lines) == len(block) + 3
    added = [at for at, line in enumerate(lines) if line not in block]
    for at in added:
        one, two = CORPUS.parse_entry(lines[at - 1]), CORPUS.parse_entry(lines[at])
        assert one["partner"] != two["partner"]
        assert [one[f] for f in ("date", "topic", "note")] == [
            two[f] for f in ("date", "topic", "note")
        ]
    assert [line for line in lines if line in block] == block


def test_only_what_is_remembered_can_be_contradicted():
    outside = CORPUS.encounters[~CORPUS.encounters["in_memory"]]["encounter_id"].iloc[0]
    with pytest.raises(ValueError, match=f"no entry of {outside} to contradict"):
        contradict(CORPUS, [outside])


def test_the_documents_name_is_one():
    name = DocumentName.read(CONTRADICTING)
    assert (name.kind, name.shift, name.seed) == (CONTRADICTING, 0, None)
    with pytest.raises(ValueError, match="contradicting-1 is the name of no memory document"):
        DocumentName.read("contradicting-1")


def replies(prompts, say) -> pd.DataFrame:
    rows = [
        {"id": p.id, "sample": 0, "turn": 0, "state": state, "value": value}
        for p in prompts
        for state, value in [say(p)]
    ]
    return pd.DataFrame(rows)


def test_a_flagged_answer_names_nobody_and_is_neither_right_nor_wrong():
    prompts = asked("noticing", CONTRADICTING, 4)
    said = iter([("ok", FLAG), ("ok", prompts[1].facts["truth"]), ("abstained", None),
                 ("unparseable", None)])  # fmt: skip
    table = score_beside(prompts, replies(prompts, lambda _: next(said)), "x")
    assert table["state"].tolist() == ["flagged", "ok", "abstained", "unparseable"]
    assert table["answer"].isna().tolist() == [True, False, True, True]
    assert table["correct"].tolist() == [None, True, None, None]
    assert set(table["arm"]) == {"noticing"}


def test_a_forced_answer_is_right_or_wrong():
    prompts = asked("forced", "none", 6)
    first = score_beside(
        prompts, replies(prompts, lambda p: ("ok", p.turns[0].form.options[0])), "x"
    )
    assert set(first["correct"]) <= {True, False}
    assert (first["answer"] == first["first_option"]).all()
    assert (first["state"] == "ok").all()


def test_every_arm_is_known():
    arms = arms_of(PART | {"reversed": True}, CORRUPTED, list(CORRUPTED))
    assert set(ARMS) == {slice_.split("-")[0] for slice_ in arms}
    encounters = arms_of(PART | {"reversed": True}, CORRUPTED)  # in which nothing changes
    assert set(ARMS) - {"stale"} == {slice_.split("-")[0] for slice_ in encounters}
