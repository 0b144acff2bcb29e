"""Write origin, licence and SHA-256 of every input file into data/sources.csv.

    python workflow/scripts/corpora/list_sources.py            # refresh the record
    python workflow/scripts/corpora/list_sources.py --check    # only say what differs from it

Origins and licences already recorded are kept; those of a new corpus come from its corpus.yaml.
"""

import sys
from pathlib import Path

from veridical.base.sources import OWN_RECORD, SOURCES, complaints, list_sources, read_sources
from veridical.base.tables import write_table


def main(data: Path, *, check: bool) -> int:
    """Refresh the record, or with `check` only compare. Returns how much is left to be done."""
    path = data / OWN_RECORD
    known = read_sources(path) if path.exists() else None
    record = known if check and known is not None else list_sources(data, known)
    if not check:
        write_table(record, path, SOURCES)
    left = complaints(data, record)
    for complaint in left:
        print(complaint, file=sys.stderr)
    return len(left)


if __name__ == "__main__":
    sys.exit(min(1, main(Path("data"), check="--check" in sys.argv[1:])))
