"""Several cells on the page: what is said of them together, cell by cell, and what opens."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.fixture_study import judged_tables, read
from support.scripts import load_script
from veridical.base.tables import write_table
from veridical.control1.drill import drill
from veridical.control1.findings import find
from veridical.control1.page import method
from veridical.control1.panel_tables import POWER
from veridical.control1.tables import CONTRASTS, DRIFT
from veridical.drawing import style
from veridical.report.wording import Wording

EN, IT = Wording.read("en").of("control1"), Wording.read("it").of("control1")
METRICS = ("identity_markers", "memory_reference")
CELLS = (("gpt", "A"), ("llama", "A"), ("gpt", "B"))


def findings(*words: str) -> pd.DataFrame:
    """A word a cell, on both metrics against the foreign counterfeit; 0.2 where it is apart."""
    rows = [
        (responder, corpus, metric, "veridical-foreign", 7, 3,
         0.2 * word.startswith("different"), -0.12, 0.11, "sensitive", word)
        for (responder, corpus), word in zip(CELLS, words, strict=False)
        for metric in METRICS
    ]  # fmt: skip
    columns = ["responder", "corpus", "metric", "contrast", "n_items", "n_documents"]
    columns += ["estimate", "low", "high", "sensitive", "finding"]
    return pd.DataFrame(rows, columns=columns)


def contrasts(cells=CELLS) -> pd.DataFrame:
    one = judged_tables(np.random.default_rng(1))["control1/contrasts"]
    return pd.concat([one.assign(responder=r, corpus=c) for r, c in cells], ignore_index=True)


def panel(*rows: tuple) -> pd.DataFrame:
    columns = ["corpus", "metric", "test", "estimate", "low", "high", "finding"]
    return pd.DataFrame(rows, columns=columns)


def found(*words: str, text: Wording = EN, instrument: pd.DataFrame | None = None, **more):
    instrument = panel() if instrument is None else instrument
    return find(findings(*words), instrument, contrasts(), 0.10, text, **more)


def lines(finding, text: Wording = EN) -> list[str]:
    """The lines of the cells, which come first."""
    heads = tuple(text("cell", responder=r, corpus=c) for r, c in CELLS)
    return [said for said in finding.limits if said.startswith(heads)]


@pytest.mark.parametrize(
    ("words", "key", "sure"),
    [
        (("different", "inconclusive", "equivalent"), "cells_apart", "limited"),
        (("different", "different", "different"), "cells_apart", "firm"),
        (("equivalent", "equivalent", "equivalent"), "cells_same", "firm"),
        (("equivalent", "inconclusive", "not testable"), "cells_same", "limited"),
        (("inconclusive",) * 3, "unproven", "open"),
        (("not testable",) * 3, "untested", "open"),
        (("too few items",) * 3, "few", "open"),
    ],
)
def test_the_answer_counts_the_cells_and_a_line_for_each_follows(words, key, sure):
    for text in (EN, IT):
        said = found(*words, text=text)
        assert (said.answer.key, said.sure) == (key, sure)
        told = lines(said, text)
        # cells of which the same is said share a line
        assert len(told) == len({word for word in words})
        assert sum(one.count(" in ") for one in told) >= 3


def test_the_cells_are_named_with_what_was_found_in_each():
    said = found("different", "inconclusive", "different here")
    assert said.answer == (
        "With these documents the judges told the counterfeit from the real memory in two of "
        "three cells: gpt in A and gpt in B."
    )
    first, second = lines(said)
    assert first.startswith("gpt in A and gpt in B: with these documents the judges recognised")
    assert "identity markers and memory reference, by 0.200" in first
    assert (first.key, second.key) == ("recognised", "unproven")
    assert second.startswith("llama in A: the judges were not shown")


def test_every_further_sentence_says_which_cell_it_is_about():
    said = {one.key: one for one in found("different", "inconclusive", "different here").limits}
    assert "identity markers (gpt, A)" in said["of_the_kind"]
    assert "memory reference (gpt, B)" in said["here"]
    assert "(llama, A)" in said["admits"]
    rows = [("A", METRICS[0], "order", 0.15, 0.1, 0.2, "matters"),
            ("B", METRICS[0], "quoted", 0.4, 0.3, 0.5, "sensitive")]  # fmt: skip
    details = found(*["inconclusive"] * 3, instrument=panel(*rows)).details
    told = {one.key: one for one in details}
    assert "identity markers (A)" in told["order"]
    assert "identity markers (B)" in told["sensitive"]


def test_only_what_there_is_several_of_is_said():
    table = findings("inconclusive", "inconclusive").query("corpus == 'A'")
    said = find(table, panel(), contrasts(CELLS[:2]), 0.10, EN)
    (admits,) = (one for one in said.limits if one.key == "admits")
    assert "identity markers (gpt)" in admits
    assert "(gpt, A)" not in admits


def test_the_registered_rule_is_held_against_its_own_cell():
    said = [one for one in found("different", "inconclusive", "different").limits
            if one.key == "registered"]  # fmt: skip
    # unanchored, identity markers read `equivalent` and memory reference `different`: the first is
    # news in every cell, the second in the one that is open
    cells = [("gpt, A", METRICS[0]), ("llama, A", METRICS[0]), ("llama, A", METRICS[1])]
    cells.append(("gpt, B", METRICS[0]))
    assert len(said) == len(cells)
    for one, (cell, metric) in zip(said, cells, strict=True):
        assert f"{metric.replace('_', ' ')} ({cell})" in one


def test_power_is_told_of_the_cell_that_is_open():
    power = contrasts()[["responder", "corpus", "metric", "contrast"]].drop_duplicates()
    power = power.assign(reading="anchored", method="t", assumed="zero", n_items=160)
    power["items_for_80"] = np.where(power["responder"] == "llama", 40, 14)
    told = [one for one in found("different", "inconclusive", "different", power=power).details
            if one.key == "power"]  # fmt: skip
    # seven items: the variance's 95 % interval is 6/14.449 to 6/1.2373 of the one seen
    assert len(told) == 2
    assert "identity markers (llama, A)" in told[0]
    assert "would take 17 to 194 items" in told[0]


# --- the whole page -------------------------------------------------------------------------------


@pytest.fixture
def study(study_root):
    """The fixture study with a second responder, whose tables are the first's."""
    one = read(study_root)
    tables = dict(one.tables)
    for name in ("findings", "contrasts", "responses", "verdicts", "drift"):
        first = tables[f"control1/{name}"]
        both = [first, first.assign(responder="llama3")]
        tables[f"control1/{name}"] = pd.concat(both, ignore_index=True)
    config = {**one.config, "control1": {**one.config["control1"]}}
    config["control1"]["responders"] = ["qwen3.5:27b", "llama3"]
    return replace(one, tables=tables, config=config)


def test_how_it_was_run_names_all_cells(study):
    for text, cells in ((EN, "two cells"), (IT, "due celle")):
        (said,) = (one for one in method(study, text) if one.key == "method_judging_cells")
        assert "qwen3.5:27b" in said
        assert "llama3" in said
        assert cells in said


def test_a_row_opens_into_its_own_cells_answers(study):
    opened = drill(study, EN)
    assert opened.keys == ("responder", "corpus", "metric", "contrast")
    paths = {group.path for group in opened.groups}
    assert ("llama3", "A", "identity_markers", "veridical-foreign") in paths
    assert len(paths) == 2 * 2 * 2
    heads = {group.heading for group in opened.groups}
    assert "llama3: identity markers" in heads
    for nested in opened.nested:
        assert {"responder", "corpus", "item_id"} <= set(nested.on)
        assert set(nested.on) <= set(opened.rows.columns)


def test_figures_have_the_cells_side_by_side(tmp_path, study):
    """Drawn, legible: every cell's name stands in each figure, and no row is drawn twice."""
    two = contrasts(CELLS[:2]).query("contrast == 'veridical-foreign'")
    write_table(two, tmp_path / "contrasts.csv", CONTRASTS)
    drift = study.tables["control1/drift"]
    write_table(drift, tmp_path / "drift.csv", DRIFT)
    power = two.query("reading == 'anchored'")[["responder", "corpus", "metric", "contrast"]]
    power = power.assign(reading="anchored", method="t", n_items=10, true_difference=0.0)
    power = power.assign(assumed="zero", sd_items=0.1, items_for_80=10, simulations=10)
    for name in ("conclusive", "equivalent", "different"):
        power[f"probability_{name}"] = 0.5
    write_table(power, tmp_path / "power.csv", POWER)
    for name, cells, panels, more in (
        ("forest", ("gpt", "llama"), 2, {"bound": 0.1}),  # a row a metric
        ("drift", ("qwen3.5:27b", "llama3"), 4, {}),  # two metrics, two kinds
        ("power", ("gpt", "llama"), 2, {}),
    ):
        svg = tmp_path / f"{name}.svg"
        source = "contrasts" if name == "forest" else name
        load_script(f"control1/draw_{name}.py").main(
            tmp_path / f"{source}.csv", svg, tmp_path / f"{name}.pdf", **more
        )
        drawn = svg.read_text(encoding="utf-8")
        for cell in cells:
            beside = r" [+−]\d\.\d{3}" if name == "drift" else ""  # its mean drift
            assert len(re.findall(f">{cell}{beside}<", drawn)) == panels, (name, cell)


def test_a_bank_that_one_corpus_lacks_is_not_said_of_another():
    said = {one.key: one for one in found("different", "different", "not admitted").limits}
    assert said["refused"].startswith("Held against foreign (gpt, B): not admitted")
    assert "(gpt, A)" not in said["refused"]
    table = findings("not admitted")  # of one cell nothing needs a name
    plain = find(table, panel(), contrasts(CELLS[:1]), 0.10, EN)
    assert any(one.startswith("Held against foreign: not admitted") for one in plain.limits)


def test_kinds_of_two_documents_and_of_three_are_not_said_to_have_three():
    table = findings("different here", "different", "inconclusive")
    alone = table.assign(contrast="veridical-stale", n_documents=2)
    both = pd.concat([table, alone], ignore_index=True)
    said = {one.key: one for one in find(both, panel(), contrasts(), 0.10, EN).limits}
    for key in ("here", "of_the_kind"):
        assert "two to three" in said[key] or "two–three" in said[key]


def test_of_one_document_it_is_not_said_that_those_of_its_kind_differ():
    table = findings("different here", "inconclusive", "inconclusive")
    alone = table.assign(contrast="veridical-stale", n_documents=1)
    for text in (EN, IT):
        both = pd.concat([table, alone], ignore_index=True)
        said = {one.key: one for one in find(both, panel(), contrasts(), 0.10, text).limits}
        assert {"here", "here_one"} <= set(said)
        assert text.numeral(3) in said["here"]
        only = find(alone, panel(), contrasts(), 0.10, text)
        assert "here_one" in [one.key for one in only.limits]
        assert "here" not in [one.key for one in only.limits]


def numbers(svg) -> tuple[float, float]:
    """A figure's width and height, in points."""
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text()).groups()
    return float(width), float(height)


def many(n: int) -> list[tuple[str, str]]:
    return [(f"model-{i % 3}", "ABC"[i // 3]) for i in range(n)]


def test_a_forest_of_nine_cells_names_a_contrast_once_and_has_a_line_a_cell(tmp_path):
    heights = {}
    for n in (4, 9):
        write_table(contrasts(many(n)), tmp_path / "c.csv", CONTRASTS)
        paths = [tmp_path / f"{n}.{end}" for end in ("svg", "pdf")]
        load_script("control1/draw_forest.py").main(tmp_path / "c.csv", *paths, bound=0.1)
        drawn = paths[0].read_text(encoding="utf-8")
        assert drawn.count(">veridical − foreign<") == drawn.count(">veridical − shuffled<") == 2
        for responder, corpus in many(n):
            assert drawn.count(f">{responder}, {corpus}<") == 4  # two metrics, two kinds
        heights[n] = numbers(paths[0])[1] / 72
    # two metrics of half an inch, two contrasts' names and so many cells at 0.44, and the rest
    assert heights[4] == pytest.approx(1.1 + 2 * (0.5 + 0.44 * (2 * 4 + 2)), abs=0.01)
    assert heights[9] == pytest.approx(1.1 + 2 * (0.5 + 0.44 * (2 * 9 + 2)), abs=0.01)


def test_the_drift_of_nine_cells_is_hardly_taller_than_that_of_one(tmp_path):
    one = judged_tables(np.random.default_rng(1))["control1/drift"]
    heights = {}
    for n in (1, 4, 9):
        tables = [one.assign(responder=r, corpus=c) for r, c in many(n)]
        write_table(pd.concat(tables, ignore_index=True), tmp_path / "d.csv", DRIFT)
        paths = [tmp_path / f"{n}.{end}" for end in ("svg", "pdf")]
        load_script("control1/draw_drift.py").main(tmp_path / "d.csv", *paths)
        heights[n] = numbers(paths[0])[1]
    assert heights[1] == heights[4] < heights[9] < 1.4 * heights[1]


def test_a_cells_line_goes_from_its_mean_to_its_mean_and_labels_keep_apart():
    script, (_, axes) = load_script("control1/draw_drift.py"), style.figure(4, 4)
    rows = [
        {"cell": cell, "metric": "w", "contrast": "veridical-foreign", "anchor_original": first,
         "anchor_counterfeit": second, "drift": first - second}
        for cell, first, second in (("a", 0.2, 0.4), ("a", 0.4, 0.6), ("b", 0.9, 0.5))
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    script.draw_cells(axes, table, "foreign", EN, gap=0.1)
    ends = [list(line.get_ydata()) for line in axes.lines]
    assert ends == [pytest.approx([0.3, 0.5]), [0.9, 0.5]]
    said = {text.get_text(): text.xy[1] for text in axes.texts}
    assert said == {"a −0.200": 0.5, "b +0.400": pytest.approx(0.6)}  # both end at 0.5
    # means from 0.3 to 0.9; the axis a third longer, 2.1 inches of the 2.7, 0.16 for a label
    assert script.label_gap(table, 2.7) == pytest.approx(1.3 * 0.6 * 0.16 / 2.1)
    flat = table.assign(anchor_original=0.5, anchor_counterfeit=0.5)
    assert script.label_gap(flat, 2.7) > 0
