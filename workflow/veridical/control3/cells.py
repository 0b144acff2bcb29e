"""Control 3, the cells: do the answers follow the document, and can chance explain it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

from veridical.choices.answers import Counts, check_chance, count_answers, find_habit
from veridical.control3.tables import CELLS, PARTS
from veridical.documents.rebinding import corrupted_names
from veridical.statistics.intervals import paired_difference
from veridical.statistics.mcnemar import mcnemar_answers
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05


def cell(answers: pd.DataFrame, corrupted: str, k: int) -> dict[str, Any]:
    """One cell: one model on one corpus, the veridical document against a corrupted one.

    Accuracy counts right answers over all probes; an abstention is no error. The validity check is
    read on the answered probes of `none` alone: does the model beat 1/k without a document? The
    test is exact McNemar on right or not right, two-sided; mid-p stands beside it (McNemar 1947).

    Parameters
    ----------
    answers : pandas.DataFrame
        The cell's answers, `tables.ANSWERS`; one row a (document, probe).
    corrupted : str
        The corrupted document's name.
    k : int
        Number of partners.

    Returns
    -------
    dict
        Every column of `tables.CELLS` that the cell alone decides; Holm's are added by `cells`.
        `tested` is `missing` where a document got no reply at all, and `not testable` where
        neither of the two documents was answered: then there is no accuracy and no p.

    Raises
    ------
    ValueError
        Naming the probes that are answered twice, or lack a document.
    """
    counts = {
        name: count_answers(answers[answers["document"] == document])
        for name, document in (
            ("veridical", "veridical"),
            ("corrupted", corrupted),
            ("none", "none"),
        )
    }
    habit = find_habit(answers[answers["document"].isin(["veridical", corrupted, "none"])])
    none_p, valid = check_chance(counts["none"], 1 / k)
    row: dict[str, Any] = {
        "corrupted_document": corrupted,
        "n": counts["veridical"].n,
        **{f"{name}_{part}": getattr(counts[name], part) for name in counts for part in PARTS},
        "none_answered": counts["none"].answered,
        "none_accuracy_answered": _share(counts["none"].correct, counts["none"].answered),
        "chance": 1 / k,
        "none_p": none_p,
        "valid": valid,
        "first_option_share": habit.first_share,
        "one_name_share": habit.name_share,
    }
    replied = answers[answers["state"] != "failed"]
    asked = {"veridical", corrupted} & set(replied["document"])
    if len(asked) < 2:
        return {**row, "tested": "missing"}
    if counts["veridical"].answered + counts["corrupted"].answered == 0:
        return {**row, "tested": "not testable"}
    result = mcnemar_answers(answers, "veridical", corrupted)
    delta, ends = _difference(answers, corrupted)
    false = answers[(answers["document"] == corrupted) & answers["answer"].notna()]
    named = int((false["answer"] == false["document_partner"]).sum())
    return {
        **row,
        "veridical_accuracy": _accuracy(counts["veridical"]),
        "corrupted_accuracy": _accuracy(counts["corrupted"]),
        "b": result.b,
        "c": result.c,
        "both": result.both,
        "neither": result.neither,
        "delta": delta,
        "delta_low": ends[0],
        "delta_high": ends[1],
        "discordant_share": result.share if result.discordant else None,
        "p_exact": result.p,
        "p_mid": result.mid_p,
        "follows_corrupted": _share(named, counts["corrupted"].wrong),
        "corrupted_named": named,
        "tested": "tested",
    }


def cells(
    answers: pd.DataFrame, declared: Sequence[tuple[str, str]], k: dict[str, int]
) -> pd.DataFrame:
    """All declared cells, corrected by Holm within each corpus.

    The family of a corpus is every model declared for it times its k - 1 corrupted documents. A
    cell that is missing or not testable counts as p = 1 and is named; it never shrinks the family.

    Parameters
    ----------
    answers : pandas.DataFrame
        `tables.ANSWERS`, of every cell there is.
    declared : sequence of (corpus, model)
        The cells that the config declares.
    k : dict
        Number of partners by corpus.

    Raises
    ------
    ValueError
        Where there are answers of a cell that was not declared.

    Returns
    -------
    pandas.DataFrame
        `tables.CELLS`, in the order declared.
    """
    import pandas as pd

    strangers = set(zip(answers["corpus"], answers["model"], strict=True)) - set(declared)
    if strangers:
        named = ", ".join(f"{model} on corpus {corpus}" for corpus, model in sorted(strangers))
        raise ValueError(f"answers of cells that the config doesn't declare: {named}")
    rows = []
    for corpus, model in declared:
        mine = answers[(answers["corpus"] == corpus) & (answers["model"] == model)]
        rows.extend(
            {"corpus": corpus, "model": model, **cell(mine, name, k[corpus])}
            for name in corrupted_names(k[corpus])
        )
    table = pd.DataFrame(rows).reindex(columns=CELLS.names)
    for _, family in table.groupby("corpus", sort=False):
        table.loc[family.index, "m"] = len(family)
        table.loc[family.index, "p_holm"] = holm(list(family["p_exact"]), m=len(family))
    table["survives"] = table["p_holm"] <= ALPHA
    whole = ["n", "b", "c", "both", "neither", "m", "corrupted_named", "none_answered"]
    whole += [column for column in table if column.endswith(PARTS)]
    return table.astype(dict.fromkeys(whole, "Int64"))


def follows_false(row: Mapping[str, Any]) -> bool:
    """Whether most of the probes under the corrupted document are answered with its partner.

    Of all probes asked: a model that falls silent there, or names a third partner, doesn't follow.
    """
    named, n = row["corrupted_named"], row["n"]
    return isinstance(named, Number) and isinstance(n, Number) and bool(named > n / 2)


def _difference(answers: pd.DataFrame, corrupted: str) -> tuple[float, tuple[float, float]]:
    """Accuracy with the veridical less that with the corrupted document, paired."""
    right = answers.assign(right=answers["correct"].astype("boolean").fillna(False).astype(float))
    wide = right.pivot(index="probe_id", columns="document", values="right")
    return paired_difference(list(wide["veridical"]), list(wide[corrupted]))


def _accuracy(counts: Counts) -> float | None:
    """Right answers over all probes; None where nothing was answered: that is no 0 %."""
    return counts.correct / counts.n if counts.answered else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
