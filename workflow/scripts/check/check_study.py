"""Say all that is wrong with a study at once, before anything is asked."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.check.preflight import problems


def main(prices: Path, *, config: Mapping[str, Any]) -> int:
    """Print a line a problem; 1 where there is one."""
    found = list(problems(config, prices))
    for problem in found:
        print("  - " + problem.replace("\n", "\n  "), file=sys.stderr)
    if found:
        print(f"{len(found)} things to mend before this study can run.", file=sys.stderr)
        return 1
    print(
        "Nothing wrong was found in corpora, texts, probes, models' entries, keys, programs, "
        "contexts and prices. Whether a server answers is not tried.",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    run(main, snakemake, log=False)
