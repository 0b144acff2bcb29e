"""Files on disk that are there whole or not at all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def file_sha256(path: Path | str) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def atomic(path: Path | str) -> Iterator[Path]:
    """A path to write to; what lies there appears under its own name when all has gone well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        with open(part, "rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def sync_folder(folder: Path | str) -> None:
    """Have a folder's new, renamed and removed names outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass  # some file systems know no such thing
    finally:
        os.close(handle)


def write_text(path: Path | str, text: str) -> None:
    """Write UTF-8 text with Unix line ends, all of it or nothing."""
    with atomic(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
