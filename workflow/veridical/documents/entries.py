"""The form of an entry that the author is led through: its line begun, topic and note bounded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import digits
from typing import TYPE_CHECKING, Any

from veridical.base.yaml_files import read_words
from veridical.documents.texts import TEXTS
from veridical.models.exchange import Form
from veridical.models.pieces import Part, Span

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TOPIC_SHORT, TOPIC_LONG = 12, 14  # characters around its target within which a topic may end
NOTE_SHORT, NOTE_LONG = 52, 30  # the same for a note, which may not begin a clause in there
WORD = 8  # letters with which either may go on beyond that, to end a word
LINE = 170  # characters of a line from which on these hold; for shorter ones, in proportion
STOP = "."  # ends a led entry, so that the author can end a sentence; no part of the line


@dataclass(frozen=True)
class Writing:
    """How a language writes entries: its articles, the word between the last two of a list, its
    letters, and the marks within topics and between clauses."""

    articles: tuple[str, ...]
    word_and: str
    small: str
    capitals: str
    within: str
    clauses: str


def read_writing(language: str) -> Writing:
    """A language's writing, from `foreign-words.<language>.yaml`.

    Raises ValueError naming the file where it is missing or a key of it is.
    """
    path = TEXTS / f"foreign-words.{language}.yaml"
    if not path.is_file():
        raise ValueError(
            f"{path}: no words for entries in {language!r}; write them like the others"
        )
    entry = read_words(path)
    try:
        marks = (entry[key] for key in ("and", "small", "capitals", "within", "clauses"))
        return Writing(tuple(entry["articles"]), *marks)
    except KeyError as error:
        raise ValueError(f"{path}: key {error} is missing") from None


def entry_form(corpus: Corpus, row: Any, writing: Writing) -> Form:
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
    topic_length = row.topic_length - max(map(len, writing.articles), default=0)
    share = min(1.0, float(corpus.remembered().apply(corpus.entry, axis=1).str.len().mean()) / LINE)
    note_short, note_long = round(share * NOTE_SHORT), round(share * NOTE_LONG)
    start = max(4, note_length - note_short)
    letters = writing.capitals + writing.small
    topic = (
        Span(writing.small),
        Span(
            letters + writing.within,
            max(2, topic_length - round(share * TOPIC_SHORT)),
            max(6, topic_length + round(share * TOPIC_LONG)),
        ),
        Span(writing.small, 1, WORD),
    )
    note = (
        Span(writing.small),
        Span(letters + digits + writing.within + writing.clauses, start, start),
        Span(letters + digits + writing.within, 0, note_short + note_long),
        Span(writing.small, 0, WORD),
    )
    article = writing.articles[:1] if len(writing.articles) < 2 else (writing.articles,)
    parts = (Part("topic", (topic,)), between, Part("note", (note,)), STOP)
    return Form(kind="text", begin=begin, pieces=(*article, *parts))


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
