"""Put the conformance check to every memory system of the config; end with an error at a fault."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.memories.conformance import check_system
from veridical.memories.systems import System


def main(systems: Mapping[str, Mapping[str, Any]]) -> int:
    """Print the check of each system; returns 1 where there was a fault."""
    faults = 0
    for name, entry in systems.items():
        system = System.from_config(name, entry)
        with tempfile.TemporaryDirectory(prefix="veridical-") as folder:
            found = check_system(lambda system=system, folder=folder: system.start(Path(folder)))
        faults += sum(check.state == "fault" for check in found)
        lines = [f"{name} ({system.adapter})", *(f"  {check}" for check in found)]
        print("\n".join(lines), file=sys.stderr)
    print(f"{faults} faults" if faults else "no fault", file=sys.stderr)
    return int(faults > 0)


if __name__ == "__main__":
    run(main, snakemake, show=True)
