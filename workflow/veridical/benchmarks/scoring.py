"""From replies to right and wrong, by option or by wording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.benchmarks.wording import plain
from veridical.models.prompts import Prompt

if TYPE_CHECKING:
    import pandas as pd

SCORINGS = ("exact", "contains", "judges")


def score(
    prompts: Sequence[Prompt], replies: pd.DataFrame, model: str, scoring: str
) -> list[dict[str, Any]]:
    """One row an item of an arm: the prompt's facts, what became of the reply, and whether it is
    right (None where open answers wait for judges).

    Parameters
    ----------
    replies : pandas.DataFrame
        `id`, `state`, `value`; one row a prompt.
    scoring : str
        How open answers are read: `exact` (the answer's words and no others), `contains` (its
        words, in order and together) or `judges`. Options are options.

    Raises
    ------
    ValueError
        Naming the items that have no reply, or more than one.
    """
    found: dict[str, list[Any]] = {}
    for row in replies.itertuples(index=False):
        found.setdefault(row.id, []).append(row)
    wrong = [prompt.id for prompt in prompts if len(found.get(prompt.id, [])) != 1]
    if wrong:
        raise ValueError(f"{model}: not one reply each: {', '.join(wrong[:5])}")
    rows = []
    for prompt in prompts:
        (reply,) = found[prompt.id]
        facts = dict(prompt.facts)
        options = bool(prompt.turns[-1].form.options)
        answer = reply.value if reply.state == "ok" else None
        rows.append(
            {
                "model": subject(model, facts.get("system")),
                **{name: facts[name] for name in ("arm", "item_id", "stratum", "cluster")},
                "state": reply.state,
                "answer": answer,
                "correct": _correct(reply.state, answer, facts, options, scoring),
            }
        )
    return rows


def score_all(
    asked: Mapping[str, Sequence[Prompt]],
    replies: Iterable[tuple[str, str, pd.DataFrame]],
    scoring: str,
) -> list[dict[str, Any]]:
    """The rows of `score` for every slice and model: prompts by slice, replies as slice, model,
    table. A slice is an arm, or an arm and the memory system that it went through.

    A model that reads a memory system is told apart as `model + system`; what it answers without
    any memory is what it answers beside it.
    """
    rows = [row for arm, model, own in replies for row in score(asked[arm], own, model, scoring)]
    systems = {
        prompt.facts["system"]: None
        for prompts in asked.values()
        for prompt in prompts
        if "system" in prompt.facts
    }
    bare = [row for row in rows if row["arm"] == "none"]
    return rows + [
        {**row, "model": subject(row["model"], name)} for name in systems for row in bare
    ]


def subject(model: str, system: str | None) -> str:
    """Who answers: a model, or a model that reads a memory system.

    >>> subject("small", "fts5"), subject("small", None)
    ('small + fts5', 'small')
    """
    return f"{model} + {system}" if system else model


def _correct(
    state: str, answer: Any, facts: Mapping[str, Any], options: bool, scoring: str
) -> bool | None:
    if options:
        return state == "ok" and answer == facts["truth"]
    if facts["abstention"]:
        return state in ("abstained", "refused")
    if state != "ok":
        return False
    if scoring == "judges":
        return None
    return said(str(answer), (facts["truth"], *facts["accepted"]), scoring)


def said(answer: str, wordings: Sequence[str], scoring: str) -> bool:
    """Whether an answer says one of the wordings: `exact`ly, or `contains` it among other words.

    >>> said("It was green.", ["green"], "exact"), said("It was green.", ["green"], "contains")
    (False, True)
    """
    known, given = [plain(text) for text in wordings], plain(answer)
    return given in known if scoring == "exact" else any(each in given for each in known)
