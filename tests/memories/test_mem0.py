"""mem0, as it is sold: what it is told verbatim, and what a model extracts for it."""

from __future__ import annotations

import json
import os
import socket
from contextlib import closing

import pytest
from support.chat_server import chat_server
from support.memory_adapters import MODELS, ROOT, ready, start
from support.memory_study import corpus, plan
from veridical.memories import readers, receipts
from veridical.memories.adapters import open_adapter
from veridical.memories.conformance import check_system
from veridical.memories.protocol import Event, Usage
from veridical.memories.systems import System
from veridical.memories.visit import Visit

BREAD = Event("e1", "2025-01-01", "Ada", "2025-01-01 — met Bo: the bread was too salty.")
RAIN = Event("e2", "2025-01-02", "Ada", "2025-01-02 — met Cy: rain all day.")


@pytest.fixture(autouse=True)
def models(monkeypatch):
    ready("mem0")
    monkeypatch.setenv("VERIDICAL_MODELS", str(MODELS))
    monkeypatch.chdir(ROOT)
    for name in ("MEM0_DIR", "MEM0_TELEMETRY"):
        monkeypatch.setenv(name, "")  # put back afterwards


def extract(body: dict) -> str:
    """A model that turns the newest message into one fact, in its own words."""
    asked = body["messages"][-1]["content"]
    fact = "Bo found the bread salty" if "bread" in asked.split("New Messages")[-1] else "It rained"
    return json.dumps({"memory": [{"id": "0", "text": fact}]})


def test_verbatim_keeps_every_word_day_and_id(tmp_path):
    with closing(open_adapter("mem0", {}, tmp_path)) as memory:
        memory.reset("b")
        assert memory.ingest("b", [BREAD, RAIN]) == 2
        held = memory.dump("b")
        assert [(item.text, item.at, item.sources) for item in held] == [
            (event.text, event.at, (event.id,)) for event in (BREAD, RAIN)
        ]
        found = memory.recall("b", "How salty was the bread?", 1).items
        assert [item.text for item in found] == [BREAD.text]
        assert memory.dump("another") == ()
        assert memory.usage() == Usage()
        memory.reset("b")
        assert memory.dump("b") == memory.recall("b", "bread", 5).items == ()
        assert memory.describe().writes == "verbatim"


def test_nothing_goes_over_the_network(tmp_path, monkeypatch):
    """Telemetry is off, and a key that would send it elsewhere changes nothing."""
    monkeypatch.setenv("OPENROUTER_API_KEY", "sesame")
    asked = []
    connect = socket.socket.connect
    monkeypatch.setattr(
        socket.socket, "connect", lambda self, to: asked.append(to) or connect(self, to)
    )
    with closing(open_adapter("mem0", {}, tmp_path)) as memory:
        memory.ingest("b", [BREAD])
        memory.recall("b", "bread", 3)
        memory.reset("b")
    assert asked == []
    assert "OPENROUTER_API_KEY" not in os.environ
    assert {path.name for path in tmp_path.iterdir()} == {"mem0"}


def test_extracting_asks_its_model_and_is_counted(tmp_path):
    with chat_server(extract) as server:
        settings = {"infer": True, "model": {"base_url": server.url, "model": "m"}}
        with closing(open_adapter("mem0", settings, tmp_path)) as memory:
            assert memory.describe().writes == "extracted"
            assert memory.describe().models == ("all-MiniLM-L6-v2", "m")
            memory.reset("b")
            memory.ingest("b", [BREAD])
            memory.ingest("b", [RAIN])
            assert memory.usage() == Usage(2, 200, 20)
            assert {item.text for item in memory.dump("b")} == {
                "Bo found the bread salty",
                "It rained",
            }
            best = memory.recall("b", "How was the bread?", 1).items[0]
            assert best.text == "Bo found the bread salty"
            assert best.sources == ("e1",)
    assert len(server.asked[0]["messages"][0]["content"]) > 10_000  # its own long instructions
    assert server.asked[0]["max_tokens"] == 400


def test_an_emptied_bank_shows_the_model_nothing_of_what_was_in_it(tmp_path):
    """mem0 keeps the last messages of a user beside the store, and deletes them with nothing."""
    with chat_server(extract) as server:
        settings = {"infer": True, "model": {"base_url": server.url, "model": "m"}}
        with closing(open_adapter("mem0", settings, tmp_path)) as memory:
            memory.ingest("b", [BREAD])
            memory.ingest("b", [RAIN])
            assert "salty" in server.asked[-1]["messages"][-1]["content"]  # it is shown
            memory.reset("b")
            memory.ingest("b", [RAIN])
            assert "salty" not in server.asked[-1]["messages"][-1]["content"]


def test_a_model_that_extracts_nothing_stores_nothing(tmp_path):
    with chat_server(lambda body: "I have nothing to say") as server:
        settings = {"infer": True, "model": {"base_url": server.url, "model": "m"}}
        with closing(open_adapter("mem0", settings, tmp_path)) as memory:
            assert memory.ingest("b", [BREAD]) == 1
            assert memory.dump("b") == ()


@pytest.mark.parametrize("settings", [{"infer": True}, {"model": {"weights": "x"}}])
def test_a_model_goes_with_extracting_and_with_nothing_else(tmp_path, settings):
    with pytest.raises(ValueError, match="mem0 with `infer: true` needs `model`"):
        open_adapter("mem0", settings, tmp_path)


def test_the_conformance_check_finds_no_fault(tmp_path):
    found = check_system(lambda: start(System("m", "mem0"), tmp_path))
    assert [str(check) for check in found if check.state != "ok"] == []


def test_corpus_a_is_stored_whole_and_found(tmp_path):
    observed = Visit(plan(24), lambda: start(System("m", "mem0"), tmp_path)).run()
    banks = {row["document"]: row for row in receipts.bank_rows(plan(24), observed)}
    entries = len(corpus().memory_block.split("\n"))
    for document in ("veridical", "binding-corrupted", "veridical-again"):
        assert banks[document]["admitted"], banks[document]
        assert (banks[document]["intact"], banks[document]["invented"]) == (entries, 0)
    rows = [row for row in readers.recall_rows(plan(24), observed)]
    found = [row["rank"] for row in rows if row["document"] == "veridical"]
    assert sum(rank is not None for rank in found) >= 22


def test_version_packages_and_weights_are_in_the_key():
    system = System(
        "m", "mem0", {"infer": True, "model": {"weights": "SmolLM2-135M-Instruct.Q4_1"}}
    )
    identity = system.identity(ROOT)
    assert system.expected(ROOT) == identity["packages"]["mem0ai"] == "2.2.1"
    assert "qdrant-client" in identity["packages"]
    assert len(identity["weights"]) == 3
    assert "workflow/veridical/memories/chat.py" in identity["files"]
