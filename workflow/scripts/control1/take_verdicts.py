"""Take verdicts that were given elsewhere, and the blinding map that they imply."""

from collections.abc import Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.brought import blinding_of, read_own_verdicts
from veridical.control1.tables import BLINDING, VERDICT


def main(
    brought: Path,
    verdicts: Path,
    blinding_map: Path,
    *,
    responders: Sequence[str] = (),
    corpora: Sequence[str] = (),
) -> None:
    """Held to their contract; whether the design is whole, the analysis checks.

    `responders` and `corpora` are the config's, if it names any.
    """
    table = read_own_verdicts(brought, responders=responders, corpora=corpora)
    write_table(table, verdicts, VERDICT)
    write_table(blinding_of(table), blinding_map, BLINDING)


if __name__ == "__main__":
    run(main, snakemake)
