"""Words and numbers in the report's language: every text comes from `text.<language>.yaml`."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal
from markupsafe import Markup, escape

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first is ten times as fast
FOLDER = Path(__file__).parents[2] / "report"
LANGUAGES = ("en", "it")
ENGLISH = FOLDER / "text.en.yaml"

_TERM = re.compile(r"\[\[([a-z0-9-]+)(?:\|([^\]]+))?\]\]")
_STRONG = re.compile(r"\*\*(.+?)\*\*")


def _set(entry: Any) -> Any:
    """Texts with the apostrophes that a printer would take."""
    if isinstance(entry, Mapping):
        return {key: _set(value) for key, value in entry.items()}
    if isinstance(entry, list):
        return [_set(value) for value in entry]
    return entry.replace("'", "’") if isinstance(entry, str) else entry


def plain(text: str) -> str:
    """A text without its marks, for where no markup can stand.

    >>> plain("a [[counterfeit]] of **this** [[memory-block|memory]]")
    'a counterfeit of this memory'
    """
    text = _TERM.sub(lambda match: match.group(2) or match.group(1).replace("-", " "), text)
    return _STRONG.sub(r"\1", text)


class Said(str):
    """A text of the page; `key` is the last step of the key that it was worded from."""

    key: str

    def __new__(cls, text: str, key: str) -> Said:
        """The text with its key."""
        said = super().__new__(cls, text)
        said.key = key
        return said


class Wording:
    """The texts of one language, with its way of writing numbers.

    `words("page.of", count=1, all=2)` looks a text up by its dotted key and fills its places; a
    missing key or place raises KeyError with the key. `words.of("control1")` looks into that part's
    section, `parts.control1`, first; `words.of("control3", "life")` into `parts.control3.life`
    before it: what is said otherwise of another kind of study.
    """

    def __init__(self, texts: Mapping[str, Any], part: str = "", kind: str = ""):
        self.texts = texts
        self.part = part
        self.kind = kind
        self._formats = texts["formats"]
        self.locale = self._formats["locale"]

    @classmethod
    def read(cls, language: str, folder: Path = FOLDER) -> Wording:
        """Read `text.<language>.yaml`. Raises ValueError where there is none."""
        path = folder / f"text.{language}.yaml"
        if not path.is_file():
            raise ValueError(f"{path}: no texts for language {language!r}; have {LANGUAGES}")
        return cls.load(path)

    @classmethod
    def load(cls, path: Path) -> Wording:
        """Read a file of texts."""
        return cls(_set(yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)))

    def of(self, part: str, kind: str = "") -> Wording:
        """The same language, a part's own texts first, before them those of a kind of study.

        Raises KeyError where the part, or of the part the kind, has none.
        """
        self.raw(f"parts.{part}.{kind}" if kind else f"parts.{part}")
        return Wording(self.texts, part, kind)

    def naming(self, group: str, names: Mapping[str, str] | None) -> Wording:
        """The same language with a study's own words for values of a group, before those known."""
        values = self.texts.get("values", {})
        own = {**values, group: {**values.get(group, {}), **(names or {})}}
        return Wording({**self.texts, "values": own}, self.part, self.kind)

    def raw(self, key: str) -> Any:
        """The entry at a dotted key: a text, a list or a mapping."""
        for place in (*self._own(), ""):
            found = self._find(f"{place}.{key}" if place else key)
            if found is not None:
                return found
        raise KeyError(f"no text {key!r} in this language")

    def _own(self) -> Iterator[str]:
        """Where the part's own texts stand, those of the kind of study first."""
        if self.part and self.kind:
            yield f"parts.{self.part}.{self.kind}"
        if self.part:
            yield f"parts.{self.part}"

    def _find(self, key: str) -> Any:
        entry: Any = self.texts
        for step in key.split("."):
            entry = entry.get(step) if isinstance(entry, Mapping) else None
        return entry

    def __call__(self, key: str, **values: Any) -> Said:
        """The text at a dotted key, its places filled, its first letter as a sentence has it."""
        text = self.raw(key)
        try:
            filled = text.format(**values)
        except KeyError as error:
            raise KeyError(f"text {key!r} wants a value for {error}") from error
        named = text.startswith("{") and not text.startswith("{count}")  # a name keeps its letters
        if key.startswith("findings.") and not named:
            filled = filled[:1].upper() + filled[1:]
        return Said(filled, key.rpartition(".")[2])

    def value(self, group: str, value: Any) -> str:
        """A value of a table in words: `values.<group>.<value>`, else the value with spaces."""
        if value is None or str(value) in ("nan", "<NA>", "NaT"):
            return self._formats["missing"]
        for place in (*(f"{own}.values" for own in self._own()), "values"):
            known = self._find(place) or {}
            if str(value) in known.get(group, {}):
                return str(known[group][str(value)])
        return str(value).replace("_", " ")

    def heading(self, column: str) -> str:
        """The heading of a column: the part's own, else the shared one, else its name."""
        for place in (*(f"{own}.columns" for own in self._own()), "columns"):
            known = self._find(place) or {}
            if column in known:
                return str(known[column])
        return column

    def number(self, value: float | None, digits: int = 3, *, sign: bool = False) -> str:
        """A number in the language's marks, with a true minus; a dash where it is missing."""
        if value is None or math.isnan(value):
            return self._formats["missing"]
        if math.isinf(value):
            return "−∞" if value < 0 else "∞"
        places = "." + "0" * digits if digits else ""
        text = format_decimal(value, "#,##0" + places, self.locale, decimal_quantization=True)
        rounds_to_nothing = not any(character in "123456789" for character in text)
        text = text.lstrip("-")
        if rounds_to_nothing or (value > 0 and not sign):
            return text
        return ("−" if value < 0 else "+") + text

    def percent(self, share: float | None, digits: int = 1, *, mark: bool = True) -> str:
        """A share in [0, 1] as a percentage."""
        if share is None or math.isnan(share):
            return self._formats["missing"]
        number = self.number(100 * share, digits)
        return self._formats["percent"].format(number) if mark else number

    def points(self, difference: float, digits: int = 1, *, sign: bool = True) -> str:
        """A difference of shares, in percentage points without their unit."""
        return self.number(100 * difference, digits, sign=sign)

    def interval(
        self, low: float | None, high: float | None, digits: int = 3, *, sign: bool = True
    ) -> str:
        """An interval in brackets, a dash where it is missing."""
        if low is None or high is None or math.isnan(low) or math.isnan(high):
            return self._formats["missing"]
        ends = (self.number(low, digits, sign=sign), self.number(high, digits, sign=sign))
        return f"[{ends[0]}{self._formats['between']} {ends[1]}]"

    def p_value(self, p: float | None) -> str:
        """A p-value: two significant digits above 1e-5, else that it is below."""
        if p is None or math.isnan(p):
            return self._formats["missing"]
        if p < 1e-5:
            return "< " + self.number(1e-5, 5)
        digits = 2 if p >= 0.1 else 1 - math.floor(math.log10(p))
        return self.number(p, digits)

    def setting(self, value: Any) -> str:
        """A setting as it stands in the config, in the language's marks."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return self.value("", value) if value is None else str(value)
        if value == 0 or 1e-3 <= abs(value) < 1e6:
            return self.number(float(value), len(f"{value:g}".partition(".")[2]))
        mantissa, _, exponent = f"{value:g}".partition("e")
        raised = str(int(exponent or 0)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return ("" if mantissa == "1" else f"{mantissa} · ") + f"10{raised}"

    def p_equals(self, p: float) -> str:
        """A p-value in a sentence: `p = 0.012`, `p < 0.00001`."""
        text = self.p_value(p)
        return f"p {text}" if text.startswith("<") else f"p = {text}"

    def span(self, values: Iterable[float], show: Any) -> str:
        """The least and the greatest of some values, once where they read alike."""
        values = sorted(values)
        low, high = show(values[0]), show(values[-1])
        return low if low == high else self._formats["span"].format(low=low, high=high)

    def numeral(self, count: int) -> str:
        """A small whole number as a word, a larger one in digits."""
        words = self._formats["numerals"]
        return words[count] if 0 <= count < len(words) else self.number(count, 0)

    def count(self, count: int, noun: str, *, word: bool = True) -> str:
        """A number with its noun: "seven items", "42 answers"."""
        one, many = self.texts["nouns"][noun][:2]
        if count == 1:
            return one
        return f"{self.numeral(count) if word else self.number(count, 0)} {many}"

    def join(self, names: Iterable[str]) -> str:
        """A list in prose: "a, b and c"."""
        return format_list(list(names), locale=self.locale)

    def date(self, iso: str) -> str:
        """An ISO date (the time is dropped) as the language writes it; unchanged if it is none."""
        try:
            day = datetime.date.fromisoformat((iso or "")[:10])
        except ValueError:
            return iso
        return format_date(day, "d MMMM y", self.locale)

    def prose(self, text: str) -> Markup:
        """A text as HTML: everything escaped, then `[[term|shown]]` linked and `**bold**` set."""

        def term(match: re.Match[str]) -> str:
            name, shown = match.group(1), match.group(2)
            shown = shown or self.texts["glossary"][name]["name"]
            return (
                f'<a class="term" href="#glossary/{name}" data-term="{name}" '
                f'aria-describedby="definition-{name}">{shown}</a>'
            )

        html = _TERM.sub(term, str(escape(text)))
        return Markup(_STRONG.sub(r"<strong>\1</strong>", html))
