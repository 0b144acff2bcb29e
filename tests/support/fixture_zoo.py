"""The fault zoo's tables of the fixture study: every fault and sound memory, in two studies."""

from __future__ import annotations

from functools import cache

import pandas as pd
from support.memory_study import corpus
from veridical.zoo.counting import tables
from veridical.zoo.instruments import instruments
from veridical.zoo.measuring import Design, measure
from veridical.zoo.studies import Size


@cache
def zoo_tables() -> dict[str, pd.DataFrame]:
    """Every table of the part, by its contract's name."""
    found = measure([corpus()], Design(Size(30, 24, 5), 2, 1, (0.1,)), instruments())
    return {f"zoo/{name}": table for name, table in tables(found, instruments()).items()}
