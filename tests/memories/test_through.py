"""Controls 1 and 2 through a memory system: the documents in by its door, answers from recalls."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.memory_study import ROOT, SWAPPED, corpus, plan, probes, sound, with_fault
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.control1.responses import response_prompts
from veridical.control2 import recognition
from veridical.control2.prompts import question_of, recognition_prompts
from veridical.control2.tables import PROBES
from veridical.control3.symmetric import write_probes
from veridical.documents.given import Recalled, Whole, read_recalled
from veridical.documents.rebinding import rebind
from veridical.memories.plan import CANARY, CONTROL3, EMPTY, SHAM, VERIDICAL, Plan, with_part
from veridical.memories.protocol import Wrapped
from veridical.memories.readers import context_rows, recalled_banks
from veridical.memories.receipts import bank_rows
from veridical.memories.systems import System, parts_asked, through
from veridical.memories.tables import BANKS, CONTEXTS, RECALLS
from veridical.memories.visit import Visit
from veridical.models.prompts import read_prompts

STRANGER = "\n".join(
    f"2025-0{n}-11 — met Falken — the {thing} at Turvik Light: it was mended with wire, case {n}"
    for n, thing in enumerate(("pump", "lantern", "boat", "rope"), start=1)
)
DOCUMENTS = {VERIDICAL: corpus().memory_block, "foreign-1": STRANGER}
QUESTIONS = ("What became of the pump at Turvik Light?", "What is on your mind?")


class OneStore(Wrapped):
    """Every bank is the same one, by mistake; only what empties it is left out."""

    def reset(self, bank):
        return None

    def ingest(self, bank, events):
        return self.inner.ingest("all", events)

    def recall(self, bank, query, k, at=None):
        return self.inner.recall("all", query, k, at)

    def dump(self, bank):
        return self.inner.dump("all")


def planned(parts=("control1",), questions=QUESTIONS, documents=DOCUMENTS) -> Plan:
    found = plan()
    for part in parts:
        found = with_part(found, corpus(), part, documents, questions, np.random.default_rng(3))
    return found


# --- the plan -------------------------------------------------------------------------------------


def test_a_bank_that_is_there_is_asked_more_and_never_filled_twice():
    both = planned()
    names = [bank.document for bank in both.banks]
    assert names == [VERIDICAL, SWAPPED, SHAM, EMPTY, "foreign-1"]
    for bank in plan().banks:
        assert both.bank(bank.document).chain == bank.chain
        assert both.bank(bank.document).name == bank.name
    parts = {bank.document: bank.parts for bank in both.banks}
    assert parts[VERIDICAL] == parts[EMPTY] == (CONTROL3, "control1")
    assert parts[SWAPPED] == parts[SHAM] == (CONTROL3,)
    assert parts["foreign-1"] == ("control1",)


def test_what_control3_asks_is_untouched():
    """So the exchanges kept of a study serve it when another control joins it."""
    assert planned().of(CONTROL3) == plan()
    assert planned(("control1", "control2")).of(CONTROL3) == plan()
    assert planned().probes == plan().probes


def test_each_bank_is_asked_its_controls_questions_and_no_others():
    both = planned(("control1", "control2"))
    asked = {bank.document: [q.part for q in both.asked_of(bank)] for bank in both.banks}
    own = [CONTROL3] * 25  # the canary's, and 24 probes
    assert asked[SWAPPED] == own
    assert asked[VERIDICAL] == [*own, "control1", "control1", "control2", "control2"]
    assert both.asked_of(both.bank("foreign-1"))[0].id == CANARY
    assert asked["foreign-1"][1:] == ["control1", "control1", "control2", "control2"]


def test_the_plan_of_one_control_has_its_banks_and_questions_alone():
    alone = planned().of("control1")
    assert [bank.document for bank in alone.banks] == [VERIDICAL, EMPTY, "foreign-1"]
    assert [query.text for query in alone.queries[1:]] == list(QUESTIONS)
    assert alone.probes == ()


def test_the_same_words_are_asked_once():
    assert len(planned(questions=QUESTIONS * 2).queries) == len(plan().queries) + 2


def test_the_plan_survives_its_file():
    both = planned(("control1", "control2"))
    assert Plan.from_json(both.to_json()) == both


def test_a_strangers_partner_counts_as_bound():
    """Falken is no partner of corpus A, and yet the entry that names him is intact."""
    observed = Visit(planned(), sound, settle=5).run()
    rows = {row["document"]: row for row in bank_rows(planned(), observed)}
    assert (rows["foreign-1"]["intact"], rows["foreign-1"]["entries"]) == (4, 4)
    assert rows["foreign-1"]["admitted"]
    assert rows[VERIDICAL]["intact"] == 30


# --- what came back -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def banks() -> dict[str, Recalled]:
    observed = Visit(planned(), sound, settle=5).run()
    return {bank.name: bank for bank in recalled_banks(planned(), observed, "control1")}


def test_each_bank_gives_back_its_own_memory(banks):
    assert set(banks) == {VERIDICAL, EMPTY, "foreign-1"}
    assert "pump at Turvik Light" in banks["foreign-1"].told(QUESTIONS[0]).text
    assert "Falken" not in banks[VERIDICAL].told(QUESTIONS[0]).text
    assert banks[EMPTY].told(QUESTIONS[0]) is None


def test_responses_hold_what_was_recalled_and_nothing_else_of_the_memory(banks):
    day = pd.DataFrame({"item_id": ["T1", "T2"], "input": QUESTIONS, "anchor": "lived"})
    asked = response_prompts(replace(corpus(), test_day=day), banks.values(), 7, {})
    whole = [line for text in DOCUMENTS.values() for line in text.split("\n")]
    for prompt in asked:
        (turn,) = prompt.turns
        bank = banks[prompt.facts["document"]]
        recalled = bank.contexts[turn.user].split("\n")
        sent = [line for line in whole if line in turn.system]
        assert sent == [line for line in whole if line in recalled]
        assert len(sent) <= 5
    by_id = {prompt.id: prompt for prompt in asked}
    assert by_id["foreign-1-T1"].facts["condition"] == "foreign"
    assert by_id["foreign-1-T1"].parameters == by_id["veridical-T1"].parameters
    assert by_id["none-T1"].turns[0].document is None
    assert by_id["none-T1"].turns[0].system == (
        response_prompts(corpus(), [Whole(None)], 7, {})[0].turns[0].system
    )


def test_a_store_without_walls_lets_no_control_read_it():
    """Every bank gives back the others' canaries: none is admitted, and no prompt is written."""
    observed = Visit(planned(), with_fault(OneStore), settle=5).run()
    found = {bank.name: bank for bank in recalled_banks(planned(), observed, "control1")}
    assert all(bank.refused for bank in found.values())
    with pytest.raises(
        ValueError, match=r"bank 'veridical' is not admitted: .*gives back the canary of"
    ):
        response_prompts(corpus(), [found[VERIDICAL]], 7, {})
    assert [row["admitted"] for row in context_rows(found.values())] == [False] * 3


def test_recognition_is_asked_with_what_the_two_texts_brought_back():
    drawn = recognition.draw_probes(corpus(), 4, np.random.default_rng(1))
    questions = list(map(question_of, drawn.itertuples()))
    mine = planned(("control2",), questions)
    observed = Visit(mine, sound, settle=5).run()
    found = {bank.name: bank for bank in recalled_banks(mine, observed, "control2")}
    prompts = recognition_prompts(corpus(), found[VERIDICAL], "veridical", drawn)
    plain = recognition_prompts(
        corpus(), Whole(None), "veridical", drawn
    )  # the same question, form and facts, whatever stands before it
    for prompt, bare, probe in zip(prompts, plain, drawn.itertuples(), strict=True):
        (turn,), (other,) = prompt.turns, bare.turns
        assert (turn.user, turn.form) == (other.user, other.form)
        assert {**bare.facts, "document": VERIDICAL} == prompt.facts
        assert turn.document.text == found[VERIDICAL].contexts[question_of(probe)]
    assert len({prompt.turns[0].system for prompt in prompts}) > 1


def test_what_is_asked_for_a_probe_are_its_texts_in_the_order_shown():
    shown = SimpleNamespace(probe_id="p", true_is="B", true_text="true", altered_text="altered")
    assert question_of(shown) == "altered\ntrue"


def test_counts_of_what_was_given():
    banks = [Recalled("a", {"q": "four", "r": "sixsix", "s": " "}), Recalled("b", {}, "why")]
    first, second = context_rows(banks)
    assert first == {
        "document": "a",
        "questions": 3,
        "empty": 1,
        "characters": 5,  # the median of 4 and 6
        "admitted": True,
        "reason": None,
    }
    assert (second["questions"], second["characters"], second["reason"]) == (0, None, "why")


# --- who goes through what ------------------------------------------------------------------------


def test_a_control_goes_through_the_system_that_it_names():
    config = {"control1": {"corpora": ["A"], "memory": "one"}, "control2": {"corpus": "B"}}
    assert through(config) == {"control1": ("one", ["A"])}
    assert parts_asked(config, "one", "A") == [CONTROL3, "control1"]
    assert parts_asked(config, "one", "B") == parts_asked(config, "two", "A") == [CONTROL3]
    assert through({}) == {}


# --- the scripts, as the rules call them ----------------------------------------------------------


def without_anchors(here: Path) -> Path:
    """Corpus A as one whose anchors the responder gives from the whole log."""
    shutil.copytree(ROOT / "data/corpora/A", here / "A")
    day = pd.read_csv(here / "A/test_day.csv")
    day.assign(anchor="").to_csv(here / "A/test_day.csv", index=False)
    return here / "A/corpus.yaml"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    """From a corpus to the prompts of both controls, through SQLite's full-text index."""
    here = tmp_path_factory.mktemp("through")
    settings = without_anchors(here)
    for name, text in {**DOCUMENTS, SWAPPED: rebind(corpus(), SWAPPED)}.items():
        (here / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    (here / "encounter-log.txt").write_text(corpus().log() + "\n", encoding="utf-8")
    write_probes(probes(12), here / "probes.csv")
    probed = [settings, ROOT / "data/corpora/B/corpus.yaml"]  # of which the other asks nothing here
    load_script("control2/draw_probes.py").main(probed, here / "pairs.csv", n=4, seed=5)
    asked = {
        "control1": [VERIDICAL, "foreign-1", "encounter-log"],
        "control2": [VERIDICAL, "foreign-1"],
    }
    load_script("memories/write_plan.py").main(
        settings,
        here / "probes.csv",
        [here / "veridical.txt", here / f"{SWAPPED}.txt"],
        here / "A.json",
        k=3,
        seed=1,
        further=[here / f"{name}.txt" for name in ("veridical", "foreign-1", "encounter-log")],
        recognition=here / "pairs.csv",
        asked=asked,
    )
    visit(here, "full-text", [CONTROL3, "control1", "control2"])
    visit(here, "other", [CONTROL3])
    for part in asked:
        out = here / "recalled" / f"{part}.jsonl"
        out.parent.mkdir(exist_ok=True)
        load_script("memories/write_recalled.py").main(
            here / "A.json", replies_of(here, "full-text"), out, part=part
        )
    return here


def replies_of(here: Path, system: str) -> Path:
    return here / f"results/demo/memories/replies/systems/A/{system}.jsonl"


def visit(here: Path, system: str, parts: list[str], **more) -> None:
    entry = {"adapter": "fts5"}
    with contextlib.chdir(here):
        load_script("memories/visit_memory.py").main(
            here / "A.json",
            replies_of(here, system).relative_to(here),
            system=system,
            entry=entry,
            identity=System.from_config(system, entry).identity(ROOT),
            version=None,
            ledger=here / f"{system}.sqlite",
            store=here / "stores" / system,
            parts=parts,
            **more,
        )


def test_control1_is_asked_of_every_document_from_what_came_back(study):
    texts = ("veridical", "foreign-1", "encounter-log")
    load_script("control1/write_response_prompts.py").main(
        study / "A/corpus.yaml",
        [study / f"{name}.txt" for name in texts],
        study / "responses.jsonl",
        seed=1,
        parameters={},
        none=True,
        recalled=study / "recalled/control1.jsonl",
    )
    prompts = read_prompts(study / "responses.jsonl")
    assert len(prompts) == 4 * len(corpus().test_day)
    assert {p.facts["condition"] for p in prompts} == {"veridical", "foreign", "anchor", "none"}
    longest = max(len(p.turns[0].system) for p in prompts)
    assert longest < len(corpus().memory_block) / 3  # three items, not thirty


def test_control2_is_asked_of_every_condition_from_what_came_back(study):
    for condition, name in (("veridical", "veridical"), ("counterfeit", "foreign-1"), ("none", "")):
        out = study / f"{condition}.jsonl"
        load_script("control2/write_prompts.py").main(
            study / "A/corpus.yaml",
            study / "pairs.csv",
            study / f"{name}.txt" if name else None,
            out,
            condition=condition,
            samples=1,
            recalled=study / "recalled/control2.jsonl",
        )
        prompts = read_prompts(out)
        drawn = read_table(study / "pairs.csv", PROBES)
        assert len(prompts) == (drawn["corpus"] == "A").sum() == 4
        assert {p.facts["document"] for p in prompts} == {name or "none"}
        assert (prompts[0].turns[0].document is None) == (condition == "none")


def test_the_tables_count_every_bank_and_keep_control3s_recalls_apart(study):
    out = {name: study / f"{name}.csv" for name in ("hygiene", "banks", "entries", "recalls")}
    load_script("memories/tabulate_banks.py").main(
        [study / "A.json"],
        [replies_of(study, "full-text"), replies_of(study, "other")],
        **out,
        parts={"A/full-text": [CONTROL3, "control1", "control2"]},
    )
    banks = read_table(out["banks"], BANKS)
    through_it = banks[banks["system"] == "full-text"].set_index("document")
    assert through_it.loc["foreign-1", "intact"] == 4
    assert through_it.loc["encounter-log", "entries"] == len(corpus().encounters)
    assert through_it["admitted"].all()
    assert set(banks[banks["system"] == "other"]["document"]) == {VERIDICAL, SWAPPED, SHAM, EMPTY}
    recalls = read_table(out["recalls"], RECALLS)
    assert set(recalls["probe_id"]) == set(probes(12)["probe_id"])
    assert set(recalls["document"]) == {VERIDICAL, SWAPPED, SHAM, EMPTY}


def test_what_the_controls_were_given_is_counted(study):
    files = [study / f"recalled/{part}.jsonl" for part in ("control1", "control2")]
    given = [(part, "full-text", "A") for part in ("control1", "control2")]
    load_script("memories/tabulate_recalled.py").main(files, study / "contexts.csv", given=given)
    table = read_table(study / "contexts.csv", CONTEXTS).set_index(["part", "document"])
    assert len(table) == 4 + 3
    assert table.loc[("control1", EMPTY), "empty"] == len(corpus().test_day)
    assert table.loc[("control2", "foreign-1"), "questions"] == 4
    assert table["admitted"].all()


def test_what_a_control_was_given_of_each_corpus_stands_apart(study):
    """Its banks bear the same names in every corpus."""
    files, given = (
        [study / "recalled/control2.jsonl"] * 2,
        [("control2", "full-text", c) for c in "AB"],
    )
    load_script("memories/tabulate_recalled.py").main(files, study / "both.csv", given=given)
    table = read_table(study / "both.csv", CONTEXTS)
    assert table.groupby("corpus").size().to_dict() == {"A": 3, "B": 3}
    twice = [("control2", "full-text", "A")] * 2
    with pytest.raises(ValueError, match="same part, corpus, document"):
        load_script("memories/tabulate_recalled.py").main(files, study / "no.csv", given=twice)


def test_a_second_visit_asks_nothing_and_a_replay_needs_no_system(study, capsys):
    before = replies_of(study, "full-text").read_bytes()
    visit(study, "full-text", [CONTROL3, "control1", "control2"])
    assert "0 asked" in capsys.readouterr().out
    visit(study, "full-text", [CONTROL3, "control1", "control2"], collect=False)
    assert replies_of(study, "full-text").read_bytes() == before


def test_another_control_reuses_the_banks_that_are_filled(study, capsys):
    """`other` was visited for Control 3 alone: what is new are two banks, and their questions."""
    visit(study, "other", [CONTROL3, "control1"])
    said = capsys.readouterr().out
    items = len(corpus().test_day)
    new = 2 + 4 * items + 2 + 2  # two fillings, four banks' questions, two canaries, two dumps
    assert f"{new} asked" in said
    kept = read_recalled(study / "recalled/control1.jsonl")
    assert len(kept) == 4
