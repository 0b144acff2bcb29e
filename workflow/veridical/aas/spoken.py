"""Days and numbers as people write them in English and Turkish."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

LANGUAGES = ("en", "tr")

# Monday first, as in datetime.date.weekday()
DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "tr": ("Pazartesi", "Salı", "Çarşamba", "Perşembe", "Cuma", "Cumartesi", "Pazar"),
}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
}
_UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
    "tr": "sıfır bir iki üç dört beş altı yedi sekiz dokuz",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "tr": "on yirmi otuz kırk elli altmış yetmiş seksen doksan",
}
_ORDINALS = {
    "en": "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh "
    "twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
    "tr": "sıfırıncı birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu",
}
_TENTHS = {
    "en": "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth",
    "tr": "onuncu yirminci otuzuncu kırkıncı ellinci altmışıncı yetmişinci sekseninci doksanıncı",
}
# what Turkish hangs on a day or a number: is, was, on, the one of, numbered
_ENDINGS = r"(?:dir|dur|tir|tur|ydi|ydu|di|du|ti|tu|yi|yu|ya|ye|inci|uncu|nci|ncu|si|su)?"


def fold(text: str) -> str:
    """Lower case without diacritics, the Turkish dotted and dotless i taken as one.

    >>> fold("PAZARTESİ"), fold("Salı"), fold("ÇARŞAMBA")
    ('pazartesi', 'sali', 'carsamba')
    """
    plain = text.replace("ı", "i").replace("İ", "i").replace("’", "'").replace("−", "-")
    decomposed = unicodedata.normalize("NFKD", plain.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _build_numbers(language: str) -> dict[str, int]:
    words: dict[str, int] = {}
    first_ten = 20 if language == "en" else 10
    units = fold(_UNITS[language]).split()
    tens = fold(_TENS[language]).split()
    words.update({word: n for n, word in enumerate(units)})
    words.update({word: n for n, word in enumerate(fold(_ORDINALS[language]).split())})
    words.update({word: first_ten + 10 * n for n, word in enumerate(tens)})
    words.update(
        {word: first_ten + 10 * n for n, word in enumerate(fold(_TENTHS[language]).split())}
    )
    ordinals = fold(_ORDINALS[language]).split()
    for ten, word in enumerate(tens):
        for unit in range(1, 10):
            value = first_ten + 10 * ten + unit
            for last in (units[unit], ordinals[unit]):
                words.update({f"{word}{last}": value, f"{word} {last}": value})
                words[f"{word}-{last}"] = value
    return words


NUMBERS = {language: _build_numbers(language) for language in LANGUAGES}


def _pattern(words: list[str], endings: str) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?:'?{endings})(?!\w)")


_NUMBER_WORDS = {
    "en": _pattern(list(NUMBERS["en"]), ""),
    "tr": _pattern(list(NUMBERS["tr"]), _ENDINGS),
}
_DAY_INDEX = {fold(day): n for language in LANGUAGES for n, day in enumerate(DAYS[language])}
_DAY_LANGUAGE = {fold(day): language for language in LANGUAGES for day in DAYS[language]}
_SHORT_TURKISH = "Pzt Sal Çar Per Cum Cmt Paz"
_DAY_WORDS = _pattern(list(_DAY_INDEX), _ENDINGS)
_SHORT_DAYS = {
    **{fold(short): (n, "tr") for n, short in enumerate(_SHORT_TURKISH.split())},
    **{fold(day)[:3]: (n, "en") for n, day in enumerate(DAYS["en"])},
}
_MONTH = "|".join(fold(f"{MONTHS['en']} {MONTHS['tr']}").split())
_DATES = re.compile(
    rf"\d{{4}}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{{2,4}}|\d\d?:\d\d"
    rf"|(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?(?<!\w)(?:{_MONTH})(?!\w)"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?(?!\d))?(?:,? \d{{4}})?"
)
_DIGITS = re.compile(r"(?<![\w.,])(-?\d+(?:[.,]\d+)?)(?:st|nd|rd|th|'?[a-z]{2,5})?(?!\w)")
_OF_TOTAL = re.compile(r"(\d+)\s*(?:/|of|out of)\s*\d+")
# "one" and "bir" are articles and pronouns too: they count alone, last, or beside a cue
_CUE = r"(?<!\w)(?:numarasi|numara|number|no|experiment|session|deneyin?|is)"
_ARTICLE = re.compile(
    r"(?<!\w)(?:one|bir)(?!\w)"
    r"(?!\s*[.!\"*)]*\s*$)(?!\s*[.,;(])(?! numaral)"
)
_CUED = re.compile(rf"{_CUE}[:\s'\"*#(]*$")


def days_in(folded: str) -> list[tuple[int, str, int, int]]:
    """Days named in a folded text: (weekday 0-6, language, start, end), in order."""
    found = [
        (_DAY_INDEX[m[1]], _DAY_LANGUAGE[m[1]], m.start(), m.end())
        for m in _DAY_WORDS.finditer(folded)
    ]
    short = folded.strip(" .,!*\"'")
    if not found and short in _SHORT_DAYS:
        found = [(*_SHORT_DAYS[short], 0, len(folded))]
    return found


def numbers_in(folded: str, language: str) -> list[tuple[float, str | None, int, int]]:
    """Numbers in a folded text, dates and times apart: (value, language or None, start, end).

    `language` is the language of the number words looked for; digits belong to none.
    """
    text = _DATES.sub(lambda m: " " * len(m[0]), folded)
    text = _OF_TOTAL.sub(lambda m: m[1].ljust(len(m[0])), text)
    found: list[tuple[float, str | None, int, int]] = [
        (float(m[1].replace(",", ".")), None, m.start(), m.end()) for m in _DIGITS.finditer(text)
    ]
    articles = {m.start() for m in _ARTICLE.finditer(text) if not _CUED.search(text[: m.start()])}
    found += [
        (float(NUMBERS[language][m[1]]), language, m.start(), m.end())
        for m in _NUMBER_WORDS[language].finditer(text)
        if m.start() not in articles
    ]
    return sorted(found, key=lambda number: number[2])


def tell_date(day: date, language: str) -> str:
    """The date with its weekday, as one says it in the language.

    >>> tell_date(date(2025, 8, 11), "en"), tell_date(date(2025, 8, 11), "tr")
    ('Monday, 11 August 2025', '11 Ağustos 2025 Pazartesi')
    """
    month = MONTHS[language].split()[day.month - 1]
    weekday = DAYS[language][day.weekday()]
    if language == "tr":
        return f"{day.day} {month} {day.year} {weekday}"
    return f"{weekday}, {day.day} {month} {day.year}"
