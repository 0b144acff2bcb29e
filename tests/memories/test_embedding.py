"""The embedding model: the publisher's numbers from the publisher's weights; the stores upon it."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from support.memory_adapters import MODELS, ROOT, ready, start
from support.memory_study import corpus, plan
from support.scripts import load_script
from veridical.memories import embedding, readers, receipts
from veridical.memories.adapters import find_missing, open_adapter
from veridical.memories.conformance import check_system
from veridical.memories.protocol import Event
from veridical.memories.systems import System
from veridical.memories.visit import Visit
from veridical.models.weights_table import read_weights

STORES = ("embedding", "langgraph")
ENVIRON = {"VERIDICAL_MODELS": str(MODELS)}


@pytest.fixture(scope="module")
def embed() -> embedding.Embedder:
    ready("embedding")
    return embedding.Embedder(environ=ENVIRON)


@pytest.fixture
def models(monkeypatch):
    monkeypatch.setenv("VERIDICAL_MODELS", str(MODELS))
    monkeypatch.chdir(ROOT)


def test_similarities_are_those_that_the_publisher_prints(embed):
    """The quickstart of sentence-transformers prints this matrix for all-MiniLM-L6-v2."""
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    vectors = np.stack([embed(text) for text in texts])
    printed = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert np.abs(vectors @ vectors.T - printed).max() < 6e-5  # it prints four digits


def test_a_vector_has_length_one_and_is_the_same_twice(embed):
    again = embedding.Embedder(environ=ENVIRON)
    for text in ("", "a", "met Ada", "🧠", "שלום", "a long note " * 2000):
        vector = embed(text)
        assert vector.dtype == np.float32
        assert vector.shape == (embedding.DIMENSIONS,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
        assert (again(text) == vector).all()
    assert embed.embed(["a", "b"]) == [embed("a").tolist(), embed("b").tolist()]


def test_what_lies_behind_256_word_pieces_is_not_read(embed):
    """As the model's card has it: what is longer is cut."""
    long = "bread " * 254  # with the marks of beginning and end 256
    assert (embed(long) == embed(long + "and a garden behind the house")).all()
    assert (embed(long[:-6]) != embed(long)).any()


def test_weights_that_are_not_there_name_the_command(tmp_path):
    ready("embedding")
    with pytest.raises(
        FileNotFoundError, match=r"run `snakemake data/models/all-MiniLM-L6-v2\.json"
    ):
        embedding.Embedder(environ={"VERIDICAL_MODELS": str(tmp_path)})


def test_the_weights_are_named_by_the_publishers_revision():
    for name in (embedding.WEIGHTS, embedding.VOCABULARY):
        row = read_weights(name, ROOT / "data/weights.csv")
        assert "/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b" in row.url
        path = MODELS / row.file
        if path.exists():
            assert hashlib.sha256(path.read_bytes()).hexdigest() == row.sha256


@pytest.mark.parametrize("adapter", STORES)
def test_the_nearest_come_back_in_order(adapter, tmp_path, models, embed):
    ready(adapter)
    memory = open_adapter(adapter, {}, tmp_path)
    texts = ["The bread was too salty.", "Rain all day.", "A loaf was baked.", "The boat left."]
    events = [Event(f"e{n}", f"2025-01-0{n + 1}", "Ada", text) for n, text in enumerate(texts)]
    memory.reset("b")
    assert memory.ingest("b", events) == 4
    query = "How did the loaf of bread turn out?"
    found = memory.recall("b", query, 3)
    near = sorted(texts, key=lambda text: -float(embed(text) @ embed(query)))
    assert [item.text for item in found.items] == near[:3]
    assert [item.score for item in found.items] == pytest.approx(
        [float(embed(text) @ embed(query)) for text in near[:3]], abs=1e-5
    )
    best = found.items[0]
    place = texts.index(best.text)
    assert (best.at, best.sources) == (events[place].at, (events[place].id,))
    assert [item.text for item in memory.dump("b")] == texts
    assert len(memory.recall("b", query, 99).items) == 4
    assert memory.recall("empty", query, 3).items == ()


@pytest.mark.parametrize("adapter", STORES)
def test_an_event_with_the_id_of_another_is_another(adapter, tmp_path, models):
    ready(adapter)
    memory = open_adapter(adapter, {}, tmp_path)
    for text in ("first", "second"):
        memory.ingest("b", [Event("same", "2025-01-01", "Ada", text)])
    assert [item.text for item in memory.dump("b")] == ["first", "second"]
    memory.reset("b")
    assert memory.dump("b") == ()


@pytest.mark.parametrize("adapter", STORES)
def test_the_conformance_check_finds_no_fault(adapter, tmp_path):
    ready(adapter)
    system = System(adapter, adapter)
    found = check_system(lambda: start(system, tmp_path))
    assert [str(check) for check in found if check.state != "ok"] == []


@pytest.mark.parametrize("adapter", STORES)
def test_corpus_a_is_stored_and_found(adapter, tmp_path):
    """Everything is stored, and both stores find the same, for they have the same vectors."""
    ready(adapter)
    observed = Visit(plan(24), lambda: start(System(adapter, adapter), tmp_path)).run()
    banks = {row["document"]: row for row in receipts.bank_rows(plan(24), observed)}
    assert all(row["admitted"] for row in banks.values()), banks
    entries = len(corpus().memory_block.split("\n"))
    assert (banks["veridical"]["intact"], banks["veridical"]["entries"]) == (entries, entries)
    rows = list(readers.recall_rows(plan(24), observed))
    found = [row["rank"] for row in rows if row["document"] == "veridical"]
    assert sum(rank is not None for rank in found) >= 22
    assert observed["describe"].value["models"] == [embedding.WEIGHTS]


def test_langgraph_says_its_locked_version(tmp_path, models):
    ready("langgraph")
    system = System("l", "langgraph")
    assert open_adapter("langgraph", {}, tmp_path).describe().version == system.expected(ROOT)


@pytest.mark.parametrize("adapter", STORES)
def test_weights_and_code_and_packages_are_in_the_key(adapter):
    identity = System("s", adapter).identity(ROOT)
    assert identity["weights"][embedding.WEIGHTS].startswith("53aa5117")
    assert len(identity["weights"]) == 2
    assert list(identity["files"]) == [
        f"workflow/veridical/memories/adapters/{adapter}.py",
        "workflow/veridical/memories/embedding.py",
    ]
    assert {"safetensors", "tokenizers"} <= set(identity["packages"])


def test_packages_are_what_the_group_adds_and_all_they_need():
    packages = System("s", "langgraph").identity(ROOT)["packages"]
    assert packages["langgraph"] == "1.2.22"
    assert "langgraph-checkpoint" in packages  # where the store itself is
    assert "numpy" not in packages  # the plain environment has it


@pytest.mark.parametrize("adapter", STORES)
def test_a_package_that_is_missing_is_named_before_anything_starts(adapter, tmp_path, monkeypatch):
    from veridical.memories import adapters

    monkeypatch.setattr(adapters, "find_spec", lambda name: None)
    assert find_missing("fts5") is None
    with pytest.raises(ImportError) as caught:
        System("s", adapter).start(tmp_path)
    package = "langgraph" if adapter == "langgraph" else "safetensors"
    assert str(caught.value) == (
        f"memory adapter '{adapter}' needs {package}, which isn't installed: run `uv sync --locked "
        f"--group {adapter}`, or put `--group {adapter}` behind `uv run`"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_check_of_a_study_names_it_and_goes_on(tmp_path, monkeypatch, capsys):
    from veridical.memories import adapters

    monkeypatch.setattr(adapters, "find_spec", lambda name: None)
    systems = {"vectors": {"adapter": "embedding"}, "window": {"adapter": "window"}}
    assert load_script("memories/check_memory.py").main(systems, folder=str(tmp_path)) == 1
    said = capsys.readouterr().err
    assert "fault  its packages are installed: memory adapter 'embedding' needs safetensors" in said
    assert "ok     it can be killed and started again" in said
    assert "1 faults" in said
