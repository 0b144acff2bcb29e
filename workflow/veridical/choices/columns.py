"""What became of a probe that asks with whom, as every table of such answers has it."""

from __future__ import annotations

from veridical.base.contract import Column, flag, text
from veridical.choices.answers import LEFT_OUT
from veridical.models.exchange import STATES

DOCUMENT_PARTNER = text("document_partner", "the partner that the document names", missing=True)


def answered(*more: str, document_partner: bool = True) -> tuple[Column, ...]:
    """State, answer, partners, whether it is right, and what was offered first.

    `more` are states beside those of a reply; `document_partner` is left out where the answers are
    not compared with a document.
    """
    return (
        text("state", "what became of the reply", *STATES, LEFT_OUT, *more, shown="value:state"),
        text("answer", "the partner named", missing=True),
        text("true_partner", "the true partner"),
        *([DOCUMENT_PARTNER] if document_partner else []),
        flag("correct", "whether the true partner is named", missing=True),
        text("first_option", "the partner offered first"),
    )
