"""Write what every model is asked in one arm: the items drawn, each behind what it is given."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.benchmarks.arms import Arms
from veridical.benchmarks.asking import benchmark_prompts
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.tables import ITEMS
from veridical.models.prompts import write_prompts


def main(
    benchmark: Path,
    asked: Path,
    prompts: Path,
    *,
    format: str | None,
    arm: str,
    parameters: Mapping[str, Any],
) -> None:
    """`asked` names the items that were drawn."""
    read = read_benchmark(benchmark, format)
    drawn = set(read_table(asked, ITEMS)["item_id"])
    items = [each for each in read.items if each.id in drawn]
    write_prompts(prompts, benchmark_prompts(Arms(read), arm, items, parameters))


if __name__ == "__main__":
    run(main, snakemake)
