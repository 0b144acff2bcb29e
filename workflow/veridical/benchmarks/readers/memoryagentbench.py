"""MemoryAgentBench (Hu et al. 2025): one context a record, with all the questions about it.

The benchmark is published as Parquet; a record a line of JSON is what
`pandas.read_parquet(file).to_json(out, orient="records", lines=True)` writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.benchmarks.items import History, Item, Session, Turn
from veridical.benchmarks.records import Record
from veridical.benchmarks.source import Source

TITLE = "MemoryAgentBench"


def fits(source: Source) -> bool:
    """Whether the first record holds a context, questions and answers."""
    return {"context", "questions", "answers"} <= set(source.first)


def read(source: Source) -> Iterator[Item]:
    """The items, context by context; a context is a cluster, its source the stratum."""
    for number, (where, data) in enumerate(source.records, start=1):
        record = Record(data, where)
        questions, answers = record.list("questions"), record.list("answers")
        if len(questions) != len(answers):
            raise record.wrong("answers", f"{len(answers)} for {len(questions)} questions")
        metadata = Record(record.data.get("metadata") or record.data, f"{where}, metadata")
        stratum = metadata.text("source", default="")
        names = _names(metadata, len(questions), number)
        history = History(str(number), (Session((Turn("", record.text("context")),)),))
        for own, question, answer in zip(names, questions, answers, strict=True):
            each = Record({"question": question, "answer": answer}, f"{where}, question {own}")
            wordings = each.names("answer")
            if not wordings or not wordings[0]:
                raise each.wrong("answer", "empty")
            yield Item(
                id=own,
                question=each.text("question"),
                answer=wordings[0],
                accepted=wordings[1:],
                stratum=stratum,
                cluster=str(number),
                history=history,
            )


def _names(metadata: Record, n: int, number: int) -> Sequence[Any]:
    for field in ("qa_pair_ids", "question_ids"):
        names = metadata.names(field)
        if len(names) == n and len(set(names)) == n:
            return [f"{number}:{name}" for name in names]
    return [f"{number}:{place}" for place in range(n)]
