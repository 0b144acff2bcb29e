"""How often the lint finds something in clean simulated benchmarks, check by check and together.

    python tests/measured/lint_false_alarms.py 250 > workflow/veridical/benchmarks/false_alarms.csv

simulates 250 benchmarks of each of the four shapes in tests/support/simulated_benchmarks.py.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.simulated_benchmarks import SHAPES, as_benchmark, simulate
from veridical.benchmarks.lint import CHECKS, lint


def main(each: int) -> None:
    alarms: Counter[str] = Counter()
    for place, (name, shape) in enumerate(SHAPES.items()):
        for number in range(each):
            seed = 100_000 * place + number
            checks = lint(as_benchmark(simulate(shape, seed)), seed=seed).checks
            found = checks.loc[checks["verdict"] == "found", "check"]
            alarms.update([*found, *(["any"] if len(found) else [])])
            alarms.update([f"any: {name}"] if len(found) else [])
        print(f"{name}: {alarms[f'any: {name}']} of {each}", file=sys.stderr)
    n = each * len(SHAPES)
    print("check,benchmarks,alarms,rate")
    for check in ("any", *(check for check in CHECKS if alarms[check])):
        print(f"{check},{n},{alarms[check]},{alarms[check] / n:g}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
