"""Judged accuracy: a model says whether what was answered is the right answer.

Studies have answers in common, and each distinct one is judged once. So that a few hundred calls
are enough, the judged studies are studies of their own, about lives drawn from fewer encounters.
The judge is shown the question, the right answer and what was answered, in a drawn order: not the
memory, its fault, the bank, nor what else was answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from veridical.memories.plan import VERIDICAL
from veridical.models.grading import verdict_turn
from veridical.models.prompts import Prompt
from veridical.zoo.instruments import JUDGED, OTHERS, Instrument
from veridical.zoo.measuring import Design, Run, measure
from veridical.zoo.scores import says
from veridical.zoo.seen import Seen
from veridical.zoo.studies import shortened
from veridical.zoo.tables import VERDICTS

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


class Case(NamedTuple):
    """What a judge is shown of one answer; `reply` is empty where nothing was answered."""

    question: str
    expected: str
    reply: str


def cases(seen: Seen) -> tuple[Case, ...]:
    """Every answer from the true memory, in the order of the probes."""
    return tuple(Case(each.question, each.true, each.reply) for each in seen.of(VERIDICAL))


def run_judged(corpus: Corpus, design: Design, judge: Mapping[str, Any]) -> list[Run]:
    """The judged studies, with the cases of each under `judged`.

    `judge` has `studies` and `encounters`, from which their lives are drawn. Raises ValueError
    where these are too few for a life.
    """
    rng = np.random.default_rng([design.seed, *b"judged"])
    few = shortened(corpus, judge["encounters"], rng)
    own = replace(design, studies=judge["studies"], power_studies=0, strengths=())
    return measure([few], own, [instrument()])


def instrument(right: Mapping[Case, bool] | None = None) -> Instrument:
    """Judged accuracy, put to studies of its own: it sees their cases, and concludes in scores
    where it is known which of them are `right`."""
    conclude = partial(scores, right) if right is not None else None
    return Instrument(JUDGED, OTHERS, "scores", cases, conclude, apart=True)


def scores(right: Mapping[Case, bool], studies: Sequence[Sequence[Case]]) -> list[float]:
    """Of each study the share of its answers that are right. Raises ValueError naming a question
    whose answer was not judged."""
    return [fmean(_is_right(right, case) for case in study) for study in studies]


def _is_right(right: Mapping[Case, bool], case: Case) -> bool:
    if not case.reply.strip():
        return False  # nothing was answered, so there is nothing to judge
    if case not in right:
        raise ValueError(
            f"an answer to {case.question!r} was not judged: the judge's replies are of another "
            "design; remove them and run again"
        )
    return right[case]


def distinct(found: Iterable[Run]) -> list[Case]:
    """The distinct answers of the judged studies in a fixed order; those that say nothing are
    none."""
    every = {case for run in found for case in run.saw[JUDGED] if case.reply.strip()}
    return sorted(every)


def judge_prompts(
    found: Sequence[Case],
    language: str,
    rng: np.random.Generator,
    parameters: Mapping[str, Any] | None = None,
) -> Iterator[Prompt]:
    """One sheet an answer, in a drawn order, numbered so that nothing tells where it is from.

    Facts: `question`, `expected`, `reply`, as they stand in the sheet, and `right`, the word that
    calls it so. `parameters` are sent with every sheet, over the model's own.
    """
    width = max(4, len(str(len(found))))
    for number, at in enumerate(rng.permutation(len(found)), start=1):
        case = found[at]
        turn = verdict_turn(*case, language=language)
        turn = replace(turn, facts={**case._asdict(), "right": turn.form.options[0]})
        yield Prompt(f"answer-{number:0{width}d}", (turn,), parameters=parameters or {})


def verdict_table(replies: pd.DataFrame, found: Iterable[Run] = ()) -> pd.DataFrame:
    """A row a distinct answer: what it was, whether the right name stands in it, what the judge
    said (False where it said nothing that can be read), and how often it occurs in `found`.

    `replies` are the judge's, as `ledger.replies.read_replies` gives them.
    """
    times: dict[Case, int] = {}
    for case in (case for run in found for case in run.saw[JUDGED]):
        times[case] = times.get(case, 0) + 1
    rows = []
    for reply in replies.itertuples(index=False):
        case = Case(*(reply.facts[name] for name in Case._fields))
        rows.append(
            {
                "judge": reply.model,
                **case._asdict(),
                "matched": says(case.reply, case.expected),
                "state": reply.state,
                "right": reply.state == "ok" and reply.value == reply.facts["right"],
                "times": times.get(case, 0),
            }
        )
    return pd.DataFrame(rows, columns=VERDICTS.names).sort_values(list(Case._fields))


def rights(verdicts: pd.DataFrame) -> dict[Case, bool]:
    """Which answers are right, by the table of verdicts."""
    shown = verdicts[list(Case._fields)].itertuples(index=False)
    return dict(zip(map(Case._make, shown), map(bool, verdicts["right"]), strict=True))
