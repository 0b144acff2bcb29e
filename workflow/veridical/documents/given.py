"""Where the memory in front of a model comes from: its whole document, or a memory system's recall.

Every control that puts a memory before a model asks one of these for it, question by question, and
knows nothing more of it; so the conditions, the questions and the analysis are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from veridical.models.prompts import Document

NONE = "none"  # the name of the memory that is none


class Given(Protocol):
    """One memory as a model is given it.

    `name` is the document's, which no model is sent; `frame` is the text that stands around it;
    `refused` says why what is answered under it would stand for nothing, empty where it counts.
    """

    name: str
    frame: str
    refused: str

    def told(self, question: str) -> Document | None:
        """What the model is given with a question; None where nothing is at hand."""
        ...


@dataclass(frozen=True)
class Whole:
    """The memory document itself, whatever is asked; None is no memory."""

    document: Document | None
    frame: str = "memory"
    refused: str = ""

    @property
    def name(self) -> str:
        """The document's name."""
        return self.document.name if self.document else NONE

    def told(self, question: str) -> Document | None:
        """The document."""
        return self.document


@dataclass(frozen=True)
class Recalled:
    """What a memory system gave back from the bank that the document was ingested into.

    `contexts` hold it by question, as it stood; `refused` says why the bank is not admitted, the
    empty text where it is.
    """

    name: str
    contexts: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""
    frame: str = "recalled"

    def told(self, question: str) -> Document | None:
        """The recall for a question. Raises ValueError where the bank is not admitted, so that no
        answer stands for a memory which never arrived, or was not asked this."""
        if self.refused:
            raise ValueError(
                f"the memory system's bank {self.name!r} is not admitted: {self.refused}. Mend the "
                "system, or take `memory` out of the control in the config"
            )
        if question not in self.contexts:
            raise ValueError(
                f"the memory system's bank {self.name!r} was never asked {question[:80]!r}; remove "
                "the file of recalls, so that it is written anew"
            )
        context = self.contexts[question]
        return Document(self.name, context) if context.strip() else None


def refused_banks(path: Path | None) -> dict[str, str]:
    """Why banks of a file of recalls are not admitted, by name; empty where there is no file."""
    banks = read_recalled(path).values() if path is not None else ()
    return {bank.name: bank.refused for bank in banks if bank.refused}


def write_recalled(path: Path | str, banks: Iterable[Recalled]) -> None:
    """Write what the banks gave back, one JSON object a bank and line."""
    lines = [
        {"bank": bank.name, "refused": bank.refused, "contexts": dict(bank.contexts)}
        for bank in banks
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    Path(path).write_text(text, encoding="utf-8", newline="\n")


def read_recalled(path: Path | str) -> dict[str, Recalled]:
    """The banks of a file of recalls, by name. Raises ValueError naming file and line."""
    found = {}
    with open(path, encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            bank = _bank(line, f"{path}, line {number}")
            found[bank.name] = bank
    return found


def _bank(line: str, where: str) -> Recalled:
    try:
        entry: dict[str, Any] = json.loads(line)
        return Recalled(str(entry["bank"]), dict(entry["contexts"]), str(entry["refused"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: no bank's recalls ({error!r})") from error


def given_of(documents: Iterable[Document | None], recalled: Path | None) -> list[Given]:
    """The memories of these documents, None for no memory: whole, or from a file of recalls.

    Raises ValueError where the file has no bank of a document.
    """
    if recalled is None:
        return [Whole(document) for document in documents]
    banks = read_recalled(recalled)
    names = [document.name if document else NONE for document in documents]
    if missing := [name for name in names if name not in banks]:
        raise ValueError(f"{recalled}: no bank {missing[0]!r}; there are {', '.join(banks)}")
    return [banks[name] for name in names]
