"""What CONTRIBUTING.md tells to do, done to the letter in a copy of the project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def steps(heading: str) -> dict[str, str]:
    """The files that a section shows, by the path in their first line."""
    section = GUIDE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```\w*\n# (\S+)\n(.*?)```", section, re.DOTALL)
    assert blocks, f"CONTRIBUTING.md shows no file under {heading!r}"
    return dict(blocks)


def follow(project: Path, heading: str) -> None:
    """Write each file as shown; a text that is there already gets the line added."""
    for name, text in steps(heading).items():
        path = project / name
        if path.suffix == ".txt":
            text = path.read_text(encoding="utf-8") + text
        path.write_text(text, encoding="utf-8")


def snakemake(project: Path, *words: str) -> str:
    """Run the workflow in the copy; all that it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *words],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "workflow")},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_provider_is_one_file_and_one_entry(project):
    follow(project, "Add a provider")
    answers = "results/parrot/control3/answers.csv"
    snakemake(project, answers, "--configfile", "config/parrot.yaml")
    # It repeats the last word of the question, in capitals, which is no partner's name as written.
    said = pd.read_json(project / "results/parrot/control3/replies/A-none/loud.jsonl", lines=True)[
        "text"
    ]
    assert (said == said.str.upper()).all()
    assert len(pd.read_csv(project / answers)) == 4 * 3  # probes, documents


def test_a_metric_is_one_line_and_its_name(project):
    follow(project, "Add a metric")
    verdicts = "results/humour/control1/verdicts.csv"
    snakemake(project, verdicts, "--configfile", "config/humour.yaml")
    assert set(pd.read_csv(project / verdicts)["metric"]) == {"humour"}
    sheets = (project / "results/humour/control1/sheets/any.jsonl").read_text(encoding="utf-8")
    assert "the answer is meant to amuse" in sheets


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:workflow|tests|config|veridical)/[\w./]+)`", GUIDE)))
)
def test_every_path_that_it_names_is_there(path):
    found = ROOT / ("workflow/" + path if path.startswith("veridical/") else path)
    assert found.exists()
