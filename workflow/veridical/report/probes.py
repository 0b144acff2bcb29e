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
    """What was asked and what came back in a part, joined to its rows by the columns `on`."""
    kept = study.exchanges.get(part)
    if kept is None or kept.empty:
        return {}, ()
    table = kept[kept["sample"] == 0].drop_duplicates(["slice", "model", "id"], keep="last").copy()
    probes = sorted(study.tables[f"{part}/answers"]["probe_id"].unique(), key=len, reverse=True)
    known = set(probes)

    def split(entry: str) -> tuple[str, str]:
        for place in range(len(entry)):
            if entry[place] == "-" and entry[place + 1 :] in known:
                return entry[:place], entry[place + 1 :]
        return "", entry

    pairs = table["id"].map(split)
    table[condition] = pairs.map(lambda pair: pair[0])
    table["probe_id"] = pairs.map(lambda pair: pair[1])
    if "corpus" in on:
        corpora = sorted(study.tables[f"{part}/answers"]["corpus"].astype(str).unique())
        table["corpus"] = table["slice"].map(lambda name: _corpus_of(str(name), corpora))
    table["state"] = states(table, words)
    columns = heads(words, condition, "asked:quote", "reply:quote", "state")
    kept_columns = [*on, condition, "asked", "reply", "state"]
    label = words("drill.nested.exchanges")
    return {"exchanges": table[kept_columns]}, (Nested(label, "exchanges", tuple(on), columns),)


def _corpus_of(name: str, corpora: list[str]) -> str:
    """The corpus that a slice's name begins with (`A`, `A-veridical`, `A/veridical`)."""
    for corpus in sorted(corpora, key=len, reverse=True):
        if name == corpus or name.startswith((f"{corpus}-", f"{corpus}/", f"{corpus}_")):
            return corpus
    return corpora[0] if len(corpora) == 1 else name
