"""A small zoo on corpus A, measured once for the tests that read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
import pandas as pd
from support.memory_study import corpus
from veridical.memories.faults import plant
from veridical.memories.plan import Plan
from veridical.memories.protocol import Memory
from veridical.zoo.counting import tables
from veridical.zoo.instruments import Instrument, instruments
from veridical.zoo.measuring import Design, Run, measure
from veridical.zoo.seen import Seen, study
from veridical.zoo.stores import STORES
from veridical.zoo.studies import Size, draw_study

SIZE = Size(30, 24, 5)
FEW = 60  # sound studies: enough for a threshold


@cache
def life(number: int = 1, size: Size = SIZE) -> Plan:
    """One study's plan."""
    return draw_study(corpus(), size, np.random.default_rng(number))


def seen(
    fault: str = "",
    strength: float | None = None,
    *,
    kind: str = "words",
    number: int = 1,
    around: Callable[[], Memory] | None = None,
) -> Seen:
    """What one study of a faulty memory shows, of a sound one where there is no fault."""
    start = around or STORES[kind]
    if fault:
        start = partial(_plant, fault, start, strength, number)
    return study(life(number), start)


def _plant(fault: str, inner: Callable[[], Memory], strength: float | None, number: int) -> Memory:
    return plant(fault, inner(), strength, seed=number, names=life(number).partners)


def measured(
    faults: Sequence[str],
    studies: int = 6,
    every: Sequence[Instrument] | None = None,
    **more: object,
) -> list[Run]:
    """The runs of a small zoo on corpus A."""
    design = Design(SIZE, studies, 0, faults=tuple(faults), **more)  # type: ignore[arg-type]
    return measure([corpus()], design, instruments() if every is None else every)


def shares(found: list[Run], every: Sequence[Instrument] | None = None) -> pd.DataFrame:
    """The share noticed, a row a memory and a column an instrument."""
    rates = tables(found, instruments() if every is None else every)["rates"]
    return rates.pivot(index="subject", columns="instrument", values="share")
