"""What a study brings of Control 3: probes of its own, and answers that were given elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from veridical.base.brought import partners_in
from veridical.base.contract import Contract, text, whole
from veridical.base.tables import read_table
from veridical.choices.crossed import first_gap
from veridical.control3.tables import ANSWERS, PROBES
from veridical.corpora.history import History
from veridical.documents.corrupted import COUNTED, corrupted_names

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

OWN_PROBES = Contract(
    "own/symmetric",
    "Symmetric probes of one's own (`control3: probes_csv`).",
    text("corpus", "the corpus whose memory is asked about"),
    text("probe_id", "the probe"),
    text("encounter_id", "the encounter of the memory block that it asks about"),
    text("options", "the partners as offered, with | between them; empty: in turn", missing=True,
         optional=True),
    text("question", "the question in words of its own", missing=True, optional=True),
    key=("corpus", "probe_id"),
    by_hand=True,
)  # fmt: skip
OWN_ANSWERS = Contract(
    "own/partners",
    "Answers to symmetric probes that were given elsewhere (`control3: answers_csv`).",
    text("corpus", "the agent whose memory it is"),
    text("model", "who answered"),
    text("document", "veridical, binding-corrupted (-1, -2, ... of three partners or more), none"),
    text("probe_id", "the probe"),
    text("answer", "the partner named; empty where none was", missing=True),
    text("true_partner", "the partner in truth"),
    text("document_partner", "the partner that the document names", missing=True, optional=True),
    text("first_option", "the partner offered first"),
    whole("place", "where its encounter stands in the document, from 1", low=1, missing=True,
          optional=True),
    key=("corpus", "model", "document", "probe_id"),
    by_hand=True,
)  # fmt: skip


def read_own_probes(path: Path, corpus: Corpus, n: int) -> pd.DataFrame:
    """A study's own symmetric probes of one corpus, as the drawn ones are written.

    Each asks about an entry of the memory block; each partner is the true one equally often, but in
    a life, where chance is reckoned from the counts. Where no options are given, the partners take
    turns in standing first. Raises ValueError naming file,
    probe and what to do.
    """
    every = read_table(path, OWN_PROBES)
    table = every[every["corpus"] == corpus.name].reset_index(drop=True)
    block = corpus.remembered().set_index("encounter_id")
    if len(table) != n:
        raise ValueError(
            f"{path} has {len(table)} probes of corpus {corpus.name}, and control3/probes says "
            f"{n}: make them agree"
        )
    for row in table.itertuples():
        if row.encounter_id not in block.index:
            raise ValueError(
                f"{path}, probe {row.probe_id}: {row.encounter_id!r} is no encounter of the memory "
                f"block of corpus {corpus.name}, and only what stands there can be followed"
            )
    partner = table["encounter_id"].map(block["partner"])
    offered = _offered(table, partner, corpus, path)
    counts = partner.value_counts().reindex(corpus.partners, fill_value=0)
    if counts.nunique() > 1 and not isinstance(corpus, History):
        raise ValueError(
            f"{path}: the probes of corpus {corpus.name} aren't balanced over its partners "
            f"({', '.join(f'{name} {count}' for name, count in counts.items())}): as many each, or "
            "one name alone would be right more often"
        )
    found = table.assign(
        topic=table["encounter_id"].map(block["topic"]),
        true_partner=partner,
        options=offered,
        true_position=[own.index(name) + 1 for own, name in zip(offered, partner, strict=True)],
    )
    extra = ["question"] if "question" in table else []
    return found[[*PROBES.required, *extra]]


def _offered(
    table: pd.DataFrame, partner: pd.Series, corpus: Corpus, path: Path
) -> list[list[str]]:
    """The partners as each probe offers them; in cyclic order from its turn where it doesn't."""
    partners, turn, offered = list(corpus.partners), dict.fromkeys(corpus.partners, 0), []
    given = table.get("options", [None] * len(table))
    for probe, said, true in zip(table["probe_id"], given, partner, strict=True):
        if isinstance(said, str) and said.strip():
            names = [name.strip() for name in said.split("|")]
            if sorted(names) != sorted(partners):
                raise ValueError(
                    f"{path}, probe {probe}: the options {names} are not the corpus's partners "
                    f"{partners}, each once"
                )
        else:
            first = (partners.index(true) - turn[true]) % len(partners)
            turn[true] += 1
            names = partners[first:] + partners[:first]
        offered.append(names)
    return offered


def read_own_answers(path: Path) -> pd.DataFrame:
    """Answers given elsewhere as `control3/answers`.

    Who named no partner abstained. Raises ValueError naming file and row where the table breaks its
    contract, names a document that there is not, doesn't say whom a corrupted document names, or
    where a model lacks an answer that another has.
    """
    table = read_table(path, OWN_ANSWERS)
    if "document_partner" not in table:
        table["document_partner"] = None
    told, partners = [], partners_in(path)
    for corpus, own in table.groupby("corpus", sort=False):
        told.append(_told(own, str(corpus), path, partners.get(str(corpus), COUNTED)))
    scored = pd.concat(told).sort_index()
    given = scored["answer"].notna()
    right = (scored["answer"] == scored["true_partner"]).astype(object).where(given, None)
    scored = scored.assign(state=given.map({True: "ok", False: "abstained"}), correct=right)
    scored["place"] = scored.get("place", pd.NA)
    return scored[ANSWERS.names]


def _told(own: pd.DataFrame, corpus: str, path: Path, k: int) -> pd.DataFrame:
    """One corpus's answers with the partner that each document names, checked.

    k is their number, or `COUNTED` where they are the answer unequally often.
    """
    names = list(dict.fromkeys(own["true_partner"]))
    if len(names) < 2:
        raise ValueError(f"{path}, corpus {corpus}: one partner alone; a probe needs two or more")
    documents = ["veridical", *corrupted_names(k), "none"]
    strange = own[~own["document"].isin(documents)]
    if len(strange):
        raise ValueError(
            f"{path}, row {strange.index[0] + 2}, column document: "
            f"{strange['document'].iloc[0]!r} is none of {', '.join(documents)}, which corpus "
            f"{corpus} has with {len(names)} partners"
            + (", unequally often the answer" if k == COUNTED else "")
        )
    there = set(own["document"])
    corrupted = [name for name in documents[1:-1] if name in there] or documents[1:2]
    if gap := first_gap(own, "model", "document", ["veridical", *corrupted, "none"]):
        raise ValueError(
            f"{path}: {gap.who} under {gap.under}, corpus {corpus}, has no row for "
            f"{len(gap.probes)} of the probes, such as {gap.probes[0]}; an answer not given is an "
            "empty one"
        )
    partner = own["document_partner"].astype(object).where(own["document_partner"].notna(), None)
    partner = partner.where(own["document"] != "veridical", own["true_partner"])
    if len(names) == 2:
        other = own["true_partner"].map(dict(zip(names, names[::-1], strict=True)))
        said = partner.notna() & (k == COUNTED)  # two of unequal frequency can't all trade places
        partner = partner.where((own["document"] != corrupted_names(2)[0]) | said, other)
    partner = partner.where(own["document"] != "none", None)
    open_ = own[partner.isna() & (own["document"] != "none")]
    if len(open_):
        raise ValueError(
            f"{path}, row {open_.index[0] + 2}, column document_partner: missing; with "
            f"{len(names)} partners only the table can say whom {open_['document'].iloc[0]} names"
        )
    return own.assign(document_partner=partner)
