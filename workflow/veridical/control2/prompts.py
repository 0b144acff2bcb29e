"""What Control 2 asks: a prompt a probe, all probes of a condition behind one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.choices.probing import places_of, wording
from veridical.documents.texts import fill, load_text, system_prompt
from veridical.models.exchange import Form
from veridical.models.prompts import Document, Prompt, Turn

if TYPE_CHECKING:
    import pandas as pd

    from veridical.corpora.corpus import Corpus

LETTERS = ("A", "B")


def recognition_prompts(
    corpus: Corpus,
    document: Document | None,
    condition: str,
    probes: pd.DataFrame,
    samples: int = 1,
) -> list[Prompt]:
    """Which of two texts stands in the agent's history, A, B or no answer.

    Parameters
    ----------
    document : Document or None
        The memory document; None where there is none.
    probes : pandas.DataFrame
        `probe_id`, `encounter_id`, `true_text`, `altered_text`, `true_is` (`A` or `B`).
    samples : int
        How often each probe is asked; the first sample is the answer, all show the preference.

    Raises
    ------
    ValueError
        Where `true_is` is neither A nor B, naming the probe.
    """
    system = system_prompt(corpus, document, "recognition")
    template = load_text("question-recognition", corpus.language, corpus.texts)
    question, abstention = wording(corpus, "recognise"), corpus.settings["abstention"]
    form = Form("choice", LETTERS, abstention)
    places = places_of(corpus.encounters)
    prompts = []
    for probe in probes.itertuples():
        if probe.true_is not in LETTERS:
            raise ValueError(f"probe {probe.probe_id}: true_is is {probe.true_is!r}, not A or B")
        texts = (probe.true_text, probe.altered_text)
        first, second = texts if probe.true_is == "A" else texts[::-1]
        values = {"first": first, "second": second, "question": question, "abstention": abstention}
        user = fill(template, values)
        facts = {
            "corpus": corpus.name,
            "condition": condition,
            "document": document.name if document else "none",
            "probe_id": probe.probe_id,
            "place": places.get(probe.encounter_id),
            "truth": probe.true_is,
        }
        turn = Turn(user, form, system, document=document)
        prompts.append(Prompt(f"{condition}-{probe.probe_id}", (turn,), samples, facts=facts))
    return prompts
