"""Where a reply mentions the options that were listed, however it spells them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from veridical.base.characters import alike, folded
from veridical.models.stances import ARTICLE, FIRST

TRIM = " \t\r\n\"'`*_$#<>()[]{}.,;:!…。、！·"
_WRAPPED = re.compile(r"\\(?:boxed|fbox|text(?:bf|it|rm)?|math(?:bf|rm))\s*\{([^{}]*)\}")
_EMPHASIS = re.compile(r"\*+|`+|(?<!\w)_+|_+(?!\w)|\\[()\[\]]|\$")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f\ue000-\uf8ff]")
_UNTICKED = re.compile(r"^.*\[ \].*$|~~[^~\n]*~~", re.MULTILINE)  # or struck out
_TICKED = re.compile(r"\[[xX✓✔]\]")
# Words that are names only where they are written as the name is: "It may be so" names no May.
_COMMON = re.compile(
    r"may|will|can|no|yes|none|an|it|so|me|he|she|we|us|mark|bill|art|hope|joy|faith|grace|rose|rob|"
    r"sue|pat|drew|jack|gene|dawn|april|june|august|march|si|ma|per|con|non|sole|rosa|luce|ve|bu|on|"
    r"bir|iki|var|yok|deniz|su|ay"
)
_LABEL = (
    r"(?:option|text|answer|choice|letter|version|statement|testo|opzione|risposta|lettera|"
    r"versione|scelta|metin|seçenek|cevap|yanıt|harf|şık)"
)
_VERB = (
    r"(?:is|was|matches|fits|seems|does|has|and|or|nor|è|era|e|o|metni\w*|şıkkı\w*|seçeneği\w*|doğru|"
    r"değil|ve|ile)"
)
_CASES = (str, str.upper)


def exactly(text: str, listed: Sequence[str]) -> str | None:
    """The option that a text is, apart from case, quotes, emphasis and trailing punctuation."""
    same = _same(listed)
    plain = same(seen(text)).strip(TRIM)
    for option in listed:
        bare = same(seen(option)).strip(TRIM)
        if plain == bare or (bare.endswith("?") and plain == bare.rstrip(" ?")):
            return option
    return None


def seen(text: str) -> str:
    """The text as a reader sees it: without emphasis, LaTeX's boxes and what can't be seen."""
    text = _UNSEEN.sub("", alike(text))
    while (plainer := _WRAPPED.sub(r"\1", text)) != text:
        text = plainer
    return _EMPHASIS.sub("", _TICKED.sub("", _UNTICKED.sub("", text)))


def spelling(option: str) -> str:
    """An option apart from what tells no two options apart: case, quotes, trailing punctuation."""
    return " ".join(seen(option).casefold().split()).strip(TRIM + "?")


def _same(listed: Sequence[str]) -> Callable[[str], str]:
    """What makes two spellings the same: case and diacritics, as far as no two options need them.

    White space of any length is one space.
    """
    bare = [seen(option) for option in listed]
    fold: Callable[[str], str] = str
    for looser in (folded, str.casefold):  # "IŞIK" may be either of "Işık" and "Işik"
        if all(
            len({looser(case(each)).strip(TRIM) for each in bare}) == len(bare) for case in _CASES
        ):
            fold = looser
            break
    return lambda text: re.sub(r"[ \t]+", " ", fold(text))


def marked(text: str, listed: Sequence[str]) -> str:
    """A text (as `seen`), folded, in which every mention of option n is the character `FIRST` + n.

    A longer option hides a shorter one within it. A letter that may as well be a word becomes
    `ARTICLE`.
    """
    order = sorted(range(len(listed)), key=lambda n: -len(listed[n]))
    as_written = [n for n in order if _letter(listed[n]) or _COMMON.fullmatch(folded(listed[n]))]
    for n in as_written:
        if _letter(listed[n]):
            text = _mark_letter(text, listed[n], chr(FIRST + n))
        else:
            text = re.sub(_pattern(seen(listed[n])), chr(FIRST + n), text)
    fold = _same(listed)
    text = fold(text)
    for n in order:
        if n not in as_written:
            text = re.sub(_pattern(fold(seen(listed[n]))), chr(FIRST + n), text)
    return text


def _letter(option: str) -> bool:
    return len(option) == 1 and option.isalpha()


def _pattern(option: str) -> str:
    """The option as words of their own: no part of a compound, of a longer number or a date."""
    words = r"\s+".join(map(re.escape, option.strip(TRIM).split()))
    number = any(character.isdigit() for character in option)
    return (r"(?<![\w.,:/-])" if number else r"(?<![\w-])") + (
        rf"{words}(?![.,:/-]?\w)" if number else rf"{words}(?![.-]?\w)"
    )


def _mark_letter(text: str, letter: str, mark: str) -> str:
    shouting = text == text.upper() and len(text.split()) > 2

    def mark_of(found: re.Match[str]) -> str:
        before, after = text[: found.start()], text[found.end() :]
        begins = re.search(r"(?:\A|[\n.!?:;(\[\"'>-]|\d[.)])\s*\Z", before)
        closed = re.match(r"\s*(?:[()\].,:;!?\"'…/]|[-–—]\s|—|\n|\Z)", after)
        labelled = re.search(rf"\b{_LABEL}\s*(?:is|è|[:=])?\s*[\"'(\[]*\Z", before, re.IGNORECASE)
        enclosed = re.search(r"[(\[\"']\Z", before) and re.match(r"[)\]\"']", after)
        if found[0] != letter:
            return mark if (labelled and closed) or enclosed else found[0]
        if closed or labelled or re.match(rf"\s+{_VERB}\b", after, re.IGNORECASE):
            return mark
        return ARTICLE if begins or shouting or letter == "I" else mark

    return re.sub(rf"(?<![\w-]){re.escape(letter)}(?![\w-])", mark_of, text, flags=re.IGNORECASE)
