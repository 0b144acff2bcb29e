"""Verify every rollout and name its mode."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts
from veridical.vpe.modes import ModeMap
from veridical.vpe.rollouts import read_rollouts
from veridical.vpe.tables import CUT, ROLLOUTS


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    rollouts: Path,
    *,
    modes: Mapping[str, Any],
    language: str,
) -> None:
    """`prompts` are `<preset>-<horizon>.jsonl`; a reply file's folder is named like its prompts.

    Replies are JSONL or, where a longer horizon's rollouts were cut, CSV.
    """
    asked = {path.stem: read_prompts(path) for path in prompts}
    frames = []
    for path in replies:
        cut = path.suffix == ".csv"
        table = read_table(path, CUT) if cut else read_replies(path)
        model = path.name.removesuffix(path.suffix)
        frames.append(
            read_rollouts(
                model, asked[path.parent.name], table, ModeMap.from_config(modes), language
            )
        )
    table = pd.concat(frames, ignore_index=True)
    for key in ("horizon", "model", "preset"):  # presets and models in the order of the config
        order = {value: n for n, value in enumerate(table[key].unique())}
        rank = table[key] if key == "horizon" else table[key].map(order)
        table = table.iloc[rank.argsort(kind="stable")]
    write_table(table, rollouts, ROLLOUTS)


if __name__ == "__main__":
    run(main, snakemake)
