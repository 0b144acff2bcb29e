"""The names of days and months in the languages that a study may be in."""

from __future__ import annotations

import re

from veridical.base.characters import folded

# Monday first, as in datetime.date.weekday()
DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "tr": ("Pazartesi", "Salı", "Çarşamba", "Perşembe", "Cuma", "Cumartesi", "Pazar"),
    "it": ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
}
_OTHERS = [language for language in MONTHS if language != "en"]
_MONTH = {
    folded(name): english
    for language in _OTHERS
    for name, english in zip(MONTHS[language].split(), MONTHS["en"].split(), strict=True)
}
_DAY = {
    folded(name): english
    for language in _OTHERS
    for name, english in zip(DAYS[language], DAYS["en"], strict=True)
}
_NAMED = re.compile(r"(?<!\w)(?:" + "|".join([*_MONTH, *_DAY]) + r")(?!\w)")
# what stands before the time of day, and between day, month and year: "l'8 di maggio del 2023"
_BETWEEN = re.compile(r"(?<!\w)(?:l'|(?:alle ore|alle|ore|saat|il|di|del)(?!\w))")


def in_english(text: str) -> str:
    """A date in Italian or Turkish with its day's and month's names in English.

    A text that names neither comes back as it is.

    >>> in_english("lunedì 8 maggio 2023, ore 13:56"), in_english("8 Mayıs 2023")
    ('Monday 8 May 2023,  13:56', '8 May 2023')
    """
    plain = folded(text)
    if not _NAMED.search(plain):
        return text
    names = _MONTH | _DAY
    return _NAMED.sub(lambda found: names[found[0]], _BETWEEN.sub("", plain))
