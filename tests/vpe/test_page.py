"""Path entropy on the page: the sentences that the tables give."""

import numpy as np
from support.fixture_scores import path_tables
from support.fixture_study import read
from veridical.report.part import views
from veridical.report.wording import Wording
from veridical.vpe.findings import find
from veridical.vpe.page import PART, brief

EN = Wording.read("en").of("vpe")


def test_paths_are_worded_by_what_the_table_of_leads_says():
    tables = path_tables(np.random.default_rng(1))
    summary, leads = tables["vpe/summary"], tables["vpe/leads"]
    lead = leads[leads["horizon"] == 160].iloc[0]

    def found(word):
        return find(summary, leads.assign(finding=word), EN)

    assert lead["leader"] == "gpt-4.1"
    assert found("apart").answer.startswith(
        "At 160 tokens gpt-4.1 has the highest estimate of verified ways kept open"
    )
    assert found("apart").sure == "limited"
    for word, key in (
        ("apart", "apart"),
        ("not settled", "overlap"),
        ("too few problems", "few"),
        ("no bound", "no_bound"),
    ):
        assert [said.key for said in found(word).limits] == [key, "rests"]
        assert (found(word).sure == "limited") == (word == "apart")
    assert found("alone").answer.key == "best"
    assert find(summary.assign(verified_probability=0.0), leads, EN).answer.key == "nothing"


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
