"""Recognition probes: a true text beside one that differs from it in a single detail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from veridical.control2.alterations import KINDS, Alteration, Alterer, mask_dates, problems
from veridical.control2.fact_values import VALUE, FactValues
from veridical.control2.tables import PROBES
from veridical.corpora.history import History

if TYPE_CHECKING:
    import numpy as np

    from veridical.corpora.corpus import Corpus


def draw_probes(
    corpus: Corpus,
    n: int,
    rng: np.random.Generator,
    authored: Mapping[str, Alteration] | None = None,
) -> pd.DataFrame:
    """Draw n recognition probes from encounters outside the memory block.

    As many probes a kind of detail as whole numbers and the texts allow, each about another
    encounter; dates masked; the true text is A in exactly half of them. Details are altered by
    rule, or as `authored` has it: the author model's proposals by encounter. In a life a value of a
    fact is a kind of detail too (`fact_values`).

    Returns
    -------
    pandas.DataFrame
        `tables.PROBES`; `position` counts characters of the true text from 0.

    Raises
    ------
    ValueError
        Where n is odd, or the corpus has too few texts that can be altered.
    """
    if n < 2 or n % 2:
        raise ValueError(
            f"{n} probes can't show the true text first in exactly half: set an even n"
        )
    outside = corpus.records()
    outside = outside[~outside["in_memory"]]
    texts = {
        row.encounter_id: mask_dates(row.text, corpus.language)
        for row in outside.itertuples()
        if row.text not in corpus.memory_block
    }
    alterer = Alterer(corpus)
    values = FactValues(corpus) if isinstance(corpus, History) and authored is None else None
    kinds = KINDS if values is None else (VALUE, *KINDS)

    def find(encounter: str, kind: str) -> list[Alteration]:
        if values is not None and kind == VALUE:
            return values.find(encounter, texts[encounter], rng)
        if authored is None:
            return alterer.find(texts[encounter], kind, rng)
        proposed = authored.get(encounter)
        return [proposed] if proposed is not None and proposed.kind == kind else []

    ids = list(texts)
    queues = {kind: [ids[i] for i in rng.permutation(len(ids))] for kind in kinds}
    chosen: dict[str, Alteration] = {}
    while len(chosen) < n and any(queues.values()):
        for kind in kinds:
            if len(chosen) < n:
                _take(kind, queues[kind], find, chosen, rng)
    if len(chosen) < n:
        raise ValueError(_too_few(corpus, n, len(chosen), len(texts)))
    return _table(corpus.name, texts, chosen, rng)


def _too_few(corpus: Corpus, n: int, there: int, texts: int) -> str:
    """Why there are too few probes, and of a life what would make more."""
    said = (
        f"corpus {corpus.name}: {n} probes need as many texts outside the memory block with a "
        f"detail that can be altered; there are {there} among {texts}"
    )
    if not isinstance(corpus, History):
        return said
    return said + (
        ": give events.csv a column in_memory (false: the memory doesn't know of the event), let "
        "facts.csv hold what such events say, or bring the probes (control2/probes_csv)"
    )


def _take(
    kind: str,
    queue: list[str],
    find: Callable[[str, str], list[Alteration]],
    chosen: dict[str, Alteration],
    rng: np.random.Generator,
) -> None:
    """Take the next encounter of a kind's queue whose text has such a detail, if there is one."""
    while queue:
        encounter = queue.pop()
        if encounter in chosen:
            continue
        found = find(encounter, kind)
        if found:
            chosen[encounter] = found[int(rng.integers(len(found)))]
            return


def _table(
    name: str, texts: Mapping[str, str], chosen: Mapping[str, Alteration], rng: np.random.Generator
) -> pd.DataFrame:
    """The probes in random order, the true text's place alternating within each kind."""
    every = (*KINDS, VALUE)
    by_kind = sorted(chosen, key=lambda encounter: every.index(chosen[encounter].kind))
    first = int(rng.integers(2))
    place = {encounter: "AB"[(first + i) % 2] for i, encounter in enumerate(by_kind)}
    order = rng.permutation(len(by_kind))
    rows = []
    for number, at in enumerate(order, start=1):
        encounter = by_kind[at]
        it, text = chosen[encounter], texts[encounter]
        rows.append(
            (
                name,
                f"{name}-r{number:02d}",
                encounter,
                text,
                it.apply(text),
                it.kind,
                it.position,
                it.source,
                it.target,
                place[encounter],
            )
        )
    return pd.DataFrame(rows, columns=PROBES.names)


def check_probes(probes: pd.DataFrame, memory_block: str, language: str = "en") -> None:
    """Hold finished probes, drawn or written by hand, to what this control needs.

    Raises ValueError naming probe and fault: a true text that stands in the memory block, a pair
    that differs elsewhere than recorded, an ill-formed text, a text twice, a true text that is A
    in more or less than half.
    """
    faults = []
    for probe in probes.to_dict("records"):
        name, text = probe["probe_id"], probe["true_text"]
        it = Alteration(probe["kind"], int(probe["position"]), str(probe["from"]), str(probe["to"]))
        faults.extend(f"{name}: {fault}" for fault in problems(text, it, language))
        if it.apply(text) != probe["altered_text"]:
            faults.append(f"{name}: the altered text differs elsewhere than recorded")
        if text in memory_block:
            faults.append(f"{name}: its true text stands in the memory block")
    faults.extend(f"{text!r} is asked about twice" for text in _twice(probes["true_text"]))
    firsts = int((probes["true_is"] == "A").sum())
    if 2 * firsts != len(probes):
        faults.append(f"the true text is A in {firsts} of {len(probes)} probes, not in half")
    if faults:
        raise ValueError("recognition probes that can't be asked:\n  - " + "\n  - ".join(faults))


def _twice(values: pd.Series) -> list[str]:
    return sorted(set(values[values.duplicated()]))
