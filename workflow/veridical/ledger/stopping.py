"""What brings a collection to its end, said once and without a key."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from veridical.base.secrets import strike
from veridical.ledger.task import Task
from veridical.models.conversation import Position
from veridical.models.exchange import ProviderError


class CollectionStopped(RuntimeError):
    """Collecting can't go on; the message says why and what to do."""


class Halt:
    """The first thing that stops a collection, and the word to all who take part in it.

    `keys` are the values of the keys in use, which no message may show.
    """

    def __init__(self, task: Task, keys: Collection[str]):
        self.task, self.keys = task, keys
        self.error: BaseException | None = None
        self.called = asyncio.Event()

    def call(self, error: BaseException) -> None:
        """Start nothing more; what is under way may end. The first error is the one raised."""
        self.error = self.error or error
        self.called.set()

    def raise_error(self) -> None:
        """Raise what stopped the collection, if anything did."""
        if self.error is None:
            return
        if self.struck(self.error) == str(self.error):
            raise self.error
        raise CollectionStopped(self.explained(self.error)) from None

    def explained(self, error: BaseException, position: Position | None = None) -> str:
        """An error with the model, the prompts and the place where it arose."""
        where = f" ({position})" if position else ""
        kind = "" if isinstance(error, ProviderError) else f"{type(error).__name__}: "
        return (
            f"{self.task.model.name}, {self.task.label}{where}: {kind}{self.struck(error)}. "
            "What was answered before is kept"
        )

    def struck(self, error: BaseException) -> str:
        """An error's text without any key."""
        return strike(str(error), self.keys)
