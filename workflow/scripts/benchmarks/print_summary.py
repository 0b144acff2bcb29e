"""Show the lint's summary on the terminal, and where the rest lies."""

import sys
from pathlib import Path

from veridical.base.script import run


def main(summary_text: Path) -> None:
    """Print the summary to standard error, where the engine's own words go."""
    text = summary_text.read_text(encoding="utf-8")
    print(f"\n{text}\nAll of it: {summary_text.parent}/", file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
