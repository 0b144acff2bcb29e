"""What is shown on a terminal: texts of other people's can't move its cursor, colour it or hide."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

_JOINERS = "\u00ad\u200c\u200d"  # without them some scripts and signs can't be read


def printable(text: str) -> str:
    r"""A text as it may be printed: control and direction characters are shown, not obeyed.

    Line ends and tabs stay. All else that is no sign (control codes, escapes, marks that turn the
    direction, halves of a character, line ends that only some programs take for one) is written as
    its number.

    >>> printable("a\x1b[2Jb\rc\u202e")
    'a\\x1b[2Jb\\x0dc\\u202e'
    """
    return "".join(_shown(sign) if _hidden(sign) else sign for sign in str(text))


def columns(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 2) -> list[str]:
    """A table's lines: so many columns of text to the left, numbers to the right.

    >>> columns(("model", "calls"), [("m", "1,000")], texts=1)
    ['model  calls', 'm      1,000']
    """
    table = [head, *rows]
    widths = [max(len(row[place]) for row in table) for place in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if place < texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def _hidden(sign: str) -> bool:
    if sign in "\n\t" or sign in _JOINERS:
        return False
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _shown(sign: str) -> str:
    number = ord(sign)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
