"""Path entropy on the page: the sentences that the tables give."""

import numpy as np
import pandas as pd
from support.fixture_scores import path_tables
from support.fixture_study import read
from veridical.report.part import views
from veridical.report.wording import Wording
from veridical.vpe.findings import find
from veridical.vpe.page import PART, brief

EN = Wording.read("en").of("vpe")


def test_paths_are_worded_by_what_they_did():
    paths = path_tables(np.random.default_rng(1))["vpe/summary"]
    top = paths[paths["horizon"] == 160].sort_values("smoothed_vpe", ascending=False)
    best, second = top["model"].iloc[0], top["model"].iloc[1]

    def found(low, high, first=second, last=best):
        ends = {"measure": "smoothed_vpe", "horizon": 160, "low": low, "high": high}
        pair = {"contrast": "models", "first": first, "second": last, "preset": "published"}
        return find(paths, EN, pd.DataFrame([pair | ends]))

    assert found(0.1, 0.4).answer.startswith(
        "At 160 tokens gpt-4.1 keeps the most verified ways open"
    )
    assert found(0.1, 0.4).sure == "limited"
    assert "[+0.10, +0.40]" in found(0.1, 0.4).limits[0]
    assert "[+0.10, +0.40]" in found(-0.4, -0.1, first=best, last=second).limits[0]
    assert found(-0.1, 0.4).sure == "open"
    assert "may be nothing ([−0.10, +0.40] nats)" in found(-0.1, 0.4).limits[0]
    assert "has no interval" in find(paths, EN).limits[0]
    assert find(paths.assign(verified_probability=0.0), EN).answer.startswith("No rollout")


def shown(table, row=0):
    """A row of a table of the page by its headings."""
    return dict(zip([column.label for column in table.columns], table.rows[row][1], strict=True))


def test_pass_at_k_stands_at_its_largest_k_and_in_full_at_all(study_root):
    study = read(study_root)
    summary, passes = study.tables["vpe/summary"], study.tables["vpe/pass_at_k"]
    for k in (32, 16):
        study.tables["vpe/summary"] = summary.drop(columns=["pass_at_32"]) if k < 32 else summary
        study.tables["vpe/pass_at_k"] = passes[passes["k"] <= k]
        short, full = shown(brief(study, EN)), shown(next(views(PART, study, EN)))
        assert [label for label in short if "pass" in label] == [f"pass@{k}"]
        assert short[f"pass@{k}"] == full[f"pass@{k}"]
        assert full["pass@1"] == full["Verified"]  # one rollout: right or not
