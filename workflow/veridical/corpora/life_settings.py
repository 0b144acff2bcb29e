"""The `corpus.yaml` of a life of events and facts: who, in which language, what is asked about."""

from __future__ import annotations

import difflib
import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.base import yaml_files
from veridical.base.code import LIBRARY
from veridical.base.yaml_files import read_words, words_of
from veridical.corpora.corpus_files import read_text
from veridical.corpora.moments import moment
from veridical.corpora.planting import Planting, read_planting

FORM = "life"
LIFE = "life-"  # begins the names of texts that are a life's own
REQUIRED = ("form", "agent", "language", "licence", "origin")
OPTIONAL = ("today", "asked", "attributes", "memory", "abstention", "question", "associations")
OPTIONAL += ("plant",)
SHAPES = ("lines", "paragraphs", "profile", "turns", "brought")
ATTRIBUTE_KEYS = ("question", "fact", "values")


@dataclass(frozen=True)
class Attribute:
    """A property of subjects: how it is asked for (`{subject}`), how a fact reads (`{subject}`,
    `{value}`), and its values in the order offered, where they are listed."""

    name: str
    question: str
    fact: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class LifeSettings:
    """What `corpus.yaml` says; `words` are the wordings, its own before those of the language."""

    path: Path
    keys: Mapping[str, Any]
    words: Mapping[str, str]
    attributes: Mapping[str, Attribute]
    planting: Planting | None = None

    def attribute(self, name: str) -> Attribute:
        """An attribute's wording; the language's own where corpus.yaml has none."""
        if name in self.attributes:
            return self.attributes[name]
        question = self.words["question"].replace("{attribute}", name)
        return Attribute(name, question, self.words["fact"].replace("{attribute}", name))


def form_of(path: Path) -> str:
    """`life` or `encounters`: which of the two forms a corpus.yaml is of. Raises ValueError."""
    settings = yaml_files.read_text(read_text(path), str(path))
    form = str(settings.get("form", "encounters")) if isinstance(settings, dict) else "encounters"
    if form not in (FORM, "encounters"):
        raise ValueError(f"{path}, key form: must be life or encounters, not {form!r}")
    return form


def read_life_settings(path: Path) -> LifeSettings:
    """Read the `corpus.yaml` of a life. Raises ValueError naming file, key and what to do."""
    keys = words_of(yaml_files.read_text(read_text(path), str(path)))
    for key in REQUIRED:
        if not isinstance(keys.get(key), str) or not keys[key].strip():
            raise ValueError(f"{path}, key {key}: must be a text, not {keys.get(key)!r}")
    _check_known(path, keys, (*REQUIRED, *OPTIONAL), "")
    if "today" in keys and (not isinstance(keys["today"], str) or moment(keys["today"]) is None):
        raise ValueError(f"{path}, key today: {keys['today']!r} is no day of the form 2025-03-31")
    if keys.get("memory", SHAPES[0]) not in SHAPES:
        raise ValueError(
            f"{path}, key memory: must be one of {', '.join(SHAPES)}, not {keys['memory']!r}"
        )
    words = _words(path, keys)
    attributes = keys.get("attributes") or {}
    if not isinstance(attributes, dict):
        raise ValueError(f"{path}, key attributes: must name attributes, not {attributes!r}")
    worded = {name: _attribute(path, name, entry, words) for name, entry in attributes.items()}
    if "plant" not in keys:
        return LifeSettings(path, keys, words, worded)
    planted = read_planting(path, keys["plant"], keys["language"])
    own = Attribute(planted.attribute, planted.question, planted.fact, planted.values)
    keys = {"asked": planted.attribute, **keys}
    return LifeSettings(path, keys, words, {planted.attribute: own, **worded}, planted)


def life_words(language: str) -> dict[str, str]:
    """A language's wordings, from `life-words.<language>.yaml`. Raises ValueError where none."""
    path = LIBRARY / "texts" / f"life-words.{language}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(p.suffixes[0][1:] for p in path.parent.glob("life-words.*.yaml")))
        raise ValueError(
            f"{path}: no wordings in {language!r}, only in {known}; write them like the others"
        )
    return read_words(path)


def life_texts(language: str) -> dict[str, str]:
    """The texts that read otherwise about a life, by the name of the one that they replace."""
    folder, ends = LIBRARY / "texts", f".{language}.txt"
    return {
        path.name.removeprefix(LIFE).removesuffix(ends): path.read_text("utf-8").rstrip("\n")
        for path in sorted(folder.glob(f"{LIFE}*{ends}"))
    }


def _words(path: Path, keys: Mapping[str, Any]) -> dict[str, str]:
    """The wordings: `abstention` and what stands under `question` go over the language's."""
    own = keys.get("question") or {}
    if not isinstance(own, dict) or not all(isinstance(value, str) for value in own.values()):
        raise ValueError(f"{path}, key question: must hold texts by their name, not {own!r}")
    words = life_words(keys["language"])
    _check_known(path, own, words, "question/")
    given = {"abstention": keys["abstention"]} if "abstention" in keys else {}
    words = {**words, **own, **given}
    for key, value in words.items():
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{path}, key {key}: must be a text, not {value!r}")
    return words


def _attribute(path: Path, name: str, entry: Any, words: Mapping[str, str]) -> Attribute:
    """One attribute, its templates and values checked."""
    where = f"{path}, key attributes/{name}"
    entry = entry or {}
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: must hold {', '.join(ATTRIBUTE_KEYS)}, not {entry!r}")
    _check_known(path, entry, ATTRIBUTE_KEYS, f"attributes/{name}/")
    asked = {"question": ("subject",), "fact": ("subject", "value")}
    found = {}
    for key, fields in asked.items():
        text = str(entry.get(key) or words[key]).replace("{attribute}", name)
        held = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
        if sorted(held) != sorted(fields):
            wanted = " and ".join(f"{{{field}}}" for field in fields)
            raise ValueError(f"{where}/{key}: must contain {wanted} exactly once, and no other")
        found[key] = text
    values = entry.get("values") or []
    if not isinstance(values, list) or len(values) == 1 or not all(values):
        raise ValueError(f"{where}/values: must list two values or more, not {values!r}")
    if len({str(value).casefold() for value in values}) < len(values):
        raise ValueError(f"{where}/values: a value stands twice in {values}")
    return Attribute(name, found["question"], found["fact"], tuple(map(str, values)))


def _check_known(path: Path, keys: Mapping[str, Any], known: Any, where: str) -> None:
    for key in keys:
        if key not in known:
            near = difflib.get_close_matches(str(key), list(known), n=1)
            hint = f"; is {near[0]!r} meant?" if near else f"; known: {', '.join(known)}"
            raise ValueError(f"{path}: unknown key {where + str(key)!r}{hint}")
