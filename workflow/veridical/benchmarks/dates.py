"""Dates as benchmarks write them: which of them don't exist."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator

_MONTHS = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_DAYS = {name[:3].casefold(): number for number, name in enumerate(calendar.day_name)}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_PATTERNS = (
    re.compile(
        r"(?<![\d/.-])(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?![\d/-])"
        r"(?:\s*\((?P<w>[A-Za-z]{3})\))?"
    ),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<n>{_MONTH})\b\.?,?(?:\s+(?P<y>\d{{4}})\b)?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<n>{_MONTH})\.?[\s-]+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)(?:,?[\s-]+(?P<y>\d{{4}})\b)?",
        re.IGNORECASE,
    ),
)


def impossible_dates(text: str) -> list[str]:
    """The dates of a text that don't exist, as written there: 30 February, a wrong weekday.

    A date without a year counts as possible where any year has it.

    >>> impossible_dates("on 2023/02/30, and on February 29")
    ['2023/02/30']
    """
    return [match[0].strip() for match in _dates(text) if not _exists(match)]


def day_of(text: str) -> str | None:
    """The first day with a year that a text names, as 2025-03-31; None where it names none.

    >>> day_of("1:56 pm on 8 May, 2023"), day_of("2023/05/20 (Sat) 02:21"), day_of("spring")
    ('2023-05-08', '2023-05-20', None)
    >>> day_of("8 May 2023 (noted 2024-01-02)")
    '2023-05-08'
    """
    for match in sorted(_dates(text), key=lambda match: match.start()):
        found = match.groupdict()
        if found["y"] and _exists(match):
            month = int(found["m"]) if found.get("m") else _MONTHS[found["n"].casefold()]
            return dt.date(int(found["y"]), month, int(found["d"])).isoformat()
    return None


def _dates(text: str) -> Iterator[re.Match[str]]:
    for pattern in _PATTERNS:
        yield from pattern.finditer(text)


def _exists(match: re.Match[str]) -> bool:
    found = match.groupdict()
    month = int(found["m"]) if found.get("m") else _MONTHS[found["n"].casefold()]
    year = int(found["y"]) if found["y"] else 2000  # a leap year
    try:
        date = dt.date(year, month, int(found["d"]))
    except ValueError:
        return False
    weekday = found.get("w")
    return not weekday or _DAYS.get(weekday.casefold()) == date.weekday()
