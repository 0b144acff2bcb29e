"""Seal a stage of the study, or check that it is still what was sealed."""

from collections.abc import Sequence
from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.freeze import sealing


def main(files: Sequence[str], receipt: Path, *, study: str, stage: str) -> None:
    """Write the receipt; a difference raises, with what changed and the two ways receipt."""
    manifest = sealing.seal(study, stage, files)
    write_text(receipt, sealing.receipt(manifest))
    print(f"{stage}: {len(manifest.files)} files hold, sealed as {manifest.sha256}")


if __name__ == "__main__":
    run(main, snakemake)
