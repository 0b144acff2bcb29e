import sys
from pathlib import Path

import pandas as pd
import pytest
from support.replying import write_replies
from veridical.aas.protocol import phase_prompts, plan_sessions
from veridical.aas.score import PUBLISHED_READINGS, AgeReading
from veridical.aas.sessions import (
    answers_from_replies,
    check_sessions,
    read_sessions,
    readings_in_use,
    score_by_session,
    score_sessions,
)
from veridical.aas.summary import summarise_phases
from veridical.aas.tables import SUMMARY
from veridical.base.calendars import DAYS
from veridical.base.tables import read_table
from veridical.models.prompts import read_prompts, write_prompts

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow/scripts/aas"))

PLAN = plan_sessions(20, "2024-08-10", ["en", "tr"])
REGISTERED = AgeReading("registered", 1e-6, {"semantic": 1.0, "episodic": 1.0})


def recorded(phase: str, semantic, episodic, model: str = "closed chat") -> pd.DataFrame:
    """Sessions as they were written down: `semantic` and `episodic` give a session's answer."""
    rows = []
    for session in PLAN:
        for fact in session.facts():
            answer = (semantic if fact["task"] == "semantic" else episodic)(session)
            rows.append({"model": model, "phase": phase, "answer": answer, "state": "ok"} | fact)
    return pd.DataFrame(rows)


def day_told(session) -> str:
    return {"en": "Today is {}.", "tr": "Bugün günlerden {}."}[session.language].format(
        DAYS[session.language][session.day.weekday()]
    )


def means(answers: pd.DataFrame) -> dict[tuple[str, str], float]:
    scored = score_sessions(answers, REGISTERED.epsilon)
    scores = score_by_session(scored, readings_in_use(REGISTERED))
    summary = summarise_phases(scores, scored)
    return {(row.reading, row.redundancy): row.mean_aas for row in summary.itertuples()}


def test_recorded_stateless_sessions_give_the_printed_mean():
    # every day right; every session taken for the first one, in words that differ
    first = {"en": "This is experiment number one.", "tr": "Bu deneyin numarası 1'dir."}
    found = means(recorded("stateless", day_told, lambda s: first[s.language]))
    assert found["registered", "zero"] == pytest.approx(18.935, abs=5e-4)
    assert found[PUBLISHED_READINGS[1].label, "zero"] == pytest.approx(18.935, abs=5e-4)
    assert found[PUBLISHED_READINGS[2].label, "zero"] == pytest.approx(9.467, abs=5e-4)
    # one answer throughout: wholly redundant from the second session on, so all is masked
    assert found["registered", "estimated"] == 0


def test_recorded_persistent_sessions_score_zero():
    words = ["bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz", "on"]

    def counted(session) -> str:
        if session.language == "tr" and session.number <= 10:
            return words[session.number - 1].upper()
        return f"Experiment {session.number}"

    found = means(recorded("persistent", day_told, counted))
    assert set(found.values()) == {0.0}


def test_an_answer_in_the_other_language_counts_as_recalled_and_as_not_kept():
    english = recorded("stateless", lambda s: DAYS["en"][s.day.weekday()], lambda s: str(s.number))
    scored = score_sessions(english, 1e-6)
    assert scored.x.eq(1).all()
    days = scored[scored.task == "semantic"]
    assert days.groupby("language").language_kept.all().to_dict() == {"en": True, "tr": False}
    assert scored[scored.task == "episodic"].language_kept.isna().all()  # digits tell none
    summary = summarise_phases(score_by_session(scored, [REGISTERED]), scored).iloc[0]
    assert (summary.language_adherence, summary.n_language) == (0.5, 20)


def test_abstentions_score_zero_with_their_own_mark():
    silent = recorded("stateless", lambda s: "Bilmiyorum", lambda s: "I don't know")
    scored = score_sessions(silent, 1e-6)
    assert scored.mark.eq("abstained").all()
    summary = summarise_phases(score_by_session(scored, [REGISTERED]), scored)
    assert summary.abstained.eq(40).all()
    zero = summary[summary.redundancy == "zero"].iloc[0]
    assert zero.mean_aas == pytest.approx(zero.bound)


def test_a_reply_that_could_not_be_had_is_no_wrong_answer():
    answers = recorded("stateless", day_told, lambda s: str(s.number))
    answers.loc[5, "answer"] = None
    scored = score_sessions(answers, 1e-6)
    assert scored.mark.eq("missing").sum() == 1
    scores = score_by_session(scored, [REGISTERED])
    summary = summarise_phases(scores, scored).iloc[0]
    assert (summary.n_sessions, summary.n_missing, summary.mean_aas) == (19, 1, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a.drop(index=[7]), "session 4 has no episodic answer"),
        (lambda a: a[a.session != 4], "session 4 has no semantic and no episodic answer"),
        (lambda a: pd.concat([a, a.iloc[[7]]]), "session 4, episodic, occurs twice"),
    ],
)
def test_a_session_missing_or_twice_is_named(change, message):
    answers = recorded("stateless", day_told, lambda s: str(s.number))
    with pytest.raises(ValueError, match=message):
        check_sessions(change(answers))


HEAD = "session,phase,task,language,question,expected,answer\n"
GOOD = HEAD + (
    "1,stateless,semantic,tr,Bugün günlerden ne?,Pazartesi,PAZARTESİ\n"
    "1,stateless,episodic,tr,Bu deneyin numarası kaç?,1,bir\n"
)


def test_own_sessions_are_read_as_they_are(tmp_path):
    path = tmp_path / "chat.csv"
    path.write_text("\ufeff" + GOOD, encoding="utf-8")  # as spreadsheets save it
    answers = read_sessions(path)
    assert answers.model.tolist() == ["chat", "chat"]
    assert score_sessions(answers, 1e-6).x.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("1,stateless,epi", "zero,stateless,epi"), "row 3, column session: 'zero'"),
        (GOOD.replace("1,stateless,epi", "0,stateless,epi"), r"row 3, column session: 0 is not in"),
        (
            GOOD.replace("stateless,semantic", "reset,semantic"),
            "row 2, column phase: 'reset'",
        ),
        (GOOD.replace("semantic,tr", "day,tr"), "row 2, column task: 'day' is none of semantic"),
        (GOOD.replace("semantic,tr", "semantic,de"), "row 2, column language: 'de'"),
        (GOOD.replace("Pazartesi,", "Montag,"), "row 2, column expected: .*'Montag'"),
        (GOOD.replace(",expected", ",wanted"), "column 'expected' is missing"),
        (
            GOOD.replace("answer\n", "answer,Model\n")
            .replace("ESİ\n", "ESİ,x\n")
            .replace("bir\n", "bir,x\n"),
            "column 'Model' is unknown; is 'model' meant",
        ),
        (
            GOOD.replace("answer\n", "answer,remark\n")
            .replace("ESİ\n", "ESİ,x\n")
            .replace("bir\n", "bir,x\n"),
            "column 'remark' is unknown; take it out",
        ),
        (
            GOOD.replace("answer\n", "answer,answer\n")
            .replace("ESİ\n", "ESİ,x\n")
            .replace("bir\n", "bir,x\n"),
            "column 'answer.1' is unknown; is 'answer' meant",
        ),
        (HEAD + GOOD.splitlines()[1] + "\n", "session 1 has no episodic answer"),
        (
            GOOD + GOOD.splitlines()[1] + "\n",
            "rows 2, 4 .*: stateless 1 semantic",
        ),
    ],
)
def test_a_bad_table_names_file_row_and_column(tmp_path, text, message):
    path = tmp_path / "chat.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        read_sessions(path)
    assert "chat.csv" in str(error.value)


def test_a_model_may_be_called_by_a_number(tmp_path):
    path = tmp_path / "chat.csv"
    rows = GOOD.replace("answer\n", "answer,model\n").replace("ESİ\n", "ESİ,01\n")
    path.write_text(rows.replace("bir\n", "bir,01\n"), encoding="utf-8")
    assert read_sessions(path).model.tolist() == ["01", "01"]


def test_what_a_cut_answer_ends_with_is_not_scored(tmp_path):
    path = tmp_path / "chat.csv"
    path.write_text(GOOD.replace(",1,bir", ",12,Deney 12"), encoding="utf-8")
    whole = read_sessions(path)
    assert score_sessions(whole, 1e-6).x.tolist() == [1, 1]
    cut = whole.assign(state=["ok", "truncated"])
    assert score_sessions(cut, 1e-6).mark.tolist() == ["right", "unparseable"]


@pytest.mark.parametrize("date_in", ["system", "message"])
def test_phases_differ_in_nothing_but_the_thread(tmp_path, date_in):
    alone = phase_prompts("stateless", PLAN, {"max_tokens": 24}, date_in)
    thread = phase_prompts("persistent", PLAN, {"max_tokens": 24}, date_in)
    assert [len(prompt.turns) for prompt in alone] == [2] * 20
    assert [len(prompt.turns) for prompt in thread] == [40]
    turns = {(t.facts["session"], t.facts["task"]): t for p in alone for t in p.turns}
    for turn in thread[0].turns:
        assert turn == turns[turn.facts["session"], turn.facts["task"]]
        dated = turn.facts["date"][:4] in turn.system + turn.user
        assert dated or turn.facts["task"] == "episodic"
    write_prompts(tmp_path / "p.jsonl", thread)
    assert read_prompts(tmp_path / "p.jsonl")[0].turns == thread[0].turns


def test_the_weekday_can_be_read_from_every_sessions_date():
    for session in PLAN:
        day = DAYS[session.language][session.day.weekday()]
        assert day in session.turns("system", "en")[0].system
        assert day in session.turns("message", "en")[0].user


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plan_sessions(0, "2025-08-11", ["en"]), "at least one"),
        (lambda: plan_sessions(2, "2025-08-11", ["fr"]), "aas.languages"),
        (lambda: phase_prompts("both", PLAN), "phase 'both'"),
        (lambda: phase_prompts("stateless", PLAN, {}, "nowhere"), "aas.date_in"),
    ],
)
def test_a_bad_plan_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def replies(prompts, say) -> pd.DataFrame:
    rows = [
        {"id": prompt.id, "sample": 0, "turn": number, "state": "ok", "text": say(turn.facts)}
        for prompt in prompts
        for number, turn in enumerate(prompt.turns)
    ]
    return pd.DataFrame(rows)


def test_replies_become_sessions_in_order():
    prompts = phase_prompts("stateless", PLAN)
    answers = answers_from_replies("m", prompts, replies(prompts, lambda f: f["expected"]))
    scored = score_sessions(answers, 1e-6)
    assert scored.session.tolist() == [n for n in range(1, 21) for _ in "ab"]
    assert scored.x.eq(1).all()
    with pytest.raises(ValueError, match=r"no reply to prompt 'stateless-0\d', turn 1"):
        answers_from_replies("m", prompts, replies(prompts, str).query("turn == 0"))


def test_the_scripts_plan_and_score(tmp_path):
    import draw_sessions
    import plan_sessions as plan_script
    import score_sessions as score_script

    paths = [tmp_path / f"{phase}.jsonl" for phase in ("stateless", "persistent")]
    plan_script.main(
        paths, phases=["stateless", "persistent"], sessions=4,
        start="2025-08-11", languages=["en", "tr"], date_in="message",
        parameters={"max_tokens": 24},
    )  # fmt: skip
    files = []
    for number, path in enumerate(paths):

        def say(prompt, sample, turn, facts):
            return facts["expected"] if facts["session"] < 3 else "9"

        files.append(write_replies(path, tmp_path / f"{1 - number}.jsonl", say))
    own = tmp_path / "own.csv"
    own.write_text(GOOD, encoding="utf-8")
    tables = [tmp_path / f"{name}.csv" for name in ("sessions", "by_session", "summary")]
    reading = {"epsilon": 1e-6, "weights": {"semantic": 1, "episodic": 1}, "normalise": False}
    score_script.main(paths, files, [own], *tables, reading=reading)
    summary = read_table(tables[2], SUMMARY).query("registered and redundancy == 'zero'")
    assert summary.model.tolist() == ["scripted", "scripted", "own"]
    # sessions 3 and 4 miss both: 2 · 2 · log2(1e6 + 1) / 4
    assert summary.mean_aas.tolist() == pytest.approx([19.93157, 19.93157, 0], abs=1e-5)
    figures = [tmp_path / "f.svg", tmp_path / "f.pdf"]
    draw_sessions.main(tables[1], *figures)
    before = [figure.read_bytes() for figure in figures]
    draw_sessions.main(tables[1], *figures)
    assert before == [figure.read_bytes() for figure in figures]
    with pytest.raises(ValueError, match="no sessions to score"):
        score_script.main([], [], [], *tables, reading=reading)


def test_dates_of_ones_own_stand_in_the_place_of_consecutive_ones():
    plan = plan_sessions(3, "2025-08-11", ["en"], ["2024-08-10", "2024-08-13", "2024-09-03"])
    assert [session.day.isoformat() for session in plan] == [
        "2024-08-10",
        "2024-08-13",
        "2024-09-03",
    ]
    assert [session.facts()[0]["expected"] for session in plan] == [
        "Saturday",
        "Tuesday",
        "Tuesday",
    ]


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        (["2024-08-10"], "1 for 2 sessions; one each is needed, in order"),
        (["2024-08-11", "2024-08-10"], "2 for 2 sessions; one each is needed, in order"),
        (["2024-08-11", "2024-08-11"], "one each is needed, in order"),
        (["2024-08-11", "August"], "aas.dates, entry 2: 'August' is no date, as in 2025-08-11"),
    ],
)
def test_dates_that_are_none_or_out_of_order_are_refused(dates, message):
    with pytest.raises(ValueError, match=message):
        plan_sessions(2, "2025-08-11", ["en"], dates)
