"""The fixture study's age scores and rollouts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
from veridical.aas.score import AgeReading
from veridical.aas.sessions import (
    readings_in_use,
    score_by_session,
    score_sessions,
)
from veridical.aas.summary import summarise_phases
from veridical.base.tables import as_agreed
from veridical.vpe.curves import coverage_table, entropy_table, pass_at_k_table
from veridical.vpe.leads import leads
from veridical.vpe.measures import (
    SMOOTHING,
    contrast_cells,
    measure_problems,
    summarise,
)
from veridical.vpe.modes import ModeMap
from veridical.vpe.rollouts import JUDGED, judge_rollouts
from veridical.vpe.tables import ROLLOUTS


def age_tables() -> dict[str, pd.DataFrame]:
    """Twenty sessions a phase: one of twenty episodic answers right without a thread."""
    rows = []
    for model, remembers in (("gpt-4.1", True), ("llama3", False)):
        for phase in ("stateless", "persistent"):
            for session in range(1, 21):
                language = "en" if session % 2 else "tr"
                day = "Monday" if language == "en" or session == 4 else "Pazartesi"
                told = session == 1 or (phase == "persistent" and (remembers or session < 12))
                for task, expected, answer in (
                    ("semantic", "Monday", day),
                    ("episodic", str(session), str(session) if told else "99"),
                ):
                    row = {"model": model, "phase": phase, "session": session, "task": task}
                    row |= {"language": language, "question": f"({task}) What is it?"}
                    rows.append(row | {"expected": expected, "answer": answer, "state": "ok"})
    reading = AgeReading("registered", 1e-6, {"semantic": 1.0, "episodic": 1.0})
    scored = score_sessions(pd.DataFrame(rows), reading.epsilon)
    by_session = score_by_session(scored, readings_in_use(reading))
    return {
        "aas/sessions": scored,
        "aas/by_session": by_session,
        "aas/summary": summarise_phases(by_session, scored),
    }


def path_tables(rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Six problems, 32 rollouts each, two horizons, two models; one is never solved."""
    frames = []
    for model, skill in (("llama3", 0.15), ("gpt-4.1", 0.55)):
        for horizon in (96, 160):
            chance = skill * (1.3 if horizon == 160 else 1.0)
            for problem in range(1, 7):
                verified = rng.random(32) < chance * (0 if problem == 6 else 1)
                said = [("ok", _rollout(n, right)) for n, right in enumerate(verified)]
                read = judge_rollouts(said, Fraction(7), ModeMap())
                frame = pd.DataFrame(read, columns=JUDGED).assign(
                    model=model, horizon=horizon, preset="published", problem_id=f"G-{problem}"
                )
                texts = [text for _, text in said]
                frames.append(frame.assign(sample=range(32), text=texts, tokens=None))
    rollouts = as_agreed(pd.concat(frames), ROLLOUTS)
    problems = measure_problems(rollouts)
    draw = {"seed": 1, "resamples": 200}
    return {
        "vpe/rollouts": rollouts,
        "vpe/problems": problems,
        "vpe/summary": summarise(problems, SMOOTHING, **draw),
        "vpe/pass_at_k": pass_at_k_table(problems, **draw),
        "vpe/coverage": coverage_table(problems, rollouts, **draw),
        "vpe/entropy": entropy_table(problems, rollouts, **draw),
        "vpe/contrasts": contrast_cells(problems, **draw),
        "vpe/leads": leads(problems, ModeMap().size),
    }


def _rollout(n: int, right: bool) -> str:
    """A rollout in one of three modes, with 7 or another number as its answer."""
    steps = "\n".join(["5 + 2 = 7 books"] * (n % 3 + 1))
    return f"{steps}\n#### {7 if right else 8 + n}"
