"""The age score once more by plain loops, and answers in many words that say one thing."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.aas.grading import MARKS, expected_value, score_answer
from veridical.aas.protocol import PHASES, QUESTIONS, SERIES, phase_prompts, plan_sessions
from veridical.aas.redundancy import redundancy_so_far
from veridical.aas.score import (
    PUBLISHED_READINGS,
    TASKS,
    AgeReading,
    age_bound,
    age_score,
    check_weights,
    phi,
)
from veridical.aas.sessions import (
    answers_from_replies,
    check_columns,
    check_sessions,
    read_sessions,
    readings_in_use,
    score_by_session,
    score_sessions,
)
from veridical.aas.spoken import LANGUAGES, days_in, heard, numbers_in, tell_date
from veridical.aas.summary import summarise_phases
from veridical.base.calendars import DAYS

READING = AgeReading("own", 1e-6, {"semantic": 1.0, "episodic": 2.0})

# ---------------------------------------------------------------- the formula

shares = st.floats(0, 1)


@given(
    st.lists(st.tuples(shares, shares, st.floats(0, 5)), min_size=1, max_size=5),
    st.floats(1e-12, 1),
    st.sampled_from([False, True]),
)
def test_the_score_is_the_sum_of_its_terms(terms, epsilon, normalise):
    x, masked, weights = (list(part) for part in zip(*terms, strict=True))
    if sum(weights) == 0:
        with pytest.raises(ValueError, match="not all zero"):
            age_score(x, masked, weights, epsilon, normalise)
        return
    total = sum(weights) if normalise else 1.0
    expected = sum(
        w / total * (1 - r) * (math.log2(1 + epsilon) - math.log2(v + epsilon)) for v, r, w in terms
    )
    assert age_score(x, masked, weights, epsilon, normalise) == pytest.approx(expected, abs=1e-9)
    bound = age_bound(weights, epsilon, normalise)
    assert bound == pytest.approx(age_score([0.0] * len(x), 0, weights, epsilon, normalise))
    assert -1e-9 <= expected <= bound + 1e-9


@given(st.integers(1, 5), st.integers(1, 4))
def test_many_sessions_are_each_scored_by_itself(sessions, tasks):
    rng = np.random.default_rng(sessions * 10 + tasks)
    x, masked = rng.random((2, sessions, tasks))
    found = age_score(x, masked, [1.0] * tasks, 1e-6)
    assert found.shape == (sessions,)
    alone = [age_score(x[n], masked[n], [1.0] * tasks, 1e-6) for n in range(sessions)]
    assert found.tolist() == pytest.approx(alone)
    assert phi(x, 1e-6).shape == (sessions, tasks)


@pytest.mark.parametrize(
    ("weights", "normalise", "told"),
    [
        ([], False, "one number a task is needed"),
        ([[1.0]], False, "one number a task is needed"),
        ([1.0, -0.1], False, "numbers from 0 to"),
        ([0.0, 0.0], True, "not all zero"),
        ([math.nan, 1.0], False, "numbers from 0 to"),
        ([math.inf, 1.0], False, "numbers from 0 to"),
        ([1e6 + 1, 1.0], False, "numbers from 0 to"),
        ([0.5, 0.6], "given", "sum to 1.1, not to 1"),
        ([1.0], "yes", "it must be one of"),
    ],
)
def test_weights_that_cant_be_are_refused_in_words(weights, normalise, told):
    with pytest.raises(ValueError, match=told):
        check_weights(weights, normalise)


@pytest.mark.parametrize(
    ("x", "R", "told"),
    [
        ([0.5, 1.1], 0.0, r"x is 1\.1 at \[1\]"),
        ([[0.5, 0.5], [0.5, -1.0]], 0.0, r"x is -1\.0 at \[1, 1\]"),
        ([0.5, math.nan], 0.0, "x is nan"),
        ([0.5, 0.5], 2.0, r"R is 2\.0: it must lie in"),
        ([0.5], 0.0, "the last axis needs 2 tasks"),
        (0.5, 0.0, "the last axis needs 2 tasks"),
        ([0.5, 0.5], [[0.0, 0.0]], "R has shape"),
    ],
)
def test_a_recall_that_cant_be_is_named_with_its_place(x, R, told):
    with pytest.raises(ValueError, match=told):
        age_score(x, R, [1.0, 1.0], 1e-6)


@pytest.mark.parametrize("epsilon", [0.0, -1e-6, math.nan, math.inf])
def test_epsilon_is_above_nothing(epsilon):
    with pytest.raises(ValueError, match="it must be a number greater than 0"):
        phi(0.5, epsilon)


def test_weights_given_as_normalised_must_be_so_within_rounding():
    assert check_weights([0.1] * 10, "given").sum() == pytest.approx(1)
    assert check_weights([2.0, 6.0], True).tolist() == [0.25, 0.75]
    assert check_weights([2.0, 6.0]).tolist() == [2.0, 6.0]


def test_a_reading_is_read_whole_or_refused():
    entry = {"epsilon": 1e-6, "weights": {"semantic": 1, "episodic": 1}}
    read = AgeReading.from_config("r", entry)
    assert (read.normalise, read.bound) == (False, pytest.approx(2 * phi(0, 1e-6)))
    with pytest.raises(ValueError, match="expected one for each of"):
        AgeReading.from_config("r", entry | {"weights": {"semantic": 1}})
    with pytest.raises(ValueError, match="greater than 0"):
        AgeReading.from_config("r", entry | {"epsilon": 0})
    assert readings_in_use(PUBLISHED_READINGS[1])[0] is PUBLISHED_READINGS[1]
    assert len(readings_in_use(PUBLISHED_READINGS[1])) == len(PUBLISHED_READINGS)
    assert len(readings_in_use(READING)) == len(PUBLISHED_READINGS) + 1


# ---------------------------------------------------------------- redundancy


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abcd"), max_size=14))
def test_redundancy_is_one_less_the_share_of_the_largest_entropy(answers):
    found = redundancy_so_far(answers)
    assert len(found) == len(answers)
    for j in range(1, len(answers) + 1):
        counts = Counter(answers[:j]).values()
        entropy = -sum(n / j * math.log2(n / j) for n in counts)
        expected = 0.0 if j == 1 else 1 - entropy / math.log2(j)
        assert found[j - 1] == pytest.approx(expected, abs=1e-12)


def test_all_alike_are_wholly_redundant_and_all_different_not_at_all():
    assert redundancy_so_far(["x"] * 5).tolist() == [0, 1, 1, 1, 1]
    assert redundancy_so_far(list("abcde")).tolist() == pytest.approx([0] * 5, abs=1e-12)
    assert redundancy_so_far([]).tolist() == []


# ---------------------------------------------------------------- sessions, loop by loop


def answered(seed: int, missing: float = 0.0) -> pd.DataFrame:
    """Two models' sessions in both phases: right, wrong, silent or missing by chance."""
    rng = np.random.default_rng(seed)
    rows = []
    for model in ("m", "k"):
        for phase in PHASES:
            for session in plan_sessions(6, "2025-08-11", ["en", "tr"]):
                for fact in session.facts():
                    said = [fact["expected"], "I don't know", "9", "Monday"]
                    gone = rng.random() < missing
                    rows.append(
                        {
                            "model": model,
                            "phase": phase,
                            "answer": None if gone else str(rng.choice(said)),
                            "state": "failed" if gone else "ok",
                        }
                        | {
                            k: fact[k]
                            for k in ("session", "task", "language", "question", "expected")
                        }
                    )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_each_sessions_score_is_that_of_its_two_answers(seed, missing):
    answers = answered(seed, missing)
    scored = score_sessions(answers, READING.epsilon)
    table = score_by_session(scored, [READING])
    cells = {(r.model, r.phase, r.session, r.task): r for r in scored.itertuples()}
    for row in table.to_dict("records"):
        pair = [cells[row["model"], row["phase"], row["session"], task] for task in TASKS]
        if any(math.isnan(each.x) for each in pair):
            assert math.isnan(row["aas"])
            continue
        masked = [0.0 if row["redundancy"] == "zero" else each.R for each in pair]
        expected = sum(
            weight * (1 - r) * phi(each.x, READING.epsilon)
            for weight, r, each in zip((1.0, 2.0), masked, pair, strict=True)
        )
        assert row["aas"] == pytest.approx(expected)
        assert row["bound"] == pytest.approx(3 * phi(0, READING.epsilon))
        assert row["registered"]


@pytest.mark.parametrize("seed", range(3))
def test_a_phase_is_summed_up_over_the_sessions_that_were_scored(seed):
    scored = score_sessions(answered(seed, 0.15), READING.epsilon)
    by_session = score_by_session(scored, readings_in_use(READING))
    for row in summarise_phases(by_session, scored).to_dict("records"):
        keys = ("model", "phase", "reading", "redundancy")
        own = [r for r in by_session.to_dict("records") if all(r[k] == row[k] for k in keys)]
        scores = [r["aas"] for r in own if not math.isnan(r["aas"])]
        assert (row["n_sessions"], row["n_missing"]) == (len(scores), 6 - len(scores))
        assert row["mean_aas"] == pytest.approx(np.mean(scores))
        assert row["sd_aas"] == pytest.approx(np.std(scores, ddof=1))
        assert (row["min_aas"], row["max_aas"]) == (min(scores), max(scores))
        mine = scored[(scored["model"] == row["model"]) & (scored["phase"] == row["phase"])]
        for task in TASKS:
            xs = [x for x in mine.loc[mine["task"] == task, "x"] if not math.isnan(x)]
            assert row[f"{task}_recall"] == pytest.approx(np.mean(xs))
        assert row["abstained"] == (mine["mark"] == "abstained").sum()
        told = [kept for kept in mine["language_kept"] if kept is not pd.NA]
        assert row["n_language"] == len(told)


def test_answers_are_scored_in_the_order_of_sessions_whatever_that_of_the_rows():
    answers = answered(1)
    mixed = answers.sample(frac=1, random_state=3)
    first = list(dict.fromkeys(mixed["model"]))
    one, two = score_sessions(answers, 1e-6), score_sessions(mixed, 1e-6)
    assert list(dict.fromkeys(two["model"])) == first
    keys = ["model", "phase", "session", "task"]
    pd.testing.assert_frame_equal(
        one.sort_values(keys, ignore_index=True), two.sort_values(keys, ignore_index=True)
    )


@pytest.mark.parametrize("place", [0, 5, 23])
def test_an_answer_too_few_or_too_many_is_named(place):
    answers = answered(1)
    lost = answers.iloc[place]
    words = f"{lost.model}, {lost.phase}: session {lost.session} has no {lost.task} answer"
    with pytest.raises(ValueError, match=words):
        check_sessions(answers.drop(index=place))
    twice = f"{lost.model}, {lost.phase}: session {lost.session}, {lost.task}, occurs twice"
    with pytest.raises(ValueError, match=twice):
        check_sessions(pd.concat([answers, answers.iloc[[place]]]))


# ---------------------------------------------------------------- answers in many words

DAY_SAYINGS = {
    "en": ["{}", "{}.", "Today is {}.", "It's {}!", "**{}**", "The day is {}", "{}, I think"],
    "tr": ["{}", "Bugün {}.", "Bugün günlerden {}.", "{} günü", '"{}"'],
    "it": ["{}", "{}.", "Oggi è {}.", "È {}!", "**{}**", "{}, credo"],
}
NUMBER_SAYINGS = {
    "en": [
        "{}",
        "{}.",
        "Experiment {}",
        "This is experiment number {}.",
        "No. {}",
        "#{}",
        "**{}**",
    ],
    "tr": ["{}", "Bu {} numaralı deney.", "Deney {}", "Numarası {}", "{}."],
    "it": ["{}", "{}.", "Esperimento {}", "Questo è l'esperimento numero {}.", "N. {}", "#{}"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_is_heard_however_it_is_said(language):
    for number, day in enumerate(DAYS[language]):
        for saying in DAY_SAYINGS[language]:
            text = saying.format(day)
            for written in (text, text.lower(), f"  {text}\n"):
                found = score_answer("semantic", language, DAYS["en"][number], written)
                assert (found.x, found.mark) == (1.0, "right"), written
            other = DAYS["en"][(number + 1) % 7]
            assert score_answer("semantic", language, other, text).mark == "wrong"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", [1, 2, 7, 13, 20, 45, 118])
def test_a_number_is_heard_however_it_is_said(language, number):
    for saying in NUMBER_SAYINGS[language]:
        found = score_answer("episodic", language, str(number), saying.format(number))
        assert (found.x, found.given) == (1.0, str(number)), saying
        assert score_answer("episodic", language, str(number + 1), saying.format(number)).x == 0


@given(st.sampled_from(TASKS), st.sampled_from(LANGUAGES), st.text(max_size=30), st.booleans())
def test_a_mark_is_one_of_the_listed_and_only_right_earns(task, asked, text, complete):
    expected = "Monday" if task == "semantic" else "7"
    found = score_answer(task, asked, expected, text, complete=complete)
    assert found.mark in MARKS
    assert found.x == (1.0 if found.mark == "right" else 0.0)
    assert (found.mark == "empty") == (not any(c.isalnum() for c in heard(text)))
    assert heard(heard(text)) == heard(text)


@pytest.mark.parametrize("language", LANGUAGES)
@given(day=st.dates(dt.date(2000, 1, 1), dt.date(2060, 1, 1)))
def test_the_weekday_can_be_read_from_a_date_that_was_told(language, day):
    told = heard(tell_date(day, language))
    assert [(n, spoken) for n, spoken, *_ in days_in(told)] == [(day.weekday(), language)]
    assert numbers_in(told, language) == []  # a date is no experiment's number


@pytest.mark.parametrize(
    ("task", "expected", "value"),
    [
        ("semantic", "pazartesi", "Monday"),
        ("semantic", "SUNDAY", "Sunday"),
        ("episodic", "seven", "7"),
        ("episodic", "yedi", "7"),
        ("episodic", "007", "7"),
    ],
)
def test_what_is_expected_has_one_form(task, expected, value):
    assert expected_value(task, expected) == value


@pytest.mark.parametrize(
    ("task", "expected"), [("semantic", "someday"), ("semantic", "Monday or Sunday"),
                           ("episodic", "many"), ("episodic", "3 and 4")]
)  # fmt: skip
def test_what_cant_be_expected_is_named(task, expected):
    with pytest.raises(ValueError, match="in English, Turkish or Italian"):
        expected_value(task, expected)


# ---------------------------------------------------------------- the plan


@given(
    st.integers(1, 30),
    st.dates(dt.date(2000, 1, 1), dt.date(2050, 1, 1)),
    st.lists(st.sampled_from(LANGUAGES), min_size=1, max_size=3),
)
def test_sessions_are_on_consecutive_days_and_languages_take_turns(n, start, languages):
    plan = plan_sessions(n, start, languages)
    assert [session.number for session in plan] == list(range(1, n + 1))
    for place, session in enumerate(plan):
        assert session.day == start + dt.timedelta(days=place)
        assert session.language == languages[place % len(languages)]
        semantic, episodic = session.facts()
        assert semantic["expected"] == DAYS["en"][session.day.weekday()]
        assert episodic["expected"] == str(session.number)


@pytest.mark.parametrize("date_in", ["system", "message"])
def test_both_phases_ask_the_same_in_the_same_order(date_in):
    plan = plan_sessions(5, "2025-08-11", ["tr", "en"])
    apart = phase_prompts("stateless", plan, {"max_tokens": 9}, date_in)
    (thread,) = phase_prompts("persistent", plan, {"max_tokens": 9}, date_in)
    assert [prompt.id for prompt in apart] == [f"stateless-0{n}" for n in range(1, 6)]
    turns = [turn for prompt in apart for turn in prompt.turns]
    assert [(t.user, t.system, t.facts) for t in turns] == [
        (t.user, t.system, t.facts) for t in thread.turns
    ]
    assert {prompt.facts["phase"] for prompt in apart} == {"stateless"}
    assert (thread.facts["phase"], thread.take) == ("persistent", 1)
    systems = {turn.system for turn in turns}
    assert len(systems) == (1 if date_in == "message" else 5)
    assert all(system.startswith(SERIES["tr"]) for system in systems) == (date_in == "message")
    for turn in turns[1::2]:
        assert turn.user == QUESTIONS[turn.facts["language"]]["episodic"]


@pytest.mark.parametrize("phase", ["", "Stateless", "thread"])
def test_a_phase_that_is_none_is_refused(phase):
    with pytest.raises(ValueError, match="it must be one of stateless, persistent"):
        phase_prompts(phase, plan_sessions(1, "2025-08-11", ["en"]))


def test_a_reply_that_lacks_is_named_and_one_that_failed_is_missing():
    prompts = phase_prompts("stateless", plan_sessions(2, "2025-08-11", ["en"]))
    rows = [(p.id, turn, "ok", "x") for p in prompts for turn in (0, 1)]
    replies = pd.DataFrame(rows, columns=["id", "turn", "state", "text"])
    replies.loc[1, ["state", "text"]] = ["failed", None]
    replies.loc[2, ["state", "text"]] = ["refused", None]
    found = answers_from_replies("m", prompts, replies)
    assert found["answer"].tolist() == ["x", None, "", "x"]
    with pytest.raises(ValueError, match="m: no reply to prompt 'stateless-02', turn 1"):
        answers_from_replies("m", prompts, replies.iloc[:3])


# ---------------------------------------------------------------- one's own sessions


def test_a_column_that_is_not_known_is_named_with_the_one_that_may_be_meant(tmp_path):
    path = tmp_path / "own.csv"
    head = "phase,session,task,language,question,expected,answer"
    row = "stateless,1,semantic,en,Which day?,Monday,Monday"
    other = "stateless,1,episodic,en,Which number?,1,1"
    path.write_text(f"{head}\n{row}\n{other}\n", encoding="utf-8")
    found = read_sessions(path)
    assert found["model"].tolist() == ["own", "own"]
    assert found["state"].tolist() == ["ok", "ok"]
    path.write_text(f"{head},Modell\n{row},a\n{other},a\n", encoding="utf-8")
    with pytest.raises(ValueError, match="column 'Modell' is unknown; is 'model' meant"):
        check_columns(path)
    path.write_text(f"{head},zzz\n{row},a\n{other},a\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"column 'zzz' is unknown; take it out\."):
        read_sessions(path)
