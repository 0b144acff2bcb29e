"""One spelling for what looks alike: hyphens, spaces, quotes, full-width letters, ligatures.

Models and people type one name in many ways: "GPT‑4" with a hyphen that doesn't break, "ＡＢ１" in
full width. Whoever compares texts compares `alike(text)`; what is kept is what was said.
"""

from __future__ import annotations

import re
import unicodedata

_HYPHENS = "‐‑‒⁃−﹣－˗➖"  # U+2010 to U+2012, the minus sign and their like
_APOSTROPHES = "‘’‚‛ʼʻʹ′´＇ꞌ"
_QUOTES = "“”„‟″«»‹›〝〞＂"
_LINES = "\u0085\u2028\u2029\r\v\f"
# Compatibility forms that mean the same letter. Left alone are those that mean another thing:
# ² is no 2, ① no 1, ½ is read by whoever reads numbers.
_SAME = {"<wide>", "<narrow>", "<noBreak>", "<compat>", "<font>", "<small>", "<vertical>"}
_SAME |= {"<initial>", "<medial>", "<final>", "<isolated>"}
_JOINED = re.compile(r"(?<=\w)–(?=\w)")


class _Alike(dict[int, str | int]):
    """What each character is read as, found out when it is first met."""

    def __missing__(self, code: int) -> str | int:
        self[code] = found = _spelling(chr(code))
        return found


def _spelling(character: str) -> str:
    category = unicodedata.category(character)
    if character in _HYPHENS:
        return "-"
    if character in _APOSTROPHES:
        return "'"
    if character in _QUOTES:
        return '"'
    if character in _LINES:
        return "\n"
    if category == "Zs":
        return " "
    if category == "Cf" or "\ufe00" <= character <= "\ufe0f":  # soft hyphens, joiners, marks
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if unicodedata.decomposition(character).split(" ")[0] in _SAME:
        return unicodedata.normalize("NFKC", character)
    return character


_ALIKE = _Alike()
_ALIKE.update({code: chr(code) for code in range(128) if chr(code) not in _LINES})


def alike(text: str) -> str:
    r"""The text as a reader sees it, in one spelling: NFC, plain hyphens, spaces and quotes.

    Soft hyphens and other characters without width are left out, line ends of every kind become
    `\n`, digits of every script 0 to 9. An en dash between letters or digits is a hyphen.

    >>> alike("GPT‑4 said “twenty–one”"), alike("ﬁve\u00a0ＡＢＣ１２")
    ('GPT-4 said "twenty-one"', 'five ABC12')
    """
    if text.isascii():
        return text.replace("\r\n", "\n").translate(_ALIKE) if _line(text) else text
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).translate(_ALIKE)
    return _JOINED.sub("-", text) if "–" in text else text


def _line(text: str) -> bool:
    return "\r" in text or "\v" in text or "\f" in text


_SHOWN = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"}
_SHOWN[0x7F] = "\u2421"


def visible(text: str) -> str:
    r"""The text with what a reader (or a program that stops at NUL) would miss: `\0` is shown as ␀.

    Line ends of every kind become `\n`; tabs stay.

    >>> visible("a\x00b\rc")
    'a␀b\nc'
    """
    return re.sub("\r\n?|[\x85\u2028\u2029]", "\n", text).translate(_SHOWN)


def fence(text: str) -> str:
    """Put the text between lines of backticks, more of them than it holds itself.

    What can't be seen is shown (`visible`): a judge in the process would else read only
    up to a null character.

    >>> print(fence("Hello"))
    ```
    Hello
    ```
    """
    text, longest, run = visible(text), 0, 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    bar = "`" * max(3, longest + 1)
    return f"{bar}\n{text.strip()}\n{bar}"


def folded(text: str) -> str:
    """`alike`, in lower case and without diacritics; the dotted and the dotless i are one letter.

    >>> folded("PAZARTESİ"), folded("Salı"), folded("Élodie"), folded("Straße")
    ('pazartesi', 'sali', 'elodie', 'strasse')
    """
    text = alike(text).replace("ı", "i").replace("İ", "i")
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
