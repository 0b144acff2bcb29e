"""Memories with exactly one fault each: wrappers around any sound memory, of a given strength.

`plant("rebinds", memory, 0.3, seed=1, names=("Ada", "Bo"))` is that memory, but three in ten of
what it is told is bound to another name. The same seed plants the same fault, call for call.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from veridical.memories.faults.absent import FirstOption, FluentGuess, LikelierName, Silence
from veridical.memories.faults.base import Fault
from veridical.memories.faults.reading import (
    FirstLife,
    IgnoresQuery,
    MixesBanks,
    NeverResets,
    RanksByLength,
    ReturnsNewest,
    ReturnsOldest,
    StaleCache,
    Truncates,
    Unstable,
)
from veridical.memories.faults.writing import (
    DropsPartner,
    Invents,
    KeepsLast,
    LosesEntries,
    LosesOldest,
    Merges,
    MovesDates,
    Rebinds,
    WritesLate,
)
from veridical.memories.protocol import Memory

__all__ = ["FAULTS", "Fault", "plant", "strange_fault"]

FAULTS: dict[str, type[Fault]] = {
    fault.key: fault
    for fault in (
        *(LosesEntries, LosesOldest, DropsPartner, Rebinds, Merges, MovesDates, KeepsLast),
        *(Invents, WritesLate, IgnoresQuery, ReturnsOldest, ReturnsNewest, Truncates),
        *(RanksByLength, MixesBanks, FirstLife, StaleCache, NeverResets, Unstable),
        *(FluentGuess, FirstOption, LikelierName, Silence),
    )
}


def plant(
    name: str,
    inner: Memory,
    strength: float | None = None,
    *,
    seed: int = 0,
    names: Sequence[str] = (),
) -> Fault:
    """A memory with the fault `name`; `inner` is the sound one that it wraps.

    `strength` in (0, 1] is the share of entries, queries or banks that are hit, the fault's own
    usual one if None. `names` are whom entries may be bound to, for the faults that touch them.
    Raises ValueError where there is no such fault, naming the nearest; where the strength is out of
    range; where a fault that needs names is given fewer than two.
    """
    if trouble := strange_fault(name):
        raise ValueError(trouble)
    return FAULTS[name](inner, strength, seed, names)


def strange_fault(name: str) -> str:
    """What is wrong with a fault's name; empty where there is such a fault."""
    if name in FAULTS:
        return ""
    near = difflib.get_close_matches(name, FAULTS, n=1, cutoff=0.0)
    return f"there is no fault {name!r}; did you mean {near[0]!r}? There are {', '.join(FAULTS)}."
