"""The parts of the study, in the order of the page; the frame of the page knows none by name."""

from __future__ import annotations

from veridical.aas.page import PART as AAS
from veridical.base.contract import Contract
from veridical.benchmarks.page import PART as BENCHMARKS
from veridical.claims.tables import CLAIMS
from veridical.control1.page import PART as CONTROL1
from veridical.control2.page import PART as CONTROL2
from veridical.control3.page import PART as CONTROL3
from veridical.documents.tables import ATTEMPTS, FIDELITY
from veridical.freeze.tables import DEVIATIONS
from veridical.ledger.tables import SERVED
from veridical.memories.page import PART as MEMORIES
from veridical.published.tables import CHECK
from veridical.report.part import Part
from veridical.vpe.page import PART as VPE
from veridical.zoo.page import PART as ZOO

PARTS: tuple[Part, ...] = (CONTROL1, CONTROL2, CONTROL3, MEMORIES, AAS, VPE, BENCHMARKS, ZOO)
OTHERS: tuple[Contract, ...] = (FIDELITY, ATTEMPTS, SERVED, CHECK, CLAIMS)  # tables of no part


_KEPT = [contract for part in PARTS for contract in part.contracts]
_KEPT += [*OTHERS, DEVIATIONS]
CONTRACTS: tuple[Contract, ...] = tuple({contract.name: contract for contract in _KEPT}.values())
