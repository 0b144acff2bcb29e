"""Write what a memory system gave back for one of the other controls, bank by bank."""

from pathlib import Path

from veridical.base.script import run
from veridical.documents.given import write_recalled
from veridical.memories.keeping import outcomes
from veridical.memories.plan import Plan
from veridical.memories.readers import recalled_banks


def main(plan: Path, replies: Path, recalled: Path, *, part: str) -> None:
    """Where a bank is not admitted, why stands in the place of what it gave back."""
    planned = Plan.from_json(plan.read_text(encoding="utf-8"))
    write_recalled(recalled, recalled_banks(planned, outcomes(replies), part))


if __name__ == "__main__":
    run(main, snakemake)
