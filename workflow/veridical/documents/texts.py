"""Memory documents in front of a model: the fixed instruction, the document, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus
    from veridical.models.prompts import Document

TEXTS = Path(__file__).parents[1] / "texts"


def load_text(name: str, language: str, own: Mapping[str, str] | None = None) -> str:
    """One of the study's fixed texts, without its last line end.

    A study's `own` text of that name goes before the one that ships.

    Parameters
    ----------
    name
        What stands before the language in the file's name, e.g. `memory` or `task-response`.
    language
        The corpus's language, e.g. `en`.

    Raises
    ------
    ValueError
        Where the study has no such text, naming the file to write and the texts there are.
    """
    if own and name in own:
        return own[name]
    path = TEXTS / f"{name}.{language}.txt"
    if not path.is_file():
        known = ", ".join(sorted(p.name for p in TEXTS.glob("*.txt")))
        raise ValueError(f"no text {path.name} in {TEXTS}: write it, or use one of {known}")
    return path.read_text(encoding="utf-8").rstrip("\n")


def system_prompt(
    corpus: Corpus, document: Document | None, task: str, frame: str = "memory"
) -> str:
    """The system prompt that gives an agent its memory document, or tells it that it has none.

    The same corpus, document and task give the same bytes, so that every question about a document
    shares one prefix, and the conditions of a study differ in the document alone.

    Parameters
    ----------
    corpus
        Whose memory it is said to be: its `agent` and `language` are used, nothing else.
    document
        The memory document; None where the condition is `none`. Its name is used nowhere.
    task
        `response` (Control 1), `recognition` (Control 2) or `partner` (Control 3): the text
        `task-<task>.<language>.txt`.
    frame
        What stands around the document: the text `<frame>.<language>.txt`.

    Raises
    ------
    ValueError
        Where the document is empty (a missing document is None, never an empty text), or where
        the language has no such text.
    """
    values = {
        "agent": corpus.agent,
        "task": load_text(f"task-{task}", corpus.language, corpus.texts),
    }
    if document is None:
        return fill(load_text("no-memory", corpus.language, corpus.texts), values)
    if not document.text.strip():
        raise ValueError(
            f"corpus {corpus.name}: the memory document {document.name} is empty; give None where "
            "there is none"
        )
    values["document"] = document.text
    return fill(load_text(frame, corpus.language, corpus.texts), values)


def fill(template: str, values: dict[str, str]) -> str:
    """Put the values in the place of `{key}`, all at once: braces inside a value stay.

    >>> fill("{a} and {b}", {"a": "{b}", "b": "x"})
    '{b} and x'
    """
    parts = template.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        key, brace, rest = part.partition("}")
        filled.append(values[key] + rest if brace and key in values else "{" + part)
    return "".join(filled)


def joined(names: Iterable[str], word: str) -> str:
    """Names in a sentence: `X or Y`, `X, Y or Z`.

    >>> joined(["X", "Y", "Z"], "or")
    'X, Y or Z'
    """
    *head, last = names
    return f"{', '.join(head)} {word} {last}" if head else last
