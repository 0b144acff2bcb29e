"""What designs hold: of the study's own seal and of each part's, which keys of the config, which
files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from veridical.base.checks import models_named
from veridical.base.code import LIBRARY, reached
from veridical.base.config import THROUGH
from veridical.base.counterfeits import counterfeited
from veridical.base.schema import part_names, read_schema
from veridical.ledger.served import collections_of

# Keys that decide no result: how a run is carried out; how it is shown and deposited.
RUNNING = (
    "banks_folder",
    "benchmark",
    "benchmark_format",
    "budget",
    "collect",
    "jobs",
    "ledger_folder",
    "models_folder",
    "timestamps",
)
SETTINGS = ("deposit", "language", "title")

# Rooms whose code decides no result: figures, the sources, the report, asking, sealing itself; and
# those whose table, or corpus, is sealed itself before anything is asked.
NOT_ANALYSIS = (
    "archive",
    "check",
    "claims",
    "converters",
    "corpora",
    "freeze",
    "ledger",
    "models",
    "published",
    "report",
)


def analysis_files(root: Path | str, parts: Iterable[str] = ()) -> list[str]:
    """The analysis code that belongs to no part, and all texts: what the study's own seal holds.

    The code is each script under `workflow/scripts` that is neither a figure's (`draw_*`) nor of a
    part nor of a room in `NOT_ANALYSIS`, with every module of the library that it reaches;
    `forms.py`, which reads a model's text as an answer; and the providers, which word the form of
    an answer and decide what is sent. `parts` are parts that the schema doesn't know. Paths from
    the root, sorted.
    """
    root = Path(root).resolve()
    others = {*part_names(read_schema()), *parts, *NOT_ANALYSIS}
    files = _reached(script for script in _scripts(root) if script.parent.name not in others)
    files |= {LIBRARY / "models" / "forms.py", *(LIBRARY / "texts").glob("*")}
    providers = [*(LIBRARY / "models" / "providers").glob("*.py")]
    asking = {path for each in providers for path in (each, *reached(each))}
    files |= {path for path in asking if _asks(path)}
    return _named(files, root)


def part_files(root: Path | str, part: str, corpora: Iterable[str] = ()) -> list[str]:
    """A part's own analysis code and the corpora that it uses; paths from the root, sorted.

    The code is each script of its folder but figures', with every module that it reaches: one that
    several parts reach is sealed by each.
    """
    root = Path(root).resolve()
    files = _reached(script for script in _scripts(root) if script.parent.name == part)
    for corpus in corpora:
        files |= set((root / "data/corpora" / corpus).glob("*"))
    return _named(files, root)


def _scripts(root: Path) -> Iterator[Path]:
    for path in (root / "workflow/scripts").glob("*/*.py"):
        if not path.name.startswith("draw_"):
            yield path


def _reached(scripts: Iterable[Path]) -> set[Path]:
    return {path for script in scripts for path in reached(script)}


def _named(files: Iterable[Path], root: Path) -> list[str]:
    return sorted(
        _name(path, root) for path in files if not path.name.startswith(".") and path.is_file()
    )


@cache  # several parts reach a file, and every command of the engine asks for all of them
def _name(path: Path, root: Path) -> str:
    return path.resolve().relative_to(root).as_posix()


def _asks(path: Path) -> bool:
    """Whether a module of the library is of the models' room: it decides what is sent and read."""
    return path.resolve().is_relative_to((LIBRARY / "models").resolve())


def design_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config without the keys that may differ from run to run: what designs seal."""
    return {key: value for key, value in config.items() if key not in (*RUNNING, *SETTINGS)}


def study_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """What of the config all parts share: no part's section, no model, document or decision."""
    of_parts = {*part_names(read_schema()), "models", "documents", "replies"}
    return {key: value for key, value in design_config(config).items() if key not in of_parts}


def part_config(config: Mapping[str, Any], part: str) -> dict[str, Any]:
    """What of the config decides one part: its section, what it takes of others', the entries of
    the models that it names, and what was decided of the replies in its collections."""
    own = {part: config[part], **_taken(config, part)}
    named = {name for names in models_named(own).values() for name in names}
    models = {name: entry for name, entry in config.get("models", {}).items() if name in named}
    replies = _decided(config.get("replies", {}), collections_of(part))
    found = {"models": models, **own, "replies": replies}
    return {key: value for key, value in found.items() if value != {}}


def _taken(config: Mapping[str, Any], part: str) -> dict[str, Any]:
    """What a part takes of other sections: nothing more, so that no other change concerns it."""
    section, taken = config[part], {}
    third, memories = config.get("control3", {}), config.get("memories", {})
    if counterfeited({part: section}):
        taken["documents"] = config["documents"]
    if part in ("memories", "zoo"):
        keys = ["probes", "document_encounters", *([] if "corpora" in section else ["corpora"])]
        taken["control3"] = {key: third[key] for key in keys if key in third}
    if systems := section.get(THROUGH.get(part, "")):
        names = [systems] if isinstance(systems, str) else systems
        entries = {name: memories.get("systems", {}).get(name) for name in names}
        taken["memories"] = {"k": memories.get("k"), "systems": entries}
    elif part == "zoo" and memories:
        taken["memories"] = {"k": memories.get("k"), "systems": dict.fromkeys(memories["systems"])}
    return taken


def _decided(replies: Mapping[str, Any], collections: Collection[str]) -> dict[str, Any]:
    """What of the section `replies` is about these collections, which its keys begin with."""
    found = {
        kind: {key: what for key, what in rows.items() if key.partition("/")[0] in collections}
        for kind, rows in replies.items()
    }
    return {kind: rows for kind, rows in found.items() if rows}


def archive_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """The keys outside the design that show in an archive: title, language, communities.

    Where it is deposited, and whether it is published, leave its bytes as they are.
    """
    communities = (config.get("deposit") or {}).get("communities")
    settings = {key: config[key] for key in ("title", "language") if key in config}
    return settings | ({"deposit": {"communities": communities}} if communities else {})
