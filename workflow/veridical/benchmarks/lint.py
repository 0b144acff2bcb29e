"""The lint: every check on a benchmark, with one rule that bounds their false alarms together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.benchmarks import cues, facts, learned_cues
from veridical.benchmarks.clustered import effective_number, share_interval
from veridical.benchmarks.constants import Constant, constants, winning
from veridical.benchmarks.cues import Cue
from veridical.benchmarks.facts import Flag
from veridical.benchmarks.items import Benchmark, Item
from veridical.benchmarks.partial import Cells, derived_topics, folds
from veridical.benchmarks.shuffling import Draws, adjusted

if TYPE_CHECKING:
    import pandas as pd

DRAWS = 199
# False alarms allowed: 5 % in all, of which the shuffled checks have 4 and the constant answers 1.
ALPHA_CUES, ALPHA_CONSTANTS = 0.04, 0.01
TOLERATED = 0.01  # share of items touched up to which nothing is called a finding
CORRELATION = 0.1  # of two items of one cluster, for the effective number

SHUFFLED = (
    "position",
    "position_in_stratum",
    "length",
    "recurring_option",
    "options_clusters_held_out",
    "options_topics_held_out",
    "both_clusters_held_out",
    "both_topics_held_out",
    "question_clusters_held_out",
    "question_topics_held_out",
    "answer_clusters_held_out",
    "answer_topics_held_out",
    "abstention_clusters_held_out",
    "abstention_topics_held_out",
    "option_in_question",
    "answer_in_question",
    "last_session",
)
COUNTED = ("duplicates", "near_duplicates", "inconsistencies")
REPORTED = ("chance", "clusters", "effective_items", "abstentions")
CHECKS = (*SHUFFLED, "constant_answer", *COUNTED, *REPORTED)


@dataclass(frozen=True)
class Lint:
    """What the lint says of a benchmark: tables as `benchmarks.tables` has them."""

    benchmark: Benchmark
    checks: pd.DataFrame
    strata: pd.DataFrame
    flags: pd.DataFrame
    topics: str  # "given", "derived" or "none"


def lint(benchmark: Benchmark, *, seed: int = 0, draws: int = DRAWS) -> Lint:
    """Check a benchmark without any model.

    Parameters
    ----------
    seed : int
        From which folds and draws are drawn; the same seed gives the same tables.
    draws : int
        Draws of random keys behind the p values, at least 19.

    Raises
    ------
    ValueError
        Where there are too few draws for the level.
    """
    import pandas as pd

    if draws < 1 / ALPHA_CUES - 1:
        raise ValueError(f"{draws} draws can't show a p of {ALPHA_CUES}; take 199 or more")
    items = benchmark.items
    repeats = [*facts.duplicates(items), *facts.near_duplicates(items)]
    flags = [*repeats, *facts.inconsistencies(items), *facts.history_dates(items)]
    # A repeat would count its key twice as if it had been drawn twice.
    kept = np.delete(np.arange(len(items)), sorted({flag.item for flag in repeats}))
    known, cues_found = _find_cues([items[i] for i in kept], benchmark.ordered, draws, seed)
    found = {cue.name: replace(cue, places=kept[cue.places]) for cue in cues_found}
    p = adjusted({name: cue.statistic for name, cue in found.items()})
    strata = _by_stratum(items)
    earned = _earned(found.get("both_clusters_held_out"))
    rows = [_shuffled_row(name, found.get(name), p.get(name), items) for name in SHUFFLED]
    rows += [_constant_row(strata, items, benchmark.ordered)]
    rows += [_counted_row(name, flags, len(items)) for name in COUNTED]
    rows += list(_reported_rows(items))
    return Lint(
        benchmark,
        pd.DataFrame(rows),
        _strata_table(strata, items, earned, benchmark.ordered),
        _flags_table(items, flags),
        known,
    )


def _find_cues(
    items: Sequence[Item], ordered: bool, draws: int, seed: int
) -> tuple[str, list[Cue]]:
    """Where topics come from, and every cue that applies."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # on a busy machine threads that wait for one another cost tenfold
        topics, known = _topics(items, seed)
        cells = Cells(folds(facts.joined_clusters(items), seed), folds(topics, seed + 1))
        return known, list(_cues(Draws(items, draws, seed), cells, ordered))


def _topics(items: Sequence[Item], seed: int) -> tuple[list[str], str]:
    """Each item's topic, and whether the benchmark gave it."""
    given = [each.topic for each in items]
    if len(set(given)) > 1:
        return given, "given"
    derived = derived_topics([each.question for each in items], seed)
    return derived, "derived" if len(set(derived)) > 1 else "none"


def _cues(draws: Draws, cells: Cells, ordered: bool) -> Iterator[Cue]:
    if ordered:
        yield from cues.position(draws)
    yield from cues.length(draws)
    yield from cues.recurring_option(draws)
    yield from learned_cues.option_words(draws, cells)
    for cue in learned_cues.question_words(draws, cells):
        if ordered or not cue.name.startswith("question"):
            yield cue
    yield from learned_cues.abstention_words(draws, cells)
    yield from cues.in_question(draws)
    yield from cues.last_session(draws)


def _row(check: str, verdict: str, n: int, statistic: float | None, unit: str, **more: Any) -> dict:
    empty = {"expected": None, "ci95_low": None, "ci95_high": None, "touched": 0.0, "p": None}
    row = {"check": check, "verdict": verdict, "items": n, "statistic": statistic, "unit": unit}
    return row | empty | {"which": ""} | more


def _shuffled_row(name: str, cue: Cue | None, p: float | None, items: Sequence[Item]) -> dict:
    """A way of answering: what it earns, beside what it earns on random keys."""
    if cue is None or cue.statistic.std() <= 1e-12:
        return _row(name, "not applicable", 0 if cue is None else len(cue.places), None, "share")
    expected = float(cue.estimate[1:].mean())
    mean = share_interval(cue.earned, [items[i].cluster for i in cue.places])
    beyond = max(0.0, mean.mean - expected) / max(1e-12, 1 - expected)
    found = p <= ALPHA_CUES and beyond > TOLERATED
    return _row(
        name,
        "found" if found else "clear",
        len(cue.places),
        mean.mean,
        "share",
        expected=expected,
        ci95_low=mean.low,
        ci95_high=mean.high,
        touched=min(1.0, beyond) * len(cue.places) / len(items),
        p=p,
        which=", ".join(f"{key} {value}" for key, value in cue.which.items()),
    )


def _constant_row(strata: dict[str, list[int]], items: Sequence[Item], ordered: bool) -> dict:
    """Strata that one and the same answer wins."""
    named = {name: [items[place] for place in places] for name, places in strata.items()}
    won = list(winning(named, ALPHA_CONSTANTS, ordered))
    touched = sum(len(named[name]) for name, _, _ in won)
    right = sum(constant.right for _, constant, _ in won)
    return _row(
        "constant_answer",
        "found" if won else "clear",
        len(items),
        right / touched if touched else None,
        "share",
        touched=touched / len(items),
        which="; ".join(f"{name or 'all'}: {told(constant)}" for name, constant, _ in won),
    )


def told(constant: Constant) -> str:
    """A constant answer in a few words."""
    if constant.kind == "abstain":
        return "not known"
    return f"place {constant.which}" if constant.kind == "place" else f"“{constant.which}”"


def _counted_row(name: str, flags: Sequence[Flag], n: int) -> dict:
    """Items flagged by a check that needs no chance."""
    touched = len({flag.item for flag in flags if flag.check == name})
    bound = 0 if name == "inconsistencies" else TOLERATED * n
    verdict = "found" if touched > bound else "clear"
    return _row(name, verdict, n, touched, "items", touched=touched / n)


def _reported_rows(items: Sequence[Item]) -> Iterator[dict]:
    sizes = facts.cluster_sizes(items)
    chances = [each.chance for each in items]
    n = len(items)
    spread = f"from {min(chances):.3g} to {max(chances):.3g}"
    yield _row("chance", "reported", n, float(np.mean(chances)), "share", which=spread)
    largest = f"largest {int(sizes.max())}"
    yield _row("clusters", "reported", n, len(sizes), "count", which=largest)
    effective = effective_number(sizes, CORRELATION)
    at = f"at a correlation of {CORRELATION} within clusters"
    yield _row("effective_items", "reported", n, effective, "items", which=at)
    abstaining = sum(each.abstention for each in items)
    yield _row("abstentions", "reported", n, abstaining, "items", touched=abstaining / n)


def _by_stratum(items: Sequence[Item]) -> dict[str, list[int]]:
    """The places of every stratum's items, by name."""
    strata: dict[str, list[int]] = {}
    for place, each in enumerate(items):
        strata.setdefault(each.stratum, []).append(place)
    return dict(sorted(strata.items()))


def _earned(cue: Cue | None) -> dict[int, float]:
    """What each item earns by a cue, by its place; empty where the cue was not tried."""
    return dict(zip(cue.places.tolist(), cue.earned.tolist(), strict=True)) if cue else {}


def _strata_table(
    strata: dict[str, list[int]], items: Sequence[Item], earned: dict[int, float], ordered: bool
) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for name, places in strata.items():
        own = [items[place] for place in places]
        best = max(constants(own, ordered), key=lambda each: each.right, default=None)
        cued = [earned[place] for place in places if place in earned]
        rows.append(
            {
                "stratum": name,
                "items": len(own),
                "chance": float(np.mean([each.chance for each in own])),
                "abstentions": float(np.mean([each.abstention for each in own])),
                "constant": best.right / len(own) if best else 0.0,
                "constant_answer": told(best) if best else "",
                "cues": float(np.mean(cued)) if cued else None,
            }
        )
    return pd.DataFrame(rows).astype({"cues": float})


def _flags_table(items: Sequence[Item], flags: Sequence[Flag]) -> pd.DataFrame:
    import pandas as pd

    rows = [(items[flag.item].id, flag.check, flag.note) for flag in sorted(flags)]
    table = pd.DataFrame(rows, columns=["item_id", "check", "note"], dtype=object)
    return table.drop_duplicates(ignore_index=True)
