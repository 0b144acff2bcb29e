"""Measure what stands beside the registered path entropy: other mode maps, an added document."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.vpe.document import compare_document
from veridical.vpe.maps import compare_maps, contrast_models, named_maps
from veridical.vpe.measures import measure_problems
from veridical.vpe.modes import ModeMap
from veridical.vpe.paired import Margins
from veridical.vpe.tables import DOCUMENT, MAP_CONTRASTS, MAPS, ROLLOUTS


def main(
    rollouts: Path,
    table: Path,
    *,
    of: str,
    modes: Mapping[str, Any],
    maps: Mapping[str, Any],
    margins: Mapping[str, float],
    smoothing: float,
    seed: int,
    resamples: int,
) -> None:
    """`of` is maps, map_contrasts or document."""
    read, draw = read_table(rollouts, ROLLOUTS), {"seed": seed, "resamples": resamples}
    bounds = Margins.from_config(margins)
    if of == "maps":
        found = compare_maps(read, named_maps(modes, maps), smoothing, **draw)
        write_table(found, table, MAPS)
    elif of == "map_contrasts":
        found = contrast_models(read, named_maps(modes, maps), smoothing, bounds)
        write_table(found, table, MAP_CONTRASTS)
    else:
        size = ModeMap.from_config(modes).size
        found = compare_document(measure_problems(read, smoothing), size, bounds, **draw)
        write_table(found, table, DOCUMENT)


if __name__ == "__main__":
    run(main, snakemake)
