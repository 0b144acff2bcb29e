"""Details altered by the author model instead of by rule: what it is asked, what can be used."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.control2.alterations import KINDS, Alteration, mask_dates, problems
from veridical.documents.texts import fill, load_text
from veridical.models.exchange import Form
from veridical.models.prompts import Prompt, Turn

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from veridical.corpora.corpus import Corpus

_WORDS = {"type": "string", "minLength": 1, "maxLength": 120}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"from": _WORDS, "to": _WORDS},
    "required": ["from", "to"],
    "additionalProperties": False,
}
SPARE = 2  # texts asked about for each probe needed: not every proposal can be used


def alteration_prompts(corpus: Corpus, n: int, rng: np.random.Generator) -> list[Prompt]:
    """Ask the author for one altered detail in twice as many texts as there will be probes.

    The texts are drawn from the encounters outside the memory block, dates masked, the kinds of
    detail in turn; the author names the words to take out and the words to put there, so that a
    proposal can be checked and recorded like an alteration by rule.
    """
    template = load_text("alter-detail", corpus.language, corpus.texts)
    lines = load_text("detail-kinds", corpus.language, corpus.texts).splitlines()
    said = {kind: words for kind, _, words in (line.partition(": ") for line in lines)}
    outside = corpus.records()
    outside = outside[~outside["in_memory"]]
    drawn = outside.iloc[rng.permutation(len(outside))[: SPARE * n]]
    prompts = []
    for number, row in enumerate(drawn.itertuples()):
        kind = KINDS[number % len(KINDS)]
        text = mask_dates(row.text, corpus.language)
        turn = Turn(fill(template, {"text": text, "kind": said[kind]}), Form("json", schema=SCHEMA))
        facts = {
            "encounter_id": row.encounter_id,
            "kind": kind,
            "text": text,
            "language": corpus.language,
        }
        prompts.append(Prompt(f"alter-{row.encounter_id}", (turn,), facts=facts))
    return prompts


def read_alterations(
    prompts: Sequence[Prompt], replies: pd.DataFrame
) -> tuple[dict[str, Alteration], dict[str, str]]:
    """The author's proposals by encounter: those that can be used, and why the others can't.

    A proposal is used where its words stand exactly once in the text, are as a whole another word
    afterwards, and the pair passes the checks of an alteration by rule.

    Parameters
    ----------
    replies : pandas.DataFrame
        `id`, `state`, `value` (a dict with `from` and `to`).
    """
    given = {row.id: row for row in replies.itertuples(index=False)}
    used, refused = {}, {}
    for prompt in prompts:
        encounter, kind, text = (prompt.facts[key] for key in ("encounter_id", "kind", "text"))
        reply = given.get(prompt.id)
        if reply is None or reply.state != "ok":
            refused[encounter] = f"no proposal ({'no reply' if reply is None else reply.state})"
            continue
        source, target = reply.value["from"].strip(), reply.value["to"].strip()
        places = [hit.start() for hit in re.finditer(rf"(?<!\w){re.escape(source)}(?!\w)", text)]
        if len(places) != 1:
            refused[encounter] = f"{source!r} stands {len(places)} times in the text"
            continue
        alteration = Alteration(kind, places[0], source, target)
        faults = problems(text, alteration, prompt.facts["language"])
        if faults:
            refused[encounter] = "; ".join(faults)
        else:
            used[encounter] = alteration
    return used, refused
