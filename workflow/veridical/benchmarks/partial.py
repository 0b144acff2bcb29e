"""Classifiers that see part of an item: how far the options' words alone, or the question's, go.

A linear model over words (ridge regression on tf-idf, as scikit-learn's `Ridge` without intercept)
scores the options, and the highest score is the answer. It is solved for the benchmark's keys and
for all the draws at once: the words are the same, only the right-hand sides differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ALPHA = 1.0  # the ridge penalty, on rows of length one
FEATURES = 1000  # the most frequent words that are looked at
FOLDS = 4  # of clusters, and of topics
TOPICS = 12  # groups of questions where the benchmark names no topics


@dataclass(frozen=True)
class Cells:
    """Each row's fold of clusters and fold of topics: what is held out together."""

    clusters: np.ndarray
    topics: np.ndarray

    def at(self, places: np.ndarray) -> Cells:
        """The cells of some of the rows."""
        return Cells(self.clusters[places], self.topics[places])


def folds(groups: Sequence[str], seed: int) -> np.ndarray:
    """A fold for every row, whole groups together and about as many rows a fold.

    Groups are put in an order drawn from the seed, then each into the fold with fewest rows.
    """
    names, inverse, counts = np.unique(
        np.array(groups, dtype=object).astype(str), return_inverse=True, return_counts=True
    )
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-counts[order], kind="stable")]
    filled, fold = np.zeros(FOLDS, dtype=int), np.empty(len(names), dtype=int)
    for group in order:
        fold[group] = int(filled.argmin())
        filled[fold[group]] += counts[group]
    return fold[inverse]


def word_features(texts: Sequence[str]) -> np.ndarray:
    """Tf-idf of the most frequent words that at least two texts have, rows of length one.

    Returns float32, shape (texts, at most `FEATURES`); no column where no word occurs twice.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        token_pattern=r"(?u)\b\w+\b",
        min_df=2,
        max_features=FEATURES,
        sublinear_tf=True,
        dtype=np.float32,
    )
    try:
        return vectorizer.fit_transform(texts).toarray()
    except ValueError:  # no word occurs in two texts
        return np.empty((len(texts), 0), dtype=np.float32)


def derived_topics(questions: Sequence[str], seed: int) -> list[str]:
    """Topics where the benchmark names none: groups of questions of alike words (k-means)."""
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD

    features = word_features(questions)
    wanted = min(TOPICS, len(questions) // 8)
    if wanted < 2 or features.shape[1] < 3:
        return ["0"] * len(questions)
    parts = min(30, features.shape[1] - 1)
    reduced = TruncatedSVD(parts, random_state=seed).fit_transform(features)
    grouped = KMeans(wanted, n_init=1, random_state=seed).fit_predict(reduced)
    return [str(group) for group in grouped]


def held_out_scores(
    features: np.ndarray, targets: np.ndarray, cells: Cells
) -> tuple[np.ndarray, np.ndarray]:
    """Every row scored by models that saw nothing of its cluster; and nothing of its topic either.

    Parameters
    ----------
    features : numpy.ndarray, shape (rows, words)
    targets : numpy.ndarray, shape (rows, draws)
        One regression each.
    cells : Cells
        Each row's folds.

    Returns
    -------
    tuple of numpy.ndarray, each of shape (rows, draws)
        With the row's fold of clusters held out; with its folds of clusters and of topics held
        out. Zero where nothing was left to learn from.
    """
    whole = _Sums.of(features, targets)
    by_cluster: dict[int, _Sums] = {}
    by_topic: dict[int, _Sums] = {}
    cells_sums: dict[tuple[int, int], tuple[np.ndarray, _Sums]] = {}
    for cell in sorted(set(zip(cells.clusters.tolist(), cells.topics.tolist(), strict=True))):
        rows = np.flatnonzero((cells.clusters == cell[0]) & (cells.topics == cell[1]))
        own = _Sums.of(features[rows], targets[rows])
        cells_sums[cell] = rows, own
        for sums, key in ((by_cluster, cell[0]), (by_topic, cell[1])):
            sums[key] = sums[key] + own if key in sums else own
    rest = {cluster: (whole - own).solve() for cluster, own in by_cluster.items()}
    found = np.zeros(targets.shape, np.float32), np.zeros(targets.shape, np.float32)
    for (cluster, topic), (rows, own) in cells_sums.items():
        neither = whole - by_cluster[cluster] - by_topic[topic] + own
        for scores, solved in zip(found, (rest[cluster], neither.solve()), strict=True):
            if solved is not None:
                scores[rows] = features[rows] @ solved
    return found


@dataclass(frozen=True)
class _Sums:
    """Rows, and their cross products with themselves and with the targets: what a ridge needs."""

    rows: int
    gram: np.ndarray
    cross: np.ndarray

    @classmethod
    def of(cls, features: np.ndarray, targets: np.ndarray) -> _Sums:
        gram = (features.T @ features).astype(float)
        return cls(len(features), gram, (features.T @ targets).astype(float))

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(self.rows + other.rows, self.gram + other.gram, self.cross + other.cross)

    def __sub__(self, other: _Sums) -> _Sums:
        return _Sums(self.rows - other.rows, self.gram - other.gram, self.cross - other.cross)

    def solve(self) -> np.ndarray | None:
        """Ridge weights, shape (words, draws); None where no row is left."""
        from scipy.linalg import cho_factor, cho_solve

        if not self.rows:
            return None
        penalised = self.gram + ALPHA * np.eye(len(self.gram))
        return cho_solve(cho_factor(penalised), self.cross).astype(np.float32)


def pick(scores: np.ndarray, sizes: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Whether the highest-scored option of each item is its right one; ties count their share.

    Parameters
    ----------
    scores : numpy.ndarray, shape (options of all items, draws)
    sizes : numpy.ndarray, shape (items,)
        Options of each item, at least 1.
    keys : numpy.ndarray, shape (draws, items)

    Returns
    -------
    numpy.ndarray, shape (draws, items)
        In [0, 1].
    """
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    result = np.empty(keys.shape)
    for size in np.unique(sizes):
        items = np.flatnonzero(sizes == size)
        rows = starts[items][:, None] + np.arange(size)
        own = scores[rows]  # items, options, draws
        best = own >= own.max(axis=1, keepdims=True) - 1e-6
        chosen = np.take_along_axis(best, keys.T[items][:, None, :], axis=1)[:, 0, :]
        result[:, items] = (chosen / best.sum(axis=1)).T
    return result
