"""LoCoMo (Maharana et al. 2024): one conversation of `locomo10.json`."""

from __future__ import annotations

from veridical.converters.histories import from_benchmark
from veridical.converters.life import Life, Wish

KNOWN = {"language": "en", "licence": "CC-BY-NC-4.0", "origin": "A conversation of LoCoMo"}


def convert(wish: Wish) -> Life:
    """The conversation that `which` names (`conv-26`), else the first."""
    return from_benchmark(wish, "locomo", KNOWN)
