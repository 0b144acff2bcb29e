"""A corpus: one agent's recorded life, read from a folder and checked before anything uses it.

The folder holds `corpus.yaml`, `encounters.csv`, `memory_block.txt`, `test_day.csv` and
`vocabulary.csv`; `workflow/notes/corpora.md` explains every column. A life of events and facts
(`history.History`) has `events.csv` and `facts.csv` instead, and is read as a corpus too.
"""

from __future__ import annotations

import dataclasses
import datetime
import difflib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from veridical.corpora.corpus_files import Rows, read_rows, read_settings, read_text
from veridical.corpora.life_settings import FORM, form_of

FIELDS = ("date", "partner", "topic", "note")
ENCOUNTER_COLUMNS = ("encounter_id", "date", "partner", "topic", "note", "text", "in_memory")
TEST_DAY_COLUMNS = ("item_id", "input", "anchor")
VOCABULARY_COLUMNS = ("kind", "term")
#: The kinds that the notes name; a corpus may add its own.
VOCABULARY_KINDS = ("name", "animal", "place", "thing", "order")
TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class Corpus:
    """One agent's life.

    Attributes
    ----------
    name : the folder's name
    agent, language, partners, line : from `corpus.yaml`; `line` is the template of an entry
    encounters : columns encounter_id, date (ISO), partner, topic, note, text (str) and in_memory
        (bool), in date order
    memory_block : the entries of the memory, one a line, without a final line break
    test_day : columns item_id, input, anchor (str, empty where the corpus has none)
    vocabulary : columns kind, term (str)
    settings : everything in `corpus.yaml`
    texts : the study's own texts in this language, by name, instead of those that ship
    """

    name: str
    agent: str
    language: str
    partners: tuple[str, ...]
    line: str
    encounters: pd.DataFrame
    memory_block: str
    test_day: pd.DataFrame
    vocabulary: pd.DataFrame
    settings: Mapping[str, Any]
    texts: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def entry(self, row: Mapping[str, Any] | pd.Series) -> str:
        """The encounter as a line of the memory block."""
        return render_entry(self.line, row)

    def parse_entry(self, line: str) -> dict[str, str]:
        """The inverse of `entry`: date, partner, topic and note. Raises ValueError."""
        return parse_entry(line, self.line)

    def log(self) -> str:
        """Every encounter as an entry, in date order: the whole life in one document."""
        return "\n".join(self.entry(row) for row in self.encounters.to_dict("records"))

    def records(self) -> pd.DataFrame:
        """Control 2's texts: encounter_id, date, text, in_memory, in date order."""
        return self.encounters

    def remembered(self) -> pd.DataFrame:
        """The encounters of the memory block, in date order, indexed from 0."""
        return self.encounters[self.encounters["in_memory"]].reset_index(drop=True)

    def dates(self) -> tuple[str, ...]:
        """The dates that stand in the memory, each once."""
        return tuple(dict.fromkeys(self.remembered()["date"]))

    def asked_about(self) -> pd.DataFrame:
        """What a registered probe of Control 3 may ask about: all that is remembered."""
        return self.remembered()

    def terms(self, *kinds: str) -> list[str]:
        """The vocabulary of these kinds (all where none is named), in file order."""
        table = self.vocabulary
        return list(table[table["kind"].isin(kinds)]["term"] if kinds else table["term"])


def render_entry(line: str, row: Mapping[str, Any] | pd.Series) -> str:
    """Fill the template of an entry.

    >>> render_entry("{date}: {partner}, {topic}. {note}",
    ...              {"date": "2025-01-02", "partner": "P", "topic": "soup", "note": "Too salty."})
    '2025-01-02: P, soup. Too salty.'
    """
    return re.sub(r"\{(\w+)\}", lambda match: str(row[match[1]]), line)


def parse_entry(line: str, template: str) -> dict[str, str]:
    """Read an entry back into date, partner, topic and note.

    Each field but the last ends where the text that follows it in the template first occurs.
    Raises ValueError where the line doesn't fit the template.

    >>> parse_entry("2025-01-02: P, soup. Too salty.", "{date}: {partner}, {topic}. {note}")
    {'date': '2025-01-02', 'partner': 'P', 'topic': 'soup', 'note': 'Too salty.'}
    """
    pieces = re.split(r"\{(\w+)\}", template)
    pattern = "".join(
        f"(?P<{piece}>.+?)" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces)
    )
    match = re.fullmatch(pattern, line)
    if match is None:
        raise ValueError(f"{line!r} doesn't have the form {template!r}")
    return match.groupdict()


def read_corpus(folder: Path | str, texts: Mapping[str, str] | None = None) -> Corpus:
    """Read and check the corpus in `folder`, which may be named by its `corpus.yaml`.

    `texts` are the study's own, by name, which are asked instead of those that ship.

    Raises
    ------
    ValueError
        where a file is missing or breaks the contract; the message names file, line and column,
        and what to do.
    """
    folder = Path(folder)
    folder = folder.parent if folder.name == "corpus.yaml" else folder
    if not folder.is_dir():
        raise ValueError(f"{folder}: no such corpus folder")
    if form_of(folder / "corpus.yaml") == FORM:
        from veridical.corpora.history import read_history

        return read_history(folder, texts)
    settings = read_settings(folder / "corpus.yaml", FIELDS)
    partners, line = tuple(settings["partners"]), settings["line"]
    encounters = _encounters(folder / "encounters.csv", partners, line, settings["balanced"])
    return Corpus(
        name=folder.name,
        agent=settings["agent"],
        language=settings["language"],
        partners=partners,
        line=line,
        encounters=encounters,
        memory_block=_memory_block(folder / "memory_block.txt", encounters, line),
        test_day=read_test_day(folder / "test_day.csv"),
        vocabulary=read_vocabulary(folder / "vocabulary.csv"),
        settings=settings,
        texts=dict(texts or {}),
    )


def _encounters(path: Path, partners: tuple[str, ...], line: str, balanced: bool) -> pd.DataFrame:
    """The encounters in date order, every cell checked."""
    rows = read_rows(path, ENCOUNTER_COLUMNS)
    rows.filled(*ENCOUNTER_COLUMNS)
    rows.check("date", _is_date, "is no date of the form 2025-03-31")
    rows.check("partner", lambda p: p in partners, f"is none of the partners {list(partners)}")
    rows.check("in_memory", lambda v: v.lower() in TRUTH, "is neither true nor false")
    rows.unique("encounter_id")
    rows.unique("topic")
    rows.unique("date", "partner")
    for number, row in rows:
        try:
            back = parse_entry(render_entry(line, row), line)
        except ValueError:
            back = {}
        for field in FIELDS:
            if back.get(field) != row[field]:
                raise ValueError(
                    f"{path}, line {number}, column {field}: {row[field]!r} can't be read back "
                    f"from an entry of the form {line!r}; reword it or change `line`"
                )
    table = rows.table()
    table["in_memory"] = table["in_memory"].str.lower().map(TRUTH).astype(bool)
    if balanced:
        _check_balance(path, table, partners, "encounters")
        _check_balance(path, table[table["in_memory"]], partners, "encounters in memory")
    return table.sort_values(["date", "encounter_id"], kind="stable", ignore_index=True)


def _check_balance(path: Path, table: pd.DataFrame, partners: tuple[str, ...], what: str) -> None:
    """Every partner must have the same number of them."""
    counts = {partner: int((table["partner"] == partner).sum()) for partner in partners}
    if len(set(counts.values())) > 1:
        raise ValueError(
            f"{path}, column partner: {what} are not balanced ({counts}); give every partner the "
            "same number, or set `balanced: false` in corpus.yaml and leave the corpus out of "
            "Control 3"
        )


def _memory_block(path: Path, encounters: pd.DataFrame, line: str) -> str:
    """The memory block, which must be the entries marked `in_memory`, in date order."""
    block = read_text(path).rstrip("\n")
    remembered = encounters[encounters["in_memory"]].to_dict("records")
    expected = [render_entry(line, row) for row in remembered]
    if not block:
        raise ValueError(f"{path}: the memory block is empty")
    found = block.split("\n")
    unknown = Counter(found) - Counter(expected)
    for number, entry in enumerate(found, start=1):
        if entry in unknown:
            raise ValueError(
                f"{path}, line {number}: {entry!r} is no encounter marked in_memory in "
                "encounters.csv, or stands here twice"
            )
    for row, entry in zip(remembered, expected, strict=True):
        if entry not in found:
            raise ValueError(
                f"{path}: encounter {row['encounter_id']} is marked in_memory, but its line "
                f"{entry!r} is missing"
            )
    for number, (entry, right) in enumerate(zip(found, expected, strict=True), start=1):
        if entry != right:
            raise ValueError(f"{path}, line {number}: not in date order; {right!r} belongs here")
    return block


def read_test_day(path: Path) -> pd.DataFrame:
    """The test-day inputs; either every item has an anchor or none has."""
    rows = read_rows(path, TEST_DAY_COLUMNS)
    rows.filled("item_id", "input")
    rows.unique("item_id")
    rows.unique("input")
    empty = [number for number, row in rows if not row["anchor"]]
    if 0 < len(empty) < len(rows):
        raise ValueError(
            f"{path}, line {empty[0]}, column anchor: empty, while other items have an anchor; "
            "give every item one or none"
        )
    return rows.table()


def read_vocabulary(path: Path) -> pd.DataFrame:
    """The names, places and things of this life."""
    rows: Rows = read_rows(path, VOCABULARY_COLUMNS)
    rows.filled("kind", "term")
    rows.unique("kind", "term")
    for number, row in rows:
        if meant := _misspelt(row["kind"]):
            raise ValueError(
                f"{path}, line {number}, column kind: {row['kind']!r} is unknown; is {meant!r} "
                "meant? A kind of your own needs a word less like it"
            )
    return rows.table()


def _misspelt(kind: str) -> str | None:
    """The known kind that this unknown one is close to; slips seldom hit the first letter."""
    if kind in VOCABULARY_KINDS:
        return None
    word = kind.casefold()
    alike = [known for known in VOCABULARY_KINDS if known[0] == word[0]]
    return next(iter(difflib.get_close_matches(word, alike, n=1, cutoff=0.75)), None)


def _is_date(text: str) -> bool:
    """Whether the text is a real day, written 2025-03-31."""
    parse: Callable[[str], Any] = datetime.date.fromisoformat
    try:
        return parse(text).isoformat() == text
    except ValueError:
        return False
