"""A part that nobody knew yet: its own folder and files, and a line or section in three others."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

FILES = {
    "workflow/veridical/tides/__init__.py": '"""How often the tide turned: a part of a test."""\n',
    "workflow/veridical/tides/tables.py": '''"""The table of the tides."""

from veridical.base.contract import Contract, text, whole

TURNS = Contract(
    "tides/turns",
    "How often the tide turned in every harbour.",
    text("harbour", "where"),
    whole("turns", "how often", unit="turns"),
    key=("harbour",),
)
''',
    "workflow/veridical/tides/page.py": '''"""The tides on the page."""

from veridical.report.finding import Finding
from veridical.report.part import Part, View
from veridical.report.tabulate import tabulate
from veridical.tides.tables import TURNS


def find(study, words):
    """How often it turned."""
    return Finding(words("findings.turned", n=int(study[TURNS]["turns"].sum())), "descriptive")


PART = Part(
    key="tides",
    contracts=(TURNS,),
    essential=TURNS,
    find=find,
    method=lambda study, words: [words("method", harbours=len(study[TURNS]))],
    brief=lambda study, words: tabulate(study[TURNS], TURNS.shown(), words, "brief"),
    tables=(View(TURNS),),
)
''',
    "workflow/scripts/tides/count_turns.py": '''"""Count the turns of the tide."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.tides.tables import TURNS


def main(turns: Path, *, harbours: dict) -> None:
    """One row a harbour."""
    write_table(pd.DataFrame(list(harbours.items()), columns=TURNS.names), turns, TURNS)


if __name__ == "__main__":
    run(main, snakemake)
''',
    "workflow/rules/tides.smk": '''# Reads: the config\'s `tides`.
# Writes: results/{study}/tides/turns.csv.


rule count_turns:
    """How often the tide turned."""
    output:
        turns="results/{study}/tides/turns.csv",
    params:
        harbours=config["tides"]["harbours"],
        code=code_of("tides/count_turns.py"),
    script:
        "../scripts/tides/count_turns.py"


RESULTS["tides"] += [f"results/{STUDY}/tides/turns.csv"]
''',
    "workflow/schemas/config/tides.yaml": """description: The tides.
x-part: 99
type: object
additionalProperties: false
required: [harbours]
properties:
  harbours: { type: object, description: How often the tide turned in each. }
""",
}
SECTION = """  tides:
    name: {name}
    question: "How often did the tide turn?"
    adversary: "The moon."
    method: "Counted in {{harbours}} harbours."
    not_established: ["Why."]
    drill_text: "Nothing to open."
    figure_text: "{{sentences}}"
    tables: {{brief: turns, turns: turns}}
    columns: {{harbour: Harbour, turns: Turns}}
    findings: {{turned: "it turned {{n}} times."}}
"""
CONFIG = {
    "study": "tides",
    "seed": 1,
    "models": {"any": {"provider": "scripted", "model": "any"}},
    "tides": {"harbours": {"01": 3, "1e5": 4}},
}


def hashes(root: Path) -> dict[str, str]:
    """Every file of the project by its content."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture
def with_part(project):
    """A copy of the project with the part added, and what was there before."""
    before = hashes(project)
    for name, text in FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    parts = project / "workflow/veridical/parts.py"
    text = parts.read_text(encoding="utf-8")
    line = "from veridical.tides.page import PART as TIDES\nfrom veridical.vpe.page"
    text = text.replace("from veridical.vpe.page", line).replace("AAS, VPE", "AAS, VPE, TIDES")
    parts.write_text(text, encoding="utf-8")
    for language in ("en", "it"):
        path = project / f"workflow/report/text.{language}.yaml"
        text = path.read_text(encoding="utf-8")
        section = SECTION.format(name="Tides" if language == "en" else "Maree")
        path.write_text(text.replace("\nvalues:\n", f"\n{section}\nvalues:\n"), encoding="utf-8")
    return project, before


def test_a_new_part_touches_few_shared_files_and_is_on_the_page(with_part):
    project, before = with_part
    changed = {name for name, value in hashes(project).items() if before.get(name, value) != value}
    assert changed == {
        "workflow/veridical/parts.py",
        "workflow/report/text.en.yaml",
        "workflow/report/text.it.yaml",
    }
    (project / "tides.yaml").write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "tides.yaml"],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    page = (project / "results/tides/report/index.html").read_text(encoding="utf-8")
    assert '<section id="tides"' in page
    assert "It turned 7 times." in page
    assert ">01<" in page  # a harbour's name stays a name
    assert '<section id="control1"' not in page
    codebook = (project / "results/tides/codebook.csv").read_text(encoding="utf-8")
    assert "tides/turns,turns,int,0..,turns,,false,false,how often" in codebook
    sealed = (project / "data/freeze/tides/results.json").read_text(encoding="utf-8")
    assert "results/tides/codebook.csv" in sealed
