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
from veridical.vpe.rollouts import DRAWN, drawn_rollouts, read_rollouts
from veridical.vpe.tables import CUT, ROLLOUTS


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    rollouts: Path,
    *,
    modes: Mapping[str, Any],
    language: str,
) -> None:
    """Replies are JSONL or, where a longer horizon's rollouts were cut, CSV."""
    asked = [prompt for path in prompts for prompt in read_prompts(path)]
    drawn = pd.concat([read_drawn(path) for path in replies], ignore_index=True)
    table = read_rollouts(asked, drawn, ModeMap.from_config(modes), language)
    for key in ("horizon", "model", "preset"):  # presets and models in the order of the config
        order = {value: n for n, value in enumerate(table[key].unique())}
        rank = table[key] if key == "horizon" else table[key].map(order)
        table = table.iloc[rank.argsort(kind="stable")]
    write_table(table, rollouts, ROLLOUTS)


def read_drawn(path: Path) -> pd.DataFrame:
    """The rollouts of a replies file, or of a table of cut ones."""
    if path.suffix != ".csv":
        return drawn_rollouts(read_replies(path))[list(DRAWN)]
    return read_table(path, CUT)


if __name__ == "__main__":
    run(main, snakemake)
