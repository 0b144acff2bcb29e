"""A user's own instrument: a Python function, or a program, from answers to a decision or a score.

A function takes one study's answers, a list of mappings (see `Answer.plain`), and returns True or
False (it noticed something, or not) or a number (a score, better the higher; None where there is
none). A program reads one JSON object a line, `{"study": 1, "answers": [...]}`, and writes one a
line, `{"noticed": true}` or `{"score": 0.8}`. Neither is told which memory it looks at.
"""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from veridical.zoo.instruments import YOURS, Instrument
from veridical.zoo.seen import Seen

PATIENCE = 600.0  # seconds that a program may take for all studies
Answers = list[dict[str, Any]]


def custom_instruments(
    named: Mapping[str, Mapping[str, Any]], root: Path | str = "."
) -> list[Instrument]:
    """The instruments of the config's `zoo/instruments`, in its order.

    Each has `function` (`path/to/file.py:name`) or `command` (a program and its arguments), and
    `scores`: true where it gives a score, false where it decides. Raises ValueError naming the
    instrument where it can't be had.
    """
    return [_instrument(name, entry, Path(root)) for name, entry in named.items()]


def _instrument(name: str, entry: Mapping[str, Any], root: Path) -> Instrument:
    kind = "scores" if entry.get("scores") else "decides"
    if "function" in entry:
        function = load_function(entry["function"], name, root)
        return Instrument(name, YOURS, kind, lambda seen: _asked(function, seen, name, kind))
    command = list(entry["command"])
    return Instrument(
        name, YOURS, kind, answers_of, lambda studies: run(command, studies, name, kind)
    )


def load_function(place: str, name: str, root: Path) -> Callable[[Answers], Any]:
    """The function at `path/to/file.py:name`. Raises ValueError naming the instrument."""
    path, _, called = place.rpartition(":")
    file = root / path
    if not path or not file.is_file():
        raise ValueError(
            f"zoo/instruments/{name}/function: {place!r} names no file; write path/to/file.py:name "
            "from the project's folder"
        )
    spec = importlib.util.spec_from_file_location(f"zoo_instrument_{name.replace('-', '_')}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"zoo/instruments/{name}: {path} can't be read: {error!r}") from error
    function = getattr(module, called, None)
    if not callable(function):
        raise ValueError(f"zoo/instruments/{name}/function: {path} has no function {called!r}")
    return function


def answers_of(seen: Seen) -> Answers:
    """What an instrument is told of a study: every answer, bank by bank."""
    return [answer.plain() for answer in seen.answers.values()]


def _asked(function: Callable[[Answers], Any], seen: Seen, name: str, kind: str) -> Any:
    try:
        value = function(answers_of(seen))
    except Exception as error:
        raise ValueError(f"zoo/instruments/{name}: the function failed: {error!r}") from error
    return checked(value, name, kind)


def checked(value: Any, name: str, kind: str) -> Any:
    """A decision or a score as it must be. Raises ValueError naming the instrument."""
    if kind == "decides":
        if isinstance(value, bool | np.bool_):
            return bool(value)
        raise ValueError(
            f"zoo/instruments/{name}: it must say True or False, not {value!r}; with `scores: "
            "true` it gives a number"
        )
    if value is None:
        return None
    if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise ValueError(f"zoo/instruments/{name}: its score is {value!r}, no finite number")


def run(command: Sequence[str], studies: Sequence[Answers], name: str, kind: str) -> list[Any]:
    """What a program says of every study, one line each. Raises ValueError naming the instrument,
    with its last words, where it fails, is too slow, or says too little or too much."""
    given = "".join(
        json.dumps({"study": at, "answers": answers}, ensure_ascii=False) + "\n"
        for at, answers in enumerate(studies, start=1)
    )
    where = f"zoo/instruments/{name}"
    try:
        done = subprocess.run(
            list(command), input=given.encode(), capture_output=True, timeout=PATIENCE, check=False
        )
    except OSError as error:
        raise ValueError(f"{where}: {command[0]!r} can't be run: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise ValueError(f"{where}: the program took more than {PATIENCE:g} s") from error
    if done.returncode:
        words = done.stderr.decode(errors="replace")[-500:].strip()
        raise ValueError(f"{where}: the program ended with {done.returncode}: {words}")
    lines = done.stdout.decode(errors="replace").splitlines()
    if len(lines) != len(studies):
        raise ValueError(
            f"{where}: {len(studies)} studies were put to it and {len(lines)} lines came back"
        )
    return [checked(_said(line, kind, where, at), name, kind) for at, line in enumerate(lines, 1)]


def _said(line: str, kind: str, where: str, at: int) -> Any:
    key = "noticed" if kind == "decides" else "score"
    try:
        reply = json.loads(line)
    except ValueError:
        reply = None
    if not isinstance(reply, dict) or key not in reply:
        raise ValueError(f"{where}: line {at} is {line[:100]!r}, no JSON object with {key!r}")
    return reply[key]
