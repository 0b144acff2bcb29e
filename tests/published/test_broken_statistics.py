"""The published check notices a broken statistic: each of these turns recomputed rows red."""

from __future__ import annotations

import dataclasses
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, binomtest, norm
from support.scripts import load_script
from veridical.aas import score
from veridical.base.tables import read_table
from veridical.published.tables import CHECK
from veridical.statistics import equivalence, intervals, mcnemar, multiplicity
from veridical.statistics.intervals import Interval
from veridical.statistics.mcnemar import McNemarResult
from veridical.vpe import estimators

ROOT = Path(__file__).parents[2]
HOLM, WILSON, EXACT, ANSWERS, TAIL, PAIRED, TOST, VERDICT, PHI, WEIGHTS, PASS = (
    multiplicity.holm,
    intervals.wilson,
    mcnemar.mcnemar_exact,
    mcnemar.mcnemar_answers,
    intervals.binomial_greater,
    intervals.paired_difference,
    equivalence.tost,
    equivalence.verdict,
    score.phi,
    score.check_weights,
    estimators.pass_at_k,
)


def raw(pvalues, m=None):
    return np.asarray(pvalues, dtype=float)


def bonferroni(pvalues, m=None):
    return np.minimum(1, np.asarray(pvalues, dtype=float) * (m or len(pvalues)))


def no_running_maximum(pvalues, m=None):
    values = np.asarray(pvalues, dtype=float)
    return values * (len(values) - values.argsort(kind="stable").argsort(kind="stable"))


def swapped(answers, first, second):
    return ANSWERS(answers, second, first)


def one_sided(b, c):
    return dataclasses.replace(EXACT(b, c), p=EXACT(b, c).p / 2)


def mid_p(b, c):
    return dataclasses.replace(EXACT(b, c), p=EXACT(b, c).mid_p)


def normal(b, c):
    z = abs(b - c) / math.sqrt(b + c) if b + c else 0.0
    return McNemarResult(b, c, float(2 * norm.sf(z)), EXACT(b, c).mid_p)


def wald(correct, n, level=0.95):
    share = correct / n
    half = norm.isf((1 - level) / 2) * math.sqrt(share * (1 - share) / n)
    return Interval(max(0.0, share - half), min(1.0, share + half))


def at_90(correct, n, level=0.95):
    return WILSON(correct, n, 0.90)


def clopper_pearson(correct, n, level=0.95):
    out = (1 - level) / 2
    return Interval(
        float(beta.ppf(out, correct, n - correct + 1)) if correct else 0.0,
        float(beta.isf(out, correct + 1, n - correct)) if correct < n else 1.0,
    )


def two_sided(correct, n, chance):
    return float(binomtest(correct, n, chance).pvalue)


def beyond(correct, n, chance):
    return TAIL(correct + 1, n, chance)


def uncorrelated(first, second, level=0.95):
    difference = np.mean(first) - np.mean(second)
    one, two = (WILSON(sum(part), len(part), level) for part in (first, second))
    low = math.hypot(np.mean(first) - one.low, two.high - np.mean(second))
    high = math.hypot(one.high - np.mean(first), np.mean(second) - two.low)
    return difference, Interval(difference - low, difference + high)


def narrowed(result, by):
    ends = {name: tuple(result.estimate + by * (end - result.estimate) for end in ci)
            for name, ci in (("ci90", result.ci90), ("ci95", result.ci95))}  # fmt: skip
    return dataclasses.replace(result, **ends)


def population(differences, bound):
    n = len(list(differences))
    return narrowed(TOST(differences, bound), math.sqrt((n - 1) / n))


def of_90(differences, bound):
    return dataclasses.replace(result := TOST(differences, bound), ci95=result.ci90)


def half_bound(ci90, ci95, bound):
    return VERDICT(ci90, ci95, bound / 2)


def double_bound(ci90, ci95, bound):
    return VERDICT(ci90, ci95, 2 * bound)


def difference_first(ci90, ci95, bound):
    read = VERDICT(ci90, ci95, bound)
    return dataclasses.replace(read, label="different") if read.inside_not_zero else read


def natural(x, epsilon):
    return PHI(x, epsilon) * math.log(2)


def large_epsilon(x, epsilon):
    return PHI(x, 10 * epsilon)


def of_errors(x, epsilon):
    return PHI(1 - np.asarray(x), epsilon)


def always_normalised(weights, normalise=False):
    return WEIGHTS(weights, True)


def with_replacement(n, c, k):
    return 1 - (1 - c / n) ** k


BROKEN = {
    "no Holm: raw p": (HOLM, raw, 1),
    "Bonferroni for Holm": (HOLM, bonferroni, 1),
    "Holm without the running maximum": (HOLM, no_running_maximum, 1),
    "Hochberg for Holm": (HOLM, multiplicity.hochberg, 1),
    "b and c exchanged": (ANSWERS, swapped, 7),
    "one-sided McNemar": (EXACT, one_sided, 2),
    "mid-p for the exact p": (EXACT, mid_p, 2),
    "McNemar by the normal tail": (EXACT, normal, 5),
    "Wald for Wilson": (WILSON, wald, 8),
    "Wilson at 90 %": (WILSON, at_90, 8),
    "Clopper-Pearson for Wilson": (WILSON, clopper_pearson, 8),
    "two-sided binomial": (TAIL, two_sided, 1),
    "binomial tail without the count seen": (TAIL, beyond, 1),
    "Newcombe without the correlation": (PAIRED, uncorrelated, 1),
    "population for sample deviation": (TOST, population, 1),
    "90 % for 95 % t interval": (TOST, of_90, 1),
    "half the equivalence bound": (VERDICT, half_bound, 1),
    "twice the equivalence bound": (VERDICT, double_bound, 1),
    "different before equivalent, at 90 %": (VERDICT, difference_first, 1),
    "age score with natural logarithm": (PHI, natural, 2),
    "age score with ten times ε": (PHI, large_epsilon, 2),
    "age score of errors, not of recall": (PHI, of_errors, 5),
    "age score with weights always normalised": (WEIGHTS, always_normalised, 1),
    "pass@k with replacement": (PASS, with_replacement, 1),
}


def plant(monkeypatch, sound, broken) -> None:
    """Put a broken function wherever the library holds the sound one, as a real fault would."""
    places = [
        (module, name)
        for dotted, module in list(sys.modules.items())
        if dotted.startswith("veridical.")
        for name, value in list(vars(module).items())
        if value is sound
    ]
    assert any(module.__name__ == sound.__module__ for module, _ in places)
    for module, name in places:
        monkeypatch.setattr(module, name, broken)


def check(folder: Path) -> pd.DataFrame:
    load_script("published/check_figures.py").main(ROOT / "data/published", folder / "check.csv")
    table = read_table(folder / "check.csv", CHECK)
    return table[table["kind"] == "recomputed"].set_index(["source", "quantity"])


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_statistic_turns_recomputed_rows_red(tmp_path, monkeypatch, name):
    sound, broken, flips = BROKEN[name]
    before = check(tmp_path)["agrees"]
    plant(monkeypatch, sound, broken)
    after = check(tmp_path)["agrees"].reindex(before.index)
    flipped = before & (after == False).fillna(False)  # noqa: E712
    assert flipped.sum() == flips > 0


def test_the_notes_say_how_many_rows_each_flips():
    notes = (ROOT / "workflow/notes/corpora.md").read_text(encoding="utf-8")
    assert len(BROKEN) >= 12
    said = [line for line in notes.splitlines() if line[2:].partition(" |")[0] in BROKEN]
    assert said == [f"| {name} | {flips} |" for name, (_, _, flips) in BROKEN.items()]
