"""How many questions the benchmark's arms take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veridical.benchmarks.arms import fitting
from veridical.benchmarks.asking import askable
from veridical.benchmarks.items import Item
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.sampling import draw
from veridical.models.asks import Ask, asks_of

TOKENS = 1000  # of one prompt that isn't written yet
SHEET_TOKENS = 300


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Every item drawn, once in every arm that it can be asked in; then the judges' sheets."""
    part = config["benchmarks"]
    items = askable(read_benchmark(part["file"], part.get("format")).items)
    drawn = draw(items, part.get("per_stratum"), config["seed"])
    calls = _slices(part, drawn)
    place, parameters = "benchmarks/prompts/*.jsonl", part["parameters"]
    yield from asks_of(config, "benchmarks", part["models"], place, calls, TOKENS, parameters)
    if part.get("scoring") == "judges":
        place, given = "benchmarks/sheets/{model}.jsonl", part["verdict"]
        sheets = calls_to_judge(part, drawn)
        yield from asks_of(config, "verdicts", part["judges"], place, sheets, SHEET_TOKENS, given)


def calls_to_judge(part: Mapping[str, Any], drawn: Sequence[Item]) -> int:
    """The most sheets there can be: every open answer of every model in every arm a different one,
    but where abstaining is right."""
    open_items = [item for item in drawn if not item.options and not item.abstention]
    return len(part["models"]) * _slices(part, open_items)


def _slices(part: Mapping[str, Any], items: Sequence[Item]) -> int:
    """Questions of one model: in every arm, and in all but `none` through every memory system."""
    ways = {arm: 1 + (arm != "none") * len(part.get("systems", ())) for arm in part["arms"]}
    return sum(n * len(fitting(arm, items)) for arm, n in ways.items())
