"""Put the tables of all corpora into one, in the config's order."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.tables import read_table, write_table


def main(parts: Sequence[Path], out: Path, *, text: Sequence[str]) -> None:
    """One below the other; `text` names the columns that stay as they are written."""
    write_table(pd.concat([read_table(part, text=text) for part in parts]), out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        [Path(path) for path in snakemake.input],  # noqa: F821
        Path(snakemake.output[0]),  # noqa: F821
        text=snakemake.params.text,  # noqa: F821
    )
