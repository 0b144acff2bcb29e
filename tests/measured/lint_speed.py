"""How long the lint of many items takes, and how much memory.

    python tests/measured/lint_speed.py 5000

writes four-option items of some hundred characters and their histories to a file, reads it as a
user's file is read, and lints it. Seconds of the clock count what else the machine does; those of
the processor count this process alone, and are what to compare where the machine is not quiet.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.simulated_benchmarks import Shape, simulate


def write(path: Path, n: int) -> None:
    """A plain file of n items, each life's history defined once."""
    items = simulate(Shape(n=n, clusters=max(2, n // 50), topics=20, strata=6), 1)
    histories = {each.history.id: each.history for each in items}
    with open(path, "w", encoding="utf-8") as file:
        for name, history in histories.items():
            sessions = [
                {
                    "id": session.id or str(place),
                    "date": session.date,
                    "turns": [vars(turn) for turn in session.turns],
                }
                for place, session in enumerate(history.sessions)
            ]
            file.write(json.dumps({"history": name, "sessions": sessions}) + "\n")
        for each in items:
            line = {
                "id": each.id,
                "question": each.question,
                "answer": each.answer,
                "options": each.options,
                "stratum": each.stratum,
                "topic": each.topic,
                "cluster": each.cluster,
                "history": each.history.id,
            }
            file.write(json.dumps(line) + "\n")


def main(n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.jsonl"
        write(path, n)
        started, spent = time.perf_counter(), time.process_time()
        from veridical.benchmarks.lint import lint
        from veridical.benchmarks.reading import read_benchmark

        benchmark = read_benchmark(path)
        read = time.perf_counter()
        result = lint(benchmark)
        done, used = time.perf_counter(), time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    applied = (result.checks["verdict"] != "not applicable").sum()
    print(
        f"{len(benchmark.items)} items: read in {read - started:.1f} s, {applied} checks in "
        f"{done - read:.1f} s by the clock, {used:.1f} s of the processor, {peak:.0f} MB at most"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
