"""The drills of forced choices: marked answers side by side, and the exchanges behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from veridical.report.drill import Nested, heads, plain_value, states
from veridical.report.study import Study
from veridical.report.wording import Wording


def mark(answers: pd.DataFrame, words: Any) -> pd.Series:
    """Answers with their mark: `1|text` right, `0|text` wrong, `-|state` neither.

    `answers` has state, answer and correct (true, false or missing).
    """
    marks = []
    for state, answer, correct in zip(
        answers["state"], answers["answer"], answers["correct"], strict=True
    ):
        if correct is None or pd.isna(correct) or state != "ok":
            marks.append("-|" + words.value("state", state))
        else:
            marks.append(f"{int(bool(correct))}|{plain_value(answer)}")
    return pd.Series(marks, index=answers.index, dtype=object)


def pivot(
    answers: pd.DataFrame, keys: Sequence[str], column: str, words: Wording
) -> tuple[pd.DataFrame, dict[str, str]]:
    """One row a probe, its marked answers side by side, a column for each value of `column`.

    Returns the rows and, by value, the name of its column.
    """
    names = {value: f"answer_{value}" for value in answers[column].drop_duplicates()}
    answers = answers.assign(mark=mark(answers, words))
    wide = answers.pivot(index=list(keys), columns=column, values="mark")
    order = answers[list(keys)].drop_duplicates()
    wide = wide.rename(columns=names)[list(names.values())].reset_index()
    return order.merge(wide, on=list(keys), how="left"), names


def exchanges(
    study: Study, part: str, column: str, on: Sequence[str], words: Wording
) -> tuple[dict[str, pd.DataFrame], tuple[Nested, ...]]:
    """What was asked and what came back in a part, joined to its rows by the columns `on`.

    They, and `column`, which says under what it was asked, are the model and facts of the reply.
    """
    facts = [name for name in (*on, column) if name != "model"]
    table = study.answered(part, *facts)
    if table.empty:
        return {}, ()
    table = table[table["sample"] == 0]
    table = table.drop_duplicates(["model", *facts], keep="last")
    table = table.assign(state=states(table, words))
    shown = heads(words, column, ("asked", "quote"), ("reply", "quote"), "state")
    nested = Nested(words("drill.nested.exchanges"), "exchanges", tuple(on), shown)
    return {"exchanges": table[[*on, column, "asked", "reply", "state"]]}, (nested,)
