"""No key is sealed: what is sealed is kept, packed and published as it stands."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from veridical.base.allowed import ALLOW_LIST, read_allowed
from veridical.base.keyless import variables_named
from veridical.base.secrets import key_values, spots

SHOWN = 20  # findings that a message names


class KeyFound(ValueError):
    """A file that is to be sealed holds what looks like a key; the message says where."""


def check_keys(
    files: Iterable[Path | str], root: Path | str = ".", environ: Mapping[str, str] = os.environ
) -> None:
    """Raise KeyFound, naming each file and line, where one of the files holds a key.

    A key is what `base.secrets` knows as one, by its value in the environment (the variables that
    a `config.json` among the files names count too) or by its looks. What the allow list allows,
    and files that are no text, pass.
    """
    root, names = Path(root), sorted({str(path) for path in files})
    values = key_values(environ, _variables(names, root))
    found = [each for name in names for each in _found(name, root, values)]
    if not found:
        return
    shown = "".join(f"\n  {each}" for each in found[:SHOWN])
    more = f"\n  and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    raise KeyFound(
        f"{len(found)} place(s) in what is to be sealed look like a key:{shown}{more}\n"
        "Take them out (a key that was written down is best withdrawn), or allow the very text in "
        f"{ALLOW_LIST.as_posix()} with path, text and the reason why"
    )


def _found(name: str, root: Path, values: list[str]) -> Iterator[str]:
    data = (root / name).read_bytes()
    if b"\0" in data[:4096]:
        return
    text = data.decode("utf-8", errors="replace")
    allowed = [
        each.text for each in read_allowed(root / ALLOW_LIST) if fnmatchcase(name, each.path)
    ]
    for spot in spots(text, values):
        if text[spot.start : spot.end] not in allowed:
            yield f"{name}, line {text.count(chr(10), 0, spot.start) + 1}: a {spot.kind}"


def _is_config(name: Path) -> bool:
    """Whether a file is the config as the workflow writes it: whole, or a part's."""
    return name.name == "config.json" or (name.parent.name == "config" and name.suffix == ".json")


def _variables(names: Iterable[str], root: Path) -> set[str]:
    configs = [root / name for name in names if _is_config(Path(name))]
    return {
        name for path in configs for name in variables_named(json.loads(path.read_text("utf-8")))
    }
