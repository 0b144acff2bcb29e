"""What checks of a config share: the nearest known name, and whether a file can be sealed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any


def near(name: str, known: Sequence[str] | Mapping[str, Any], cutoff: float = 0.3) -> str:
    """What a name that isn't known may have meant."""
    found = difflib.get_close_matches(name, known, n=1, cutoff=cutoff)
    return f"did you mean {found[0]!r}?" if found else f"known: {', '.join(known)}"


def check_file(key: str, path: str) -> Iterator[str]:
    """What is wrong with a file that a key of the config names, a sentence."""
    if not Path(path).is_file():
        yield f"{key}: no file {path!r}; paths are taken from the project's folder"
    elif Path(path).is_absolute() or ".." in Path(path).parts:
        yield (
            f"{key}: {path!r} may lie outside the project, where it can't be sealed: "
            "copy it into data/ and name it from the project's folder"
        )
