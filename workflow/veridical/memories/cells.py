"""Control 3 through a store: do answers follow what went into the bank? One cell a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.choices.answers import LEFT_OUT
from veridical.choices.habits import FEW
from veridical.choices.tally import drop_left_out
from veridical.control3.counts import count_cells
from veridical.control3.rules import FOLLOWS, or_even
from veridical.documents.corrupted import COUNTED
from veridical.memories.plan import EMPTY, VERIDICAL
from veridical.memories.unequal import UNEQUAL, count_unequal
from veridical.statistics.intervals import paired_difference
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import within
from veridical.statistics.neighbours import tail

ALPHA = 0.05
LEANS = 0.25  # a coin's answers lean away from the bank as far as that once in four
TESTS = ("p_use", "p_follow", "p_against", "p_below", "empty_p")
VERDICTS = (
    "not admitted",  # the treatment did not arrive: p = 1, never 0 %
    "not testable",  # nothing was answered from either bank
    "guessed",  # it beats chance from an empty bank: the probe measures no memory here
    "follows",  # answers most of all probes as the bank has it, true or swapped
    "uses",  # more right from the true bank, and as the bank has it more often than by chance
    "against",  # more right from the swapped bank, and as the bank has it less often than by chance
    "not shown",  # none of these
)
COUNTS = {  # of `control3.counts`, under this part's names
    "n": "n",
    "veridical_correct": "true_right",
    "veridical_answered": "true_answered",
    "corrupted_correct": "swapped_right",
    "corrupted_answered": "swapped_answered",
    "named": "swapped_named",
    "none_correct": "empty_right",
    "none_answered": "empty_answered",
}
PAIRS = ("b", "c", "both", "neither")


def cells(
    answers: pd.DataFrame,
    refused: Mapping[tuple[str, str, str], str],
    declared: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    k: Mapping[str, int],
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """Every declared cell, corrected by Holm over all cells of the study.

    A cell that is not admitted or not testable counts as p = 1 and is named: it never shrinks the
    family and never counts as 0 %. The rules are those of `control3.rules`, so that a store that is
    silent under one bank is not said to remember:

    - `use`: exact McNemar between the two banks, and the answers from both together are as the bank
      at hand has it more often than one in k;
    - `follow`: that, and from each bank by itself more than `FOLLOWS` of all probes are answered as
      it has it;
    - `against`: the tests of `use` the other way;
    - none of them is said where the answers from the empty bank beat chance, corrected or not; nor
      where these are too few to (below `FEW`, though some) and those from the swapped bank lean
      away from it: then a reader that knew the life beforehand explains them as well.

    Each rule's p is the largest of its tests'. Every recall is a question of its own: that
    neighbours in a bank were answered alike is not allowed for. A probe whose answer is left out
    from one bank is left out from all, and counted; a cell of which nothing stays is not testable.
    `p_below` is the exact one-sided p that the answers from the true bank are right less often than
    by chance: that is an alarm, whatever the cell says.

    Parameters
    ----------
    answers : pandas.DataFrame
        `by`, `system`, `reader`, `corpus` and what `readers.answer_row` gives.
    refused : mapping
        (system, corpus, document) → why the bank is not admitted.
    declared : mapping
        Corpus → its swapped documents.
    systems : sequence of str
        The systems declared.
    k : mapping
        Corpus → number of partners; `corrupted.COUNTED` for a life, whose chance is reckoned from
        the counts of each cell (`unequal.count_unequal`).
    by : sequence of str
        Columns that tell studies apart, where the table holds several; each has its own family.

    Raises
    ------
    ValueError
        Where there are answers of a system or corpus that was not declared; naming the probes that
        are answered twice, or lack a bank.
    """
    strangers = (set(answers["system"]) - set(systems)) | (set(answers["corpus"]) - set(declared))
    if strangers:
        raise ValueError(f"answers of what was not declared: {', '.join(sorted(strangers))}")
    answers, lacking = _compared(answers, [*by, "system", "reader", "corpus"])
    table = _grid(answers, declared, systems, by)
    keys = [*by, "corpus", "reader", "system", "swapped_document"]
    table = table.merge(_counted(answers, declared, keys[:-1], k), on=keys, how="left")
    table = table.merge(lacking, on=keys[:-1], how="left")
    table["n_left_out"] = table["n_left_out"].fillna(0).astype(int)
    table["reason"] = [_reason(row, refused) for row in table.itertuples()]
    table["admitted"] = table["reason"].isna()
    families = table.groupby(list(by), sort=False) if by else None
    table["m"] = families["corpus"].transform("size") if families is not None else len(table)
    return conclude(table, by).drop(columns=list(UNEQUAL))


def conclude(table: pd.DataFrame, by: Sequence[str] = (), m: int | None = None) -> pd.DataFrame:
    """What follows from counted cells: every test, its correction, the verdict and the alarm.

    Parameters
    ----------
    table : pandas.DataFrame
        `by`, `chance`, `admitted`, and the counts of `COUNTS` and `PAIRS`.
    m : int or None
        The size of each family, where it has more cells than the table: those count as p = 1.
    """
    table = _tested(table)
    for name in TESTS:
        table[f"{name}_holm"] = within(table, by, name, m)
    table["sound"] = (table["empty_p"] > ALPHA) & ~_foreknown(table)
    table["alarm"] = table["p_below_holm"] <= ALPHA
    table["verdict"] = verdicts(table)
    return table


def _compared(answers: pd.DataFrame, keys: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The answers without the probes left out, and by `keys` how many these are.

    Where nothing would stay, every answer is left out, so that the family keeps its size.
    """
    kept, lacking = drop_left_out(answers, keys)
    if lacking.empty:
        return answers, lacking
    stay = kept[keys].drop_duplicates()
    whole = answers.merge(stay, on=keys, how="left", indicator=True)["_merge"] == "left_only"
    none = answers[whole.to_numpy()].assign(state=LEFT_OUT, answer=None, correct=None)
    return (pd.concat([kept, none]) if len(none) else kept), lacking


def _grid(
    answers: pd.DataFrame,
    declared: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    by: Sequence[str],
) -> pd.DataFrame:
    """A row a cell: who reads what, in the order of the answers, systems as they were declared."""
    where = [*by, "corpus", "reader"]
    heads = answers[[*where, "system"]].drop_duplicates()
    group = heads.groupby(where, sort=False, observed=True).ngroup().to_numpy()
    place = [systems.index(system) for system in heads["system"]]
    heads = heads.iloc[np.lexsort((place, group))]
    swapped = pd.DataFrame(
        [(corpus, name) for corpus, names in declared.items() for name in names],
        columns=["corpus", "swapped_document"],
    )
    return heads.merge(swapped, on="corpus", how="left")


def _counted(
    answers: pd.DataFrame,
    declared: Mapping[str, Sequence[str]],
    keys: list[str],
    k: Mapping[str, int],
) -> pd.DataFrame:
    """How every cell's probes fell, counted from all its banks at once, and what chance gives."""
    parts = []
    for corpus, names in declared.items():
        mine = answers[answers["corpus"] == corpus]
        for name in names if len(mine) else ():
            part = count_cells(mine, name, keys).assign(swapped_document=name)
            if k[corpus] == COUNTED:
                told = count_unequal(mine, name, keys).drop(columns=keys)
            else:
                told = pd.DataFrame({"chance": 1 / k[corpus]}, index=part.index)
            parts.append(part.join(told))
    table = pd.concat(parts, ignore_index=True).reindex(
        columns=[*keys, "swapped_document", *COUNTS, *PAIRS, "chance", *UNEQUAL]
    )
    return table.rename(columns=COUNTS)


def _reason(row: Any, refused: Mapping[tuple[str, str, str], str]) -> str | None:
    """Why a cell is not admitted: what is said of any of its three banks."""
    banks = ((row.system, row.corpus, d) for d in (VERIDICAL, row.swapped_document, EMPTY))
    said = [f"{bank[2]}: {refused[bank]}" for bank in banks if bank in refused]
    return "; ".join(said) or None


def _tested(table: pd.DataFrame) -> pd.DataFrame:
    """The p of each rule in each cell, before correction; 1 where there is nothing to test."""
    given = (table["true_answered"] + table["swapped_answered"]).to_numpy()
    testable = table["admitted"].to_numpy() & (given > 0)
    pairs = table[list(PAIRS)].itertuples(index=False, name=None)
    paired = pd.DataFrame([_paired(*map(int, counts)) for counts in pairs], index=table.index)
    chance = table["chance"].to_numpy()
    true, n = table["true_right"].to_numpy(), table["n"].to_numpy()
    exact = paired["p_mcnemar"].to_numpy()
    agreeing = true + table["swapped_named"].to_numpy()
    more, fewer = (table["b"] > table["c"]).to_numpy(), (table["b"] < table["c"]).to_numpy()
    agree = or_even(table, "agree_p", _beats(agreeing, given, chance))
    leave = or_even(table, "against_p", _beats(given - agreeing, given, 1 - chance))
    use = np.where(more, np.maximum(exact, agree), 1.0)
    shares = [
        _beats(table[name].to_numpy(), n, FOLLOWS) for name in ("true_right", "swapped_named")
    ]
    answered = table["true_answered"].to_numpy()
    found = {
        "p_use": use,
        "p_follow": np.maximum.reduce([use, *shares]),
        "p_against": np.where(fewer, np.maximum(exact, leave), 1.0),
        "p_below": or_even(table, "below_p", _beats(answered - true, answered, 1 - chance)),
    }
    for name, values in found.items():
        table[name] = np.where(testable, values, 1.0)
    right, answered = (table[f"empty_{part}"].to_numpy() for part in ("right", "answered"))
    table["empty_p"] = or_even(table, "match_none_p", _beats(right, answered, chance))
    table = table.join(paired)
    told = ["b", "c", *paired]
    table.loc[~testable, told] = np.nan
    return table.astype({"b": "Int64", "c": "Int64"}).drop(columns=["both", "neither"])


@lru_cache(maxsize=100_000)
def _paired(b: int, c: int, both: int, neither: int) -> dict[str, float]:
    """The difference of right answers between the two banks, with its interval and exact p."""
    delta, (low, high) = paired_difference(
        [1.0] * (b + both) + [0.0] * (c + neither),
        [0.0] * b + [1.0] * (both + c) + [0.0] * neither,
    )
    names = ("delta", "delta_low", "delta_high", "p_mcnemar")
    return dict(zip(names, (delta, low, high, mcnemar_exact(b, c).p), strict=True))


def _foreknown(table: pd.DataFrame) -> NDArray[np.bool_]:
    """Cells in which a few answers from the empty bank tell nothing (below `FEW`; of a life, also
    where all of them right would still be chance), and the swapped bank's lean away from it: none
    is as it has it, or fewer than chance would by an exact p of `LEANS`."""
    given, named = (table[f"swapped_{name}"].to_numpy() for name in ("answered", "named"))
    even = _beats(given - named, given, 1 - table["chance"].to_numpy())
    away = or_even(table, "away_p", even) <= LEANS
    answered = table["empty_answered"].to_numpy()
    few = or_even(table, "best_p", np.where(answered < FEW, 1.0, 0.0)) > ALPHA
    few = (answered > 0) & (few | (answered < FEW))
    return few & (away | ((given > 0) & (named == 0)))


def _beats(hits: NDArray[Any], of: NDArray[Any], chance: Any) -> NDArray[np.float64]:
    """Exact one-sided p of more than chance; 1 where nothing was answered."""
    return np.where(of > 0, tail(hits, of, chance), 1.0)


def verdicts(table: pd.DataFrame) -> NDArray[np.object_]:
    """What follows from each corrected cell: one of `VERDICTS`."""
    shown = {name: table[f"p_{name}_holm"] <= ALPHA for name in ("follow", "use", "against")}
    return np.select(
        [
            ~table["admitted"],
            table["true_answered"] + table["swapped_answered"] == 0,
            table["empty_p_holm"] <= ALPHA,
            ~table["sound"],
            *shown.values(),
        ],
        ["not admitted", "not testable", "guessed", "not shown", "follows", "uses", "against"],
        "not shown",
    ).astype(object)
