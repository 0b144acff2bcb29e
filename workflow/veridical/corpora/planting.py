"""Facts planted in a life that has none to ask about: drawn at random, so that no prior knows them.

Subjects and values come from `planted.<language>.yaml` or from corpus.yaml; which subject has which
value, and which event says so, are drawn from the seed when the life is read. A sentence is added
to the event's text, in the words of whoever speaks there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from veridical.base.code import LIBRARY
from veridical.base.yaml_files import read_words
from veridical.corpora.naming import named

KEYS = (
    "facts",
    "seed",
    "attribute",
    "question",
    "fact",
    "sentence",
    "values",
    "counts",
    "subjects",
)
WORDED = ("attribute", "question", "fact", "sentence", "values", "subjects")


@dataclass(frozen=True)
class Planting:
    """What is planted: `counts` says how many facts have each of `values`."""

    seed: int
    attribute: str
    question: str
    fact: str
    sentence: str
    values: tuple[str, ...]
    counts: tuple[int, ...]
    subjects: tuple[str, ...]


def read_planting(path: Path, given: Any, language: str) -> Planting:
    """The key `plant` of a corpus.yaml; what it doesn't word, the language does.

    Values are equally frequent, as nearly as can be, where no `counts` are given. Raises ValueError
    naming file, key and what to do.
    """
    where = f"{path}, key plant"
    if not isinstance(given, Mapping):
        raise ValueError(f"{where}: must hold facts and seed, as in {{ facts: 24, seed: 1 }}")
    for key in given:
        if key not in KEYS:
            raise ValueError(f"{where}: unknown key {key!r}; known: {', '.join(KEYS)}")
    words = {**_shipped(where, given, language), **{k: given[k] for k in WORDED if k in given}}
    for key in ("values", "subjects"):
        if not isinstance(words[key], list) or len(set(map(str, words[key]))) < 2:
            raise ValueError(f"{where}/{key}: must list two or more, not {words[key]!r}")
    for key, fields in (("question", ("subject",)), ("fact", ("subject", "value")),
                        ("sentence", ("subject", "value"))):  # fmt: skip
        for field in fields:
            if str(words[key]).count(f"{{{field}}}") != 1:
                raise ValueError(f"{where}/{key}: must contain {{{field}}} exactly once")
    values = tuple(map(str, words["values"]))
    counts = _counts(where, given, len(values))
    if sum(counts) > len(words["subjects"]):
        raise ValueError(
            f"{where}/facts: {sum(counts)} facts need as many subjects, and there are "
            f"{len(words['subjects'])}; list more under plant/subjects, or plant fewer"
        )
    texts = (str(words[key]) for key in ("attribute", "question", "fact", "sentence"))
    subjects = tuple(map(str, words["subjects"]))
    return Planting(_whole(f"{where}/seed", given.get("seed", 1)), *texts, values, counts, subjects)


def _shipped(where: str, given: Mapping[str, Any], language: str) -> dict[str, Any]:
    path = LIBRARY / "texts" / f"planted.{language}.yaml"
    if path.is_file():
        return read_words(path)
    lacking = [key for key in WORDED if key not in given]
    if lacking:
        raise ValueError(
            f"{where}: {language!r} has no {path.name}; word {', '.join(lacking)} here"
        )
    return {}


def _counts(where: str, given: Mapping[str, Any], k: int) -> tuple[int, ...]:
    """How many facts of each value."""
    if "counts" in given:
        counts = given["counts"]
        if not isinstance(counts, list) or len(counts) != k:
            raise ValueError(f"{where}/counts: must list one number for each of {k} values")
        return tuple(_whole(f"{where}/counts", count) for count in counts)
    facts = _whole(f"{where}/facts", given.get("facts", 24))
    return tuple(facts // k + (n < facts % k) for n in range(k))


def _whole(where: str, value: Any) -> int:
    if not str(value).isdigit() or int(value) < 1:
        raise ValueError(f"{where}: must be a whole number from 1, not {value!r}")
    return int(value)


def plant(
    planting: Planting, events: pd.DataFrame, where: str
) -> tuple[pd.DataFrame, list[dict[str, str]]]:
    """The events with what is planted in them, and the planted facts as rows of facts.csv.

    Each goes into another event while there are enough, of those that the memory knows of. A
    subject that some event names already is passed over.

    Raises ValueError, naming `where`, where too few subjects are left.
    """
    rng = np.random.default_rng([planting.seed, *b"plant"])
    told = "\n".join(events["text"])
    subjects = [one for one in planting.subjects if not named(told, [one])]
    n = sum(planting.counts)
    if len(subjects) < n:
        raise ValueError(
            f"{where}, key plant/subjects: {n} facts need as many subjects that no event names, "
            f"and there are {len(subjects)}; list others"
        )
    values = np.repeat(planting.values, planting.counts)
    places = np.arange(len(events))
    if "in_memory" in events:
        places = places[events["in_memory"].to_numpy()]
    chosen = np.sort(rng.choice(places, size=n, replace=n > len(places)))
    drawn = zip(rng.permutation(subjects)[:n], rng.permutation(values), chosen, strict=True)
    texts, rows = list(events["text"]), []
    for subject, value, place in drawn:
        said = planting.sentence.replace("{subject}", subject).replace("{value}", value)
        texts[place] = f"{texts[place]} {said}"
        row = {"subject": str(subject), "attribute": planting.attribute, "value": str(value)}
        event = events["id"].iloc[place]
        rows.append({**row, "event": event, "valid_from": "", "valid_to": ""})
    return events.assign(text=texts), rows
