"""The age score on the page: the sentences that the tables give."""

import pandas as pd
from support.fixture_scores import age_tables
from support.fixture_study import read
from veridical.aas.drill import drill
from veridical.aas.findings import find
from veridical.aas.page import method
from veridical.report.wording import Wording, plain

EN = Wording.read("en").of("aas")


def test_the_age_score_is_worded_by_what_the_thread_did():
    summary = age_tables()["aas/summary"]
    assert "for every model" in find(summary, EN).answer
    # gpt-4.1 forgets nothing in one thread; 19 of 20 lost without: 19/20 · log2((1 + ε)/ε) = 18.9
    assert "averages 18.9" in find(summary, EN).answer
    flat = summary.assign(mean_aas=5.0)
    assert "is not lower in one thread for any model" in find(flat, EN).answer
    lost = summary.copy()
    gone = (lost["model"] == lost["model"].iloc[0]) & (lost["phase"] == "persistent")
    lost.loc[gone, "mean_aas"] = None
    assert f"No score in both phases: {lost['model'].iloc[0]}." in find(lost, EN).answer


def test_a_language_that_no_answer_tells_is_a_dash(study_root):
    study = read(study_root)
    sessions = study.tables["aas/sessions"]
    for missing in (pd.NA, None, float("nan")):
        kept = pd.Series([True, False, missing] * len(sessions), dtype=object)[: len(sessions)]
        study.tables["aas/sessions"] = sessions.assign(language_kept=kept.to_numpy())
        assert list(drill(study, EN).rows["language_kept"][:3]) == ["yes", "no", "–"]
    kept = pd.array([True, False, pd.NA] * len(sessions), dtype="boolean")[: len(sessions)]
    study.tables["aas/sessions"] = sessions.assign(language_kept=kept)
    assert list(drill(study, EN).rows["language_kept"][:3]) == ["yes", "no", "–"]


def test_the_method_takes_its_numbers_from_the_data(study_root):
    text = plain(" ".join(method(read(study_root), EN)))
    assert "10⁻⁶" in text
