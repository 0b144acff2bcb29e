"""Put the conformance check to every memory system of the config; end with an error at a fault."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.memories.adapters import MissingPackage
from veridical.memories.conformance import Check, check_system
from veridical.memories.systems import System, environment


def main(systems: Mapping[str, Mapping[str, Any]], *, folder: str | None = None) -> int:
    """Print the check of each system; returns 1 where there was a fault. `folder` holds weights."""
    faults = 0
    for name, entry in systems.items():
        system = System.from_config(name, entry)
        found = check(system, environment(folder))
        faults += sum(check.state == "fault" for check in found)
        lines = [f"{name} ({system.adapter})", *(f"  {check}" for check in found)]
        print("\n".join(lines), file=sys.stderr)
    print(f"{faults} faults" if faults else "no fault", file=sys.stderr)
    return int(faults > 0)


def check(system: System, environ: Mapping[str, str]) -> list[Check]:
    """The checks of one system on a folder of its own; what it lacks to start is a fault."""
    with tempfile.TemporaryDirectory(prefix="veridical-") as store:
        try:
            return check_system(lambda: system.start(Path(store), environ))
        except MissingPackage as missing:
            return [Check("its packages are installed", "fault", str(missing))]


if __name__ == "__main__":
    run(main, snakemake, show=True)
