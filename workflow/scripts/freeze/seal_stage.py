"""Seal a stage of the study, or check that it is still what was sealed."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.base.terminal import printable
from veridical.freeze import sealing
from veridical.freeze.asked_times import ask_for_times


def main(
    files: Sequence[str],
    receipt: Path,
    *,
    study: str,
    stage: str,
    follows: Sequence[str] | None = None,
    timestamps: Mapping[str, Any],
) -> None:
    """Write the receipt; a difference raises, with what changed and the two ways receipt.

    A proof of time that can't be had is told on the terminal and stops nothing.
    """
    manifest = sealing.seal(study, stage, files, follows=follows)
    for problem in ask_for_times(study, [stage], timestamps):
        print(f"WARNING: {printable(problem)}", file=sys.__stderr__, flush=True)
    write_text(receipt, sealing.receipt(manifest))
    print(f"{stage}: {len(manifest.files)} files hold, sealed as {manifest.sha256}")


if __name__ == "__main__":
    run(main, snakemake)
