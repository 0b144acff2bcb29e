"""Deposit the archive on Zenodo, once."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.archive.citation import read_citation, zenodo_metadata
from veridical.archive.deposit import SANDBOX, deposit_archive


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
    from veridical.base.script import log_to

    log_to(snakemake, show=True)  # noqa: F821
    main(
        Path(snakemake.input.receipt),  # noqa: F821
        Path(snakemake.params.record),  # noqa: F821
        study=snakemake.params.study,  # noqa: F821
        title=snakemake.params.title,  # noqa: F821
        deposit=snakemake.params.deposit,  # noqa: F821
    )
