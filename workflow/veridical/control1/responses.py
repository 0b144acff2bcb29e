"""Control 1's responses: what is asked of the responder, and the table of what it answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from veridical.base.decisions import Decisions
from veridical.base.tables import read_table
from veridical.control1.blinding import usable
from veridical.control1.tables import NONE, RESPONSES
from veridical.documents.given import Given
from veridical.documents.names import LOG, DocumentName
from veridical.documents.texts import system_prompt
from veridical.models.forms import split_thinking
from veridical.models.prompts import Prompt, Turn

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def needs_anchors(corpus: Corpus) -> bool:
    """Whether the corpus has no answers of its own, so that the responder must give the anchors."""
    return not (corpus.test_day["anchor"].str.strip() != "").all()


def require_test_day(corpus: Corpus) -> None:
    """Stop where nothing is asked on the test day, which a life need not bring.

    Raises ValueError naming the file and what to write into it.
    """
    if corpus.test_day.empty:
        raise ValueError(
            f"corpus {corpus.name}: Control 1 asks what test_day.csv holds, and there is none: "
            "write it beside events.csv, a row a question, with the columns item_id, input and "
            "anchor (what the agent answered as it lived; left empty in all rows, the responder "
            "gives the anchors under the whole life)"
        )


def admitted(memories: Iterable[Given]) -> list[Given]:
    """The memories under which there is something to ask and to compare.

    A kind of counterfeit goes with all of its documents where one of them is refused: what is said
    of a kind rests on the documents that were declared. Without the true memory, or the whole log
    where it must give the anchors, nothing can be compared and nobody is asked.
    """
    memories = list(memories)
    kinds = {memory.name: _facts(memory.name)["condition"] for memory in memories}
    refused = {kinds[memory.name] for memory in memories if memory.refused}
    left = [memory for memory in memories if kinds[memory.name] not in refused]
    compared = {kinds[memory.name] for memory in left} - {"veridical", "anchor"}
    return left if compared and not refused & {"veridical", "anchor"} else []


def response_prompts(
    corpus: Corpus, memories: Iterable[Given], seed: int, parameters: Mapping[str, Any]
) -> list[Prompt]:
    """Every test-day input under every memory, a memory at a time (a whole document is one prefix).

    An item has one sampling seed under all memories, so that what differs is the memory alone.
    The answers under the encounter log are the anchors. Raises ValueError where there is no test
    day, or a memory system has no memory to give.
    """
    require_test_day(corpus)
    items = corpus.test_day.to_dict("records")
    prompts = []
    for memory in memories:
        given = _facts(memory.name)
        for place, item in enumerate(items):
            facts = {"corpus": corpus.name, "item_id": item["item_id"], **given}
            told = memory.told(item["input"])
            system = system_prompt(corpus, told, "response", memory.frame)
            prompts.append(
                Prompt(
                    f"{given['document']}-{item['item_id']}",
                    (Turn(item["input"], system=system, document=told),),
                    parameters=dict(parameters) | {"seed": item_seed(seed, place)},
                    facts=facts,
                )
            )
    return prompts


def kinds_of(documents: Iterable[str]) -> list[str]:
    """The kinds of these documents, `none` for no document, each once.

    >>> kinds_of(["foreign-1", "foreign-2", "partial-30-1", "none"])
    ['foreign', 'partial-30', 'none']
    """
    return list(dict.fromkeys(str(_facts(name)["condition"]) for name in documents))


def wanted_contrasts(
    declared: Mapping[str, Sequence[str]], cells: Iterable[Sequence[str]]
) -> Iterator[tuple[str, str, str]]:
    """The contrasts of every cell, as (responder, corpus, contrast), whose corpus declares
    documents."""
    for responder, corpus in cells:
        for kind in kinds_of(declared.get(corpus, ())):
            yield responder, corpus, f"veridical-{kind}"


def _facts(document: str) -> dict[str, Any]:
    """What a reply's line says of the document that it was given under."""
    if document == NONE:
        return {"document": NONE, "condition": NONE, "seed": None}
    name = DocumentName.read(document)
    condition = "anchor" if name.kind == LOG else name.condition
    return {"document": document, "condition": condition, "seed": name.seed}


def item_seed(seed: int, place: int) -> int:
    """The sampling seed of the item at a place on the test day: 31 bits, from the study's seed."""
    state = np.random.SeedSequence([seed, place]).generate_state(1)[0]
    return int(state >> 1)


def response_table(
    prompts: list[Prompt], replies: pd.DataFrame, corpus: Corpus, responder: str
) -> pd.DataFrame:
    """One responder's responses in one corpus, with the corpus's own anchors where it has them.

    Returns the columns responder, corpus, item_id, document, condition (veridical, foreign,
    shuffled, none, anchor), seed (of the counterfeit), text (what a reader saw, without thinking)
    and state.
    """
    by_id = replies.set_index("id")
    rows = []
    for prompt in prompts:
        if prompt.id not in by_id.index:
            raise ValueError(f"response {prompt.id} has no reply; collect the responses again")
        reply = by_id.loc[prompt.id]
        text = split_thinking(reply["text"] or "")[0].strip()
        rows.append({**prompt.facts, "text": text, "state": reply["state"]})
    if not needs_anchors(corpus):
        for item in corpus.test_day.to_dict("records"):
            own = {"document": "test-day", "condition": "anchor", "seed": None, "state": "ok"}
            rows.append({"item_id": item["item_id"], "text": item["anchor"].strip(), **own})
    table = pd.DataFrame(rows).assign(responder=responder, corpus=corpus.name)[RESPONSES.names]
    return table.astype({"seed": "Int64"})


def decided_responses(
    table: pd.DataFrame, decisions: Decisions, place: str
) -> tuple[pd.DataFrame, pd.Series]:
    """The responses that the study goes on with, and which of them are accepted as they are.

    An item of which a response is left out goes from both sides, under every document and with its
    anchor: only what is complete is compared. `place` is where the addresses of the config's
    `replies` begin (`ledger.task`). Raises ValueError, with the addresses to put into the
    config, where a response that can't be judged is not decided about.
    """
    address = f"{place}/" + table["document"] + "-" + table["item_id"]
    out = address.map(lambda each: bool(decisions.left_out(each)))
    accepted = address.map(lambda each: bool(decisions.accepted(each)))
    items = sorted(set(table["item_id"][out]))
    for item in items:
        print(f"item {item} is left out under every document: a response to it is left out")
    kept = table[~table["item_id"].isin(items)]
    open_ = address[kept.index][~usable(kept) & ~accepted[kept.index]]
    if len(open_):
        raise ValueError(
            f"{len(open_)} responses can't be judged, such as {open_.iloc[0]} (state "
            f"{table['state'][open_.index[0]]}). Decide about each under `replies` in the config: "
            f"ask_again, leave_out or accept, as `{open_.iloc[0]}: the reason`. They are: "
            + ", ".join(open_)
        )
    return kept.reset_index(drop=True), accepted[kept.index].reset_index(drop=True)


def read_responses(path: Path | str) -> pd.DataFrame:
    """Read `responses.csv`; texts stay as written."""
    return read_table(path, RESPONSES)
