"""Control 3, the cells: do the answers follow the document, and can chance explain it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

from veridical.choices.answers import Counts, check_chance, count_answers, find_habit
from veridical.documents.rebinding import corrupted_names
from veridical.statistics.intervals import paired_difference
from veridical.statistics.mcnemar import mcnemar_answers
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05
ANSWER_COLUMNS = (
    "corpus",
    "model",
    "document",
    "probe_id",
    "state",
    "answer",
    "true_partner",
    "document_partner",
    "correct",
    "first_option",
)
PARTS = ("correct", "wrong", "abstained", "unparseable")
CELL_COLUMNS = (
    "corpus",
    "model",
    "corrupted_document",
    "n",
    *(f"{document}_{part}" for document in ("veridical", "corrupted", "none") for part in PARTS),
    "none_answered",
    "veridical_accuracy",
    "corrupted_accuracy",
    "none_accuracy_answered",
    "b",
    "c",
    "both",
    "neither",
    "delta",
    "delta_low",
    "delta_high",
    "discordant_share",
    "p_exact",
    "p_mid",
    "p_holm",
    "m",
    "survives",
    "chance",
    "none_p",
    "valid",
    "follows_corrupted",
    "corrupted_named",
    "first_option_share",
    "one_name_share",
    "tested",
    "conclusion",
)


def cell(answers: pd.DataFrame, corrupted: str, k: int) -> dict[str, Any]:
    """One cell: one model on one corpus, the veridical document against a corrupted one.

    Accuracy counts right answers over all probes; an abstention is no error. The validity check is
    read on the answered probes of `none` alone: does the model beat 1/k without a document? The
    test is exact McNemar on right or not right, two-sided; mid-p stands beside it (McNemar 1947).

    Parameters
    ----------
    answers : pandas.DataFrame
        The cell's answers, `ANSWER_COLUMNS`; one row a (document, probe).
    corrupted : str
        The corrupted document's name.
    k : int
        Number of partners.

    Returns
    -------
    dict
        Every column of `CELL_COLUMNS` that the cell alone decides; Holm's are added by `cells`.
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
        "habit": habit.words(),
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
        `ANSWER_COLUMNS`, of every cell there is.
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
        `CELL_COLUMNS`, in the order declared.
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
    table = pd.DataFrame(rows).reindex(columns=[*CELL_COLUMNS, "habit"])
    for _, family in table.groupby("corpus", sort=False):
        table.loc[family.index, "m"] = len(family)
        table.loc[family.index, "p_holm"] = holm(list(family["p_exact"]), m=len(family))
    table["survives"] = table["p_holm"] <= ALPHA
    table["conclusion"] = [conclude(row) for row in table.to_dict("records")]
    whole = ["n", "b", "c", "both", "neither", "m", "corrupted_named", "none_answered"]
    whole += [column for column in table if column.endswith(PARTS)]
    return table.astype(dict.fromkeys(whole, "Int64"))[list(CELL_COLUMNS)]


def conclude(row: dict[str, Any]) -> str:
    """What follows from a cell for its reader, in words."""
    model = row["model"]
    habit = f"; {row['habit']}" if row.get("habit") else ""
    if row["tested"] == "missing":
        return f"missing: no reply of {model} could be had; it counts as p = 1 in the family"
    if row["tested"] == "not testable":
        return f"not testable: {model} answered no probe under either document{habit}"
    if row["none_answered"] and not row["valid"]:
        return (
            f"this probe does not measure memory for {model}: "
            f"it beats chance without a document{habit}"
        )
    without = (
        "without a document it answers nothing"
        if not row["none_answered"]
        else f"without a document it was not shown to beat chance on {row['none_answered']} answers"
    )
    if not row["survives"]:
        return f"no use of the document shown for {model} ({without}){habit}"
    if row["delta"] < 0:
        return f"the answers of {model} go against the document ({without}){habit}"
    if follows_false(row):
        return f"the answers of {model} follow the document, true or false ({without}){habit}"
    return (
        f"the answers of {model} use the true document, more than the false one ({without}){habit}"
    )


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
