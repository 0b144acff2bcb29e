"""Measure, for a part's own design, how often each of its claims is said where it is false."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.benchmarks.tables import ITEMS
from veridical.claims.design import designs
from veridical.claims.product import claims_table
from veridical.claims.tables import CLAIMS


def main(
    asked: Path | None,
    claims: Path,
    *,
    config: Mapping[str, Any],
    part: str,
    corpora: str,
    studies: int,
    seed: int,
) -> None:
    """No model is asked: studies are drawn in every world of the catalogue and analysed."""
    items = read_table(asked, ITEMS) if asked else None
    design = {key: own for key, own in designs(config, Path(corpora), items).items() if key == part}
    table = claims_table(design, studies, seed)
    write_table(table, claims, CLAIMS)
    for row in table.to_dict("records"):
        if not row["registered"] and row["false"] > row["rate"]:
            print(f"{row['claim']}: said falsely in {row['false']:.1%} ({row['false_world']})")


if __name__ == "__main__":
    run(main, snakemake)
