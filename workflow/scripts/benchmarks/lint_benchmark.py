"""Lint a benchmark: its tables, one JSON object, and a summary to read."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.benchmarks import tables
from veridical.benchmarks.items import items_table
from veridical.benchmarks.lint import lint
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.simulated import alarms_of, shape_of
from veridical.benchmarks.summary import as_json, summary


def main(
    benchmark: Path,
    item_table: Path,
    checks: Path,
    strata: Path,
    flags: Path,
    summary_json: Path,
    summary_text: Path,
    *,
    format: str | None,
    seed: int,
    clean: int = 0,
) -> None:
    """Read the file or folder `benchmark`, in `format` or as recognised; of as many `clean`
    benchmarks of its shape as are wanted it is said in how many something is found."""
    read = read_benchmark(benchmark, format)
    result, rows = lint(read, seed=seed), items_table(read.items)
    like = alarms_of(shape_of(rows), clean, seed)
    write_table(rows, item_table, tables.ITEMS)
    write_table(result.checks, checks, tables.CHECKS)
    write_table(result.strata, strata, tables.STRATA)
    write_table(result.flags, flags, tables.FLAGS)
    write_text(summary_json, as_json(result, seed, like))
    write_text(summary_text, summary(result, like))


if __name__ == "__main__":
    run(main, snakemake)
