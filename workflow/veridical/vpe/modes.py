"""The mode map: which way of solving a rollout took, as four coarse features.

length bin, operators used, number of equations, style. The source's own bins are not published;
these are config, and another map is another measure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

OPERATORS = ("+", "-", "*", "/")
STYLES = ("annotated", "code", "steps", "named", "equations", "prose", "answer")

_OPERATOR = re.compile(r"[\d)%½¼¾][ ]?([-+*/×÷−·])[ ]?[$€£]?(?=[\d(.½¼¾])|\d ([xX]) (?=\d)")
_EQUATION = re.compile(r"=\s*[$€£]?\s*[-−]?[.\d]")
_CODE = re.compile(r"```|\bprint\s*\(|^\s*(?:def|import|return) ", re.MULTILINE)
_STEPS = re.compile(r"^\s*(?:\*\*|#+ )?(?:step\s*\d|adım\s*\d|\d+[.)]\s|[-*•]\s)", re.M | re.I)
_NAMED = re.compile(r"\b(?:let|diyelim)\b|^[ \t]*[a-z_]{1,20} ?= ", re.MULTILINE | re.IGNORECASE)
_NAMES = {"×": "*", "·": "*", "x": "*", "X": "*", "÷": "/", "−": "-"}
_WORD = re.compile(r"[^\W\d_]{2,}")


class Mode(NamedTuple):
    """One way of solving: bin 0 is the shortest, `operators` sorted, `equations` capped."""

    length: int
    operators: str
    equations: int
    style: str

    def __str__(self) -> str:
        return f"{self.length}|{self.operators}|{self.equations}|{self.style}"


@dataclass(frozen=True)
class ModeMap:
    """Bins of the mode map.

    `length_edges` in words, ascending: a solution of w words falls into the bin of the edges at
    or below w. `equations_cap`: this many and more are one class. `operators` "set" keeps which
    operators occur, "sequence" their order and number as well.
    """

    length_edges: Sequence[int] = (12, 24, 48)
    equations_cap: int = 4
    operators: str = "set"

    def __post_init__(self) -> None:
        edges = list(self.length_edges)
        if edges != sorted(set(edges)) or (edges and edges[0] < 1):
            raise ValueError(f"vpe.modes.length_edges {edges}: they must ascend, from 1 at least")
        if self.operators not in ("set", "sequence"):
            raise ValueError(f"vpe.modes.operators is {self.operators!r}: set or sequence")
        if self.equations_cap < 1:
            raise ValueError(f"vpe.modes.equations_cap is {self.equations_cap}: at least 1")

    @classmethod
    def from_config(cls, entry: Mapping[str, Any] | None) -> ModeMap:
        """Read `vpe.modes`; what is not named keeps its default."""
        return cls(**dict(entry or {}))

    @property
    def size(self) -> int | None:
        """How many modes it can tell apart; None where operators are sequences, which never end.

        >>> ModeMap().size  # 4 lengths, 16 sets of operators, 0 to 4 equations, 7 styles
        2240
        """
        if self.operators == "sequence":
            return None
        lengths, sets = len(self.length_edges) + 1, 2 ** len(OPERATORS)
        return lengths * sets * (self.equations_cap + 1) * len(STYLES)

    def __call__(self, text: str) -> Mode:
        """The mode of a rollout; what follows its first answer line is no part of the solution.

        >>> str(ModeMap()("He has 3 + 4 = 7 apples.\\n#### 7"))
        '0|+|1|equations'
        """
        solution = _solution(text)
        used = [a or b for a, b in _OPERATOR.findall(solution)]
        used = [_NAMES.get(sign, sign) for sign in used]
        signature = "".join(sorted(set(used)) if self.operators == "set" else used)
        equations = len(_EQUATION.findall(solution))
        words = solution.count(" ") + solution.count("\n") + 1 if solution else 0
        return Mode(
            bisect_right(self.length_edges, words),
            signature,
            min(equations, self.equations_cap),
            _style(solution, equations),
        )


def _solution(text: str) -> str:
    mark = text.find("####")
    while mark >= 0 and text[mark + 4 :].lstrip()[:4].lower() == "step":
        mark = text.find("####", mark + 4)
    return (text if mark < 0 else text[:mark]).strip()


def _style(solution: str, equations: int) -> str:
    """How the solution is told, the most telling feature first."""
    if "<<" in solution:
        return "annotated"
    if ("`" in solution or "print" in solution or "def " in solution) and _CODE.search(solution):
        return "code"
    if _STEPS.search(solution):
        return "steps"
    if _NAMED.search(solution):
        return "named"
    words = len(_WORD.findall(solution))
    if equations and words <= 6 * equations:
        return "equations"
    return "prose" if words > 2 else "answer"
