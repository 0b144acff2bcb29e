"""How a script of the workflow is run: its `main` filled from its rule, its words in the log."""

from __future__ import annotations

import inspect
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from veridical.base.terminal import printable

#: Where a parameter of `main` is looked for; the wildcards only where no other has its name.
PLACES = ("input", "output", "params")
NUMBERS = "numbers"  # the param that holds several (the engine compares params as a set of values)


def run(
    main: Callable[..., int | None], snakemake: Any, *, show: bool = False, log: bool = True
) -> None:
    """Call a script's `main` with what its rule names alike.

    Each parameter of `main` is the rule's input, output or param of its name (or of the param
    `numbers`), else the wildcard, and is cast to its annotation: `Path`, `int`, `float`, `str`, a
    sequence of them, or `... | None` for an input that may be absent. A parameter with a default
    may be missing. Output goes to the rule's log; with `show`, to the terminal as well. A number
    that `main` returns is the script's exit code.

    Raises TypeError, naming rule and parameter, where one is missing or named twice.
    """
    if log:
        log_to(snakemake, show=show)
    code = main(**arguments(main, snakemake))
    if code:
        sys.exit(code)


def arguments(main: Callable[..., Any], snakemake: Any) -> dict[str, Any]:
    """The arguments of `main` as its rule gives them; see `run`."""
    hints = get_type_hints(main)
    given = {}
    for name, parameter in inspect.signature(main).parameters.items():
        found = list(_found(name, snakemake))
        if len(found) > 1:
            raise TypeError(f"rule {snakemake.rule}: {name!r} is named more than once")
        if found:
            given[name] = _cast(found[0], hints[name], f"rule {snakemake.rule}: {name}")
        elif parameter.default is inspect.Parameter.empty:
            raise TypeError(f"rule {snakemake.rule} gives its script nothing named {name!r}")
    return given


def _found(name: str, snakemake: Any) -> Iterator[Any]:
    """The values that a rule gives under a name; a wildcard only where nothing else has it."""
    held = [getattr(snakemake, place) for place in PLACES]
    held.append(snakemake.params.get(NUMBERS, {}))
    values = [place[name] for place in held if name in place.keys()]  # noqa: SIM118
    wildcards = snakemake.wildcards
    yield from values or [wildcards[name] for _ in range(name in wildcards.keys())]  # noqa: SIM118


def _cast(value: Any, kind: Any, where: str) -> Any:
    """A value as its annotation says."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        absent = value is None or (not isinstance(value, str) and value == [])
        rest = [part for part in parts if part is not type(None)]
        return None if absent else _cast(value, rest[0], where)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return value
    if origin is not None and isinstance(origin, type) and issubclass(origin, Sequence):
        values = [value] if isinstance(value, str) else value
        return [_cast(each, parts[0], where) for each in values]
    if kind not in (Path, int, float, str):
        return value
    if not isinstance(value, str) and isinstance(value, Sequence):
        if len(value) != 1:
            raise TypeError(f"{where}: one value is wanted, the rule gives {len(value)}")
        value = value[0]
    return kind(value)


class _Tee:
    """A text stream that writes to the log and, for a person to follow, to the terminal.

    The engine shows a log on the terminal, so what is written to either is `printable`; a progress
    bar may go back to the beginning of its line.
    """

    def __init__(self, *streams):
        self.streams = streams

    def write(self, text: str) -> int:
        shown = "\r".join(map(printable, text.split("\r")))
        for stream in self.streams:
            stream.write(shown)
            stream.flush()
        return len(text)

    def flush(self) -> None:
        for stream in self.streams:
            stream.flush()

    def isatty(self) -> bool:
        return False


def log_to(snakemake: Any, *, show: bool = False) -> None:
    """Send standard output and error to the rule's log; with `show`, to the terminal as well.

    An exception that ends the script is written to the log as well as to the terminal, where its
    last line comes first: the sentence that says what to do.
    """
    if not snakemake.log:
        return
    log = open(snakemake.log[0], "a", encoding="utf-8")  # noqa: SIM115
    terminal = sys.stderr
    sys.stdout = _Tee(log)
    sys.stderr = _Tee(log, terminal) if show else _Tee(log)

    def excepthook(kind, error, trace):
        log.write(printable("".join(traceback.format_exception(kind, error, trace))))
        log.flush()
        print(
            f"\n{snakemake.rule}: {printable(error)}\n(the whole trace is in {snakemake.log[0]})\n",
            file=terminal,
        )

    sys.excepthook = excepthook
