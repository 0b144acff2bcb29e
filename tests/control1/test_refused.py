"""Control 1 through a memory system: a bank that is not admitted counts as p = 1, stops nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.control1_study import JUDGES, METRICS, verdicts
from support.control1_study import SETTINGS as STUDY_SETTINGS
from support.scripts import load_script
from veridical.base.tables import read_table, write_table
from veridical.control1 import panel_tables, tables
from veridical.control1.findings import find
from veridical.control1.lacking import asked_of, nothing_known
from veridical.control1.page import brief
from veridical.control1.panel_tables import INSTRUMENT, NOISE
from veridical.control1.responses import admitted
from veridical.control1.rules import conclude, examine, judged
from veridical.control1.tables import BLINDING, CONTRASTS, FINDING, RESPONSES, VERDICT
from veridical.corpora.corpus import read_corpus
from veridical.documents.given import Recalled, Whole, refused_banks, write_recalled
from veridical.ledger.replies import COLUMNS
from veridical.models.prompts import read_prompts
from veridical.report.study import Study
from veridical.report.wording import Wording, plain

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "data/corpora/A"
SETTINGS = STUDY_SETTINGS | {"memory": "store"}
DECLARED = ("foreign", "shuffled", "none")
HELD = ("foreign-1", "foreign-2", "shuffled-1", "none")  # the documents of these kinds
NAMES = ("veridical", "foreign-1", "foreign-2", "shuffled-1", "encounter-log", "none")
BESIDE = {"none": True, "reversed": 0.5, "repeated": 0.1, "positive": 0}
EN, IT = (Wording.read(language).of("control1") for language in ("en", "it"))
WHY = "not ingested: it says: bank 6 is full"


def run(name: str, *paths, **values) -> None:
    load_script(f"{name}.py").main(*paths, **values)


def banks(*refused: str) -> list[Recalled]:
    """What a store gave back for every item under every document, but for banks not admitted."""
    items = read_corpus(CORPUS).test_day["input"]
    return [
        Recalled(name, dict.fromkeys(items, "" if name == "none" else f"told by {name}"))
        if name not in refused
        else Recalled(name, {}, WHY)
        for name in NAMES
    ]


# --- which memories are asked under ---------------------------------------------------------------


def names(memories) -> list[str]:
    return [memory.name for memory in memories]


def test_whole_documents_are_never_refused():
    memories = [Whole(None)]
    assert admitted(memories) == memories
    assert admitted(banks()) == banks()


@pytest.mark.parametrize("refused", ["foreign-1", "foreign-2"])
def test_one_document_of_a_kind_takes_its_kind_along(refused):
    assert names(admitted(banks(refused))) == ["veridical", "shuffled-1", "encounter-log", "none"]


@pytest.mark.parametrize("refused", ["veridical", "encounter-log"])
def test_without_what_all_are_held_against_nobody_is_asked(refused):
    assert admitted(banks(refused)) == []


def test_without_any_counterfeit_nobody_is_asked():
    assert admitted(banks("foreign-1", "shuffled-1", "none")) == []
    assert names(admitted(banks("foreign-1", "shuffled-1"))) == [
        "veridical",
        "encounter-log",
        "none",
    ]


def test_why_a_bank_is_refused_is_read_back(tmp_path):
    write_recalled(tmp_path / "recalled.jsonl", banks("foreign-1", "none"))
    assert refused_banks(tmp_path / "recalled.jsonl") == {"foreign-1": WHY, "none": WHY}
    assert refused_banks(None) == {}


# --- from what came back to the findings, by the scripts ------------------------------------------


def reply_to(prompts: Path, out: Path, say, model: str) -> None:
    """A replies file in which `say(prompt)` is the text, or the object, of every reply."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for prompt in read_prompts(prompts):
        said = say(prompt)
        line = dict.fromkeys(COLUMNS) | {"id": prompt.id, "sample": 0, "turn": 0, "state": "ok"}
        text = said if isinstance(said, str) else json.dumps(said)
        line |= {"model": model, "facts": dict(prompt.facts), "value": said, "text": text}
        lines.append(line | {"served_model": "scripted", "attempt": 1, "exchanges": []})
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def score(prompt) -> dict:
    """A judge that reads: 0.2 more memory where the text says so."""
    texts = prompt.turns[0].user.split("Answer B:")
    lived = [0.4 + 0.2 * ("under veridical" in text) for text in texts]
    return {
        letter: {"identity_markers": 0.5, "memory_reference": value}
        for letter, value in zip("AB", lived, strict=True)
    }


def dumb(*kinds: str):
    """A judge that gives no scores where it reads an answer under one of these documents."""

    def say(prompt) -> dict | str:
        silent = any(f"under {kind}" in prompt.turns[0].user for kind in kinds)
        return {} if silent else score(prompt)

    return say


def study(at: Path, *refused: str, judge=score) -> Path:
    """Everything from what the store gave back to power, as the rules call it."""
    documents = []
    for name in NAMES[:-1]:
        documents.append(at / f"{name}.txt")
        documents[-1].write_text(f"a memory under {name}\n", encoding="utf-8")
    write_recalled(at / "recalled.jsonl", banks(*refused))
    asked = {"seed": 1, "parameters": {}, "none": True, "recalled": at / "recalled.jsonl"}
    run("control1/write_response_prompts", CORPUS, documents, at / "asked.jsonl", **asked)
    reply_to(at / "asked.jsonl", at / "said.jsonl", lambda p: f"under {p.facts['document']}", "r")
    files = ([at / "asked.jsonl"], [at / "said.jsonl"], at / "responses.csv")
    run("control1/gather_responses", [CORPUS], *files)
    write_table(pd.DataFrame(columns=tables.POSITIVE.names), at / "pairs.csv", tables.POSITIVE)
    files = (at / "responses.csv", at / "pairs.csv", at / "map.csv")
    drawn = {"seed": 1, "cells": [], "judges": JUDGES, "beside": BESIDE}
    run("control1/blind_responses", [CORPUS], *files, **drawn)
    (at / "sheets").mkdir()
    how = {"metrics": list(METRICS), "rationale": False, "parameters": {}}
    for name in JUDGES:
        sheets = at / f"sheets/{name}.jsonl"
        files = (at / "responses.csv", at / "map.csv", at / "pairs.csv", sheets)
        run("control1/write_sheets", [CORPUS], *files, model=name, **how)
        reply_to(sheets, at / f"verdicts/{name}.jsonl", judge, name)
    files = (at / "map.csv", [at / f"verdicts/{judge}.jsonl" for judge in JUDGES])
    run("control1/read_verdicts", *files, at / "verdicts.csv", metrics=list(METRICS))
    judged_by = (at / "verdicts.csv", at / "map.csv")
    out = [at / f"{n}.csv" for n in ("contrasts", "drift", "findings", "instrument", "noise")]
    values = {"seed": 1, "settings": SETTINGS | {"omit_incomplete": judge is not score}}
    declared = {"declared": {"A": HELD}, "cells": [("r", "A")]}
    run("control1/test_contrasts", *judged_by, *out, **values, **declared)
    run("control1/examine_judges", *judged_by, at / "judges.csv", **values)
    return at


@pytest.fixture(scope="module")
def nothing(tmp_path_factory) -> Path:
    """A store of which the true memory's bank is not admitted."""
    at = study(tmp_path_factory.mktemp("nothing"), "veridical")
    run(
        "control1/simulate_power",
        at / "verdicts.csv",
        at / "map.csv",
        at / "power.csv",
        seed=1,
        settings=SETTINGS,
    )
    return at


@pytest.fixture(scope="module")
def part(tmp_path_factory) -> Path:
    """A store of which one foreign document's bank is not admitted."""
    return study(tmp_path_factory.mktemp("part"), "foreign-2")


def test_without_the_true_memory_nobody_is_asked_and_every_cell_says_so(nothing, capsys):
    assert read_prompts(nothing / "asked.jsonl") == []
    assert all(read_prompts(nothing / f"sheets/{judge}.jsonl") == [] for judge in JUDGES)
    found = read_table(nothing / "findings.csv", FINDING)
    assert set(found["finding"]) == {"not admitted"}
    assert len(found) == len(METRICS) * len(DECLARED)
    for p in ("p_items_holm", "p_documents_holm", "p_same_hochberg"):
        assert (found[p] == 1).all()
    assert found["estimate"].isna().all()  # and not 0
    assert (found["n_items"] == 0).all()
    empty = {
        "responses": RESPONSES,
        "map": BLINDING,
        "verdicts": VERDICT,
        "contrasts": CONTRASTS,
        "drift": tables.DRIFT,
        "instrument": INSTRUMENT,
        "noise": NOISE,
        "judges": panel_tables.JUDGES,
        "power": panel_tables.POWER,
    }
    assert all(len(read_table(nothing / f"{n}.csv", c)) == 0 for n, c in empty.items())


@pytest.mark.parametrize(
    ("name", "source"),
    [("forest", "contrasts"), ("drift", "drift"), ("scores", "verdicts"), ("power", "power")],
)
def test_figures_say_why_there_is_nothing_to_draw(nothing, tmp_path, name, source):
    paths = [tmp_path / f"{name}.{suffix}" for suffix in ("svg", "pdf")]
    more = {"bound": 0.1} if name == "forest" else {}
    run(f"control1/draw_{name}", nothing / f"{source}.csv", *paths, **more)
    assert "it is not known that the memory arrived" in paths[0].read_text(encoding="utf-8")
    assert paths[1].stat().st_size > 500


def test_a_bank_that_fails_is_told_in_the_log(tmp_path, capsys):
    write_recalled(tmp_path / "recalled.jsonl", banks("foreign-2"))
    (tmp_path / "veridical.txt").write_text("a memory\n", encoding="utf-8")
    asked = {"seed": 1, "parameters": {}, "none": True, "recalled": tmp_path / "recalled.jsonl"}
    documents = [tmp_path / "veridical.txt", tmp_path / "foreign-2.txt"]
    documents[1].write_text("a memory\n", encoding="utf-8")
    run("control1/write_response_prompts", CORPUS, documents, tmp_path / "asked.jsonl", **asked)
    assert f"bank foreign-2 is not admitted: {WHY}" in capsys.readouterr().out


def test_what_is_admitted_goes_on_and_is_corrected_over_all_that_was_declared(part):
    prompts = read_prompts(part / "asked.jsonl")
    assert {p.facts["condition"] for p in prompts} == {"veridical", "shuffled", "none"}
    found = read_table(part / "findings.csv", FINDING).set_index(["metric", "contrast"])
    assert len(found) == len(METRICS) * len(DECLARED)
    gone = found.xs("veridical-foreign", level="contrast")
    assert set(gone["finding"]) == {"not admitted"}
    assert (gone[["p_items_holm", "p_documents_holm", "p_same_hochberg"]] == 1).all(axis=None)
    lived = found.loc[("memory_reference", "veridical-shuffled")]
    assert lived["estimate"] == pytest.approx(0.2)
    assert set(found["finding"]) > {"not admitted"}
    contrasts = read_table(part / "contrasts.csv", CONTRASTS)
    assert set(contrasts["contrast"]) == {"veridical-shuffled", "veridical-none"}


# --- the family -----------------------------------------------------------------------------------


def parts_of(seed: int, effect: float):
    _, every = verdicts(
        np.random.default_rng(seed), noise=0.05, effect=effect, judges=("one", "two")
    )
    items, documents = judged(every)
    return items, documents, examine(every, items, bound=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_a_cell_that_is_not_admitted_never_shrinks_the_family(seed):
    """Holm by hand over the four tests there are and the two that were declared beside them."""
    parts = parts_of(seed, effect=0.08)
    fewer = conclude(*parts, bound=0.1)
    more = conclude(*parts, bound=0.1, lacking=[("m", "A", "veridical-none")])
    assert len(more) == len(fewer) + 2
    old = more[more["contrast"] != "veridical-none"]
    for p in ("p_items", "p_same"):
        assert old[p].tolist() == fewer[p].tolist()
    ordered = np.sort(old["p_items"].to_numpy())
    steps = np.minimum(1, np.maximum.accumulate(ordered * (6 - np.arange(4))))
    assert np.sort(old["p_items_holm"].to_numpy()) == pytest.approx(steps)
    assert (old["p_items_holm"].to_numpy() >= fewer["p_items_holm"].to_numpy() - 1e-12).all()
    # answers with no document are no sample of any kind, so their test is in no such family
    assert old["p_documents_holm"].tolist() == pytest.approx(fewer["p_documents_holm"].tolist())


def test_a_kind_counts_in_the_family_over_documents_as_well():
    items, documents, panel = parts_of(1, effect=0.08)
    items, documents = (t[t["contrast"] != "veridical-foreign"] for t in (items, documents))
    alone = conclude(items, documents, panel, bound=0.1)
    beside = conclude(items, documents, panel, bound=0.1, lacking=[("m", "A", "veridical-foreign")])
    old = beside[beside["contrast"] != "veridical-foreign"]
    smallest = alone["p_documents"].min()
    assert alone["p_documents_holm"].min() == pytest.approx(min(1, 2 * smallest))
    assert old["p_documents_holm"].min() == pytest.approx(min(1, 4 * smallest))


def test_all_that_is_refused_has_no_estimate_and_no_finding():
    table = nothing_known(list(METRICS), [("m", "A", "veridical-foreign")])
    assert sorted(table.columns) == sorted(FINDING.names)
    assert table["finding"].tolist() == ["not admitted"] * 2
    assert table["sensitive"].tolist() == ["not run"] * 2


# --- on the page ----------------------------------------------------------------------------------


def told(at: Path, words: Wording):
    named = {"findings": FINDING, "instrument": INSTRUMENT, "contrasts": CONTRASTS}
    named |= {"drift": tables.DRIFT, "judges": panel_tables.JUDGES, "noise": NOISE}
    read = {name: read_table(at / f"{name}.csv", contract) for name, contract in named.items()}
    first = [read[name] for name in ("findings", "instrument", "contrasts")]
    return find(*first, 0.1, words, read["drift"], read["judges"], None, read["noise"])


@pytest.mark.parametrize(
    ("words", "answer", "limit"),
    [
        (EN, "nobody was asked to judge", "never as no difference"),
        (IT, "non si è chiesto a nessuno di giudicare", "mai come nessuna differenza"),
    ],
)
def test_the_page_says_that_nothing_was_tested_and_why(nothing, words, answer, limit):
    found = told(nothing, words)
    assert (found.answer.key, found.sure) == ("not_admitted", "open")
    assert answer in plain(found.answer)
    (refused,) = found.limits
    assert limit in plain(refused)
    assert all(words.value("kind", kind) in plain(refused) for kind in DECLARED)
    assert found.details == ()


def test_the_page_names_the_kind_that_is_lacking_alone(part):
    found = told(part, EN)
    (refused,) = [said for said in found.limits if said.key == "refused"]
    assert "held against foreign:" in plain(refused).lower()
    assert "shuffled" not in plain(refused)
    assert found.answer.key == "not_admitted"  # read on the foreign counterfeit


def test_a_cell_without_an_estimate_is_a_dash_in_the_table(part):
    table = read_table(part / "findings.csv", FINDING)
    shown = brief(Study("s", {}, {FINDING.name: table}), EN)
    places = [column.name for column in shown.columns]
    gone = [cells for _, cells in shown.rows if "not admitted" in cells]
    assert len(gone) == len(METRICS)
    assert {cells[places.index("estimate")] for cells in gone} == {"–"}


# --- asked, and no verdict that can be read ------------------------------------------------------


@pytest.fixture(scope="module")
def unread(tmp_path_factory) -> Path:
    """No judge scores an answer under a foreign bank; a shuffled one isn't admitted."""
    at = tmp_path_factory.mktemp("unread")
    return study(at, "shuffled-1", judge=dumb("foreign-1", "foreign-2"))


@pytest.fixture(scope="module")
def silent(tmp_path_factory) -> Path:
    """Every bank holds, and no judge scores anything."""
    at = study(tmp_path_factory.mktemp("silent"), judge=dumb(""))
    files = (at / "verdicts.csv", at / "map.csv", at / "power.csv")
    settings = SETTINGS | {"omit_incomplete": True}
    run("control1/simulate_power", *files, seed=1, settings=settings)
    return at


def findings_of(at: Path) -> pd.Series:
    table = read_table(at / "findings.csv", FINDING)
    for row in table[table["n_items"] == 0].to_dict("records"):
        assert row["p_items_holm"] == row["p_documents_holm"] == row["p_same_hochberg"] == 1
        assert np.isnan(row["estimate"])
    return table.set_index(["metric", "contrast"])["finding"]


def test_what_was_asked_and_not_answered_is_told_from_what_was_not_admitted(unread):
    found = findings_of(unread)
    assert len(found) == len(METRICS) * len(DECLARED)
    assert set(found.xs("veridical-foreign", level="contrast")) == {"no verdict"}
    assert set(found.xs("veridical-shuffled", level="contrast")) == {"not admitted"}
    left = set(found.xs("veridical-none", level="contrast"))
    assert left
    assert not left & {"no verdict", "not admitted"}


def test_where_no_verdict_at_all_can_be_read_the_study_goes_on(silent):
    found = findings_of(silent)
    assert set(found) == {"no verdict"}
    assert len(found) == len(METRICS) * len(DECLARED)
    for name, contract in (("contrasts", CONTRASTS), ("judges", panel_tables.JUDGES)):
        assert read_table(silent / f"{name}.csv", contract).empty


def test_without_a_memory_system_a_silent_contrast_stays_in_the_family(unread, tmp_path):
    """Nothing is declared then: what was asked stands in the map of the verdicts."""
    out = [tmp_path / f"{n}.csv" for n in ("contrasts", "drift", "findings", "instrument", "noise")]
    judged_by = (unread / "verdicts.csv", unread / "map.csv")
    settings = SETTINGS | {"omit_incomplete": True}
    run("control1/test_contrasts", *judged_by, *out, seed=1, settings=settings)
    found = findings_of(tmp_path)
    assert set(found.xs("veridical-foreign", level="contrast")) == {"no verdict"}
    assert len(found) == len(METRICS) * 2  # shuffled was asked of nobody, and is declared nowhere


@pytest.mark.parametrize("words", [EN, IT], ids=["en", "it"])
def test_the_page_says_which_of_the_two_it_was(unread, silent, words):
    found = told(unread, words)
    assert (found.answer.key, found.sure) == ("no_verdict", "open")  # read on the foreign one
    limits = {said.key: plain(said).casefold() for said in found.limits}
    names = {kind: words.value("kind", kind).casefold() for kind in DECLARED}
    assert names["foreign"] in limits["unread"]
    assert names["shuffled"] not in limits["unread"]
    assert names["shuffled"] in limits["refused"]
    assert names["foreign"] not in limits["refused"]
    assert "p = 1" in limits["unread"]
    found = told(silent, words)
    assert (found.answer.key, [said.key for said in found.limits]) == ("no_verdict", ["unread"])


def test_the_table_on_the_page_has_the_word_in_both_languages(unread):
    table = read_table(unread / "findings.csv", FINDING)
    for words, said in ((EN, "no verdict"), (IT, "nessun giudizio")):
        shown = brief(Study("s", {}, {FINDING.name: table}), words)
        assert sum(said in cells for _, cells in shown.rows) == len(METRICS)


@pytest.mark.parametrize(
    ("name", "source"), [("forest", "contrasts"), ("drift", "drift"), ("power", "power")]
)
def test_figures_of_no_verdict_say_so(silent, tmp_path, name, source):
    paths = [tmp_path / f"{name}.{suffix}" for suffix in ("svg", "pdf")]
    more = {"bound": 0.1} if name == "forest" else {}
    run(f"control1/draw_{name}", silent / f"{source}.csv", *paths, **more)
    assert "or no verdict can be read" in paths[0].read_text(encoding="utf-8")


def test_what_was_asked_is_read_from_the_pairs_that_hold_a_counterfeit():
    rows = [
        ("original", "r", "A", "veridical"),  # the start of every contrast, none by itself
        ("foreign", "r", "A", "foreign"),
        ("foreign", "r", "A", "foreign"),
        ("none", "q", "A", "none"),
        ("quoted", "r", "A", "foreign"),  # known by construction
        ("repeated", "r", "A", "shuffled"),  # shown before
    ]
    table = pd.DataFrame(rows, columns=["session", "responder", "corpus", "condition"])
    want = [("r", "A", "veridical-foreign"), ("q", "A", "veridical-none")]
    assert asked_of(table) == want
    assert asked_of(table.head(0)) == []


@pytest.mark.parametrize("seed", range(2))
def test_silence_costs_the_other_findings_what_a_refusal_costs(seed):
    """Holm and Hochberg see a p of 1 in both cases."""
    parts, gone = parts_of(seed, effect=0.08), [("m", "A", "veridical-none")]
    refused = conclude(*parts, bound=0.1, lacking=gone)
    silent = conclude(*parts, bound=0.1, unread=gone)
    assert silent.drop(columns="finding").equals(refused.drop(columns="finding"))
    assert silent["finding"].tolist()[:-2] == refused["finding"].tolist()[:-2]
    assert silent["finding"].tolist()[-2:] == ["no verdict"] * 2
    assert refused["finding"].tolist()[-2:] == ["not admitted"] * 2


# --- several corpora ------------------------------------------------------------------------------


def test_a_corpus_that_is_not_admitted_is_lacking_of_every_responder():
    """What is not admitted of B counts in the family of A's findings, responder by responder."""
    _, every = verdicts(np.random.default_rng(2), noise=0.05, cells=(("m", "A"), ("n", "A")))
    items, documents = judged(every)
    panel = examine(every, items, bound=0.1)
    lacking = [(responder, "B", "veridical-foreign") for responder in ("m", "n")]
    found = conclude(items, documents, panel, bound=0.1, lacking=lacking)
    gone = found[found["finding"] == "not admitted"]
    assert gone[["responder", "corpus"]].drop_duplicates().to_numpy().tolist() == [
        ["m", "B"],
        ["n", "B"],
    ]
    assert len(gone) == 2 * len(METRICS)
    assert set(gone["sensitive"]) == {"not run"}
    rest = found.drop(gone.index)
    smallest = rest["p_items"].min()
    assert rest["p_items_holm"].min() == pytest.approx(min(1, smallest * (8 + 4)))


def test_the_answers_of_what_is_admitted_are_gathered_without_the_rest(part, nothing, tmp_path):
    out = tmp_path / "responses.csv"
    files = [nothing / "asked.jsonl", part / "asked.jsonl"]
    said = [nothing / "said.jsonl", part / "said.jsonl"]
    run("control1/gather_responses", [CORPUS.with_name("B"), CORPUS], files, said, out)
    table = read_table(out, RESPONSES)
    assert set(table["corpus"]) == {"A"}
    assert table.equals(read_table(part / "responses.csv", RESPONSES))
