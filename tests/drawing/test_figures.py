"""What the figures show: every mark where its number is, every word in the page's language."""

from __future__ import annotations

import pandas as pd
import pytest
from support.figures import (
    LANGUAGES,
    bars,
    empty_panel,
    marks,
    said,
    spans,
    ticks,
    wording,
    words_of,
)
from support.rows import row_of, table_of, write_rows
from support.scripts import load_script
from veridical.aas.tables import BY_SESSION
from veridical.control1.panel_tables import POWER
from veridical.control1.tables import CONTRASTS, DRIFT, VERDICT
from veridical.control2.tables import CONDITIONS, EFFECTS, VALIDITY
from veridical.control3.tables import CELLS
from veridical.drawing import style
from veridical.vpe.tables import COVERAGE, ENTROPY, PASSES, SUMMARY


def drawn(script: str, tmp_path, *tables, language: str = "en", **more) -> list[str]:
    """The words of a figure made by its script, which makes the same bytes a second time."""
    main = load_script(script).main
    made = []
    for name in ("one", "two"):
        paths = [tmp_path / f"{name}.{end}" for end in ("svg", "pdf")]
        main(*tables, *paths, texts=LANGUAGES[language], **more)
        made.append([path.read_bytes() for path in paths])
    assert made[0] == made[1]
    assert made[0][1].startswith(b"%PDF-")
    return words_of(tmp_path / "one.svg")


# Control 1, the contrasts


def contrast(**values) -> dict:
    ends = dict(ci90_low=0.01, ci90_high=0.05, ci95_low=0.005, ci95_high=0.06)
    t = {f"t_{name}": round(value + 0.1, 3) for name, value in ends.items()}
    plain = dict(
        metric="warmth", contrast="veridical-foreign", n_items=7, estimate=0.032, registered=True
    )
    return plain | ends | t | values


def forest_panel(*rows: dict, bound: float = 0.1, language: str = "en"):
    panel = empty_panel()
    table = table_of(CONTRASTS, *rows)
    load_script("control1/draw_forest.py").draw_panel(
        panel, table, bound, wording("control1", language)
    )
    return panel


def test_a_contrast_is_marked_by_both_methods_at_its_estimate():
    panel = forest_panel(contrast())
    assert marks(panel, "o") == [(0.032, -0.14)]  # percentile, above
    assert marks(panel, "D") == [(0.032, 0.2)]  # Student's t, below, at the same estimate
    assert spans(panel) == [
        (0.005, 0.06, -0.14, -0.14),
        (0.01, 0.05, -0.14, -0.14),
        (0.105, 0.16, 0.2, 0.2),
        (0.11, 0.15, 0.2, 0.2),
    ]


def test_t_is_left_out_where_any_of_its_ends_is_missing():
    panel = forest_panel(contrast(t_ci95_high=None))
    assert marks(panel, "D") == []
    assert len(marks(panel, "o")) == 1


def test_the_band_spans_the_bounds():
    panel = forest_panel(contrast(), bound=0.2)
    (band,) = [patch for patch in panel.patches if patch.get_facecolor()[:3] != (0, 0, 0)]
    box = band.get_extents().transformed(panel.transData.inverted())
    assert (box.x0, box.x1) == (pytest.approx(-0.2), pytest.approx(0.2))


def test_open_marks_are_ts_and_filled_ones_the_registered_bootstraps():
    panel = forest_panel(contrast())
    filled = {
        line.get_marker(): line.get_markerfacecolor()
        for line in panel.lines
        if line.get_marker() in ("o", "D")
    }
    assert filled == {"o": style.COLORS["foreign"], "D": style.PAPER}


def test_beside_a_contrast_stand_estimate_verdict_and_ts_where_they_disagree():
    row = contrast(estimate=-0.0061, verdict="inconclusive", t_verdict="different")
    assert said(forest_panel(row)) == ["−0.006\ninconclusive"]
    assert said(forest_panel(row | {"methods_disagree": True})) == [
        "−0.006\ninconclusive\nt: different"
    ]
    assert said(forest_panel(row | {"inside_not_zero": True, "verdict": "equivalent"})) == [
        "−0.006\nequivalent, not 0"
    ]


def test_only_the_registered_reading_is_called_so():
    panel = forest_panel(contrast(), contrast(reading="unanchored", registered=False))
    first, second = ticks(panel)
    assert first.endswith("registered")
    assert not second.endswith("registered")
    assert panel.get_ylim() == (1.6, -0.6)  # the first on top


@pytest.mark.parametrize(
    ("language", "number", "note"), [("en", "+0.032", "n = 7 items"), ("it", "+0,032", "n = 7")]
)
def test_the_forest_has_a_panel_a_metric_in_the_pages_language(tmp_path, language, number, note):
    path = write_rows(
        tmp_path / "c.csv", CONTRASTS, contrast(), contrast(metric="humour", estimate=0.5)
    )
    words = drawn("control1/draw_forest.py", tmp_path, path, language=language, bound=0.1)
    assert number in words
    assert any(text.startswith(note) for text in words)
    english = any("difference of scores" in text for text in words)
    assert english == (language == "en")
    assert sum(text in ("warmth", "humour") for text in words) == 2


# Control 1, power


def curve(n: int, probability: float, **values) -> dict:
    plain = dict(metric="warmth", contrast="veridical-foreign", reading="anchored", method="t")
    known = dict(assumed="zero", true_difference=0.0, items_for_80=None, simulations=10)
    chances = dict(probability_conclusive=probability, n_items=n)
    return plain | known | chances | values


def power_panel(*rows: dict):
    panel = empty_panel()
    draw = load_script("control1/draw_power.py").draw_panel
    draw(panel, table_of(POWER, *rows), wording("control1"), last=True)
    return panel


def test_a_power_curve_runs_through_its_numbers_by_t_alone():
    panel = power_panel(
        curve(5, 0.2),
        curve(10, 0.9),
        curve(5, 0.7, method="bootstrap"),
        curve(10, 0.8, method="bootstrap"),
    )
    (line,) = [line for line in panel.lines if line.get_label().startswith("foreign")]
    assert line.get_xdata().tolist() == [5, 10]
    assert line.get_ydata().tolist() == [0.2, 0.9]


def test_a_solid_curve_takes_no_difference_for_true_a_dashed_one_the_observed():
    panel = power_panel(curve(5, 0.2), curve(5, 0.3, assumed="observed", true_difference=0.12))
    looks = {line.get_label(): line.get_linestyle() for line in panel.lines[-2:]}
    assert list(looks.values()) == ["-", "--"]
    assert [label.split(":")[0] for label in looks] == ["foreign, 0.00", "foreign, +0.12"]


def test_a_curve_says_how_many_items_it_asks_for_or_how_many_were_too_few():
    label = load_script("control1/draw_power.py").curve_label
    words = wording("control1")
    enough = pd.Series(row_of(POWER, **curve(40, 0.9, items_for_80=20)))
    never = pd.Series(row_of(POWER, **curve(160, 0.6)))
    assert label("foreign", enough, words).endswith(": 20 items")
    assert label("foreign", never, words).endswith(": not by 160")


def test_without_spread_words_stand_for_the_curve():
    unknown = dict.fromkeys(("method", "assumed", "true_difference"))
    panel = power_panel(
        curve(7, None, **unknown, contrast="veridical-shuffled"), curve(7, None, **unknown)
    )
    assert [text.rpartition(":")[2].strip() for text in said(panel)] == [
        "no spread among items",
        "no spread among items",
    ]
    assert panel.get_legend() is None
    places = [text.xy[1] for text in panel.texts]
    assert places == [0.1, pytest.approx(0.2)]  # one above the other


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_power_figure_has_a_panel_a_metric_and_reading(tmp_path, language):
    rows = [
        curve(n, n / 200, reading=reading)
        for reading in ("anchored", "unanchored")
        for n in (5, 80)
    ]
    path = write_rows(tmp_path / "p.csv", POWER, *rows)
    words = drawn("control1/draw_power.py", tmp_path, path, language=language)
    assert sum(text.startswith("warmth, ") for text in words) == 2
    assert "80" in words  # an item count at the axis


# Control 1, scores and drift


def score(judge: str, condition: str, anchor, other, item: str) -> dict:
    return dict(
        sheet_id=f"{judge}{condition}{item}", judge=judge, condition=condition, metric="warmth",
        anchor_score=anchor, other_score=other, item_id=item, document=condition, state="complete",
    )  # fmt: skip


def scores_panel(*rows: dict):
    panel = empty_panel()
    draw = load_script("control1/draw_scores.py").draw_panel
    draw(panel, table_of(VERDICT, *rows), wording("control1"))
    return panel


def test_scores_stand_above_their_condition_with_the_mean_as_a_bar():
    panel = scores_panel(
        score("j", "veridical", 0.5, 0.2, "i1"), score("j", "veridical", 0.5, 0.6, "i2")
    )
    assert ticks(panel, "x")[0] == "anchor"
    means = [span for span in spans(panel) if span[2] == span[3]]
    assert pytest.approx((-0.36, 0.36, 0.5, 0.5)) in means
    assert pytest.approx((0.64, 1.36, 0.4, 0.4)) in means
    assert [text for text in said(panel)[:2]] == ["0.50", "0.40"]
    assert said(panel)[-1] == "3 distinct scores"


def test_a_condition_that_nobody_scored_has_no_mean_and_none_without_rows_a_place():
    panel = scores_panel(
        score("j", "veridical", None, 0.25, "i1"), score("j", "shuffled", None, None, "i1")
    )
    assert ticks(panel, "x") == [wording("control1").value("condition", c)
                                 for c in ("anchor", "veridical", "shuffled")]  # fmt: skip
    assert said(panel) == ["0.25", "one score throughout"]
    assert len([span for span in spans(panel) if span[2] == span[3]]) == 1


def test_equal_scores_are_shifted_apart():
    panel = scores_panel(*(score("j", "veridical", 0.5, 0.5, f"i{n}") for n in range(4)))
    dots = [line for line in panel.lines if line.get_linestyle() == "None"]
    for place, line in enumerate(dots):
        shifts = (line.get_xdata() - place).tolist()
        assert shifts == pytest.approx([-0.3, -0.1, 0.1, 0.3])


def test_the_scores_figure_has_a_panel_a_judge(tmp_path):
    rows = [score(judge, "veridical", 0.5, 0.2, "i1") for judge in ("gull", "heron")]
    words = drawn(
        "control1/draw_scores.py", tmp_path, write_rows(tmp_path / "v.csv", VERDICT, *rows)
    )
    assert {"gull: warmth", "heron: warmth"} <= set(words)
    assert any(text.startswith("n = 1 items") for text in words)


def moved(item: str, before: float, after: float) -> dict:
    return dict(metric="warmth", item_id=item, contrast="veridical-foreign",
                anchor_original=before, anchor_counterfeit=after, drift=before - after)  # fmt: skip


def test_the_item_that_moved_most_is_thick_and_named():
    panel = empty_panel()
    rows = table_of(DRIFT, moved("i1", 0.5, 0.4), moved("i2", 0.2, 0.5), moved("i3", 0.6, 0.6))
    load_script("control1/draw_drift.py").draw_panel(panel, rows, "foreign", wording("control1"))
    assert [tuple(line.get_ydata()) for line in panel.lines] == [(0.5, 0.4), (0.2, 0.5), (0.6, 0.6)]
    widths = [line.get_linewidth() for line in panel.lines]
    assert widths == [1, 2.4, 1]
    named, mean = said(panel)
    assert named == "i2 −0.300"  # the sign of the fall, the size of the largest
    assert mean == "mean drift −0.067"  # (0.1 − 0.3 + 0) / 3


def test_the_drift_figure_is_worded_in_italian(tmp_path):
    path = write_rows(tmp_path / "d.csv", DRIFT, moved("i1", 0.5, 0.4))
    words = drawn("control1/draw_drift.py", tmp_path, path, language="it")
    assert any("+0,100" in text for text in words)
    assert not any("mean drift" in text or "original" in text.split() for text in words)


def test_a_drift_figure_without_counterfeits_says_which_way_there_are_none(tmp_path):
    """Answers with no memory alone were judged; or nothing was, since no bank was admitted."""
    none = moved("i1", 0.5, 0.4) | {"contrast": "veridical-none"}
    path = write_rows(tmp_path / "d.csv", DRIFT, none)
    said = drawn("control1/draw_drift.py", tmp_path, path)
    assert any("no counterfeit was judged" in text for text in said)
    pd.DataFrame(columns=DRIFT.names).to_csv(path, index=False)
    said = drawn("control1/draw_drift.py", tmp_path, path)
    assert any("nothing to draw: it is not known" in text for text in said)


# Control 2


def valid(model: str, condition: str, right: int, wrong: int, **values) -> dict:
    n = right + wrong
    share = right / n if n else None
    return dict(
        model=model, condition=condition, n=24, correct=right, wrong=wrong, accuracy_answered=share,
        wilson_low=share and max(0, share - 0.1), wilson_high=share and min(1, share + 0.1), m=2,
    ) | values  # fmt: skip


def test_a_model_is_marked_in_three_conditions_about_its_row():
    script = load_script("control2/draw_accuracy.py")
    panel, words = empty_panel(), wording("control2")
    table = table_of(VALIDITY, valid("a", "none", 12, 12), valid("a", "veridical", 0, 0))
    for row in table.itertuples():
        script.draw_mark(panel, script.SHIFTS[row.condition], row, words)
    assert marks(panel) == [(0.5, 0.25)]
    assert spans(panel) == [(0.4, 0.6, 0.25, 0.25)]
    assert said(panel) == ["nothing answered"]  # and no mark at 0


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (valid("a", "none", 20, 4, finding="solves"), "solved without\n20 of 24 right"),
        (valid("a", "none", 12, 12, finding="not shown"), "not shown to solve\n12 of 24 right"),
        (valid("a", "none", 2, 1, finding="not testable"), "not testable:\n3 answered"),
        (valid("a", "none", 0, 0, finding="not testable"), "not testable:\nnothing answered"),
    ],
)
def test_the_verdict_says_on_what_it_was_read(row, text):
    (found,) = table_of(VALIDITY, row).itertuples()
    assert load_script("control2/draw_accuracy.py").verdict(found, wording("control2")) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_best_without_a_document_stands_on_top(tmp_path, language):
    rows = [
        valid(model, condition, right, 24 - right)
        for model, right in (("weak", 10), ("strong", 22))
        for condition in ("veridical", "counterfeit", "none")
    ]
    path = write_rows(tmp_path / "v.csv", VALIDITY, *rows)
    words = drawn("control2/draw_accuracy.py", tmp_path, path, language=language)
    assert [text for text in words if text in ("weak", "strong")] == ["strong", "weak"]
    assert any("24" in text for text in words)
    assert ("0,2" in words) == (language == "it")  # the axis's numbers


def effect(model: str, condition: str, value: float | None, **values) -> dict:
    ends = dict(low=value - 0.1, high=value + 0.1) if value is not None else {}
    return dict(model=model, condition=condition, effect=value, n_pairs=20, m=2) | ends | values


def test_what_a_document_adds_is_marked_beside_its_own_interval():
    script = load_script("control2/draw_prior.py")
    panel = empty_panel()
    rows = table_of(EFFECTS, effect("a", "veridical", 0.4), effect("a", "counterfeit", None))
    for row in rows.itertuples():
        script.draw_mark(panel, script.SHIFTS[row.condition], row, wording("control2"))
    assert marks(panel) == [(0.4, -0.16)]
    assert spans(panel) == [(pytest.approx(0.3), 0.5, -0.16, -0.16)]
    assert said(panel) == ["nothing answered"]


def test_the_preference_is_unknown_where_a_model_is_silent_without_a_document():
    preference = load_script("control2/draw_prior.py").preference
    words = wording("control2")
    known = effect("a", "veridical", 0.4, prior_true=0.625, prior_first=0.5)
    silent = effect("a", "veridical", 0.4, prior_true=None, prior_first=None)
    (known,), (silent,) = (list(table_of(EFFECTS, row).itertuples()) for row in (known, silent))
    assert preference(known, words).startswith("without: true 62")
    assert preference(silent, words) == "without: no answer,\nchance assumed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prior_figure_names_both_documents(tmp_path, language):
    rows = [effect("a", condition, 0.25) for condition in ("veridical", "counterfeit")]
    path = write_rows(tmp_path / "e.csv", EFFECTS, *rows)
    words = drawn("control2/draw_prior.py", tmp_path, path, language=language)
    texts = wording("control2", language)
    assert {texts.value("condition", name) for name in ("veridical", "counterfeit")} <= set(words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("script", ["accuracy", "prior"])
def test_each_corpus_has_a_panel_in_the_study_s_order(tmp_path, language, script):
    """B comes first in the study, though A's model does better; one legend stands above both."""
    shares = {"B": 8, "A": 22}
    if script == "accuracy":
        rows = [valid("m", condition, right, 24 - right, corpus=corpus)
                for corpus, right in shares.items() for condition in CONDITIONS]  # fmt: skip
        path = write_rows(tmp_path / "t.csv", VALIDITY, *rows)
    else:
        rows = [effect("m", condition, right / 48, corpus=corpus)
                for corpus, right in shares.items() for condition in CONDITIONS[:2]]  # fmt: skip
        path = write_rows(tmp_path / "t.csv", EFFECTS, *rows)
    words = drawn(f"control2/draw_{script}.py", tmp_path, path, language=language)
    assert [word for word in words if word in ("Corpus A", "Corpus B")] == ["Corpus B", "Corpus A"]
    assert words.count("m") == 2
    veridical = wording("control2", language).value("condition", "veridical")
    assert words.count(veridical) == 1


def test_one_corpus_has_no_heading(tmp_path):
    rows = [valid("m", condition, 12, 12) for condition in CONDITIONS]
    path = write_rows(tmp_path / "v.csv", VALIDITY, *rows)
    assert not [w for w in drawn("control2/draw_accuracy.py", tmp_path, path) if "orpus" in w]


# Control 3


def cell(model: str, **values) -> dict:
    known = dict(
        corpus="A", model=model, corrupted_document="binding-corrupted", n=10, m=2, chance=0.25,
        cells=2, tested="tested", veridical_correct=9, corrupted_correct=3, b=7, c=1, p_holm=0.07,
    )  # fmt: skip
    return known | values


def cells_panel(*rows: dict):
    panel = empty_panel()
    load_script("control3/draw_cells.py").draw_panel(
        panel, table_of(CELLS, *rows), wording("control3")
    )
    return panel


def test_a_cell_is_two_shares_of_all_probes_joined():
    panel = cells_panel(cell("a"))
    assert marks(panel, style.MARKERS["veridical"]) == [(0.9, 0)]
    assert marks(panel, style.MARKERS["corrupted"]) == [(0.3, 0)]
    assert (0.9, 0.3, 0, 0) in spans(panel)
    assert said(panel) == ["7 of 8, p = 0.070"]


def test_where_both_documents_do_alike_both_marks_can_be_seen():
    panel = cells_panel(cell("a", corrupted_correct=9, b=0, c=0, p_holm=1.0))
    sizes = [line.get_markersize() for line in panel.lines if len(line.get_xdata()) == 1]
    assert sorted(sizes) == [8.5, 11]
    assert said(panel)[0].startswith("none discordant, p ")


def test_a_cell_that_could_not_be_tested_has_no_mark_and_says_why():
    untested = [word for word in CELLS["tested"].words if word != "tested"]
    for word in untested:
        panel = cells_panel(cell("a", tested=word, b=None, c=None, p_holm=1.0))
        assert marks(panel) == []
        assert said(panel) == [f"{wording('control3').value('tested', word)}, counts as p = 1"]


def test_a_cell_that_survives_is_bold_and_several_documents_are_numbered():
    panel = cells_panel(
        cell("a", survives=True), cell("a", corrupted_document="binding-corrupted-2")
    )
    assert [text.get_fontweight() for text in panel.texts] == ["bold", "normal"]
    assert ticks(panel) == ["a", "a (2)"]


def test_the_widest_gap_stands_on_top(tmp_path):
    rows = [cell("narrow", delta=0.1), cell("wide", delta=0.6)]
    words = drawn("control3/draw_cells.py", tmp_path, write_rows(tmp_path / "c.csv", CELLS, *rows))
    assert [text for text in words if text in ("narrow", "wide")] == ["wide", "narrow"]
    assert "Corpus A, Holm over 2 cells" in words
    kind = wording("control3").value
    named = [f"{kind('document', name)} document" for name in ("veridical", "binding-corrupted")]
    assert set(named) <= set(words)


def parts(**counts: int) -> dict:
    """A cell's twelve counts: so many of each part under each document, the rest wrong."""
    names = [f"{d}_{p}" for d in ("veridical", "corrupted", "none")
             for p in ("correct", "wrong", "abstained", "unparseable")]  # fmt: skip
    return cell("a") | dict.fromkeys(names, 0) | counts


def test_a_bar_is_its_parts_one_after_the_other():
    panel = empty_panel()
    row = parts(veridical_correct=7, veridical_wrong=2, veridical_abstained=1, none_unparseable=10)
    load_script("control3/draw_parts.py").draw_panel(
        panel, table_of(CELLS, row), wording("control3")
    )
    wide = [bar for bar in bars(panel) if bar[0] != bar[1]]
    assert wide == [(0, 7), (7, 9), (9, 10), (0, 10)]
    assert [text for text in said(panel) if text.isdigit()] == ["7", "2", "10"]  # 1 is too narrow
    assert said(panel)[0] == "a"  # the model's name stands over its bars
    assert len(ticks(panel)) == 3


def test_a_parts_name_stands_in_the_legend_once(tmp_path):
    first = parts(veridical_correct=10, corrupted_correct=10, none_correct=10)
    path = write_rows(tmp_path / "c.csv", CELLS, first, first | {"model": "b"})
    words = drawn("control3/draw_parts.py", tmp_path, path)
    for name in ("right", "wrong", "abstained", "not readable"):
        assert words.count(name) == 1
    assert words.count("10") >= 6


def test_the_parts_figure_numbers_several_corrupted_documents(tmp_path):
    rows = [parts() | {"corrupted_document": f"binding-corrupted-{n}"} for n in (1, 2)]
    words = drawn("control3/draw_parts.py", tmp_path, write_rows(tmp_path / "c.csv", CELLS, *rows),
                  language="it")  # fmt: skip
    named = wording("control3", "it").value("document", "binding-corrupted")
    assert {f"{named} 1", f"{named} 2"} <= set(words)


# The age score


def session(number: int, redundancy: str, aas: float | None, **values) -> dict:
    return dict(model="a", phase="stateless", session=number, registered=True, reading="registered",
                redundancy=redundancy, aas=aas, bound=30.0) | values  # fmt: skip


def sessions_panel(*rows: dict, first: bool = False):
    panel = empty_panel()
    load_script("aas/draw_sessions.py").draw_panel(
        panel, table_of(BY_SESSION, *rows).drop(columns="run"), wording("aas"), first=first
    )
    return panel


def test_sessions_stand_in_their_order_whatever_the_tables():
    panel = sessions_panel(session(2, "zero", 4.0), session(1, "zero", 8.0))
    (zero, _) = [line for line in panel.lines if line.get_marker() in ("o", "x")]
    assert zero.get_xdata().tolist() == [1, 2]
    assert zero.get_ydata().tolist() == [8.0, 4.0]
    assert said(panel) == ["mean 6.00\nR = 0"]


def test_a_curve_without_a_score_has_no_mean_and_the_bound_is_named_once():
    panel = sessions_panel(session(1, "zero", None), session(1, "estimated", 3.0), first=True)
    assert said(panel) == ["mean 3.00\nR estimated", "bound 30.0"]


def test_every_fifth_session_is_numbered():
    panel = sessions_panel(*(session(n, "zero", 1.0) for n in range(1, 12)))
    assert panel.get_xticks().tolist() == [1, 5, 10]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phase_without_a_session_says_so(tmp_path, language):
    rows = [
        session(1, "zero", 1.0),
        session(1, "zero", 1.0, model="b", phase="persistent"),
        session(1, "zero", 2.5, reading="other", registered=False),
    ]
    path = write_rows(tmp_path / "s.csv", BY_SESSION, *rows)
    words = drawn("aas/draw_sessions.py", tmp_path, path, language=language)
    assert words.count(wording("aas", language)("drawing.no_session")) == 2
    assert not any("2.5" in text or "2,5" in text for text in words)  # not the other reading's


# Path entropy


def measured(model: str, horizon: int, reach: float, diversity: float, **values) -> dict:
    ends = dict(
        verified_probability_low=reach - 0.1,
        verified_probability_high=reach + 0.1,
        mode_entropy_low=max(0, diversity - 0.2),
        mode_entropy_high=diversity + 0.2,
    )
    plain = dict(model=model, horizon=horizon, preset="warm", n_problems=9, rollouts=16)
    return plain | dict(verified_probability=reach, mode_entropy=diversity) | ends | values


def plane_panel(*rows: dict, above: int = 0):
    panel = empty_panel()
    load_script("vpe/draw_plane.py").draw_model(
        panel, table_of(SUMMARY, *rows), 0, wording("vpe"), above=above
    )
    return panel


def test_a_model_runs_from_its_short_to_its_long_horizon():
    panel = plane_panel(measured("a", 64, 0.2, 0.5), measured("a", 256, 0.4, 1.0))
    assert marks(panel) == [(0.2, 0.5), (0.4, 1.0)]
    sizes = [line.get_markersize() for line in panel.lines if len(line.get_xdata()) == 1]
    assert sizes == [5.5, 9.5]
    assert said(panel) == ["a, 256 tokens"]


def test_a_point_without_an_interval_is_a_mark_alone():
    panel = plane_panel(measured("a", 64, 0.2, 0.5, mode_entropy_high=None))
    assert marks(panel) == [(0.2, 0.5)]
    assert len(panel.lines) == 2  # the joining line and the mark


@pytest.mark.parametrize(("reach", "side"), [(0.59, "left"), (0.6, "right")])
def test_a_name_stands_where_the_plot_has_room(reach, side):
    (text,) = plane_panel(measured("a", 64, reach, 0.5)).texts
    assert text.get_ha() == side


@pytest.mark.parametrize("above", [0, 2])
def test_names_of_close_points_are_stacked(above):
    (text,) = plane_panel(measured("a", 64, 0.5, 0.5), above=above).texts
    assert text.xyann[1] == 11 + 13 * above


def test_the_plane_draws_the_first_preset_alone(tmp_path):
    rows = [measured("a", 64, 0.2, 0.0), measured("b", 64, 0.2, 0.0),
            measured("c", 64, 0.9, 1.0, preset="cold")]  # fmt: skip
    words = drawn("vpe/draw_plane.py", tmp_path, write_rows(tmp_path / "s.csv", SUMMARY, *rows))
    assert {"a, 64 tokens", "b, 64 tokens"} <= set(words)
    assert "c, 64 tokens" not in words
    assert any("n = 9 problems × 16 rollouts" in text for text in words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("of", "contract", "axis", "value"),
    [
        ("coverage", COVERAGE, "b", "expected_modes"),
        ("entropy", ENTROPY, "b", "expected_entropy"),
        ("pass_at_k", PASSES, "k", "value"),
    ],
)
def test_a_curve_has_a_panel_a_horizon_and_a_name_at_its_end(
    tmp_path, of, contract, axis, value, language
):
    points = [
        {"model": model, "horizon": horizon, "preset": "warm", axis: n, value: 0.3 * n}
        | {"low": 0.2 * n, "high": 0.33 * n}
        for model in ("gull", "heron")
        for horizon in (64, 256)
        for n in (1, 2, 3)
    ]
    table = write_rows(tmp_path / "t.csv", contract, *points)
    summary = write_rows(tmp_path / "s.csv", SUMMARY, measured("gull", 64, 0.2, 0.5))
    words = drawn("vpe/draw_curve.py", tmp_path, table, summary, language=language, of=of)
    assert words.count("gull") == words.count("heron") == 2
    texts = wording("vpe", language)
    assert {texts("drawing.horizon", tokens=n) for n in (64, 256)} <= set(words)
