"""How many questions the benchmark's arms take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veridical.benchmarks.arms import fitting
from veridical.benchmarks.asking import askable
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.sampling import draw
from veridical.models.asks import Ask, asks_of

TOKENS = 1000  # of one prompt that isn't written yet


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Every item drawn, once in every arm that it can be asked in."""
    part = config["benchmarks"]
    items = askable(read_benchmark(part["file"], part.get("format")).items)
    drawn = draw(items, part.get("per_stratum"), config["seed"])
    calls = sum(len(fitting(arm, drawn)) for arm in part["arms"])
    place, parameters = "benchmarks/prompts/*.jsonl", part["parameters"]
    yield from asks_of(config, "benchmarks", part["models"], place, calls, TOKENS, parameters)
