"""Changing several files as if they were one: all of them, or none, whenever it is cut off.

What is to become of each file is written down first, in one file that appears whole under its
name. From then on the change is made: whoever finds that file, after a kill or a power cut, does
the rest.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from veridical.base.files import atomic, sync_folder, write_text
from veridical.freeze.manifest import folder

PENDING = ".pending.json"


@contextmanager
def alone(study: str, root: Path | str = ".") -> Iterator[None]:
    """Nobody else changes the study's records meanwhile; what was cut off before is finished."""
    place = Path(root) / folder(study)
    place.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # given back by the system when the process ends
        for half in place.rglob(".*.part"):
            half.unlink(missing_ok=True)  # of a process that died; nobody else is here
        _finish(study, Path(root))
        yield
    finally:
        os.close(handle)
        with suppress(OSError):
            place.rmdir()  # where nothing came of it; it stays where it holds anything


def finish(study: str, root: Path | str = ".") -> None:
    """Do the rest of a change that was cut off, where there is one.

    Raises OSError where the records can't be written.
    """
    if (Path(root) / folder(study) / PENDING).is_file():
        with alone(study, root):
            pass


def change(study: str, files: Mapping[Path, bytes | None], root: Path | str = ".") -> None:
    """Give files their new content, or remove those with None: all, or none. Within `alone`.

    Paths from the root; their order is that in which they change.
    """
    root = Path(root)
    plan = {
        path.as_posix(): None if data is None else base64.b64encode(data).decode()
        for path, data in files.items()
    }
    write_text(root / folder(study) / PENDING, json.dumps(plan))
    sync_folder(root / folder(study))
    _finish(study, root)


def _finish(study: str, root: Path) -> None:
    """Carry out what is written down; doing it twice is doing it once."""
    pending = root / folder(study) / PENDING
    if not pending.is_file():
        return
    plan = json.loads(pending.read_text(encoding="utf-8"))
    for name, data in plan.items():
        path = root / name
        if data is None:
            path.unlink(missing_ok=True)
            continue
        with atomic(path) as part:
            part.write_bytes(base64.b64decode(data))
    for place in {(root / name).parent for name in plan}:
        if place.is_dir():
            sync_folder(place)
    pending.unlink()
    sync_folder(pending.parent)
