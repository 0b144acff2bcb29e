"""Seal a stage of the study, or check that it is still what was sealed."""

from collections.abc import Sequence
from pathlib import Path

from veridical.base.files import write_text
from veridical.freeze.sealing import receipt, seal


def main(files: Sequence[str], out: Path, *, study: str, stage: str) -> None:
    """Write the receipt; a difference raises, with what changed and the two ways out."""
    manifest = seal(study, stage, files)
    write_text(out, receipt(manifest))
    print(f"{stage}: {len(manifest.files)} files hold, sealed as {manifest.sha256}")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        snakemake.input.files,  # noqa: F821
        Path(snakemake.output.receipt),  # noqa: F821
        study=snakemake.wildcards.study,  # noqa: F821
        stage=snakemake.params.stage,  # noqa: F821
    )
