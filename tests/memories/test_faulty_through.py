"""Controls 1 and 2 through a store with a known fault: they go on, and say what isn't admitted."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from support.memory_study import ROOT, SWAPPED, corpus, probes
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.control3.symmetric import write_probes
from veridical.documents.given import refused_banks
from veridical.documents.rebinding import rebind
from veridical.memories.plan import CONTROL3, EMPTY, VERIDICAL
from veridical.memories.systems import System
from veridical.memories.tables import BANKS, CONTEXTS
from veridical.models.prompts import read_prompts

SETTINGS = ROOT / "data/corpora/A/corpus.yaml"
PARTS = {"control1": [VERIDICAL, SWAPPED], "control2": [VERIDICAL, SWAPPED]}
LEAKING = {"name": "mixes-banks", "strength": 1}
LOSING = {"name": "loses-entries", "strength": 0.5}


def study(here: Path, fault: dict) -> Path:
    """From a corpus to the prompts of both controls, through a store with the fault."""
    documents = [here / f"{name}.txt" for name in (VERIDICAL, SWAPPED, "encounter-log")]
    texts = (corpus().memory_block, rebind(corpus(), SWAPPED), corpus().log())
    for path, text in zip(documents, texts, strict=True):
        path.write_text(text + "\n", encoding="utf-8")
    write_probes(probes(4), here / "probes.csv")
    load_script("control2/draw_probes.py").main([SETTINGS], here / "pairs.csv", n=4, seed=5)
    asked = {"control1": [*PARTS["control1"], "encounter-log"], "control2": PARTS["control2"]}
    load_script("memories/write_plan.py").main(
        SETTINGS,
        here / "probes.csv",
        documents[:2],
        here / "A.json",
        k=3,
        seed=1,
        further=documents,
        recognition=here / "pairs.csv",
        asked=asked,
    )
    entry = {"adapter": "fts5", "fault": fault}
    system = System.from_config("store", entry)
    with contextlib.chdir(here):
        load_script("memories/visit_memory.py").main(
            here / "A.json",
            Path("results/s/memories/replies/systems/A/store.jsonl"),
            system="store",
            entry=entry,
            identity=system.identity(ROOT),
            version=None,
            ledger=here / "store.sqlite",
            store=here / "store",
            parts=[CONTROL3, *PARTS],
        )
    replies = here / "results/s/memories/replies/systems/A/store.jsonl"
    for part in PARTS:
        out = here / f"recalled/{part}.jsonl"
        out.parent.mkdir(exist_ok=True)
        load_script("memories/write_recalled.py").main(here / "A.json", replies, out, part=part)
    load_script("control1/write_response_prompts.py").main(
        SETTINGS,
        documents,
        here / "control1.jsonl",
        seed=1,
        parameters={},
        none=True,
        recalled=here / "recalled/control1.jsonl",
    )
    conditions = {"veridical": documents[0], "counterfeit": documents[1], "none": None}
    for condition, document in conditions.items():
        load_script("control2/write_prompts.py").main(
            SETTINGS,
            here / "pairs.csv",
            document,
            here / f"control2-{condition}.jsonl",
            condition=condition,
            samples=1,
            recalled=here / "recalled/control2.jsonl",
        )
    given = [(part, "store", "A") for part in PARTS]
    files = [here / f"recalled/{part}.jsonl" for part in PARTS]
    load_script("memories/tabulate_recalled.py").main(files, here / "contexts.csv", given=given)
    out = {name: here / f"{name}.csv" for name in ("hygiene", "banks", "entries", "recalls")}
    load_script("memories/tabulate_banks.py").main(
        [here / "A.json"], [replies], **out, parts={"A/store": [CONTROL3, *PARTS]}
    )
    return here


@pytest.fixture(scope="module")
def leaking(tmp_path_factory) -> Path:
    return study(tmp_path_factory.mktemp("leaking"), LEAKING)


@pytest.fixture(scope="module")
def losing(tmp_path_factory) -> Path:
    return study(tmp_path_factory.mktemp("losing"), LOSING)


def prompts_of(here: Path) -> dict[str, int]:
    return {path.stem: len(read_prompts(path)) for path in sorted(here.glob("control*.jsonl"))}


def test_a_store_without_walls_has_nobody_asked_and_ends_nothing(leaking):
    """Every rule comes to its end: no prompt from any bank, and both controls' tables say why."""
    assert set(prompts_of(leaking).values()) == {0}
    table = read_table(leaking / "contexts.csv", CONTEXTS)
    assert not table["admitted"].any()
    assert table["reason"].str.contains("banks are kept apart").all()
    assert len(table) == 3 + 3


def test_the_rest_of_the_study_has_its_receipts(leaking):
    banks = read_table(leaking / "banks.csv", BANKS)
    assert set(banks["state"]) == {"ok"}  # all are filled: that is not what is wrong with them
    assert not banks["admitted"].any()


def test_each_bank_says_itself_why_it_is_refused(leaking):
    for part in PARTS:
        refused = refused_banks(leaking / f"recalled/{part}.jsonl")
        assert {VERIDICAL, SWAPPED, EMPTY} <= set(refused)
        assert "the empty bank gives something back" in refused[EMPTY]


def test_a_store_that_loses_entries_is_admitted_and_asked(losing):
    """What arrived in part is a result, and no reason to say nothing."""
    items = len(corpus().test_day)
    assert prompts_of(losing) == {
        "control1": 3 * items,
        "control2-counterfeit": 4,
        "control2-none": 4,
        "control2-veridical": 4,
    }
    banks = read_table(losing / "banks.csv", BANKS).set_index("document")
    assert banks["admitted"].all()
    assert 5 < banks.loc[VERIDICAL, "lost"] < 25
