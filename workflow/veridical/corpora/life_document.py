"""The memory document of a life: made from its events and facts, or brought along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from veridical.corpora.brought import Sought, locate
from veridical.corpora.corpus_files import read_text
from veridical.corpora.life_settings import LifeSettings
from veridical.corpora.moments import day_of
from veridical.corpora.shapes import Lines, Said, Told, lines, paragraphs, profile, stands, turns

BROUGHT = "memory.txt"
SPEAKER = "speaker"  # the attribute whose value is who said the event, not a word of its text


def memory_lines(
    folder: Path,
    shape: str,
    settings: LifeSettings,
    events: pd.DataFrame,
    facts: pd.DataFrame,
    asked: str,
) -> Lines:
    """The memory document in its shape."""
    if shape == "brought":
        text = read_text(folder / BROUGHT).strip("\n")
        if not text.strip():
            raise ValueError(f"{folder / BROUGHT}: the memory document is empty")
        sought = facts[facts["state"] != "to come"]
        return locate(
            text,
            [
                Sought(int(number), row.subject, row.value)
                for number, row in zip(sought.index, sought.itertuples(), strict=True)
            ],
        )
    if shape == "turns":
        return turns(_turns(folder, events, facts, asked))
    told = _told(settings, facts)
    if shape == "profile":
        return profile(told, settings.words["since"], settings.words["until"])
    return {"lines": lines, "paragraphs": paragraphs}[shape](told)


def _told(settings: LifeSettings, facts: pd.DataFrame) -> list[Told]:
    """The facts of the memory, as the shapes of facts need them."""
    return [
        Told(
            int(number),
            row.subject,
            settings.attribute(row.attribute).fact,
            day_of(row.since),
            day_of(row.until),
        )
        for number, row in zip(facts.index, facts.itertuples(), strict=True)
        if row.known
    ]


def said(
    events: pd.DataFrame, facts: Mapping[str, Sequence[tuple[int, str, bool]]] | None = None
) -> list[Said]:
    """The events as `shapes.turns` needs them, each with the facts that have a place in it."""
    held = facts or {}
    return [
        Said(row.time, row.speaker, row.text, row.session, _apart(held.get(row.id, ())))
        for row in events.itertuples(index=False)
    ]


def _turns(folder: Path, events: pd.DataFrame, facts: pd.DataFrame, asked: str) -> list[Said]:
    """The remembered events, each with the facts whose value stands in it."""
    events = events[events["in_memory"]] if "in_memory" in events else events
    texts = dict(zip(events["id"], events["text"], strict=True))
    speakers = dict(zip(events["id"], events["speaker"], strict=True))
    told: dict[str, list[tuple[int, str, bool]]] = {}
    for number, row in zip(facts.index, facts.itertuples(), strict=True):
        if not row.known:
            continue
        speaks = row.attribute == SPEAKER
        there = speakers[row.event] == row.value if speaks else stands(texts[row.event], row.value)
        if there:
            told.setdefault(row.event, []).append((int(number), row.value, speaks))
        elif row.attribute == asked:
            raise ValueError(
                f"{folder / 'facts.csv'}, line {row.line}, column value: {row.value!r} doesn't "
                f"stand in event {row.event!r}, so that the {asked} of {row.subject!r} can't be "
                "exchanged there; write it as it was said, or set `memory: lines` in corpus.yaml"
            )
    return said(events, told)


def _apart(facts: Sequence[tuple[int, str, bool]]) -> tuple[tuple[int, str, bool], ...]:
    """Without the facts of one event that have the same value: which place is whose isn't known."""
    values = [value for _, value, _ in facts]
    return tuple(fact for fact in facts if values.count(fact[1]) == 1)
