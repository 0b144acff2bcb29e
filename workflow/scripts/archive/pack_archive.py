"""Check, scan and pack the study into one zip."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.archive.packing import build_archive
from veridical.base.files import write_text
from veridical.base.script import run


def main(receipt: Path, *, study: str, settings: Mapping[str, Any]) -> None:
    """Write the zip beside `receipt`, the receipt that names it."""
    facts = build_archive(study, receipt.parent, settings=settings)
    write_text(receipt, json.dumps(facts, indent=2) + "\n")
    print(f"{receipt.parent / facts['archive']}: {facts['files']} files, {facts['bytes']} bytes")


if __name__ == "__main__":
    run(main, snakemake, show=True)
