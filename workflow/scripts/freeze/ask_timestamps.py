"""Ask for the proofs of time that are lacking, and say what each record has."""

from collections.abc import Mapping
from typing import Any

from veridical.base.script import run
from veridical.base.terminal import printable
from veridical.freeze.asked_times import ask_for_times
from veridical.freeze.receipts import in_force
from veridical.freeze.timestamps import describe_records


def main(*, study: str, timestamps: Mapping[str, Any]) -> int:
    """Print one line a record and one a server that gave nothing; 1 where there is one."""
    problems = ask_for_times(study, in_force(study), timestamps, again=True)
    if not timestamps:
        problems.append("the config names nobody to ask (timestamps: config/README.md)")
    for line in [*describe_records(study), *problems]:
        print(printable(line), flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    run(main, snakemake, log=False)
