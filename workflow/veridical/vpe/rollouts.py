"""Rollouts: what is asked, and each rollout read as verified or not, in which mode."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from veridical.models.exchange import Form
from veridical.models.prompts import Document, Prompt, Turn
from veridical.vpe.modes import ModeMap
from veridical.vpe.problems import Problem
from veridical.vpe.verifier import begins_question, extract_answer

if TYPE_CHECKING:
    import pandas as pd

PRESETS = {
    "published": {"temperature": 0.8, "top_p": 0.95},  # the source
    "digest": {"temperature": 0.7, "top_p": 0.9},  # a third party's digest of it
}
DOCUMENT = "document"  # in the place of a preset: the first one's sampling, with a document
INSTRUCTION = (
    "Solve the problem in short lines, one calculation a line. "
    "End with #### and the number alone, then stop."
)
EXAMPLE = (
    "Problem: Ada has 3 boxes of 4 pens and gives 2 pens away. How many pens are left?\n"
    "Solution:\n3 * 4 = 12 pens\n12 - 2 = 10 pens\n#### 10"
)
ASKED = ("horizon", "preset", "problem_id")  # what a rollout is of, beside its model
DRAWN = ("model", *ASKED, "sample", "state", "text", "completion_tokens", "ended")
ENDS = ("itself", "stop", "unknown", "cut")
SPENT = ("refused", "filtered", "empty")  # replies that are rollouts without an answer


def preset_name(sampling: Mapping[str, Any]) -> str:
    """The shipped preset with this temperature and top-p, else `own`.

    >>> preset_name({"temperature": 0.7, "top_p": 0.9, "top_k": 0})
    'digest'
    """
    for name, preset in PRESETS.items():
        if all(sampling.get(key) == value for key, value in preset.items()):
            return name
    return "own"


def samplings(sampling: Mapping[str, Any], also: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """What is sent under each preset: `sampling` under its name, then the presets in `also`.

    The latter take from `sampling` what they don't set. Raises ValueError where a name in `also`
    is unknown or is what `sampling` is already.
    """
    sent = {preset_name(sampling): dict(sampling)}
    for name in also:
        if name not in PRESETS or name in sent:
            raise ValueError(f"vpe.also: {name!r}; expected other presets of {', '.join(PRESETS)}")
        sent[name] = {**sampling, **PRESETS[name]}
    return sent


def rollout_prompts(
    problems: Sequence[Problem],
    horizon: int,
    rollouts: int,
    sampling: Mapping[str, Any],
    *,
    preset: str,
    seed: int,
    facts: Mapping[str, Any],
    document: str = "",
) -> list[Prompt]:
    """One prompt a problem, asked `rollouts` times with at most `horizon` new tokens.

    The seed sent is the study's, the problem's and the horizon's own, so that horizons are
    separate samples; providers move it on by the rollout's index. `sampling` may set `seed` to
    null for an API that takes none. `facts` are added to each prompt's. A `document` stands after
    the instruction in the system prompt.
    """
    prompts = []
    system = f"{INSTRUCTION}\n\n{document}" if document else INSTRUCTION
    held = Document(DOCUMENT, document) if document else None
    for problem in problems:
        sent = {
            "seed": _seed(seed, preset, horizon, problem.id),
            "stop": ["\n\n", "\nProblem:"],
            **sampling,
            "max_tokens": horizon,
        }
        asked = f"{EXAMPLE}\n\nProblem: {problem.question}\nSolution:"
        turn = Turn(asked, Form(), system, document=held)
        told = {"problem_id": problem.id, "gold": str(problem.gold)}
        told |= {"horizon": horizon, "preset": preset, **facts}
        prompts.append(Prompt(problem.id, (turn,), rollouts, sent, told))
    return prompts


def drawn_rollouts(replies: pd.DataFrame) -> pd.DataFrame:
    """The rollouts of a replies file: the columns `DRAWN`, and token_bytes.

    `replies` are as `ledger.replies.read_replies` gives them; which problem, preset and horizon a
    rollout is of, its facts say.
    """
    facts = {
        name: [each[name] for each in replies["facts"]]
        for name in ("horizon", "preset", "problem_id")
    }
    ends = [ended(*row) for row in zip(replies["state"], replies["stopped_by"], strict=True)]
    return replies.assign(**facts, ended=ends)[[*DRAWN, "token_bytes"]]


def ended(state: str, stopped_by: Sequence[str] | None) -> str:
    """How a rollout ended: by itself, by a stop text, cut by its budget, or as nobody told.

    A stop text that begins a new question ends what came before it, as the model's own end would.

    >>> ended("ok", []), ended("ok", ["\\n\\n"]), ended("ok", ["\\nProblem:"]), ended("ok", None)
    ('itself', 'stop', 'itself', 'unknown')
    """
    if state == "truncated":
        return "cut"
    if not isinstance(stopped_by, Sequence):
        return "unknown"
    return "itself" if all(begins_question(stop) for stop in stopped_by) else "stop"


def read_rollouts(
    prompts: Sequence[Prompt], drawn: pd.DataFrame, modes: ModeMap, language: str
) -> pd.DataFrame:
    """Verify every rollout of every model and name its mode.

    `drawn` has the columns `DRAWN`. Columns of the result: model, horizon, preset, problem_id,
    sample, state, complete, gold, extracted, way, verified, length_bin, operators, equations,
    style, mode, tokens (NA where the provider doesn't say), text. A rollout that could not be had
    (state failed) has `verified` NA and no mode. Where a stop text was sent, only a rollout that is
    known to have ended by itself came to its own end. Raises ValueError naming model, problem and
    the rollouts that lack or are too many, and rollouts that no prompt asked for.
    """
    import pandas as pd

    asked = {tuple(prompt.facts[key] for key in ASKED): prompt for prompt in prompts}
    found = dict(tuple(drawn.groupby(["model", *ASKED], sort=False)))
    strange = next((key for key in found if key[1:] not in asked), None)
    if strange is not None:
        raise ValueError(f"{' '.join(map(str, strange))}: rollouts that no prompt asks for")
    rows: list[tuple] = []
    for model in drawn["model"].unique():
        for place, prompt in asked.items():
            head = (model, *place)
            rows += _read(head, prompt, found.get(head), modes, language)
    names = ["model", *ASKED, "sample", *JUDGED, "tokens", "text"]
    table = pd.DataFrame(rows, columns=names)
    table["verified"] = table["verified"].astype("boolean")
    table["operators"] = table["operators"].fillna("")
    for column in ("length_bin", "equations", "tokens"):
        table[column] = table[column].astype("Int64")
    return table


def _read(
    head: tuple, prompt: Prompt, own: pd.DataFrame | None, modes: ModeMap, language: str
) -> Iterator[tuple]:
    """One model's rollouts of one prompt, as rows; `own` is None where it has none."""
    samples = [] if own is None else own["sample"].tolist()
    if own is None or sorted(samples) != list(range(prompt.samples)):
        missing = sorted(set(range(prompt.samples)) - set(samples))
        raise ValueError(
            f"{', '.join(map(str, head))}: {len(samples)} rollouts, expected {prompt.samples}; "
            f"missing: {missing[:5]}"
        )
    texts = zip(own["state"], own["text"].fillna(""), strict=True)
    stops = bool(prompt.parameters.get("stop"))
    ends = [end == "itself" or (end == "unknown" and not stops) for end in own["ended"]]
    gold = Fraction(prompt.facts["gold"])
    read = judge_rollouts(texts, gold, modes, language, own_ends=ends)
    said = zip(samples, read, own["completion_tokens"], own["text"], strict=True)
    return ((*head, sample, *row, n, text) for sample, row, n, text in said)


JUDGED = (
    "state",
    "complete",
    "gold",
    "extracted",
    "way",
    "verified",
    "length_bin",
    "operators",
    "equations",
    "style",
    "mode",
)


def judge_rollouts(
    rollouts: Iterable[tuple[str, str]],
    gold: Fraction,
    modes: ModeMap,
    language: str = "en",
    *,
    own_ends: Iterable[bool] = (),
) -> Iterator[tuple]:
    """Read rollouts of one problem, (state, text) each, as tuples of the columns `JUDGED`.

    `own_ends` tells which of them came to their own end; without it, all that weren't cut did.
    """
    told = str(gold)
    for (state, text), own in itertools.zip_longest(rollouts, own_ends, fillvalue=True):
        if state == "failed":
            yield (state, False, told, None, "none", None, None, None, None, None, None)
            continue
        cut = state == "truncated"
        said = "" if state in SPENT else text
        number, way = extract_answer(said, not cut, language, stopped=not own)
        complete = own and not cut
        mode = modes(text)
        extracted = None if number is None else str(number)
        yield (state, complete, told, extracted, way, number == gold, *mode, str(mode))


def _seed(study: int, *parts: Any) -> int:
    text = "|".join(map(str, (study, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % 2**30
