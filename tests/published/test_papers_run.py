"""Each paper's config, run whole against a server that answers as the paper's models did.

What a source prints as counts, or as what follows from counts, comes out of the pipeline's own
tables, through prompts, wire, ledger, reading and analysis. Judges' scores, which no source prints,
are drawn; nothing is asserted of them but that they are complete.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from conftest import copy_project
from support.papers import (
    B_COUNTS,
    PUBLISHED,
    ROOT,
    Kairos,
    Mirror,
    PaperServer,
    ageing,
    printed,
    published_name,
)
from veridical.published.check import agree

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
PATHS = {"openai": "/v1", "anthropic": "", "google": "", "ollama": ""}


def run_paper(folder: Path, name: str, play, change=None, targets=()) -> Path:
    """A paper's config, its models served from here, run in a copy of the project."""
    copy_project(folder)
    config = yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    config["claims"] = {"studies": 2}
    if change:
        change(config, folder)
    with PaperServer(folder, play) as server:
        for entry in config["models"].values():
            entry["base_url"] = server.url + PATHS[entry["provider"]]
        path = folder / "config/paper.yaml"
        path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *targets]
        keys = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
        run = subprocess.run(
            [*command, "--configfile", "config/paper.yaml"],
            cwd=folder,
            env={
                **os.environ,
                **dict.fromkeys(keys, "none-needed-here"),
                "PYTHONPATH": str(folder / "workflow"),
                "XDG_CACHE_HOME": str(folder / ".cache"),
            },
            capture_output=True,
            text=True,
            timeout=1700,
        )
    assert run.returncode == 0, run.stderr[-4000:]
    return folder / f"results/{name}"


@pytest.fixture(scope="module")
def kairos(tmp_path_factory) -> Path:
    return run_paper(tmp_path_factory.mktemp("kairos"), "kairos", Kairos())


@pytest.fixture(scope="module")
def served() -> dict[str, str]:
    """The name under which the source prints each model of the config."""
    config = yaml.safe_load((ROOT / "config/kairos.yaml").read_text(encoding="utf-8"))
    names = printed("kairos_control2.csv")
    panel = config["control3"]["responders"]
    return {key: published_name(config["models"][key]["model"], names) for key in panel}


def test_control_1_has_its_42_responses_and_126_verdicts_none_incomplete(kairos):
    responses = pd.read_csv(kairos / "control1/responses.csv")
    assert responses["condition"].isin(["foreign", "shuffled"]).sum() == 42
    verdicts = pd.read_csv(kairos / "control1/verdicts.csv")
    assert set(verdicts["state"]) == {"complete"}
    sheets = verdicts[verdicts["session"] == "counterfeit"]
    assert len(sheets.drop_duplicates(["judge", "sheet_id"])) == 126


def test_control_2_prints_what_its_source_prints(kairos, served):
    table = pd.read_csv(kairos / "control2/validity.csv").set_index(["model", "condition"])
    for key, name in served.items():
        row = printed("kairos_control2.csv")[name]
        for condition in ("veridical", "counterfeit", "none"):
            found = table.loc[key, condition]
            assert found["n"] == 24
            assert found["correct"] == int(row[f"{condition}_correct"])
            assert agree(row[f"{condition}_percent"], 100 * found["accuracy"])
        none = table.loc[key, "none"]
        assert agree(row["wilson_low"], 100 * none["wilson_low"])
        assert agree(row["wilson_high"], 100 * none["wilson_high"])
        assert none["valid"] == (row["valid"] == "yes")


def test_control_3_prints_what_its_source_prints_of_corpus_a(kairos, served):
    cells = pd.read_csv(kairos / "control3/cells.csv").set_index(["corpus", "model"])
    for key, name in served.items():
        row, cell = printed("kairos_control3_a.csv")[name], cells.loc["A", key]
        assert (cell["b"], cell["c"]) == (int(row["b"]), int(row["c"]))
        assert agree(row["veridical_percent"], 100 * cell["veridical_accuracy"])
        assert agree(row["corrupted_percent"], 100 * cell["corrupted_accuracy"])
        assert agree(row["delta"], 100 * cell["delta"])
        assert agree(row["pro_veridical"], 100 * cell["discordant_share"])
        if row["p_holm"].startswith("<"):
            assert cell["p_holm"] < float(row["p_holm"][1:])
        else:
            assert agree(row["p_holm"], cell["p_holm"])
        assert cell["survives"]


def test_control_3_keeps_within_what_its_source_prints_of_corpus_b(kairos, served):
    cells = pd.read_csv(kairos / "control3/cells.csv").set_index(["corpus", "model"])
    own = cells.loc["B"]
    ends = pd.read_csv(PUBLISHED / "kairos_control3_b.csv", dtype=str).set_index("quantity")
    for column in ("veridical", "binding-corrupted"):
        shares = 100 * own[f"{column.removeprefix('binding-')}_accuracy"]
        assert agree(ends.loc[f"lowest {column} accuracy", "value"], shares.min())
        assert agree(ends.loc[f"highest {column} accuracy", "value"], shares.max())
    assert agree(ends.loc["worst p", "value"], own["p_exact"].max())
    assert own["survives"].all()
    assert len(own) == len(B_COUNTS)
    assert cells["valid"].all()  # without a document no model beats chance


def test_the_age_score_prints_what_its_source_prints(tmp_path):
    found = run_paper(tmp_path, "aas", ageing)
    said = pd.read_csv(PUBLISHED / "aas.csv", dtype=str).set_index("quantity")["value"]
    table = pd.read_csv(found / "aas/summary.csv")
    shown = table[table["registered"] & (table["redundancy"] == "zero")].set_index("phase")
    assert agree(said["phase1_mean"], shown.loc["stateless", "mean_aas"])
    assert agree(said["phase2_mean"], shown.loc["persistent", "mean_aas"])
    assert set(shown["n_sessions"]) == {int(said["sessions"])}
    answers = pd.read_csv(found / "aas/sessions.csv")
    alone = answers[answers["phase"] == "stateless"]
    right = alone.groupby("task")["x"].sum()
    assert right["episodic"] == int(said["episodic_right"])
    assert right["semantic"] == int(said["semantic_right"])


def test_vpe_prints_the_rises_that_its_source_prints(tmp_path):
    """GSM8K's own file is not at hand here: the demonstration's thirty problems stand in for it."""

    def change(config, folder):
        del config["vpe"]["problems_sha256"]
        config["vpe"]["problems"] = "data/problems/arithmetic.jsonl"
        config["vpe"]["resamples"] = 200

    few = [8] * 12 + [0] * 18  # 96 rollouts right, 12 problems solved
    many = [12] * 19 + [11] * 2 + [0] * 9  # 154 rollouts and nine problems more
    assert sum(many) - sum(few) == 154
    solved = {("qwen2.5:1.5b-instruct", 96): few, ("qwen2.5:1.5b-instruct", 160): many}
    for model in ("qwen2.5:0.5b-instruct", "qwen2.5:3b-instruct"):
        solved |= {(model, horizon): few for horizon in (96, 160)}
    found = run_paper(tmp_path, "mirror", Mirror(solved), change)
    table = pd.read_csv(found / "vpe/summary.csv").set_index(["model", "horizon"])
    said = pd.read_csv(PUBLISHED / "vpe.csv", dtype=str).set_index("measure")["difference"]
    late, early = table.loc["qwen2.5-1.5b", 160], table.loc["qwen2.5-1.5b", 96]
    for measure in ("verified_probability", "pass_at_32", "zero_verified"):
        column = next(name for name in table.columns if name.startswith(measure))
        assert agree(said[measure], late[column] - early[column]), measure
