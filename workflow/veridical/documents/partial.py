"""Counterfeits by dose: the real memory with some of its bindings exchanged, and the rest true.

And what makes every counterfeit that is the real memory altered by rule, by its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from veridical.corpora.history import History
from veridical.documents.exchanging import derange, with_values
from veridical.documents.life_counterfeits import stale
from veridical.documents.names import STALE, DocumentName

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def altered(corpus: Corpus, name: str) -> str:
    """The counterfeit of this name, `partial-<dose>-<seed>` or `stale`.

    Raises ValueError where the corpus can have none such, or it is made otherwise.
    """
    read = DocumentName.read(name)
    if read.dose is not None and read.number is not None:
        return partial(corpus, read.dose, read.number)
    if read.kind != STALE:
        raise ValueError(f"{name} isn't made by altering the memory")
    if not isinstance(corpus, History):
        raise ValueError(
            f"corpus {corpus.name}: in a corpus of encounters nothing takes another's place, so "
            "none can be held as stale; take it out of documents/stale"
        )
    return stale(corpus)


def bindings_of(dose: int, n: int) -> int:
    """How many of n bindings a dose in percent alters: an even number below 100, two or more.

    >>> bindings_of(10, 30), bindings_of(50, 30), bindings_of(100, 15)
    (4, 16, 15)
    """
    return n if dose == 100 else 2 * max(1, round(dose * n / 200))


def traded(values: Sequence[str], dose: int, rng: np.random.Generator) -> dict[int, str]:
    """The places whose values a dose alters, with what stands there afterwards.

    `dose` is in percent. Places trade values two by two, so each value stays as frequent as it was,
    and what a smaller dose alters a larger one does too, with the same generator; at 100 every one
    is altered (`exchanging.derange`).

    Raises ValueError where the dose is none, or so many can't trade.
    """
    if not 0 < dose <= 100:
        raise ValueError(f"a dose of {dose} %: give one from 1 to 100")
    wanted = bindings_of(dose, len(values))
    if len(set(values)) < 2:
        raise ValueError(
            f"a dose of {dose} % needs bindings that differ, and there "
            + (f"is one value, {values[0]!r}" if len(values) else "are none")
        )
    if dose == 100:
        return dict(enumerate(derange(values, rng)))
    order = [int(place) for place in rng.permutation(len(values))]
    found: dict[int, str] = {}
    while len(found) < wanted:
        left = Counter(values[place] for place in order)
        if len(left) < 2:
            frequent = next(iter(left), values[0])
            raise ValueError(
                f"a dose of {dose} % alters {wanted} of {len(values)} bindings, and {len(found)} "
                f"can trade values: {frequent!r} is too frequent"
            )
        most = left.most_common(1)[0][0]
        one = next(place for place in order if values[place] == most)
        two = next(place for place in order if values[place] != most)
        found |= {one: values[two], two: values[one]}
        order = [place for place in order if place not in (one, two)]
    return found


def partial(corpus: Corpus, dose: int, seed: int) -> str:
    """The memory document with a dose of its bindings exchanged.

    A binding is whom an encounter was with; in a life, the value of the attribute asked for. All
    else stays where it is. Raises ValueError naming the corpus where that can't be.
    """
    rng = np.random.default_rng([seed, *b"partial", *corpus.name.encode()])
    rows = corpus.remembered()
    try:
        moved = traded(list(rows["partner"]), dose, rng)
    except ValueError as error:
        what = corpus.asked or "facts" if isinstance(corpus, History) else "partner"
        raise ValueError(
            f"corpus {corpus.name}, {what}: {error}; take other entries into the memory, or leave "
            "the dose out of documents/partial_doses"
        ) from None
    if isinstance(corpus, History):
        names = rows["encounter_id"].iloc[list(moved)]
        return corpus.written(with_values(corpus, dict(zip(names, moved.values(), strict=True))))
    entries = rows.to_dict("records")
    for place, partner in moved.items():
        entries[place]["partner"] = partner
    return "\n".join(corpus.entry(entry) for entry in entries)


def require_distinct(documents: Sequence[tuple[str, str]]) -> None:
    """Stop where two partly altered documents, (name, text), are one and the same.

    So few bindings may be left that two doses alter as many, or that one dose can be had in one way
    only. Raises ValueError naming both.
    """
    seen: dict[str, str] = {}
    for name, text in documents:
        if DocumentName.read(name).dose is None:
            continue
        if text in seen:
            raise ValueError(
                f"{seen[text]} and {name} are the same document: the memory has too few bindings "
                "for both; take one out of documents/partial_doses or documents/partial_seeds"
            )
        seen[text] = name
