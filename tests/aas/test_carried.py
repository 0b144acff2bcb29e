"""A memory carried from session to session, and an alarm: the age score's third phase."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pandas as pd
import pytest
from support.fixture_scores import age_tables
from veridical.aas.asks import asks
from veridical.aas.findings import find
from veridical.aas.page import PART, method
from veridical.aas.protocol import PHASES, phase_prompts, plan_sessions
from veridical.aas.score import AgeReading
from veridical.aas.sessions import (
    answers_from_replies,
    score_by_session,
    score_sessions,
)
from veridical.aas.summary import summarise_phases
from veridical.aas.tables import SUMMARY
from veridical.base.config import check_config
from veridical.base.tables import read_table, write_table
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Model
from veridical.models.prompts import write_prompts
from veridical.report.wording import Wording

EN, IT = (Wording.read(language).of("aas") for language in ("en", "it"))
REGISTERED = AgeReading("registered", 1e-6, {"semantic": 1.0, "episodic": 1.0}, False)
DAYS = ["2024-08-10", "2024-08-13", "2024-09-03"]


def test_each_session_is_alone_and_knows_the_sessions_before_it():
    plan = plan_sessions(3, "", ["en", "it", "tr"], DAYS)
    prompts = phase_prompts("carried", plan, {"max_tokens": 9})
    assert [prompt.id for prompt in prompts] == ["carried-01", "carried-02", "carried-03"]
    assert [len(prompt.turns) for prompt in prompts] == [2, 2, 2]
    assert {prompt.facts["phase"] for prompt in prompts} == {"carried"}
    first, second, third = (prompt.turns[0].system for prompt in prompts)
    assert first.endswith(" Your memory of the sessions before this one:\nnone")
    assert second.endswith(
        " La tua memoria delle sessioni prima di questa:\nEsperimento 1: sabato 10 agosto 2024"
    )
    assert third.endswith(
        "belleğin:\nDeney 1: 10 Ağustos 2024 Cumartesi\nDeney 2: 13 Ağustos 2024 Salı"
    )
    # both questions of a session stand under one memory, and the day's own number is in neither
    assert all(prompt.turns[0].system == prompt.turns[1].system for prompt in prompts)
    assert "Experiment 1:" not in first
    assert "Deney 3:" not in third


@pytest.mark.parametrize("date_in", ["system", "message"])
def test_but_for_the_memory_the_questions_are_those_of_the_stateless_phase(date_in):
    plan = plan_sessions(4, "2025-08-11", ["en", "tr"])
    carried = phase_prompts("carried", plan, {}, date_in)
    alone = phase_prompts("stateless", plan, {}, date_in)
    for mine, other in zip(carried, alone, strict=True):
        for turn, bare in zip(mine.turns, other.turns, strict=True):
            assert (turn.user, turn.facts) == (bare.user, bare.facts)
            assert turn.system.startswith(bare.system)
            assert turn.system != bare.system


# It counts the lines of the memory that it was given; it keeps nothing itself.
READER = """
    import datetime, json, re, sys

    asked = json.load(sys.stdin)
    told, question = asked["system"], asked["messages"][-1]["content"]
    if "day" in question:
        day = re.search(r"Today is (\\w+),", told)[1]
        text = day
    else:
        text = str(1 + len(re.findall(r"^Experiment \\d+:", told, re.MULTILINE)))
    print(json.dumps({"text": text}))
"""


def lived(phase: str, tmp_path: Path, sessions: int = 5) -> pd.DataFrame:
    """The sessions of a program that counts the entries of the memory that it is handed."""
    program = tmp_path / "reader.py"
    program.write_text(textwrap.dedent(READER), encoding="utf-8")
    command = [sys.executable, str(program)]
    model = Model("reader", "command", "r-1", structured="text", options={"command": command})
    prompts = phase_prompts(phase, plan_sessions(sessions, "2025-08-11", ["en"]))
    write_prompts(tmp_path / "prompts.jsonl", prompts)
    out = tmp_path / f"{phase}.jsonl"
    collect(tmp_path / "prompts.jsonl", model, tmp_path / "l.sqlite", out=out)
    return answers_from_replies("reader", prompts, read_replies(out))


def test_an_agent_that_reads_a_carried_memory_is_young_with_it_and_old_without(tmp_path):
    carried = score_sessions(lived("carried", tmp_path), 1e-6)
    assert carried.x.eq(1).all()
    alone = score_sessions(lived("stateless", tmp_path), 1e-6)
    assert alone[alone.task == "episodic"].x.tolist() == [1, 0, 0, 0, 0]
    assert alone[alone.task == "semantic"].x.eq(1).all()


def aged(right: list[bool], phase: str = "carried") -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sessions whose day is known, and whose number is in those that `right` says."""
    rows = [
        {"model": "m", "phase": phase, "session": n, "task": task, "language": "en"}
        | {"question": "?", "expected": expected, "state": "ok"}
        | {"answer": expected if task == "semantic" or good else "99"}
        for n, good in enumerate(right, start=1)
        for task, expected in (("semantic", "Monday"), ("episodic", str(n)))
    ]
    scored = score_sessions(pd.DataFrame(rows), 1e-6)
    return score_by_session(scored, [REGISTERED]), scored


@pytest.mark.parametrize(
    ("right", "alarm", "n", "first"),
    [
        ([True, False, True, False], 10, 2, 2),  # one answer missed: log2(1e6 + 1) = 19.93 bits
        ([True, True, True, True], 10, 0, None),
        ([False, False, False, True], 19.9, 3, 1),
        ([False, False, False, True], 20, 0, None),
    ],
)
def test_alarms_are_the_sessions_at_the_threshold_or_above(right, alarm, n, first, tmp_path):
    summary = summarise_phases(*aged(right), alarm)
    zero = summary[summary.redundancy == "zero"].iloc[0]
    assert zero.n_alarms == n
    assert (None if pd.isna(zero.first_alarm) else zero.first_alarm) == first
    write_table(summary, tmp_path / "s.csv", SUMMARY)
    back = read_table(tmp_path / "s.csv", SUMMARY)
    assert back["n_alarms"].tolist() == summary["n_alarms"].tolist()


def test_a_session_at_the_very_threshold_is_an_alarm():
    scores, scored = aged([False])
    exactly = float(scores[scores.redundancy == "zero"].aas.iloc[0])
    assert summarise_phases(scores, scored, exactly).n_alarms.iloc[0] == 1


def test_without_a_threshold_nothing_is_counted():
    assert "n_alarms" not in summarise_phases(*aged([False, True]))


def both(alarm: float | None) -> pd.DataFrame:
    tables = [aged([True, True], "carried"), aged([True, False], "stateless")]
    return pd.concat([summarise_phases(*each, alarm) for each in tables], ignore_index=True)


def test_the_page_says_what_the_carried_memory_gives_and_counts_the_alarms():
    found = find(both(10), EN, 10)
    said = " ".join(found.details)
    assert "carried into each new conversation the age score averages 0.0 in this run" in said
    assert "reach the alarm of 10.0 bits" in said
    assert "0 of 2 in the phase carried memory" in said
    assert "1 of 2 in the phase stateless" in said
    assert found.sure == "descriptive"
    italian = " ".join(find(both(10), IT, 10).details)
    assert "memoria portata" in italian
    assert "allarme" in italian


def test_the_page_says_nothing_of_an_alarm_that_was_not_asked_for():
    assert "alarm" not in " ".join(find(both(None), EN).details)


def test_a_study_of_two_phases_says_nothing_of_a_third(study_root):
    from support.fixture_study import read

    study = read(study_root)
    assert "third phase" not in " ".join(method(study, EN))
    assert "carried" not in " ".join(find(age_tables()["aas/summary"], EN).details)
    assert "Alarms" not in str(PART.brief(study, EN))


@pytest.mark.parametrize(
    ("part", "calls"),
    [
        ({"sessions": 20}, 80),  # 2 tasks, 2 phases
        ({"sessions": 20, "phases": list(PHASES)}, 120),
        ({"sessions": 3, "phases": ["carried"]}, 6),
    ],
)
def test_every_phase_is_counted_before_anything_is_paid(part, calls):
    config = check_config(
        {
            "study": "s",
            "seed": 1,
            "models": {"m": {"provider": "scripted", "model": "m"}},
            "aas": {"models": ["m"], **part},
        }
    )
    assert [ask.calls for ask in asks(config, {})] == [calls]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"phases": ["caried"]}, "aas/phases/0: 'caried' is not one of"),
        ({"phases": []}, "aas/phases"),
        ({"phases": ["carried", "carried"]}, "aas/phases"),
        ({"alarm": 0}, "aas/alarm: 0 is less than or equal to the minimum of 0"),
    ],
)
def test_phases_and_alarms_that_cannot_be_are_refused(part, message):
    config = {"study": "s", "seed": 1, "models": {"m": {"provider": "scripted", "model": "m"}}}
    with pytest.raises(Exception, match=message):
        check_config({**config, "aas": {"models": ["m"], **part}})
