"""Control 3 through a store: do answers follow what went into the bank? One cell a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.choices.answers import LEFT_OUT, count_answers
from veridical.choices.tally import drop_left_out
from veridical.control3.rules import FOLLOWS
from veridical.memories.plan import EMPTY, VERIDICAL
from veridical.statistics.intervals import binomial_greater, paired_difference
from veridical.statistics.mcnemar import mcnemar_answers
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05
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


def cells(
    answers: pd.DataFrame,
    refused: Mapping[tuple[str, str, str], str],
    declared: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    k: Mapping[str, int],
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
    - none of them is said where the answers from the empty bank beat chance, corrected or not.

    Each rule's p is the largest of its tests'. Every recall is a question of its own: that
    neighbours in a bank were answered alike is not allowed for. A probe whose answer is left out
    from one bank is left out from all, and counted; a cell of which nothing stays is not testable.

    Parameters
    ----------
    answers : pandas.DataFrame
        `system`, `reader`, `corpus` and what `readers.answer_row` gives.
    refused : mapping
        (system, corpus, document) → why the bank is not admitted.
    declared : mapping
        Corpus → its swapped documents.
    systems : sequence of str
        The systems declared.
    k : mapping
        Corpus → number of partners.

    Raises
    ------
    ValueError
        Where there are answers of a system or corpus that was not declared.
    """
    import pandas as pd

    strangers = (set(answers["system"]) - set(systems)) | (set(answers["corpus"]) - set(declared))
    if strangers:
        raise ValueError(f"answers of what was not declared: {', '.join(sorted(strangers))}")
    answers, lacking = _compared(answers)
    rows = []
    for (corpus, reader), mine in answers.groupby(["corpus", "reader"], sort=False):
        read = [system for system in systems if system in set(mine["system"])]
        for system in read:
            own = mine[mine["system"] == system]
            for swapped in declared[corpus]:
                where = {"system": system, "corpus": corpus, "reader": reader}
                said = [
                    f"{document}: {refused[system, corpus, document]}"
                    for document in (VERIDICAL, swapped, EMPTY)
                    if (system, corpus, document) in refused
                ]
                out = {"n_left_out": lacking.get((system, reader, corpus), 0)}
                rows.append({**where, **out, **cell(own, swapped, k[corpus], "; ".join(said))})
    table = pd.DataFrame(rows)
    table["m"] = len(table)
    for name in TESTS:
        table[f"{name}_holm"] = holm(list(table[name]))
    table["sound"] = table["empty_p"] > ALPHA
    table["alarm"] = table["p_below_holm"] <= ALPHA
    table["verdict"] = [verdict(row) for row in table.to_dict("records")]
    return table


def _compared(answers: pd.DataFrame) -> tuple[pd.DataFrame, dict[Any, int]]:
    """The answers without the probes left out, and how many these are by system, reader, corpus.

    Where nothing would stay, every answer is left out, so that the family keeps its size.
    """
    import pandas as pd

    keys = ["system", "reader", "corpus"]
    kept, lacking = drop_left_out(answers, keys)
    stay = set(kept[keys].itertuples(index=False, name=None))
    gone = [key not in stay for key in answers[keys].itertuples(index=False, name=None)]
    none = answers[gone].assign(state=LEFT_OUT, answer=None, correct=None)
    counts = {tuple(row[:-1]): int(row[-1]) for row in lacking.itertuples(index=False, name=None)}
    return (pd.concat([kept, none]) if any(gone) else kept), counts


def cell(answers: pd.DataFrame, swapped: str, k: int, refused: str = "") -> dict[str, Any]:
    """One cell before correction; `refused` says why it is not admitted, empty where it is.

    `p_below` is the exact one-sided p that the answers from the true bank are right less often than
    by chance: that is an alarm, whatever the cell says.
    """
    counts = {
        name: count_answers(answers[answers["document"] == document])
        for name, document in (("true", VERIDICAL), ("swapped", swapped), ("empty", EMPTY))
    }
    true, false, empty = counts.values()
    named = answers[(answers["document"] == swapped) & answers["answer"].notna()]
    follows = int((named["answer"] == named["document_partner"]).sum())
    row: dict[str, Any] = {
        "swapped_document": swapped,
        "n": true.n,
        "true_right": true.correct,
        "true_answered": true.answered,
        "swapped_right": false.correct,
        "swapped_answered": false.answered,
        "swapped_named": follows,
        "empty_right": empty.correct,
        "empty_answered": empty.answered,
        "empty_p": _beats(empty.correct, empty.answered, 1 / k),
        "chance": 1 / k,
        "admitted": not refused,
        "reason": refused or None,
        **dict.fromkeys(("p_use", "p_follow", "p_against", "p_below"), 1.0),
    }
    if refused or true.answered + false.answered == 0:
        return row
    test = mcnemar_answers(answers, VERIDICAL, swapped)
    both, neither = test.both or 0, test.neither or 0
    delta, (low, high) = paired_difference(
        [1.0] * (test.b + both) + [0.0] * (test.c + neither),
        [0.0] * test.b + [1.0] * (both + test.c) + [0.0] * neither,
    )
    given, agreeing = true.answered + false.answered, true.correct + follows
    use = max(test.p, _beats(agreeing, given, 1 / k))
    shares = [_beats(hits, true.n, FOLLOWS) for hits in (true.correct, follows)]
    wrong = true.answered - true.correct
    return row | {
        "b": test.b,
        "c": test.c,
        "delta": delta,
        "delta_low": low,
        "delta_high": high,
        "p_mcnemar": test.p,
        "p_use": use if test.b > test.c else 1.0,
        "p_follow": max(use, *shares) if test.b > test.c else 1.0,
        "p_against": max(test.p, _beats(given - agreeing, given, 1 - 1 / k))
        if test.c > test.b
        else 1.0,
        "p_below": _beats(wrong, true.answered, 1 - 1 / k),
    }


def _beats(correct: int, n: int, chance: float) -> float:
    """Exact one-sided p of more than chance; 1 where nothing was answered."""
    return binomial_greater(correct, n, chance) if n else 1.0


def verdict(row: Mapping[str, Any]) -> str:
    """What follows from a corrected cell: one of `VERDICTS`."""
    if not row["admitted"]:
        return "not admitted"
    if row["true_answered"] + row["swapped_answered"] == 0:
        return "not testable"
    if row["empty_p_holm"] <= ALPHA:
        return "guessed"
    if not row["sound"]:
        return "not shown"
    for name, shown in (("follow", "follows"), ("use", "uses"), ("against", "against")):
        if row[f"p_{name}_holm"] <= ALPHA:
            return shown
    return "not shown"
