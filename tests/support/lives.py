"""A made-up life with any number of balanced partners, as a Corpus and as a folder."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import yaml
from veridical.corpora.corpus import Corpus

NAMES = ("Ada", "Bruno", "Cleo", "Dario", "Esme")
PLACES = ("Aldgate", "Brixby", "Corford", "Denholm")
SHAPES = ("round", "square", "long", "short", "flat", "tall")
# Eleven, so that no shape goes with one partner more than with another.
SHAPES += ("thin", "thick", "dull", "bright", "old")
THINGS = ["kettle", "ladder", "drum", "violin", "map", "lantern"]


def encounters(partners: tuple[str, ...], each: int, remembered: int) -> pd.DataFrame:
    """`each` encounters a partner in turn, the first `remembered` of each in the memory block."""
    rows = []
    for number in range(each * len(partners)):
        turn, partner = divmod(number, len(partners))
        name, place = NAMES[number % 5], PLACES[number % 4]
        shape, thing = SHAPES[number % 11], THINGS[(number // 11) % 6]
        paid = f"{name} paid {number + 20} crowns at {place}"
        rows.append(
            {
                "encounter_id": f"T-{number + 1:03d}",
                "date": f"2025-{number // 28 + 1:02d}-{number % 28 + 1:02d}",
                "partner": partners[partner],
                "topic": f"the {shape} {thing} {number + 1}",
                "note": f"kept for later, case {number + 1}",
                "text": f"{paid}. All saw the cup before the jug.",
                "in_memory": turn < remembered,
            }
        )
    return pd.DataFrame(rows)


def life(
    partners: tuple[str, ...] = ("Xan", "Yve"), each: int = 24, remembered: int = 12, **settings
) -> Corpus:
    """A corpus in memory; `settings` go over those of `corpus.yaml`."""
    table = encounters(partners, each, remembered)
    vocabulary = [("name", name) for name in NAMES] + [("place", place) for place in PLACES]
    vocabulary += [("thing", "the cup"), ("thing", "the jug"), ("order", "before")]
    keys = {
        "agent": "Tam",
        "language": "en",
        "partners": list(partners),
        "line": "{date} — met {partner} — {topic}: {note}",
        "abstention": "I don't know",
        "licence": "CC0-1.0",
        "origin": "made up",
        "question": {
            "with_whom": "With whom did you discuss {topic}?",
            "or": "or",
            "quote": "First quote the entry that mentions {topic}, then answer.",
            "quote_begin": "The entry that mentions {topic} is dated",
            "recognise": "Which of the two stands in your history?",
        },
    } | settings
    return corpus_of(table, keys, pd.DataFrame(vocabulary, columns=["kind", "term"]))


def corpus_of(table: pd.DataFrame, settings: dict, vocabulary: pd.DataFrame) -> Corpus:
    """Put the parts together, the memory block rendered from the table."""
    corpus = Corpus(
        name="T",
        agent=settings["agent"],
        language=settings["language"],
        partners=tuple(settings["partners"]),
        line=settings["line"],
        encounters=table,
        memory_block="",
        test_day=pd.DataFrame([("d1", "Hello?", "")], columns=["item_id", "input", "anchor"]),
        vocabulary=vocabulary,
        settings=settings,
    )
    block = "\n".join(corpus.entry(row) for row in corpus.remembered().to_dict("records"))
    return with_parts(corpus, memory_block=block)


def with_parts(corpus: Corpus, **parts) -> Corpus:
    """The corpus with some of its parts exchanged, unchecked."""
    return Corpus(**{**vars(corpus), **parts})


def write_life(corpus: Corpus, folder: Path) -> Path:
    """Write the corpus as a folder that `read_corpus` reads."""
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text(yaml.safe_dump(dict(corpus.settings), allow_unicode=True))
    (folder / "memory_block.txt").write_text(corpus.memory_block + "\n", encoding="utf-8")
    table = corpus.encounters.assign(
        in_memory=corpus.encounters["in_memory"].map({True: "true", False: "false"})
    )
    for name, part in (
        ("encounters", table),
        ("test_day", corpus.test_day),
        ("vocabulary", corpus.vocabulary),
    ):
        part.to_csv(folder / f"{name}.csv", index=False, quoting=csv.QUOTE_MINIMAL)
    return folder
