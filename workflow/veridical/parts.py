"""The parts of the study, in the order of the page; the frame of the page knows none by name."""

from __future__ import annotations

from types import ModuleType

from veridical.aas.page import PART as AAS
from veridical.base.contract import Contract
from veridical.benchmarks.page import PART as BENCHMARKS
from veridical.control1.page import PART as CONTROL1
from veridical.control2.page import PART as CONTROL2
from veridical.control3.page import PART as CONTROL3
from veridical.documents.tables import ATTEMPTS, FIDELITY
from veridical.freeze.tables import DEVIATIONS
from veridical.memories import tables as memories
from veridical.published.tables import CHECK
from veridical.report.part import Part
from veridical.vpe.page import PART as VPE

PARTS: tuple[Part, ...] = (CONTROL1, CONTROL2, CONTROL3, AAS, VPE, BENCHMARKS)
OTHERS: tuple[Contract, ...] = (FIDELITY, ATTEMPTS, CHECK)  # tables of no part


def contracts_of(*rooms: ModuleType) -> list[Contract]:
    """The contracts of rooms that have no page of their own, but for tables that people write."""
    found = [value for room in rooms for value in vars(room).values()]
    return [value for value in found if isinstance(value, Contract) and not value.by_hand]


_KEPT = [contract for part in PARTS for contract in part.contracts]
_KEPT += [*OTHERS, DEVIATIONS, *contracts_of(memories)]
CONTRACTS: tuple[Contract, ...] = tuple({contract.name: contract for contract in _KEPT}.values())
