"""How far a collection is: one bar, and what is said beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from veridical.base.terminal import printable
from veridical.ledger.task import Tally, Task


class Progress:
    """Counts conversations into a tally and shows them; `note` may be used while it is `shown`."""

    def __init__(self, task: Task, tally: Tally):
        self.task, self.tally = task, tally

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar until the end of the block."""
        from tqdm import tqdm

        terminal = sys.stderr.isatty()
        with tqdm(
            total=sum(prompt.samples for prompt in self.task),
            desc=f"{self.task.model.name} {self.task.label}".strip(),
            file=sys.stderr,
            mininterval=0.5 if terminal else 10,  # a log wants few lines
            dynamic_ncols=terminal,
        ) as self.bar:
            yield

    def count(self, *, held: bool) -> None:
        """One more conversation is at its end; `held`: wholly from the ledger."""
        self.tally.conversations += 1
        self.tally.held += held
        self.bar.set_postfix_str(f"{self.tally.held} from the ledger", refresh=False)
        self.bar.update(1)

    def note(self, words: str, *, aloud: bool = False) -> None:
        """Say something in the log; `aloud`: on the terminal too, where the two are apart."""
        words = printable(words)
        self.bar.write(words, file=sys.stderr)
        if aloud and sys.__stderr__ not in (None, sys.stderr):
            print(f"{self.task.model.name}: {words}", file=sys.__stderr__, flush=True)
