"""The open-book judge: the true memory beside every pair, and nothing that tells more."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.control1_study import METRICS, responses
from support.fixture_study import read
from veridical.base.characters import fence
from veridical.base.config import ConfigError, check_config
from veridical.base.instrument import shipped
from veridical.check.languages import texts_of
from veridical.control1.blinding import Reading, blind, judge_rng, sheets
from veridical.control1.page import method
from veridical.control1.verdicts import rubric, verdict_form
from veridical.documents.texts import load_text
from veridical.report.wording import Wording

ITEMS = [f"T{i}" for i in range(1, 8)]
MEMORY = "2025-03-01, met Ada, the boat: mended\n2025-03-02, met Bo, the oar: lost"
INPUTS = {item: f"input of {item}" for item in ITEMS}


def written(memory: str | None, language: str = "en", own=None):
    drawn = blind(responses(), "one", judge_rng(5, "one"))
    reading = Reading(INPUTS, rubric(list(METRICS), language), language, own or {}, memory)
    form = verdict_form(list(METRICS), rationale=False)
    return drawn, {p.id: p for p in sheets(drawn, responses(), {"A": reading}, form)}


@pytest.mark.parametrize("language", ["en", "it", "tr"])
def test_the_memory_stands_above_the_pair_in_every_language_that_has_a_sheet(language):
    _, made = written(MEMORY, language)
    for prompt in made.values():
        text = prompt.turns[0].user
        assert text.count(fence(MEMORY)) == 1
        assert text.index(fence(MEMORY)) < text.index("input of T")
    places = shipped()["sheet-open"]
    assert places == shipped()["sheet"] | {"memory"}
    assert all(f"{{{place}}}" in load_text("sheet-open", language) for place in places)


def test_an_open_sheet_is_the_blind_one_and_the_memory():
    """The same pairs in the same places: what is drawn doesn't depend on what is shown."""
    first, blind_ = written(None)
    second, opened = written(MEMORY)
    assert first.equals(second)
    head = load_text("sheet-open", "en").partition("{memory}")[0]
    for sheet, prompt in opened.items():
        rest = prompt.turns[0].user.removeprefix(head).removeprefix(fence(MEMORY)).lstrip("\n")
        assert rest == blind_[sheet].turns[0].user
        assert prompt.turns[0].system == blind_[sheet].turns[0].system


def test_the_memory_is_the_same_on_every_sheet_so_it_tells_no_condition():
    drawn, made = written(MEMORY)
    stripped = {
        row.sheet_id: made[row.sheet_id].turns[0].user.split(fence(MEMORY))[0]
        for row in drawn.itertuples()
    }
    assert len(set(stripped.values())) == 1
    words = " ".join(prompt.turns[0].user for prompt in made.values())
    assert "counterfeit" not in words


def test_an_own_text_takes_the_place_of_the_open_sheet():
    own = {"sheet-open": "M {memory} I {input} A {answer_a} B {answer_b}"}
    _, made = written(MEMORY, own=own)
    assert all(prompt.turns[0].user.startswith("M ") for prompt in made.values())


def test_the_texts_that_a_language_needs_are_those_of_the_sheet_that_is_shown():
    part = {"metrics": ["memory_reference"], "wording": {}}
    for sheet, needed, spared in (
        ("blind", "sheet", "sheet-open"),
        ("open", "sheet-open", "sheet"),
    ):
        found = texts_of({"control1": {**part, "sheet": sheet}}, "control1")
        assert needed in found
        assert spared not in found


def test_a_sheet_of_another_kind_is_refused():
    models = {"m": {"provider": "scripted", "model": "m", "structured": "grammar"}}
    part = {"corpora": ["A"], "responders": ["m"], "judges": ["m"]}
    study = {"study": "s", "seed": 1, "models": models, "documents": {"author": "m"}}
    assert check_config({**study, "control1": part})["control1"]["sheet"] == "blind"
    assert check_config({**study, "control1": {**part, "sheet": "open"}})
    with pytest.raises(ConfigError, match="control1/sheet: 'shut' is not one of"):
        check_config({**study, "control1": {**part, "sheet": "shut"}})


def test_the_page_says_that_the_judges_saw_the_memory(study_root):
    study = read(study_root)
    for language, said in (("en", "open-book"), ("it", "davanti")):
        words = Wording.read(language).of("control1")
        assert not [one for one in method(study, words) if one.key == "method_open"]
        study.config["control1"]["sheet"] = "open"
        (told,) = (one for one in method(study, words) if one.key == "method_open")
        assert said in told
        del study.config["control1"]["sheet"]


def test_the_script_puts_the_corpus_own_block_on_the_sheet(tmp_path):
    import pandas as pd
    from support.scripts import load_script
    from veridical.base.tables import write_table
    from veridical.control1.tables import BLINDING, POSITIVE, RESPONSES
    from veridical.corpora.corpus import read_corpus
    from veridical.models.prompts import read_prompts

    corpus = read_corpus(Path(__file__).parents[2] / "data/corpora/A")
    names = dict(zip(ITEMS, corpus.test_day["item_id"], strict=True))
    table = responses().assign(item_id=lambda t: t["item_id"].map(names))
    write_table(table, tmp_path / "responses.csv", RESPONSES)
    write_table(blind(table, "one", judge_rng(1, "one")), tmp_path / "map.csv", BLINDING)
    write_table(pd.DataFrame(columns=POSITIVE.names), tmp_path / "positive.csv", POSITIVE)
    files = [tmp_path / name for name in ("responses.csv", "map.csv", "positive.csv", "one.jsonl")]
    settings = [Path(__file__).parents[2] / "data/corpora/A"]
    how = {"model": "one", "metrics": list(METRICS), "rationale": False, "parameters": {}}
    load_script("control1/write_sheets.py").main(settings, *files, **how, sheet="open")
    for prompt in read_prompts(files[-1]):
        assert fence(corpus.memory_block) in prompt.turns[0].user
    load_script("control1/write_sheets.py").main(settings, *files, **how)
    assert not any(corpus.memory_block[:40] in p.turns[0].user for p in read_prompts(files[-1]))
