"""Prompts files: what will be asked, written before anything is asked, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical.models.exchange import Form


@dataclass(frozen=True)
class Turn:
    """One question of a conversation. `system` is the system prompt in force when it is asked.

    `quote` is a second question for models with `quoting: true`: where the first reply is an
    answer and no abstention, it is asked in the place of this turn, and its reply counts.
    """

    user: str
    form: Form = Form()  # noqa: RUF009
    system: str | None = None
    quote: Turn | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, without what is not set."""
        entry: dict[str, Any] = {"system": self.system, "user": self.user}
        entry["form"] = self.form.to_dict()
        entry["quote"] = self.quote.to_dict() if self.quote else None
        return {key: value for key, value in entry.items() if value is not None}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Turn:
        """The inverse of `to_dict`; raises KeyError or TypeError on a malformed turn."""
        quote = cls.from_dict(entry["quote"]) if entry.get("quote") else None
        return cls(entry["user"], Form.from_dict(entry["form"]), entry.get("system"), quote)


@dataclass(frozen=True)
class Prompt:
    """One line of a prompts file: a conversation of one or more turns, asked `samples` times.

    Later turns see the earlier ones and the replies to them. `facts` are carried along unread,
    for whoever scores the replies.
    """

    id: str
    turns: tuple[Turn, ...]
    samples: int = 1
    parameters: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


def write_prompts(path: Path | str, prompts: Iterable[Prompt]) -> None:
    """Write the prompts, one JSON object a line. Raises ValueError on a repeated id."""
    seen: set[str] = set()
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
        lines.append(json.dumps(line, ensure_ascii=False))
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def read_prompts(path: Path | str) -> list[Prompt]:
    """Read a prompts file. Raises ValueError naming file and line where one is malformed."""
    return list(iterate_prompts(path))


def iterate_prompts(path: Path | str) -> Iterator[Prompt]:
    """Read a prompts file, one prompt in memory at a time; raises as `read_prompts` does."""
    seen: set[str] = set()
    with open(path, encoding="utf-8", newline="\n") as lines:  # U+2028 in a text ends no line
        for number, line in enumerate(lines, start=1):
            prompt = _parse(line, f"{path}, line {number}")
            if prompt.id in seen:
                raise ValueError(f"{path}, line {number}: prompt id {prompt.id!r} occurs twice")
            seen.add(prompt.id)
            yield prompt


def _parse(line: str, where: str) -> Prompt:
    try:
        entry = json.loads(line)
        prompt = Prompt(
            id=entry["id"],
            turns=tuple(Turn.from_dict(turn) for turn in entry["turns"]),
            samples=entry["samples"],
            parameters=entry["parameters"],
            facts=entry["facts"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: not a prompt ({error!r})") from error
    if not prompt.turns:
        raise ValueError(f"{where}: prompt {prompt.id!r} asks nothing")
    return prompt
