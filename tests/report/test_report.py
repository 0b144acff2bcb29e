"""The report: its tables, rows and figures, and the page as a whole."""

import json
import re
import runpy
from pathlib import Path

import pandas as pd
import pytest
from support.fixture_study import PLANTED, build, read
from veridical.base.tables import read_table, write_table
from veridical.parts import PARTS
from veridical.report.drill import encode, escape_json
from veridical.report.figures import read_figure
from veridical.report.page import render
from veridical.report.study import read_study
from veridical.report.tabulate import Shown, address, tabulate
from veridical.report.wording import LANGUAGES, Wording

EN, IT = Wording.read("en"), Wording.read("it")


def test_tables_leave_out_what_is_not_there():
    table = pd.DataFrame({"model": ["a"], "p_holm": [0.012], "note": [None]})
    columns = [Shown("model"), Shown("b", "int"), Shown("p_holm", "p"), Shown("note")]
    shown = tabulate(table, columns, EN.of("control3"), "cells")
    assert [column.name for column in shown.columns] == ["model", "p_holm"]
    assert shown.rows == ((None, ("a", "0.012")),)


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
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="alert(1)">'
        '<script>alert(1)</script><g id="a"><text style="font-family: X; fill: #1f2328">0.05</text>'
        "</g></svg>"
    )
    drawn = str(read_figure(path, IT, "", 'says "so"').svg)
    assert "alert" not in drawn
    assert 'id="aas_x-a"' in drawn
    assert "fill: var(--ink)" in drawn
    assert "0,05" in drawn
    path.write_text("no drawing")
    with pytest.raises(ValueError, match=r"aas_x\.svg: not an SVG"):
        read_figure(path, IT, "", "")


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
    assert "This study has no Viable path entropy" in page


def test_a_study_in_which_much_went_missing_still_has_its_page(tmp_path):
    results = build(tmp_path)

    def change(name, rows, **values):
        table = read_table(results / f"{name}.csv").astype(object)
        for column, value in values.items():
            table.loc[table["model"] == rows, column] = value
        write_table(table, results / f"{name}.csv")

    nothing = dict.fromkeys(("accuracy", "accuracy_answered", "wilson_low", "wilson_high", "valid"))
    nothing |= {"binomial_p": None, "p_solves": None, "finding": "not testable", "habit": None}
    change("control2/validity", "llama3", **nothing, correct=0, wrong=0)
    change("control2/answers", "llama3", state="unparseable", answer=None, correct=None)
    gone = ("n", "veridical_correct", "corrupted_correct", "none_correct", "none_p", "p_holm", "b")
    change("control3/cells", "llama3", **dict.fromkeys(gone), tested="missing", survives=False)
    change("aas/sessions", "llama3", answer=None, x=None, phi=None, language_kept=None)
    change("vpe/rollouts", "llama3", verified=None, mode=None)
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
    assert "index.html: 0." in capsys.readouterr().out
