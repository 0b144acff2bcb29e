"""What Control 3 asks: a prompt a probe, all probes of a corpus behind one document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.choices.probing import asked_with, places_of, wording
from veridical.documents.corrupted import shift_of
from veridical.documents.rebinding import bindings
from veridical.documents.texts import fill, joined, load_text, system_prompt
from veridical.models.exchange import Form
from veridical.models.pieces import Pieces
from veridical.models.prompts import Document, Prompt, Turn

if TYPE_CHECKING:
    import pandas as pd

    from veridical.corpora.corpus import Corpus


def partner_prompts(
    corpus: Corpus, document: Document | None, probes: pd.DataFrame, frame: str = "memory"
) -> list[Prompt]:
    """With whom a topic was discussed, one of the partners or no answer.

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
    direct = load_text("question-partner", corpus.language, corpus.texts)
    quoting = load_text("quote-partner", corpus.language, corpus.texts)
    abstention = corpus.settings["abstention"]
    places = places_of(corpus.remembered())
    named, dates = bindings(corpus, name), corpus.dates()
    prompts = []
    for probe in probes.itertuples():
        options = tuple(probe.options)
        values = {
            "question": fill(asked_with(probe, corpus), {"topic": probe.topic}),
            "topic": probe.topic,
            "options": joined(options, wording(corpus, "or")),
            "abstention": abstention,
        }
        values["quote"] = fill(wording(corpus, "quote"), values)
        form = Form("choice", options, abstention)
        quote = None
        if document is not None:
            pieces = quote_pieces(corpus, probe.topic, options, dates)
            if pieces:
                begin = fill(wording(corpus, "quote_begin"), values)
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
            "document_partner": named[probe.encounter_id],
            "truth": probe.true_partner,
        }
        turn = Turn(fill(direct, values), form, system, quote, document)
        prompts.append(Prompt(f"{name}-{probe.probe_id}", (turn,), facts=facts))
    return prompts


def quote_pieces(
    corpus: Corpus, topic: str, options: Sequence[str], dates: Sequence[str] | None = None
) -> Pieces:
    """The pieces of an entry's beginning, from its first character up to the partner's name.

    It follows the corpus's line template: a date may be any date of the memory block (which tells
    no partner), the topic is the one asked about, the partner is one of the options. Empty where
    the template puts the note before the partner: then nothing short can be quoted; and where the
    memory is a life's in another shape than lines.

    For `{date} — met {partner} — {topic}: {note}`, two dates and the options X and Y:
    `(" ", ("2025-01-08", "2025-02-03"), " — met", (" X", " Y"))`.
    """
    before, partner, _ = corpus.line.partition("{partner}")
    if not partner or "{note}" in before:
        return ()
    # The space before a name belongs to the name's token, so it moves into the alternatives.
    gap = " " if before.endswith(" ") else ""
    before = " " + before.removesuffix(" ")
    pieces = {"{date}": tuple(corpus.dates() if dates is None else dates), "{topic}": topic}
    parts = [pieces.get(part, part) for part in re.split(r"(\{date\}|\{topic\})", before) if part]
    return (*parts, tuple(gap + option for option in options))
