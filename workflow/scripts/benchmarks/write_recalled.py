"""Write what every model is asked behind what one memory system recalled in one arm."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.benchmarks.asking import recalled_prompts
from veridical.benchmarks.banks import recalled
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.tables import ITEMS
from veridical.memories.keeping import outcomes
from veridical.memories.plan import plans_in
from veridical.models.prompts import write_prompts


def main(
    benchmark: Path,
    asked: Path,
    plans: Path,
    replies: Path,
    prompts: Path,
    *,
    format: str | None,
    arm: str,
    system: str,
    parameters: Mapping[str, Any],
) -> None:
    """`replies` are the system's; items of a bank that doesn't count aren't asked."""
    drawn = set(read_table(asked, ITEMS)["item_id"])
    items = [each for each in read_benchmark(benchmark, format).items if each.id in drawn]
    found = recalled(system, plans_in(plans), outcomes(replies))
    if items and not found:
        print(f"no bank of arm {arm} counts, so nothing is asked; banks.csv says why of each")
    write_prompts(prompts, recalled_prompts(system, arm, items, found, parameters))


if __name__ == "__main__":
    run(main, snakemake)
