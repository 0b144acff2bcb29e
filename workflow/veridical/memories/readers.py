"""Who answers from what was recalled: the ideal reader, by string match; models of the study."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from veridical.control3.prompts import partner_prompts
from veridical.documents.given import Recalled
from veridical.memories.keeping import Outcome
from veridical.memories.matching import Line, Read, read_items
from veridical.memories.plan import CANARY, VERIDICAL, Bank, Plan, Query, balanced
from veridical.memories.receipts import SHOWN, bank_rows, compare, dump_of, recalls_of, texts_of
from veridical.models.prompts import Document, Prompt

if TYPE_CHECKING:
    import pandas as pd

    from veridical.corpora.corpus import Corpus

IDEAL = "ideal"  # the name of the reader that is no model
ITSELF = "itself"  # of a system that answers itself


def bound(bank: Bank, topic: str) -> str | None:
    """The partner to whom a bank's document binds a topic; None where it holds no such topic."""
    return {entry.topic: entry.partner for entry in bank.entries}.get(topic)


def recall_rows(plan: Plan, observed: Mapping[str, Outcome]) -> Iterator[dict[str, Any]]:
    """One row a (bank, probe): `document`, `probe_id`, `state`, `items` (how many came back),
    `mentioned` and `rank` (the place of the first item that mentions the topic, and that binds it
    as the document does), `stored` (whether the entry is intact in the store), `seconds`."""
    for bank in plan.banks:
        dump, recalls = dump_of(bank, observed), recalls_of(bank, observed)
        kept = dict.fromkeys((entry.topic for entry in bank.entries), None)
        if dump is not None:
            kept = dict(zip(kept, compare(bank, dump, plan.partners)[0], strict=True))
        for query in plan.probes:
            outcome = recalls.get(query.id)
            read = read_of(plan, query, outcome)
            state = kept.get(query.topic)
            yield {
                "document": bank.document,
                "probe_id": query.id,
                "topic": query.topic,
                "state": "ok" if outcome is not None and outcome.ok else "failed",
                "items": len(texts_of(outcome)) if outcome is not None else None,
                "mentioned": read.mentioned,
                "rank": read.rank(bound(bank, query.topic)),
                "stored": None if state is None else state == "intact",
                "seconds": outcome.seconds if outcome is not None else None,
                "words": outcome.error or None if outcome is not None else "not asked",
                "recalled": _shown(texts_of(outcome)) if outcome is not None else None,
            }


def _shown(texts: Sequence[str]) -> str | None:
    """Recalled items to look at, one below the other."""
    return "\n".join(text.replace("\n", " ")[:SHOWN] for text in texts) or None


def read_of(plan: Plan, query: Query, outcome: Outcome | None) -> Read:
    """What the ideal reader makes of one recall."""
    if outcome is None or not outcome.ok:
        return Read(None, ())
    return read_items(texts_of(outcome), query.topic, plan.partners)


def ideal_rows(plan: Plan, observed: Mapping[str, Outcome]) -> Iterator[dict[str, Any]]:
    """The ideal reader's answers, one row a (bank, probe), as Control 3 has answers."""
    for bank in plan.banks:
        recalls = recalls_of(bank, observed)
        for query in plan.probes:
            outcome = recalls.get(query.id)
            answer = read_of(plan, query, outcome).partner
            failed = outcome is None or not outcome.ok
            state = "failed" if failed else ("abstained" if answer is None else "ok")
            yield answer_row(bank, query, state, answer)


def own_rows(plan: Plan, observed: Mapping[str, Outcome]) -> Iterator[dict[str, Any]]:
    """What a system that answers itself answered, one row a (bank, probe); none of one that
    doesn't. An answer that names one partner is that partner's, any other is an abstention."""
    if not any(id.startswith("answer/") for id in observed):
        return
    for bank in plan.banks:
        for query in plan.probes:
            outcome = observed.get(f"answer/{bank.document}/{query.id}")
            if outcome is None or not outcome.ok:
                yield answer_row(bank, query, "failed", None)
                continue
            named = Line.of(outcome.value["text"], plan.partners).partners
            answer = next(iter(named)) if len(named) == 1 else None
            yield answer_row(bank, query, "abstained" if answer is None else "ok", answer)


def answer_row(bank: Bank, query: Query, state: str, answer: str | None) -> dict[str, Any]:
    """One answer: `document`, `probe_id`, `state`, `answer`, `true_partner`, `document_partner`,
    `correct` (as the life was; None where nothing was answered), `first_option`."""
    return {
        "document": bank.document,
        "probe_id": query.id,
        "state": state,
        "answer": answer,
        "true_partner": query.true_partner,
        "document_partner": bound(bank, query.topic),
        "correct": None if answer is None else answer == query.true_partner,
        "first_option": query.options[0],
    }


def context_of(outcome: Outcome) -> str:
    """What a model is given in the place of a memory document: the system's own context, else the
    items, one below the other."""
    value: Mapping[str, Any] = outcome.value or {}
    own = value.get("context")
    texts: Sequence[str] = [own] if own is not None else texts_of(outcome)
    return "\n".join(text.strip("\n") for text in texts)


def recalled_banks(plan: Plan, observed: Mapping[str, Outcome], part: str) -> Iterator[Recalled]:
    """What each bank of one control gave back, by question; why, where it is not admitted."""
    refused = {row["document"]: row["reason"] or "" for row in bank_rows(plan, observed)}
    for bank in plan.banks:
        if part not in bank.parts:
            continue
        recalls = recalls_of(bank, observed)
        asked = [query for query in plan.queries if query.part == part and query.id != CANARY]
        contexts = {q.text: context_of(recalls[q.id]) for q in asked if q.id in recalls}
        yield Recalled(bank.document, contexts, refused[bank.document])


def context_rows(banks: Iterable[Recalled]) -> Iterator[dict[str, Any]]:
    """One row a bank of another control: `document`, `questions`, `empty` (nothing came back),
    `characters` (median of what did), `admitted`, `reason`."""
    for bank in banks:
        lengths = [len(text) for text in bank.contexts.values() if text.strip()]
        yield {
            "document": bank.name,
            "questions": len(bank.contexts),
            "empty": len(bank.contexts) - len(lengths),
            "characters": median(lengths) if lengths else None,
            "admitted": not bank.refused,
            "reason": bank.refused or None,
        }


def reader_prompts(
    corpus: Corpus,
    plan: Plan,
    observed: Mapping[str, Outcome],
    probes: pd.DataFrame,
    documents: Collection[str],
    n: int | None = None,
) -> list[Prompt]:
    """Control 3's question with what was recalled in the place of the memory document.

    `probes` are as `control3.symmetric.draw_probes` gives them. Of each of the `documents`, `n`
    are asked (all where it is None). Where nothing came back the
    model is told that nothing of its past is at hand. No memory text is in a request but as it was
    recalled.
    """
    prompts = []
    for bank in plan.banks:
        recalls = recalls_of(bank, observed) if bank.document in documents else {}
        for query in balanced(plan.probes, n) if recalls else ():
            context = context_of(recalls[query.id])
            told = Document(VERIDICAL, context) if context.strip() else None
            probe = probes[probes["probe_id"] == query.id]
            (asked,) = partner_prompts(corpus, told, probe, frame="recalled")
            facts = {
                **asked.facts,
                "document": bank.document,
                "document_partner": bound(bank, query.topic),
            }
            prompts.append(replace(asked, id=f"{bank.document}-{query.id}", facts=facts))
    return prompts
