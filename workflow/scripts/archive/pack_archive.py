"""Check, scan and pack the study into one zip."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.archive.packing import build_archive
from veridical.base.files import write_text


def main(out: Path, *, study: str, settings: Mapping[str, Any]) -> None:
    """Write the zip beside `out`, the receipt that names it."""
    facts = build_archive(study, out.parent, settings=settings)
    write_text(out, json.dumps(facts, indent=2) + "\n")
    print(f"{out.parent / facts['archive']}: {facts['files']} files, {facts['bytes']} bytes")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake, show=True)  # noqa: F821
    main(
        Path(snakemake.output.receipt),  # noqa: F821
        study=snakemake.wildcards.study,  # noqa: F821
        settings=snakemake.params.settings,  # noqa: F821
    )
