"""What is to be collected, and what a collection came to."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from veridical.base.decisions import Decisions
from veridical.ledger.ledger import Ledger
from veridical.models.conversation import Answered, Position, converse
from veridical.models.exchange import Call, Model, Reply
from veridical.models.forms import read_answer
from veridical.models.prompts import Prompt, iterate_prompts

Conversation = Generator[tuple[Position, Call], Reply, list[Answered]]


@dataclass
class Tally:
    """What a collection came to: conversations in all, of them wholly from the ledger; requests
    sent, conversations given up."""

    conversations: int = 0
    held: int = 0
    asked: int = 0
    failed: int = 0


@dataclass(frozen=True)
class Task:
    """What is to be collected: which prompts, from which model, into which ledger, and how."""

    prompts: Path | Sequence[Prompt]
    model: Model
    ledger: Path
    collection: str = ""
    reask: int = 0
    reask_parameters: Mapping[str, Any] = field(default_factory=dict)
    retries: int = 6
    backoff: float = 1.0
    decisions: Decisions = field(default_factory=Decisions)

    def __iter__(self) -> Iterator[Prompt]:
        if isinstance(self.prompts, str | Path):
            return iterate_prompts(self.prompts)
        return iter(self.prompts)

    @property
    def label(self) -> str:
        """The prompts' name in messages."""
        named = Path(self.prompts).stem if isinstance(self.prompts, str | Path) else ""
        return "/".join(filter(None, [self.collection, named])) or "prompts"

    @cached_property
    def place(self) -> str:
        """Where its replies are found: `collection/model/slice`."""
        named = Path(self.prompts).stem if isinstance(self.prompts, str | Path) else ""
        return f"{self.collection}/{self.model.name}/{named}"

    def address(self, prompt: Prompt, sample: int = 0) -> str:
        """The address of a reply (see `base.decisions`)."""
        return f"{self.place}/{prompt.id}" + (f"#{sample}" if prompt.samples > 1 else "")

    def left_out(self, prompt: Prompt, sample: int) -> str:
        """Why a reply is left out; empty where it isn't."""
        return self.decisions.left_out(f"{self.place}/{prompt.id}", sample)

    def steps(self, prompt: Prompt, sample: int) -> Conversation:
        """The conversation of one prompt and sample."""
        return converse(
            prompt,
            sample,
            self.model,
            reask=max(self.reask, self.decisions.attempts.get(self.collection, 1) - 1),
            reask_parameters=self.reask_parameters,
            further=self.decisions.further(f"{self.place}/{prompt.id}", sample),
        )


def held(ledger: Ledger, call: Call) -> Reply | None:
    """The ledger's answer to a call, read anew in the form it was asked for, or None."""
    reply = ledger.answer(call.key)
    return None if reply is None else read(call, reply)


def read(call: Call, reply: Reply) -> Reply:
    """A kept reply with the state and value that its raw text has in the form asked for."""
    state, value = read_answer(reply.raw, call.form)
    return replace(reply, state=state, value=value)
