"""The forms that lives are made from: a module a form, found by its name, with `convert`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from veridical.converters.life import ConversionError, Life, Wish
from veridical.converters.sources import (
    calendar,
    chat,
    langgraph,
    letta,
    locomo,
    longmemeval,
    mem0,
    table,
)

FORMS: dict[str, Callable[[Wish], Life]] = {
    "locomo": locomo.convert,
    "longmemeval": longmemeval.convert,
    "chat": chat.convert,
    "mem0": mem0.convert,
    "letta": letta.convert,
    "langgraph": langgraph.convert,
    "calendar": calendar.convert,
    "table": table.convert,
}


def convert(wish: Wish) -> Life:
    """The life that a file tells. Raises ConversionError (or the reader's own ValueError)."""
    if wish.form not in FORMS:
        raise ConversionError(f"convert/from: no form {wish.form!r}; known: {', '.join(FORMS)}")
    if not Path(wish.file).is_file():
        raise ConversionError(f"convert/file: no file {wish.file!r} (from {Path.cwd()})")
    return FORMS[wish.form](wish)
