"""Judged accuracy by a judge: who is asked what, once and blind, and what becomes of it."""

from __future__ import annotations

import json
from contextlib import chdir
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.memory_study import corpus
from support.scripts import load_script
from support.small_zoo import SIZE, measured, seen
from veridical.base.config import ConfigError, check_config
from veridical.base.tables import read_table
from veridical.ledger.replies import read_replies
from veridical.memories.faults import FAULTS
from veridical.models.prompts import read_prompts
from veridical.report.part import make_section
from veridical.report.study import Study
from veridical.report.wording import Wording
from veridical.zoo.asks import asks, judge_of
from veridical.zoo.counting import tables
from veridical.zoo.instruments import instruments
from veridical.zoo.judging import (
    Case,
    cases,
    distinct,
    instrument,
    judge_prompts,
    rights,
    run_judged,
    scores,
    verdict_table,
)
from veridical.zoo.measuring import Design, Run, concluded
from veridical.zoo.scores import says
from veridical.zoo.studies import draw_study, shortened
from veridical.zoo.tables import TABLES, VERDICTS

ROOT = Path(__file__).parents[2]
JUDGE = {"studies": 60, "encounters": 36, "parameters": {"max_tokens": 8}}
PLANTED = ("drops-partner", "silence")
# A scripted judge that makes no mistake: right where the right name stands in the answer.
EXACT = [
    {"match": r"right answer:\n```\n(.+)\n[\s\S]*\b\1\b", "reply": "right"},
    {"match": ".", "reply": "wrong"},
]


@cache
def judged() -> tuple[Run, ...]:
    """The judged studies of two faults and one sound memory, with their cases."""
    design = Design(SIZE, 0, seed=1, faults=PLANTED, sound=("words",), around=("words",))
    return tuple(run_judged(corpus(), design, JUDGE))


def settle(right: dict[Case, bool]) -> pd.DataFrame:
    """What a judge of these verdicts comes to, a row an instrument."""
    found = [Run(**vars(run) | {"saw": dict(run.saw)}) for run in judged()]
    control3 = [each for each in instruments() if each.key in ("control3", "recall")]
    every = [*control3, instrument(right)]
    runs = [*measured(PLANTED, 2, control3, sound=("words",), around=("words",)),
            *concluded(found, every[-1:])]  # fmt: skip
    return tables(runs, every)


def by_name(case: Case) -> bool:
    return says(case.reply, case.expected)


def test_a_judge_that_makes_no_mistake_sees_what_exact_match_sees():
    made = settle({case: by_name(case) for case in distinct(judged())})
    rates = made["rates"].set_index(["subject", "instrument"])
    assert rates.loc[("drops-partner", "judged"), ["noticed", "studies"]].tolist() == [60, 60]
    assert rates.loc[("silence", "judged"), "share"] == 1
    assert rates.loc[("words", "judged"), "noticed"] == 0
    row = made["instruments"].set_index("instrument").loc["judged"]
    assert (row["seen"], row["faults"], row["group"], row["void"]) == (2, 2, "others", False)
    threshold = made["thresholds"].set_index(["store", "instrument"]).loc["words", "judged"]
    assert (threshold["studies"], threshold["threshold"], threshold["mean"]) == (60, 1, 1)


def test_a_judge_that_calls_every_answer_right_sees_silence_alone():
    rates = settle(dict.fromkeys(distinct(judged()), True))["rates"]
    share = rates.set_index(["subject", "instrument"])["share"]
    assert share["drops-partner", "judged"] == 0
    assert share["silence", "judged"] == 1  # nothing was answered, so no judge is asked


def test_a_judge_that_calls_nothing_right_sees_nothing():
    rates = settle(dict.fromkeys(distinct(judged()), False))["rates"]
    assert rates[rates["instrument"] == "judged"]["noticed"].sum() == 0


def test_together_is_what_is_put_to_the_same_studies():
    """Two studies of the others, sixty of the judge's, of which "scores" knows nothing."""
    rates = settle(dict.fromkeys(distinct(judged()), True))["rates"]
    studies = rates[rates["subject"] == "silence"].set_index("instrument")["studies"]
    assert studies.to_dict() == {
        "control3": 2, "recall": 2, "controls": 2, "scores": 2, "judged": 60
    }  # fmt: skip


def test_a_study_is_right_by_the_share_of_its_answers():
    one, two = Case("With whom?", "Al", "met Al"), Case("With whom?", "Al", "met Bo")
    silent = Case("With whom?", "Al", " ")
    right = {one: True, two: False}
    assert scores(right, [(one, two, silent, one), (two,), (silent,)]) == [0.5, 0, 0]
    with pytest.raises(ValueError, match=r"an answer to 'Who\?' was not judged"):
        scores(right, [(one,), (Case("Who?", "Al", "Al"),)])


def test_a_case_holds_what_was_answered_from_the_true_memory_and_no_more():
    study = seen("rebinds")
    told = cases(study)
    answers = study.of("veridical")
    assert len(told) == 24
    assert [case.reply for case in told] == [each.reply for each in answers]
    assert {case.expected for case in told} == set(study.plan.partners)
    assert any(not by_name(case) for case in told)


def test_each_distinct_answer_is_shown_once_and_the_order_tells_nothing():
    found = distinct(judged())
    every = [case for run in judged() for case in run.saw["judged"]]
    assert len(found) == len(set(found)) == len({case for case in every if case.reply})
    assert len(found) < len(every) / 20  # studies have answers in common
    sheets = list(judge_prompts(found, "en", np.random.default_rng(3), {"max_tokens": 8}))
    shown = [Case(*(sheet.turns[0].facts[name] for name in Case._fields)) for sheet in sheets]
    assert sorted(shown) == found != shown
    assert [sheet.id for sheet in sheets[:2]] == ["answer-0001", "answer-0002"]
    again = list(judge_prompts(found, "en", np.random.default_rng(3), {"max_tokens": 8}))
    assert again == sheets
    matched = [by_name(case) for case in shown]
    alike = np.mean([one == two for one, two in pairwise(matched)])
    assert alike < 0.7  # neither kind stands in a block of its own


def test_the_judge_is_blind():
    """No sheet, nor what travels with it, tells the memory, its fault, the bank or the probe."""
    for sheet in judge_prompts(distinct(judged()), "en", np.random.default_rng(3)):
        (turn,) = sheet.turns
        assert set(turn.facts) == {"question", "expected", "reply", "right"}
        assert not sheet.facts
        assert turn.document is None
        text = json.dumps(turn.to_dict()).lower()
        names = [name for name in FAULTS if "-" in name]  # the others are words of lives, too
        assert not any(name in text for name in (*names, "veridical", "corrupted"))
        assert turn.form.options == ("right", "wrong")
        assert turn.user.count("```") == 6  # three texts, each between bars


def replies(*rows: tuple) -> pd.DataFrame:
    """A judge's replies by question, expected, reply, state and value."""
    names = ("question", "expected", "reply")
    return pd.DataFrame(
        [
            {
                "model": "kind",
                "facts": {**dict(zip(names, row[:3], strict=True)), "right": "right"},
                "state": row[3],
                "value": row[4],
            }
            for row in rows
        ]
    )


def test_verdicts_are_read_beside_exact_match_and_counted():
    told = replies(
        ("Q1", "Al", "met Al", "ok", "right"),
        ("Q1", "Al", "met someone", "ok", "right"),
        ("Q2", "Bo", "met Bo", "ok", "wrong"),
        ("Q2", "Bo", "met Al", "unparseable", None),
    )
    first, second = Case("Q1", "Al", "met Al"), Case("Q2", "Bo", "met Bo")
    runs = [Run("usual", "x", "words", 1.0, n, {"judged": (first, second)}) for n in range(3)]
    table = verdict_table(told, [*runs, Run("sound", "w", "w", None, 0, {"judged": (first,)})])
    assert list(table.columns) == list(VERDICTS.names)
    # by the right answer of each: "met Al" is none to Q2
    assert table["matched"].tolist() == [True, False, False, True]
    assert table["right"].tolist() == [True, True, False, False]
    assert table["times"].tolist() == [4, 0, 0, 3]
    assert rights(table)[first]
    assert not rights(table)[second]
    assert set(table["judge"]) == {"kind"}


@pytest.mark.parametrize(
    ("zoo", "control1", "expected"),
    [
        ({"studies": 60}, None, None),
        ({"studies": 60}, ["a", "b"], "a"),  # a judge of the study, where there is one
        ({"studies": 60, "model": "c"}, ["a", "b"], "c"),
        ({"studies": 60, "model": "c"}, None, "c"),
        ({"studies": 0, "model": "c"}, ["a"], None),
        ({"studies": 60}, [], None),
    ],
)
def test_who_judges(zoo, control1, expected):
    config = {"zoo": {"judge": zoo}} | ({"control1": {"judges": control1}} if control1 else {})
    assert judge_of(config) == expected


def config(**judge: object) -> dict:
    return {
        "study": "s",
        "seed": 1,
        "models": {"m": {"provider": "scripted", "model": "m"}},
        "control3": {"corpora": ["A"], "responders": ["m"]},
        "zoo": {"studies": 60, "judge": judge},
    }


def test_the_judge_is_one_of_the_models_and_its_calls_are_estimated(monkeypatch):
    monkeypatch.chdir(ROOT)
    full = check_config(config(model="m", encounters=40))
    (ask,) = asks(full, {})
    assert (ask.collection, ask.model.name, ask.calls) == ("zoo", "m", 25 * 40)
    assert list(asks(check_config(config()), {})) == []
    with pytest.raises(ConfigError, match="zoo/judge/model: no model 'n' under models"):
        check_config(config(model="n"))
    with pytest.raises(ConfigError, match="zoo/judge/judges: unknown key"):
        check_config(config(judges=["m"]))


def test_lives_of_judged_studies_are_drawn_from_few_encounters():
    few = shortened(corpus(), 36, np.random.default_rng(1))
    assert few.encounters["partner"].value_counts().to_dict() == dict.fromkeys(few.partners, 18)
    ids = list(corpus().encounters["encounter_id"])
    kept = list(few.encounters["encounter_id"])
    assert kept == [id for id in ids if id in set(kept)]  # in the order of the log
    again = shortened(corpus(), 36, np.random.default_rng(1))
    assert list(again.encounters["encounter_id"]) == kept
    other = shortened(corpus(), 36, np.random.default_rng(2))
    assert list(other.encounters["encounter_id"]) != kept
    plan = draw_study(few, SIZE, np.random.default_rng(5))
    assert len(plan.probes) == 24


@pytest.mark.parametrize(
    ("encounters", "words"),
    [(1_000, "1000 encounters need 500 with .* lower zoo/judge/encounters"),
     (20, "a life of 30 entries needs 15 encounters with")],
)  # fmt: skip
def test_too_many_or_too_few_encounters_are_named(encounters, words):
    design = Design(SIZE, 0, faults=(), sound=("words",))
    with pytest.raises(ValueError, match=f"corpus A: {words}"):
        run_judged(corpus(), design, {"studies": 1, "encounters": encounters})


def written(folder: Path, rows: list) -> tuple[Path, Path]:
    """Sheets and a scripted judge's replies, by the scripts and through a ledger."""
    sheets, said = folder / "answers.jsonl", Path("results/s/zoo/replies/answers/any.jsonl")
    load_script("zoo/write_sheets.py").main(
        [ROOT / "data/corpora/A/corpus.yaml"],
        sheets,
        entries=30,
        probes=4,
        k=5,
        seed=3,
        around=["facts"],
        judge={"studies": 1, "encounters": 32, "parameters": {"max_tokens": 8}},
    )
    entry = {"provider": "scripted", "model": "any", "structured": "grammar", "replies": rows}
    with chdir(folder):
        load_script("ledger/collect_replies.py").main(
            sheets,
            said,
            model="any",
            entry=entry,
            ledger=Path("data/ledger/s/zoo/any.sqlite"),
            collection="zoo",
        )
    return sheets, folder / said


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The part's tables with a scripted judge, from its scripts."""
    folder = tmp_path_factory.mktemp("zoo")
    sheets, said = written(folder, EXACT)
    names = [each.name.rpartition("/")[2] for each in TABLES]
    paths = {name: folder / f"{name}.csv" for name in names}
    load_script("zoo/measure_zoo.py").main(
        [ROOT / "data/corpora/A/corpus.yaml"],
        **paths,
        entries=30,
        probes=4,
        k=5,
        cells=1,
        seed=3,
        design={"studies": 1, "power_studies": 0, "strengths": [], "around": ["facts"]},
        yours={},
        judge={"studies": 1, "encounters": 32, "parameters": {"max_tokens": 8}},
        replies=said,
    )
    tables = {each.name: read_table(paths[each.name.rpartition("/")[2]], each) for each in TABLES}
    return tables, sheets, said


def test_a_judge_of_the_study_grades_through_the_ledger(whole):
    tables, sheets, said = whole
    verdicts, asked = tables["zoo/verdicts"], read_prompts(sheets)
    told = read_replies(said)
    assert len(verdicts) == len(asked) == len(told) > 10
    assert told["key"].notna().all()  # each stands in the ledger under its key
    assert verdicts["right"].tolist() == verdicts["matched"].tolist()
    assert 0 < verdicts["right"].sum() < len(verdicts)
    assert (verdicts["times"] > 0).all()
    assert set(asked[0].parameters) == {"max_tokens"}


def test_with_a_judge_exact_match_keeps_a_column_of_its_own(whole):
    tables = whole[0]
    group = tables["zoo/instruments"].set_index("instrument")["group"]
    assert {"judged", "matched"} <= set(group[group == "others"].index)
    without = {each.key for each in instruments()}
    assert "judged" in without
    assert "matched" not in without
    faults = set(tables["zoo/rates"].query("instrument == 'judged' and side != 'sound'")["subject"])
    assert faults == set(FAULTS)


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_page_names_the_judge_and_counts_its_verdicts(whole, language):
    tables = dict(whole[0])
    verdicts = tables["zoo/verdicts"].assign(judge="the-judge")
    verdicts.loc[verdicts.index[0], "state"] = "unparseable"
    tables["zoo/verdicts"] = verdicts
    config = {"study": "s", "control3": {"document_encounters": 30, "probes": 4}}
    words = Wording.read(language)
    made = make_section(_part(), Study("s", config, tables), words)
    assert any("the-judge" in text for text in made.method)
    said = {each.key.rpartition(".")[2]: str(each) for each in made.finding.details}
    assert {"judge", "unread"} <= set(said)
    for count in (len(verdicts), int(verdicts["matched"].sum()), int((~verdicts["matched"]).sum())):
        assert str(count) in said["judge"]
    assert len(made.tables) == 6
    for column in ("judge", "matched", "right", "times"):
        assert words.of("zoo").heading(column) != column
    assert words.of("zoo").value("instrument", "matched") != "matched"


@pytest.mark.parametrize("language", ["en", "it"])
def test_without_a_judge_the_page_says_that_it_is_exact_match(whole, language):
    from support.fixture_zoo import zoo_tables

    config = {"study": "s", "control3": {"document_encounters": 30, "probes": 24}}
    made = make_section(_part(), Study("s", config, zoo_tables()), Wording.read(language))
    name = {"en": "exact match", "it": "coincidenza esatta"}[language]
    assert any(name in text for text in made.method)
    assert len(made.tables) == 5


def test_what_judge_and_exact_match_differ_about_comes_first():
    from veridical.zoo.page import _odd_first

    table = pd.DataFrame({"matched": [True, True, False], "right": [True, False, False]})
    assert _odd_first(table).index.tolist() == [1, 0, 2]


def _part():
    from veridical.zoo.page import PART

    return PART
