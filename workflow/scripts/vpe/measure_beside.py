"""Measure what stands beside the registered path entropy: other mode maps, an added document."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.vpe.document import compare_document
from veridical.vpe.maps import compare_maps, named_maps
from veridical.vpe.measures import measure_problems
from veridical.vpe.tables import DOCUMENT, MAPS, ROLLOUTS


def main(
    rollouts: Path,
    table: Path,
    *,
    of: str,
    modes: Mapping[str, Any],
    maps: Mapping[str, Any],
    smoothing: float,
    seed: int,
    resamples: int,
) -> None:
    """`of` is maps or document."""
    read, draw = read_table(rollouts, ROLLOUTS), {"seed": seed, "resamples": resamples}
    if of == "maps":
        found = compare_maps(read, named_maps(modes, maps), smoothing, **draw)
        write_table(found, table, MAPS)
    else:
        write_table(compare_document(measure_problems(read, smoothing), **draw), table, DOCUMENT)


if __name__ == "__main__":
    run(main, snakemake)
