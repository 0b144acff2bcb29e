"""Pandas out of sight while the engine plans: who asks finds none, and a table brings it back."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from support.parts_study import CHAIN, WORDS, lay_out, seal_stages
from veridical.base.unseen import hide_pandas, show_pandas
from veridical.freeze.deviations import add_deviation
from veridical.freeze.sealing import FreezeError, seal

ROOT = Path(__file__).parents[2]


def said(code: str, folder: Path = ROOT) -> str:
    """What a process of its own prints, in which nothing is loaded yet."""
    ahead = f"import sys; sys.path.insert(0, {str(ROOT / 'workflow')!r})\n"
    command = [sys.executable, "-c", ahead + code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_hidden_there_is_none_and_shown_there_is():
    told = said(
        "import importlib.util\n"
        "from veridical.base.unseen import hide_pandas, show_pandas\n"
        "hide_pandas(); print(importlib.util.find_spec('pandas'))\n"
        "show_pandas(); print(importlib.util.find_spec('pandas').name)\n"
        "show_pandas(); import pandas; print(pandas.Series([1, 2]).sum())\n"
    )
    assert told.split() == ["None", "pandas", "3"]


def test_what_is_loaded_already_stays():
    import pandas

    hide_pandas()
    show_pandas()
    assert sys.modules["pandas"] is pandas
    assert importlib.util.find_spec("pandas") is not None


def test_a_log_of_deviations_is_read_while_it_is_hidden(tmp_path, monkeypatch):
    """The engine asks of each seal whether it is vouched for, which reads the log."""
    monkeypatch.chdir(lay_out(tmp_path))
    seal_stages()
    Path(CHAIN["vpe-results"][0]).write_text("another\n", encoding="utf-8")
    with pytest.raises(FreezeError):
        seal("demo", "vpe-results", CHAIN["vpe-results"])
    add_deviation("demo", "vpe-results", **WORDS)
    told = said(
        "from veridical.base.unseen import hide_pandas\n"
        "from veridical.freeze.evidence import log_entries\n"
        "hide_pandas(); print([row['stage'] for row in log_entries('demo')])\n",
        tmp_path,
    )
    assert told.strip() == "['vpe-results']"


PLANS = {
    "the whole": ("all",),
    "an archive": ("archive",),
    "a benchmark": ("lint", "--config", "benchmark=data/benchmarks/quay.jsonl"),
    "memory systems": ("all", "--configfile", "config/memories.yaml"),
}


@pytest.mark.parametrize("target", PLANS.values(), ids=PLANS.keys())
def test_every_kind_of_target_is_planned_without_it(target):
    """Where planning itself reads a table, it says so before."""
    name, *more = target
    command = [sys.executable, "-m", "snakemake", "-n", "-q", "all", *more, "--", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
