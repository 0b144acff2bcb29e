"""Have one embedded model's weights in the models folder, and write a receipt."""

import json
from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.models.requantised import package_version
from veridical.models.weights import fetch, folder_of_models
from veridical.models.weights_table import read_weights


def main(receipt: Path, *, model: str, folder: str, table: Path) -> None:
    """Write what the weights are (file, bytes, SHA-256, licence) once they are there; of derived
    ones also what they are made of, and by which version of the package."""
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
    if weights.source:
        content["derived_from"] = {"model": weights.source.model, "sha256": weights.source.sha256}
        content["requantised"] = {"to": weights.requantised, "by": f"gguf {package_version()}"}
    write_text(receipt, json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    run(main, snakemake, show=True)
