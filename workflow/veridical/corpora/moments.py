"""Times as people write them: a day, or a day and a time, with or without a zone."""

from __future__ import annotations

import datetime
from functools import lru_cache

DAY_LENGTH = len("2025-03-31")


@lru_cache(maxsize=200_000)
def moment(text: str) -> datetime.datetime | None:
    """The moment that a time names, its zone kept; None where it is no time.

    A day alone is its beginning; `T` or a blank stands between day and time.

    >>> moment("2025-03-31"), moment("2025-03-31 14:05"), moment("31/3/2025")
    (datetime.datetime(2025, 3, 31, 0, 0), datetime.datetime(2025, 3, 31, 14, 5), None)
    """
    if text[4:5] != "-" or text[7:8] != "-":
        return None  # the reader below takes 20250331 and 2025-W14-1 as well
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None


def day_of(text: str) -> str:
    """The day of a time, as it stands in it."""
    return text[:DAY_LENGTH]


def zoned(text: str) -> bool:
    """Whether a time says its zone; a day alone says none, and does with either kind."""
    when = moment(text)
    return when is not None and when.tzinfo is not None


def order(text: str) -> datetime.datetime:
    """What times are put in order by: the moment, in one zone. Raises ValueError where none."""
    when = moment(text)
    if when is None:
        raise ValueError(f"{text!r} is no time of the form 2025-03-31 or 2025-03-31T14:05")
    return when.astimezone(datetime.UTC).replace(tzinfo=None) if when.tzinfo else when


def end_of(text: str) -> datetime.datetime:
    """The moment up to which a time reaches: a day alone, to its end."""
    whole = datetime.timedelta(days=1, microseconds=-1)
    return order(text) + (whole if len(text) == DAY_LENGTH else datetime.timedelta())
