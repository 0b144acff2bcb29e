"""Foreign counterfeits: the life of an agent that never existed, written by the author model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import yaml

from veridical.corpora.corpus import parse_entry, render_entry
from veridical.corpora.naming import named
from veridical.documents.fidelity import fidelity
from veridical.documents.names import DocumentName
from veridical.documents.texts import TEXTS, fill, load_text
from veridical.models.exchange import Form
from veridical.models.pieces import Part, Span
from veridical.models.prompts import Prompt, Turn

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TOPIC_SHORT, TOPIC_LONG = 12, 14  # characters around its target within which a topic may end
NOTE_SHORT, NOTE_LONG = 52, 30  # the same for a note, which may not begin a clause in there
WORD = 8  # letters with which either may go on beyond that, to end a word
EXAMPLE = "{date} — met {partner} — {topic}: {note}"  # how foreign-examples.<language>.txt has them
STOP = "."  # ends a led entry, so that the author can end a sentence; no part of the line


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
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
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
    listed = np.array(load_text("subjects", corpus.language).splitlines())
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
    values = {
        "city": life.city,
        "work": life.work,
        "partners": _listed(life.partners[: len(corpus.partners)]),
        "people": ", ".join(life.people),
        "places": ", ".join(life.places),
        "entries": str(len(plan)),
        "line": corpus.line,
        "examples": "\n".join(_examples(corpus)),
        "characters": str(len(corpus.memory_block.rstrip("\n"))),
    }
    system = fill(load_text("foreign-life", corpus.language), values)
    if form == "whole":
        listed = [f"{row.date}, {row.partner}, {row.subject}" for row in plan.itertuples()]
        asked = load_text("foreign-whole", corpus.language)
        turns = {name: Turn(fill(asked, values | {"plan": "\n".join(listed)}), system=system)}
    elif form == "entries":
        asked = load_text("foreign-entry", corpus.language)
        turns = {
            f"{name}-entry-{number:02d}": Turn(
                fill(asked, {"partner": row.partner, "subject": row.subject}),
                form=entry_form(corpus, row),
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


def entry_form(corpus: Corpus, row: Any) -> Form:
    """A line begun with its date and partner; its pieces bound topic and note, in characters.

    Towards its end a note may begin no further clause, so that the author ends it where a clause
    ends, a little below or above the planned length.
    """
    head, between, tail = _split_line(corpus.line)
    begin = head.replace("{date}", row.date).replace("{partner}", row.partner)
    note_length = row.line_length - len(begin) - row.topic_length - len(between) - len(tail)
    if note_length < 20:
        raise ValueError(
            f"corpus {corpus.name}: a line of {row.line_length} has no room for a note"
        )
    short, long = row.topic_length - 4 - TOPIC_SHORT, row.topic_length - 4 + TOPIC_LONG
    start = max(4, note_length - NOTE_SHORT)
    words = ascii_uppercase + ascii_lowercase
    topic = (
        Span(ascii_lowercase),
        Span(words + "' ", max(2, short), max(6, long)),
        Span(ascii_lowercase, 1, WORD),
    )
    note = (
        Span(ascii_lowercase),
        Span(words + digits + "' ,;", start, start),
        Span(words + digits + "' ", 0, NOTE_SHORT + NOTE_LONG),
        Span(ascii_lowercase, 0, WORD),
    )
    parts = (Part("topic", (topic,)), between, Part("note", (note,)))
    return Form(kind="text", begin=begin, pieces=("the ", *parts, STOP))


def _examples(corpus: Corpus) -> list[str]:
    """Entries of another agent, written as the corpus writes its own."""
    lines = load_text("foreign-examples", corpus.language).splitlines()
    return [render_entry(corpus.line, parse_entry(line, EXAMPLE)) for line in lines]


def _split_line(line: str) -> tuple[str, str, str]:
    """What stands before the topic, between topic and note, and after the note."""
    match = re.fullmatch(r"(?P<head>[^{]*\{date\}[^{]*\{partner\}[^{]*)\{topic\}"
                         r"(?P<between>[^{]*)\{note\}(?P<tail>[^{]*)", line)  # fmt: skip
    if match is None:
        raise ValueError(
            f"the line {line!r} doesn't run date, partner, topic, note: its foreign counterfeits "
            "can't be led entry by entry; set documents.author_form to `whole`"
        )
    return match["head"], match["between"], match["tail"]


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def assemble(replies: pd.DataFrame, form: str, line: str) -> str:
    """The document that one attempt's replies make: the first output, as it came.

    White space around a line, empty lines, code fences and the full stop that ends a led entry
    are no part of it; what the corpus's `line` has after the note is put there. Raises ValueError
    where there is no reply, or one of them failed, naming it.
    """
    if replies.empty:
        raise ValueError("the author gave no reply")
    bad = replies[~replies["state"].isin(["ok", "truncated"])]
    if len(bad):
        named = ", ".join(f"{row.id} ({row.state})" for row in bad.itertuples())
        raise ValueError(f"the author's replies are not usable: {named}")
    lines = [each.strip() for text in replies["text"] for each in str(text).splitlines()]
    lines = [each for each in lines if each and not each.startswith("```")]
    if form == "entries":
        tail = line.rpartition("}")[2]
        lines = [each.removesuffix(STOP).rstrip(" ,;") + tail for each in lines]
    return "\n".join(lines)


def attempts_of(seed: int, further: Mapping[str, Sequence[str]]) -> list[str]:
    """The names of a document's attempts: the first, and one for each reason that the config gives.

    >>> attempts_of(2, {"foreign-2": ["entry 9 repeats entry 3"]})
    ['foreign-2-attempt-1', 'foreign-2-attempt-2']
    """
    document = str(DocumentName("foreign", seed))
    reasons = further.get(document, [])
    return [f"{document}-attempt-{number}" for number in range(1, len(reasons) + 2)]


def replies_of(
    name: str, prompts: Sequence[Prompt], replies: pd.DataFrame
) -> tuple[pd.DataFrame, str]:
    """One attempt's replies, in the order asked, and the form in which they were asked for."""
    own = [prompt for prompt in prompts if prompt.facts["attempt_of"] == name]
    if not own:
        raise ValueError(f"no prompt asks for {name}")
    by_id = replies.set_index("id", drop=False)
    lacking = [prompt.id for prompt in own if prompt.id not in by_id.index]
    if lacking:
        raise ValueError(f"the author hasn't answered {', '.join(lacking)}; collect it again")
    return by_id.loc[[prompt.id for prompt in own]], own[0].facts["form"]


def attempt_table(
    corpus: Corpus,
    prompts: Sequence[Prompt],
    replies: pd.DataFrame,
    seeds: Sequence[int],
    further: Mapping[str, Sequence[str]],
    tolerance: float,
) -> pd.DataFrame:
    """Every attempt at every foreign counterfeit: the first outputs and what came of them.

    Returns the columns document, attempt (from 1), reason (why it was made, as the config says;
    empty for the first), used (bool), characters, failed_checks and served_model.
    """
    rows = []
    for seed in seeds:
        names = attempts_of(seed, further)
        for number, name in enumerate(names, start=1):
            own, form = replies_of(name, prompts, replies)
            document = str(DocumentName("foreign", seed))
            try:
                text = assemble(own, form, corpus.line)
                checks = fidelity(document, text, corpus, tolerance)
                failed = ", ".join(checks["check"][~checks["passed"].astype(bool)])
            except ValueError as error:
                text, failed = "", str(error)
            rows.append(
                {
                    "document": document,
                    "attempt": number,
                    "reason": "" if number == 1 else further[document][number - 2],
                    "used": number == len(names),
                    "characters": len(text),
                    "failed_checks": failed,
                    "served_model": own["served_model"].iloc[0],
                }
            )
    return pd.DataFrame(rows)
