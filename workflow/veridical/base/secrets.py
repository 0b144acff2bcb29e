"""What a key is: the one list for striking out, refusing and scanning alike.

A key is known by its value (`key_values`: what stands in the environment, however it is written
into a text) or by its looks (`PATTERNS`: the forms that hosts give their tokens, and the places in
which only a key stands). What a config may not hold follows from both (`keyless.py`), and so does
what an archive may not (`archive/privacy.py`).
"""

from __future__ import annotations

import base64
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from veridical.base.tokens import PATTERNS, Pattern

STRUCK = "[key]"
SHORTEST = 8  # characters: a shorter value is a word, and striking it would spoil what was said
NAME = 64  # characters that a name has at most, which is looked through once and not at every call
PART = 10  # characters of a key's beginning or end that are struck where the rest was cut off
_NAMES = re.compile(
    r"(?:^|_)(?:API_?KEYS?|KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|(?<=_)PWD|"
    r"CREDENTIALS?|AUTH|AUTHORI[SZ]ATION|COOKIES?|PAT|SAS)(?:_|$)"
    r"|(?:API|ACCESS|SECRET|PRIVATE)KEY(?:_|$)|(?:ACCESS|AUTH)TOKEN(?:_|$)"
)
_PLACEHOLDERS = {
    "", "none", "null", "empty", "dummy", "unused", "ollama", "local", "x", "xxx", "no-key",
    "changeme", "dummy-key", "fake-key", "key-not-needed", "lm-studio", "no-api-key",
    "no-key-needed", "no-key-required", "none-needed", "not-needed", "not-required", "not-used",
    "placeholder", "sk-no-key-required", "sk-placeholder", "unused-key", "your-api-key",
}  # fmt: skip
_SCHEME = re.compile(r"(?:bearer|basic|token|apikey|key)\s+", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"://[^\s/@:]*:([^\s/@]+)@")
_LABEL = re.compile(r"(?:[A-Za-z0-9]{2,7}[-_])*")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}
_ESCAPES = re.compile(r"[%&\\=]")


class Spot(NamedTuple):
    """Where in a text a key stands, and how it was known: `key` or `token`."""

    start: int
    end: int
    kind: str


def names_key(variable: str) -> bool:
    """Whether an environment variable is a key's by its name.

    >>> [names_key(name) for name in ("OPENAI_KEY", "lab_token", "MAX_TOKENS", "KEYBOARD")]
    [True, True, False, False]
    """
    return bool(_NAMES.search(variable.upper().replace("-", "_")))


def as_sent(value: str) -> str:
    """A key as it is sent: without line ends, blanks, quotes and invisible marks around it.

    >>> as_sent("\\u202a'hunter22'\\u202c\\r\\n")
    'hunter22'
    """
    kept = [place for place, sign in enumerate(value) if not _around(sign)]
    return value[kept[0] : kept[-1] + 1] if kept else ""


def _around(sign: str) -> bool:
    """Whether a character stands around a key and is none of it."""
    return sign in "\"'`" or unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp", "Zs")


def key_values(environ: Mapping[str, str] = os.environ, named: Iterable[str] = ()) -> list[str]:
    """The keys that stand in an environment, as they are sent, longest first.

    The values of variables that are keys by their name or that are `named` (by the config,
    whatever they are called), and the passwords in addresses. Several in one variable count each.
    Left out are values shorter than `SHORTEST`, numbers of no named variable, the paths of files,
    and words that stand for "no key" where a server asks for one.
    """
    named = set(named)
    found: set[str] = set()
    for name, value in environ.items():
        found.update(part for part in _IN_ADDRESS.findall(value) if len(part) >= SHORTEST)
        if name in named or names_key(name):
            found.update(each for each in _parts(value) if name in named or not each.isdigit())
    return sorted(found, key=lambda value: (-len(value), value))


def _parts(value: str) -> Iterator[str]:
    """A variable's value, and each key in it where it holds several or a scheme before it."""
    whole = as_sent(value)
    parts = [whole, _SCHEME.sub("", whole, count=1)]
    parts += [each for part in re.split(r"[\s,;]+", whole) if len(each := as_sent(part)) >= 16]
    for part in parts:
        if len(part) >= SHORTEST and part.lower() not in _PLACEHOLDERS and not _is_path(part):
            yield part


def _is_path(value: str) -> bool:
    if not value.startswith(("/", "~/", "./")) or "\n" in value or len(value) > 1024:
        return False
    path = Path(value).expanduser()
    return path.exists() or (value.count("/") > 1 and path.parent.exists())


def is_placeholder(value: str) -> bool:
    """Whether a value says that there is no key, where a server or program wants one.

    >>> [is_placeholder(value) for value in ("EMPTY", "not-needed", "$MY_KEY", "hunter2")]
    [True, True, True, False]
    """
    value = as_sent(value)
    reference = re.fullmatch(r"\$\w+|\$?\{\w+\}|%\w+%|<[^<>]*>|\.{3}|…|\*+", value)
    return bool(value.lower() in _PLACEHOLDERS or reference or value == STRUCK)


def drawn(text: str) -> bool:
    """Whether a text looks drawn at random, not written: a digit among letters, or mixed case.

    >>> [drawn(text) for text in ("a1b2c3", "OPENAI_KEY", "camelCase", "qZrTwKxA")]
    [True, False, False, True]
    """
    letters = [sign for sign in text if sign.isalpha()]
    turns = sum(a.islower() and b.isupper() for a, b in pairwise(text))
    return bool(letters) and (any(sign.isdigit() for sign in text) or turns >= 2)


def spots(text: str, values: Iterable[str] = ()) -> list[Spot]:
    """Where in a text keys stand: the `values`, in any writing, and what looks like one.

    In order, and none within another.
    """
    found = [Spot(*span, "key") for value in values for span in _spans(text, value)]
    lower = text.lower()
    for pattern in PATTERNS:
        if not pattern.hints or any(hint in lower for hint in pattern.hints):
            found += _looks(text, pattern)
    return _apart(found)


def _looks(text: str, pattern: Pattern) -> Iterator[Spot]:
    for match in pattern.regex.finditer(text):
        group = "key" if "key" in pattern.regex.groupindex else 0
        yield Spot(*match.span(group), pattern.kind)


def _apart(found: list[Spot]) -> list[Spot]:
    """Spots in order; those that touch each other's inside become one."""
    apart: list[Spot] = []
    for spot in sorted(found):
        if apart and spot.start < apart[-1].end:
            last = apart.pop()
            spot = Spot(last.start, max(last.end, spot.end), last.kind)
        apart.append(spot)
    return apart


def _spans(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Where a value stands in a text: as it is, escaped, encoded, or cut off at one end."""
    yield from _all(text, value)
    if _ESCAPES.search(text):
        yield from (match.span() for match in _escaped(value).finditer(text))
    for form in _encoded(value):
        yield from _all(text, form)
    for part, step in _ends(value):
        yield from _grown(text, value, part, step)


def _all(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    start = text.find(wanted)
    while start >= 0:
        yield start, start + len(wanted)
        start = text.find(wanted, start + 1)


@lru_cache(maxsize=256)
def _escaped(value: str) -> re.Pattern[str]:
    """A value each of whose characters may be escaped as in JSON, an address, HTML or mail.

    Every alternative begins with a letter, so that the search can skip what begins otherwise.
    """
    slashes = r"\\(?:\\)*"

    def any_writing(sign: str) -> str:
        forms = [rf"{slashes}{re.escape(sign)}"]
        forms += [rf"{slashes}u(?i:{ord(sign):04x})", rf"{slashes}x(?i:{ord(sign):02x})"]
        forms += [rf"&#(?:0*{ord(sign)}|x0*(?i:{ord(sign):x}));"]
        code = sign.encode("utf-8", "replace")
        forms.append("".join(rf"%(?:25)*(?i:{byte:02x})" for byte in code))
        forms.append("".join(rf"=(?i:{byte:02x})" for byte in code))
        forms += [slashes + letter for letter in {"\n": "n", "\r": "r", "\t": "t"}.get(sign, "")]
        forms += [r"\+"] * (sign == " ")
        forms += [_HTML[sign]] if sign in _HTML else []
        return f"(?:{'|'.join([*forms, re.escape(sign)])})"

    return re.compile("".join(map(any_writing, value)))


@lru_cache(maxsize=256)
def _encoded(value: str) -> tuple[str, ...]:
    """What of a value shows in base64 wherever it begins there, in both alphabets, and in hex."""
    data, forms = value.encode("utf-8", "replace"), set()
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data).decode()
        core = text[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        forms |= {core, core.replace("+", "-").replace("/", "_")}
    return (*sorted(forms), data.hex(), data.hex().upper())


@lru_cache(maxsize=256)
def _ends(value: str) -> tuple[tuple[str, int], ...]:
    """The beginning of a value (its label and `PART` more) and its end, where they tell it."""
    if any(sign.isspace() for sign in value):
        return ()
    label = _LABEL.match(value).end()
    first, last = value[: label + PART], value[-PART:]
    long_enough = len(value) >= label + PART + 2
    ends = [(first, 1)] if long_enough and drawn(first[label:]) else []
    return tuple(ends + ([(last, -1)] if long_enough and drawn(last) else []))


def _grown(text: str, value: str, part: str, step: int) -> Iterator[tuple[int, int]]:
    """Where a value's beginning (`step` 1) or end (-1) stands, with all that follows of it."""
    for start, end in _all(text, part):
        size = len(part)
        if step > 0:
            while end < len(text) and size < len(value) and text[end] == value[size]:
                end, size = end + 1, size + 1
        else:
            while start and size < len(value) and text[start - 1] == value[-size - 1]:
                start, size = start - 1, size + 1
        yield start, end


def strike(text: str, values: Iterable[str] = ()) -> str:
    """A text with every key in it struck out.

    >>> strike("bad key abcdefgh12, try ?key=abc%64efgh12", ["abcdefgh12"])
    'bad key [key], try ?key=[key]'
    """
    pieces, end = [], 0
    for spot in spots(text, values):
        pieces += [text[end : spot.start], STRUCK]
        end = spot.end
    return "".join([*pieces, text[end:]])


_struck = lru_cache(4096)(strike)


def redact(text: str, environ: Mapping[str, str] = os.environ, named: Iterable[str] = ()) -> str:
    """Strike out of a text the keys in the environment and what looks like one.

    >>> redact("bad key abcdefgh12", {"SOME_API_KEY": "abcdefgh12\\r\\n"})
    'bad key [key]'
    """
    return strike(text, key_values(environ, named))


def clean(raw: Any, values: Sequence[str]) -> Any:
    """A `Raw` answer fit to be kept: no key in it, and no half of a character.

    Where a key was struck out of the text, its tokens are no longer told.
    """

    def struck(text: str) -> str:
        # names of parameters and models come with every answer
        return (_struck if len(text) <= NAME else strike)(text, keys)

    def tidy(value: Any) -> Any:
        if isinstance(value, str):
            return struck(value).encode("utf-8", "replace").decode()
        if isinstance(value, Mapping):
            return {tidy(str(name)): tidy(each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [tidy(each) for each in value]
        return value if isinstance(value, int | float | bool | None) else str(value)

    keys = tuple(values)
    text = struck(raw.text)
    return replace(
        raw,
        text=text.encode("utf-8", "replace").decode(),
        thinking=tidy(raw.thinking),
        finish=tidy(raw.finish),
        served_model=tidy(raw.served_model),
        parameters=tidy(raw.parameters),
        sdk=tidy(raw.sdk),
        token_bytes=raw.token_bytes if text == raw.text else None,
    )
