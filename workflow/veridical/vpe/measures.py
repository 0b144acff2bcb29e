"""Viable path entropy: how surely a model reaches verified answers, and in how many ways.

H = log Pr[V = 1] + H(mode | V = 1), natural logarithm, per problem and averaged over problems
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.statistics.resampling import (
    ENUMERATION_LIMIT,
    item_resamples,
    n_compositions,
    percentile_interval,
    resampled_counts,
)
from veridical.vpe import estimators
from veridical.vpe.tables import CONTRASTS, MEASURES

CELL = ["model", "horizon", "preset"]
HELD = 30_000_000  # numbers of a bootstrap held in memory at once (240 MB)
SMOOTHING = 0.5  # pseudo-rollouts on either side of the verified probability: Jeffreys' prior

# Where nothing was verified these are 0, and those are not known.
ENTROPIES = ("mode_entropy", "mode_entropy_miller_madow", "mode_entropy_chao_shen")
UNREACHED = ("mode_entropy_reached", "coverage_good_turing", "vpe")
CONTRASTED = ("verified_probability", "zero_verified", "mode_entropy", "smoothed_vpe")


def measure_problems(
    rollouts: pd.DataFrame, smoothing: float = SMOOTHING, by: Sequence[str] = ()
) -> pd.DataFrame:
    """Each problem's measures, from its rollouts.

    `rollouts` has model, horizon, preset, problem_id, verified (NA where no reply could be had)
    and mode, after columns `by` that tell studies apart where it holds several. Columns of the
    result, one row a problem and cell:

    rollouts (had), n_failed, n_verified, n_modes, verified_probability, zero_verified (0 or 1),
    mode_entropy, mode_entropy_miller_madow, mode_entropy_chao_shen (nats; 0 where nothing was
    verified, the convention that smoothed_vpe needs as well), mode_entropy_reached and
    coverage_good_turing (NA where nothing was verified), smoothed_vpe =
    log((c + a) / (n + 2a)) + mode_entropy, and vpe = log(c / n) + mode_entropy (NA where c = 0:
    it is minus infinity there).

    Raises ValueError where a problem has no rollout at all.
    """
    keys = [*by, *CELL, "problem_id"]
    had = rollouts["verified"].notna()
    verified = rollouts["verified"].fillna(False).astype(bool)
    codes = rollouts.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    heads = rollouts[keys].drop_duplicates().reset_index(drop=True)
    n = np.bincount(codes[had], minlength=len(heads))
    failed = np.bincount(codes[~had], minlength=len(heads))
    if (n == 0).any():
        raise ValueError(f"no rollout could be had for {tuple(heads[n == 0].iloc[0])}")
    mode_codes = pd.factorize(rollouts["mode"])[0]
    counts = mode_counts(codes[verified], mode_codes[verified], len(heads))
    rows = [_measures(int(total), modes, smoothing) for total, modes in zip(n, counts, strict=True)]
    measures = pd.DataFrame(rows)
    heads["rollouts"], heads["n_failed"] = n, failed
    return pd.concat([heads, measures], axis=1)


def mode_counts(problems: NDArray, modes: NDArray, n_problems: int) -> list[NDArray[np.int64]]:
    """How often each mode occurs in each problem, from codes of either, one array a problem."""
    if not len(problems):
        return [np.zeros(0, dtype=np.int64)] * n_problems
    pairs = problems.astype(np.int64) * (int(modes.max()) + 1) + modes
    unique, counts = np.unique(pairs, return_counts=True)
    owner = unique // (int(modes.max()) + 1)
    return np.split(counts, np.searchsorted(owner, np.arange(1, n_problems)))


def _measures(n: int, counts: NDArray[np.int64], smoothing: float) -> dict[str, float]:
    c = int(counts.sum())
    smoothed = estimators.log_probability_smoothed(n, c, smoothing)
    row = {"n_verified": c, "n_modes": len(counts)}
    row |= {"verified_probability": c / n, "zero_verified": float(c == 0)}
    if c == 0:
        row |= dict.fromkeys(ENTROPIES, 0.0) | dict.fromkeys(UNREACHED, np.nan)
        return row | {"smoothed_vpe": smoothed}
    plain = estimators.entropy(counts)
    return row | {
        "mode_entropy": plain,
        "mode_entropy_miller_madow": estimators.entropy_miller_madow(counts),
        "mode_entropy_chao_shen": estimators.entropy_chao_shen(counts),
        "mode_entropy_reached": plain,
        "coverage_good_turing": estimators.coverage_good_turing(counts),
        "smoothed_vpe": smoothed + plain,
        "vpe": float(np.log(c / n)) + plain,
    }


def summarise(
    problems: pd.DataFrame, smoothing: float, *, seed: int, resamples: int, level: float = 0.95
) -> pd.DataFrame:
    """Means over problems of each cell, with percentile bootstrap intervals over problems.

    Columns: model, horizon, preset, n_problems, rollouts (the fewest of any problem), n_rollouts
    (of all problems), n_failed, n_verified, n_reached (problems with a verified rollout), then for
    each of `MEASURES` its mean, `_low` and `_high`; pass_at_k for k = 1, 2, 4, … and the largest
    (all k with intervals: `curves.pass_at_k_table`); smoothing. A mean over no problem at all is
    NA, and so are the ends of an interval where there is only one problem.
    """
    rows = []
    for key, group in problems.groupby(CELL, sort=False, observed=True):
        row = dict(zip(CELL, key, strict=True)) | {"n_problems": len(group)}
        row |= {"rollouts": int(group.rollouts.min()), "n_rollouts": int(group.rollouts.sum())}
        for column in ("n_failed", "n_verified"):
            row[column] = int(group[column].sum())
        row["n_reached"] = int((group.n_verified > 0).sum())
        means = bootstrap_means(group[list(MEASURES)].to_numpy(dtype=float), seed, resamples, level)
        for measure, (mean, low, high) in zip(MEASURES, means, strict=True):
            row |= {measure: mean, f"{measure}_low": low, f"{measure}_high": high}
        fewest = int(group.rollouts.min())
        for k in sorted({2**e for e in range(fewest.bit_length())} | {fewest}):
            row[f"pass_at_{k}"] = float(np.mean(pass_at(group, k)))
        rows.append(row | {"smoothing": smoothing})
    return pd.DataFrame(rows)


def pass_at(problems: pd.DataFrame, k: int) -> NDArray[np.float64]:
    """pass@k of each problem, shape (problems,). Raises ValueError where one has fewer rollouts."""
    pairs = zip(problems.rollouts, problems.n_verified, strict=True)
    return np.array([estimators.pass_at_k(int(n), int(c), k) for n, c in pairs])


def contrast_cells(
    problems: pd.DataFrame, *, seed: int, resamples: int, level: float = 0.95
) -> pd.DataFrame:
    """Paired differences between horizons of a model and between models at a horizon.

    Paired by problem. Columns: contrast (horizons or models), preset, model (NA between models),
    horizon (NA between horizons), first, second, measure, n_problems, estimate (second - first),
    low, high. Besides `CONTRASTED`,
    pass@k at the largest k that both have is compared. Raises ValueError naming the problems that
    only one side has.
    """
    rows = []
    for preset, mine in problems.groupby("preset", sort=False, observed=True):
        for contrast, at, vary in (
            ("horizons", "model", "horizon"),
            ("models", "horizon", "model"),
        ):
            for fixed, group in mine.groupby(at, sort=False, observed=True):
                levels = list(dict.fromkeys(group[vary]))
                levels = sorted(levels) if vary == "horizon" else levels
                sides = {
                    one: side.set_index("problem_id")
                    for one, side in group.groupby(vary, observed=True)
                }
                for first, second in combinations(levels, 2):
                    head = {"contrast": contrast, "preset": preset, at: fixed}
                    head |= {"first": str(first), "second": str(second)}
                    measures, differences = _differences(head, sides[first], sides[second])
                    means = bootstrap_means(differences, seed, resamples, level)
                    for measure, (mean, low, high) in zip(measures, means, strict=True):
                        row = {"measure": measure, "n_problems": len(differences)}
                        rows.append(head | row | {"estimate": mean, "low": low, "high": high})
    table = pd.DataFrame(rows, columns=CONTRASTS.names)
    return table.astype({"horizon": "Int64"})


def _differences(
    head: dict, first: pd.DataFrame, second: pd.DataFrame
) -> tuple[list[str], NDArray[np.float64]]:
    """The contrasted measures, and second minus first: shape (problems, measures)."""
    alone = set(first.index) ^ set(second.index)
    if alone:
        raise ValueError(
            f"{head['first']} against {head['second']}: only one of them has "
            f"{', '.join(sorted(alone)[:5])}"
        )
    second = second.loc[first.index]
    k = int(min(first.rollouts.min(), second.rollouts.min()))
    names = list(CONTRASTED)
    found = second[names].to_numpy(dtype=float) - first[names].to_numpy(dtype=float)
    passed = pass_at(second, k) - pass_at(first, k)
    return [*names, f"pass_at_{k}"], np.column_stack([found, passed])


def bootstrap_means(
    values: NDArray[np.float64], seed: int, resamples: int, level: float
) -> list[tuple[float, float, float]]:
    """Mean and percentile bootstrap interval over the rows, of each column; NaN is left out.

    All resamples are enumerated up to 12 rows, else `resamples` are drawn with the seed. The mean
    of a column that is all NaN is NaN; so are the interval's ends below two rows.
    """
    n = len(values)
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    have = known.sum(axis=0)
    means = np.divide(filled.sum(axis=0), have, out=np.full(len(have), np.nan), where=have > 0)
    if n < 2:
        return [(float(mean), np.nan, np.nan) for mean in means]
    parts, weights = _resamples(n, seed, resamples)
    sums = np.concatenate([counts @ filled for counts in parts()])
    sizes = np.concatenate([counts @ known.astype(float) for counts in parts()])
    drawn = np.divide(sums, sizes, out=np.full_like(sums, np.nan), where=sizes > 0)
    return [
        (float(mean), *percentile_interval(np.round(column, 12), weights, level))
        if count > 1
        else (float(mean), np.nan, np.nan)
        for mean, column, count in zip(means, drawn.T, have, strict=True)
    ]


def _resamples(
    n: int, seed: int, resamples: int
) -> tuple[Callable[[], Iterator[NDArray[np.float64]]], NDArray[np.int64]]:
    """Bootstrap samples of n items in parts that fit in memory, and the weight of each sample."""
    if n * resamples <= HELD or n_compositions(n) <= ENUMERATION_LIMIT:
        counts, weights = _held(n, seed, resamples)
        return lambda: iter([counts]), weights

    def parts() -> Iterator[NDArray[np.float64]]:
        rng, rows = np.random.default_rng(seed), max(1, HELD // n)
        for start in range(0, resamples, rows):
            yield resampled_counts(n, rng, min(rows, resamples - start))[0].astype(float)

    return parts, np.ones(resamples, dtype=np.int64)


@lru_cache(maxsize=1)
def _held(n: int, seed: int, resamples: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    # every cell and contrast of a study has the same number of problems, so the same samples
    counts, weights = item_resamples(n, np.random.default_rng(seed), resamples)
    return counts.astype(float), weights
