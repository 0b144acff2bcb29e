"""Columns that the tables of several parts have: each is worded and bounded in one place."""

from __future__ import annotations

from typing import Any

from veridical.base.contract import Column, Shown, number


def difference(name: str, says: str, *, shown: str | Shown = "signed", **more: Any) -> Column:
    """A column of differences of two shares, in [-1, 1].

    >>> difference("gap", "right with less right without").unit
    'difference of shares'
    """
    return number(name, says, shown=shown, unit="difference of shares", low=-1, high=1, **more)
