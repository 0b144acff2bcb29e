"""The age scores and the entropies that the sources print, recomputed where they can be.

Tables come in as text: a printed figure keeps its digits and its sign.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

import numpy as np

from veridical.aas.score import PUBLISHED_READINGS
from veridical.published.check import Check, Row, agree, number, open_row
from veridical.vpe.estimators import pass_at_k


def check_ages(printed: Mapping[str, str]) -> list[Check]:
    """The mean age scores of both phases under each reading, and the dates of the study."""
    source, sessions = "aas", int(printed["sessions"])
    recall = np.zeros((sessions, 2))
    recall[: int(printed["semantic_right"]), 0] = 1
    recall[: int(printed["episodic_right"]), 1] = 1
    checks = []
    for reading in PUBLISHED_READINGS:
        mean = float(np.mean(reading.score(recall)))
        quantity = f"mean AAS of Phase 1: {reading.label}"
        halved = reading.normalise is True and not agree(printed["phase1_mean"], mean)
        if not halved:
            note = "the source prints no ε: a round one was found that gives every digit"
            checks.append(
                number(source, quantity, "recomputed", printed["phase1_mean"], mean, note)
            )
        else:
            note = (
                f"a reading that is not the printed {printed['phase1_mean']}: the source calls its"
                " weights normalised and prints no ε; shown because it would halve the score"
            )
            checks.append(open_row(source, quantity, "", f"{mean:.6g}", note))
        kept = float(np.mean(reading.score(np.ones_like(recall))))
        quantity = f"mean AAS of Phase 2: {reading.label}"
        checks.append(number(source, quantity, "recomputed", printed["phase2_mean"], kept))
    return checks + _check_days(printed)


def _check_days(printed: Mapping[str, str]) -> list[Check]:
    """How long the study ran, and on how many of its days the expected answer was right."""
    first, last = (datetime.date.fromisoformat(printed[day]) for day in ("first_day", "last_day"))
    days = [first + datetime.timedelta(days=step) for step in range((last - first).days + 1)]
    held = sum(f"{day:%A}" == printed["expected_day"] for day in days)
    note = "one fixed answer can't be right throughout: the study stores the day of each session"
    return [
        number("aas", "days of the study", "restated", printed["days"], len(days)),
        open_row(
            "aas",
            "expected answer to the semantic question",
            printed["expected_day"],
            f"{printed['expected_day']} on {held} of {len(days)} days",
            note,
        ),
    ]


def check_entropies(rows: Sequence[Row]) -> list[Check]:
    """VPE: the only printed difference that follows from another, and those that can't be had."""
    differences = {(row["model"], row["measure"]): row["difference"] for row in rows}
    checks = []
    for row in rows:
        span = f"{row['from_horizon']} to {row['to_horizon']} tokens"
        quantity = f"{row['model']}: {row['measure']}, {span}"
        other = differences.get((row["model"], "zero_verified"))
        n = int(row["rollouts"])
        if row["measure"] == f"pass_at_{n}" and other is not None:
            # With k = n a problem passes unless none of its rollouts is verified.
            step = pass_at_k(n, 1, n) - pass_at_k(n, 0, n)
            note = f"= −({other}): with k = n a problem passes unless nothing is verified"
            computed = -step * float(other)
            shown = row["difference"]
            checks.append(number("vpe", quantity, "recomputed", shown, computed, note, "+.6g"))
        else:
            note = "rollouts are not published"
            checks.append(open_row("vpe", quantity, row["difference"], note=note))
    return checks
