"""Ten of the page's sentences, their worlds and their rules written out a second time.

    python tests/measured/plain_rates.py 2000

numpy and the standard library alone: nothing of the product is imported or run. The rules are those
of `workflow/notes/`; the worlds are drawn here. Where the rates differ from the catalogue's
(`snakemake claims`) by more than chance, one of the two has a fault. Designs: Control 2 with two
models and 24 probes; Control 3 with two models, two corpora of two partners and 24 probes; path
entropy with two models, 8 problems and 16 rollouts, and a document.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import comb, exp, lgamma, log, sqrt

import numpy as np

RNG = np.random.default_rng([2026, 12, 1])
PROBES, MODELS, CORPORA = 24, 2, 2
PROBLEMS, ROLLOUTS, MODES = 8, 16, 2_240
SHARE, NATS = 0.10, 0.25
Said = dict[str, np.ndarray]  # by sentence, whether it is said: shape (studies, rows)


# ---- distributions -------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(400):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / ((1 + term * lower) or 1e-30)
        upper = (1 + term / upper) or 1e-30
        value *= upper * lower
        if step > 2 and abs(1 - upper * lower) < 1e-12:
            break
    return front * (value - 1)


@lru_cache(maxsize=100_000)
def reach(hits: float, of: float, chance: float) -> float:
    """P(X >= hits), X binomial; between whole numbers its continuous extension."""
    if hits <= 0:
        return 1.0
    if hits == int(hits) and of == int(of):
        ways = range(int(hits), int(of) + 1)
        return min(1.0, sum(comb(int(of), k) * chance**k * (1 - chance) ** (int(of) - k)
                            for k in ways))  # fmt: skip
    return beta(hits, of - hits + 1, chance)


def above(t: float, df: int) -> float:
    """One-sided p of Student's t."""
    half = beta(df / 2, 0.5, df / (df + t * t)) / 2
    return half if t > 0 else 1 - half


def holm(p: np.ndarray) -> np.ndarray:
    """Holm over the last axis; a missing p is 1."""
    p = np.where(np.isnan(p), 1.0, p)
    order, m = np.argsort(p, axis=-1), p.shape[-1]
    ranked = np.take_along_axis(p, order, -1) * np.arange(m, 0, -1)
    ranked = np.minimum(1, np.maximum.accumulate(ranked, axis=-1))
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, ranked, -1)
    return adjusted


def flips(steps: tuple[int, ...], seen: int) -> float:
    """The share of sign flips whose sum is at least the one seen."""
    sums = {0: 1}
    for step in steps:
        after: dict[int, int] = {}
        for total, ways in sums.items():
            for turned in (total + step, total - step):
                after[turned] = after.get(turned, 0) + ways
        sums = after
    return sum(ways for total, ways in sums.items() if total >= seen) / 2 ** len(steps)


def flipped(values: np.ndarray) -> float:
    """One-sided sign flips of differences in 360ths."""
    steps = np.rint(values * 360).astype(int)
    return flips(tuple(steps.tolist()), int(steps.sum())) if steps.any() else 1.0


def alike(*series: np.ndarray) -> float:
    """How many answers count as one: changes expected of neighbours by those seen."""
    expected = seen = 0.0
    for signs in series:
        told = signs[signs != 0]
        n, up = len(told), int((told > 0).sum())
        if n < 2 or up in (0, n):
            continue
        expected += (n - 1) * 2 * up * (n - up) / (n * (n - 1))
        seen += int((told[1:] != told[:-1]).sum())
    return max(1.0, expected / seen) if expected and seen else 1.0


def leaning(hits: int, of: int, factor: float) -> float:
    """The larger p of answers that count each, and of neighbours that count as one."""
    return max(reach(hits, of, 0.5), reach(hits / factor, of / factor, 0.5))


# ---- answers: 1 as the document says, -1 otherwise, 0 none; in the document's order --------------


def answers(agrees: float, silent: float = 0.0, run: int = 1) -> np.ndarray:
    """One series of answers."""
    tosses = np.repeat(RNG.random(-(-PROBES // run)) < agrees, run)[:PROBES]
    return np.where(RNG.random(PROBES) < silent, 0, np.where(tosses, 1, -1))


def unread(signs: np.ndarray) -> bool:
    """Fewer than five answers, or nearly all of one name or one place."""
    given = signs != 0
    truth, first = np.arange(PROBES) % 2, np.arange(PROBES) // 2 % 2
    named = np.where(signs > 0, truth, 1 - truth)[given]
    ones, firsts = int(named.sum()), int((named == first[given]).sum())
    n = int(given.sum())
    return n < 5 or max(ones, n - ones, firsts, n - firsts) >= 0.9 * n


def mcnemar(b: int, c: int) -> float:
    return min(1.0, 2 * reach(max(b, c), b + c, 0.5)) if b + c else 1.0


def cell(true: np.ndarray, false: np.ndarray, none: np.ndarray) -> tuple[float, ...]:
    """Control 3's p of use, follow, against and without, of one cell."""
    right, wrongly = true > 0, false < 0  # the true partner is named
    b, c = int((right & ~wrongly).sum()), int((~right & wrongly).sum())
    given = int((true != 0).sum() + (false != 0).sum())
    heard = int((true > 0).sum() + (false > 0).sum())
    exact, factor = mcnemar(b, c), alike(true, false)
    use = max(exact, leaning(heard, given, factor)) if b > c else 1.0
    against = max(exact, leaning(given - heard, given, factor)) if b < c else 1.0
    each = [reach(int((side > 0).sum()), PROBES, 0.55) for side in (true, false)]
    known = float("nan")
    if not unread(none):
        known = leaning(int((none > 0).sum()), int((none != 0).sum()), alike(none))
    return use, max(use, *each), against, known


def control3(n: int, true: dict, false: dict, none: dict) -> Said:
    """What is said of each cell of n studies."""
    p = np.array([[cell(answers(**true), answers(**false), answers(**none))
                   for _ in range(MODELS * CORPORA)] for _ in range(n)])  # fmt: skip
    use, follow, against = (holm(p[..., at]) <= 0.05 for at in range(3))
    readable = ~(p[..., 3] <= 0.05)
    return {
        "control3.follows": follow & readable,
        "control3.uses": (use | follow) & readable,
        "control3.against": against & ~use & ~follow & readable,
        "control3.guesses": holm(p[..., 3]) <= 0.05,
    }


def effect(with_it: np.ndarray, none: np.ndarray) -> tuple[float, float]:
    """Control 2's p of one document for one model, and what it adds."""
    told = with_it != 0
    prior = np.where(none == 0, 0.5, none > 0)
    adds = float(((with_it > 0) - prior)[told].mean()) if told.any() else 0.0
    both = told & (none != 0)
    if both.sum() < 5:
        return float("nan"), adds
    up = int((both & (with_it > 0) & (none < 0)).sum())
    down = int((both & (with_it < 0) & (none > 0)).sum())
    a, b = with_it[both], none[both]
    count = int((a > 0).sum() + (b < 0).sum())
    factor, all_of = max(alike(a), alike(b)), 2 * int(both.sum())
    tail = reach(max(count, all_of - count) / factor, all_of / factor, 0.5)
    return max(mcnemar(up, down), min(1.0, 2 * tail)), adds


def control2(n: int, true: dict, false: dict, none: dict) -> Said:
    """What is said of each model, and of each model and document, of n studies."""
    solves, moved = [], []
    for _ in range(n):
        own, effects = [], []
        for _ in range(MODELS):
            without = answers(**none)
            p = float("nan")
            if not unread(without):
                right, told = int((without > 0).sum()), int((without != 0).sum())
                p = leaning(right, told, alike(without))
            own.append(p)
            effects += [effect(answers(**side), without) for side in (true, false)]
        solves.append(own)
        moved.append(effects)
    found = np.array(moved)
    shown = holm(found[..., 0]) <= 0.05
    return {
        "control2.solves": holm(np.array(solves)) <= 0.05,
        "control2.adds": shown & (found[..., 1] > 0),
        "control2.takes": shown & (found[..., 1] < 0),
    }


# ---- rollouts ------------------------------------------------------------------------------------


def roll(chance: np.ndarray, shares: tuple[float, ...]) -> list[np.ndarray]:
    """How often each way was verified, problem by problem."""
    verified = RNG.binomial(ROLLOUTS, chance)
    return [RNG.multinomial(count, shares) for count in verified]


def seen(counts: np.ndarray) -> tuple[float, float, float]:
    """Plug-in entropy, Chao and Shen's, and the share that is unseen (Good and Turing)."""
    some = counts[counts > 0]
    n, ones = int(some.sum()), int((some == 1).sum())
    if not n:
        return 0.0, 0.0, 1.0
    share = some / n
    plain = float(-(share * np.log(share)).sum())
    if n == 1:
        return plain, 0.0, 1.0
    shrunk = (1 - min(ones, n - 1) / n) * share
    corrected = -(shrunk * np.log(shrunk) / (1 - (1 - np.minimum(shrunk, 1 - 1e-16)) ** n)).sum()
    return plain, max(0.0, float(corrected)), ones / n


def most(plain: np.ndarray, unseen: np.ndarray) -> np.ndarray:
    """The largest entropy that the ways not seen allow."""
    covered, mean = 1 - unseen, unseen.mean()
    inner = np.where(covered > 0, covered * np.log(np.where(covered > 0, covered, 1)), 0)
    more = unseen * log(MODES / mean) if mean > 0 else 0
    return np.maximum(plain, covered * plain - inner + more)


def measured(counts: list[np.ndarray]) -> dict[str, np.ndarray]:
    told = np.array([seen(own) for own in counts])
    n = np.array([own.sum() for own in counts])
    smooth = np.log((n + 0.5) / (ROLLOUTS + 1))
    return {"n": n, "plain": told[:, 0], "unseen": told[:, 2], "smooth": smooth,
            "corrected": smooth + told[:, 1]}  # fmt: skip


def apart(n: int, one: tuple, two: tuple) -> Said:
    """Whether a model is said to lead, and which: column 0 the first, column 1 the second."""
    said = np.zeros((n, 2), dtype=bool)
    for study in range(n):
        sides = [measured(roll(np.full(PROBLEMS, chance), shares)) for chance, shares in (one, two)]
        ahead = int(sides[1]["corrected"].mean() > sides[0]["corrected"].mean())
        first, second = sides[ahead], sides[1 - ahead]
        upper = second["smooth"] + most(second["plain"], second["unseen"])
        gap = first["smooth"] + first["plain"] - upper
        if np.ptp(gap) > 1e-12:
            t = gap.mean() / (gap.std(ddof=1) / sqrt(PROBLEMS))
            said[study, ahead] = above(float(t), PROBLEMS - 1) <= 0.025
    return {"vpe.apart": said}


def tests(least: np.ndarray, upper: np.ndarray, margin: float) -> tuple[float, float, int]:
    """p of a difference, p of sameness, and which way."""
    if not len(least):
        return 1.0, 1.0, 0
    up, down = flipped(least), flipped(-upper)
    same = max(flipped(margin - upper), flipped(margin + least))
    return min(1.0, 2 * min(up, down)), same, 1 if least.mean() > 0 else -1


def document(n: int, without: tuple, added: tuple) -> Said:
    """Two models with and without a document; rows: (verified, ways) of either model."""
    p = np.ones((n, 2 * MODELS, 2))
    way = np.zeros((n, 2 * MODELS), dtype=int)
    few = np.zeros((n, 2 * MODELS), dtype=bool)
    for study in range(n):
        spread = RNG.uniform(-0.1, 0.1, PROBLEMS) if 0.1 <= without[0] <= 0.9 else 0.0
        for model in range(MODELS):
            sides = [measured(roll(np.clip(chance + spread, 0, 1) * np.ones(PROBLEMS), shares))
                     for chance, shares in (without, added)]  # fmt: skip
            gap = (sides[1]["n"] - sides[0]["n"]) / ROLLOUTS
            both = (sides[0]["n"] > 0) & (sides[1]["n"] > 0)
            low, high = (side["plain"][both] for side in sides)
            tops = [most(side["plain"][both], side["unseen"][both]) for side in sides]
            rows = [(gap, gap, SHARE), (high - tops[0], tops[1] - low, NATS)]
            for at, (least, upper, margin) in enumerate(rows):
                row = 2 * model + at
                *p[study, row], way[study, row] = tests(least, upper, margin)
                few[study, row] = 2 * MODELS * 2.0 ** (1 - len(least)) > 0.05
    differ = (holm(p[..., 0]) <= 0.05) & ~few
    same = (holm(p[..., 1]) <= 0.05) & ~few & ~differ
    turned = {"vpe.document_more": differ & (way > 0), "vpe.document_less": differ & (way < 0)}
    return turned | {"vpe.document_same": same}


# ---- worlds: what is drawn, and of which rows each sentence is true ------------------------------


def way(agrees: float = 0.5, silent: float = 0.0, run: int = 1) -> dict:
    return {"agrees": agrees, "silent": silent, "run": run}


def even(ways: int) -> tuple[float, ...]:
    return (1 / ways,) * ways


def uneven(nats: float) -> tuple[float, ...]:
    """Four ways with so many nats less than if all were alike."""
    low, high = 0.25, 1 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        shares = np.array([middle, *[(1 - middle) / 3] * 3])
        low, high = (
            (middle, high) if -(shares * np.log(shares)).sum() > log(4) - nats else (low, middle)
        )
    return tuple(shares.tolist())


COIN, ALL = way(), True
Run = tuple[str, Callable[[int], Said], dict]
MORE, LESS, SAME = (f"vpe.document_{word}" for word in ("more", "less", "same"))


def worlds() -> Iterator[Run]:
    uses, follows = {"control3.uses": ALL}, {"control3.uses": ALL, "control3.follows": ALL}
    for name, sides, true in (
        ("coins", (COIN, COIN, COIN), {}),
        ("silent under the false document", (COIN, way(silent=1.0), COIN), {}),
        ("more silent under the false document", (way(0.5, 0.1), way(0.5, 0.6), COIN), {}),
        ("reads the true document, a coin under the false", (way(1.0), COIN, COIN), uses),
        ("reads the true document, names the true partner in 45 %",
         (way(1.0), way(0.55), COIN), uses),
        ("runs of two", (way(run=2), way(run=2), COIN), {}),
        ("readers", (way(0.9), way(0.9), COIN), follows),
        ("weak readers", (way(0.75), way(0.75), COIN), follows),
        ("against the document", (way(0.1), way(0.1), COIN), {"control3.against": ALL}),
        ("guesses without a document, 75 %", (COIN, COIN, way(0.75)), {"control3.guesses": ALL}),
    ):  # fmt: skip
        yield name, lambda n, s=sides: control3(n, *s), true
    first, second = np.array([[True, False] * MODELS]), np.array([[False, True] * MODELS])
    for name, sides, true in (
        ("guessers", (COIN, COIN, COIN), {}),
        ("guessers in runs of two", (way(run=2),) * 3, {}),
        ("guessers that answer a half without a document", (COIN, COIN, way(silent=0.5)), {}),
        ("right in 65 % with and without a document", (way(0.65),) * 3, {"control2.solves": ALL}),
        ("solves it, 85 %", (COIN, COIN, way(0.85)),
         {"control2.solves": ALL, "control2.takes": ALL}),
        ("reads the document", (way(0.95), COIN, COIN), {"control2.adds": first}),
        ("misled by the counterfeit", (way(0.9), way(0.1), COIN),
         {"control2.adds": first, "control2.takes": second}),
    ):  # fmt: skip
        yield name, lambda n, s=sides: control2(n, *s), true
    four, ahead = (0.9, even(4)), {"vpe.apart": np.array([[True, False]])}
    for name, pair, true in (
        ("models alike", (four, four), {}),
        ("equal entropy, twice the modes", (four, (0.45, even(8))), {}),
        ("the other has more, in modes seldom reached", (four, (0.3, even(16))),
         {"vpe.apart": np.array([[False, True]])}),
        ("ahead by twice the modes", ((0.9, even(8)), four), ahead),
    ):  # fmt: skip
        yield name, lambda n, s=pair: apart(n, *s), true
    verified, ways = np.array([[True, False] * MODELS]), np.array([[False, True] * MODELS])
    for name, pair, true in (
        ("the document changes nothing", ((0.5, even(4)), (0.5, even(4))), {SAME: ALL}),
        ("the document changes nothing, all is verified",
         ((0.99, even(4)), (0.99, even(4))), {SAME: ALL}),
        ("the document leaves fewer verified, in as many ways",
         ((0.9, even(16)), (0.3, even(16))), {LESS: verified, SAME: ways}),
        ("the document is worth the margin",
         ((0.5, even(4)), (0.5 + SHARE, uneven(NATS))), {MORE: verified, LESS: ways}),
        ("the document takes the margin from what is always verified",
         ((1.0, even(4)), (1.0 - SHARE, uneven(NATS))), {LESS: ALL}),
        ("the document helps, and opens ways",
         ((0.5, even(4)), (0.8, even(8))), {MORE: ALL}),
    ):  # fmt: skip
        yield name, lambda n, s=pair: document(n, *s), true


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval."""
    z, p = 1.959964, hits / of
    centre, half = p + z * z / (2 * of), z * sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return (centre - half) / (1 + z * z / of), (centre + half) / (1 + z * z / of)


def joined(said: Said, true: dict) -> tuple[Said, dict]:
    """More and less as one sentence, true in the direction in which it is said."""
    if MORE not in said:
        return said, true
    some = said[MORE] | said[LESS]
    never = np.zeros((1, some.shape[1]), dtype=bool)
    right = [np.broadcast_to(true.get(key, never), some.shape) for key in (MORE, LESS)]
    turned = (said[MORE] & right[1]) | (said[LESS] & right[0])
    holds = (right[0] | right[1]) & ~turned
    return {"vpe.document_changes": some, SAME: said[SAME]}, {
        "vpe.document_changes": holds,
        SAME: true.get(SAME, never),
    }


def main(studies: int) -> None:
    print("| sentence | world | said where false | 95 % | found |")
    print("| --- | --- | --- | --- | --- |")
    for name, draw, true in worlds():
        said, holds = joined(draw(studies), true)
        for claim, rows in said.items():
            where = np.broadcast_to(holds.get(claim, False), rows.shape)
            cells = ["", "", f"{rows[where].mean():.1%}" if where.any() else ""]
            if not where.all():
                wrong = int((rows & ~where).any(axis=1).sum())
                ends = "{:.1%} to {:.1%}".format(*wilson(wrong, studies))
                cells[:2] = [f"{wrong / studies:.1%}", ends]
            print("| " + " | ".join([claim, name, *cells]) + " |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
