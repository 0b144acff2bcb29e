"""Parts of a study that were designed and then turned off, and what the study still waits for.

The closing record names the results of every part that the study has. A part of which it names
none was turned off before, or begun later, which the workflow tells by its config: what was sealed
of it stays sealed, is packed and told, and no more is waited for. Before the closing record is
there nobody can tell such a part from one that is under way.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from veridical.freeze.chain import CLOSING, STUDY, part_of, to_come
from veridical.freeze.manifest import read_manifest, record_path, stages_there


def left_off(study: str, root: Path | str = ".") -> list[str]:
    """The parts of which something is sealed and whose results the closing record doesn't follow,
    sorted; none where there is no such record, or none that can be read: its check says so."""
    there, record = stages_there(study, root), Path(root) / record_path(study, CLOSING)
    if STUDY not in there or not record.is_file():
        return []
    try:
        closed = {part_of(stage) for stage in read_manifest(record).follows}
    except ValueError:
        return []
    return sorted({part_of(stage) for stage in there} - closed - {""})


def awaited(study: str, root: Path | str = ".", *, more: Collection[str] = ()) -> list[str]:
    """The stages of a study that are there and those that it still waits for, in order.

    `more` are stages known from elsewhere: of a part that has one among them, and is asked for
    today, all of them count.
    """
    return to_come({*stages_there(study, root), *more}, left_off(study, root))
