"""Whole numbers in words, cardinal and ordinal, in English, Turkish and Italian, below a million.

Texts are read folded (`characters.folded`): "yüz yirmi üçüncü" is "yuz yirmi ucuncu". The words of
one number may be glued, hyphenated or apart: people write "yirmiüç" and "yirmi üç".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

LANGUAGES = ("en", "tr", "it")

# Each kind of atom: Z zero, D 1 to 9, N 10 to 19, T tens, H hundred, K thousand. Ordinals, which
# end a number, are the same in small letters.
_CARDINALS = {
    "en": {
        "Z": "zero",
        "D": "one two three four five six seven eight nine",
        "N": "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "T": "twenty thirty forty fifty sixty seventy eighty ninety",
        "H": "hundred",
        "K": "thousand",
    },
    "tr": {
        "Z": "sifir",
        "D": "bir iki uc dort bes alti yedi sekiz dokuz",
        "T": "on yirmi otuz kirk elli altmis yetmis seksen doksan",
        "H": "yuz",
        "K": "bin",
    },
    "it": {
        "Z": "zero",
        "D": "uno due tre quattro cinque sei sette otto nove",
        "N": "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto "
        "diciannove",
        "T": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "H": "cento",
        "K": "mila",
    },
}
_ORDINALS = {
    "en": {
        "z": "zeroth",
        "d": "first second third fourth fifth sixth seventh eighth ninth",
        "n": "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
        "eighteenth nineteenth",
        "t": "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth",
        "h": "hundredth",
        "k": "thousandth",
    },
    "tr": {
        "z": "sifirinci",
        "d": "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci dokuzuncu",
        "t": "onuncu yirminci otuzuncu kirkinci ellinci altmisinci yetmisinci sekseninci "
        "doksaninci",
        "h": "yuzuncu",
        "k": "bininci",
    },
    "it": {
        "d": "primo secondo terzo quarto quinto sesto settimo ottavo nono",
        "n": "decimo undicesimo dodicesimo tredicesimo quattordicesimo quindicesimo sedicesimo "
        "diciassettesimo diciottesimo diciannovesimo",
        "t": "ventesimo trentesimo quarantesimo cinquantesimo sessantesimo settantesimo "
        "ottantesimo novantesimo",
        "h": "centesimo",
        "k": "millesimo",
    },
}
_FIRST = {"Z": 0, "D": 1, "N": 10, "T": 20, "H": 100, "K": 1000}
# what Turkish hangs on a number: is, was, on, the one of, numbered
_ENDING = re.compile(r"'?(?:dir|dur|tir|tur|ydi|ydu|di|du|ti|tu|yi|yu|ya|ye|si|su)\Z")
# what may stand between hundred or thousand and the rest of a number, beside a hyphen
_WITHIN = {
    "en": re.compile(r",?\s+(?:and\s+)?"),
    "tr": re.compile(r"\s+"),
    "it": re.compile(r"\s+(?:e\s+)?"),
}
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SMALL = "(?:T[Dd]?|[ZDNzdnt])"
_BELOW = f"(?:D?H{_SMALL}?|D?h|{_SMALL})"
_GRAMMAR = re.compile(f"(?P<thousands>{_BELOW}?)(?:k|K(?P<rest>{_BELOW}?))|{_BELOW}")


class Spelled(NamedTuple):
    """A number in words and where it stands in the text."""

    value: int
    start: int
    end: int
    ordinal: bool


class _Atom(NamedTuple):
    kind: str
    value: int


@cache
def _atoms(language: str) -> dict[str, _Atom]:
    """Every word of which the language makes its numbers."""
    atoms = {}
    for kind, words in (*_CARDINALS[language].items(), *_ORDINALS[language].items()):
        big = kind.upper()
        step = 10 if big == "T" else 1
        first = 10 if (big, language) == ("T", "tr") else _FIRST[big]
        for n, word in enumerate(words.split()):
            atoms[word] = _Atom(kind, first + step * n)
    if language == "it":
        atoms |= _italian_forms(atoms)
    return atoms


def _italian_forms(atoms: dict[str, _Atom]) -> dict[str, _Atom]:
    """Italian drops vowels where words meet (ventuno, centotto), and its ordinals agree."""
    more = {"mille": _Atom("K", 1000), "cent": _Atom("H", 100)}
    for word, atom in atoms.items():
        if atom.kind == "T":
            more[word[:-1]] = atom
        if atom.kind == "D":  # ventitreesimo keeps the vowel, ventunesimo drops it
            more[word + "esimo"] = more[word[:-1] + "esimo"] = _Atom("d", atom.value)
    return more | {
        word[:-1] + "a": atom for word, atom in (atoms | more).items() if atom.kind.islower()
    }


@cache
def _split(word: str, language: str) -> tuple[_Atom, ...]:
    """The atoms of which a word is made, the longest first; empty where it is no number."""
    atoms = _atoms(language)
    for end in range(len(word), 1, -1):
        if (atom := atoms.get(word[:end])) is not None:
            rest = word[end:]
            if not rest:
                return (atom,)
            if atom.kind.isupper() and (more := _split(rest, language)):
                return (atom, *more)
    return ()


def spelled(folded: str, language: str) -> list[Spelled]:
    """The numbers in words of a folded text, in order.

    Words that follow one another but make no one number are several: "two three" is 2 and 3.

    >>> [n.value for n in spelled("one hundred and twenty-third, or two", "en")]
    [123, 2]
    >>> [n.value for n in spelled("yuz yirmi ucuncu", "tr")]
    [123]
    """
    found: list[Spelled] = []
    run: list[tuple[_Atom, int, int]] = []
    open_to_more = False
    for match in _WORD.finditer(folded):
        word = match[0]
        atoms = _split(word, language)
        bare = bool(atoms)
        if not atoms and language == "tr":
            atoms = _split(_ENDING.sub("", word), language)
        joins = run and open_to_more and _joins(folded, run[-1], match.start(), language)
        if atoms and not joins:
            found += _numbers(run)
            run = []
        run += [(atom, match.start(), match.end()) for atom in atoms]
        if atoms:
            open_to_more = bare and atoms[-1].kind.isupper()
    return [*found, *_numbers(run)]


def _joins(folded: str, last: tuple[_Atom, int, int], start: int, language: str) -> bool:
    """Whether what stands between two number words leaves them one number."""
    between = folded[last[2] : start]
    if re.fullmatch(r"\s*-?\s*", between):
        return True
    return last[0].kind in "HK" and _WITHIN[language].fullmatch(between) is not None


def _numbers(run: list[tuple[_Atom, int, int]]) -> Iterator[Spelled]:
    kinds = "".join(atom.kind for atom, _, _ in run)
    for match in _GRAMMAR.finditer(kinds):
        atoms = [atom for atom, _, _ in run[match.start() : match.end()]]
        end = len(atoms)
        thousands = kinds[match.start() : match.end()].upper().find("K")
        if thousands < 0:
            value = _below(atoms)
        else:
            value = 1000 * (_below(atoms[:thousands]) or 1) + _below(atoms[thousands + 1 : end])
        ordinal = atoms[-1].kind.islower()
        yield Spelled(value, run[match.start()][1], run[match.end() - 1][2], ordinal)


def _below(atoms: list[_Atom]) -> int:
    value = 0
    for atom in atoms:
        value = (value or 1) * 100 if atom.kind in "Hh" else value + atom.value
    return value
