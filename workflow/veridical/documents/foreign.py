"""Foreign counterfeits: the life of an agent that never existed, written by the author model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from veridical.base.yaml_files import read_words
from veridical.corpora.corpus import parse_entry, render_entry
from veridical.corpora.naming import named
from veridical.documents.entries import entry_form, read_writing
from veridical.documents.texts import TEXTS, fill, joined, load_text
from veridical.models.prompts import Prompt, Turn

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

EXAMPLE = "{date} — {partner} — {topic}: {note}"  # how foreign-examples.<language>.txt has them


@dataclass(frozen=True)
class Life:
    """The frame of an invented life: where, what it does, whom it meets, who and what it knows."""

    city: str
    work: str
    partners: tuple[str, ...]
    people: tuple[str, ...]
    places: tuple[str, ...]

    def names(self) -> list[str]:
        """Every name in it."""
        return [self.city, *self.partners, *self.people, *self.places]


def read_lives(language: str) -> list[Life]:
    """The frozen frames of foreign lives, from `lives.<language>.yaml`."""
    path = TEXTS / f"lives.{language}.yaml"
    if not path.is_file():
        raise ValueError(f"{path}: there are no foreign lives in {language!r}; write some")
    entries = read_words(path)
    keys = ("partners", "people", "places")
    return [
        Life(entry["city"], entry["work"], *(tuple(entry[key]) for key in keys))
        for entry in entries
    ]


def choose_life(lives: Sequence[Life], corpus: Corpus, seed: int) -> Life:
    """The seed's life: lives that share a name with the corpus, or lack partners, are passed over.

    Raises ValueError where none is left.
    """
    told = corpus.encounters["text"]
    known = " ".join([corpus.log(), corpus.agent, *told, *corpus.terms(), *corpus.partners])
    free = [
        life
        for life in lives
        if len(life.partners) >= len(corpus.partners) and not named(known, life.names(), exact=True)
    ]
    if not free:
        raise ValueError(
            f"corpus {corpus.name}: every foreign life shares a name with it or has fewer than "
            f"{len(corpus.partners)} partners; add one to lives.{corpus.language}.yaml"
        )
    return free[(seed - 1) % len(free)]


def plan_life(corpus: Corpus, life: Life, seed: int) -> pd.DataFrame:
    """The frozen plan of a foreign life: when it met whom, about what, and how long each line is.

    As many entries as the memory block, on dates of their own in the same range, as many for each
    partner; the lengths of topics and lines are those of the block, in another order.

    Returns the columns date, partner, subject, topic_length and line_length.
    """
    rng = np.random.default_rng([seed, *b"foreign"])
    block = corpus.remembered()
    n = len(block)
    days = pd.date_range(block["date"].min(), block["date"].max(), freq="D")
    chosen = np.sort(rng.choice(len(days), size=n, replace=len(days) < n))
    sizes = block["partner"].value_counts().reindex(corpus.partners)
    partners = np.repeat(life.partners[: len(sizes)], sizes.to_numpy())
    listed = np.array(load_text("subjects", corpus.language, corpus.texts).splitlines())
    subjects = np.concatenate([rng.permutation(listed) for _ in range(-(-n // len(listed)))])
    order = rng.permutation(n)
    lines = block.apply(corpus.entry, axis=1)
    return pd.DataFrame(
        {
            "date": [days[day].strftime("%Y-%m-%d") for day in chosen],
            "partner": rng.permutation(partners),
            "subject": [
                subjects[i % len(subjects)] for i in rng.permutation(max(n, len(subjects)))[:n]
            ],
            "topic_length": block["topic"].str.len().to_numpy()[order],
            "line_length": lines.str.len().to_numpy()[order],
        }
    )


def author_prompts(
    name: str,
    corpus: Corpus,
    life: Life,
    plan: pd.DataFrame,
    *,
    form: str,
    parameters: Mapping[str, Any],
    seed: int | None,
) -> list[Prompt]:
    """The frozen prompts that have one foreign memory written.

    Parameters
    ----------
    name
        Begins the prompts' ids, e.g. `foreign-1-attempt-1`; their facts hold it as `attempt_of`.
    form
        `entries`: one call an entry, the line's form and length bound by a grammar, for a small
        author; `whole`: all entries in one answer.
    seed
        Sent with the call (seed + number of the entry); None for providers that take none.
    """
    writing = read_writing(corpus.language)
    values = {
        "city": life.city,
        "work": life.work,
        "partners": joined(life.partners[: len(corpus.partners)], writing.word_and),
        "people": ", ".join(life.people),
        "places": ", ".join(life.places),
        "entries": str(len(plan)),
        "line": corpus.line,
        "examples": "\n".join(_examples(corpus)),
        "characters": str(len(corpus.memory_block.rstrip("\n"))),
    }
    system = fill(load_text("foreign-life", corpus.language, corpus.texts), values)
    if form == "whole":
        listed = [f"{row.date}, {row.partner}, {row.subject}" for row in plan.itertuples()]
        asked = load_text("foreign-whole", corpus.language, corpus.texts)
        turns = {name: Turn(fill(asked, values | {"plan": "\n".join(listed)}), system=system)}
    elif form == "entries":
        asked = load_text("foreign-entry", corpus.language, corpus.texts)
        turns = {
            f"{name}-entry-{number:02d}": Turn(
                fill(asked, {"partner": row.partner, "subject": row.subject}),
                form=entry_form(corpus, row, writing),
                system=system,
            )
            for number, row in enumerate(plan.itertuples(index=False), start=1)
        }
    else:
        raise ValueError(f"documents.author_form must be `entries` or `whole`, not {form!r}")
    return [
        Prompt(
            id,
            (turn,),
            parameters=dict(parameters) | ({} if seed is None else {"seed": seed + number}),
            facts={"attempt_of": name, "form": form},
        )
        for number, (id, turn) in enumerate(turns.items())
    ]


def _examples(corpus: Corpus) -> list[str]:
    """Entries of another agent, written as the corpus writes its own."""
    lines = load_text("foreign-examples", corpus.language, corpus.texts).splitlines()
    return [render_entry(corpus.line, parse_entry(line, EXAMPLE)) for line in lines]
