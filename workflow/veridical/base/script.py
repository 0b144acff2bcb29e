"""What every script of the workflow does before its work: write to the rule's log."""

from __future__ import annotations

import sys
import traceback
from typing import Any


class _Tee:
    """A text stream that writes to the log and, for a person to follow, to the terminal."""

    def __init__(self, log, terminal):
        self.log, self.terminal = log, terminal

    def write(self, text: str) -> int:
        self.log.write(text)
        self.log.flush()
        return self.terminal.write(text)

    def flush(self) -> None:
        self.log.flush()
        self.terminal.flush()

    def isatty(self) -> bool:
        return False


def log_to(snakemake: Any, *, show: bool = False) -> None:
    """Send standard output and error to the rule's log; with `show`, to the terminal as well.

    An exception that ends the script is written to the log as well as to the terminal, where its
    last line comes first: the sentence that says what to do.
    """
    if not snakemake.log:
        return
    log = open(snakemake.log[0], "a", encoding="utf-8")  # noqa: SIM115
    terminal = sys.stderr
    sys.stdout = log
    sys.stderr = _Tee(log, terminal) if show else log

    def excepthook(kind, error, trace):
        traceback.print_exception(kind, error, trace, file=log)
        log.flush()
        print(
            f"\n{snakemake.rule}: {error}\n(the whole trace is in {snakemake.log[0]})\n",
            file=terminal,
        )

    sys.excepthook = excepthook
