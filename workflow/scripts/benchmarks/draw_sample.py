"""Draw the items that are asked, by stratum, and say what each is given in every arm."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.benchmarks.arms import Arms, fitting
from veridical.benchmarks.asking import askable
from veridical.benchmarks.items import items_table
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.sampling import draw
from veridical.benchmarks.tables import GIVEN, ITEMS, SAMPLE
from veridical.benchmarks.wording import holds


def main(
    benchmark: Path,
    asked: Path,
    sample: Path,
    given: Path,
    *,
    format: str | None,
    arms: Sequence[str],
    per_stratum: int | None,
    seed: int,
) -> None:
    """Items whose key is none of the options can't be asked; they are counted."""
    read = read_benchmark(benchmark, format)
    able = askable(read.items)
    drawn = draw(able, per_stratum, seed)
    write_table(items_table(tuple(drawn)), asked, ITEMS)
    counts = [
        pd.Series([each.stratum for each in of]).value_counts() for of in (read.items, able, drawn)
    ]
    table = (
        pd.DataFrame(counts, index=["items", "able", "asked"]).T.fillna(0).astype(int).sort_index()
    )
    table["left_out"] = table["items"] - table["able"]
    write_table(table.rename_axis("stratum").reset_index()[SAMPLE.names], sample, SAMPLE)
    made = Arms(read)
    rows = []
    for arm in arms:
        for item in fitting(arm, drawn):
            own = made.give(arm, item)
            length = sum(len(session.text) for session in own.sessions)
            characters = item.history.characters if item.history else 0
            rows.append(
                {
                    "arm": arm,
                    "item_id": item.id,
                    "characters": length,
                    "ratio": length / characters if characters else None,
                    "how": own.how,
                    "says_answer": holds(own.text, item.answer),
                }
            )
    write_table(pd.DataFrame(rows)[GIVEN.names].astype({"ratio": float}), given, GIVEN)


if __name__ == "__main__":
    run(main, snakemake)
