"""Prompts files: what will be asked, written before anything is asked, one JSON object a line.

A long text that stands in many prompts is written out in the first (`base.repeated`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from veridical.base.repeated import Repeated
from veridical.models.exchange import Form


class Document(NamedTuple):
    """The memory document that a system prompt holds: its text, and its name in the study.

    The name says which condition a turn belongs to, so no model is ever sent it.
    """

    name: str
    text: str

    def to_dict(self, system: str | None) -> dict[str, Any]:
        """Plain JSON types; a text that stands in the system prompt as `at`, [from, to)."""
        start = (system or "").find(self.text)
        if start < 0:
            return self._asdict()
        return {"name": self.name, "at": [start, start + len(self.text)]}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any], system: str | None) -> Document:
        """The inverse of `to_dict`, beside the same system prompt."""
        if "at" not in entry:
            return cls(**entry)
        start, end = entry["at"]
        return cls(entry["name"], (system or "")[start:end])


@dataclass(frozen=True)
class Turn:
    """One question of a conversation. `system` is the system prompt in force when it is asked.

    `quote` is a second question for models with `quoting: true`: where the first reply is an
    answer and no abstention, it is asked in the place of this turn, and its reply counts.
    `document` is the memory document that stands in `system`, and `facts` are carried along
    unread, into the reply's line.
    """

    user: str
    form: Form = Form()  # noqa: RUF009
    system: str | None = None
    quote: Turn | None = None
    document: Document | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, without what is not set."""
        entry: dict[str, Any] = {"system": self.system, "user": self.user}
        entry["document"] = self.document.to_dict(self.system) if self.document else None
        entry["form"] = self.form.to_dict()
        entry["quote"] = self.quote.to_dict() if self.quote else None
        entry["facts"] = dict(self.facts) or None
        return {key: value for key, value in entry.items() if value is not None}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Turn:
        """The inverse of `to_dict`; raises KeyError or TypeError on a malformed turn."""
        system, held = entry.get("system"), entry.get("document")
        return cls(
            entry["user"],
            Form.from_dict(entry["form"]),
            system,
            cls.from_dict(entry["quote"]) if entry.get("quote") else None,
            Document.from_dict(held, system) if held else None,
            entry.get("facts", {}),
        )


@dataclass(frozen=True)
class Prompt:
    """One line of a prompts file: a conversation of one or more turns, asked `samples` times.

    Later turns see the earlier ones and the replies to them. `facts` (which document, item, probe,
    horizon) are carried along unread, into every line of the replies; no model is sent them, and
    no judge's sheet has any that tells its condition. `take` numbers the times that the same words
    are said to someone who may have changed since: another take is asked, never taken from the
    ledger's replies to the first. `run` numbers, from 0, the times that a whole series is gone
    through; in each of them all is asked anew.
    """

    id: str
    turns: tuple[Turn, ...]
    samples: int = 1
    parameters: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    take: int = 0
    run: int = 0


def write_prompts(path: Path | str, prompts: Iterable[Prompt]) -> None:
    """Write the prompts, one JSON object a line. Raises ValueError on a repeated id."""
    seen: set[str] = set()
    texts = Repeated()
    lines = []
    for prompt in prompts:
        if prompt.id in seen:
            raise ValueError(f"{path}: prompt id {prompt.id!r} occurs twice")
        seen.add(prompt.id)
        line = {
            "id": prompt.id,
            "turns": [turn.to_dict() for turn in prompt.turns],
            "samples": prompt.samples,
            "parameters": dict(prompt.parameters),
            "facts": dict(prompt.facts),
        }
        line |= {name: n for name in ("take", "run") if (n := getattr(prompt, name))}
        _each_text(line, texts.short)
        lines.append(json.dumps(line, ensure_ascii=False))
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def read_prompts(path: Path | str) -> list[Prompt]:
    """Read a prompts file. Raises ValueError naming file and line where one is malformed."""
    return list(iterate_prompts(path))


def iterate_prompts(path: Path | str) -> Iterator[Prompt]:
    """Read a prompts file, one prompt in memory at a time; raises as `read_prompts` does."""
    seen: set[str] = set()
    texts = Repeated()
    with open(path, encoding="utf-8", newline="\n") as lines:  # U+2028 in a text ends no line
        for number, line in enumerate(lines, start=1):
            prompt = _parse(line, texts, f"{path}, line {number}")
            if prompt.id in seen:
                raise ValueError(f"{path}, line {number}: prompt id {prompt.id!r} occurs twice")
            seen.add(prompt.id)
            yield prompt


def _each_text(line: Mapping[str, Any], change: Callable[[Any], Any]) -> None:
    """Change every long text of a prompt's line, in their order."""
    for turn in line["turns"]:
        while turn:
            for name in ("system", "user"):
                if name in turn:
                    turn[name] = change(turn[name])
            document = turn.get("document") or {}
            if "text" in document:
                document["text"] = change(document["text"])
            turn = turn.get("quote")


def _parse(line: str, texts: Repeated, where: str) -> Prompt:
    try:
        entry = json.loads(line)
        _each_text(entry, texts.whole)
        prompt = Prompt(
            id=entry["id"],
            turns=tuple(Turn.from_dict(turn) for turn in entry["turns"]),
            samples=entry["samples"],
            parameters=entry["parameters"],
            facts=entry["facts"],
            take=entry.get("take", 0),
            run=entry.get("run", 0),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: not a prompt ({error!r})") from error
    if not prompt.turns:
        raise ValueError(f"{where}: prompt {prompt.id!r} asks nothing")
    return prompt
