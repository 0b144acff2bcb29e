"""Altering a single detail of a text by rule, so that both versions read equally well."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from veridical.corpora.corpus import Corpus

from veridical.base.calendars import MONTHS

KINDS = ("number", "name", "place", "order")
MASK = "[date]"
#: Words between two things that say which came first; a vocabulary's kind `order` adds others.
ORDER_WORDS = {
    "en": ("before", "after", "then"),
    "it": ("prima di", "dopo", "poi"),
    "tr": ("önce", "sonra"),
}
#: The mark before decimals; a full stop where a language is not listed.
DECIMAL = {"it": ",", "tr": ","}
_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)
# What Italian writes otherwise before a vowel: l'8 and il 7, all'ora and alla sera, ed Anna, e Lea.
_ELIDED = re.compile(r"(?:\w['’]|\b(?:ad|ed|od)\s+)$", re.IGNORECASE)
_UNELIDED = re.compile(
    r"\b(?:una|il|lo|la|(?:de|da|ne|su|a)l(?:l[oa])?|i|gli|(?:de|da|ne|su|a)(?:i|gli))\s+$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Alteration:
    """One altered detail: where it begins in the text, what stood there and what stands now."""

    kind: str
    position: int
    source: str
    target: str

    def apply(self, text: str) -> str:
        """The text with the detail altered."""
        return text[: self.position] + self.target + text[self.position + len(self.source) :]


def _figures(language: str) -> re.Pattern[str]:
    """A figure of its own in that language's notation: no part of a date, a time or a word."""
    mark = re.escape(DECIMAL.get(language, "."))
    return re.compile(rf"(?<![\w.,:/-])\d+(?:{mark}\d+)?(?![\w:/-]|[.,]\d)")


def mask_dates(text: str, language: str = "en") -> str:
    """Put `[date]` in the place of every date: 2025-03-31, 31/3/2025, 31 March (2025), March 31.

    Month names are known in en, it and tr; numeric dates in any language.

    >>> mask_dates("On 3 March 2025, and again on 2025-04-01, it rained.")
    'On [date], and again on [date], it rained.'
    """
    patterns = [r"\d{4}-\d{2}-\d{2}", r"\d{1,2}[./]\d{1,2}[./]\d{2,4}"]
    if language in MONTHS:
        month = "(?:" + "|".join(MONTHS[language].split()) + ")"
        patterns.append(rf"\d{{1,2}}(?:st|nd|rd|th)?\s+{month}(?:,?\s+\d{{4}})?")
        patterns.append(rf"{month}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\s+\d{{4}})?")
    return re.sub(r"(?<!\w)(?:" + "|".join(patterns) + r")(?!\w)", MASK, text)


class Alterer:
    """Finds the single details of a corpus's texts that can be altered by rule.

    `number`: a figure for another of as many digits, 20 to 60 % off. `name`, `place`: a term of
    the vocabulary for another of the same kind that the corpus itself writes after the same word
    ("at the", "by"), so that both read well. `order`: two terms around an order word ("before"),
    exchanged; in Italian, two of one number. Only details that stand once in a text are altered: a
    text never contradicts itself.
    """

    def __init__(self, corpus: Corpus):
        self.language = corpus.language
        vocabulary = corpus.vocabulary
        self.terms: Mapping[str, list[str]] = {
            kind: sorted(set(group["term"])) for kind, group in vocabulary.groupby("kind")
        }
        listed = [re.escape(term) for term in sorted(set(vocabulary["term"]), key=_longest)]
        self.any_term = rf"(?<!\w)(?:{'|'.join(listed)})(?!\w)" if listed else r"(?!)"
        words = self.terms.get("order") or list(ORDER_WORDS.get(corpus.language, ()))
        self.order_words = "|".join(map(re.escape, sorted(words, key=_longest))) or r"(?!)"
        self.after: dict[str, set[str]] = {}
        for text in corpus.records()["text"]:
            masked = mask_dates(text, corpus.language)
            for hit in re.finditer(self.any_term, masked):
                self.after.setdefault(hit[0], set()).add(_left_word(masked, hit.start()))

    def find(self, text: str, kind: str, rng: np.random.Generator) -> list[Alteration]:
        """Every alteration of this kind that the text allows, one a detail.

        Raises ValueError where the kind is none of `KINDS`.
        """
        rules: dict[str, Callable[[str, np.random.Generator], list[Alteration]]] = {
            "number": self._numbers,
            "name": lambda text, rng: self._terms(text, "name", rng),
            "place": lambda text, rng: self._terms(text, "place", rng),
            "order": self._orders,
        }
        if kind not in rules:
            raise ValueError(f"unknown kind of detail {kind!r}: known are {', '.join(KINDS)}")
        return [
            found for found in rules[kind](text, rng) if not problems(text, found, self.language)
        ]

    def _numbers(self, text: str, rng: np.random.Generator) -> list[Alteration]:
        figures = list(_figures(self.language).finditer(text))
        mark = DECIMAL.get(self.language, ".")
        found = []
        for hit in figures:
            other = _other_number(hit[0], rng, mark)
            if other and sum(figure[0] == hit[0] for figure in figures) == 1:
                found.append(Alteration("number", hit.start(), hit[0], other))
        return found

    def _terms(self, text: str, kind: str, rng: np.random.Generator) -> list[Alteration]:
        own = self.terms.get(kind, [])
        found = []
        for hit in re.finditer(self.any_term, text):
            if hit[0] not in own or len(re.findall(_whole(hit[0]), text)) > 1:
                continue
            left = _left_word(text, hit.start())
            others = [
                term
                for term in own
                if left in self.after.get(term, ()) and not re.search(_whole(term), text)
            ]
            if others:
                target = others[int(rng.integers(len(others)))]
                found.append(Alteration(kind, hit.start(), hit[0], target))
        return found

    def _orders(self, text: str, rng: np.random.Generator) -> list[Alteration]:
        pattern = rf"({self.any_term})( (?:{self.order_words}) )({self.any_term})"
        return [
            Alteration("order", hit.start(), hit[0], hit[3] + hit[2] + hit[1])
            for hit in re.finditer(pattern, text)
            if self.language != "it" or _many(hit[1]) == _many(hit[3])
        ]


def problems(text: str, alteration: Alteration, language: str = "en") -> list[str]:
    """What is wrong with an altered text: empty where the pair can be used.

    The two texts must differ in the recorded place and nowhere else, and both must be well-formed:
    begin with a capital or a figure, end with a full stop, hold no double space, close what they
    open, and keep `a` and `an` or, in Italian, what is elided before a vowel (l'8, il 7).
    """
    found = []
    if text[alteration.position :][: len(alteration.source)] != alteration.source:
        found.append(f"{alteration.source!r} doesn't stand at {alteration.position}")
    altered = alteration.apply(text)
    if altered == text:
        found.append("the texts don't differ")
    for name, version in (("true", text), ("altered", altered)):
        found.extend(f"the {name} text {what}" for what in _ill_formed(version))
    before = _bound(text[: alteration.position], language)
    if before and _vowel(alteration.source, language) != _vowel(alteration.target, language):
        found.append(f"{before!r} doesn't go with {alteration.target!r}")
    return found


def _bound(before: str, language: str) -> str:
    """The word before a detail whose form depends on the sound that follows; empty where none."""
    patterns = {"en": (_ARTICLE,), "it": (_ELIDED, _UNELIDED)}.get(language, ())
    found = next((hit for hit in (each.search(before) for each in patterns) if hit), None)
    return found[0].strip() if found else ""


def _other_number(figure: str, rng: np.random.Generator, mark: str = ".") -> str | None:
    """Another figure of the same shape, 20 to 60 % off; None for 0 and 1, which change grammar."""
    digits = len(figure.partition(mark)[2])
    scale = 10**digits
    worth = float(figure.replace(mark, "."))
    value = round(worth * scale)
    if worth in (0, 1):
        return None
    apart = range(max(1, round(0.2 * value)), max(2, round(0.6 * value)) + 1)
    near = [value + sign * step for step in apart for sign in (-1, 1)]
    shaped = [f"{other / scale:.{digits}f}" for other in near if other > scale]
    fitting = [text for text in shaped if len(text) == len(figure)]
    return fitting[int(rng.integers(len(fitting)))].replace(".", mark) if fitting else None


def _ill_formed(text: str) -> list[str]:
    found = []
    if not text or not (text[0].isupper() or text[0].isdigit() or text[0] in "\"'“‘[«"):
        found.append("doesn't begin like a sentence")
    if not text.rstrip("\"'”’»)").endswith((".", "!", "?", "…")):
        found.append("doesn't end like a sentence")
    if re.search(r"\s{2,}|\s[.,;:!?]", text):
        found.append("has stray spaces")
    for opening, closing in ("()", "[]", "“”", "«»"):
        if text.count(opening) != text.count(closing):
            found.append(f"doesn't close {opening}")
    return found


def _left_word(text: str, at: int) -> str:
    """The word before a place in the text, lower-cased; empty at a sentence's beginning.

    An elided word touches what it stands before (dell'Anna), and its apostrophe belongs to it.
    """
    match = re.search(r"(\w+)[ ]$|(\w+['’])$", text[:at])
    return (match[1] or match[2]).casefold() if match else ""


def _whole(term: str) -> str:
    return rf"(?<!\w){re.escape(term)}(?!\w)"


def _many(term: str) -> bool:
    """Whether an Italian term is a plural, by its article: else what agrees with it won't fit."""
    return re.match(r"(?:i|gli|le)\s", term, re.IGNORECASE) is not None


def _longest(term: str) -> tuple[int, str]:
    return (-len(term), term)


def _vowel(text: str, language: str = "en") -> bool:
    """Whether it is spoken with a vowel first: eight, eleven; otto, undici, ottanta, undicimila."""
    eleven = r"11(?:\.?\d{3})?(?!\d)" if language == "it" else r"11(?!\d)|18(?!\d)"
    first = text.lower()[:1]
    return first in "aeiouàèéìòù" or bool(re.match(rf"8|{eleven}", text))
