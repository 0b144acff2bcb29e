"""The first tokens of a rollout, by the lengths of the tokens as the model drew them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from veridical.vpe.rollouts import DRAWN


def cut_rollouts(drawn: pd.DataFrame, horizon: int) -> pd.DataFrame:
    """Each rollout's first `horizon` tokens: the columns `rollouts.DRAWN`, at that horizon.

    `drawn` has these columns and token_bytes, the length of each token in bytes. A rollout that
    was longer is `truncated`, as a collection at that horizon would have left it; a
    shorter one stays as it is. A character that the cut splits is left out. Raises ValueError
    naming the model and the rollout where its tokens aren't known.
    """
    rows = []
    for row in drawn.itertuples():
        head = (row.model, horizon, row.preset, row.problem_id, row.sample)
        if row.state == "failed" or not row.text:
            rows.append((*head, row.state, row.text, 0, row.ended))
            continue
        if not isinstance(row.token_bytes, Sequence):
            raise ValueError(
                f"{row.model}, rollout {row.sample} of {row.problem_id}: the server didn't "
                "tell its tokens, so it can't be cut at a shorter horizon: set vpe.nested to false"
            )
        state, text, n, end = row.state, row.text, len(row.token_bytes), row.ended
        if n > horizon:
            state, n, end = "truncated", horizon, "cut"
            text = text.encode()[: sum(row.token_bytes[:n])].decode(errors="ignore")
        rows.append((*head, state, text, n, end))
    return pd.DataFrame(rows, columns=list(DRAWN))
