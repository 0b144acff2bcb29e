"""Import a script of the workflow by its path, as Snakemake would run it but without running it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

SCRIPTS = Path(__file__).parent.parent.parent / "workflow/scripts"


def load_script(name: str) -> ModuleType:
    """The module of `workflow/scripts/<name>`; its `main` can be called."""
    path = SCRIPTS / name
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
