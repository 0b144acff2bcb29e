"""Cut the longest horizon's rollouts at a shorter one."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.ledger.replies import read_replies
from veridical.vpe.rollouts import drawn_rollouts
from veridical.vpe.tables import CUT
from veridical.vpe.tokens import cut_rollouts


def main(replies: Path, rollouts: Path, *, horizon: int) -> None:
    """Write a table of the rollouts' first `horizon` tokens."""
    cut = cut_rollouts(drawn_rollouts(read_replies(replies)), horizon)
    print(f"{(cut.state == 'truncated').sum()} of {len(cut)} rollouts cut")
    write_table(cut, rollouts, CUT)


if __name__ == "__main__":
    run(main, snakemake)
