"""What Control 3 asks beside its registered probes: with no way out, in the other order, and in a
form that can say that something is wrong with the document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.choices.answers import score_replies
from veridical.control3.prompts import partner_prompts
from veridical.control3.tables import FLAGGED
from veridical.documents.contradicting import contradict
from veridical.documents.names import CONTRADICTING
from veridical.documents.rebinding import rebind
from veridical.documents.texts import fill, joined, load_text
from veridical.models.exchange import Form
from veridical.models.prompts import Document, Prompt, Turn

if TYPE_CHECKING:
    import pandas as pd

    from veridical.corpora.corpus import Corpus


def document_of(corpus: Corpus, name: str, probes: pd.DataFrame) -> Document | None:
    """The memory document of an arm; None where there is none.

    The one that contradicts itself does so about every probe that is asked.
    """
    if name == "none":
        return None
    if name == CONTRADICTING:
        return Document(name, contradict(corpus, probes["encounter_id"]))
    return Document(name, rebind(corpus, name))


def beside_prompts(
    corpus: Corpus, arm: str, document: Document | None, probes: pd.DataFrame
) -> list[Prompt]:
    """The probes of one arm behind one document.

    - `forced`: neither form nor question has a way out; a partner must be named.
    - `noticing`: one more option says that something is wrong with the document.
    - `reversed`: as registered, the partners offered in the other order.
    - `stale`: as registered, about facts of a life that changed (`lives.changed_probes`).

    Parameters
    ----------
    arm : str
        One of `arms.ARMS`.
    probes : pandas.DataFrame
        As `symmetric.draw_probes` gives them.
    """
    beside = (
        [{"stale": value} for value in probes["stale"]] if arm == "stale" else [{}] * len(probes)
    )
    if arm == "reversed":
        probes = probes.assign(options=[list(one)[::-1] for one in probes["options"]])
    asked = partner_prompts(corpus, document, probes)
    if arm not in ("reversed", "stale"):
        template = load_text(f"question-{arm}", corpus.language, corpus.texts)
        flag = load_text("flag", corpus.language, corpus.texts) if arm == "noticing" else None
        asked = [_reworded(corpus, prompt, template, flag) for prompt in asked]
    return [
        replace(prompt, id=f"{arm}-{prompt.id}", facts={**prompt.facts, "arm": arm, **more})
        for prompt, more in zip(asked, beside, strict=True)
    ]


def _reworded(corpus: Corpus, prompt: Prompt, template: str, flag: str | None) -> Prompt:
    """The same probe in another form: with a flag among its options, or with no way out."""
    (turn,) = prompt.turns
    options, abstention = turn.form.options, turn.form.abstention
    values = {
        "question": prompt.facts["question"],
        "options": joined(options, corpus.settings["question"]["or"]),
        "abstention": abstention or "",
        "flag": flag or "",
    }
    form = Form("choice", (*options, flag), abstention) if flag else Form("choice", options)
    asked = Turn(fill(template, values), form, turn.system, document=turn.document)
    return replace(prompt, turns=(asked,), facts={**prompt.facts, "flag": flag})


def score_beside(prompts: list[Prompt], replies: pd.DataFrame, model: str) -> pd.DataFrame:
    """Each reply as an answer, right, wrong or none; one that takes the flag is `flagged`.

    A flagged answer names no partner, and is neither right nor wrong.
    """
    table = score_replies(prompts, replies, model)
    raised = table["answer"].notna() & (table["answer"] == table.get("flag"))
    table.loc[raised, "state"] = FLAGGED
    table.loc[raised, ["answer", "correct"]] = None
    return table
