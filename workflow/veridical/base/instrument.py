"""A study's own instrument: its metrics in its own words, its own texts instead of those that ship.

Both may stand in the config or in a file beside it. They are read into the config before it is
checked, so that every word of them is sealed with the design and travels with an archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from veridical.base.code import LIBRARY
from veridical.base.hints import near
from veridical.base.yaml_files import YAMLError, read_words, words_of

ANCHORS = ("question", "low", "high")  # what is scored, what 0 and what 1 stands for
LABEL = "label"  # how the page and the figures name it, where that isn't its name
METRIC_NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*")
SHIPPED = LIBRARY / "texts"
# Lists that a program reads line by line, what belongs to no corpus (a benchmark, the zoo), and
# what a memory system's own program reads.
NOT_OWN = ("benchmark-", "detail-kinds", "drive-", "life-", "metrics", "verdict")
HOW = "give it `question`, `low` (what a score of 0 means) and `high` (what 1 means)"


def resolve(config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A config as written with its own metrics and texts read into it, and what is wrong with them.

    `control1/metrics` may be a list of names, a mapping of names to wordings, or the path of a YAML
    file that holds such a mapping; it becomes the list of names, and the wordings stand under
    `control1/wording`. `texts` may be a mapping or the path of a file that holds one.
    """
    config, problems = dict(config), []
    part = config.get("control1")
    if isinstance(part, Mapping) and isinstance(part.get("metrics"), str | Mapping):
        where, metrics, lost = _content(part["metrics"], "control1/metrics")
        problems += lost or [*check_wording(metrics, where)]
        worded = {name: words for name, words in metrics.items() if words not in ("", None)}
        config["control1"] = {**part, "metrics": list(metrics), "wording": worded}
    elif isinstance(part, Mapping) and isinstance(part.get("wording"), Mapping):
        problems += check_wording(words_of(part["wording"]), "control1/wording")
    if isinstance(config.get("texts"), str | Mapping):
        where, texts, lost = _content(config["texts"], "texts")
        problems += lost or [*check_texts(texts, where)]
        config["texts"] = texts
    return config, problems


def _content(given: Any, key: str) -> tuple[str, dict[str, Any], list[str]]:
    """What a key holds, or the file that it names; what messages call it; why it can't be read."""
    if isinstance(given, Mapping):
        return key, words_of(given), []
    try:
        content = read_words(given)
    except OSError as error:
        return key, {}, [f"{key}: no file {str(given)!r} can be read ({error.strerror})"]
    except YAMLError as error:
        return key, {}, [f"{key}: {error}"]
    if not isinstance(content, dict) or not content:
        return key, {}, [f"{key}: {given} holds no mapping of names to what they say"]
    return f"{key}: {given}", content, []


def check_wording(metrics: Mapping[str, Any], where: str) -> Iterator[str]:
    """What is wrong with metrics and their wordings; one without is worded as it ships."""
    for name, words in metrics.items():
        if not METRIC_NAME.fullmatch(name):
            yield f"{where}: {name!r} is no metric's name: a letter, then letters, digits, - or _"
        elif words in ("", None):
            continue
        elif not isinstance(words, Mapping):
            yield f"{where}/{name}: {words!r} is no wording; {HOW}"
        else:
            yield from _check_entry(words, f"{where}/{name}")


def _check_entry(words: Mapping[str, Any], where: str) -> Iterator[str]:
    for key in words:
        if key not in (*ANCHORS, LABEL):
            yield f"{where}/{key}: unknown key; {near(key, (*ANCHORS, LABEL))}"
    for key in (*ANCHORS, LABEL):
        said = words.get(key)
        if key == LABEL and said is None:
            continue
        if not said:
            yield f"{where}/{key}: missing; {HOW}"
            continue
        for language, text in (said if isinstance(said, Mapping) else {"": said}).items():
            at = f"{where}/{key}" + (f"/{language}" if language else "")
            if not isinstance(text, str) or not text.strip():
                yield f"{at}: {text!r} is no text"
            elif "\n" in text.strip():
                yield f"{at}: more than one line, and a metric is one line of the rubric"


def metric_labels(config: Mapping[str, Any]) -> dict[str, str]:
    """How the page and the figures name a study's own metrics, by name, in the page's language.

    A metric without a label, or without one in that language, goes by its name.
    """
    language = config.get("language", "en")
    part = config.get("control1")
    wording = part.get("wording", {}) if isinstance(part, Mapping) else {}
    said = {name: said_in(words.get(LABEL), language) for name, words in wording.items()}
    return {name: label.strip() for name, label in said.items() if label}


def check_texts(texts: Mapping[str, Any], where: str) -> Iterator[str]:
    """What is wrong with a study's own texts, a sentence each.

    A text must be one of those that ship, by its name without the language, and have every place
    that the shipped one has, as in `{agent}`, and no other.
    """
    for name, said in texts.items():
        if name not in shipped():
            known = "its metrics are worded under control1/metrics" if name == "metrics" else ""
            yield f"{where}/{name}: no text of the study's; {known or near(name, [*shipped()])}"
            continue
        for language, text in (said if isinstance(said, Mapping) else {"": said}).items():
            at = f"{where}/{name}" + (f"/{language}" if language else "")
            if not isinstance(text, str) or not text.strip():
                yield f"{at}: empty, and it must say something; leave the key out to keep the text"
                continue
            lacking, strange = shipped()[name] - places(text), places(text) - shipped()[name]
            if lacking:
                yield f"{at}: lacks {_braced(lacking)}, where the study puts what it asks about"
            if strange:
                told = _braced(shipped()[name]) or "none"
                yield f"{at}: {_braced(strange)} is filled by nothing; its places are {told}"


@cache
def shipped() -> dict[str, frozenset[str]]:
    """The texts that a study may replace, by name, with the places that each of them fills."""
    return {
        path.name.partition(".")[0]: places(path.read_text(encoding="utf-8"))
        for path in sorted(SHIPPED.glob("*.en.txt"))
        if not path.name.startswith(NOT_OWN)
    }


def places(text: str) -> frozenset[str]:
    """The names in braces that a text has.

    >>> sorted(places("You are {agent}. {task}"))
    ['agent', 'task']
    """
    return frozenset(re.findall(r"\{(\w+)\}", text))


def said_in(words: Any, language: str) -> str | None:
    """What is said in a language; a text that stands for itself is said in every one.

    >>> said_in({"it": "caldo"}, "it"), said_in("warm", "it"), said_in({"it": "caldo"}, "en")
    ('caldo', 'warm', None)
    """
    if isinstance(words, Mapping):
        words = words.get(language)
    return words.strip("\n") if isinstance(words, str) and words.strip() else None


def own_texts(texts: Mapping[str, Any], language: str) -> dict[str, str]:
    """The study's own texts in a language, by name: those that take a shipped one's place."""
    found = {name: said_in(words, language) for name, words in texts.items()}
    return {name: text for name, text in found.items() if text is not None}


def metric_lines(
    metrics: list[str], wording: Mapping[str, Any], language: str, known: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Each metric as a line of the rubric, and what is lacking, a sentence each.

    Its own wording goes before the shipped one (`known`, by name).
    """
    lines, lacking = [], []
    for name in metrics:
        said = {key: said_in(wording.get(name, {}).get(key), language) for key in ANCHORS}
        if all(said.values()):
            lines.append(f"{name}: {said['question']}; 0 = {said['low']}; 1 = {said['high']}")
        elif name in wording:
            keys = ", ".join(key for key, text in said.items() if not text)
            lacking.append(
                f"control1/metrics: {name!r} has no {keys} in the corpus's language, {language!r}: "
                f"write it, as in `{{{language}: ...}}`"
            )
        elif name in known:
            lines.append(known[name])
        else:
            lacking.append(
                f"control1/metrics: {name!r} has no wording of its own, and no line in "
                f"metrics.{language}.txt; {near(name, [*known])} Or {HOW}"
            )
    return lines, lacking


def check_pairs(config: Mapping[str, Any]) -> Iterator[str]:
    """What direct pairs can't be combined with: tables of scores, a name that their form has."""
    part = config.get("control1", {})
    if part.get("pairs") != "direct":
        return
    for key in ("verdicts_csv", "original_csv"):
        if part.get(key):
            yield (
                f"control1/{key}: holds scores beside an anchor, and on direct pairs a side is "
                "named: leave it out, or set pairs: anchored"
            )
    if part["rationale"] and "rationale" in part["metrics"]:
        yield (
            "control1/metrics: one called 'rationale' would stand where a direct verdict has its "
            "rationale: give it another name, or set rationale: false"
        )


def metrics_known(language: str) -> dict[str, str]:
    """The lines of the metrics that ship, by name; none where there is no file in the language."""
    path = SHIPPED / f"metrics.{language}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {line.partition(":")[0].strip(): line for line in lines if line.strip()}


def _braced(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
