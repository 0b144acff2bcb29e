"""Write the study's config as one JSON file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.config import plain
from veridical.base.files import write_text
from veridical.base.script import run


def main(resolved: Path, *, config: Mapping[str, Any]) -> None:
    """Write the config in its own order, which is also the order of a prompt's parameters."""
    text = json.dumps(plain(config), indent=2, ensure_ascii=False)
    write_text(resolved, text + "\n")


if __name__ == "__main__":
    run(main, snakemake)
