"""Does a text name somebody? One answer for every check that asks it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import lru_cache

from veridical.base.characters import alike

SHORTEST = 3  # letters that a part of a name needs to be a hint


def named(text: str, names: Iterable[str], *, exact: bool = False) -> list[str]:
    """The names that a text holds as words of their own, in the order of `names`.

    A name stands in a text where no letter or digit touches it: after an apostrophe (l'Anna) and
    before one ("Anna'nın", "Anna's") it does. Hyphens and spaces within a name are one another,
    and so are the ways to type a hyphen or an apostrophe. A name that ends in a digit is not found
    in a longer number (GPT-4 in GPT-4.1, 7 in 7.5). Capitals count with `exact` only: without it i,
    İ, I and ı are one letter, since languages disagree about which belong together, and a plural s
    may follow.

    >>> named("L'Anna disse a Jean‑Paul: prendi 7,5 litri", ["Anna", "Jean Paul", "7", "Ann"])
    ['Anna', 'Jean Paul']
    >>> named("a rose from İstanbul", ["Rose", "istanbul"], exact=True)
    []
    """
    text = alike(text)
    return [name for name in names if _pattern(name, exact).search(text)]


def parts_of(name: str) -> list[str]:
    """The pieces of a name between spaces, marks and capitals, three letters or longer.

    >>> parts_of("DeepSeek"), parts_of("Jean-Paul d'Orsay")
    (['Deep', 'Seek'], ['Jean', 'Paul', 'Orsay'])
    """
    name = alike(name)
    pairs = itertools.pairwise(f" {name}")
    spaced = (f" {new}" if old.islower() and new.isupper() else new for old, new in pairs)
    found = re.findall(r"[^\W\d_]+", "".join(spaced))
    return [part for part in found if len(part) >= SHORTEST]


@lru_cache(maxsize=4096)
def _pattern(name: str, exact: bool) -> re.Pattern[str]:
    """What a name looks like in a text."""
    words = re.split(r"[\s-]+", alike(name).strip())
    body = r"[\s-]+".join(map(re.escape, words))
    before, after = r"(?<!\w)", r"(?![\w\u0300-\u036f])"
    if words[0][:1].isdigit():
        before += r"(?<!\d[.,])"
    if words[-1][-1:].isdigit():
        after += r"(?![.,]\d)"
    elif not exact:
        body += "s?"
    return re.compile(before + body + after, 0 if exact else re.IGNORECASE)
