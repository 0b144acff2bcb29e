"""One conversation, step by step and without any input or output: which call comes next, and what
the replies amount to. Collecting, exporting and estimating all walk through it."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from veridical.models.exchange import Call, Model, Reply
from veridical.models.prompts import Document, Prompt, Turn

AGAIN = ("unparseable", "truncated", "empty")  # states that asking again may mend
REASK = 1_000_000  # asked again, a call takes this many sample indices further
ABOUT = ("phase", "session", "run")  # the facts that a call tells of itself
RUN = 10_000  # between those of one run and the next: within what re-asking leaves free
TAKE = 1_000_000_000  # between the sample indices of one take and the next


@dataclass(frozen=True)
class Position:
    """Where in a prompts file a call stands; `quote` marks the second question of a turn."""

    id: str
    sample: int
    turn: int
    quote: bool = False
    again: int = 0

    def __str__(self) -> str:
        words = f"{self.id!r}, sample {self.sample}, turn {self.turn}"
        words += ", quoting" if self.quote else ""
        return words + (f", asked again ({self.again})" if self.again else "")


@dataclass(frozen=True)
class Answered:
    """One turn and how it ended: the calls made for it, in order, with their replies.

    `first` is the direct answer of a turn whose quote was asked after it, else None. `facts` are
    the prompt's and the turn's own.
    """

    position: Position
    exchanges: tuple[tuple[Call, Reply], ...]
    first: Reply | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reply(self) -> Reply:
        """The reply that counts."""
        return self.exchanges[-1][1]

    @property
    def asked(self) -> int:
        """How often the question that counts was asked."""
        return sum(1 for call, _ in self.exchanges if _question(call) == self._last)

    @property
    def _last(self) -> str:
        return _question(self.exchanges[-1][0])


def _question(call: Call) -> str:
    return call.messages[-1]["content"]


def converse(
    prompt: Prompt,
    sample: int,
    model: Model,
    *,
    reask: int = 0,
    reask_parameters: Mapping[str, Any] | None = None,
    further: int = 0,
) -> Generator[tuple[Position, Call], Reply, list[Answered]]:
    """Yield each call of the conversation; expects its reply; returns the turns, answered.

    A reply in one of the states `AGAIN` is asked for again, at most `reask` times, with another
    sample index (so another seed) and `reask_parameters`; and then `further` times, whatever it
    says. A system prompt that changes within a
    conversation stands where it comes into force, so that what was said before stays one prefix;
    a provider whose API knows only one sends the last. A turn with a `quote` is asked it, by models
    with `quoting`, where the first reply is `ok`; later turns then see the quote's exchange instead
    of the turn's own.
    """
    history: list[Mapping[str, str]] = []
    document: Document | None = None  # in the system prompt in force
    answered: list[Answered] = []

    def under(system: str | None) -> list[Mapping[str, str]]:
        """What was said so far, with the system prompt in force from now on."""
        in_force = [each["content"] for each in history if each["role"] == "system"][-1:]
        if system is None or in_force == [system]:
            return history
        return [*history, {"role": "system", "content": system}]

    def ask(turn: Turn, system: str | None, position: Position):
        memory = document.text if document else None
        facts = {**prompt.facts, **turn.facts}
        exchanges = []
        left, forced = reask, further
        for again in itertools.count():
            call = Call(
                model=model,
                messages=(*under(system), {"role": "user", "content": turn.user}),
                form=turn.form,
                parameters={**prompt.parameters, **((reask_parameters or {}) if again else {})},
                sample=sample + prompt.run * RUN + again * REASK + prompt.take * TAKE,
                document=memory,
                about={key: facts[key] for key in ABOUT if key in facts},
            )
            reply = yield replace(position, again=again), call
            exchanges.append((call, reply))
            if reply.state in AGAIN and left:
                left -= 1
            elif forced:
                forced -= 1
            else:
                return exchanges

    for number, turn in enumerate(prompt.turns):
        position = Position(prompt.id, sample, number)
        asked, first = turn, None
        document = document if turn.system is None else turn.document
        exchanges = yield from ask(turn, turn.system, position)
        if model.quoting and turn.quote is not None and exchanges[-1][1].state == "ok":
            asked, first = turn.quote, exchanges[-1][1]
            system = turn.system if asked.system is None else asked.system
            document = document if asked.system is None else asked.document
            exchanges += yield from ask(asked, system, replace(position, quote=True))
        facts = {**prompt.facts, **turn.facts}
        answered.append(Answered(position, tuple(exchanges), first, facts))
        history = under(turn.system if asked.system is None else asked.system)
        history.append({"role": "user", "content": asked.user})
        history.append({"role": "assistant", "content": _said(asked, exchanges[-1][1])})
    return answered


def _said(turn: Turn, reply: Reply) -> str:
    """What the assistant's turn holds; some servers refuse an empty one."""
    begin = turn.form.begin or ""
    text = reply.raw.text
    return (text if text.startswith(begin) else begin + text) or "…"
