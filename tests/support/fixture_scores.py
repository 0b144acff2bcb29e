"""The fixture study's age scores and rollouts."""

from __future__ import annotations

import numpy as np
import pandas as pd


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
    """Six problems, 32 rollouts each, two horizons, two models."""
    rollouts, problems, summary = [], [], []
    for model, skill in (("llama3", 0.15), ("gpt-4.1", 0.55)):
        for horizon in (96, 160):
            chance = skill * (1.3 if horizon == 160 else 1.0)
            counts = []
            for problem in range(1, 7):
                verified = rng.random(32) < chance * (0 if problem == 6 else 1)
                counts.append(int(verified.sum()))
                for sample, right in enumerate(verified):
                    rollouts.append(
                        (model, horizon, f"G-{problem}", sample,
                         f"{sample} + 2 = {sample + 2}. #### {sample + 2}", sample + 2,
                         sample + 2 if right else 7, bool(right),
                         f"short|+|{sample % 3}|prose" if right else None)
                    )  # fmt: skip
                problems.append((model, horizon, f"G-{problem}", 32, counts[-1], 3))
            share = sum(counts) / 192
            summary.append(
                {
                    "model": model, "horizon": horizon, "preset": "paper", "n_problems": 6,
                    "rollouts": 32, "verified_probability": share,
                    "verified_probability_low": max(share - 0.12, 0),
                    "verified_probability_high": share + 0.12,
                    "zero_verified": sum(count == 0 for count in counts) / 6,
                    "mode_entropy": 0.9, "mode_entropy_miller_madow": 1.0,
                    "mode_entropy_chao_shen": 1.1, "smoothed_vpe": float(np.log(share) + 0.9),
                    "smoothing": 0.5, "n_verified": sum(counts),
                }
            )  # fmt: skip
    return {
        "vpe/rollouts": pd.DataFrame(
            rollouts,
            columns=["model", "horizon", "problem_id", "sample", "text", "extracted", "gold",
                     "verified", "mode"],
        ),
        "vpe/problems": pd.DataFrame(
            problems,
            columns=["model", "horizon", "problem_id", "rollouts", "n_verified", "n_modes"],
        ),
        "vpe/summary": pd.DataFrame(summary),
    }  # fmt: skip
