"""What every converter makes: a life's events, the facts that they tell, and what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class ConversionError(ValueError):
    """A file can't be made a life of; the message names file, record and field, and what to do."""


@dataclass(frozen=True)
class Event:
    """Something said or noted: `time` as a life has it, `session` empty where there is none."""

    time: str
    speaker: str
    text: str
    session: str = ""
    id: str = ""


@dataclass(frozen=True)
class Fact:
    """What an event tells of a subject; `event` is the event's id."""

    subject: str
    attribute: str
    value: str
    event: str


@dataclass(frozen=True)
class Life:
    """A life as far as a file tells it.

    `known` is what the file's own form says of `agent`, `language`, `licence` and `origin`;
    `attributes` word what is asked, by attribute (`question`, `fact`); `memory` is a memory
    document that the file brings; `inputs` are what the agent may be asked on the test day; `names`
    are persons. `lacking` says in sentences what can't be derived, and what to write instead.
    """

    events: tuple[Event, ...]
    facts: tuple[Fact, ...] = ()
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    memory: str | None = None
    inputs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wish:
    """What is to be converted, as the config's `convert` says it.

    `file` and `form` are its `file` and `from`, `name` the corpus's (`to`); `given` holds the rest.
    """

    file: str
    form: str
    name: str
    given: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        """What is given under a key; None where nothing is."""
        return self.given.get(key)
