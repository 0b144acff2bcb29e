"""The instruments: what each of them reads off a study, and when it has noticed something.

An instrument either *decides* (it notices or it does not, by a rule of its own) or gives a *score*,
better the higher, which is compared with what the sound memory scores (`thresholds`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from veridical.zoo import controls, scores
from veridical.zoo.seen import Seen

OURS, OTHERS, YOURS, TOGETHER = "ours", "others", "yours", "together"
JUDGED = "judged"  # judged accuracy: by a judge, or exact match


@dataclass(frozen=True)
class Instrument:
    """An instrument of one group.

    see: what it takes from a study. conclude: what that comes to, of all studies at once; what
    `see` gives, if None. Either way: True or False where it decides, a number where it scores; None
    is a score that is not defined, which counts as lower than any. apart: whether it is put to
    studies of its own, and so is no part of what several notice together.
    """

    key: str
    group: Literal["ours", "others", "yours"]
    kind: Literal["decides", "scores"]
    see: Callable[[Seen], Any]
    conclude: Callable[[Sequence[Any]], Sequence[Any]] | None = None
    apart: bool = False


def instruments(*, judge: bool = False) -> list[Instrument]:
    """The built-in instruments, in the order of the tables.

    Judged accuracy is exact match where there is no `judge`; where there is one, exact match has a
    name of its own, and `judging` the instrument.
    """
    deciding = (
        *(controls.reset, controls.isolation, controls.repeat, controls.readiness),
        *(controls.admission, controls.sham, controls.stored, controls.invented),
        *(controls.dates, controls.updates, controls.control1, controls.control2),
    )
    return [
        *(Instrument(see.__name__, OURS, "decides", see) for see in deciding),
        Instrument("control3", OURS, "decides", controls.count_cells, controls.control3),
        Instrument("found", OURS, "scores", scores.found),
        Instrument("recall", OTHERS, "scores", scores.recall),
        Instrument("accuracy", OTHERS, "scores", scores.accuracy),
        Instrument("matched" if judge else JUDGED, OTHERS, "scores", scores.matched),
        Instrument("gap", OTHERS, "scores", scores.gap),
    ]
