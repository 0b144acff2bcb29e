"""Write what goes into a memory system's banks in one arm, and what each of them is asked."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.benchmarks.arms import Arms
from veridical.benchmarks.banks import bank_plans, write_plans
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.tables import ITEMS


def main(
    benchmark: Path, asked: Path, plans: Path, *, format: str | None, arm: str, k: int
) -> None:
    """`asked` names the items that were drawn."""
    read = read_benchmark(benchmark, format)
    drawn = set(read_table(asked, ITEMS)["item_id"])
    items = [each for each in read.items if each.id in drawn]
    text = write_plans(list(bank_plans(Arms(read), arm, items, k)))
    plans.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(main, snakemake)
