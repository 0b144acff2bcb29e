"""Programs that speak memory protocol 1: the notes' own, and the same with a planted fault."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from veridical.memories.process import Patience, Process

ROOT = Path(__file__).parents[2]
NOTES = ROOT / "workflow/notes/memories.md"


def example() -> str:
    """The complete program that the notes print."""
    text = NOTES.read_text(encoding="utf-8")
    return re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]


def broken(old: str = "", new: str = "") -> str:
    """The example with one passage replaced, which must be there."""
    program = example()
    assert old in program, old
    return "import os, time\n" + program.replace(old, new, 1)


def started(program: str, folder: Path, **settings) -> Process:
    """The program, running."""
    settings.setdefault("patience", Patience(**dict.fromkeys(vars(Patience()), 20.0)))
    return Process([sys.executable, "-c", program], folder, **settings)


def shipped(adapter: str, folder: Path, settings: str = "{}", **more) -> Process:
    """An adapter that ships, in a process of its own."""
    return Process(
        [sys.executable, "-m", "veridical.memories.serve", adapter, settings], folder, **more
    )
