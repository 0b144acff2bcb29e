"""From replies to answers: each probe's one answer, its honest state, and whether it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veridical.models.prompts import Prompt
from veridical.statistics.intervals import binomial_greater

if TYPE_CHECKING:
    import pandas as pd

#: An explicit non-answer: the listed abstention, or a model that declines.
ABSTENTIONS = ("abstained", "refused")
#: The state of an answer that the study decided to do without: it is no part of any count.
LEFT_OUT = "left out"


def score_replies(prompts: Sequence[Prompt], replies: pd.DataFrame, model: str) -> pd.DataFrame:
    """Join the replies of one model to what was asked, and say which answers are right.

    Parameters
    ----------
    prompts : sequence of Prompt
        Choice probes; `facts` must hold `probe_id` and `truth`, one of the options.
    replies : pandas.DataFrame
        One row a reply: `id`, `sample`, `turn`, `state`, `value`; `left_out`, a reason where the
        study does without the reply.
    model : str
        The model's name in the study, for the table and for errors.

    Returns
    -------
    pandas.DataFrame
        One row a (probe, sample), in prompt order: the prompt's facts, `model`, `sample`, `state`,
        `answer` (an option; None unless the state is `ok`), `correct` (True, False; None where
        there is no answer) and `first_option`. The state of a reply left out is `LEFT_OUT`.

    Raises
    ------
    ValueError
        Naming the probes: an answer for no probe, a second one for the same, a missing one, an
        answer that is none of the options.
    """
    import pandas as pd

    by_id = {prompt.id: prompt for prompt in prompts}
    found: dict[tuple[str, int], Any] = {}
    strangers, twice = set(), set()
    for row in replies.itertuples(index=False):
        where = (row.id, int(row.sample))
        if row.id not in by_id or not 0 <= row.sample < by_id[row.id].samples:
            strangers.add(f"{row.id} (sample {row.sample})")
        elif where in found:
            twice.add(f"{row.id} (sample {row.sample})")
        else:
            found[where] = row
    wanted = [(prompt.id, sample) for prompt in prompts for sample in range(prompt.samples)]
    missing = [
        f"{probe} (sample {sample})" for probe, sample in wanted if (probe, sample) not in found
    ]
    for what, names in (
        ("answers that belong to no probe", sorted(strangers)),
        ("more than one answer", sorted(twice)),
        ("no reply", missing),
    ):
        if names:
            raise ValueError(f"{model}: {what}: {', '.join(names)}")
    rows = []
    for probe, sample in wanted:
        prompt, reply = by_id[probe], found[probe, sample]
        options = prompt.turns[-1].form.options
        state = LEFT_OUT if getattr(reply, "left_out", None) else reply.state
        answer = reply.value if state == "ok" else None
        if answer is not None and answer not in options:
            raise ValueError(
                f"{model}: {probe} was answered {answer!r}, not one of {list(options)}"
            )
        rows.append(
            {
                **{key: value for key, value in prompt.facts.items() if key != "truth"},
                "model": model,
                "sample": sample,
                "state": state,
                "answer": answer,
                "correct": None if answer is None else answer == prompt.facts["truth"],
                "first_option": options[0],
            }
        )
    table = pd.DataFrame(rows)
    return table.astype({"correct": object, "answer": object})


@dataclass(frozen=True)
class Counts:
    """How a set of probes was answered; the four parts sum to `n`."""

    correct: int
    wrong: int
    abstained: int
    unparseable: int

    @property
    def n(self) -> int:
        """Probes asked."""
        return self.correct + self.wrong + self.abstained + self.unparseable

    @property
    def answered(self) -> int:
        """Probes answered with one of the options: right or wrong."""
        return self.correct + self.wrong


def count_answers(answers: pd.DataFrame) -> Counts:
    """Count right, wrong, abstained and unreadable answers.

    A listed abstention or a refusal is `abstained`. Whatever else brought no option (unparseable,
    truncated, empty, filtered, failed) is `unparseable`: counted and shown, never wrong by default.
    What is `LEFT_OUT` is none of the four.

    Parameters
    ----------
    answers : pandas.DataFrame
        Columns `state` and `correct` (True, False or missing).
    """
    answered = answers["state"] == "ok"
    correct = int(answers.loc[answered, "correct"].astype("boolean").fillna(False).sum())
    abstained = int(answers["state"].isin(ABSTENTIONS).sum())
    wrong = int(answered.sum()) - correct
    asked = int((answers["state"] != LEFT_OUT).sum())
    return Counts(correct, wrong, abstained, asked - correct - wrong - abstained)


ENOUGH = 8  # answers from which a habit is read: by chance all of them agree once in 128


@dataclass(frozen=True)
class Habit:
    """What a model's answers have in common, whatever was asked.

    `first_share`: share of the answers that name the option offered first; `name_share`: share
    that name the option named most often, and `name` that option; None where nothing was answered.
    `answers` is how many answers these are shares of.
    """

    first_share: float | None
    name_share: float | None
    name: str | None
    answers: int = 0


def find_habit(answers: pd.DataFrame) -> Habit:
    """How far the answers can be told without reading the probes.

    Parameters
    ----------
    answers : pandas.DataFrame
        Columns `answer` (missing where there is none) and `first_option`.
    """
    given = answers[answers["answer"].notna()]
    if given.empty:
        return Habit(None, None, None)
    names = Counter(given["answer"])
    name, times = min(names.items(), key=lambda item: (-item[1], item[0]))
    first = int((given["answer"] == given["first_option"]).sum())
    return Habit(first / len(given), times / len(given), name, len(given))


def check_chance(
    counts: Counts, chance: float, alpha: float = 0.05
) -> tuple[float | None, bool | None]:
    """Whether the answered probes stay at chance: exact one-sided p, and the validity it gives.

    Abstentions are left aside: counted as errors they would push a model below chance and make
    any probe look valid. Returns p and whether the probe is valid (chance is not beaten); None and
    None where nothing was answered: that is not testable, and no 0 %.
    """
    if counts.answered == 0:
        return None, None
    p = binomial_greater(counts.correct, counts.answered, chance)
    return p, p > alpha
