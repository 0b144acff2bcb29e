"""What was asked is found by the facts of each reply, whatever its id or the name of its file."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from support.fixture_study import build, read
from support.scripted import Scripted
from veridical.control1.drill import drill
from veridical.ledger.collecting import collect
from veridical.models.exchange import Model
from veridical.models.prompts import Prompt, Turn
from veridical.report.probes import exchanges
from veridical.report.study import read_exchanges
from veridical.report.wording import Wording

EN = Wording.read("en")
MODEL = Model("gpt.v1", "openai", "gpt")
# Ids that end with one another, and file names that say something else than the facts.
ITEMS = ["2", "12", "112", "1", "11", "-2", "T 2"]


@pytest.fixture
def part(tmp_path):
    """A folder of a part's results, and a way to collect replies into it."""

    def asked(name: str, prompts: list[Prompt]) -> None:
        out = tmp_path / "part/replies" / name / "gpt.jsonl"
        provider = Scripted(lambda call, _: f"reply to {call.messages[-1]['content']}")
        collect(prompts, MODEL, tmp_path / "ledger.sqlite", out=out, provider=provider)

    return tmp_path / "part", asked


def test_an_item_shows_its_own_question_whatever_ids_end_with(part, tmp_path):
    folder, asked = part
    by_item = [
        Prompt(f"{corpus}-{item}", (Turn(f"the question of {item}{more}"),),
               facts={"corpus": corpus, "item_id": item})
        for corpus, more in (("B", " in another corpus"), ("A", ""))
        for item in reversed(ITEMS)
    ]  # fmt: skip
    asked("verdicts", by_item)  # a name like the judges'
    asked("responses", [Prompt("sheet-2", (Turn("a sheet, which has no item"),))])
    build(tmp_path)
    study = read(tmp_path)
    names = dict(zip(sorted(study.tables["control1/verdicts"]["item_id"].unique()), ITEMS,
                     strict=True))  # fmt: skip
    tables = {
        name: table.assign(item_id=table["item_id"].map(names)) if "item_id" in table else table
        for name, table in study.tables.items()
    }
    study = replace(study, tables=tables, exchanges={"control1": read_exchanges(folder)})
    rows = drill(study, EN.of("control1")).rows
    shown = dict(zip(rows["item_id"], rows["input"], strict=True))
    assert shown == {item: f"the question of {item}" for item in ITEMS}


def test_an_exchange_is_joined_by_corpus_document_and_probe(part, tmp_path):
    folder, asked = part
    facts = [
        {"corpus": corpus, "document": document, "probe_id": probe}
        for corpus in ("A", "A-B")
        for document in ("binding-corrupted", "binding-corrupted-1", "none")
        for probe in ("p1", "1-p1", "B-p1")
    ]
    prompts = [
        Prompt(f"{n:02}", (Turn(" / ".join(fact.values())),), facts=fact)
        for n, fact in enumerate(facts)
    ]
    asked("B-veridical", prompts[:9])
    asked("A", prompts[9:])
    build(tmp_path)
    study = replace(read(tmp_path), exchanges={"control3": read_exchanges(folder)})
    on = ("corpus", "model", "probe_id")
    tables, (nested,) = exchanges(study, "control3", "document", on, EN.of("control3"))
    assert nested.on == on
    table = tables["exchanges"]
    assert set(table["model"]) == {"gpt.v1"}  # as the line says, not the file
    said = table["corpus"] + " / " + table["document"] + " / " + table["probe_id"]
    assert list(table["asked"]) == list(said)
    assert list(table["reply"]) == list("reply to " + said)
    assert len(table) == len(facts)


def test_only_first_samples_and_probes_are_joined(part, tmp_path):
    folder, asked = part
    fact = {"corpus": "A", "document": "none", "probe_id": "p1"}
    asked("x", [Prompt("p", (Turn("q"),), samples=3, facts=fact), Prompt("other", (Turn("r"),))])
    build(tmp_path)
    study = replace(read(tmp_path), exchanges={"control3": read_exchanges(folder)})
    tables, _ = exchanges(study, "control3", "document", ("corpus", "model", "probe_id"), EN)
    assert list(tables["exchanges"]["asked"]) == ["q"]
    study = replace(study, exchanges={"control3": pd.DataFrame()})
    assert exchanges(study, "control3", "document", ("corpus", "model", "probe_id"), EN) == ({}, ())
