"""Compare the arms item by item, and say what the memory earns over the best arm without one."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.benchmarks.premium import arms_table, contrasts, premiums
from veridical.benchmarks.scoring import subject
from veridical.benchmarks.tables import ANSWERS, CONTRASTS, EARNED, ITEMS, PREMIUMS


def main(
    answers: Path,
    asked: Path,
    earned: Path,
    contrast_table: Path,
    premium: Path,
    *,
    arms: Sequence[str],
    models: Sequence[str] = (),
    systems: Sequence[str] = (),
) -> None:
    """`arms` are those asked; `full` is compared with each other one. Each of `models` answers by
    itself and through each of the memory systems."""
    table = read_table(answers, ANSWERS)
    chance = read_table(asked, ITEMS).set_index("item_id")["chance"].to_dict()
    write_table(pd.DataFrame(arms_table(table)), earned, EARNED)
    who = [subject(model, system) for model in models for system in (None, *systems)]
    others = [arm for arm in arms if arm != "full"]
    write_table(contrasts(table, others), contrast_table, CONTRASTS)
    write_table(premiums(table, chance, declared=who), premium, PREMIUMS)


if __name__ == "__main__":
    run(main, snakemake)
