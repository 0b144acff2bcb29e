"""A memory document's name: what it says of the document, written and read in this place alone.

Where a document is data it carries these facts beside its text; where it is a file, the file's name
is all that carries them, and they are read back here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from veridical.models.prompts import Document

SEEDED = ("foreign", "shuffled")
PARTIAL = "partial"  # so many in a hundred of the bindings altered
STALE = "stale"  # superseded values held as current
ADJACENT = "adjacent"  # a near relative's life
# The doses in percent, by the condition that each is.
DOSES = {f"{PARTIAL}-{dose}": dose for dose in range(10, 101, 10)}
COUNTERFEITS = (*SEEDED, ADJACENT, STALE, *DOSES)  # the conditions that are no true memory
NUMBERED = (*SEEDED, ADJACENT, *DOSES)  # those of which a study may have several
CORRUPTED = "binding-corrupted"
CONTRADICTING = "contradicting"
LOG = "encounter-log"
KINDS = ("veridical", *SEEDED, CORRUPTED, CONTRADICTING, LOG, PARTIAL, STALE, ADJACENT)
_NAME = re.compile(rf"({'|'.join(KINDS)})(?:-([1-9]\d*|0))?(?:-([1-9]\d*|0))?")


@dataclass(frozen=True)
class DocumentName:
    """What a memory document is: its kind, one of `KINDS`, and which of that kind.

    The number is a counterfeit's seed or, where a corpus has more than two partners, by how many
    places a binding-corrupted document moves each of them. A partial one has a dose besides, in
    percent, before its seed. Raises ValueError where kind, dose and number don't go together.

    >>> str(DocumentName("foreign", 2)), str(DocumentName("binding-corrupted"))
    ('foreign-2', 'binding-corrupted')
    >>> DocumentName.read("binding-corrupted-2").shift
    2
    >>> DocumentName.read("partial-30-1").condition
    'partial-30'
    """

    kind: str
    number: int | None = None
    dose: int | None = None

    def __post_init__(self) -> None:
        numbered = self.number is not None
        fits = not numbered or self.kind == CORRUPTED
        if self.kind in (*SEEDED, ADJACENT, PARTIAL):
            fits = numbered
        fits = fits and (self.dose is not None) == (self.kind == PARTIAL)
        fits = fits and (self.dose is None or self.dose in DOSES.values())
        if self.kind not in KINDS or not fits or (self.number == 0 and self.kind == CORRUPTED):
            raise ValueError(
                f"{self!s} is the name of no memory document: there are veridical, "
                "foreign-<seed>, shuffled-<seed>, binding-corrupted(-<shift>), contradicting, "
                "encounter-log, partial-<dose>-<seed>, stale and adjacent-<number>"
            )

    def __str__(self) -> str:
        parts = (part for part in (self.dose, self.number) if part is not None)
        return "-".join([self.kind, *map(str, parts)])

    @classmethod
    def read(cls, name: str) -> DocumentName:
        """Read a name. Raises ValueError where it is none."""
        match = _NAME.fullmatch(name)
        if match is None:
            return cls(name)  # which says what is wrong with it
        *dose, number = [int(part) for part in match.groups()[1:] if part is not None] or [None]
        return cls(match[1], number, *dose)

    @property
    def condition(self) -> str:
        """What is compared with the true memory: the kind, each dose a condition of its own."""
        return self.kind if self.dose is None else f"{self.kind}-{self.dose}"

    @property
    def seed(self) -> int | None:
        """Which counterfeit of its condition; None for any other document."""
        return self.number if self.condition in NUMBERED else None

    @property
    def shift(self) -> int | None:
        """By how many places every partner is moved: 0 where none is; None for another life's."""
        if self.kind == CORRUPTED:
            return self.number or 1
        return 0 if self.kind in ("veridical", CONTRADICTING, LOG) else None


def in_order(condition: str) -> tuple[str, int]:
    """What conditions are put in order by: their kinds' names, doses of one kind by their size.

    >>> sorted(["partial-100", "foreign", "partial-30"], key=in_order)
    ['foreign', 'partial-30', 'partial-100']
    """
    return (PARTIAL, DOSES[condition]) if condition in DOSES else (condition, 0)


def read_documents(folder: Path | str) -> dict[tuple[str, str], str]:
    """The text of every memory document below a folder, by corpus and name.

    They lie in a folder for each corpus. Raises ValueError as `read_document` does.
    """
    found = {}
    for path in sorted(Path(folder).glob("*/*.txt")):
        name, text = read_document(path)
        found[path.parent.name, name] = text
    return found


def read_document(path: Path | str) -> Document:
    """A memory document from its file, which is named like it, without line breaks around it.

    Raises ValueError where the file has the name of no memory document.
    """
    path = Path(path)
    name = DocumentName.read(path.stem)
    return Document(str(name), path.read_text(encoding="utf-8").strip("\n"))
