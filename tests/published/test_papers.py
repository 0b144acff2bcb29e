"""The papers' configs hold the design that the sources print, and say what is chosen."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml
from veridical.base.config import ConfigError, check_config, parts_on, unsaid

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "data/published"


def config(name: str) -> dict:
    return yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def printed(table: str) -> dict[str, str]:
    rows = pd.read_csv(PUBLISHED / table, dtype=str, keep_default_na=False)
    return rows.set_index(rows.columns[0])[rows.columns[1]].to_dict()


def test_kairos_has_the_sizes_that_its_source_prints():
    study = check_config(config("kairos"))
    assert parts_on(study) == ["control1", "control2", "control3"]
    rows = pd.read_csv(PUBLISHED / "kairos_design.csv", dtype=str).set_index("quantity")["factors"]
    counterfeits = len(study["documents"]["foreign_seeds"] + study["documents"]["shuffled_seeds"])
    assert rows["control 1: responses"] == f"7*{counterfeits}"
    assert rows["control 1: verdicts"] == f"42*{len(study['control1']['judges'])}"
    cells = f"{len(study['control3']['responders'])}*{len(study['control3']['corpora'])}"
    assert rows["control 3: cells"] == cells
    names = {entry["model"] for entry in study["models"].values()}
    panel = pd.read_csv(PUBLISHED / "kairos_control2.csv")["model"]
    for model in panel:
        assert any(name == model or name.startswith(f"{model}-20") for name in names), model
    assert study["control2"]["probes"] == study["control3"]["probes"] == 24
    assert (study["control1"]["equivalence_bound"], study["control1"]["registered"]) == (
        0.10,
        "unanchored",
    )


def test_no_other_config_registers_the_unanchored_reading_by_default():
    alone = config("kairos")
    del alone["control1"]["registered"]
    assert check_config(alone)["control1"]["registered"] == "anchored"


def test_aas_has_the_days_and_sessions_that_its_source_prints():
    part, said = check_config(config("aas"))["aas"], printed("aas.csv")
    assert part["sessions"] == int(said["sessions"]) == len(part["dates"])
    assert [part["dates"][0], part["dates"][-1]] == [said["first_day"], said["last_day"]]
    first, last = pd.to_datetime([part["dates"][0], part["dates"][-1]])
    assert (last - first).days + 1 == int(said["days"])
    assert part["epsilon"] == 1e-6


def test_mirror_has_the_sizes_that_its_source_prints(tmp_path, monkeypatch):
    own = config("mirror")
    rows = pd.read_csv(PUBLISHED / "vpe.csv")
    part = own["vpe"]
    assert {tuple(part["horizons"])} == set(
        zip(rows["from_horizon"], rows["to_horizon"], strict=True)
    )
    assert {part["n_problems"]} == set(rows["problems"])
    assert {part["rollouts"]} == set(rows["rollouts"])
    assert (part["sampling"]["temperature"], part["sampling"]["top_p"]) == (0.8, 0.95)


def test_mirror_takes_no_other_file_for_gsm8k(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data/problems").mkdir(parents=True)
    own = yaml.safe_load((ROOT / "config/mirror.yaml").read_text("utf-8"))
    with pytest.raises(
        ConfigError, match=r"vpe/problems: no file 'data/problems/gsm8k_test\.jsonl'"
    ):
        check_config(own)
    shutil.copy(ROOT / "data/problems/arithmetic.jsonl", own["vpe"]["problems"])
    with pytest.raises(ConfigError, match=r"has the SHA-256 [0-9a-f]{64}, not 3730d312f6"):
        check_config(own)


@pytest.mark.parametrize("name", ["kairos", "aas", "mirror"])
def test_a_paper_leaves_no_design_value_to_the_defaults(name):
    """What it doesn't say decides no result: the language of the page, where weights lie."""
    running = {"language", "collect", "models_folder"}
    parts = tuple(config(name).keys() - {"study", "seed", "models", "title"})
    left = [key for key in unsaid([ROOT / f"config/{name}.yaml"]) if key.startswith(parts)]
    none = {"documents/further_attempts", "documents/own", "control1/wording"}  # empty by default
    none |= {"documents/partial_doses", "documents/partial_seeds", "documents/stale"}
    lives = {"control3/stale"}  # of facts that change, which no corpus of a paper has
    assert set(left) - running <= {*none, *lives, "aas/start"}


@pytest.mark.parametrize("name", ["kairos", "aas", "mirror"])
def test_what_is_chosen_is_marked(name):
    """The values that `data/published` doesn't hold and the notes call chosen."""
    lines = (ROOT / f"config/{name}.yaml").read_text(encoding="utf-8").splitlines()
    chosen = {
        re.match(r"\s*(\w+):", line)[1]
        for line in lines
        if re.match(r"\s*\w+:", line) and "chosen" in line.partition("#")[2]
    }
    wanted = {
        "kairos": {"author", "author_form", "response", "verdict", "validity", "seed"},
        "aas": {"epsilon", "weights", "normalise", "date_in", "dates"},
        "mirror": {"modes", "smoothing", "resamples", "seed", "problems_sha256"},
    }
    assert wanted[name] <= chosen
