"""LongMemEval-V2 (Wu et al. 2026): `questions.jsonl`, questions about web agents' trajectories.

The trajectories lie in other files, with screenshots; they are not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridical.benchmarks.items import Item
from veridical.benchmarks.records import Record
from veridical.benchmarks.source import Source

TITLE = "LongMemEval-V2"
MISSING = ("histories: the trajectories and their screenshots are not read",)


def fits(source: Source) -> bool:
    """Whether the first record names how its answer is evaluated, and its domain."""
    return {"id", "question_type", "eval_function", "domain"} <= set(source.first)


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; questions of one environment are a topic.

    Types that end in `-abs` rest on a wrong premise; the right answer says so.
    """
    for where, data in source.records:
        record = Record(data, where)
        name = record.text("id")
        record.where = f"{source.name}, item {name}"
        kind = record.text("question_type")
        question = record.get("question")
        if isinstance(question, dict):  # as the benchmark's own runner writes it, with an image
            question = record.record("question").text("text")
        else:
            question = record.text("question")
        yield Item(
            id=name,
            question=question,
            answer=record.text("answer"),
            stratum=kind,
            topic=record.text("environment", "domain"),
            abstention=kind.endswith("-abs"),
        )
