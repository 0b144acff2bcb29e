"""The table of claims of the fixture study: a few studies in every world, of small designs."""

from __future__ import annotations

from functools import cache

import pandas as pd
from veridical.claims.product import claims_table
from veridical.claims.worlds import benchmarks, control1, control2, control3, memories, vpe

ASKED = {"model": (("A", "full-text"),)}
DESIGNS = {
    "benchmarks": benchmarks.Design(
        ("leading", "talk") * 24, tuple(f"life {n // 6}" for n in range(48)), (0.25,) * 48, 2
    ),
    "control1": control1.Design(),
    "control2": control2.Design(2, 24),
    "control3": control3.Design({"A": 2, "B": 2}, 3, 24),
    "memories": memories.Design({"A": 2, "B": 2}, ("full-text", "window"), 24, ASKED, 12),
    "vpe": vpe.Design(2, 8, 16, document=True, maps=(560,)),
}


@cache
def claim_tables() -> dict[str, pd.DataFrame]:
    """The table by its contract's name; five studies a world are enough to be shown."""
    return {"claims/claims": claims_table(DESIGNS, 5, 20250914)}
