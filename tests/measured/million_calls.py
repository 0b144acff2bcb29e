"""A million prompts collected: time, memory and bytes as a ledger grows, slice by slice.

    nice -n 10 python tests/measured/million_calls.py [prompts] [a slice] [models]

The provider `scripted`, asked for choices between three partners under one of 50 documents of 7,000
bytes, so that nothing waits and only the house's own work is measured. Each model has a ledger, as
in a study, and each slice prompts and replies of its own; a process of its own collects it, as a
job does. Printed for every tenth: calls so far, processor milliseconds a call in the slices of that
tenth (writing the prompts apart), most memory of a job, bytes a call of ledger, prompts and
replies. At the end the last slice is collected again, of which nothing may be asked.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

DOCUMENTS, ENTRIES = 50, 100
PARTNERS = ("Llama", "DeepSeek", "Mistral")
ENTRY = "2025-03-{day:02} — met {whom}; talked of {number}, of what it is for and its price\n"


def document(number: int) -> str:
    """A memory of its own for each number."""
    lines = (
        ENTRY.format(day=i % 28 + 1, whom=PARTNERS[(i * number) % 3], number=i * (number + 1))
        for i in range(ENTRIES)
    )
    return "".join(lines)


def prompts(first: int, count: int) -> Iterator[object]:
    """So many prompts, by document, as slices of a study are."""
    from veridical.models.exchange import Form
    from veridical.models.prompts import Prompt, Turn

    form = Form("choice", PARTNERS, "I don't know")
    texts = [document(number) for number in range(DOCUMENTS)]
    for i in range(first, first + count):
        text = texts[(i - first) * DOCUMENTS // count]
        yield Prompt(f"p{i:07}", (Turn(f"With whom did I talk of {i}?", form, text),))


def collect_slice(folder: Path, model: str, number: int, size: int) -> None:
    """One job: collect a slice; what it took, as JSON."""
    from veridical.ledger.collecting import collect
    from veridical.models.exchange import Model
    from veridical.models.prompts import write_prompts

    path, ledger = folder / f"{model}-{number}.jsonl", folder / f"{model}.sqlite"
    write_prompts(path, prompts(number * size, size))
    before = time.process_time()
    entry = {"provider": "scripted", "model": model, "structured": "grammar"}
    out = folder / f"replies-{model}-{number}.jsonl"
    tally = collect(path, Model.from_config(model, entry), ledger, out=out)
    facts = {
        "asked": tally.asked,
        "cpu": time.process_time() - before,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "prompts": path.stat().st_size,
        "replies": out.stat().st_size,
        "ledger": sum(each.stat().st_size for each in folder.glob(f"{model}.sqlite*")),
    }
    for each in (path, out):
        each.unlink()  # their size is known, and a million of each is a gigabyte
    print(json.dumps(facts))


def job(*arguments: object) -> dict[str, float]:
    """Run a slice in a process of its own."""
    command = [sys.executable, __file__, "slice", *map(str, arguments)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    return json.loads(done.stdout)


def main(count: int = 1_000_000, size: int = 10_000, models: int = 1) -> None:
    """Collect it all, and say how it went."""
    slices = [(f"m{at % models}", at // models) for at in range(count // size)]
    tenth, made, start = max(1, len(slices) // 10), [], time.monotonic()
    ledgers: dict[str, float] = {}
    print("calls     ms a call  MB held  bytes a call: ledger, prompts, replies", flush=True)
    with tempfile.TemporaryDirectory(dir=os.environ.get("VERIDICAL_SCRATCH")) as folder:
        for at, (model, number) in enumerate(slices, start=1):
            made.append(job(folder, model, number, size))
            ledgers[model] = made[-1]["ledger"]
            if at % tenth == 0:
                own = made[-tenth:]
                cpu = 1000 * sum(each["cpu"] for each in own) / (size * tenth)
                held = max(each["megabytes"] for each in own)
                rest = [sum(each[name] for each in made) for name in ("prompts", "replies")]
                kept = [total / (at * size) for total in (sum(ledgers.values()), *rest)]
                bytes_ = ", ".join(f"{each:,.0f}" for each in kept)
                print(f"{at * size:>9,} {cpu:9.2f} {held:8.0f}  {bytes_}", flush=True)
        again = job(folder, *slices[-1], size)
    asked = sum(each["asked"] for each in made)
    print(f"{asked:,.0f} asked in {time.monotonic() - start:,.0f} s, start-ups and prompts with it")
    print(f"again: {again['asked']:.0f} asked, {1000 * again['cpu'] / size:.2f} ms a call")


if __name__ == "__main__":
    if sys.argv[1:2] == ["slice"]:
        collect_slice(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        main(*map(int, sys.argv[1:]))
