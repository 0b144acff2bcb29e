"""A part's analysis of many studies' tables at once, for whoever makes these tables elsewhere.

    python -m veridical.claims.analyse control3 design.json tables/ found/

`design.json` holds the fields of the part's `Design` (`claims/worlds/<part>.py`); `tables/` the
part's input tables as CSV, such as `answers.csv`, each with a column `study`; what the analysis
concludes is written to `found/`, a file a table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from veridical.claims.product import ROOMS

FLAGS = {"correct": "boolean", "verified": bool}
NAMES = ("answer", "true_partner", "document_partner", "first_option", "cluster", "stratum")


def main(arguments: Sequence[str]) -> int:
    """Analyse, or say what is wrong with what was given."""
    try:
        part, design, tables, found = arguments
        room = ROOMS[part]
        numbers = json.loads(Path(design).read_text(encoding="utf-8"))
        given = {f"{part}/{path.stem}": _read(path) for path in sorted(Path(tables).glob("*.csv"))}
        write(room.analyse(given, room.Design(**_fixed(numbers))), Path(found))
    except (KeyError, TypeError, ValueError, OSError) as error:
        known = f"parts are {', '.join(ROOMS)}; files are a design, tables, and a folder to fill"
        print(f"{type(error).__name__}: {error}\n{known}", file=sys.stderr)
        return 2
    return 0


def write(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Each table as a file of its name in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.to_csv(folder / f"{name.rpartition('/')[2]}.csv", index=False)


def _read(path: Path) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=FLAGS | dict.fromkeys(NAMES, object))
    names = [name for name in NAMES if name in table]
    table[names] = table[names].where(table[names].notna(), None)
    return table.fillna({"cluster": "", "stratum": ""})


def _fixed(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Lists as tuples: a design is compared and kept."""
    return {key: tuple(value) if isinstance(value, list) else value
            for key, value in numbers.items()}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
