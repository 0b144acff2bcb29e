"""What `code.py` finds, kept from one command to the next.

Every command of the engine hashes what each script reaches, which is the same until a file of the
library or a script changes. Whether one has is told by size, times and inode of all of them; the
time of the last change of an inode (ctime) can't be set by anybody, so that no copy, checkout or
unpacking of another version passes for the files that were read.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from veridical.base import code
from veridical.base.files import atomic

NAME = "code.json"


def keep_code(folder: Path | str) -> None:
    """Use what was kept in `folder` where nothing has changed since, and keep what is found anew
    when this process ends. A folder that can't be written keeps nothing; nothing else follows."""
    path, root = Path(folder, NAME), code.LIBRARY.parent
    now = signature(root)
    code.FOUND.clear()
    code.FOUND.update(_read(path, now))
    known = _facts()

    def write() -> None:
        if _facts() > known and signature(root) == now:
            _write(path, {"signature": now, "found": code.FOUND})

    atexit.register(write)


def _facts() -> int:
    return sum(map(len, code.FOUND.values()))


def signature(root: Path | str) -> str:
    """A hash over the name, size, times and inode of every Python file below `root`."""
    digest = hashlib.sha256(os.fsencode(Path(root).resolve()))
    for name, stat in sorted(_files(os.fspath(root))):
        facts = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
        digest.update(os.fsencode(name) + repr(facts).encode())
    return digest.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path, entry.stat()
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _files(entry.path)


def _read(path: Path, now: str) -> dict[str, Any]:
    """What was kept, if it is of these very files."""
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    found = kept.get("found") if isinstance(kept, dict) and kept.get("signature") == now else None
    whole = isinstance(found, dict) and all(isinstance(each, dict) for each in found.values())
    return found if whole else {}


def _write(path: Path, content: dict[str, Any]) -> None:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic(path) as part:
            part.write_text(json.dumps(content), encoding="utf-8")
