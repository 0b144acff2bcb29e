"""Does a text give its partner away? Checked while a corpus is written, before anything is asked.

Two checks: no text names a partner or a word associated with one, and a classifier that learns
from the words of some encounters can't tell the partners of the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from veridical.corpora.naming import named, parts_of

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TEXTS = ("topic", "note", "text")


@dataclass(frozen=True)
class Hint:
    """How well words foretell partners.

    `accuracy` is the cross-validated share right, `expected` the mean of the same over shuffled
    partners, `p` the share of shufflings (the true one counted in) that do at least as well.
    """

    accuracy: float
    expected: float
    p: float


def telling_words(corpus: Corpus, columns: Sequence[str] = TEXTS) -> list[str]:
    """Every topic, note or text that names a partner, a part of its name, or a word like it.

    Words associated with a partner stand in `corpus.yaml` under `associations`; what counts as a
    name in a text, `naming.named` says. Returns one sentence a finding; empty where nothing tells.
    """
    associations = corpus.settings.get("associations") or {}
    parts = {partner: set(parts_of(partner)) for partner in corpus.partners}
    common = set.intersection(*parts.values()) if parts else set()  # tells none from another
    telling = {
        partner: list(
            dict.fromkeys(
                [
                    partner,
                    *(part for part in parts_of(partner) if part not in common),
                    *associations.get(partner, ()),
                ]
            )
        )
        for partner in corpus.partners
    }
    found = []
    for row in corpus.encounters.to_dict("records"):
        for column in columns:
            for partner, words in telling.items():
                if hits := named(row[column], words):
                    where = f"{row['encounter_id']}, column {column}"
                    found.append(f"{where}: {hits[0]!r} may hint at {partner}")
    return found


def written(corpus: Corpus) -> dict[str, list[str]]:
    """What is written beside each partner, by column, one text an encounter.

    Of a life: the subject, and the event's text without the values of the attribute asked for, one
    of which it says.
    """
    table = corpus.encounters
    columns = {column: list(table[column]) for column in TEXTS}
    if hasattr(corpus, "facts"):
        values = sorted(corpus.partners, key=len, reverse=True)
        said = re.compile("|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in values))
        masked = [said.sub(" ", text) if values else text for text in columns["text"]]
        columns = {"topic": columns["topic"], "text": masked}
    every = [" ".join(parts) for parts in zip(*columns.values(), strict=True)]
    return columns | {"all three" if len(columns) == len(TEXTS) else "both": every}


def partner_hint(
    texts: Sequence[str],
    partners: Sequence[str],
    rng: np.random.Generator,
    *,
    strata: Sequence[str] | None = None,
    folds: int = 12,
    shufflings: int = 499,
) -> Hint:
    """Can a bag of words foretell the partner? Naive Bayes, cross-validated, against shufflings.

    Parameters
    ----------
    texts, partners : one a row
    strata : partners are shuffled within these (months, say), as they were drawn; whole if missing
    folds : into so many the rows are parted twice, in blocks of neighbours and at random; a row is
        foretold by a classifier that never saw its fold, and the better of the two partings counts
    shufflings : how many; the least p is 1 / (shufflings + 1)

    Notes
    -----
    Multinomial naive Bayes with one pseudo-count (Manning et al. 2008, ch. 13). Where partners
    were drawn at random within the strata, the randomisation test is exact (Fisher 1935).

    Raises
    ------
    ValueError
        where lengths differ, or there are fewer than two partners, or fewer rows than folds
    """
    if len(texts) != len(partners) or (strata is not None and len(strata) != len(texts)):
        raise ValueError("texts, partners and strata must have one value a row")
    names = sorted(set(partners))
    if len(names) < 2 or len(texts) < folds:
        raise ValueError(f"needs two partners and {folds} rows, got {names} and {len(texts)} rows")
    counts = word_counts(texts)
    labels = np.array([names.index(partner) for partner in partners])
    groups = np.zeros(len(texts)) if strata is None else np.unique(strata, return_inverse=True)[1]
    in_turn = np.arange(len(labels))
    # every k-th row would be a fold of one partner alone where partners take turns
    partings = (in_turn * folds // len(labels), rng.permutation(in_turn % folds))

    def best(told: np.ndarray) -> float:
        return max(_accuracy(counts, told, len(names), fold) for fold in partings)

    accuracy = best(labels)
    shuffled = np.array([best(_shuffle(labels, groups, rng)) for _ in range(shufflings)])
    p = (1 + np.count_nonzero(shuffled >= accuracy - 1e-12)) / (shufflings + 1)
    return Hint(accuracy, float(shuffled.mean()), float(p))


def word_counts(texts: Sequence[str]) -> np.ndarray:
    """How often each word occurs in each text: shape (texts, distinct words), words sorted."""
    bags = [re.findall(r"\w+", text.casefold()) for text in texts]
    column = {word: index for index, word in enumerate(sorted({w for bag in bags for w in bag}))}
    counts = np.zeros((len(bags), len(column)))
    for row, bag in enumerate(bags):
        for word in bag:
            counts[row, column[word]] += 1
    return counts


def _shuffle(labels: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The labels in random order within each group."""
    shuffled = labels.copy()
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        shuffled[rows] = labels[rng.permutation(rows)]
    return shuffled


def _accuracy(counts: np.ndarray, labels: np.ndarray, k: int, fold: np.ndarray) -> float:
    """The cross-validated share of labels that naive Bayes gets right; `fold` is each row's."""
    member = np.eye(k)[labels]
    total, sizes = member.T @ counts, member.sum(axis=0)
    right = 0
    for number in np.unique(fold):
        out = fold == number
        seen = total - member[out].T @ counts[out] + 1
        prior = sizes - member[out].sum(axis=0) + 1
        scores = counts[out] @ np.log(seen / seen.sum(axis=1, keepdims=True)).T + np.log(prior)
        right += np.count_nonzero(scores.argmax(axis=1) == labels[out])
    return right / len(labels)
