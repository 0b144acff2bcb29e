"""What a study of many prompts over one long document takes on disk, in memory and in time.

    python tests/measured/texts_on_disk.py [prompts] [tokens of the document]

A provider that answers at once, so that only the house's own work is measured. Printed: bytes of
the prompts file, the ledger and the replies; processor seconds of writing the prompts, collecting
and reading the replies again; the most memory held.
"""

from __future__ import annotations

import itertools
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from veridical.ledger.collecting import collect
from veridical.ledger.replies import iterate_replies
from veridical.models.exchange import Call, Model, Raw
from veridical.models.prompts import Prompt, Turn, write_prompts

MODEL = Model("any", "openai", "any", parameters={"temperature": 0.0})
ENTRY = "2025-03-{day:02} — met Llama; talked of {number}, of what it is for and of its price\n"


class Instant:
    """A provider that takes no time."""

    concurrency, block = 32, 1

    async def __aenter__(self) -> Instant:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def ask(self, call: Call) -> Raw:
        """The same answer to everybody."""
        return Raw("yes", finish="stop", prompt_tokens=10_000, completion_tokens=1)


def document(tokens: int) -> str:
    """Entries of some twenty tokens (about four bytes each), until there are enough."""
    lines = (ENTRY.format(day=number % 28 + 1, number=number) for number in range(tokens // 20))
    return "".join(lines)


def main(prompts: int = 20_000, tokens: int = 10_000) -> None:
    """Write, collect, read again, and print what it took."""
    text = document(tokens)
    asked = (Prompt(f"p{i:06}", (Turn(f"Question {i}?", system=text),)) for i in range(prompts))
    spent = [time.process_time()]
    with tempfile.TemporaryDirectory(dir=os.environ.get("VERIDICAL_SCRATCH")) as folder:
        names = ("prompts.jsonl", "ledger.sqlite", "replies.jsonl")
        files = [Path(folder) / name for name in names]
        write_prompts(files[0], asked)
        spent.append(time.process_time())
        collect(files[0], MODEL, files[1], out=files[2], provider=Instant())
        spent.append(time.process_time())
        lines = sum(len(line["exchanges"]) for line in iterate_replies(files[2]))
        spent.append(time.process_time())
        sizes = ", ".join(f"{path.name} {path.stat().st_size / 1e6:,.1f} MB" for path in files)
    print(f"{prompts:,} prompts, {lines:,} exchanges over {len(text):,} bytes of document")
    print(sizes)
    took = [after - before for before, after in itertools.pairwise(spent)]
    print("processor seconds: write {:.1f}, collect {:.1f}, read {:.1f}".format(*took))
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
