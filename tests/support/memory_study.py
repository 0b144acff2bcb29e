"""A small study of memory systems on corpus A, visited in this process or through a ledger."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from veridical.control3.symmetric import draw_probes
from veridical.corpora.corpus import Corpus, read_corpus
from veridical.documents.rebinding import rebind
from veridical.memories import readers, receipts
from veridical.memories.adapters import open_adapter
from veridical.memories.keeping import Outcome
from veridical.memories.plan import Plan, make_plan
from veridical.memories.protocol import Memory, Wrapped
from veridical.memories.visit import Visit

ROOT = Path(__file__).parents[2]
SWAPPED = "binding-corrupted"


@cache
def corpus() -> Corpus:
    """Corpus A."""
    return read_corpus(ROOT / "data/corpora/A")


@cache
def probes(n: int = 24) -> pd.DataFrame:
    """Probes of Control 3."""
    return draw_probes(corpus(), n, np.random.default_rng(1))


@cache
def plan(n: int = 24, k: int = 5) -> Plan:
    """The true and the swapped document, the sham and the empty bank."""
    documents = {"veridical": corpus().memory_block, SWAPPED: rebind(corpus(), SWAPPED)}
    return make_plan(corpus(), documents, probes(n), k, np.random.default_rng(2))


def sound(adapter: str = "fts5") -> Memory:
    """An adapter without dependencies, in this process."""
    return open_adapter(adapter, {}, tempfile.mkdtemp(prefix="veridical-test-"))


def visit(start: Callable[[], Memory] = sound, n: int = 24) -> dict[str, Outcome]:
    """Everything that a visit observes, with nothing kept."""
    return Visit(plan(n), start, settle=5).run()


def with_fault(fault: type[Wrapped], adapter: str = "fts5") -> Callable[[], Memory]:
    """A sound adapter behind a wrapper that plants a fault."""
    inner = sound(adapter)
    return lambda: fault(inner)


def banks(observed: dict[str, Outcome], n: int = 24) -> pd.DataFrame:
    """The receipts, by document."""
    return pd.DataFrame(receipts.bank_rows(plan(n), observed)).set_index("document")


def recalls(observed: dict[str, Outcome], n: int = 24) -> pd.DataFrame:
    """The recalls."""
    return pd.DataFrame(readers.recall_rows(plan(n), observed))


def answers(observed: dict[str, Outcome], n: int = 24) -> pd.DataFrame:
    """The ideal reader's answers."""
    rows = readers.ideal_rows(plan(n), observed)
    return pd.DataFrame([{"reader": "ideal", **row} for row in rows])
