"""The table of printed figures, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, flag, text
from veridical.published.check import KINDS

CHECK = Contract(
    "published/check",
    "What the sources print, and the same figures recomputed from the sources' own counts.",
    text("source", "the table of data/published that it comes from"),
    text("quantity", "which figure"),
    text(
        "kind",
        "recomputed from what it was not given; recovered: the counts were found from it; restated:"
        " follows from what was put in, with no statistic; open: not decided",
        *KINDS,
    ),
    text("printed", "as the source prints it; empty where it prints none"),
    text("computed", "as recomputed; empty where it can't be"),
    flag("agrees", "whether they agree to the last digit printed", missing=True),
    text("note", "what else is to be known"),
)
