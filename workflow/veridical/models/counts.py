"""What a server or a program counts: taken where it can be a count, and not told where it can't."""

from __future__ import annotations

from typing import Any

MOST = 10**9  # a count beyond it is none


def count(value: Any) -> int | None:
    """A number of tokens; None where the server told none: zero, a text, no number, no whole one.

    >>> [count(value) for value in (12, 12.0, 0, -3, "12", float("nan"), True, None)]
    [12, 12, None, None, None, None, None, None]
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 < value <= MOST and value == int(value) else None


def dollars(value: Any) -> float | None:
    """An amount of money; None where it is none, or negative."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MOST else None
