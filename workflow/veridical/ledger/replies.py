"""Replies files: what a model answered to a prompts file, one JSON object a line.

A line holds the reply that counts and, under `exchanges`, every request and reply that led to it,
so that the file alone can rebuild the ledger it was exported from. A long text that stands in many
requests is written out in the first (`base.repeated`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from veridical.base.files import atomic
from veridical.base.repeated import Repeated, through_messages
from veridical.models.conversation import Answered
from veridical.models.exchange import Call, Reply
from veridical.models.prompts import Prompt, read_prompts

if TYPE_CHECKING:
    import pandas as pd

    from veridical.ledger.ledger import Ledger

COLUMNS = (
    "model",
    "id",
    "sample",
    "turn",
    "facts",
    "state",
    "value",
    "text",
    "thinking",
    "finish",
    "prompt_tokens",
    "completion_tokens",
    "served_model",
    "attempt",
    "time",
    "latency",
    "sdk",
    "parameters",
    "key",
    "first_state",
    "first_value",
)


DRAWN = ("token_bytes", "stopped_by")  # what some servers tell of how a text was drawn


def line_of(turn: Answered, collection: str, model: str) -> dict[str, Any]:
    """One line of a replies file, from one answered turn.

    `stage` in it is the name of the collection; by it and the model its ledger is found.
    """
    reply, raw = turn.reply, turn.reply.raw
    return {
        "stage": collection,
        "model": model,
        "id": turn.position.id,
        "sample": turn.position.sample,
        "turn": turn.position.turn,
        "facts": dict(turn.facts),
        "state": reply.state,
        "value": reply.value,
        "text": raw.text,
        "thinking": raw.thinking,
        "finish": raw.finish,
        "prompt_tokens": raw.prompt_tokens,
        "completion_tokens": raw.completion_tokens,
        "served_model": raw.served_model,
        "attempt": turn.asked,
        "time": reply.time,
        "latency": raw.latency,
        "sdk": raw.sdk,
        "parameters": dict(raw.parameters),
        "key": reply.key,
        "first_state": turn.first.state if turn.first else None,
        "first_value": turn.first.value if turn.first else None,
        "exchanges": [exchange_of(call, each) for call, each in turn.exchanges],
    }


def exchange_of(call: Call, reply: Reply) -> dict[str, Any]:
    """One request and the reply to it, in plain JSON types."""
    return {"request": json.loads(call.canonical()), "reply": reply.to_dict()}


class Lines:
    """A replies file being written."""

    def __init__(self, stream: IO[str]):
        self._stream = stream
        self._texts = Repeated()

    def write(self, entry: Mapping[str, Any]) -> None:
        """Write one line."""
        entry = through_messages(entry, self._texts.short)
        self._stream.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")


@contextmanager
def replies_file(path: Path | str) -> Iterator[Lines]:
    """A file to write lines to that appears under its name only when all has gone well."""
    with atomic(path) as part, open(part, "w", encoding="utf-8", newline="\n") as stream:
        yield Lines(stream)


def iterate_replies(path: Path | str) -> Iterator[dict[str, Any]]:
    """The lines of a replies file; raises ValueError naming file and line where one is broken.

    Lines written before lines had facts pass: their exchanges are as good as any.
    """
    needed = [column for column in COLUMNS if column != "facts"]
    texts = Repeated()
    with open(path, encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
                missing = [column for column in needed if column not in entry]
                entry = through_messages(entry, texts.whole)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number}: not a reply ({error})") from error
            if missing:
                raise ValueError(f"{path}, line {number}: {missing[0]!r} is missing")
            yield entry


def read_replies(path: Path | str) -> pd.DataFrame:
    """Read a replies file.

    Returns one row a (id, sample, turn), in the order of the prompts, with the columns `COLUMNS`:
    `facts` is what the prompt and its turn carried (a dict); `state` is one of `exchange.STATES`;
    `value` the text, option or object where the state is `ok` or `abstained`, else None; `attempt`
    counts from 1 how often the question was asked; `latency` is in seconds; `first_state` and
    `first_value` hold the direct answer where a quote was asked after it; `token_bytes` is the
    length of each token of the text, None where it wasn't asked for or isn't known; and
    `stopped_by` the stop texts of which one ended it, empty where none did, None where the server
    doesn't tell; `left_out` is why the study decided to do without the reply (its state is then
    `failed`), None where it didn't.

    Raises ValueError naming file and line where one is malformed or occurs twice.
    """
    import pandas as pd

    rows, seen = [], set()
    for number, entry in enumerate(iterate_replies(path), start=1):
        position = (entry["id"], entry["sample"], entry["turn"])
        if position in seen:
            raise ValueError(f"{path}, line {number}: (id, sample, turn) {position} occurs twice")
        seen.add(position)
        if "facts" not in entry:
            raise ValueError(
                f"{path}, line {number}: no facts: an earlier version wrote it. Remove the file "
                "and run again: its replies are in the ledger, so nothing is asked"
            )
        last = entry["exchanges"][-1]["reply"] if entry.get("exchanges") else {}
        drawn = [last.get("raw", {}).get(name) for name in DRAWN]
        decided = entry.get("left_out")
        rows.append([*(entry[column] for column in COLUMNS), *drawn, decided])
    return pd.DataFrame(rows, columns=[*COLUMNS, *DRAWN, "left_out"])


def model_of(replies: pd.DataFrame) -> str:
    """The model that gave the replies of one file. Raises ValueError where it isn't one."""
    models = list(dict.fromkeys(replies["model"]))
    if len(models) != 1:
        raise ValueError(f"replies of one model are wanted, these are of {models or 'none'}")
    return models[0]


def answered(
    prompts: Iterable[Path | str], replies: Iterable[Path | str]
) -> Iterator[tuple[str, list[Prompt], pd.DataFrame]]:
    """Each replies file with what it answers: the model, the prompts of one file, the replies.

    They belong together by the prompts' ids, whatever the files are called; where a prompts file
    asks nothing, files without replies are passed over. Raises ValueError naming the file where an
    id stands in two prompts files, or a replies file answers none.
    """
    files: dict[str, list[Prompt]] = {}
    silent = False
    for path in prompts:
        asked = read_prompts(path)
        silent = silent or not asked
        twice = next((prompt.id for prompt in asked if prompt.id in files), None)
        if twice is not None:
            raise ValueError(f"{path}: prompt {twice!r} stands in another prompts file too")
        files |= dict.fromkeys((prompt.id for prompt in asked), asked)
    for path in replies:
        table = read_replies(path)
        if table.empty and silent:
            continue
        asked = next((files[id] for id in table["id"] if id in files), None)
        if asked is None:
            raise ValueError(f"{path}: answers none of the prompts")
        yield model_of(table), asked, table


def rebuild(exports: Iterable[Path | str], ledger: Ledger) -> int:
    """Put the exchanges of replies files back into a ledger; returns how many were new.

    Raises ValueError naming file and line where a request doesn't have the key it is filed under.
    """
    new = 0
    for path in exports:
        with ledger.together():
            for number, entry in enumerate(iterate_replies(path), start=1):
                for exchange in entry["exchanges"]:
                    try:
                        reply = Reply.from_dict(exchange["reply"])
                        new += ledger.restore(exchange["request"], reply)
                    except (KeyError, TypeError, ValueError) as error:
                        raise ValueError(f"{path}, line {number}: {error}") from error
    return new


def rebuild_all(results: Path, ledgers: Path) -> dict[Path, int]:
    """Rebuild the ledgers of a study from its replies files alone.

    Every `replies/**/*.jsonl` under `results` goes into `ledgers`/<collection>/<model>.sqlite, as
    its lines say. Returns how many exchanges of each file were new; raises as `rebuild` does.
    """
    from veridical.ledger.ledger import Ledger

    new = {}
    for path in sorted(results.glob("**/replies/**/*.jsonl")):
        first = next(iterate_replies(path), None)
        if first is not None:
            with Ledger(ledgers / first["stage"] / f"{first['model']}.sqlite") as ledger:
                new[path] = rebuild([path], ledger)
    return new
