"""The fixture study's age scores and rollouts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from veridical.vpe.measures import (
    SMOOTHING,
    contrast_cells,
    coverage_table,
    measure_problems,
    pass_at_k_table,
    summarise,
)


def age_tables() -> dict[str, pd.DataFrame]:
    """Twenty sessions a phase: one of twenty episodic answers right without a thread."""
    epsilon = 1e-6
    worst = float(np.log2((1 + epsilon) / epsilon))
    sessions, summary = [], []
    for model, remembers in (("gpt-4.1", True), ("llama3", False)):
        for phase in ("stateless", "persistent"):
            right = 0
            for session in range(1, 21):
                language = "en" if session % 2 else "tr"
                told = session == 1 or (phase == "persistent" and (remembers or session < 12))
                right += told
                for task, expected, x in (
                    ("semantic", "Monday" if language == "en" else "Pazartesi", 1),
                    ("episodic", str(session), int(told)),
                ):
                    answer = expected if x else "1"
                    kept = not (task == "semantic" and language == "tr" and session == 4)
                    sessions.append(
                        (model, phase, session, task, language, f"({task}) What is it?", expected,
                         answer, "ok", x, kept, 0.0 if x else worst, 0.0)
                    )  # fmt: skip
            for reading, scale in (("epsilon=1e-06, weights 1/1", 1.0), ("normalised", 0.5)):
                for redundancy, shrink in (("zero", 1.0), ("estimated", 0.4)):
                    mean = scale * shrink * (20 - right) / 20 * worst
                    summary.append(
                        (model, phase, reading, redundancy, mean, 4.0, scale * worst,
                         2 * scale * worst, 1.0, right / 20, 0.975, 20)
                    )  # fmt: skip
    return {
        "aas/sessions": pd.DataFrame(
            sessions,
            columns=["model", "phase", "session", "task", "language", "question", "expected",
                     "answer", "state", "x", "language_kept", "phi", "R"],
        ),
        "aas/summary": pd.DataFrame(
            summary,
            columns=["model", "phase", "reading", "redundancy", "mean_aas", "sd_aas", "max_aas",
                     "bound", "semantic_recall", "episodic_recall", "language_adherence",
                     "n_sessions"],
        ),
    }  # fmt: skip


def path_tables(rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Six problems, 32 rollouts each, two horizons, two models; one is never solved."""
    rows = []
    for model, skill in (("llama3", 0.15), ("gpt-4.1", 0.55)):
        for horizon in (96, 160):
            chance = skill * (1.3 if horizon == 160 else 1.0)
            for problem in range(1, 7):
                verified = rng.random(32) < chance * (0 if problem == 6 else 1)
                for sample, right in enumerate(verified):
                    rows.append(
                        {
                            "model": model,
                            "horizon": horizon,
                            "preset": "paper",
                            "problem_id": f"G-{problem}",
                            "sample": sample,
                            "gold": sample + 2 if right else 7,
                            "extracted": sample + 2,
                            "verified": bool(right),
                            "mode": f"short|+|{sample % 3}|prose" if right else None,
                            "text": f"{sample} + 2 = {sample + 2}. #### {sample + 2}",
                        }
                    )
    rollouts = pd.DataFrame(rows).astype({"verified": "boolean"})
    problems = measure_problems(rollouts)
    draw = {"seed": 1, "resamples": 200}
    return {
        "vpe/rollouts": rollouts,
        "vpe/problems": problems,
        "vpe/summary": summarise(problems, SMOOTHING, **draw),
        "vpe/pass_at_k": pass_at_k_table(problems, **draw),
        "vpe/coverage": coverage_table(problems, rollouts, **draw),
        "vpe/contrasts": contrast_cells(problems, **draw),
    }
