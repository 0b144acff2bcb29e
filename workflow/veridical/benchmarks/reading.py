"""From a path to a benchmark: which format it is, its items, whether its release is known."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from veridical.benchmarks import readers
from veridical.benchmarks.items import Benchmark, BenchmarkError, Item
from veridical.benchmarks.releases import known_release
from veridical.benchmarks.source import Source

# The plain form's fields are everyone's, so it is tried last.
LAST = "plain"


@cache
def formats() -> dict[str, ModuleType]:
    """The readers by name, in the order in which they are tried."""
    names = sorted(module.name for module in pkgutil.iter_modules(readers.__path__))
    names.sort(key=lambda name: name == LAST)
    return {name: import_module(f"{readers.__name__}.{name}") for name in names}


def read_benchmark(path: Path | str, format: str | None = None) -> Benchmark:
    """Read a benchmark's file or folder.

    Parameters
    ----------
    format : str, optional
        A name of `formats()`; recognised from the first record where not given.

    Raises
    ------
    BenchmarkError
        Naming the file, and where it can the item and the field: no such file, no known format, a
        field that is missing or of another kind, two items with one id, no item at all.
    """
    source = Source(path)
    reader = _reader(source, format)
    items = tuple(reader.read(source))
    _check_ids(source, items)
    missing = getattr(reader, "missing", None)
    return Benchmark(
        path=source.path,
        format=reader.__name__.rpartition(".")[2],
        title=reader.TITLE,
        sha256=source.sha256,
        items=items,
        release=known_release(source.sha256),
        ordered=getattr(reader, "ORDERED", True),
        missing=missing(source) if missing else getattr(reader, "MISSING", ()),
    )


def _reader(source: Source, name: str | None) -> ModuleType:
    if name is not None:
        if name not in formats():
            raise BenchmarkError(f"no format {name!r}; known: {', '.join(formats())}")
        return formats()[name]
    for reader in formats().values():
        if reader.fits(source):
            return reader
    fields = ", ".join(map(str, source.first)) or "none"
    titles = ", ".join(reader.TITLE for reader in formats().values())
    raise BenchmarkError(
        f"{source.name}: in no form known here ({titles}). Fields of the first record: {fields}. "
        "For anything else write the plain form: a line of JSON an item with `question` and "
        "`answer` (see workflow/notes/benchmarks.md)"
    )


def _check_ids(source: Source, items: tuple[Item, ...]) -> None:
    if not items:
        raise BenchmarkError(f"{source.name}: holds no item")
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise BenchmarkError(f"{source.name}, item {item.id}: this id occurs twice")
        seen.add(item.id)
