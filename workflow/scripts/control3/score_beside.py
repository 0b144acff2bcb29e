"""Score what was asked beside the registered probes, and count it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control3.beside import score_beside
from veridical.control3.silence import forced_table, noticing_table, orders_table, stale_table
from veridical.control3.tables import ANSWERS, BESIDE, FORCED, NOTICING, ORDERS, STALE
from veridical.ledger.replies import answered


def main(
    answers: Path,
    prompts: Sequence[Path],
    replies: Sequence[Path],
    beside: Path,
    forced: Path,
    noticing: Path,
    orders: Path,
    stale: Path,
    *,
    corpora: Mapping[str, int],
) -> None:
    """An arm that was not asked leaves its table empty."""
    scored = [score_beside(asked, own, model) for model, asked, own in answered(prompts, replies)]
    whole = pd.concat([pd.DataFrame(columns=BESIDE.names), *scored])
    table = whole[BESIDE.names]
    write_table(table, beside, BESIDE)
    arm = {name: table[table["arm"] == name] for name in ("forced", "noticing", "reversed")}
    write_table(forced_table(arm["forced"], dict(corpora)), forced, FORCED)
    write_table(noticing_table(arm["noticing"]), noticing, NOTICING)
    changed = whole[whole["arm"] == "stale"]
    write_table(stale_table(changed), stale, STALE)
    write_table(orders_table(read_table(answers, ANSWERS), arm["reversed"]), orders, ORDERS)


if __name__ == "__main__":
    run(main, snakemake)
