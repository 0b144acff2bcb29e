"""Have one embedded model's weights in the models folder, and write a receipt."""

import json
from pathlib import Path

from veridical.base.files import write_text
from veridical.models.weights import fetch, folder_of_models, read_weights


def main(receipt: Path, *, model: str, configured: str, table: Path) -> None:
    """Write what the weights are (file, bytes, SHA-256, licence) once they are there."""
    weights = read_weights(model, table)
    folder = folder_of_models(configured)
    source = fetch(weights, folder)
    print(f"{weights.file}: {source}", flush=True)
    content = {
        "model": model,
        "file": weights.file,
        "bytes": weights.bytes,
        "sha256": weights.sha256,
        "licence": weights.licence,
    }
    write_text(receipt, json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake, show=True)  # noqa: F821
    main(
        Path(snakemake.output.receipt),  # noqa: F821
        model=snakemake.params.model,  # noqa: F821
        configured=snakemake.params.folder,  # noqa: F821
        table=Path(snakemake.input.table),  # noqa: F821
    )
