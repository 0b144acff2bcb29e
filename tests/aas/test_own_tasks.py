"""Tasks of a study's own in the age score: what is asked, how it is graded, what is said of it."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.fixture_study import read
from support.scripts import load_script
from veridical.aas.asks import asks
from veridical.aas.drill import drill
from veridical.aas.page import method
from veridical.aas.protocol import phase_prompts, plan_sessions
from veridical.aas.rules import grade
from veridical.aas.score import PUBLISHED_READINGS, TASKS, AgeReading
from veridical.aas.sessions import (
    answers_from_replies,
    read_sessions,
    readings_in_use,
    score_by_session,
    score_sessions,
)
from veridical.aas.summary import summarise_phases
from veridical.aas.tables import BY_SESSION, SESSIONS, SUMMARY
from veridical.aas.tasks import Task, own_tasks
from veridical.base.config import check_config
from veridical.base.tables import read_table, write_table
from veridical.check.preflight import problems
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts
from veridical.report.wording import Wording

EN = Wording.read("en").of("aas")
MISS = np.log2((1 + 1e-6) / 1e-6)

HARBOUR = {
    "id": "harbour",
    "kind": "semantic",
    "label": {"en": "Who keeps the harbour", "it": "Chi tiene il porto"},
    "question": {"en": "Who keeps the harbour?", "it": "Chi tiene il porto?"},
    "expected": {"en": "Ada Verne", "it": "Ada Verne"},
    "grading": "contains",
}
WORD = {
    "id": "last_word",
    "kind": "episodic",
    "question": {"en": ["Keep the word anchor. Which word?", "Which word did I tell you?"]},
    "expected": ["anchor", "anchor"],
}
DEPTH = {
    "id": "depth",
    "kind": "semantic",
    "question": {"en": "How deep is it, in metres?"},
    "expected": 12.5,
    "grading": "numeric",
    "tolerance": 0.5,
}
COLOUR = {
    "id": "colour",
    "kind": "episodic",
    "question": {"en": "Which colour?"},
    "grading": "graded",
    "grades": {"dark blue": 1, "blue": 0.5, "green": 0},
    "weight": 3,
}


def config(**part) -> dict:
    models = {"m": {"provider": "scripted", "model": "m"}}
    return {"study": "s", "seed": 1, "models": models, "aas": {"models": ["m"], **part}}


# --- what is asked


def test_own_tasks_follow_the_two_that_ship_in_their_order_and_words():
    plan = plan_sessions(2, "2025-08-11", ["en"], tasks=[HARBOUR, WORD])
    facts = [[turn.facts for turn in p.turns] for p in phase_prompts("stateless", plan)]
    assert [fact["task"] for fact in facts[0]] == [*TASKS, "harbour", "last_word"]
    assert [fact["kind"] for fact in facts[1]] == ["semantic", "episodic", "semantic", "episodic"]
    asked = [p.turns[3].user for p in phase_prompts("persistent", plan)] + [
        p.turns[3].user for p in phase_prompts("stateless", plan)
    ]
    assert asked == [WORD["question"]["en"][0], *WORD["question"]["en"]]
    assert [fact["expected"] for fact in facts[0]] == ["Monday", "1", "Ada Verne", "anchor"]


@pytest.mark.parametrize("date_in", ["system", "message"])
def test_nobody_is_told_to_answer_with_a_day_or_a_number_where_more_is_asked(date_in):
    for language, day in (("en", "day or the number"), ("it", "il giorno o con il numero")):
        own = {**HARBOUR, "question": {language: "?"}, "expected": "Ada"}
        with_own = plan_sessions(1, "2025-08-11", [language], tasks=[own])
        alone = plan_sessions(1, "2025-08-11", [language])
        systems = [
            phase_prompts("stateless", plan, None, date_in)[0].turns[0].system
            for plan in (with_own, alone)
        ]
        assert [day in system for system in systems] == [False, True]


def test_a_study_without_own_tasks_writes_what_it_always_wrote():
    facts = plan_sessions(1, "2025-08-11", ["en"])[0].facts()
    assert [list(fact) for fact in facts] == [
        ["session", "date", "task", "language", "question", "expected"]] * 2  # fmt: skip


def test_own_tasks_are_counted_before_anything_is_paid():
    given = check_config(config(sessions=5, languages=["en"], tasks=[HARBOUR, DEPTH], runs=2))
    assert [ask.calls for ask in asks(given, {})] == [5 * 2 * 2 * 4]


# --- how it is graded


def marked(task: dict, answer: str, *, language: str = "en", complete: bool = True):
    own = Task(**task)
    scored = grade({own.id: own}, own.id, language, own.wanted(language, 1), answer, complete)
    return scored.x, scored.mark


@pytest.mark.parametrize(
    ("task", "answer", "found"),
    [
        (WORD, "anchor", (1, "right")),
        (WORD, ' "Anchor." ', (1, "right")),
        (WORD, "ANCHÓR!", (1, "right")),
        (WORD, "the anchor", (0, "wrong")),
        (WORD, "I don't know", (0, "abstained")),
        (WORD, "…", (0, "empty")),
        (HARBOUR, "It is kept by Ada Verne, I think.", (1, "right")),
        (HARBOUR, "ada  verne", (1, "right")),
        (HARBOUR, "Ada Vernessa", (0, "wrong")),
        (HARBOUR, "not Ada Verne but Bo", (0, "wrong")),
        (HARBOUR, "Not sure", (0, "abstained")),
        (HARBOUR, "Not sure, but Ada Verne", (1, "right")),
        (DEPTH, "13 metres", (1, "right")),
        (DEPTH, "twelve", (1, "right")),
        (DEPTH, "13.1", (0, "wrong")),
        (DEPTH, "12 or 13", (1, "right")),  # both lie within the tolerance
        (DEPTH, "12 or 15", (0, "ambiguous")),
        (DEPTH, "deep", (0, "unparseable")),
        (DEPTH, "I don't remember", (0, "abstained")),
        (COLOUR, "dark blue", (1, "right")),
        (COLOUR, "It was Blue.", (0.5, "partial")),
        (COLOUR, "green", (0, "wrong")),
        (COLOUR, "blue or green", (0, "ambiguous")),
        (COLOUR, "blueish", (0, "wrong")),
        (COLOUR, "not green", (0, "wrong")),
        (COLOUR, "unknown", (0, "abstained")),
    ],
)
def test_answers_are_graded_by_the_tasks_own_rule(task, answer, found):
    assert marked(task, answer) == found


@pytest.mark.parametrize(
    ("task", "answer", "cut", "whole"),
    [(WORD, "anchor", 0, 1), (HARBOUR, "Ada Verne", 0, 1), (DEPTH, "12", 0, 1),
     (COLOUR, "blue", 0, 0.5), (HARBOUR, "Ada Verne keeps", 1, 1)],
)  # fmt: skip
def test_what_stands_at_the_end_of_a_cut_answer_is_not_read(task, answer, cut, whole):
    assert marked(task, answer, complete=False)[0] == cut
    assert marked(task, answer)[0] == whole


@given(st.dictionaries(st.sampled_from(["ox", "elk", "old ox"]), st.floats(0, 1), min_size=1))
def test_every_answer_of_a_table_is_worth_what_the_table_says(grades):
    for answer, value in grades.items():
        assert marked({**COLOUR, "grades": grades}, f"The {answer}.")[0] == value


def test_a_text_with_signs_of_its_own_is_taken_as_it_stands():
    task = {**HARBOUR, "expected": "C++ (2nd ed.)"}
    assert marked({**task, "grading": "exact"}, "C++ (2nd ed.)") == (1, "right")
    assert marked(task, "C-- 2nd ed") == (0, "wrong")


# --- the score


def lived(tasks: list[dict], answers: dict[str, list[str]]) -> pd.DataFrame:
    """Sessions of one phase; the two shipped tasks are right throughout."""
    n = len(next(iter(answers.values())))
    rows = []
    for session in plan_sessions(n, "2025-08-11", ["en"], tasks=tasks):
        for fact in session.facts():
            said = answers.get(fact["task"], [fact["expected"]] * n)[session.number - 1]
            rows.append({"model": "m", "phase": "stateless", "answer": said, "state": "ok"} | fact)
    return pd.DataFrame(rows).drop(columns="date")


def scored(tasks: list[dict], answers: dict[str, list[str]], **entry):
    own = {task["id"]: Task(**task) for task in tasks}
    entry = {"epsilon": 1e-6, "weights": {"episodic": 1, "semantic": 1}, "tasks": tasks} | entry
    reading = AgeReading.from_config("registered", entry)
    table = score_sessions(lived(tasks, answers), 1e-6, own)
    by_session = score_by_session(table, readings_in_use(reading))
    return table, by_session, summarise_phases(by_session, table)


def test_a_graded_answer_enters_the_score_by_the_kernel_and_its_weight(tmp_path):
    """Blue is worth one half: phi = log2((1 + e) / (1/2 + e)), about one bit, times three."""
    table, by_session, summary = scored([COLOUR], {"colour": ["blue", "dark blue", "green"]})
    zero = by_session[by_session.redundancy == "zero"]
    half = np.log2((1 + 1e-6) / (0.5 + 1e-6))
    assert zero.aas.tolist() == pytest.approx([3 * half, 0, 3 * MISS])
    assert zero.bound.iloc[0] == pytest.approx(5 * MISS)
    row = summary[summary.redundancy == "zero"].iloc[0]
    assert row.recall_colour == pytest.approx(0.5)
    assert (row.semantic_recall, row.episodic_recall) == (1, pytest.approx(4.5 / 6))
    for frame, contract in ((table, SESSIONS), (by_session, BY_SESSION), (summary, SUMMARY)):
        write_table(frame, tmp_path / "t.csv", contract)
        read_table(tmp_path / "t.csv", contract)
    assert {"x_colour", "R_colour"} <= set(by_session)


def test_the_weights_stay_with_their_tasks_whatever_the_order_in_the_config():
    entry = {"epsilon": 1e-6, "weights": {"episodic": 7, "semantic": 2}, "tasks": [COLOUR]}
    reading = AgeReading.from_config("r", entry)
    assert reading.tasks == ("semantic", "episodic", "colour")
    assert reading.score([0, 1, 1]) == pytest.approx(2 * MISS)
    assert reading.score([1, 0, 1]) == pytest.approx(7 * MISS)
    assert reading.score([1, 1, 0]) == pytest.approx(3 * MISS)


def test_the_published_readings_are_shown_beside_the_two_published_tasks_alone():
    entry = {"epsilon": 1e-3, "weights": {"semantic": 1, "episodic": 1}}
    assert len(readings_in_use(AgeReading.from_config("r", entry))) == 1 + len(PUBLISHED_READINGS)
    own = AgeReading.from_config("r", {**entry, "tasks": [COLOUR]})
    assert readings_in_use(own) == [own]


def test_redundancy_is_estimated_for_own_tasks_as_for_the_others():
    table, by_session, _ = scored([COLOUR], {"colour": ["green", "green"]})
    assert table[table.task == "colour"].R.tolist() == [0, 1]
    estimated = by_session[by_session.redundancy == "estimated"]
    assert estimated.aas.tolist() == pytest.approx([3 * MISS, 0])


def test_a_session_without_an_own_answer_is_named():
    answers = lived([COLOUR], {"colour": ["blue", "blue"]})
    gone = (answers.task == "colour") & (answers.session == 2)
    with pytest.raises(ValueError, match="session 2 has no colour answer"):
        score_sessions(answers[~gone], 1e-6, {"colour": Task(**COLOUR)})


def test_sessions_gathered_by_hand_are_graded_by_the_same_tasks(tmp_path):
    path = tmp_path / "chat.csv"
    answers = lived([COLOUR, DEPTH], {"colour": ["blue"], "depth": ["13"]})
    answers.drop(columns=["state", "kind"]).to_csv(path, index=False)
    own = {task["id"]: Task(**task) for task in (COLOUR, DEPTH)}
    table = score_sessions(read_sessions(path, own), 1e-6, own)
    assert dict(zip(table.task, table.x, strict=True)) == {
        "semantic": 1, "episodic": 1, "colour": 0.5, "depth": 1}  # fmt: skip
    with pytest.raises(ValueError, match="row 4, column task: 'colour' is none of semantic"):
        read_sessions(path)
    answers.loc[answers.task == "depth", "expected"] = "deep"
    answers.drop(columns=["state", "kind"]).to_csv(path, index=False)
    with pytest.raises(ValueError, match="row 5, column expected: could not convert"):
        read_sessions(path, own)


# --- what is refused


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "semantic"}, "aas/tasks/'semantic' is taken"),
        ({"question": {"it": "Chi?"}}, "harbour/question: no text for 'en', a language of the"),
        ({"question": {"en": ["Who?"]}}, "harbour/question/en: 1 texts for 2 sessions"),
        ({"expected": None}, "harbour/expected: missing, the right answer"),
        ({"expected": {"it": "Ada"}}, "harbour/expected: no answer for 'en'"),
        ({"expected": ["Ada"]}, "harbour/expected: 1 answers for 2 sessions"),
        ({"grading": "numeric"}, "harbour/expected: 'Ada Verne' is no number"),
        ({"grading": "numeric", "expected": ["1", "inf"]}, "harbour/expected: 'inf' is no number"),
        ({"grading": "graded"}, "harbour/grades: missing; grading graded wants a value"),
        ({"grades": {"Ada": 1}}, "harbour/grades: grading is contains; they belong to graded"),
        ({"tolerance": 2}, "harbour/tolerance: grading is contains; it belongs to numeric"),
        ({"weight": 1e9}, "harbour/weight: 1000000000.0 must lie between 0 and 1,000,000"),
    ],
)
def test_a_task_that_cannot_be_asked_or_graded_is_refused_by_name_and_key(change, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        own_tasks([{**HARBOUR, **change}], ["en"], 2)


def test_two_tasks_of_one_id_and_all_other_faults_are_told_at_once():
    with pytest.raises(ValueError, match="aas/tasks/'harbour' is taken; ") as error:
        own_tasks([HARBOUR, HARBOUR, {**DEPTH, "expected": "?"}], ["en", "it"], 2)
    assert "depth/question: no text for 'it'" in str(error.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "Who keeps?"}, "aas/tasks/0/id"),
        ({"kind": "procedural"}, "aas/tasks/0/kind"),
        ({"question": {"de": "Wer?"}}, "aas/tasks/0/question"),
        ({"grading": "fuzzy"}, "aas/tasks/0/grading"),
        ({"grades": {"Ada": 2}}, "aas/tasks/0/grades/Ada: 2 is greater than the maximum of 1"),
        ({"tolerance": -1}, "aas/tasks/0/tolerance"),
        ({"answer": "Ada"}, "aas/tasks/0"),
    ],
)
def test_the_config_refuses_what_is_no_task(change, said):
    with pytest.raises(Exception, match=said):
        check_config(config(tasks=[{**HARBOUR, **change}]))


def test_the_check_before_a_study_names_what_planning_would_refuse(tmp_path):
    given = check_config(config(languages=["en", "tr"], tasks=[HARBOUR]))
    found = list(problems(given, tmp_path / "none.csv"))
    assert "aas/tasks/harbour/question: no text for 'tr', a language of the sessions" in found[0]
    late = check_config(config(dates=["2025-08-11", "2025-08-10"]))
    assert "aas.dates" in next(problems(late, tmp_path / "none.csv"))
    assert not list(problems(check_config(config(languages=["en"], tasks=[HARBOUR])), tmp_path))


def test_the_example_in_the_notes_is_a_config():
    notes = Path(__file__).parents[2] / "workflow/notes/aas.md"
    example = re.search(r"```yaml\n(.*?)```", notes.read_text(encoding="utf-8"), re.DOTALL)[1]
    given = {**config(), **yaml.safe_load(example)}
    given["models"]["agent"] = given["models"]["m"]
    part = check_config(given)["aas"]
    tasks = own_tasks(part["tasks"], part["languages"], part["sessions"])
    assert [task.asked("en", 2) for task in tasks][1] == "Which word did I tell you?"


# --- the whole way

AGENT = """
    import json, sys
    asked = json.load(sys.stdin)
    said = [m["content"] for m in asked["messages"]]
    told = " ".join(said)
    if "day" in said[-1]:
        text = "Monday"
    elif "number" in said[-1]:
        text = str(sum("number" in line for line in said))
    else:
        text = "anchor" if "word anchor" in told else "I don't know"
    print(json.dumps({"text": text}))
"""


@pytest.mark.parametrize(("phase", "right"), [("stateless", [1, 0]), ("persistent", [1, 1])])
def test_what_one_session_told_a_thread_recalls_and_a_new_conversation_does_not(
    phase, right, tmp_path
):
    (tmp_path / "agent.py").write_text(textwrap.dedent(AGENT), encoding="utf-8")
    command = [sys.executable, str(tmp_path / "agent.py")]
    agent = Model("a", "command", "a-1", structured="text", options={"command": command})
    load_script("aas/plan_sessions.py").main(
        [tmp_path / "in.jsonl"],
        phases=[phase], sessions=2, start="2025-08-11", languages=["en"], date_in="system",
        parameters={}, tasks=[WORD],
    )  # fmt: skip
    collect(tmp_path / "in.jsonl", agent, tmp_path / "l.sqlite", out=tmp_path / "a.jsonl")
    prompts = read_prompts(tmp_path / "in.jsonl")
    answers = answers_from_replies("a", prompts, read_replies(tmp_path / "a.jsonl"))
    found = score_sessions(answers, 1e-6, {"last_word": Task(**WORD)})
    assert found[found.task == "last_word"].x.tolist() == right


def test_the_script_scores_them_and_writes_tables_of_their_contracts(tmp_path):
    own = tmp_path / "hand.csv"
    lived([HARBOUR], {"harbour": ["Ada Verne", "Bo"]}).drop(columns=["state", "kind"]).to_csv(
        own, index=False
    )
    out = [tmp_path / name for name in ("sessions.csv", "by_session.csv", "summary.csv")]
    reading = {"epsilon": 1e-6, "weights": {"semantic": 1, "episodic": 1}, "tasks": [HARBOUR]}
    load_script("aas/score_sessions.py").main([], [], [own], *out, reading=reading)
    summary = read_table(out[2], SUMMARY)
    assert summary["recall_harbour"].eq(0.5).all()
    assert summary["semantic_recall"].eq(0.75).all()


def test_the_page_names_tasks_by_their_label_in_its_language(study_root):
    study = read(study_root)
    study.config["aas"] = {"tasks": [HARBOUR, COLOUR], "weights": {"semantic": 1.0}}
    said = " ".join(method(study, EN))
    assert "own as well (Who keeps the harbour and colour)" in said
    assert "semantic 1, Who keeps the harbour 1 and colour 3" in said
    table, *_ = scored([HARBOUR], {"harbour": ["Ada Verne", "Bo"]})
    study.tables["aas/sessions"] = table.assign(model="gpt-4.1")
    assert set(drill(study, EN).rows["task"]) == {"semantic", "episodic", "Who keeps the harbour"}
    assert "x" not in [head[0] for head in drill(study, EN).columns]
    table, *_ = scored([COLOUR], {"colour": ["blue"]})
    study.tables["aas/sessions"] = table
    assert "x" in [head[0] for head in drill(study, EN).columns]
    study.config["language"] = "it"
    study.config["aas"]["tasks"] = [HARBOUR]
    assert "Chi tiene il porto" in " ".join(method(study, Wording.read("it").of("aas")))
