"""A life written as a corpus: its folder, checked by the corpus's own reader before it is there."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.checks import CORPUS_NAME
from veridical.base.code import LIBRARY
from veridical.base.yaml_files import read_words
from veridical.converters.life import ConversionError, Life, Wish
from veridical.converters.telling import advice
from veridical.corpora.corpus import read_corpus

ASKED = ("agent", "language", "licence", "origin")
WHY = {
    "agent": "whose memory it is, a name",
    "language": "the language it is in: en, it, tr",
    "licence": "under what terms, as CC-BY-4.0, or private",
    "origin": "where it comes from, a sentence",
}


def settings_of(life: Life, wish: Wish) -> dict[str, str]:
    """What `corpus.yaml` must say: what is given, else what the form knows.

    Raises ConversionError asking for exactly what is neither, all of it at once.
    """
    found = {key: str(wish[key] or life.known.get(key) or "") for key in ASKED}
    if not found["agent"] and life.names:
        found["agent"] = life.names[0]
    missing = [f"{key} ({WHY[key]})" for key in ASKED if not found[key]]
    if missing:
        raise ConversionError(
            f"{wish.file}: says nothing of {'; '.join(missing)}. Add to convert: "
            + ", ".join(f"{key}: …" for key in ASKED if not found[key])
        )
    return found


def write_life(life: Life, wish: Wish, folder: Path) -> Iterator[str]:
    """Write the life into a folder that isn't there yet, and say what it holds, line by line.

    Raises ConversionError where the folder is there, or something that a life needs is neither in
    the file nor given; ValueError where what comes out is no corpus.
    """
    if not re.fullmatch(CORPUS_NAME, wish.name):
        raise ConversionError(
            f"convert/to: {wish.name!r}: a name has only letters, digits and underscores"
        )
    if folder.exists():
        raise ConversionError(f"convert/to: {folder} is there already; remove it, or name another")
    settings = settings_of(life, wish)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        made = Path(place) / wish.name
        made.mkdir()
        _write(life, settings, made)
        corpus = read_corpus(made)
        made.rename(folder)
    yield from told(life, corpus, folder)


def _write(life: Life, settings: Mapping[str, str], folder: Path) -> None:
    rows = ((e.id, e.time, e.speaker, e.text, e.session) for e in life.events)
    _csv(folder / "events.csv", ("id", "time", "speaker", "text", "session"), rows)
    if life.facts:
        columns = ("subject", "attribute", "value", "event", "valid_from", "valid_to")
        facts = ((f.subject, f.attribute, f.value, f.event, "", "") for f in life.facts)
        _csv(folder / "facts.csv", columns, facts)
    if life.inputs:
        asked = ((f"T{n}", text, "") for n, text in enumerate(life.inputs, start=1))
        _csv(folder / "test_day.csv", ("item_id", "input", "anchor"), asked)
    if life.names:
        _csv(folder / "vocabulary.csv", ("kind", "term"), (("name", n) for n in life.names))
    if life.memory:
        (folder / "memory.txt").write_text(f"{life.memory}\n", encoding="utf-8", newline="\n")
    text = "# Made by `snakemake convert`; workflow/notes/corpora.md explains every key.\n"
    text += "".join(f"{key}: {_yaml(value)}\n" for key, value in _keys(life, settings))
    (folder / "corpus.yaml").write_text(text, encoding="utf-8", newline="\n")


def _keys(life: Life, settings: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    yield "form", "life"
    yield from settings.items()
    first = next(iter(life.attributes), "")
    if first:
        yield "asked", first
    yield "memory", "turns" if first in ("", "speaker") and not life.memory else _shape(life)
    words = _words(settings["language"])
    worded = {
        name: words[name] | dict(own) for name, own in life.attributes.items() if name in words
    }
    if worded:
        yield "attributes", worded


def _shape(life: Life) -> str:
    return "brought" if life.memory else "lines"


def _words(language: str) -> dict[str, dict[str, str]]:
    path = LIBRARY / "texts" / f"converted.{language}.yaml"
    return read_words(path) if path.is_file() else {}


def told(life: Life, corpus: Any, folder: Path) -> Iterator[str]:
    """What was made, in a few lines, and what could not be derived."""
    sessions = len({event.session for event in life.events})
    times = sorted(event.time for event in life.events)
    yield (
        f"{folder}: {len(life.events):,} events in {sessions} sessions, {times[0][:10]} to "
        f"{times[-1][:10]}; the test day is {corpus.today}; a document of "
        f"{len(corpus.memory_block):,} characters ({corpus.shape})"
    )
    for attribute in life.attributes:
        own = [fact for fact in life.facts if fact.attribute == attribute]
        values = list(dict.fromkeys(fact.value for fact in own))
        shown = ", ".join(values[:6]) + (", …" if len(values) > 6 else "")
        yield f"facts: {attribute}, {len(own)} of {len(values)} values ({shown})"
    yield f"test day: {len(life.inputs)} inputs; vocabulary: {len(life.names)} names"
    yield "Not derived:"
    yield from (f"- {text}" for text in life.lacking)
    if asked := next(iter(life.attributes), ""):
        yield from advice(corpus, asked)
    yield "Then: python workflow/scripts/corpora/list_sources.py, and name the corpus in the config"


def _csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([columns, *rows])


def _yaml(value: Any) -> str:
    """A value as YAML in one line: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)
