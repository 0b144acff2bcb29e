"""The memory systems of a study: how each is started, and what of it decides its answers."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical.base.brought import corpora_in
from veridical.base.code import reached
from veridical.base.network import straight_home
from veridical.memories.adapters import DRIVER, adapter_module, find_missing
from veridical.memories.driving import DRIVING, LANGUAGE
from veridical.memories.plan import CONTROL3
from veridical.memories.process import Patience, Process

FURTHER = ("control1", "control2")  # controls that go through a memory system where they say so
OWN = ("adapter", "settings", "command", "files", "version", "take", "patience")


@dataclass(frozen=True)
class System:
    """One entry of the config's `memories/systems`.

    `settings` go to the adapter; `command` is the program of adapter `command`, and `files` are
    what else decides its answers; `version` is what the program must say of itself; a higher
    `take` has everything ingested and recalled anew. `fault` is one of `memories.faults`, planted
    on purpose, with its strength and seed.
    """

    name: str
    adapter: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    version: str | None = None
    take: int = 1
    fault: Mapping[str, Any] = field(default_factory=dict)
    patience: Patience = Patience()  # noqa: RUF009

    @classmethod
    def from_config(cls, name: str, entry: Mapping[str, Any]) -> System:
        """Read a system from the config."""
        given = {key: entry[key] for key in ("settings", "version", "take") if key in entry}
        fault = entry.get("fault", {})
        return cls(
            name,
            entry["adapter"],
            command=tuple(entry.get("command", ())),
            files=tuple(entry.get("files", ())),
            fault={"name": fault} if isinstance(fault, str) else fault,
            patience=Patience(**entry.get("patience", {})),
            **given,
        )

    def start(
        self,
        folder: Path | str,
        environ: Mapping[str, str] = os.environ,
        secret: Sequence[str] = (),
        names: Sequence[str] = (),
    ) -> Process:
        """The system, running in a process of its own; `names` are whom a fault may bind entries
        to. Raises MemoryFault, and MissingPackage before anything is started."""
        if missing := find_missing(self.adapter):
            raise missing
        shipped = [sys.executable, "-m", "veridical.memories.serve", self.adapter]
        command = self.command or [*shipped, json.dumps(self.settings)]
        if self.fault:
            command = [*command, json.dumps({**self.fault, "names": list(names)})]
        return Process(command, folder, environ=environ, patience=self.patience, secret=secret)

    def expected(self, root: Path | str = ".") -> str | None:
        """The version that the system must say it has: the config's, or its package's in the lock;
        None where neither tells."""
        package = getattr(adapter_module(self.adapter), "PACKAGE", None)
        locked = packages(group_of(self.adapter), root) if package else {}
        return self.version or locked.get(package)

    def identity(self, root: Path | str = ".") -> dict[str, Any]:
        """Everything about the system that decides what it answers, known without starting it.

        Its adapter, settings and take; the SHA-256 of the files it is made of; the locked versions
        of what its optional group adds to the environment; the SHA-256 of the weights it uses.
        """
        found = {
            "adapter": self.adapter,
            "settings": dict(self.settings),
            "command": list(self.command),
            "version": self.version,
            "take": self.take,
            "fault": dict(self.fault),
            "files": {name: _sha256(Path(root) / name) for name in self.program_files(root)},
            "packages": packages(group_of(self.adapter), root),
            "weights": {name: _weights_sha256(name, root) for name in self.weights()},
        }
        return {key: value for key, value in found.items() if value}

    def weights(self) -> list[str]:
        """The names in data/weights.csv of what the system needs: the adapter's own, and those that
        its settings name."""
        needed = getattr(adapter_module(self.adapter), "NEEDS", ())
        return list(dict.fromkeys([*needed, *weights_in(self.settings)]))

    def program_files(self, root: Path | str = ".") -> list[str]:
        """The files that the system is made of, from the project's folder: the adapter's own, what
        a command names and `files` lists (patterns are filled in). Raises ValueError where one of
        `files` is not there or lies outside the project.
        """
        root = Path(root)
        named = [part for part in self.command if _inside(part) and os.path.isfile(root / part)]
        if self.adapter != "command":
            own = self.adapter.replace("-", "_")
            named.append(f"workflow/veridical/memories/adapters/{own}.py")
            named += getattr(adapter_module(self.adapter), "FILES", ())
            named += DRIVING if self.settings.get(DRIVER) else ()
        if self.fault:
            faults = Path(root) / "workflow/veridical/memories/faults"
            named += sorted(path.relative_to(root).as_posix() for path in faults.glob("*.py"))
        for pattern in self.files:
            found = sorted(root.glob(pattern)) if _inside(pattern) else []
            kept = [path for path in found if path.is_file() and "__pycache__" not in path.parts]
            if not kept:
                raise ValueError(
                    f"memories/systems/{self.name}/files: {pattern!r} is no file in the project's "
                    "folder; what a system is made of is sealed, so it must lie there"
                )
            named += [path.relative_to(root).as_posix() for path in kept]
        return list(dict.fromkeys(named))


def code_files(systems: Mapping[str, System], root: Path | str = ".") -> list[str]:
    """What the systems are made of, and what their adapters reach in this room: which decides what
    they keep and find, and so is sealed. Paths from the project's folder, sorted."""
    root, room = Path(root).resolve(), Path(__file__).parent.resolve()
    found = {name for system in systems.values() for name in system.program_files(root)}
    shipped = [root / name for name in found if (root / name).resolve().is_relative_to(room)]
    served = [room / "serve.py"] if shipped else []
    reach = {path.resolve() for each in (*shipped, *served) for path in reached(each)}
    own = {path for path in (*reach, *served) if path.is_relative_to(room)}
    return sorted(found | {path.relative_to(root).as_posix() for path in own})


def environment(
    models_folder: str | None, environ: Mapping[str, str] = os.environ, language: str = "en"
) -> dict:
    """The environment of a system's process: ours, where weights lie, and the language of what goes
    in. No proxy stands between it and this machine: what it keeps here is the study's memory
    documents."""
    from veridical.models.weights import folder_of_models

    weights = str(folder_of_models(models_folder, environ).resolve())
    return straight_home(environ) | {"VERIDICAL_MODELS": weights, LANGUAGE: language}


def systems_of(config: Mapping[str, Any]) -> dict[str, System]:
    """The systems that the config names, in its order."""
    entries = (config.get("memories") or {}).get("systems") or {}
    return {name: System.from_config(name, entry) for name, entry in entries.items()}


def through(config: Mapping[str, Any]) -> dict[str, tuple[str, list[str]]]:
    """The controls beside Control 3 that go through a system: control → system and corpora."""
    parts = {name: config.get(name) or {} for name in FURTHER}
    return {
        name: (part["memory"], corpora_in(part))
        for name, part in parts.items()
        if part.get("memory")
    }


def parts_asked(config: Mapping[str, Any], system: str, corpus: str) -> list[str]:
    """The controls whose questions a system is asked on a corpus."""
    further = through(config).items()
    return [CONTROL3, *(part for part, (own, on) in further if own == system and corpus in on)]


def group_of(adapter: str) -> str | None:
    """The optional group of pyproject.toml that an adapter's packages are in; None where it needs
    none."""
    return getattr(adapter_module(adapter), "GROUP", None)


def packages(group: str | None, root: Path | str = ".") -> dict[str, str]:
    """The locked versions of the packages that a group adds to the environment, those that its own
    packages need among them. Raises ValueError where the lock has no such group."""
    if group is None:
        return {}
    path = Path(root) / "uv.lock"
    locked = {each["name"]: each for each in tomllib.loads(path.read_text("utf-8"))["package"]}
    own = next(each for each in locked.values() if each["source"].get("editable") == ".")
    groups = own.get("dev-dependencies", {})
    if group not in groups:
        raise ValueError(f"{path}: no group {group!r}; run `uv lock`")
    added = _needed(groups[group], locked) - _needed(own["dependencies"], locked)
    return {name: locked[name]["version"] for name in sorted(added)}


def _needed(dependencies: Sequence[Mapping], locked: Mapping[str, Mapping]) -> set[str]:
    """The names of dependencies and of all that they depend on, whatever the platform."""
    todo, seen = [each["name"] for each in dependencies], set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [each["name"] for each in locked[name].get("dependencies", ())]
    return seen


def weights_in(settings: Any) -> list[str]:
    """The weights that settings name, at any depth, under a key `weights`."""
    if isinstance(settings, Mapping):
        own = [settings["weights"]] if isinstance(settings.get("weights"), str) else []
        return own + [name for value in settings.values() for name in weights_in(value)]
    if isinstance(settings, Sequence) and not isinstance(settings, str):
        return [name for value in settings for name in weights_in(value)]
    return []


def _weights_sha256(name: str, root: Path | str) -> str:
    from veridical.models.weights_table import read_weights

    return read_weights(name, Path(root) / "data/weights.csv").sha256


def _inside(path: str) -> bool:
    return not Path(path).is_absolute() and ".." not in Path(path).parts


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
