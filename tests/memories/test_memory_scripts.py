"""The scripts one after the other, as the rules call them: from a corpus to cells and costs."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from support.memory_programs import example
from support.memory_study import ROOT, SWAPPED, corpus, probes
from support.scripted import Scripted
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.control3.symmetric import write_probes
from veridical.documents.rebinding import rebind
from veridical.ledger.collecting import collect
from veridical.memories.systems import System
from veridical.memories.tables import ANSWERS, BANKS, CELLS, COSTS, SHAM, STAGE_TABLE
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts

SYSTEMS = {"full-text": {"adapter": "fts5"}, "window": {"adapter": "window"}}
N = 12


def quoted(call, before) -> str:
    """Reads what was recalled, as a model that quotes would: the partner beside the topic."""
    system, user = call.messages[0]["content"], call.messages[-1]["content"]
    for line in system.split("Recalled:\n")[-1].split("\n"):
        _, _, rest = line.partition(" — met ")
        partner, _, text = rest.partition(" — ")
        if text and text.split(":")[0] in user:
            return partner
    return "I don't know"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> SimpleNamespace:
    """A study of two systems on corpus A, read by a scripted model."""
    here = tmp_path_factory.mktemp("memories")
    run = SimpleNamespace(
        here=here, plans=[here / "plans/A.json"], recalls=[], prompts=[], replies=[]
    )
    for name, text in {
        "veridical": corpus().memory_block,
        SWAPPED: rebind(corpus(), SWAPPED),
    }.items():
        (here / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    write_probes(probes(N), here / "probes.csv")
    settings = ROOT / "data/corpora/A/corpus.yaml"
    documents = [here / "veridical.txt", here / f"{SWAPPED}.txt"]
    load_script("memories/write_plan.py").main(
        settings, here / "probes.csv", documents, run.plans[0], k=3, seed=1
    )
    model = Model("reader", "scripted", "s")
    for name, entry in SYSTEMS.items():
        visited = Path("results/demo/memories/replies/systems/A", f"{name}.jsonl")
        with contextlib.chdir(here):
            visit(run, name, visited)
        visited = here / visited
        run.recalls.append(visited)
        prompts = here / f"prompts/A-{name}.jsonl"
        prompts.parent.mkdir(exist_ok=True)
        load_script("memories/write_reader_prompts.py").main(
            settings, run.plans[0], here / "probes.csv", visited, prompts, probes=8
        )
        out = here / f"replies/readers/A-{name}/reader.jsonl"
        collect(prompts, model, here / "reader.sqlite", out=out, provider=Scripted(quoted))
        run.prompts.append(prompts)
        run.replies.append(out)
        assert entry["adapter"]
    run.tables = tabulate(run)
    return run


def visit(run: SimpleNamespace, name: str, out: Path, ledger: str = "", **more) -> None:
    load_script("memories/visit_memory.py").main(
        run.plans[0],
        out,
        system=name,
        entry=SYSTEMS[name],
        identity=System.from_config(name, SYSTEMS[name]).identity(ROOT),
        version=None,
        ledger=run.here / (ledger or f"{name}.sqlite"),
        store=run.here / "stores" / name,
        **more,
    )


def tabulate(run: SimpleNamespace, systems=tuple(SYSTEMS)) -> dict[str, Path]:
    out = {
        name: run.here / f"{name}.csv"
        for name in (
            *("hygiene", "banks", "entries", "recalls", "answers"),
            *("stages", "curve", "cells", "sham", "costs"),
        )
    }
    first = {name: out[name] for name in ("hygiene", "banks", "entries", "recalls")}
    load_script("memories/tabulate_banks.py").main(run.plans, run.recalls, **first)
    load_script("memories/score_readers.py").main(
        run.plans, run.recalls, run.prompts, run.replies, out["answers"], probes=8
    )
    load_script("memories/test_memories.py").main(
        run.plans,
        run.recalls,
        **{name: out[name] for name in out if name not in ("hygiene", "entries")},
        swapped={"A": [SWAPPED]},
        partners={"A": 2},
        systems=list(systems),
    )
    return out


def test_full_text_follows_and_the_window_is_not_shown_to(study):
    cells = read_table(study.tables["cells"], CELLS).set_index(["system", "reader"])
    assert cells.loc[("full-text", "ideal"), "verdict"] == "follows"
    assert cells.loc[("full-text", "reader"), "verdict"] == "follows"
    assert cells.loc[("window", "ideal"), "verdict"] == "not shown"
    assert cells.loc[("full-text", "ideal"), ["n", "b", "c", "m"]].to_list() == [N, N, 0, 4]
    # eight probes, b = 8: 2/2^8, the second of four cells under Holm
    assert cells.loc[("full-text", "reader"), "p_use_holm"] == pytest.approx(6 / 2**8)


def test_the_reader_that_is_a_model_reads_what_was_recalled(study):
    stages = read_table(study.tables["stages"], STAGE_TABLE)
    own = stages.set_index(["system", "reader", "document"])
    for document in ("veridical", SWAPPED, "veridical-again"):
        row = own.loc[("full-text", "reader", document)]
        assert (row["found"], row["followed"], row["right_of"]) == (8, 8, 8)
    assert set(stages[stages["system"] == "window"]["broke"]) == {"found"}


def test_no_request_holds_more_of_the_memory_than_was_recalled(study):
    """With a memory system under test the memory document is in no request."""
    lines = corpus().memory_block.split("\n")
    for path in study.prompts:
        for prompt in read_prompts(path):
            (turn,) = prompt.turns
            sent = f"{turn.system}\n{turn.user}\n{turn.quote and turn.quote.user}"
            assert sum(entry.split(" — ", 2)[2] in sent for entry in lines) <= 3  # k


def test_each_bank_has_its_receipt(study):
    banks = read_table(study.tables["banks"], BANKS)
    assert len(banks) == 2 * 4
    assert banks["admitted"].all()
    assert set(banks["version"]) >= {"1"}


def test_answers_of_a_bank_that_was_not_asked_are_failed_and_not_wrong(study):
    """A reader that was asked nothing of a bank has no answer there: never a wrong one."""
    prompts = study.prompts[0].read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in prompts if SWAPPED not in line.split('"turns"')[0]]
    few = study.here / "few/A-full-text.jsonl"
    few.parent.mkdir()
    few.write_text("".join(kept), encoding="utf-8")
    out = study.here / "few/replies/A-full-text/reader.jsonl"
    model = Model("reader", "scripted", "s")
    collect(few, model, study.here / "reader.sqlite", out=out, provider=Scripted(quoted))
    load_script("memories/score_readers.py").main(
        study.plans, study.recalls, [few], [out], study.here / "few.csv", probes=8
    )
    answers = read_table(study.here / "few.csv", ANSWERS)
    mine = answers[(answers["reader"] == "reader") & (answers["document"] == SWAPPED)]
    assert set(mine["state"]) == {"failed"}
    assert mine["correct"].isna().all()


def test_two_equal_banks_agree(study):
    sham = read_table(study.tables["sham"], SHAM)
    assert (sham["answers_differ"] == 0).all()
    assert (sham["recalls_differ"] == 0).all()


def test_costs_count_every_event_and_recall(study):
    costs = read_table(study.tables["costs"], COSTS)
    assert list(costs["events"]) == [3 * 31] * 2
    assert list(costs["recalls"]) == [4 * N] * 2


def test_a_replay_without_any_system_gives_the_same_bytes(study, monkeypatch):
    paths = {path: path.relative_to(study.here) for path in study.recalls}
    before = {path: path.read_bytes() for path in paths}
    monkeypatch.setattr(System, "start", lambda *a, **k: pytest.fail("a system was started"))
    monkeypatch.chdir(study.here)
    for path, inside in paths.items():
        export = Path("data/replies", *inside.parts[1:])
        export.parent.mkdir(parents=True, exist_ok=True)
        path.rename(export)
        visit(study, path.stem, inside, ledger=f"new-{path.stem}.sqlite", collect=False)
        assert path.read_bytes() == before[path]


def test_tables_come_out_the_same_twice(study):
    before = {name: path.read_bytes() for name, path in study.tables.items()}
    tabulate(study)
    assert {name: path.read_bytes() for name, path in study.tables.items()} == before
    assert len(pd.read_csv(study.tables["curve"])) == 2 * 3 * 3


def odd_program(which: str) -> str:
    """The notes' program without its dump, or one that dies before it has said what it is."""
    if which == "dies":
        return "raise SystemExit('the licence has run out')"
    return example().replace('"optional": ["dump"]', '"optional": []')


@pytest.mark.parametrize("which", ["dies", "dumpless"])
def test_a_study_comes_to_its_end_with_a_system_that_cannot_be_looked_into(study, tmp_path, which):
    """One that never starts, one without a dump: tables and figure are made all the same."""
    entry = {"adapter": "command", "command": [sys.executable, "-c", odd_program(which)]}
    out = tmp_path / f"results/demo/memories/replies/systems/A/{which}.jsonl"
    with contextlib.chdir(tmp_path):
        load_script("memories/visit_memory.py").main(
            study.plans[0],
            out.relative_to(tmp_path),
            system=which,
            entry=entry,
            identity=System.from_config(which, entry).identity(ROOT),
            version=None,
            ledger=tmp_path / "odd.sqlite",
            store=tmp_path / "store",
        )
    run = SimpleNamespace(
        here=tmp_path, plans=study.plans, recalls=[*study.recalls, out], prompts=[], replies=[]
    )
    tables = tabulate(run, [*SYSTEMS, which])
    cells = read_table(tables["cells"], CELLS).set_index("system")
    assert cells.loc["full-text", "verdict"] == "follows"
    banks = read_table(tables["banks"], BANKS).set_index(["system", "document"])
    stages = read_table(tables["stages"], STAGE_TABLE).set_index(["system", "document"])
    own = stages.loc[(which, "veridical")]
    assert pd.isna(own["stored"])
    assert own["found_of"] == N
    if which == "dies":
        assert cells.loc[which, "verdict"] == "not admitted"
        assert "the licence has run out" in banks.loc[(which, "veridical"), "reason"]
        assert own["found"] == 0
    else:
        assert cells.loc[which, "verdict"] == "follows"
        assert own["found"] == N
        assert pd.isna(own["broke"])
    load_script("memories/draw_stages.py").main(
        tables["stages"], tmp_path / "s.svg", tmp_path / "s.pdf"
    )
    assert (tmp_path / "s.svg").stat().st_size > 1000
