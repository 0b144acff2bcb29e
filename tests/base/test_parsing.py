"""What is loaded while the rules are read: every command waits for it, however little it does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "workflow"
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))]
HEAVY = ("pandas", "numpy", "pandera", "scipy", "statsmodels", "matplotlib", "openai", "httpx")
IMPORT = re.compile(r"^from veridical\.[\w.]+ import (?:\([^)]*\)|.+)$", re.MULTILINE)


def imported() -> list[str]:
    """What the Snakefile and the rules import of the library as they are read."""
    return [line for path in RULES for line in IMPORT.findall(path.read_text(encoding="utf-8"))]


def loaded(*lines: str) -> set[str]:
    """The heavy libraries that a process has loaded after so many lines."""
    code = "\n".join([*lines, "import sys", f"print(*[n for n in {HEAVY} if n in sys.modules])"])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_reading_the_rules_loads_no_heavy_library():
    assert len(imported()) > 10
    assert loaded(*imported()) == set()


def test_looking_up_the_texts_that_a_part_asks_with_loads_none_either():
    """`check.languages` reads every part's `asks` as the rules are read."""
    rooms = sorted(path.parent.name for path in (LIBRARY / "veridical").glob("*/asks.py"))
    assert len(rooms) > 8
    assert loaded(*(f"import veridical.{room}.asks" for room in rooms)) == set()


def test_a_heavy_library_would_be_noticed():
    assert "pandas" in loaded("import veridical.base.tables")


def test_what_is_asked_of_each_stage_as_the_rules_are_read_loads_none_either(tmp_path):
    lines = [
        "from veridical.freeze.evidence import is_vouched",
        "from veridical.freeze.sealing import log_digest, times_digest",
        "[(is_vouched('none', stage), log_digest('none'), times_digest('none'))"
        " for stage in ('design', 'responses')]",
    ]
    assert loaded(*lines) == set()
