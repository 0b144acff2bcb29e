"""Cut the longest horizon's rollouts at a shorter one."""

from pathlib import Path

from veridical.base.tables import write_table
from veridical.ledger.replies import read_replies
from veridical.vpe.tokens import cut_rollouts


def main(replies: Path, out: Path, *, model: str, horizon: int) -> None:
    """Write a table of the rollouts' first `horizon` tokens."""
    cut = cut_rollouts(model, read_replies(replies), horizon)
    print(f"{model}: {(cut.state == 'truncated').sum()} of {len(cut)} rollouts cut")
    write_table(cut, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.replies),  # noqa: F821
        Path(snakemake.output.table),  # noqa: F821
        model=snakemake.wildcards.model,  # noqa: F821
        horizon=int(snakemake.wildcards.horizon),  # noqa: F821
    )
