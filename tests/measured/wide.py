"""How a wide study is planned: many models, many corpora, dry-run and never asked.

    python tests/measured/wide.py [models corpora] ...

Lays out a copy of the project with so many corpora (corpus B under other names) and a config in
which every model answers Control 3 on every corpus, and the other parts on one. Printed for each:
jobs, jobs that ask a model, files, processor seconds and memory of the plan, and how many calls
the study makes, by `snakemake estimate`'s own reckoning.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("Snakefile", "workflow", "config", "data", "profiles", "envs", "uv.lock", "LICENSE")
CALLS = """
from pathlib import Path
from veridical.base.checks import corpora_named
from veridical.base.config import configure
from veridical.corpora.corpus import read_corpus
from veridical.ledger.costs import estimates
config = configure(["wide.yaml"])
read = {name: read_corpus(Path("data/corpora", name)) for name in corpora_named(config)}
places = Path("results/wide"), Path("data/ledger/wide"), Path("data/prices.csv")
print(sum(each.calls for _, each in estimates(config, read, *places)))
"""


def lay_out(folder: Path, corpora: int) -> list[str]:
    """A copy of the project with so many corpora; their names."""
    skip = shutil.ignore_patterns("__pycache__", "ledger", "freeze", "models", "memories", "*.gguf")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=skip if name == "data" else None)
        elif source.is_file():
            shutil.copy(source, folder / name)
    shutil.copytree(ROOT / "workflow/veridical/models", folder / "workflow/veridical/models",
                    dirs_exist_ok=True)  # fmt: skip
    names = [f"W{number:03}" for number in range(corpora)]
    for name in names:
        shutil.copytree(ROOT / "data/corpora/B", folder / "data/corpora" / name)
    return names


def config(models: int, corpora: list[str]) -> dict[str, Any]:
    """Every model on every corpus in Control 3; the age score and Control 2 on one."""
    named = [f"m{number:03}" for number in range(models)]
    return {
        "study": "wide",
        "seed": 7,
        "models": {
            name: {"provider": "scripted", "model": name, "structured": "grammar"} for name in named
        },
        "documents": {"author": named[0], "author_form": "entries"},
        "control1": {"corpora": corpora[:1], "responders": named[:1], "judges": named[:3]},
        "control2": {"corpus": corpora[0], "responders": named},
        "control3": {"corpora": corpora, "responders": named},
        "aas": {"models": named},
        "claims": {"studies": 2},
    }


def snakemake(folder: Path, *words: str) -> tuple[str, float, float]:
    """Run the engine; what it said, its processor seconds, and the most memory of any, in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *words, "--configfile", "wide.yaml"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "workflow")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(done.stdout[-3000:])
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, spent, after.ru_maxrss / 1024


def jobs_in(said: str) -> Counter[str]:
    """The table of jobs of a dry run."""
    rows = re.findall(r"^(\w+) +(\d+)$", said, re.MULTILINE)
    return Counter({rule: int(number) for rule, number in rows if rule != "total"})


def main(models: int, corpora: int) -> None:
    """Plan one study and print what it took."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("VERIDICAL_SCRATCH")) as place:
        folder = Path(place)
        names = lay_out(folder, corpora)
        (folder / "wide.yaml").write_text(yaml.safe_dump(config(models, names)), "utf-8")
        said, spent, memory = snakemake(folder, "-n", "--quiet", "rules", "--cores", "2")
        told = subprocess.run(
            [sys.executable, "-c", CALLS],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(folder / "workflow")},
            stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    jobs = jobs_in(said)
    asking = sum(n for rule, n in jobs.items() if rule.startswith(("collect_", "ask_")))
    print(f"{models} models, {corpora} corpora: {sum(jobs.values()):,} jobs, {asking:,} that ask")
    print(f"  {int(told.stdout):,} calls; planned in {spent:.0f} s of processor, {memory:,.0f} MB")
    print("  " + ", ".join(f"{rule} {n:,}" for rule, n in jobs.most_common(6)), flush=True)


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:])) or [5, 5, 20, 10, 50, 25, 100, 50]
    for pair in zip(given[::2], given[1::2], strict=True):
        main(*pair)
