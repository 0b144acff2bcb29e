"""Times as chats, benchmarks and calendars write them, made times of a life."""

from __future__ import annotations

import datetime as dt
import re
import warnings
from typing import Any

from veridical.base.calendars import in_english
from veridical.corpora.moments import moment

EPOCH = (10**8, 10**11)  # seconds of the years 1973 to 5138; a thousand times as many are ms
_EITHER = re.compile(r"(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)")
_WEEKDAY = re.compile(r"\((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\)", re.IGNORECASE)
_FIRST, _SECOND = dt.datetime(2001, 1, 2), dt.datetime(2004, 3, 5)


def time_of(value: Any) -> str | None:
    """A time as a life has it; None where it is none, or lacks its day, month or year.

    Taken are ISO times, seconds or milliseconds since 1970 (UTC), and days in words in any order,
    in English, Italian or Turkish.
    `03/04/2025` may be in March or in April, and is None; `31/03/2025` is not in doubt.

    >>> time_of("1:56 pm on 8 May, 2023"), time_of("2023/05/20 (Sat) 02:21"), time_of("3/4/2025")
    ('2023-05-08T13:56', '2023-05-20T02:21', None)
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _epoch(float(value))
    text = " ".join(str(value).split())
    if re.fullmatch(r"\d+(\.\d+)?", text) and len(text.split(".")[0]) in (10, 13):
        return _epoch(float(text))
    if moment(text) is not None:
        return text.replace(" ", "T", 1)
    return _in_words(in_english(_WEEKDAY.sub(" ", text)))


def _epoch(seconds: float) -> str | None:
    seconds = seconds / 1000 if seconds >= EPOCH[1] else seconds
    if not EPOCH[0] <= seconds < EPOCH[1]:
        return None
    return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec="seconds")


def _in_words(text: str) -> str | None:
    from dateutil import parser

    either = _EITHER.search(text)
    if either and int(either[1]) <= 12 and int(either[2]) <= 12 and either[1] != either[2]:
        return None
    day_first = bool(either) and int(either[1]) > 12
    if day_first and len(either[3]) == 2:
        return None  # 25/12/10 may begin with its year
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", parser.UnknownTimezoneWarning)
            found = [parser.parse(text, default=at, dayfirst=day_first) for at in (_FIRST, _SECOND)]
    except (ValueError, OverflowError, parser.UnknownTimezoneWarning):
        return None  # no time, or one in a zone by a name that several have
    if found[0] != found[1]:
        return None  # what one of two defaults had to fill in isn't said
    told = bool(re.search(r"\d:\d|\d\s*[ap]\.?m", text, re.IGNORECASE))
    return found[0].isoformat(timespec="minutes") if told else found[0].date().isoformat()
