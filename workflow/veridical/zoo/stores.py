"""Sound memories of four kinds, in this process and without a model: what faults are planted in.

They differ in how they write and how they search, so that an instrument that mistakes a manner for
a fault is found out. What they have indexed is kept by its texts: thousands of banks hold the same.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

import numpy as np

from veridical.memories.matching import LONGER, words_of
from veridical.memories.protocol import Description, Event, Item, Memory, Recalled

DIMENSIONS = 2_048
K1, B = 1.2, 0.75  # BM25's usual constants (Robertson and Zaragoza 2009)
DATED = re.compile(r"(\d{4}-\d{2}-\d{2}) — (.+)", re.DOTALL)


class Kept(Memory):
    """Keeps every event, and gives back what its `search` ranks first."""

    name = ""
    writes = "verbatim"

    def __init__(self) -> None:
        self._banks: dict[str, list[Item]] = {}
        self._texts: dict[str, tuple[str, ...]] = {}

    def describe(self):
        return Description(self.name, "1", writes=self.writes, optional=("dump",))

    def reset(self, bank):
        self._banks.pop(bank, None)
        self._texts.pop(bank, None)

    def ingest(self, bank, events):
        items = [Item(self.write(event), None, event.at, (event.id,)) for event in events]
        self._banks.setdefault(bank, []).extend(items)
        self._texts.pop(bank, None)
        return len(items)

    def write(self, event: Event) -> str:
        """What is stored for an event."""
        return event.text

    def recall(self, bank, query, k, at=None):
        items = self._banks.get(bank)
        if not items:
            return Recalled()
        if bank not in self._texts:
            self._texts[bank] = tuple(item.text for item in items)
        ranked = self.search(self._texts[bank], query, k)
        found = ((items[at], score) for at, score in ranked)
        return Recalled(tuple(Item(i.text, score, i.at, i.sources) for i, score in found))

    def search(self, texts: tuple[str, ...], query: str, k: int) -> Sequence[tuple[int, float]]:
        """Places of the k texts that have most to do with the query, best first, with scores."""
        raise NotImplementedError

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every item, in the order of ingestion."""
        return tuple(self._banks.get(bank, ()))


class Words(Kept):
    """Every event as it is, found by its words (BM25)."""

    name = "words"

    def search(self, texts, query, k):
        return _word_index(texts).search(query, k)


class Vectors(Kept):
    """Every event as it is, found by the angle between hashed bags of words and of their pieces."""

    name = "vectors"

    def search(self, texts, query, k):
        return _by_angle(texts, query, k)


class Facts(Kept):
    """Extracts: the day goes to the end of the sentence, and the sentence is what is searched."""

    name, writes = "facts", "extracted"

    def write(self, event):
        dated = DATED.fullmatch(event.text)
        return f"{event.speaker} {dated[2]} ({dated[1]})" if dated else event.text

    def search(self, texts, query, k):
        return _word_index(texts).search(query, k)


class Whole(Kept):
    """Puts the whole life before the reader, whatever is asked."""

    name = "whole"

    def recall(self, bank, query, k, at=None):
        items = self._banks.get(bank, ())
        return Recalled((), "\n".join(item.text for item in items) if items else None)


STORES: dict[str, Callable[[], Memory]] = {
    store.name: store for store in (Words, Vectors, Facts, Whole)
}
RANKED = ("words", "vectors", "facts")  # kinds in which every fault is one


class _Index:
    """BM25 over a few texts."""

    def __init__(self, texts: tuple[str, ...]):
        counts = [_counted(text) for text in texts]
        lengths = [sum(count.values()) for count in counts]
        mean = sum(lengths) / len(lengths)
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        holding = Counter(word for count in counts for word in count)
        for at, count in enumerate(counts):
            damped = K1 * (1 - B + B * lengths[at] / mean)
            for word, times in count.items():
                rare = math.log(1 + (len(texts) - holding[word] + 0.5) / (holding[word] + 0.5))
                self._weights[word].append((at, rare * times * (K1 + 1) / (times + damped)))
        self._found: dict[tuple[str, int], list[tuple[int, float]]] = {}

    def search(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best places with their scores, equal ones in their order."""
        if (query, k) not in self._found:
            scores: dict[int, float] = defaultdict(float)
            for word in dict.fromkeys(words_of(query)):
                for at, weight in self._weights.get(word, ()):
                    scores[at] -= weight
            best = sorted((score, at) for at, score in scores.items())[:k]
            self._found[query, k] = [(at, -score) for score, at in best]
        return self._found[query, k]


@lru_cache(maxsize=20_000)
def _counted(text: str) -> Counter[str]:
    return Counter(words_of(text))


_word_index = lru_cache(maxsize=1_000)(_Index)


@lru_cache(maxsize=5_000)
def _vector(text: str) -> Any:
    """Hashed words and their three-letter pieces, of length 1; short words hardly count."""
    vector = np.zeros(DIMENSIONS)
    for word in words_of(text):
        common = 0.1 if len(word) < LONGER else 1.0
        pieces = ((word[at : at + 3], 0.3) for at in range(len(word) - 2))
        for piece, weight in ((word, 1.0), *pieces):
            code = crc32(piece.encode())
            vector[code % DIMENSIONS] += common * (weight if code & 0x10000 else -weight)
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


@lru_cache(maxsize=1_000)
def _matrix(texts: tuple[str, ...]) -> Any:
    return np.stack([_vector(text) for text in texts])


@lru_cache(maxsize=20_000)
def _by_angle(texts: tuple[str, ...], query: str, k: int) -> list[tuple[int, float]]:
    scores = _matrix(texts) @ _vector(query)
    return [(int(at), float(scores[at])) for at in np.argsort(-scores, kind="stable")[:k]]
