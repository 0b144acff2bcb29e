"""What Control 2 asks: a prompt a probe, all probes of a condition behind one document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.choices.probing import places_of, wording
from veridical.documents.given import Given, refused_banks
from veridical.documents.texts import fill, load_text, system_prompt
from veridical.models.exchange import Form
from veridical.models.prompts import Prompt, Turn

if TYPE_CHECKING:
    import pandas as pd

    from veridical.corpora.corpus import Corpus

LETTERS = ("A", "B")


def recognition_prompts(
    corpus: Corpus,
    memory: Given,
    condition: str,
    probes: pd.DataFrame,
    samples: int = 1,
) -> list[Prompt]:
    """Which of two texts stands in the agent's history, A, B or no answer.

    Parameters
    ----------
    memory : Given
        The memory document, whole or as a memory system recalls it; or none.
    probes : pandas.DataFrame
        `probe_id`, `encounter_id`, `true_text`, `altered_text`, `true_is` (`A` or `B`).
    samples : int
        How often each probe is asked; the first sample is the answer, all show the preference.

    Raises
    ------
    ValueError
        Where `true_is` is neither A nor B, naming the probe; where a memory system has no memory
        to give.
    """
    template = load_text("question-recognition", corpus.language, corpus.texts)
    question, abstention = wording(corpus, "recognise"), corpus.settings["abstention"]
    form = Form("choice", LETTERS, abstention)
    places = places_of(corpus.records())
    prompts = []
    for probe in probes.itertuples():
        first, second = texts_of(probe)
        told = memory.told(question_of(probe))
        system = system_prompt(corpus, told, "recognition", memory.frame)
        values = {"first": first, "second": second, "question": question, "abstention": abstention}
        user = fill(template, values)
        facts = {
            "corpus": corpus.name,
            "condition": condition,
            "document": memory.name,
            "probe_id": probe.probe_id,
            "place": places.get(probe.encounter_id),
            "truth": probe.true_is,
        }
        turn = Turn(user, form, system, document=told)
        prompts.append(Prompt(f"{condition}-{probe.probe_id}", (turn,), samples, facts=facts))
    return prompts


def refused_conditions(
    recalled: Mapping[str, Path], documents: Mapping[str, str]
) -> dict[str, list[str]]:
    """By corpus, the conditions whose bank is not admitted; no corpus without a file of recalls.

    `documents` has the name of each condition's document.
    """
    refused = {corpus: refused_banks(path) for corpus, path in recalled.items()}
    return {
        corpus: [condition for condition, name in documents.items() if name in banks]
        for corpus, banks in refused.items()
    }


def texts_of(probe: Any) -> tuple[str, str]:
    """The two texts of a probe in the order in which they are shown; raises as above."""
    if probe.true_is not in LETTERS:
        raise ValueError(f"probe {probe.probe_id}: true_is is {probe.true_is!r}, not A or B")
    texts = (probe.true_text, probe.altered_text)
    return texts if probe.true_is == "A" else texts[::-1]


def question_of(probe: Any) -> str:
    """What a memory system is asked for a probe: the two texts, as they are shown."""
    return "\n".join(texts_of(probe))
