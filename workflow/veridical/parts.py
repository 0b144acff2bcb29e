"""The parts of the study, in the order of the page; the frame of the page knows none by name."""

from __future__ import annotations

from veridical.aas.page import PART as AAS
from veridical.control1.page import PART as CONTROL1
from veridical.control2.page import PART as CONTROL2
from veridical.control3.page import PART as CONTROL3
from veridical.vpe.page import PART as VPE

PARTS = (CONTROL1, CONTROL2, CONTROL3, AAS, VPE)
