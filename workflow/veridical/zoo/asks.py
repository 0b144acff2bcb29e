"""How many answers of the zoo a judge is shown, where a model of the study is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veridical.models.asks import Ask, asks_of
from veridical.models.grading import NAMES

TOKENS = 170  # of one sheet that isn't written yet
DISTINCT = 25  # distinct answers about one encounter, all faults and kinds of memory taken together
TEXTS = ("canary", "question-canary", *NAMES)  # the fixed texts it needs in a corpus's language


def judge_of(config: Mapping[str, Any]) -> str | None:
    """The model that judges the zoo's answers: the one named, else Control 1's first judge; None
    where there is no judge, or no study is to be judged."""
    part = config["zoo"]["judge"]
    judges = config.get("control1", {}).get("judges", ())
    return (part.get("model") or next(iter(judges), None)) if part["studies"] else None


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Each distinct answer once; how many there are shows when the studies have been run."""
    part, judge = config["zoo"]["judge"], judge_of(config)
    calls, place = DISTINCT * part["encounters"], "zoo/prompts/*.jsonl"
    models = [judge] if judge else []
    yield from asks_of(config, "zoo", models, place, calls, TOKENS, part["parameters"])
