"""Cut the longest horizon's rollouts at a shorter one, by the model's own tokenizer."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.exchanges.exchange import Model
from veridical.exchanges.replies import read_replies
from veridical.paths.tokens import cut_rollouts, tokenizer_of
from veridical.tables import write_table


def main(
    replies: Path,
    out: Path,
    *,
    model_name: str,
    entry: Mapping[str, Any],
    horizon: int,
    folder: str | None,
) -> None:
    """Write a table of the rollouts' first `horizon` tokens."""
    with tokenizer_of(Model.from_config(model_name, entry), folder) as tokenize:
        cut = cut_rollouts(read_replies(replies), horizon, tokenize)
    print(f"{model_name}: {(cut.state == 'truncated').sum()} of {len(cut)} rollouts cut")
    write_table(cut, out)


if __name__ == "__main__":
    from veridical.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.replies),  # noqa: F821
        Path(snakemake.output.table),  # noqa: F821
        model_name=snakemake.wildcards.model,  # noqa: F821
        entry=snakemake.params.entry,  # noqa: F821
        horizon=int(snakemake.wildcards.horizon),  # noqa: F821
        folder=snakemake.params.folder,  # noqa: F821
    )
