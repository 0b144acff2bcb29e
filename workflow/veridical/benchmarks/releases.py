"""Known releases of public benchmarks, by hash: which file a result was computed on."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

RELEASES = Path(__file__).with_name("releases.csv")


@cache
def releases() -> dict[str, str]:
    """What each hash is, in words. Each was computed from the file itself, none was looked up."""
    with open(RELEASES, encoding="utf-8", newline="") as file:
        return {row["sha256"]: row["release"] for row in csv.DictReader(file)}


def known_release(sha256: str) -> str:
    """The release that a file is, in words; empty where its hash is unknown."""
    return releases().get(sha256, "")
