"""What Controls 2 and 3 ask: a prompt a probe, all probes of a slice behind one document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.documents.rebinding import named_partner, shift_of
from veridical.documents.texts import fill, joined, load_text, system_prompt
from veridical.models.exchange import Form
from veridical.models.pieces import Pieces
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
    """Control 2: which of two texts stands in the agent's history, A, B or no answer.

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
    template = load_text("question-recognition", corpus.language)
    question, abstention = _wording(corpus, "recognise"), corpus.settings["abstention"]
    form = Form("choice", LETTERS, abstention)
    places = _places(corpus.encounters)
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


def partner_prompts(
    corpus: Corpus, document: Document | None, probes: pd.DataFrame, frame: str = "memory"
) -> list[Prompt]:
    """Control 3: with whom a topic was discussed, one of the partners or no answer.

    Models with `quoting: true` that answer are then asked to quote the entry before they answer.
    Without a document there is nothing to quote, and every model is asked the first question only.

    Parameters
    ----------
    document : Document or None
        The memory document; None where there is none.
    probes : pandas.DataFrame
        As `symmetric.draw_probes` gives them.
    frame : str
        What stands around the document (`documents.system_prompt`).
    """
    system = system_prompt(corpus, document, "partner", frame)
    name = document.name if document else "none"
    direct = load_text("question-partner", corpus.language)
    quoting = load_text("quote-partner", corpus.language)
    abstention = corpus.settings["abstention"]
    places = _places(corpus.remembered())
    prompts = []
    for probe in probes.itertuples():
        options = tuple(probe.options)
        values = {
            "question": fill(corpus.settings["question"]["with_whom"], {"topic": probe.topic}),
            "topic": probe.topic,
            "options": joined(options, _wording(corpus, "or")),
            "abstention": abstention,
        }
        values["quote"] = fill(_wording(corpus, "quote"), values)
        form = Form("choice", options, abstention)
        quote = None
        if document is not None:
            pieces = quote_pieces(corpus, probe.topic, options)
            if pieces:
                begin = fill(_wording(corpus, "quote_begin"), values)
                quoted = Form("choice", options, begin=begin, pieces=pieces)
                quote = Turn(fill(quoting, values), quoted, system, document=document)
        facts = {
            "corpus": corpus.name,
            "document": name,
            "shift": shift_of(name) if document else None,
            "probe_id": probe.probe_id,
            "place": places.get(probe.encounter_id),
            "topic": probe.topic,
            "question": values["question"],
            "true_partner": probe.true_partner,
            "document_partner": named_partner(corpus.partners, probe.true_partner, name),
            "truth": probe.true_partner,
        }
        turn = Turn(fill(direct, values), form, system, quote, document)
        prompts.append(Prompt(f"{name}-{probe.probe_id}", (turn,), facts=facts))
    return prompts


def _places(encounters: pd.DataFrame) -> dict[str, int]:
    """Where each encounter stands among the others, from 1: who its neighbours are."""
    return {name: place for place, name in enumerate(encounters["encounter_id"], start=1)}


def _wording(corpus: Corpus, key: str) -> str:
    """A wording of the corpus's own; ValueError, naming key and file, where it has none."""
    wording = corpus.settings["question"].get(key)
    if not isinstance(wording, str) or not wording.strip():
        raise ValueError(
            f"corpus {corpus.name}, corpus.yaml: question/{key} is missing; "
            "word it in the corpus's language"
        )
    return wording


def quote_pieces(corpus: Corpus, topic: str, options: Sequence[str]) -> Pieces:
    """The pieces of an entry's beginning, from its first character up to the partner's name.

    It follows the corpus's line template: a date may be any date of the memory block (which tells
    no partner), the topic is the one asked about, the partner is one of the options. Empty where
    the template puts the note before the partner: then nothing short can be quoted.

    For `{date} — met {partner} — {topic}: {note}`, two dates and the options X and Y:
    `(" ", ("2025-01-08", "2025-02-03"), " — met", (" X", " Y"))`.
    """
    before = corpus.line.split("{partner}")[0]
    if "{note}" in before:
        return ()
    # The space before a name belongs to the name's token, so it moves into the alternatives.
    gap = " " if before.endswith(" ") else ""
    before = " " + before.removesuffix(" ")
    pieces = {"{date}": tuple(dict.fromkeys(corpus.remembered()["date"])), "{topic}": topic}
    parts = [pieces.get(part, part) for part in re.split(r"(\{date\}|\{topic\})", before) if part]
    return (*parts, tuple(gap + option for option in options))
