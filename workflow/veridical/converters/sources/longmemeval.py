"""LongMemEval (Wu et al. 2025): the history of one question, of S, M or oracle."""

from __future__ import annotations

from veridical.converters.histories import from_benchmark
from veridical.converters.life import Life, Wish

KNOWN = {"language": "en", "licence": "MIT", "origin": "A history of LongMemEval"}


def convert(wish: Wish) -> Life:
    """The history of the question that `which` names by its id, else of the first."""
    return from_benchmark(wish, "longmemeval", KNOWN)
