"""GSM8K's form: problems with worked answers that end in `#### number`; no history, no options."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.benchmarks.items import Item
from veridical.benchmarks.records import Record
from veridical.benchmarks.source import Source

TITLE = "GSM8K's form"


def fits(source: Source) -> bool:
    """Whether the first answer ends in the number that counts."""
    first = source.first
    return source.kind == "jsonl" and "question" in first and "####" in str(first.get("answer"))


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; the answer is the number after the last `####`."""
    for number, (where, data) in enumerate(source.records, start=1):
        record = Record(data, where)
        answer = record.text("answer")
        _, mark, result = answer.rpartition("####")
        if not mark or not result.strip():
            raise record.wrong("answer", "has no `#### number` at its end")
        yield Item(str(number), record.text("question"), result.strip().replace(",", ""))
