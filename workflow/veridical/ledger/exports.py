"""Where an archive keeps the replies that a replay reads, apart from those that it makes anew."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath


def is_replies(path: Path | str) -> bool:
    """Whether a file is a replies file: JSON lines, each with the exchanges it rests on."""
    if not str(path).endswith(".jsonl"):
        return False
    with open(path, encoding="utf-8") as lines:
        try:
            first = json.loads(lines.readline() or "null")
        except ValueError:
            return False
    return isinstance(first, dict) and "exchanges" in first


def replies_export(path: PurePosixPath | str) -> str:
    """Where a replay finds what a replies file holds.

    >>> replies_export("results/demo/control3/replies/A-none/gpt-4.1.jsonl")
    'data/replies/demo/control3/replies/A-none/gpt-4.1.jsonl'
    """
    top, *rest = PurePosixPath(path).parts
    if top != "results" or not rest:
        raise ValueError(f"{path}: a replies file lies under results/<study>")
    return "/".join(["data/replies", *rest])


def exports_of(replies: Path | str) -> list[Path]:
    """The export from which a replies file can be made, where there is one."""
    export = Path(replies_export(Path(replies).as_posix()))
    return [export] if export.is_file() else []
