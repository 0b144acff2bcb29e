"""Attempts at a foreign counterfeit: the author's first outputs, and what came of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from veridical.documents.entries import STOP
from veridical.documents.fidelity import fidelity
from veridical.documents.names import DocumentName
from veridical.models.prompts import Prompt

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def assemble(replies: pd.DataFrame, form: str, line: str) -> str:
    """The document that one attempt's replies make: the first output, as it came.

    White space around a line, empty lines, code fences and the full stop that ends a led entry
    are no part of it; what the corpus's `line` has after the note is put there. Raises ValueError
    where there is no reply, or one of them failed, naming it.
    """
    if replies.empty:
        raise ValueError("the author gave no reply")
    bad = replies[~replies["state"].isin(["ok", "truncated"])]
    if len(bad):
        named = ", ".join(f"{row.id} ({row.state})" for row in bad.itertuples())
        raise ValueError(f"the author's replies are not usable: {named}")
    lines = [each.strip() for text in replies["text"] for each in str(text).splitlines()]
    lines = [each for each in lines if each and not each.startswith("```")]
    if form == "entries":
        tail = line.rpartition("}")[2]
        lines = [each.removesuffix(STOP).rstrip(" ,;") + tail for each in lines]
    return "\n".join(lines)


def attempts_of(seed: int, further: Mapping[str, Sequence[str]]) -> list[str]:
    """The names of a document's attempts: the first, and one for each reason that the config gives.

    >>> attempts_of(2, {"foreign-2": ["entry 9 repeats entry 3"]})
    ['foreign-2-attempt-1', 'foreign-2-attempt-2']
    """
    document = str(DocumentName("foreign", seed))
    reasons = further.get(document, [])
    return [f"{document}-attempt-{number}" for number in range(1, len(reasons) + 2)]


def replies_of(
    name: str, prompts: Sequence[Prompt], replies: pd.DataFrame
) -> tuple[pd.DataFrame, str]:
    """One attempt's replies, in the order asked, and the form in which they were asked for."""
    own = [prompt for prompt in prompts if prompt.facts["attempt_of"] == name]
    if not own:
        raise ValueError(f"no prompt asks for {name}")
    by_id = replies.set_index("id", drop=False)
    lacking = [prompt.id for prompt in own if prompt.id not in by_id.index]
    if lacking:
        raise ValueError(f"the author hasn't answered {', '.join(lacking)}; collect it again")
    return by_id.loc[[prompt.id for prompt in own]], own[0].facts["form"]


def attempt_table(
    corpus: Corpus,
    prompts: Sequence[Prompt],
    replies: pd.DataFrame,
    seeds: Sequence[int],
    further: Mapping[str, Sequence[str]],
    tolerance: float,
) -> pd.DataFrame:
    """Every attempt at every foreign counterfeit: the first outputs and what came of them.

    Returns the columns document, attempt (from 1), reason (why it was made, as the config says;
    empty for the first), used (bool), characters, failed_checks and served_model.
    """
    rows = []
    for seed in seeds:
        names = attempts_of(seed, further)
        for number, name in enumerate(names, start=1):
            own, form = replies_of(name, prompts, replies)
            document = str(DocumentName("foreign", seed))
            try:
                text = assemble(own, form, corpus.line)
                checks = fidelity(document, text, corpus, tolerance)
                failed = ", ".join(checks["check"][~checks["passed"].astype(bool)])
            except ValueError as error:
                text, failed = "", str(error)
            rows.append(
                {
                    "document": document,
                    "attempt": number,
                    "reason": "" if number == 1 else further[document][number - 2],
                    "used": number == len(names),
                    "characters": len(text),
                    "failed_checks": failed,
                    "served_model": own["served_model"].iloc[0],
                }
            )
    return pd.DataFrame(rows)
