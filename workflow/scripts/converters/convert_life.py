"""Make a life of a file that people have, and say what of it could not be derived."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.converters.forms import convert
from veridical.converters.life import Wish
from veridical.converters.writing import write_life

USAGE = "snakemake convert --config 'convert={from: chat, file: chat.jsonl, to: Ada}'"


def main(*, settings: Mapping[str, Any] | None, corpora: Path = Path("data/corpora")) -> None:
    """Raises ValueError where nothing is said of what to convert, or it can't be."""
    if not settings:
        raise ValueError(f"say what to convert: {USAGE} (every key is in config/README.md)")
    given = dict(settings)
    wish = Wish(given.pop("file"), given.pop("from"), given.pop("to"), given)
    for line in write_life(convert(wish), wish, corpora / wish.name):
        print(line, file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
