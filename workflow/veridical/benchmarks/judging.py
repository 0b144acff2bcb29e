"""Open answers before blinded judges: what is put to them, and what their verdicts come to.

A judge is shown a question, the right answer and the answer given, and nothing of who gave it or
behind what. The same answer to the same item is one sheet, whoever gave it in whichever arm, so
that a judge's mood can't make a difference between arms out of equal answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.benchmarks.scoring import said
from veridical.benchmarks.tables import JUDGED, SHEETS
from veridical.models.grading import verdict_turn, verdicts
from veridical.models.prompts import Prompt

if TYPE_CHECKING:
    import pandas as pd

VERDICTS = verdicts()
OWN = ["item_id", "answer"]  # what one sheet is about
ALL = "all"  # the judges together, in the table of agreement


def wordings_of(prompts: Iterable[Prompt]) -> dict[str, tuple[str, ...]]:
    """By item, how its right answer may be worded, from the facts of what was asked."""
    return {
        prompt.facts["item_id"]: (prompt.facts["truth"], *prompt.facts["accepted"])
        for prompt in prompts
    }


def waiting(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The scored replies (`scoring.score`) that wait for a judge."""
    return [row for row in rows if row["correct"] is None]


def sheets_table(
    rows: Sequence[Mapping[str, Any]], judges: Sequence[str], seed: int
) -> pd.DataFrame:
    """Which answers each judge sees, and in which order: `tables.SHEETS`.

    Each judge has an order of its own, drawn from the seed and its name; a sheet's number is its
    place in that order and tells nothing else. Raises ValueError where no answer waits.
    """
    import pandas as pd

    answers = pd.DataFrame(waiting(rows), columns=OWN).drop_duplicates().sort_values(OWN)
    if answers.empty:
        raise ValueError(
            "scoring: judges, and no open answer to judge: every item asked has options, is right "
            "where it is abstained from, or got no answer; set `scoring` to contains"
        )
    width = max(3, len(str(len(answers))))
    tables = []
    for judge in judges:
        generator = np.random.default_rng([seed, *judge.encode()])
        own = answers.iloc[generator.permutation(len(answers))]
        ids = [f"answer-{judge}-{place:0{width}d}" for place in range(1, len(own) + 1)]
        tables.append(own.assign(judge=judge, sheet_id=ids))
    return pd.concat(tables, ignore_index=True)[SHEETS.names]


def sheet_prompts(
    sheets: pd.DataFrame,
    questions: Mapping[str, str],
    wordings: Mapping[str, Sequence[str]],
    judge: str,
    parameters: Mapping[str, Any],
) -> Iterator[Prompt]:
    """One judge's sheets in their order. They carry no facts: nothing tells model, arm or stratum.

    `sheets` is `tables.SHEETS`; `questions` and the right answer's `wordings` are by item.
    """
    for row in sheets[sheets["judge"] == judge].itertuples(index=False):
        expected = "\nor: ".join(wordings[row.item_id])
        turn = verdict_turn(questions[row.item_id], expected, row.answer)
        yield Prompt(row.sheet_id, (turn,), parameters=dict(parameters))


def read_verdicts(
    sheets: pd.DataFrame, replies: Sequence[pd.DataFrame], wordings: Mapping[str, Sequence[str]]
) -> pd.DataFrame:
    """Every sheet with its verdict: `tables.JUDGED`. One that can't be read stays, without any.

    Parameters
    ----------
    replies : sequence of pandas.DataFrame
        `model`, `id`, `state`, `value`, one table a judge.
    wordings : mapping
        By item, the right answer's wordings, for what exact match says of the same answers.

    Raises
    ------
    ValueError
        Naming the sheets that have no reply or more than one.
    """
    import pandas as pd

    found = pd.concat(replies, ignore_index=True)[["id", "state", "value"]]
    twice = found.loc[found["id"].duplicated(), "id"].tolist()
    missing = sorted(set(sheets["sheet_id"]) ^ set(found["id"]))
    if wrong := twice or missing:
        raise ValueError(f"not one verdict each on the sheets drawn: {', '.join(wrong[:5])}")
    table = sheets.merge(found, left_on="sheet_id", right_on="id", validate="1:1")
    read = (table["state"] == "ok") & table["value"].isin(VERDICTS)
    exact = [
        said(answer, wordings[item], "exact")
        for item, answer in zip(table["item_id"], table["answer"], strict=True)
    ]
    return table.assign(verdict=table["value"].where(read), exact=exact)[JUDGED.names]


def settle(rows: Sequence[Mapping[str, Any]], judged: pd.DataFrame) -> list[dict[str, Any]]:
    """The scored replies with what the judges made of those that waited.

    An answer is right where more than half of the verdicts that could be read say so; one on which
    they are split evenly, or of which none could be read, is not.
    """
    share, settled = _shares(judged), []
    for row in rows:
        own = (row["item_id"], row["answer"])
        late = {"correct": share.get(own, 0.0) > 0.5} if row["correct"] is None else {}
        settled.append({**row, **late})
    return settled


def _shares(judged: pd.DataFrame) -> dict[tuple[str, str], float]:
    """By answer (`OWN`), the share of its readable verdicts that call it right."""
    read = judged.dropna(subset=["verdict"])
    return (read["verdict"] == "right").groupby([read[name] for name in OWN]).mean().to_dict()


def agreement(judged: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """One row a judge, and one for all together: its verdicts beside exact match
    (`tables.AGREEMENT`). Where all together are split evenly they have none."""
    for judge, own in judged.groupby("judge", sort=False):
        yield {"judge": judge, **_beside(own)}
    if judged["judge"].nunique() > 1:
        rows, shares = judged[[*OWN, "exact"]].drop_duplicates(OWN), _shares(judged)
        found = [shares.get(own, 0.5) for own in rows[OWN].itertuples(index=False, name=None)]
        verdict = [None if share == 0.5 else VERDICTS[share < 0.5] for share in found]
        yield {"judge": ALL, **_beside(rows.assign(verdict=verdict))}


def _beside(own: pd.DataFrame) -> dict[str, Any]:
    """Counts of one judge's verdicts by what exact match says, and how often both say the same."""
    from veridical.statistics.intervals import wilson

    read = own.dropna(subset=["verdict"])
    right, exact = read["verdict"] == "right", read["exact"].astype(bool)
    same, n = int((right == exact).sum()), len(read)
    ends = wilson(same, n) if n else (None, None)
    return {
        "answers": len(own),
        "unread": len(own) - n,
        "both": int((right & exact).sum()),
        "judge_only": int((right & ~exact).sum()),
        "exact_only": int((~right & exact).sum()),
        "neither": int((~right & ~exact).sum()),
        "same": same / n if n else None,
        "ci95_low": ends[0],
        "ci95_high": ends[1],
    }
