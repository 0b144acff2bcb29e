"""The report: its tables, rows and figures, and the page as a whole."""

import io
import json
import re
import runpy
from pathlib import Path

import pandas as pd
import pytest
from support.fixture_study import PLANTED, RECOGNITION, SYMMETRIC, build, read
from veridical.aas import tables as aas
from veridical.aas.score import PUBLISHED_READINGS
from veridical.aas.sessions import score_by_session, score_sessions
from veridical.aas.summary import summarise_phases
from veridical.base.tables import read_table, write_table
from veridical.control2 import tables as control2
from veridical.control2.validity import judge_validity
from veridical.control3 import tables as control3
from veridical.control3.cells import cells as cell_table
from veridical.drawing import palette, style
from veridical.parts import CONTRACTS, PARTS
from veridical.report.drill import encode, escape_json
from veridical.report.figures import read_figure, recolour
from veridical.report.page import render
from veridical.report.study import read_study
from veridical.report.tabulate import Shown, address, tabulate
from veridical.report.wording import LANGUAGES, Wording
from veridical.vpe import tables as vpe

EN, IT = Wording.read("en"), Wording.read("it")


def test_tables_leave_out_what_is_not_there():
    table = pd.DataFrame({"model": ["a"], "p_holm": [0.012], "note": [None]})
    columns = [Shown("model"), Shown("b", "int"), Shown("p_holm", "p"), Shown("note")]
    shown = tabulate(table, columns, EN.of("control3"), "cells")
    assert [column.name for column in shown.columns] == ["model", "p_holm"]
    assert shown.rows == ((None, ("a", "0.012")),)


@pytest.mark.parametrize("shared", [EN, IT], ids=["en", "it"])
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.key)
def test_every_shown_column_and_word_of_a_contract_has_its_text(part, shared):
    words = shared.of(part.key)
    own = words.texts["parts"][part.key].get("values", {})
    for view in part.tables:
        assert words(f"tables.{view.contract.name.rpartition('/')[2]}")
        for column in view.contract.columns:
            if column.shown is None:
                continue
            name = column.shown.name
            assert words.heading(name) != name or name in ("b", "c", "m", "n", "k"), name
            group = column.shown.kind.partition(":")[2]
            known = shared.raw("values").get(group, {}) | own.get(group, {})
            assert set(column.words) - {""} <= set(known) | {"scores"} or not group, name


def test_every_table_has_one_contract_and_says_what_its_columns_are():
    names = [contract.name for contract in CONTRACTS]
    assert len(names) == len(set(names))
    for contract in CONTRACTS:
        assert contract.says.endswith((".", "?")), contract.name
        assert all(column.says and column.name for column in contract.columns), contract.name
        assert len(contract.names) == len(set(contract.names)), contract.name


def test_addresses_escape_each_step():
    assert address("control3", "A", "qwen3:32b") == "#control3/A/qwen3:32b"
    assert address("control3", "a/b", "x y") == "#control3/a%2Fb/x%20y"


def test_columns_travel_compact_and_come_back():
    table = pd.DataFrame({"model": ["a"] * 5 + ["b"], "x": [0.1, 0.2, 0.3, None, 5.0, 6.0]})
    packed = encode(table)
    assert packed["c"]["model"] == {"d": ["a", "b"], "i": [0, 0, 0, 0, 0, 1]}
    assert packed["c"]["x"] == {"v": [0.1, 0.2, 0.3, None, 5, 6]}


def test_json_can_not_end_its_script():
    text = escape_json(json.dumps({"text": "</script><!--&\u2028"}))
    assert "<" not in text
    assert json.loads(text) == {"text": "</script><!--&\u2028"}


def test_a_figure_that_could_run_something_is_disarmed(tmp_path):
    path = tmp_path / "aas_x.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'viewBox="0 0 10 10" onload="alert(1)"><script>alert(1)</script><g id="a"/>'
        '<use xlink:href="#a"/><g clip-path="url(#a)"/></svg>'
    )
    figure = read_figure(path, "a caption", 'says "so"')
    drawn = str(figure.svg)
    assert "alert" not in drawn
    assert 'id="aas_x-a"' in drawn
    assert 'href="#aas_x-a"' in drawn
    assert 'clip-path="url(#aas_x-a)"' in drawn
    assert figure.width == 10
    path.write_text("no drawing")
    with pytest.raises(ValueError, match=r"aas_x\.svg: not an SVG"):
        read_figure(path, "", "")


def test_the_page_turns_every_colour_that_a_drawing_takes_from_the_palette():
    """Written as matplotlib writes them, or the rules would match nothing."""
    fig, axes = style.figure(3, 2)
    style.mark(axes, 0, 0, "corrupted")
    axes.text(0, 0, "bold", fontweight="bold")
    buffer = io.StringIO()
    fig.savefig(buffer, format="svg")
    drawn, rules = buffer.getvalue(), recolour()
    for colour, variable in palette.VARIABLES.items():
        for name in ("fill", "stroke"):
            turned = f'[style*="{name}: {colour}"],[{name}="{colour}"]'
            assert f"{turned}{{{name}:var(--{variable})!important}}" in rules
    assert f"fill: {palette.COLORS['corrupted']}" in drawn
    assert f"stroke: {palette.PAPER}" in drawn
    assert re.search(r"font: 700 |font-weight: 700", drawn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_and_the_same_each_time(study_root, language):
    words = Wording.read(language)
    page = render(read(study_root), words, PARTS)
    assert page == render(read(study_root), words, PARTS)
    assert "<html lang=" in page
    for part in ("control1", "control2", "control3", "aas", "vpe"):
        assert f'<section id="{part}"' in page
    assert PLANTED not in page
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page), "something would be loaded"
    assert not re.search(r"url\((?!data:|#)", page), "something would be loaded"


def test_a_part_without_tables_is_left_out_and_said(tmp_path):
    results = build(tmp_path)
    for path in (results / "vpe").glob("*.csv"):
        path.unlink()
    page = render(read(tmp_path), EN, PARTS)
    assert '<section id="vpe"' not in page
    assert "Viable path entropy and Benchmark: not in this study" in page


def test_a_study_in_which_much_went_missing_still_has_its_page(tmp_path):
    """One model never answers: its tables as the analysis then makes them."""
    results = build(tmp_path)

    def silence(contract, **values):
        table = read_table(results / f"{contract.name}.csv", contract)
        silent = table["model"] == "llama3"
        for column, value in values.items():
            table[column] = table[column].astype(object).mask(silent, value)
        return table

    def write(table, contract):
        write_table(table, results / f"{contract.name}.csv", contract)

    nothing = {"answer": None, "correct": None}
    answers = silence(control2.ANSWERS, state="unparseable", **nothing)
    write(answers, control2.ANSWERS)
    write(judge_validity(answers, list(RECOGNITION)), control2.VALIDITY)
    answers = silence(control3.ANSWERS, state="failed", **nothing)
    write(answers, control3.ANSWERS)
    declared = [(corpus, model) for corpus, models in SYMMETRIC.items() for model in models]
    write(cell_table(answers, declared, {"A": 2, "B": 2}), control3.CELLS)
    scored = score_sessions(silence(aas.SESSIONS, answer=None, state="failed"), 1e-6)
    by_session = score_by_session(scored, PUBLISHED_READINGS)
    for table, contract in (
        (scored, aas.SESSIONS),
        (by_session, aas.BY_SESSION),
        (summarise_phases(by_session, scored), aas.SUMMARY),
        (silence(vpe.ROLLOUTS, verified=None, mode=None, text=None), vpe.ROLLOUTS),
    ):
        write(table, contract)
    for words in (EN, IT):
        page = render(read(tmp_path), words, PARTS)
        assert "nan" not in re.findall(r">([^<]*)</t[dh]>", page)
        assert "<NA>" not in page
    page = render(read(tmp_path), EN, PARTS)
    assert "llama3: fewer than five answers without a document" in page
    assert "llama3 (A) and llama3 (B) missing; counted as p = 1" in page


def test_a_changed_file_shows_on_the_first_screen(tmp_path):
    results = build(tmp_path)
    assert "seal_verified" in render(read(tmp_path), EN, PARTS)
    config = results / "config.json"
    config.write_text(config.read_text() + "\n")
    assert "changed since it was sealed" in render(read(tmp_path), EN, PARTS)


def test_a_study_without_config_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"config\.json: missing"):
        read_study(tmp_path / "results/x", tmp_path / "figures/x", [], tmp_path)


def test_the_script_writes_the_page(study_root, monkeypatch, capsys):
    monkeypatch.chdir(study_root)
    path = Path(__file__).parents[2] / "workflow/scripts/report/build_report.py"
    script = runpy.run_path(str(path))
    page = Path("results/fixture/report/index.html")
    script["main"](
        Path("results/fixture/config.json"), Path("figures/fixture"), page, language="it"
    )
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "index.html: 1." in capsys.readouterr().out
