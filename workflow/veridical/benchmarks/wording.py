"""Texts as the checks compare them: words in lower case, without marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")

# Too short or too common to say that a text holds an answer.
COMMON = frozenset({"yes", "no", "true", "false", "none", "both", "a", "an", "the", "i", "it"})


@lru_cache(maxsize=200_000)
def words(text: str) -> tuple[str, ...]:
    """The words of a text, numbers among them, case folded.

    >>> words("It's 7.5 km, she said.")
    ("it's", '7.5', 'km', 'she', 'said')
    """
    plain = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return tuple(_WORD.findall(plain.casefold()))


@lru_cache(maxsize=200_000)
def plain(text: str) -> str:
    """The words of a text with one space around each, so that `in` finds whole words only."""
    return f" {' '.join(words(text))} "


def telling(answer: str) -> bool:
    """Whether finding the answer in a text says something: it has a word that is not common."""
    return bool(set(words(answer)) - COMMON)


def holds(text: str, answer: str) -> bool:
    """Whether the answer's words stand in the text, in order and together."""
    return telling(answer) and plain(answer) in plain(text)
