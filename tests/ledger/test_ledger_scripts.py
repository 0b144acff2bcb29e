"""The scripts around the ledger, called as the workflow calls them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import yaml
from support.scripted import Scripted
from veridical.base.config import check_config
from veridical.ledger.collecting import MissingReplies, collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Model
from veridical.models.prompts import Prompt, Turn, write_prompts

ROOT = Path(__file__).parents[2]
ENTRY = {"provider": "openai", "model": "gpt-4.1", "parameters": {"max_tokens": 8}}


def script(name: str):
    path = ROOT / "workflow/scripts/ledger" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_replies_are_collected_and_replayed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    prompts, out = tmp_path / "slice.jsonl", Path("results/s/part/replies/slice/m.jsonl")
    write_prompts(prompts, [Prompt("a", (Turn("x"),)), Prompt("b", (Turn("y"),))])
    ledger = tmp_path / "ledger" / "stage" / "m.sqlite"
    opened = []

    def open_provider(model, **context):
        opened.append(context)
        return Scripted(lambda call, before: "yes")

    monkeypatch.setattr("veridical.models.providers.open_provider", open_provider)
    arguments = {"model": "m", "entry": ENTRY, "ledger": ledger, "collection": "stage"}
    main = script("collect_replies").main
    main(prompts, out, **arguments, budget={"calls": 2}, threads=2)
    batches = tmp_path / "ledger/stage/batches"
    assert opened == [{"models_folder": None, "threads": 2, "batches": batches}]
    assert list(read_replies(out)["text"]) == ["yes", "yes"]
    assert "2 conversations, 0 of them from the ledger; 2 calls made" in capsys.readouterr().out
    main(prompts, out, **arguments, collect=False)
    assert len(opened) == 1
    write_prompts(prompts, [Prompt("c", (Turn("z"),))])
    with pytest.raises(MissingReplies, match="m, stage/slice: 0 of 1"):
        main(prompts, out, **arguments, collect=False)


def test_ledgers_are_rebuilt_from_a_folder(tmp_path, capsys):
    out = tmp_path / "results" / "part" / "replies" / "slice" / "m.jsonl"
    collect(
        [Prompt("a", (Turn("x"),))],
        Model.from_config("m", ENTRY),
        tmp_path / "one.sqlite",
        out=out,
        collection="part",
        provider=Scripted(lambda call, before: "yes"),
    )
    script("rebuild_ledgers").main(tmp_path / "results", tmp_path / "ledger")
    assert (tmp_path / "ledger" / "part" / "m.sqlite").is_file()
    assert "1 exchanges put back" in capsys.readouterr().out


def test_the_estimate_of_the_study_that_ships_asks_and_writes_nothing(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(ROOT)
    config = check_config(yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8")))
    script("estimate_cost").main(
        ROOT / "data/prices.csv",
        config=config,
        results=tmp_path / "results",
        ledgers=tmp_path / "ledger",
        corpora=ROOT / "data/corpora",
    )
    text = capsys.readouterr().err
    head, *rows = text.split("\n\n")[0].splitlines()
    assert head.split()[:3] == ["collection", "model", "calls"]
    assert {row.split()[0] for row in rows} == {
        "author",
        "responses",
        "verdicts",
        "control2",
        "control3",
        "aas",
        "vpe",
        "memories",
        "benchmarks",
        "all",
    }
    assert list(tmp_path.iterdir()) == []
