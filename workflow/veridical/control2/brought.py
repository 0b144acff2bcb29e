"""What a study brings of Control 2: probes written by hand, and answers given elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from veridical.base.brought import UNNAMED, whose
from veridical.base.contract import Contract, text, whole
from veridical.base.tables import read_table
from veridical.choices.crossed import first_gap
from veridical.control2.alterations import KINDS
from veridical.control2.fact_values import VALUE
from veridical.control2.recognition import check_probes
from veridical.control2.tables import ANSWERS, CONDITIONS, PROBES, SAMPLES

OWN_PROBES = Contract(
    "own/recognition",
    "Recognition probes of one's own (`control2: probes_csv`).",
    text("corpus", "the corpus that it is of; the config's where it isn't said", optional=True),
    text("probe_id", "the probe"),
    text("encounter_id", "the encounter of the corpus that the true text tells of"),
    text("true_text", "the text as it stands in the agent's history"),
    text("altered_text", "the same text with one detail altered"),
    text("kind", "what kind of detail was altered", *KINDS, VALUE),
    text("true_is", "the place of the true text", "A", "B"),
    key=("probe_id",),
    by_hand=True,
)
OWN_ANSWERS = Contract(
    "own/recognised",
    "Answers to recognition probes that were given elsewhere (`control2: answers_csv`).",
    text("corpus", "the corpus asked about; the config's where it isn't said", optional=True),
    text("model", "who answered"),
    text("condition", "the memory document it was given", *CONDITIONS),
    text("probe_id", "the probe"),
    text("answer", "the text named, A or B; empty where none was", "A", "B", missing=True),
    text("true_is", "the place of the true text", "A", "B"),
    whole("sample", "the sample, from 0, where a probe was asked several times", optional=True),
    whole("place", "where its encounter stands in the log, from 1", low=1, missing=True,
          optional=True),
    key=("corpus", "model", "condition", "probe_id", "sample"),
    by_hand=True,
)  # fmt: skip


def read_own_probes(
    path: Path,
    encounters: pd.Series,
    memory_block: str,
    n: int,
    language: str = "en",
    *,
    corpus: str = UNNAMED,
    corpora: Sequence[str] = (),
) -> pd.DataFrame:
    """A corpus's own recognition probes as the drawn ones are written, held to the same checks.

    `encounters` are the ids that the corpus has, `language` is what its texts are in; n is what the
    config calls `probes`, and `corpora` are all that it names. Raises ValueError naming file, row
    or probe, and what to do.
    """
    declared = {"corpus": ("corpora", list(corpora) or [corpus])}
    table = whose(read_table(path, OWN_PROBES), path, "control2", declared)
    table = table[table["corpus"] == corpus]
    if len(table) != n:
        of = f" of corpus {corpus}" if len(corpora) > 1 else ""
        raise ValueError(
            f"{path} has {len(table)} probes{of}, and control2/probes says {n}: make it so"
        )
    unknown = table[~table["encounter_id"].isin(encounters)]
    if len(unknown):
        where, named = f"{path}, row {unknown.index[0] + 2}", unknown["encounter_id"].iloc[0]
        raise ValueError(f"{where}, column encounter_id: the corpus has no encounter {named!r}")
    found = [_detail(a, b) for a, b in zip(table["true_text"], table["altered_text"], strict=True)]
    details = pd.DataFrame(found, columns=["position", "from", "to"], index=table.index)
    probes = pd.concat([table, details], axis=1)[PROBES.names]
    try:
        check_probes(probes, memory_block, language)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return probes


def _detail(text: str, altered: str) -> tuple[int, str, str]:
    """Where two texts differ, as whole words: position, the words as they were, as they became.

    >>> _detail("Six boats came in.", "Nine boats came in.")
    (0, 'Six', 'Nine')
    >>> _detail("He had 12 boats.", "He had 112 boats.")
    (7, '12', '112')
    """
    start, shorter = 0, min(len(text), len(altered))
    while start < shorter and text[start] == altered[start]:
        start += 1
    while start and not text[start - 1].isspace():
        start -= 1
    end = 0
    while end < min(len(text), len(altered)) - start and text[-1 - end] == altered[-1 - end]:
        end += 1
    while end and (_inside(text, len(text) - end) or _inside(altered, len(altered) - end)):
        end -= 1
    return start, text[start : len(text) - end], altered[start : len(altered) - end]


def _inside(text: str, at: int) -> bool:
    """Whether a place lies within a word."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def read_own_answers(path: Path, corpora: Sequence[str] = ()) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Answers given elsewhere as `control2/answers`, and all samples without a document.

    Who named no text abstained. The first sample of each probe is the answer. `corpora` are the
    config's, if it names any. Raises ValueError naming file and row where the table breaks its
    contract, or names other corpora; and where a model lacks a probe under one of the conditions,
    or a corpus that others were asked about, or a probe's true text has two places.
    """
    declared = {"corpus": ("corpora", list(corpora))}
    table = whose(read_table(path, OWN_ANSWERS), path, "control2", declared)
    _require_all(table, path, corpora)
    table["sample"] = table.get("sample", 0)
    place = table.get("place", pd.NA)
    given = table["answer"].notna()
    right = (table["answer"] == table["true_is"]).astype(object).where(given, None)
    scored = table.assign(
        place=place, state=given.map({True: "ok", False: "abstained"}), correct=right,
        first_option="A",
    )  # fmt: skip
    keys = ["corpus", "model", "condition", "probe_id"]
    first = scored[scored.groupby(keys)["sample"].transform("min") == scored["sample"]]
    for corpus, own in scored.groupby("corpus", sort=False):
        of = f" of corpus {corpus}" if scored["corpus"].nunique() > 1 else ""
        _require_whole(first[first["corpus"] == corpus], own, path, of)
    return first[ANSWERS.names], scored[scored["condition"] == "none"][SAMPLES.names]


def _require_all(table: pd.DataFrame, path: Path, corpora: Sequence[str]) -> None:
    """Raise ValueError where a corpus, of the config's or of any model's, has no answer of one."""
    asked = list(dict.fromkeys([*corpora, *table["corpus"]]))
    for model, own in table.groupby("model", sort=False):
        if lacking := [name for name in asked if name not in set(own["corpus"])]:
            raise ValueError(
                f"{path}: {model} has no answer about corpus {', '.join(lacking)}; every model is "
                "asked about every corpus, so add its rows or take the corpus out"
            )


def _require_whole(first: pd.DataFrame, every: pd.DataFrame, path: Path, of: str) -> None:
    """Raise ValueError where a model lacks one of a corpus's probes, or a probe has two orders.

    `first` are the answers and `every` all samples of the corpus; `of` names it in the messages.
    """
    if gap := first_gap(first, "model", "condition", CONDITIONS):
        raise ValueError(
            f"{path}: {gap.who} {gap.under} has no answer to {len(gap.probes)} of the probes{of}, "
            f"such as {gap.probes[0]}; an answer that was not given is an empty one"
        )
    places = every.groupby("probe_id", sort=False)["true_is"].nunique()
    if (places > 1).any():
        raise ValueError(
            f"{path}, column true_is: probe {places.index[places > 1][0]}{of} has both A and B; a "
            "probe is shown in one order"
        )
