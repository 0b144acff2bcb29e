"""Pandas out of sight while the engine plans.

The engine compares every job's params with those of its last run, and imports pandas for it
wherever it is installed, should one of them be a table: a quarter of a second of each command. No
param of this workflow is one. Python itself says of a module for which `sys.modules` has None that
there is none; the engine then compares the same texts without it.
"""

from __future__ import annotations

import sys

PANDAS = "pandas"


def hide_pandas() -> None:
    """Have nobody find pandas in this process until `show_pandas`; nothing where it is loaded."""
    sys.modules.setdefault(PANDAS, None)  # type: ignore[arg-type]


def show_pandas() -> None:
    """Let pandas be imported again: before anything of this process that reads a table."""
    if sys.modules.get(PANDAS, sys) is None:
        del sys.modules[PANDAS]
