"""Memory systems that ship: one file an adapter, found by its name and imported only when used.

The adapter `some-name` lives in `some_name.py` here, as the class `Adapter`: a `Memory` made from a
folder for its banks and its settings in the config. What it needs beyond the standard library is in
the optional group of pyproject.toml that its `GROUP` names, and is imported inside the class.

Beside the class a file may say: `GROUP`; `IMPORTS`, the modules of that group; `PACKAGE`, whose
locked version the system must say it has; `NEEDS`, weights in data/weights.csv; `FILES`, other
files of the project that decide its answers; `calls(settings)`, of an adapter with a model: how
many calls of it an event and a query take at most, and how many tokens one reads.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from veridical.memories.protocol import Memory

_HELPERS: set[str] = set()  # files that are no adapter
DRIVER = "driver"  # the setting, of any adapter with tools, that names a model to call them


class MissingPackage(ImportError):
    """An adapter's package isn't installed; the message is the command that installs it."""


def adapter_names() -> list[str]:
    """The adapters there are, sorted, without importing any of them."""
    found = {module.name for module in pkgutil.iter_modules(__path__)} - _HELPERS
    return sorted(name.replace("_", "-") for name in found)


def adapter_module(name: str) -> ModuleType | None:
    """The module of an adapter, without its packages; None where there is none (`command`)."""
    if name not in adapter_names():
        return None
    return import_module(f"veridical.memories.adapters.{name.replace('-', '_')}")


def open_adapter(name: str, settings: Mapping[str, Any], folder: Path | str) -> Memory:
    """The memory system behind an adapter, in this process.

    Raises ValueError where there is no such adapter (naming the nearest) or it has no such setting,
    MissingPackage where what it needs isn't installed.
    """
    names = adapter_names()
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.0)
        raise ValueError(
            f"there is no memory adapter {name!r}; did you mean {near[0]!r}? "
            f"There are {', '.join(names)}."
        )
    module = adapter_module(name)
    settings, driver = {**settings}, settings.get(DRIVER)
    settings.pop(DRIVER, None)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        memory = module.Adapter(folder, **settings)
        return memory if driver is None else _driven(memory, **driver)
    except TypeError as error:
        if "keyword argument" in str(error):
            raise ValueError(f"memory adapter {name!r}: {error}") from None
        raise


def _driven(
    memory: Memory, model: Mapping[str, Any], tools: Sequence[str], steps: int | None = None
) -> Memory:
    """A memory with tools, asked through a model that calls them."""
    from veridical.memories.chat import Chat
    from veridical.memories.driving import STEPS, Driven

    return Driven(memory, Chat(model), tools, steps or STEPS)


def need(package: str, group: str, adapter: str) -> ModuleType:
    """Import a package of an optional group. Raises MissingPackage with the command that installs
    it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise _missing(package, group, adapter, f"can't be imported ({error})") from None


def find_missing(name: str) -> MissingPackage | None:
    """What an adapter lacks of its `IMPORTS`, without importing them; None where nothing."""
    module = adapter_module(name)
    for package in getattr(module, "IMPORTS", ()):
        if find_spec(package) is None:
            return _missing(package, module.GROUP, name, "isn't installed")
    return None


def _missing(package: str, group: str, adapter: str, how: str) -> MissingPackage:
    return MissingPackage(
        f"memory adapter {adapter!r} needs {package}, which {how}: run "
        f"`uv sync --locked --group {group}`, or put `--group {group}` behind `uv run`"
    )
