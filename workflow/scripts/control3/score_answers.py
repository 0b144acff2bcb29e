"""Score Control 3: every reply as an answer, right, wrong or none."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.tables import write_table
from veridical.choices.answers import score_replies
from veridical.control3.cells import ANSWER_COLUMNS
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(prompts: Sequence[Path], replies: Sequence[Path], out: Path) -> None:
    """Replies lie in a folder a slice, a file a model."""
    asked = {path.stem: read_prompts(path) for path in prompts}
    scored = [
        score_replies(asked[path.parent.name], read_replies(path), path.stem) for path in replies
    ]
    write_table(pd.concat(scored, ignore_index=True)[list(ANSWER_COLUMNS)], out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        [Path(path) for path in snakemake.input.prompts],  # noqa: F821
        [Path(path) for path in snakemake.input.replies],  # noqa: F821
        Path(snakemake.output.answers),  # noqa: F821
    )
