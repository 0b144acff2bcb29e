"""What every study's design holds, whatever its parts: which keys of the config, which files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from veridical.base.code import LIBRARY, reached

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

# Parts whose code decides no result: figures, the sources, the report, asking, sealing itself.
NOT_ANALYSIS = ("archive", "check", "corpora", "freeze", "ledger", "models", "published", "report")


def analysis_files(root: Path | str, corpora: Iterable[str]) -> list[str]:
    """Corpora, texts and analysis code.

    The code is each script under `workflow/scripts` that is neither a figure's (`draw_*`) nor of a
    part in `NOT_ANALYSIS`, with every module of the library that it reaches; `forms.py`, which
    reads a model's text as an answer; and the providers, which word the form of an answer and
    decide what is sent. Paths from the root, sorted.
    """
    root = Path(root).resolve()
    scripts = [
        path
        for path in (root / "workflow/scripts").glob("*/*.py")
        if path.parent.name not in NOT_ANALYSIS and not path.name.startswith("draw_")
    ]
    files = {path for script in scripts for path in reached(script)}
    files |= {LIBRARY / "models" / "forms.py", *(LIBRARY / "texts").glob("*")}
    providers = [*(LIBRARY / "models" / "providers").glob("*.py")]
    asking = {path for each in providers for path in (each, *reached(each))}
    files |= {path for path in asking if _asks(path)}
    for corpus in corpora:
        files |= set((root / "data/corpora" / corpus).glob("*"))
    return sorted(
        path.resolve().relative_to(root).as_posix()
        for path in files
        if path.is_file() and not path.name.startswith(".")
    )


def _asks(path: Path) -> bool:
    """Whether a module of the library is of the models' room: it decides what is sent and read."""
    return path.resolve().is_relative_to((LIBRARY / "models").resolve())


def design_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config without the keys that may differ from run to run: what the design seals."""
    return {key: value for key, value in config.items() if key not in (*RUNNING, *SETTINGS)}


def archive_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """The keys outside the design that show in an archive: title, language, communities.

    Where it is deposited, and whether it is published, leave its bytes as they are.
    """
    communities = (config.get("deposit") or {}).get("communities")
    settings = {key: config[key] for key in ("title", "language") if key in config}
    return settings | ({"deposit": {"communities": communities}} if communities else {})
