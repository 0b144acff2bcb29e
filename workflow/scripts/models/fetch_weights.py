"""Have one embedded model's weights in the models folder, and write a receipt."""

import json
from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.models.weights import fetch, folder_of_models, read_weights


def main(receipt: Path, *, model: str, folder: str, table: Path) -> None:
    """Write what the weights are (file, bytes, SHA-256, licence) once they are there."""
    weights = read_weights(model, table)
    place = folder_of_models(folder)
    source = fetch(weights, place)
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
    run(main, snakemake, show=True)
