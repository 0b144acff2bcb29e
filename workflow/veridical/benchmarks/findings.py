"""What the benchmark's part found, in sentences: does its score owe anything to memory?

Every conclusion is a word of the tables (`finding`, `verdict`); here it only becomes a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.report.finding import Finding
from veridical.report.wording import Said, Wording

KEY = "findings."


def find(
    premium: pd.DataFrame,
    checks: pd.DataFrame,
    words: Wording,
    banks: pd.DataFrame | None = None,
) -> Finding:
    """Do models earn more with the history than with the best arm without memory?

    `firm` where every model's premium is shown to lie on one side; `limited` where some's is;
    `open` where none's is. Read on all items; strata and the lint are details.
    """
    rows = premium[premium["stratum"] == ""]
    strata = premium[premium["stratum"] != ""]
    shown = rows[rows["finding"] != "not shown"]
    sure = "open" if shown.empty else "firm" if len(shown) == len(rows) else "limited"
    limits = [*_refused(banks, words), words(KEY + "reach", premium=_interval(rows, words))]
    details = [*_strata(strata, words), *_lint(checks, words)]
    return Finding(_answer(rows, words), sure, tuple(limits), tuple(details))


def _answer(rows: pd.DataFrame, words: Wording) -> Said:
    earning, costly = (rows[rows["finding"] == word] for word in ("earns", "costs"))
    if len(earning):
        models, premium = words.join(earning["model"]), words.span(earning["premium"], words.points)
        return words(KEY + "earns", models=models, premium=premium)
    if len(costly):
        models, premium = words.join(costly["model"]), words.span(costly["premium"], words.points)
        return words(KEY + "costs", models=models, premium=premium)
    return words(KEY + "not_shown", premium=words.span(rows["premium"], words.points))


def _refused(banks: pd.DataFrame | None, words: Wording) -> Iterator[Said]:
    """The memory systems of which in some arm no bank counts, so that nothing was asked there."""
    if banks is None:
        return
    arms = banks.groupby(["system", "arm"], sort=False)["admitted"].any()
    lost = arms[~arms.astype(bool)].index.to_frame(index=False)
    if len(lost):
        cells = [
            f"{system} ({words.join(words.value('arm', arm) for arm in rows['arm'])})"
            for system, rows in lost.groupby("system", sort=False)
        ]
        yield words(KEY + "refused", cells=words.join(cells))


def _interval(rows: pd.DataFrame, words: Wording) -> str:
    low, high = rows["ci95_low"].min(), rows["ci95_high"].max()
    return words.interval(100 * low, 100 * high, 0, sign=True)


def _strata(strata: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """In which kinds of question memory is shown to earn, and in which to cost."""
    for finding, key in (("earns", "stratum_earns"), ("costs", "stratum_costs")):
        for model, rows in strata[strata["finding"] == finding].groupby("model", sort=False):
            names = words.join(rows["stratum"])
            premium = words.span(rows["premium"], words.points)
            yield words(KEY + key, model=model, strata=names, premium=premium)


def _lint(checks: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """What the file gives away with no model asked."""
    found = checks.loc[checks["verdict"] == "found", "check"]
    if len(found):
        names = words.join(words.value("lint_check", check) for check in found)
        yield words(KEY + "lint", checks=names)
    else:
        yield words(KEY + "lint_clear")
