"""Days and numbers as people write them, above all in English, Turkish and Italian."""

from __future__ import annotations

import re
from datetime import date

from veridical.base.calendars import DAYS, MONTHS
from veridical.base.characters import alike, folded
from veridical.base.number_words import spelled

LANGUAGES = ("en", "tr", "it")

# a right day in another language is right, and in the wrong language
_OTHER_DAYS = {
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
}
_MORE_MONTHS = (
    "jan feb mar apr jun jul aug sept sep oct nov dec oca sub nis haz tem agu eyl kas "
    "gen mag giu lug ago sett ott dic"
)
# what Turkish hangs on a day: is, was, on, the one of
_ENDINGS = r"(?:dir|dur|tir|tur|ydi|ydu|di|du|ti|tu|yi|yu|ya|ye|si|su)?"


def _pattern(words: list[str], endings: str) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?:'?{endings})(?!\w)")


_DAYS_IN = [
    (folded(day), n, language)
    for language, days in {**{k: v.split() for k, v in _OTHER_DAYS.items()}, **DAYS}.items()
    for n, day in enumerate(days)
]
_DAY_INDEX = {day: n for day, n, _ in _DAYS_IN}
_DAY_LANGUAGE = {day: language for day, _, language in _DAYS_IN}
_SHORT = {"tr": "Pzt Sal Çar Per Cum Cmt Paz", "it": "lun mar mer gio ven sab dom"}
_DAY_WORDS = _pattern(list(_DAY_INDEX), _ENDINGS)
_SHORT_DAYS = {
    **{
        folded(short): (n, language)
        for language, words in _SHORT.items()
        for n, short in enumerate(words.split())
    },
    **{folded(day)[:3]: (n, "en") for n, day in enumerate(DAYS["en"])},
    **{short: (n, "en") for n, short in ((1, "tues"), (2, "weds"), (3, "thur"), (3, "thurs"))},
}
_MONTH = "|".join(
    sorted(folded(" ".join([*MONTHS.values(), _MORE_MONTHS])).split(), key=len, reverse=True)
)
_DAY = r"\d{1,2}(?:st|nd|rd|th|[.°º])?"
_DATES = re.compile(
    r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[./-]\d\d?[./-]\d{2,4}|\d\d?[:.]\d\d\s?[ap]\.?m\b|\d\d?:\d\d"
    r"|\d\d?\s?[ap]\.?m\b"
    rf"|(?:(?<![\w.,]){_DAY}(?: (?:of|di|de))? )(?<!\w)(?:{_MONTH})\b\.?(?:,? \d{{4}}\b)?"
    rf"|(?<!\w)(?:{_MONTH})\b\.? {_DAY}(?![\d])(?:,? \d{{4}}\b)?"
    rf"|(?<!\w)(?:{'|'.join(folded(' '.join(MONTHS.values())).split())})(?!\w)(?:,? \d{{4}}\b)?"
)
_MONTH_BESIDE = re.compile(rf"\s+(?:of\s+)?(?:{_MONTH})\b")
_BESIDE_MONTH = re.compile(rf"(?:{_MONTH})\.?\s+(?:the\s+)?\Z")
_CUE = (
    r"(?<!\w)(?:numarasi|numara|numaram|number|no|nr|num|experiment|session|deneyin?|oturum|"
    r"esperimento|is)"
)
# "No. 3", "Nr.3", "N° 3" and "#3" are the number 3
_NUMERO = re.compile(r"(?<!\w)(?:no|nr|num|n|numero|number)\s*[.:°º]\s*(?=\d)|#\s*(?=\d)")
_DIGITS = re.compile(
    r"(?<![\w.,])(-?\d+(?:[.,]\d+)*)(?:st|nd|rd|th|[°ºª]|'?[a-z]{2,5})?(?!\w)(?![.,]\d)"
)
_GROUPED = re.compile(r"-?\d{1,3}([.,])\d{3}(?:\1\d{3})*")
_OF_TOTAL = re.compile(r"(\d+)\s*(?:of|out of)\s*\d+")
_SLASHED = re.compile(r"(?<![\d/])(\d+)\s*/\s*(\d+)(?![\d/])")
# Roman numerals count alone and behind a cue; one letter may be a word
_ROMAN = re.compile(
    r"(?:\A[\s\"'*(]*(?P<alone>[IVXLC]{2,})[\s\"'*).!]*\Z"
    r"|(?i:\b(?:experiment|session|number|no\.|deney|numara|oturum|esperimento)\s*[:#]?\s*)"
    r"(?P<cued>[IVXLC]{2,}|[IV])\b(?!'))"
)
_ROMAN_FORM = re.compile(r"(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
# "one" and "bir" are articles and pronouns too: they count alone, last, or beside a cue
_ARTICLE = re.compile(
    r"(?<!\w)(?:one|bir|uno)(?!\w)"
    r"(?!\s*[.!\"*)]*\s*$)(?!\s*[.,;(])(?! numaral)"
    r"|(?<=(?:st|nd|rd|th) )one(?!\w)"  # "the third one"
)
_CUED = re.compile(rf"{_CUE}[:\s'\"*#(]*$")


def heard(answer: str) -> str:
    """An answer as it is read: folded, one space between words, Roman numerals in digits.

    >>> heard("Experiment  No. XIV"), heard("PAZARTESİ")
    ('experiment number 14', 'pazartesi')
    """
    text = "".join(c if c.isprintable() else " " for c in alike(answer))
    text = _ROMAN.sub(_in_digits, text)
    return _NUMERO.sub("number ", " ".join(folded(text).split()))


def _in_digits(match: re.Match[str]) -> str:
    numeral = match["alone"] or match["cued"]
    form = _ROMAN_FORM.fullmatch(numeral.lstrip("C"))
    if form is None or numeral.startswith("CCCC"):
        return match[0]
    values = [{"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}[letter] for letter in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    total = sum(-value if value < after else value for value, after in pairs)
    return match[0].replace(numeral, str(total))


def days_in(folded: str) -> list[tuple[int, str, int, int]]:
    """Days named in a text that was `heard`: (weekday 0-6, language, start, end), in order."""
    found = [
        (_DAY_INDEX[m[1]], _DAY_LANGUAGE[m[1]], m.start(), m.end())
        for m in _DAY_WORDS.finditer(folded)
    ]
    short = _DATES.sub("", folded).strip(" .,!*\"'()")
    if not found and short in _SHORT_DAYS:
        found = [(*_SHORT_DAYS[short], 0, len(folded))]
    return found


def numbers_in(folded: str, language: str) -> list[tuple[float, str | None, int, int]]:
    """Numbers in a text that was `heard`, dates and times apart, in order.

    Each as (value, language or None, start, end): `language` is that of the number words looked
    for, digits belong to none. A slash that may stand in a date ("8/15") or within a total, and a
    group of three digits that may be decimals ("1.000"), give both readings, so that neither
    passes for sure.
    """
    text = _DATES.sub(lambda m: " " * len(m[0]), folded)
    text = _OF_TOTAL.sub(lambda m: m[1].ljust(len(m[0])), text)
    text = _SLASHED.sub(lambda m: _of_total(m, text), text)
    found: list[tuple[float, str | None, int, int]] = []
    for match in _DIGITS.finditer(text):
        found += [(n, None, match.start(), match.end()) for n in _values(match[1], language)]
    articles = {m.span() for m in _ARTICLE.finditer(text) if not _CUED.search(text[: m.start()])}
    found += [
        (float(n.value), language, n.start, n.end)
        for n in spelled(text, language)
        if (n.start, n.end) not in articles and not _is_date(folded, n.start, n.end)
    ]
    return sorted(found, key=lambda number: number[2])


def _of_total(match: re.Match[str], text: str) -> str:
    """A place in a total ("13/45"), unless the two may be a day and a month ("8/15")."""
    first, second = int(match[1]), int(match[2])
    cued = _CUED.search(text[: match.start()])
    date_like = min(first, second) <= 12 and max(first, second) <= 31
    if cued or not date_like:
        return match[1].ljust(len(match[0]))
    return match[0].replace("/", " ")


def _values(digits: str, language: str) -> list[float]:
    """What digits with points or commas in them may be worth."""
    plain = float(re.sub(r"[.,]", "", digits))
    if grouped := _GROUPED.fullmatch(digits):
        own = {"en": ",", "tr": ".", "it": "."}.get(language)
        if grouped[1] == own:
            return [plain]
        return (
            [plain, float(digits.replace(",", "."))] if digits.count(grouped[1]) == 1 else [plain]
        )
    if len(re.findall(r"[.,]", digits)) > 1:
        return []
    return [float(digits.replace(",", "."))]


def _is_date(text: str, start: int, end: int) -> bool:
    """Whether a number in words is a day of a month: "the fifteenth of August"."""
    return bool(_MONTH_BESIDE.match(text, end) or _BESIDE_MONTH.search(text[:start]))


def tell_date(day: date, language: str) -> str:
    """The date with its weekday, as one says it in the language.

    >>> tell_date(date(2025, 8, 11), "en"), tell_date(date(2025, 8, 11), "tr")
    ('Monday, 11 August 2025', '11 Ağustos 2025 Pazartesi')
    """
    month = MONTHS[language].split()[day.month - 1]
    weekday = DAYS[language][day.weekday()]
    if language == "tr":
        return f"{day.day} {month} {day.year} {weekday}"
    if language == "it":
        return f"{weekday} {day.day} {month} {day.year}"
    return f"{weekday}, {day.day} {month} {day.year}"
