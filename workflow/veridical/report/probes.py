"""The drills of forced choices: marked answers side by side, and the exchanges behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from veridical.report.drill import Nested, heads, plain_value, states
from veridical.report.study import Study, fact
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
    answers: pd.DataFrame, keys: Sequence[str], column: str, names: dict[str, str], words: Any
) -> pd.DataFrame:
    """One row a probe, its marked answers side by side: `names` maps values of `column` to columns.

    Only the first sample of a probe counts, where it was asked several times.
    """
    if "sample" in answers:
        answers = answers[answers["sample"] == 0]
    answers = answers.assign(mark=mark(answers, words))
    wide = answers.pivot(index=list(keys), columns=column, values="mark")
    wide = wide.rename(columns=names)[[names[name] for name in names if name in wide]]
    order = answers[list(keys)].drop_duplicates()
    return order.merge(wide.reset_index(), on=list(keys), how="left")


def exchanges(
    study: Study, part: str, condition: str, on: Sequence[str], words: Wording
) -> tuple[dict[str, pd.DataFrame], tuple[Nested, ...]]:
    """What was asked and what came back in a part, joined to its rows by the columns `on`.

    Those, and the column `condition`, are facts of the exchanges.
    """
    kept = study.exchanges.get(part)
    if kept is None or kept.empty:
        return {}, ()
    table = kept[kept["sample"] == 0]
    named = [name for name in (*on, condition) if name not in table]
    table = table.assign(**{name: fact(table, name) for name in named})
    table = table[table["probe_id"].notna()].drop_duplicates([*on, condition], keep="last")
    table = table.assign(state=states(table, words))
    columns = heads(words, condition, "asked:quote", "reply:quote", "state")
    kept_columns = [*on, condition, "asked", "reply", "state"]
    label = words("drill.nested.exchanges")
    return {"exchanges": table[kept_columns]}, (Nested(label, "exchanges", tuple(on), columns),)
