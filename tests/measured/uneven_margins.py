"""How often Control 3 claims what isn't so where values are not equally frequent.

    python tests/measured/uneven_margins.py 2000

Studies of two models that read nothing, on a life of 24 probes, values occurring 12, 8 and 4 times:
the share of studies with a false claim of each kind, and beside it what a chance of one in k would
have found beaten without a document.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))
from veridical.claims.worlds.answers import Manner
from veridical.claims.worlds.control3 import Design, Model, analyse, coin, draw
from veridical.documents.corrupted import COUNTED
from veridical.statistics.neighbours import tail

MARGINS = (12, 8, 4)
DESIGN = Design({"L": COUNTED}, models=2, probes=sum(MARGINS), margins={"L": MARGINS})
KNOWS = Manner(1 / 3, habit="share")
WORLDS = {
    "coins": coin(),
    "knows how frequent each value is": lambda k: Model(KNOWS, KNOWS, KNOWS),
    "always the most frequent": coin(habit="name"),
    "always the first offered": coin(habit="first"),
    "more silent under the false document": coin((0.1, 0.6, 0.0)),
    "silent in nine of ten": coin((0.9, 0.9, 0.9)),
    "runs of two": coin(run=2),
}


def rates(make, studies: int, rng: np.random.Generator) -> dict[str, float]:
    """The share of studies with each claim, in a world in which none of them is true."""
    tables = analyse(draw(DESIGN, [make(len(MARGINS))] * DESIGN.models, studies, rng), DESIGN)
    cells = tables["control3/cells"]
    even = tail(cells["none_correct"], cells["none_answered"], 1 / len(MARGINS)) <= 0.05
    said = {
        "uses or follows": cells["finding"].isin(["uses", "follows"]),
        "against": cells["finding"] == "against",
        "beats chance": cells["without"] == "beats chance",
        "one in k beaten": pd.Series(even, cells.index),
    }
    found = {name: float(rows.groupby(cells["study"]).any().mean()) for name, rows in said.items()}
    forced = tables["control3/forced"]
    beaten = (forced["finding"] == "beats chance").groupby(forced["study"]).any()
    return found | {"forced beats chance": float(beaten.mean())}


if __name__ == "__main__":
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for name, make in WORLDS.items():
        told = rates(make, studies, np.random.default_rng([1, *name.encode()]))
        print(f"{name}: " + ", ".join(f"{key} {share:.2%}" for key, share in told.items()))
