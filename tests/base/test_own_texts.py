"""What goes into every archive holds nothing that an archive refuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

from veridical.archive.privacy import report, scan

ROOT = Path(__file__).parents[2]
PACKED = ("config", "data", "envs", "profiles", "workflow")


def test_the_projects_own_files_can_be_published():
    listed = subprocess.run(
        ["git", "ls-files", "-z", *PACKED], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    found = scan({name: ROOT / name for name in listed if name and (ROOT / name).is_file()})
    assert found == [], report(found, "config/privacy-allowed.csv")
