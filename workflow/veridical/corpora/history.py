"""A life as people have it: events as they happened, and facts that can be asked about.

One of its attributes is asked for; to the controls its values are what partners are to a corpus of
encounters: `encounters` has a row a fact of it that holds on the test day, `topic` its subject and
`partner` its value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from veridical.corpora.corpus import (
    TEST_DAY_COLUMNS,
    VOCABULARY_COLUMNS,
    Corpus,
    read_test_day,
    read_vocabulary,
)
from veridical.corpora.life_document import BROUGHT, memory_lines, said
from veridical.corpora.life_settings import LifeSettings, life_texts, read_life_settings
from veridical.corpora.life_tables import read_events, read_facts
from veridical.corpora.moments import day_of, end_of, order
from veridical.corpora.planting import plant
from veridical.corpora.shapes import Lines, fill, numbers, turns


@dataclass(frozen=True, kw_only=True)
class History(Corpus):
    """One life of events and facts; what it shares with `Corpus` is a view of it.

    Attributes
    ----------
    events : `tables.EVENTS`, up to the test day and in time order
    facts : `tables.FACTS` and their standing (`life_tables.read_facts`), in the order since when
        they hold
    asked : the attribute that Control 3 asks for; empty where there is none
    today : the test day
    shape : one of `life_settings.SHAPES`
    document : the memory document, a place kept for each fact (`shapes`)
    """

    events: pd.DataFrame
    facts: pd.DataFrame
    asked: str
    today: str
    shape: str
    document: Lines

    def written(self, values: Sequence[str] | None = None) -> str:
        """The memory document with these values, one a fact; with the true ones by default."""
        return fill(self.document, list(self.facts["value"]) if values is None else values)

    def log(self) -> str:
        """Every event as it was said, in time order: the whole life in one document."""
        return fill(turns(said(self.events)), ())

    def records(self) -> pd.DataFrame:
        """The events as records: encounter_id, date, text, in_memory."""
        table = self.events.rename(columns={"id": "encounter_id"})
        return table.assign(date=table["time"].map(day_of))

    def dates(self) -> tuple[str, ...]:
        """The days that stand in the memory, whether the fact still holds or not, each once."""
        placed = sorted(numbers(self.document))
        return tuple(dict.fromkeys(map(day_of, self.facts["since"].iloc[placed])))

    def asked_about(self) -> pd.DataFrame:
        """What a registered probe may ask about: remembered facts that never had another value."""
        table = self.remembered()
        return table[table["stale"] == ""].reset_index(drop=True)

    def changed(self) -> pd.DataFrame:
        """Remembered facts that took the place of another value, which is `stale`."""
        table = self.remembered()
        return table[table["stale"] != ""].reset_index(drop=True)


def read_history(folder: Path, texts: Mapping[str, str] | None = None) -> History:
    """Read and check a life. Raises ValueError naming file, row, column and what to do.

    `texts` are the study's own, which go before those that ship for lives.
    """
    settings = read_life_settings(folder / "corpus.yaml")
    events = read_events(folder / "events.csv")
    today = settings.keys.get("today") or day_of(events["time"].iloc[-1])
    planted: list[dict[str, str]] = []
    if settings.planting:
        late = events["time"].map(order) > end_of(today)
        sown, planted = plant(settings.planting, events[~late], str(settings.path))
        events = pd.concat([sown, events[late]], ignore_index=True)
    facts = read_facts(folder / "facts.csv", events, settings.attributes, today, planted)
    events = events[events["time"].map(order) <= end_of(today)].reset_index(drop=True)
    if events.empty:
        raise ValueError(
            f"{settings.path}, key today: no event in events.csv is as early as {today!r}"
        )
    asked = _asked(settings, facts)
    shape = settings.keys.get("memory") or ("brought" if (folder / BROUGHT).exists() else "lines")
    facts = _known(facts, events)
    document = memory_lines(folder, shape, settings, events, facts, asked)
    if not document:
        raise ValueError(
            f"{folder / 'facts.csv'}: there is nothing to remember; write facts, or set "
            "`memory: turns` in corpus.yaml to have the events as they were said"
        )
    if "in_memory" not in events:
        said = set(facts["event"].iloc[sorted(numbers(document))])
        whole = shape == "turns"
        events = events.assign(in_memory=[whole or name in said for name in events["id"]])
    encounters = _encounters(events, facts, asked, numbers(document))
    values = _values(settings, encounters, asked)
    return History(
        name=folder.name,
        agent=settings.keys["agent"],
        language=settings.keys["language"],
        partners=values,
        line=_line(settings, asked, shape),
        encounters=encounters,
        memory_block=fill(document, list(facts["value"])),
        test_day=_optional(folder / "test_day.csv", read_test_day, TEST_DAY_COLUMNS),
        vocabulary=_optional(folder / "vocabulary.csv", read_vocabulary, VOCABULARY_COLUMNS),
        settings=_wordings(settings, asked),
        texts={**life_texts(settings.keys["language"]), **(texts or {})},
        events=events,
        facts=facts,
        asked=asked,
        today=today,
        shape=shape,
        document=document,
    )


def _optional(path: Path, read: Any, columns: Sequence[str]) -> pd.DataFrame:
    """A table that a life may do without."""
    return read(path) if path.exists() else pd.DataFrame(columns=list(columns), dtype=object)


def _asked(settings: LifeSettings, facts: pd.DataFrame) -> str:
    """The attribute that is asked for: the one named, or the only one there is."""
    there = list(dict.fromkeys(facts["attribute"]))
    asked = settings.keys.get("asked") or (there[0] if len(there) == 1 else "")
    if asked and asked not in there:
        raise ValueError(
            f"{settings.path}, key asked: no fact has the attribute {asked!r}; "
            + (f"facts.csv has {', '.join(there)}" if there else "facts.csv has none")
        )
    for name in settings.attributes:
        if there and name not in there:
            raise ValueError(
                f"{settings.path}, key attributes: no fact has the attribute {name!r}; "
                f"facts.csv has {', '.join(there)}"
            )
    return asked


def _known(facts: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """With `known`: whether the memory may hold a fact, its event being of it and its time past."""
    known = facts["state"] != "to come"
    if "in_memory" in events:
        known &= facts["event"].isin(set(events.loc[events["in_memory"], "id"]))
    return facts.assign(known=known.astype(bool))


def _encounters(
    events: pd.DataFrame, facts: pd.DataFrame, asked: str, placed: set[int]
) -> pd.DataFrame:
    """The facts of the attribute asked for that hold, as encounters are to a strict corpus."""
    holding = facts[(facts["attribute"] == asked) & (facts["state"] == "holds")]
    texts = dict(zip(events["id"], events["text"], strict=True))
    return pd.DataFrame(
        {
            "encounter_id": [f"F{number + 1}" for number in holding.index],
            "date": holding["since"].map(day_of).to_numpy(dtype=object),
            "partner": holding["value"].to_numpy(dtype=object),
            "topic": holding["subject"].to_numpy(dtype=object),
            "note": np.full(len(holding), "", dtype=object),
            "text": [texts[event] for event in holding["event"]],
            "in_memory": np.array([number in placed for number in holding.index], dtype=bool),
            "stale": holding["stale"].to_numpy(dtype=object),
            "fact": holding.index.to_numpy(dtype=int),
        }
    )


def _values(settings: LifeSettings, encounters: pd.DataFrame, asked: str) -> tuple[str, ...]:
    """The values offered: as listed, else as they first occur in the memory."""
    remembered = encounters[encounters["in_memory"]]["partner"]
    there = tuple(dict.fromkeys(remembered))
    listed = settings.attribute(asked).values if asked else ()
    if settings.words["abstention"].casefold() in {value.casefold() for value in there}:
        raise ValueError(
            f"{settings.path}, key abstention: {settings.words['abstention']!r} is a value of "
            f"{asked} too, so that no answer could be told from it"
        )
    return tuple(value for value in listed if value in there) or there


def _line(settings: LifeSettings, asked: str, shape: str) -> str:
    """How a line reads that states the attribute asked for; empty in other shapes than lines."""
    if not asked or shape != "lines":
        return ""
    fact = settings.attribute(asked).fact
    return "{date} — " + fact.replace("{subject}", "{topic}").replace("{value}", "{partner}")


def _wordings(settings: LifeSettings, asked: str) -> Mapping[str, Any]:
    """The settings as the controls read them."""
    words = dict(settings.words)
    question = settings.attribute(asked).question if asked else ""
    worded = {key: words[key] for key in ("or", "quote", "quote_begin", "recognise")}
    return {
        **settings.keys,
        "abstention": words["abstention"],
        "question": {"with_whom": question.replace("{subject}", "{topic}"), **worded},
        "associations": settings.keys.get("associations") or {},
        "balanced": False,
    }
