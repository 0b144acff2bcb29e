"""Which benchmark the user asked for on the command line."""

from __future__ import annotations

import re
from pathlib import Path

USAGE = "snakemake lint --config benchmark=path/to/file.json"


def asked_benchmark(value: str | None) -> str:
    """The path as given, once something lies there.

    Raises ValueError saying what to type where none is given, or where nothing lies there.
    """
    if not value:
        raise ValueError(
            f"say which benchmark: {USAGE} (its own file or folder; the forms that are read are "
            "in workflow/notes/benchmarks.md)"
        )
    if not Path(value).exists():
        near = Path(value).parent
        there = sorted(path.name for path in near.glob("[!.]*"))[:8] if near.is_dir() else []
        listed = f"; in {near} lie {', '.join(there)}" if there else f"; {near} is no folder"
        raise ValueError(
            f"benchmark: no file or folder {value!r} (paths are taken from {Path.cwd()}){listed}"
        )
    return value


def lint_name(value: str | None) -> str:
    """The name under which a benchmark's lint is kept: its file's, without its ending.

    >>> lint_name("../LoCoMo data/locomo10.json")
    'locomo10'
    """
    stem = Path(value).stem if value else "benchmark"
    return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "benchmark"
