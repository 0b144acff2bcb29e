"""Deposit the archive on Zenodo, once."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.archive.citation import read_citation, zenodo_metadata
from veridical.archive.deposit import SANDBOX, deposit_archive
from veridical.base.script import run


def main(
    receipt: Path, record: Path, *, study: str, title: str, deposit: Mapping[str, Any]
) -> None:
    """Upload the archive that the receipt names; keep what was done in `record`."""
    archive = receipt.parent / json.loads(receipt.read_text(encoding="utf-8"))["archive"]
    deposit_archive(
        archive,
        record,
        metadata=zenodo_metadata(read_citation("CITATION.cff"), study, title, deposit),
        token=os.environ.get(deposit.get("token_env", "ZENODO_TOKEN"), ""),
        server=deposit.get("server", SANDBOX),
        publish=deposit.get("publish", False),
    )


if __name__ == "__main__":
    run(main, snakemake, show=True)
