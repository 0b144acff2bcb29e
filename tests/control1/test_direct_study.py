"""Direct pairs from the config on: what is refused and asked, by scripts, and whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from conftest import copy_project
from support.control1_study import METRICS
from support.direct_study import SETTINGS
from support.scripts import load_script
from veridical.base.brought import idle
from veridical.base.config import ConfigError, check_config
from veridical.base.tables import read_table, write_table
from veridical.check.languages import texts_of
from veridical.control1.asks import MEMORY_TOKENS, SHEET_TOKENS, asks
from veridical.control1.direct.tables import ALONE, CHOICES, CHOOSERS, PANEL, PREFERENCES
from veridical.control1.tables import BLINDING, POSITIVE, RESPONSES
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import COLUMNS
from veridical.models.prompts import read_prompts

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "data/corpora/A"
NAMES = ("preferences", "alone", "panel", "choosers")


def study(**part):
    models = {"m": {"provider": "scripted", "model": "m", "structured": "grammar"}}
    own = {"corpora": ["A"], "responders": ["m"], "judges": ["m"], "pairs": "direct", **part}
    own = {key: value for key, value in own.items() if value is not None}
    return {
        "study": "s", "seed": 1, "models": models,
        "documents": {"author": "m", "author_form": "entries", "length_tolerance": 0.5},
        "control1": own,
    }  # fmt: skip


def test_the_default_stays_what_stood():
    part = check_config(study(pairs=None))["control1"]
    assert (part["pairs"], part["preference_margin"]) == ("anchored", 0.15)
    assert check_config(study())["control1"]["pairs"] == "direct"


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"pairs": "straight"}, "control1/pairs: 'straight' is not one of"),
        ({"preference_margin": 0}, "control1/preference_margin"),
        ({"preference_margin": 0.5}, "control1/preference_margin"),
        ({"original_csv": "CONTRIBUTING.md", "reversed": False}, "control1/original_csv: holds"),
        ({"rationale": True, "metrics": {"rationale": {"question": "q", "low": "l", "high": "h"}}},
         "one called 'rationale'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_to_do(part, says, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(ConfigError, match=says):
        check_config(study(**part))


def test_finished_scores_are_no_choices(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = tmp_path / "mine.csv"
    path.write_text("judge,metric\none,tone\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="verdicts_csv: holds scores beside an anchor"):
        check_config(study(verdicts_csv=str(path), corpora=None, responders=None, judges=None))


@pytest.mark.parametrize(
    ("pairs", "idle_ones"),
    [
        ("direct", {"equivalence_bound", "registered", "resamples"}),
        ("anchored", {"preference_margin"}),
    ],
)
def test_settings_of_the_other_kind_of_pairs_decide_nothing(pairs, idle_ones):
    config = {"control1": {"pairs": pairs}}
    keys = ("equivalence_bound", "registered", "resamples", "preference_margin", "judges")
    assert {key for key in keys if idle(config, f"control1/{key}")} == idle_ones


def test_the_texts_that_a_language_must_have():
    for sheet, needed in (("blind", "sheet-direct"), ("open", "sheet-direct-open")):
        part = {"metrics": ["memory_reference"], "wording": {}, "pairs": "direct", "sheet": sheet}
        found = texts_of({"control1": part}, "control1")
        assert {needed, "rubric-direct", "metrics"} <= set(found)
        assert not {"sheet", "sheet-open", "rubric"} & set(found)


@pytest.mark.parametrize("sheet", ["blind", "open"])
def test_what_is_asked_is_counted(sheet):
    """49 answers and 7 without a document, no anchors; 42 pairs, 7 with none, 49 turned round, a
    tenth again and 7 quotations. Anchored it would be 49 + 7 + 7 + 5 + 7."""
    config = check_config(study(sheet=sheet))
    corpus = read_corpus(CORPUS)
    corpus.test_day["anchor"] = ""  # anchors that the responder would have to give
    found = {ask.collection: ask for ask in asks(config, {"A": corpus})}
    assert found["responses"].calls == 56
    assert found["verdicts"].calls == 42 + 7 + 49 + 5 + 7
    tokens = SHEET_TOKENS + MEMORY_TOKENS * (sheet == "open")
    assert found["verdicts"].tokens == tokens
    anchored = {a.collection: a.calls for a in asks(check_config(study(pairs="anchored")),
                                                    {"A": corpus})}  # fmt: skip
    assert anchored == {"responses": 63, "verdicts": 75}


def said_to(prompts, out, say, model):
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for prompt in read_prompts(prompts):
        state, value = say(prompt)
        line = dict.fromkeys(COLUMNS) | {"id": prompt.id, "sample": 0, "turn": 0, "state": state}
        line |= {"model": model, "facts": dict(prompt.facts), "value": value, "attempt": 1}
        text = value if isinstance(value, str) else json.dumps(value)
        lines.append(line | {"text": text, "served_model": "scripted", "exchanges": []})
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def reads(prompt):
    """A judge that reads: whose answer was given with the real memory, or quotes it."""
    parts = prompt.turns[0].user.split("Answer B:")
    own = ["with veridical" in part or "with Llama" in part or "Llama and I" in part or
           "DeepSeek and I" in part for part in parts]  # fmt: skip
    side = "neither" if own[0] == own[1] else "A" if own[0] else "B"
    return "ok", dict.fromkeys(METRICS, side)


def breaks(prompt):
    """The same, but on one pair it says something else."""
    broken = "with shuffled-2" in prompt.turns[0].user
    return ("unparseable", "I prefer the first.") if broken else reads(prompt)


DOCUMENTS = ["veridical", "foreign-1", "foreign-2", "shuffled-1", "shuffled-2", "encounter-log"]


def run(name, *paths, **values):
    load_script(f"control1/{name}.py").main(*paths, **values)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """From documents to choices by the scripts: a judge that reads and one that breaks off."""
    at = tmp_path_factory.mktemp("direct")
    paths = [at / f"{name}.txt" for name in DOCUMENTS]
    for path in paths:
        path.write_text(f"a memory under {path.stem}\n", encoding="utf-8")
    run("write_response_prompts", CORPUS, paths, at / "responses.jsonl", seed=1, parameters={},
        none=True, pairs="direct")  # fmt: skip
    said_to(
        at / "responses.jsonl",
        at / "said.jsonl",
        lambda prompt: ("ok", f"with {prompt.facts['document']}"),
        "m",
    )
    run("gather_responses", [CORPUS], [at / "responses.jsonl"], [at / "said.jsonl"],
        at / "responses.csv", pairs="direct")  # fmt: skip
    line = "2025-03-{0:02d} — met Bo — the boat of {0}: mended by a stranger, {0} oars\n"
    lives = [at / f"strangers/foreign-{seed}.txt" for seed in (1, 2)]
    lives[0].parent.mkdir()
    for path in lives:
        path.write_text("".join(line.format(day) for day in range(1, 9)), encoding="utf-8")
    run("write_positive_pairs", [CORPUS], lives, at / "positive.csv", seed=1, pairs=6)
    beside = {"none": True, "reversed": True, "repeated": 0.1, "positive": 6}
    run("blind_responses", [CORPUS], at / "responses.csv", at / "positive.csv", at / "map.csv",
        seed=1, cells=[("m", "A")], judges=["one", "two"], beside=beside,
        pairs="direct")  # fmt: skip
    (at / "sheets").mkdir()
    for judge, say in (("one", reads), ("two", breaks)):
        run("write_sheets", [CORPUS], at / "responses.csv", at / "map.csv", at / "positive.csv",
            at / f"sheets/{judge}.jsonl", model=judge, metrics=list(METRICS), rationale=False,
            parameters={}, pairs="direct")  # fmt: skip
        said_to(at / f"sheets/{judge}.jsonl", at / f"verdicts/{judge}.jsonl", say, judge)
    replies = [at / f"verdicts/{judge}.jsonl" for judge in ("one", "two")]
    run("read_choices", at / "map.csv", replies, at / "choices.csv", metrics=list(METRICS))
    return at


def analysed(folder, **more):
    settings = {**SETTINGS, "judges": ["one", "two"], **more}
    paths = [folder / f"{name}.csv" for name in NAMES]
    run("test_preferences", folder / "choices.csv", folder / "map.csv", *paths, seed=1,
        settings=settings)  # fmt: skip
    contracts = (PREFERENCES, ALONE, PANEL, CHOOSERS)
    return [read_table(path, contract) for path, contract in zip(paths, contracts, strict=True)]


def test_no_anchor_is_asked_for_and_the_corpus_own_are_left_aside(folder):
    asked = {prompt.facts["document"] for prompt in read_prompts(folder / "responses.jsonl")}
    assert asked == {*DOCUMENTS[:-1], "none"}
    drawn = read_table(folder / "map.csv", BLINDING)
    assert "veridical" not in set(drawn["condition"])
    assert (drawn["session"].value_counts() // 2).to_dict() == {
        "reversed": 35, "counterfeit": 28, "none": 7, "positive": 6, "repeated": 3,
    }  # fmt: skip
    anchors = read_table(folder / "responses.csv", RESPONSES).query("condition == 'anchor'")
    for prompt in read_prompts(folder / "sheets/one.jsonl"):
        assert not any(anchor in prompt.turns[0].user for anchor in anchors["text"])


def test_sheets_are_the_same_for_every_rng_but_the_judges_own(folder):
    one, two = (read_prompts(folder / f"sheets/{judge}.jsonl") for judge in ("one", "two"))
    assert len(one) == len(two) == 79
    assert {prompt.id for prompt in one} & {prompt.id for prompt in two} == set()
    assert [p.turns[0].user for p in one] != [p.turns[0].user for p in two]
    again = [prompt for prompt in one if prompt.take]
    assert len(again) == 3  # asked anew, never taken from the ledger


def test_broken_verdicts_stop_the_analysis_by_name_and_stay_out_when_told(folder):
    with pytest.raises(ValueError, match=r"15 verdicts are incomplete \(two 15 of 79\).*not JSON"):
        analysed(folder)
    found, alone, panel, choosers = analysed(folder, omit_incomplete=True)
    assert set(found["finding"]) == {"prefers own"}
    lost = choosers.set_index(["judge", "metric"]).loc[("two", METRICS[0])]
    assert (lost["sheets"], lost["incomplete"]) == (64, 15)
    shuffled = found[found["contrast"] == "veridical-shuffled"]
    assert (shuffled["n_documents"] == 2).all()  # the other judge saw both
    assert set(panel.query("test == 'quoted'")["finding"]) == {"sensitive"}
    assert set(alone["judge"]) == {"one", "two"}


def test_it_comes_out_byte_for_byte_again(folder):
    analysed(folder, omit_incomplete=True)
    before = [(folder / f"{name}.csv").read_bytes() for name in NAMES]
    analysed(folder, omit_incomplete=True)
    assert before == [(folder / f"{name}.csv").read_bytes() for name in NAMES]


def test_where_no_bank_is_admitted_every_table_is_there(tmp_path):
    write_table(pd.DataFrame(columns=CHOICES.names), tmp_path / "choices.csv", CHOICES)
    write_table(pd.DataFrame(columns=BLINDING.names), tmp_path / "map.csv", BLINDING)
    paths = [tmp_path / f"{name}.csv" for name in NAMES]
    run("read_choices", tmp_path / "map.csv", [], tmp_path / "choices.csv", metrics=list(METRICS))
    run("test_preferences", tmp_path / "choices.csv", tmp_path / "map.csv", *paths, seed=1,
        settings={**SETTINGS, "memory": "store"}, declared={"A": ["foreign-1", "none"]},
        cells=[("m", "A")])  # fmt: skip
    found = read_table(paths[0], PREFERENCES)
    assert set(found["finding"]) == {"not admitted"}
    assert len(found) == 2 * len(METRICS)
    rest = zip(paths[1:], (ALONE, PANEL, CHOOSERS), strict=True)
    assert all(read_table(path, contract).empty for path, contract in rest)


@pytest.mark.parametrize("every", [False, True], ids=["one", "every"])
def test_a_kind_without_one_whole_pair_is_told_from_one_not_admitted(folder, tmp_path, every):
    choices = read_table(folder / "choices.csv", CHOICES)
    lost = ("foreign", "shuffled", "none") if every else ("foreign",)
    gone = choices["condition"].isin(lost) | every
    choices.loc[gone, ["state", "reason", "preferred"]] = ["incomplete", "no choice", None]
    write_table(choices, tmp_path / "choices.csv", CHOICES)
    paths = [tmp_path / f"{name}.csv" for name in NAMES]
    declared = {"A": ["foreign-1", "shuffled-1", "partial-30-1", "none"]}
    run("test_preferences", tmp_path / "choices.csv", folder / "map.csv", *paths, seed=1,
        settings={**SETTINGS, "judges": ["one", "two"], "omit_incomplete": True},
        declared=declared, cells=[("m", "A")])  # fmt: skip
    found = read_table(paths[0], PREFERENCES).set_index("contrast")["finding"]
    for kind in lost:
        assert set(found[[f"veridical-{kind}"]]) == {"no verdict"}
    assert set(found[["veridical-partial-30"]]) == {"not admitted"}
    assert set(found) - {"no verdict", "not admitted"} == (set() if every else {"prefers own"})


SHEETS = ("responses", "positive")


@pytest.mark.parametrize("pairs", ["anchored", "direct"])
def test_an_open_book_stands_above_either_kind_of_pair(folder, tmp_path, pairs):
    block = read_corpus(CORPUS).memory_block
    table = read_table(folder / "responses.csv", RESPONSES)
    write_table(table, tmp_path / "responses.csv", RESPONSES)
    run("blind_responses", [CORPUS], tmp_path / "responses.csv", folder / "positive.csv",
        tmp_path / "map.csv", seed=1, cells=[("m", "A")], judges=["one"],
        beside={"none": True, "reversed": 0, "repeated": 0, "positive": 0},
        pairs=pairs)  # fmt: skip
    run("write_sheets", [CORPUS], tmp_path / "responses.csv", tmp_path / "map.csv",
        folder / "positive.csv", tmp_path / "one.jsonl", model="one", metrics=list(METRICS),
        rationale=False, parameters={}, sheet="open", pairs=pairs)  # fmt: skip
    for prompt in read_prompts(tmp_path / "one.jsonl"):
        text = prompt.turns[0].user
        assert block in text
        assert ("Hold both answers against that document" in text) == (pairs == "direct")
        assert ("Give the scores" in text) == (pairs == "anchored")
    assert len(read_table(folder / "positive.csv", POSITIVE)) == 6


SMALL = {
    "study": "small",
    "seed": 7,
    "claims": {"studies": 2},
    "models": {
        "author": {"provider": "scripted", "model": "author", "structured": "grammar"},
        "drawn": {"provider": "scripted", "model": "drawn", "structured": "grammar"},
        "first": {"provider": "scripted", "model": "first", "replies": [
            {"match": "newcomer starts tomorrow", "reply": "the first one, surely"},
            {"match": ".", "reply": '{"identity_markers": "A", "memory_reference": "A"}'},
        ]},
    },
    "documents": {"author": "author", "author_form": "entries", "length_tolerance": 0.5,
                  "foreign_seeds": [1], "shuffled_seeds": [1]},
    "control1": {"corpora": ["A"], "responders": ["drawn"], "judges": ["drawn", "first"],
                 "pairs": "direct", "sheet": "open", "omit_incomplete": True, "attempts": 2},
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A whole study of direct pairs with nobody in it: one judge draws, one names the first."""
    copy = copy_project(tmp_path_factory.mktemp("small"))
    (copy / "config/small.yaml").write_text(yaml.safe_dump(SMALL), encoding="utf-8")
    for targets in (["all"], ["estimate"], ["check"], ["plan"]):
        done = started(copy, *targets)
        assert done.returncode == 0, done.stderr[-4000:]
    return copy


def started(copy, *targets):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *targets]
    return subprocess.run(
        [*command, "--configfile", "config/small.yaml"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "workflow")},
        capture_output=True,
        text=True,
        timeout=500,
    )


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_whole_study_goes_from_config_to_page(whole):
    results = whole / "results/small"
    page = (results / "report/index.html").read_text(encoding="utf-8")
    assert "stood on one sheet, as A and B" in page
    assert "open-book" in page
    assert "first chose the same on every sheet" in page  # its broken ones aside
    choosers = read_table(results / "control1/choosers.csv", CHOOSERS).set_index("judge")
    assert (choosers.loc["first", "first"] == 1).all()
    assert (choosers.loc["first", "incomplete"] > 0).all()
    assert (choosers.loc["drawn", "incomplete"] == 0).all()
    claims = pd.read_csv(results / "claims/claims.csv")
    assert "control1.prefers" in set(claims["claim"])
    assert "control1.equivalent" not in set(claims["claim"])
    for name in ("findings", "contrasts", "drift", "verdicts"):
        assert not (results / f"control1/{name}.csv").exists()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_its_choices_and_tables_are_sealed_and_nothing_is_left_to_do(whole):
    stages = {}
    for stage in ("responses", "verdicts", "results"):
        record = whole / f"data/freeze/small/control1-{stage}.json"
        stages[stage] = {e["path"] for e in json.loads(record.read_text())["files"]}
    assert "results/small/control1/choices.csv" in stages["verdicts"]
    assert "results/small/control1/blinding_map.csv" in stages["responses"]
    assert "results/small/control1/preferences.csv" in stages["results"]
    again = started(whole, "all")
    assert "Nothing to be done" in again.stdout + again.stderr
