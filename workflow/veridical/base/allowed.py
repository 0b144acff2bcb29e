"""What may be sealed and published although it looks private: `config/privacy-allowed.csv`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veridical.base import contract
from veridical.base.contract import Contract

ALLOW_LIST = Path("config/privacy-allowed.csv")


@dataclass(frozen=True)
class Allowed:
    """One text that may be published in the files that a glob names, and why."""

    path: str
    text: str
    why: str


ALLOWED = Contract(
    "privacy-allowed",
    "Texts that look private and may be published (config/privacy-allowed.csv).",
    contract.text("path", "the file that they stand in, as a pattern"),
    contract.text("text", "the text"),
    contract.text("why", "why it may be published"),
    by_hand=True,
)


def read_allowed(path: Path | str) -> list[Allowed]:
    """Read an allow list. Raises ValueError naming file and entry where path, text or why is empty.

    An absent file allows nothing.
    """
    if not Path(path).is_file():
        return []
    from veridical.base.tables import read_table  # brings pandas, which takes a third of a second

    allowed = []
    for row, entry in enumerate(read_table(path, ALLOWED).to_dict("records"), 1):
        for column in ALLOWED.names:
            if not entry[column].strip():
                raise ValueError(f"{path}, entry {row}: {column} is empty")
        allowed.append(Allowed(entry["path"], entry["text"], entry["why"]))
    return allowed
