"""Asking for the proofs of time of a study's records, and noting what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from veridical.freeze.authorities import stamp
from veridical.freeze.chain import is_stamped
from veridical.freeze.receipts import NotInstalled
from veridical.freeze.timestamps import write_times

LATER = "the study goes on; `snakemake timestamp` asks again"


def ask_for_times(
    study: str,
    stages: Iterable[str],
    settings: Mapping[str, Any],
    *,
    root: Path | str = ".",
    again: bool = False,
) -> list[str]:
    """Ask the servers that the config names for what is lacking, then make the table of times.

    Of `stages` those are stamped that `chain.is_stamped` names.

    Returns what went wrong, a sentence each; a server that is down leaves the study whole. Without
    servers nothing is asked; with `again` the table is made all the same.
    """
    problems = []
    try:
        for stage in filter(is_stamped, stages) if settings else ():
            problems += stamp(study, stage, settings, root=root)
        if settings or again:
            write_times(study, root)
    except (NotInstalled, OSError, ValueError) as error:
        problems.append(f"no proof of time: {error}")
    return [f"{problem} ({LATER})" for problem in problems]
