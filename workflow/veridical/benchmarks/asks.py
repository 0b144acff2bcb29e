"""How many questions the benchmark's arms take, and how many its memory systems ask within."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veridical.benchmarks.arms import Arms, fitting
from veridical.benchmarks.asking import askable
from veridical.benchmarks.banks import bank_plans
from veridical.benchmarks.items import Benchmark, Item
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.sampling import draw
from veridical.memories.asks import asks_within
from veridical.memories.spending import inside
from veridical.memories.systems import systems_of
from veridical.models.asks import Ask, asks_of

TOKENS = 1000  # of one prompt that isn't written yet
SHEET_TOKENS = 300


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Every item drawn, once in every arm that it can be asked in; then the judges' sheets; then
    what the models inside memory systems are asked, of what the part `memories` doesn't count."""
    part = config["benchmarks"]
    read = read_benchmark(part["file"], part.get("format"))
    items = askable(read.items)
    drawn = draw(items, part.get("per_stratum"), config["seed"])
    calls = _slices(part, drawn)
    place, parameters = "benchmarks/prompts/*.jsonl", part["parameters"]
    yield from asks_of(config, "benchmarks", part["models"], place, calls, TOKENS, parameters)
    if part.get("scoring") == "judges":
        place, given = "benchmarks/sheets/{model}.jsonl", part["verdict"]
        sheets = calls_to_judge(part, drawn)
        yield from asks_of(config, "verdicts", part["judges"], place, sheets, SHEET_TOKENS, given)
    yield from _within(config, read, drawn)


def _within(config: Mapping[str, Any], read: Benchmark, drawn: Sequence[Item]) -> Iterator[Ask]:
    """The models inside the systems that the histories go through."""
    part = config["benchmarks"]
    systems = {
        name: system
        for name, system in (systems_of(config) if part.get("systems") else {}).items()
        if name in part["systems"] and inside(name, system.adapter, system.settings)
    }
    if not systems:
        return
    k = config["memories"]["k"]
    events, queries = put_through(Arms(read), part["arms"], drawn, k)
    for name, system in systems.items():
        yield from asks_within(name, system, k, events, queries)


def put_through(arms: Arms, names: Sequence[str], items: Sequence[Item], k: int) -> tuple[int, int]:
    """Events that go into a memory system in these arms, and queries put to it.

    A history that two arms give alike is ingested once, and asked the same thing once.
    """
    banks: dict[str, int] = {}
    asked = set()
    for arm in names:
        for plan in bank_plans(arms, arm, items, k) if arm != "none" else ():
            (bank,) = plan.banks
            banks[bank.chain] = len(bank.events)
            asked |= {(bank.chain, query.text) for query in plan.queries}
    return sum(banks.values()), len(asked)


def calls_to_judge(part: Mapping[str, Any], drawn: Sequence[Item]) -> int:
    """The most sheets there can be: every open answer of every model in every arm a different one,
    but where abstaining is right."""
    open_items = [item for item in drawn if not item.options and not item.abstention]
    return len(part["models"]) * _slices(part, open_items)


def _slices(part: Mapping[str, Any], items: Sequence[Item]) -> int:
    """Questions of one model: in every arm, and in all but `none` through every memory system."""
    ways = {arm: 1 + (arm != "none") * len(part.get("systems", ())) for arm in part["arms"]}
    return sum(n * len(fitting(arm, items)) for arm, n in ways.items())
