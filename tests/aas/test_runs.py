"""Several runs of the same sessions: asked anew, scored apart, and an interval that covers."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from scipy.stats import t as student
from support.fixture_scores import age_tables
from support.fixture_study import read
from veridical.aas.asks import asks
from veridical.aas.drill import drill
from veridical.aas.findings import find
from veridical.aas.page import PART, method
from veridical.aas.protocol import PHASES, phase_prompts, plan_sessions, session_count
from veridical.aas.runs import interval_over_runs
from veridical.aas.score import AgeReading
from veridical.aas.sessions import (
    answers_from_replies,
    gather,
    read_sessions,
    score_by_session,
    score_sessions,
)
from veridical.aas.summary import summarise_phases
from veridical.aas.tables import BY_SESSION, SESSIONS, SUMMARY
from veridical.base.config import check_config
from veridical.base.tables import read_table, write_table
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.conversation import converse
from veridical.models.exchange import Model, Raw, Reply
from veridical.models.prompts import read_prompts, write_prompts
from veridical.report.wording import Wording

EN, IT = (Wording.read(language).of("aas") for language in ("en", "it"))
PLAN = plan_sessions(3, "2025-08-11", ["en", "tr"])
READING = AgeReading("registered", 1e-6, {"semantic": 1.0, "episodic": 1.0})
MISS = np.log2((1 + 1e-6) / 1e-6)  # bits of one answer that was not right


def keys(prompts, model=Model("m", "scripted", "m")) -> list[str]:  # noqa: B008
    """The ledger's keys of a phase, each reply the same word."""
    found = []
    for prompt in prompts:
        talk = converse(prompt, 0, model)
        call = next(talk)[1]
        while True:
            found.append(call.key)
            try:
                call = talk.send(Reply("ok", "1", None, Raw("1")))[1]
            except StopIteration:
                break
    return found


# --- what is asked


@pytest.mark.parametrize("phase", PHASES)
def test_the_first_run_is_that_of_a_study_of_one_and_no_run_repeats_a_key(phase):
    one, three = phase_prompts(phase, PLAN), phase_prompts(phase, PLAN, runs=3)
    assert keys(three)[:6] == keys(one)
    assert len(set(keys(three))) == 3 * 6
    assert [p.id for p in three[: len(one)]] == [p.id for p in one]
    assert len({p.id for p in three}) == len(three)


def test_both_phases_of_all_runs_are_asked_apart():
    every = [key for phase in PHASES for key in keys(phase_prompts(phase, PLAN, runs=4))]
    assert len(set(every)) == 3 * 4 * 6


def test_one_run_tells_of_no_run_and_several_tell_which(tmp_path):
    assert all("run" not in prompt.facts for prompt in phase_prompts("stateless", PLAN))
    prompts = phase_prompts("persistent", PLAN, runs=2)
    assert [prompt.facts["run"] for prompt in prompts] == [1, 2]
    assert [(prompt.take, prompt.run) for prompt in prompts] == [(1, 0), (1, 1)]
    write_prompts(tmp_path / "p.jsonl", prompts)
    assert read_prompts(tmp_path / "p.jsonl") == prompts
    call = next(converse(prompts[1], 0, Model("m", "scripted", "m")))[1]
    assert call.about == {"phase": "persistent", "session": 1, "run": 2}


def test_sessions_are_lived_run_by_run_in_the_order_of_their_days():
    facts = [
        (p.facts["run"], p.turns[0].facts["session"])
        for p in phase_prompts("stateless", PLAN, runs=2)
    ]
    assert facts == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]


def test_ninety_nine_runs_leave_seeds_that_a_runtime_takes():
    last = phase_prompts("persistent", PLAN, runs=99)[-1]
    sample = next(converse(last, 0, Model("m", "scripted", "m")))[1].sample
    assert sample < 2**31


@pytest.mark.parametrize("runs", [0, -1])
def test_no_run_at_all_is_refused(runs):
    with pytest.raises(ValueError, match=rf"aas.runs is {runs}: at least one"):
        phase_prompts("stateless", PLAN, runs=runs)


@pytest.mark.parametrize(
    ("part", "calls"),
    [
        ({"runs": 3}, 3 * 80),  # 20 sessions, 2 phases, 2 tasks
        ({"sessions": 5, "runs": 2}, 40),
        ({"dates": ["2024-08-10", "2024-08-13", "2024-09-03"]}, 12),
    ],
)
def test_runs_and_dates_are_counted_before_anything_is_paid(part, calls):
    models = {"m": {"provider": "scripted", "model": "m"}}
    config = {"study": "s", "seed": 1, "models": models, "aas": {"models": ["m"], **part}}
    assert [ask.calls for ask in asks(check_config(config), {})] == [calls]


@pytest.mark.parametrize("runs", [0, 100, 1.5, "two"])
def test_a_number_of_runs_that_cannot_be_is_refused(runs):
    models = {"m": {"provider": "scripted", "model": "m"}}
    config = {"study": "s", "seed": 1, "models": models, "aas": {"models": ["m"], "runs": runs}}
    with pytest.raises(Exception, match="aas/runs"):
        check_config(config)


def test_a_list_of_dates_is_enough():
    days = ["2024-08-10", "2024-08-13", "2024-09-03"]
    plan = plan_sessions(None, "2025-08-11", ["en"], days)
    assert [session.day.isoformat() for session in plan] == days
    assert len(plan_sessions(None, "2025-08-11", ["en"])) == 20
    assert session_count(4, days) == 4  # and is refused where the sessions are planned
    with pytest.raises(ValueError, match="3 for 4 sessions"):
        plan_sessions(4, "2025-08-11", ["en"], days)


# --- what is scored


def lived(right: list[list[bool]], phase: str = "stateless", model: str = "m") -> pd.DataFrame:
    """Runs of sessions: the day is always known, the number in those that `right` says."""
    return pd.DataFrame(
        {"model": model, "phase": phase, "run": run, "session": n, "task": task, "language": "en"}
        | {"question": "?", "expected": expected, "state": "ok"}
        | {"answer": expected if task == "semantic" or good else "99"}
        for run, sessions in enumerate(right, start=1)
        for n, good in enumerate(sessions, start=1)
        for task, expected in (("semantic", "Monday"), ("episodic", str(n)))
    )


def summed(answers: pd.DataFrame, alarm: float | None = None) -> pd.DataFrame:
    scored = score_sessions(answers, 1e-6)
    table = summarise_phases(score_by_session(scored, [READING]), scored, alarm)
    return table[table.redundancy == "zero"]


def test_a_summary_of_runs_by_hand(tmp_path):
    """Runs that miss 0, 1 and 2 of 2: means 0, m / 2 and m; bound 2 m."""
    row = summed(lived([[True, True], [False, True], [False, False]]), alarm=10).iloc[0]
    assert (row.n_runs, row.n_sessions, row.n_alarms, row.first_alarm) == (3, 6, 3, 1)
    assert row.mean_aas == pytest.approx(MISS / 2)
    five = np.array([0, 0.5, 1, 0, 2]) * MISS  # the three, and 0 and the bound
    half = student.ppf(0.975, 2) * np.sqrt(((five - five.mean()) ** 2).sum() / 4 / 3)
    assert row.mean_low == max(0, five.mean() - half)
    assert row.mean_high == pytest.approx(min(2 * MISS, five.mean() + half))


def test_scores_that_are_all_the_same_do_not_spread():
    row = summed(lived([[False] * 7, [False] * 7])).iloc[0]
    assert (row.sd_aas, row.min_aas) == (0.0, row.max_aas)


def test_redundancy_begins_anew_with_every_run():
    """The same wrong word four times: alone in each run's first session, wholly redundant after."""
    scored = score_sessions(lived([[False, False], [False, False]]), 1e-6)
    assert scored[scored.task == "episodic"].R.tolist() == [0, 1, 0, 1]


def test_a_run_without_a_scored_session_is_no_observation():
    answers = lived([[True], [False], [False]])
    answers.loc[answers.run == 3, "answer"] = None
    row = summed(answers).iloc[0]
    assert (row.n_runs, row.n_sessions, row.n_missing) == (2, 2, 1)
    assert row.mean_aas == pytest.approx(MISS / 2)


def test_a_session_that_a_run_lacks_is_named_with_the_run():
    answers = lived([[True, True], [True, True]])
    gone = (answers.run == 2) & (answers.session == 1) & (answers.task == "episodic")
    with pytest.raises(ValueError, match="m, stateless, run 2: session 1 has no episodic answer"):
        score_sessions(answers[~gone], 1e-6)
    with pytest.raises(ValueError, match="run 1: session 1, semantic, occurs twice"):
        score_sessions(pd.concat([answers, answers.iloc[[0]]]), 1e-6)


def test_the_tables_keep_their_contracts_with_runs_and_without(tmp_path):
    for n, answers in enumerate((lived([[True], [False]]), lived([[True]]).drop(columns="run"))):
        scored = score_sessions(answers, 1e-6)
        by_session = score_by_session(scored, [READING])
        for table, contract in (
            (scored, SESSIONS),
            (by_session, BY_SESSION),
            (summarise_phases(by_session, scored), SUMMARY),
        ):
            path = tmp_path / f"{n}.csv"
            write_table(table, path, contract)
            assert ("run" in read_table(path, contract)) == (n == 0 and contract is not SUMMARY)


def test_runs_noted_by_hand_are_scored_beside_a_models_one_run(tmp_path):
    table = lived([[True], [False]], model="hand").drop(columns="state")
    table.to_csv(tmp_path / "own.csv", index=False)
    own = read_sessions(tmp_path / "own.csv")
    mine = lived([[True]]).drop(columns="run")
    both = gather([mine, own])
    assert both.groupby("model").run.unique().map(list).to_dict() == {"m": [1], "hand": [1, 2]}
    rows = summed(both).set_index("model")
    assert rows.loc["hand", "n_runs"] == 2
    assert np.isnan(rows.loc["m", "mean_low"])
    assert "run" not in gather([mine])


COUNTER = """
import json, pathlib, sys
asked = json.load(sys.stdin)
about, question = asked["about"], asked["messages"][-1]["content"]
book = pathlib.Path(sys.argv[1], f"{about['phase']}-{about.get('run', 1)}")
lived = int(book.read_text()) if book.exists() else 0
if "day" in question:
    book.write_text(str(lived + 1))
print(json.dumps({"text": "Monday" if "day" in question else str(lived)}))
"""


def test_an_agent_that_counts_is_told_the_run_and_begins_anew_in_it(tmp_path):
    (tmp_path / "agent.py").write_text(COUNTER, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "agent.py"), str(tmp_path)]
    agent = Model("a", "command", "a-1", structured="text", options={"command": command})
    prompts = phase_prompts("stateless", plan_sessions(2, "2025-08-11", ["en"]), runs=2)
    write_prompts(tmp_path / "in.jsonl", prompts)
    collect(tmp_path / "in.jsonl", agent, tmp_path / "l.sqlite", out=tmp_path / "out.jsonl")
    answers = answers_from_replies("a", prompts, read_replies(tmp_path / "out.jsonl"))
    numbers = answers[answers.task == "episodic"]
    assert list(zip(numbers.run, numbers.answer, strict=True)) == [
        (1, "1"), (1, "2"), (2, "1"), (2, "2")]  # fmt: skip
    assert score_sessions(answers, 1e-6).query("task == 'episodic'").x.eq(1).all()


# --- the interval


def covered(means: np.ndarray, truth: float) -> float:
    """The share of studies, rows of run means within 0 and 1, whose interval holds the truth."""
    ends = np.array([interval_over_runs(row, 1.0) for row in means])
    return float(((ends[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= ends[:, 1])).mean())


@pytest.mark.parametrize("runs", [2, 3, 4, 5, 8, 10, 20, 40, 54, 78])
def test_it_covers_where_whole_runs_forget_all_or_nothing(runs):
    """Enumerated: k of n runs forget everything, for every share of such runs."""
    k = np.arange(runs + 1)
    ends = np.array([interval_over_runs([1.0] * i + [0.0] * (runs - i), 1.0) for i in k])
    worst = min(
        binom.pmf(k, runs, p)[(ends[:, 0] <= p) & (p <= ends[:, 1])].sum()
        for p in np.linspace(0.001, 0.999, 999)
    )
    assert worst >= 0.9375


def count_lost(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """A thread that loses count at some session and never finds it again."""
    return 1 - np.minimum(rng.geometric(0.1, shape), 21) / 21


WORLDS = {
    "sessions alone": lambda rng, shape: rng.binomial(20, 0.05, shape) / 20,
    "half the sessions": lambda rng, shape: rng.binomial(20, 0.5, shape) / 20,
    "runs unlike": lambda rng, shape: rng.binomial(20, rng.beta(0.5, 0.5, shape)) / 20,
    "few runs bad": lambda rng, shape: rng.binomial(20, rng.beta(0.1, 0.9, shape)) / 20,
    "one in ten forgets": lambda rng, shape: np.where(
        rng.random(shape) < 0.1, 0.95, rng.binomial(20, 0.25, shape) / 20
    ),
    "count lost": count_lost,
}


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("runs", [2, 5, 12])
def test_it_covers_where_the_sessions_of_a_run_hang_together(name, runs):
    """600 studies; an interval that covers 95 % lies below 92.5 % in one of 300 such checks."""
    rng = np.random.default_rng(17)
    truth = float(WORLDS[name](rng, (400_000, 1)).mean())
    assert covered(WORLDS[name](rng, (600, runs)), truth) >= 0.925


def test_an_interval_over_sessions_would_not_cover():
    """What the clusters are for: sessions taken as independent miss the truth in most studies."""
    rng = np.random.default_rng(3)
    share = rng.binomial(20, rng.beta(0.5, 0.5, (600, 5))) / 20
    mean = share.mean(axis=1)
    half = 1.96 * np.sqrt(mean * (1 - mean) / 100)
    assert (np.abs(mean - 0.5) <= half).mean() < 0.6
    assert covered(share, 0.5) >= 0.925


@given(st.lists(st.floats(0, 7), min_size=2, max_size=30))
def test_its_ends_lie_about_the_mean_and_within_the_scale(means):
    low, high = interval_over_runs(means, 7.0)
    assert 0 <= low <= np.mean(means) + 1e-9
    assert np.mean(means) - 1e-9 <= high <= 7
    mirrored = interval_over_runs([7 - mean for mean in means], 7.0)
    assert mirrored == pytest.approx((7 - high, 7 - low))


def test_one_run_has_no_interval_and_a_mean_out_of_range_is_refused():
    assert np.isnan(interval_over_runs([3.0], 7.0)).all()
    for bad in ([8.0, 1.0], [-0.1, 1.0], [float("nan"), 1.0]):
        with pytest.raises(ValueError, match="must lie between 0 and 7"):
            interval_over_runs(bad, 7.0)


# --- what is said


def told(right: dict[str, list[list[bool]]]) -> pd.DataFrame:
    return summed(gather([lived(runs, phase) for phase, runs in right.items()]))


HALF, ALL, NONE = [[True, False]] * 2, [[True, True]] * 2, [[False, False]] * 2


@pytest.mark.parametrize(
    ("right", "said"),
    [
        (
            {"stateless": NONE, "persistent": ALL},
            "In these two runs the [[aas|age score]] averages",
        ),
        ({"stateless": ALL, "persistent": NONE}, "In these two runs the age score is not lower"),
        ({"persistent": HALF}, "In these two runs the age score averages 10.0 in the persistent"),
    ],
)
def test_the_page_says_how_many_runs_and_how_far_each_mean_could_lie(right, said):
    found = find(told(right), EN)
    assert said in found.answer
    assert "one run" not in found.answer + " ".join(found.limits)
    assert "two sessions a phase in each run" in found.limits[0]
    assert found.sure == "descriptive"
    details = " ".join(found.details)
    for phase in right:
        assert f"Means with their 95 % intervals over runs, phase {phase}: m " in details
    italian = find(told(right), IT)
    assert "In queste due esecuzioni" in italian.answer
    assert "intervalli al 95 % sulle esecuzioni" in " ".join(italian.details)


def test_a_thread_that_helps_one_model_of_two_is_told_so():
    both = [lived(NONE, "stateless", name) for name in "ab"]
    both += [lived(ALL, "persistent", "a"), lived(NONE, "persistent", "b")]
    assert (
        "In these two runs the age score is lower in one thread for one model"
        in find(summed(gather(both)), EN).answer
    )
    carried = summed(gather([*both, lived(ALL, "carried", "a")]))
    assert "averages 0.0 in these runs" in " ".join(find(carried, EN).details)


def with_runs(study):
    """The fixture study, its sessions lived a second time."""
    once = age_tables()["aas/sessions"]
    answers = pd.concat([once.assign(run=run) for run in (1, 2)], ignore_index=True)
    kept = ["model", "phase", "run", "session", "task", "language", "question", "expected"]
    scored = score_sessions(answers[[*kept, "answer", "state"]], 1e-6)
    by_session = score_by_session(scored, [READING])
    summary = summarise_phases(by_session, scored)
    study.tables.update(
        {"aas/sessions": scored, "aas/by_session": by_session, "aas/summary": summary}
    )
    return study


def test_method_table_and_drill_tell_the_runs(study_root):
    study = with_runs(read(study_root))
    assert "lived in two runs" in " ".join(method(study, EN))
    assert "20 sessions" in " ".join(method(study, EN))
    assert "95% interval over runs" in str(PART.brief(study, EN))
    rows = drill(study, EN).rows
    assert not rows.duplicated(["model", "phase", "row"]).any()
    assert rows["row"].iloc[0] == "1-1-semantic"


def test_one_run_says_nothing_of_runs(study_root):
    study = read(study_root)
    assert "runs" not in " ".join(method(study, EN)) + str(PART.brief(study, EN))
    assert "over runs" not in " ".join(find(study[SUMMARY], EN).details)


def test_the_figure_draws_every_run_and_the_interval_of_the_mean(tmp_path):
    sys.path.insert(0, str(Path(__file__).parents[2] / "workflow/scripts/aas"))
    import draw_sessions
    from support.figures import words_of

    scored = score_sessions(lived([[True, False], [False, False], [True, True]]), 1e-6)
    write_table(score_by_session(scored, [READING]), tmp_path / "b.csv", BY_SESSION)
    draw_sessions.main(tmp_path / "b.csv", tmp_path / "f.svg", tmp_path / "f.pdf")
    text = " ".join(words_of(tmp_path / "f.svg"))
    assert "mean of 3 runs" in text
    assert "mean 10.0 [0.0, 39.9]" in text
