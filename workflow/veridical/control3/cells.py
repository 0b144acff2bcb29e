"""Control 3, the cells: do the answers follow the document, and can chance explain it?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from numbers import Number
from typing import TYPE_CHECKING, Any

from veridical.choices.answers import Counts, check_chance
from veridical.choices.tally import drop_left_out
from veridical.control3.counts import KINDS, MATCHED, count_cells, count_matches
from veridical.control3.rules import conclude
from veridical.control3.tables import CELLS, PARTS
from veridical.documents.corrupted import COUNTED, corrupted_names
from veridical.statistics.intervals import paired_difference
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import within

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05


def cells(
    answers: pd.DataFrame,
    declared: Sequence[tuple[str, str]],
    k: Mapping[str, int],
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """All declared cells: the registered test, corrected by Holm within each corpus, and findings.

    Accuracy counts right answers over all probes; an abstention is no error. The registered test is
    exact McNemar on right or not right, two-sided; mid-p stands beside it (McNemar 1947). Its
    family is every model declared for a corpus times its k - 1 corrupted documents. A cell that is
    `missing` (a document got no reply at all) or `not testable` (neither document was answered)
    counts as p = 1 and is named; it never shrinks the family. A probe that is left out under any
    document is left out of its model and corpus under all, and counted (`n_left_out`). What follows
    for the reader is decided by `rules.conclude`, over all cells of the study.

    Parameters
    ----------
    answers : pandas.DataFrame
        `tables.ANSWERS`, of every cell there is.
    declared : sequence of (corpus, model)
        The cells that the config declares.
    k : dict
        Number of partners by corpus; `corrupted.COUNTED` for a life, whose chance is reckoned from
        the counts (`counts.count_matches`).
    by : sequence of str
        Columns that tell studies apart, where the table holds several; each has its own families.

    Raises
    ------
    ValueError
        Where there are answers of a cell that was not declared; naming the probes that are answered
        twice, or lack a document.

    Returns
    -------
    pandas.DataFrame
        `tables.CELLS` (after `by`), in the order declared.
    """
    import pandas as pd

    pairs = answers[["corpus", "model"]].drop_duplicates().itertuples(index=False, name=None)
    strangers = set(pairs) - set(declared)
    if strangers:
        named = ", ".join(f"{model} on corpus {corpus}" for corpus, model in sorted(strangers))
        raise ValueError(f"answers of cells that the config doesn't declare: {named}")
    grid = _grid(answers, declared, k, by)
    answers, lacking = drop_left_out(answers, [*by, "corpus", "model"])
    counted = [
        part
        for corpus in dict.fromkeys(corpus for corpus, _ in declared)
        for part in _counted(answers[answers["corpus"] == corpus], corpus, k[corpus], by)
    ]
    keys = [*by, "corpus", "model", "corrupted_document"]
    if not counted:  # every probe is left out: all cells are missing, none is lost
        counted = [count_cells(answers, "", keys[:-1]).assign(corrupted_document="")]
    table = grid.merge(pd.concat(counted, ignore_index=True), on=keys, how="left")
    table = table.merge(lacking, on=keys[:-1], how="left")
    table = _described(table, k)
    family = [*by, "corpus"]
    table["m"] = table.groupby(family, sort=False)["model"].transform("size")
    table["p_holm"] = within(table, family, "p_exact")
    table["survives"] = table["p_holm"] <= ALPHA
    found = table.join(conclude(table, by))
    whole = [
        "n",
        "n_left_out",
        "b",
        "c",
        "both",
        "neither",
        "m",
        "corrupted_named",
        "none_answered",
        "cells",
    ]
    whole += [f"{kind}_{part}" for kind in KINDS for part in PARTS]
    return found.astype(dict.fromkeys(whole, "Int64"))[[*by, *CELLS.names]]


def _counted(answers: pd.DataFrame, corpus: str, k: int, by: Sequence[str]) -> list[pd.DataFrame]:
    """One corpus's counts, a table a corrupted document."""
    if answers.empty:
        return []
    keys = [*by, "corpus", "model"]
    return [
        _matched(count_cells(answers, name, keys), answers, name, keys, k).assign(
            corpus=corpus, corrupted_document=name
        )
        for name in corrupted_names(k)
    ]


def _matched(
    counted: pd.DataFrame, answers: pd.DataFrame, name: str, keys: Sequence[str], k: int
) -> pd.DataFrame:
    """With what chance gives: one in k, or in a life what the counts make it."""
    if k != COUNTED:
        return counted.assign(chance=1 / k)
    told = count_matches(answers, name, keys)
    return counted.join(told.drop(columns=list(keys)))


def _grid(
    answers: pd.DataFrame,
    declared: Sequence[tuple[str, str]],
    k: Mapping[str, int],
    by: Sequence[str],
) -> pd.DataFrame:
    """Every declared cell of every study, in order."""
    import pandas as pd

    rows = [(c, model, name) for c, model in declared for name in corrupted_names(k[c])]
    grid = pd.DataFrame(rows, columns=["corpus", "model", "corrupted_document"])
    return answers[list(by)].drop_duplicates().merge(grid, how="cross") if by else grid


def _described(table: pd.DataFrame, k: Mapping[str, int]) -> pd.DataFrame:
    """The counts with what each cell's registered test and shares say."""
    import pandas as pd

    text = {"replied": False, "name": None, "corpus": None}
    numbers = [name for name in table.columns if table[name].dtype.kind in "iuf"]
    apart = ("neighbours", "none_neighbours", "chance", *MATCHED)
    numbers = [name for name in numbers if name not in apart]
    table[numbers] = table[numbers].fillna(0).astype(int)
    table["replied"] = table["replied"].astype("boolean").fillna(text["replied"]).astype(bool)
    table = _with_chance(table, k)
    table["tested"] = [
        _tested(row.replied, row.veridical_answered + row.corrupted_answered)
        for row in table.itertuples()
    ]
    told = [
        _row(row.tested, row.n, (row.b, row.c, row.both, row.neither))
        | _shares(
            row.tested,
            tuple(getattr(row, f"veridical_{part}") for part in PARTS),
            tuple(getattr(row, f"corrupted_{part}") for part in PARTS),
            row.named,
        )
        | _without(
            tuple(getattr(row, f"none_{part}") for part in PARTS),
            row.chance,
            None if math.isnan(row.match_none_p) else row.match_none_p,
        )
        | _bounds(row)
        for row in table.itertuples()
    ]
    table["first_option_share"] = table["first"] / table["given"].where(table["given"] > 0)
    table["one_name_share"] = table["most"] / table["given"].where(table["given"] > 0)
    table = table.drop(columns=["b", "c", "both", "neither"])
    return pd.concat([table, pd.DataFrame(told, index=table.index)], axis=1)


def _with_chance(table: pd.DataFrame, k: Mapping[str, int]) -> pd.DataFrame:
    """One in k; in a life the counts' own (of a cell that is missing, that of its corpus's others,
    and 1 where there is none: nothing beats it)."""
    for name in ("chance", *MATCHED):
        if name not in table:
            table[name] = math.nan
    even = table["corpus"].map({corpus: 1 / n for corpus, n in k.items() if n != COUNTED})
    others = table.groupby("corpus")["chance"].transform("max")
    table["chance"] = even.fillna(table["chance"]).fillna(others).fillna(1.0).astype(float)
    return table


def _tested(replied: bool, answered: int) -> str:
    if not replied:
        return "missing"
    return "tested" if answered else "not testable"


@lru_cache(maxsize=100_000)
def _row(tested: str, n: int, pairs: tuple[int, int, int, int]) -> dict[str, Any]:
    """The registered test from the four counts of pairs; nothing where there is nothing to test."""
    names = ("b", "c", "both", "neither")
    if tested != "tested":
        rest = ("delta", "delta_low", "delta_high", "discordant_share", "p_exact", "p_mid")
        return dict.fromkeys((*names, *rest))
    b, c, both, neither = pairs
    result = mcnemar_exact(b, c)
    first = [1.0] * (b + both) + [0.0] * (c + neither)
    second = [0.0] * b + [1.0] * both + [1.0] * c + [0.0] * neither
    delta, ends = paired_difference(first, second)
    return {
        **dict(zip(names, pairs, strict=True)),
        "delta": delta,
        "delta_low": ends.low,
        "delta_high": ends.high,
        "discordant_share": result.share if result.discordant else None,
        "p_exact": result.p,
        "p_mid": result.mid_p,
    }


def _shares(
    tested: str, veridical: tuple[int, ...], corrupted: tuple[int, ...], named: int
) -> dict[str, Any]:
    """Right of all probes under each document, and what its wrong answers name."""
    names = ("veridical_accuracy", "corrupted_accuracy", "follows_corrupted", "corrupted_named")
    if tested != "tested":
        return dict.fromkeys(names)
    one, two = Counts(*veridical), Counts(*corrupted)
    values = (_accuracy(one), _accuracy(two), _share(named, two.wrong), named)
    return dict(zip(names, values, strict=True))


@lru_cache(maxsize=100_000)
def _without(none: tuple[int, ...], chance: float, matched: float | None) -> dict[str, Any]:
    """The registered check of the answers without a document; `matched` is a life's exact p."""
    counts = Counts(*none)
    p, valid = check_chance(counts, chance)
    if matched is not None and counts.answered:
        p, valid = matched, matched > ALPHA
    share = _share(counts.correct, counts.answered)
    return {"none_accuracy_answered": share, "none_p": p, "valid": valid}


def _bounds(row: Any) -> dict[str, float | None]:
    """Right of all probes if every silent one were wrong, or right (Manski), by document."""
    found = {}
    for kind in KINDS:
        n, right, wrong = (getattr(row, f"{kind}_{part}") for part in ("n", "correct", "wrong"))
        found[f"{kind}_bound_low"] = right / n if n else None
        found[f"{kind}_bound_high"] = 1 - wrong / n if n else None
    return found


def follows_false(row: Mapping[str, Any]) -> bool:
    """Whether most of the probes under the corrupted document are answered with its partner.

    Of all probes asked: a model that falls silent there, or names a third partner, doesn't follow.
    """
    named, n = row["corrupted_named"], row["n"]
    return isinstance(named, Number) and isinstance(n, Number) and bool(named > n / 2)


def _accuracy(counts: Counts) -> float | None:
    """Right answers over all probes; None where nothing was answered: that is no 0 %."""
    return counts.correct / counts.n if counts.answered else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
