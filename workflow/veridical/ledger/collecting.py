"""Collecting: ask one model what a prompts file asks, keep every exchange, export the replies.

What the ledger holds is never asked again. The export is written from the ledger alone, so a
replay and the collection that it repeats give the same bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.decisions import Decisions
from veridical.base.keyless import check_model
from veridical.ledger.asking import Asking
from veridical.ledger.budget import Budget
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import exchange_of, line_of, rebuild, replies_file
from veridical.ledger.stopping import CollectionStopped
from veridical.ledger.task import Tally, Task, held
from veridical.models.conversation import Answered, Position
from veridical.models.exchange import Call, Model, Provider, Raw, Reply
from veridical.models.prompts import Prompt

__all__ = ["CollectionStopped", "MissingReplies", "Tally", "collect"]


class MissingReplies(RuntimeError):
    """The set is not complete; the message says how many of how many, and which are missing."""


def collect(
    prompts: Path | Sequence[Prompt],
    model: Model,
    ledger: Path | str,
    *,
    out: Path | str,
    collection: str = "",
    asking: bool = True,
    reask: int = 0,
    reask_parameters: Mapping[str, Any] | None = None,
    retries: int = 6,
    backoff: float = 1.0,
    budget: Budget | None = None,
    exports: Iterable[Path | str] = (),
    provider: Provider | None = None,
    context: Mapping[str, Any] | None = None,
    secret: Iterable[str] = (),
    record: str = "",
    decisions: Decisions | None = None,
) -> Tally:
    """Ask what the ledger doesn't hold yet, then export the replies to `out`, whole or not at all.

    With `asking` false nothing is asked and no provider is opened: the replies come from the
    ledger and from `exports`, replies files that are put into it first. `context` is passed on
    to `open_provider`; `provider` stands for it. `secret` names further environment variables
    that hold keys, besides those that are keys by their name or that the model's entry names.
    `record` is the SHA-256 of the freeze record in force, which is kept with each reply.
    `decisions` say which replies are asked for again or left out.

    Returns a tally. Raises MissingReplies where replies are missing (what is there stays in the
    ledger; another run asks for the rest only), CollectionStopped where an error or the budget
    ended it, LedgerError where the ledger can't be read or written.

    Examples
    --------
    >>> collect(Path("prompts.jsonl"), model, "data/ledger/demo/control3/gpt.sqlite",
    ...         out="replies.jsonl", reask=2)                          # doctest: +SKIP
    Tally(conversations=24, held=0, asked=24, failed=0)
    """
    check_model(model)
    task = Task(
        prompts,
        model,
        Path(ledger),
        collection,
        reask,
        reask_parameters or {},
        retries,
        backoff,
        decisions=decisions or Decisions(),
    )
    if decisions is not None:
        decisions.check(task.place, (prompt.id for prompt in task))
    exports = list(exports)
    with Ledger(ledger, create=asking or bool(exports)) as book:
        rebuild(exports, book)
        try:
            conversations = _export(task, book, out)
            return Tally(conversations, held=conversations)
        except MissingReplies:
            if not asking:
                raise
        collection = Asking(task, book, budget, secret=secret, record=record)
        tally = asyncio.run(collection.run(provider, dict(context or {})))
        _export(task, book, out)
    return tally


def _export(task: Task, ledger: Ledger, out: Path | str) -> int:
    """Write the replies in the order of the prompts; returns how many conversations there are."""
    done, missing = 0, []
    with replies_file(out) as lines:
        for prompt in task:
            for sample in range(prompt.samples):
                if reason := task.left_out(prompt, sample):
                    done += 1
                    if not missing:
                        for line in left_out_lines(task, ledger, prompt, sample, reason):
                            lines.write(line)
                    continue
                steps = task.steps(prompt, sample)
                try:
                    position, call = next(steps)
                    while (reply := held(ledger, call)) is not None:
                        position, call = steps.send(reply)
                    missing.append((position, call.key, task.address(prompt, sample)))
                except StopIteration as end:
                    done += 1
                    if not missing:
                        for turn in end.value:
                            lines.write(line_of(turn, task.collection, task.model.name))
        if missing:
            raise MissingReplies(_missing(task, ledger, done, missing))
    return done


def left_out_lines(
    task: Task, ledger: Ledger, prompt: Prompt, sample: int, reason: str
) -> Iterator[dict[str, Any]]:
    """The lines of a conversation that is left out: state `failed`, with the reason and, on the
    first turn, every exchange that the ledger holds of it."""
    steps, exchanges = task.steps(prompt, sample), []
    try:
        _, call = next(steps)
        while (reply := held(ledger, call)) is not None:
            exchanges.append((call, reply))
            _, call = steps.send(reply)
    except StopIteration:
        pass
    none = Reply("", "failed", None, Raw(""), attempt=0)
    for number, turn in enumerate(prompt.turns):
        position = Position(prompt.id, sample, number)
        asked = Call(task.model, ({"role": "user", "content": turn.user},), turn.form)
        facts = {**prompt.facts, **turn.facts}
        answered = Answered(position, ((asked, none),), None, facts)
        line = line_of(answered, task.collection, task.model.name)
        kept = [exchange_of(*each) for each in exchanges] if number == 0 else []
        yield line | {"attempt": 0, "left_out": reason, "exchanges": kept}


def _missing(
    task: Task, ledger: Ledger, done: int, missing: list[tuple[Position, str, str]]
) -> str:
    shown = "; ".join(
        f"{position} (key {key[:12]}…)" + _because(ledger, key) for position, key, _ in missing[:10]
    )
    more = f"; and {len(missing) - 10} more" if len(missing) > 10 else ""
    way = f"`replies: {{ leave_out: {{ {missing[0][2]!r}: the reason }} }}`"
    return (
        f"{task.model.name}, {task.label}: {done} of {done + len(missing)} conversations are in "
        f"{task.ledger}, {len(missing)} are not. Missing: {shown}{more}. "
        "What is there is kept: another run with `collect: true` asks for the missing ones only. "
        f"One that can't be had is left out, on the record, by {way} in the config."
    )


def _because(ledger: Ledger, key: str) -> str:
    """What was said at the last attempt, where one was made."""
    last = ledger.last_failure(key)
    return f": {last[:400]}" if last else ""
