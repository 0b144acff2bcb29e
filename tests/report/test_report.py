"""The report's words: sentences from tables, numbers in two languages, texts that stay texts."""

import json
import re
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from support.fixture_scores import age_tables, path_tables
from support.fixture_study import (
    PLANTED,
    build,
    judged_tables,
    recognition_tables,
    symmetric_tables,
)
from veridical.base.tables import read_table, write_table
from veridical.report.briefs import brief
from veridical.report.drill import encode, escape_json
from veridical.report.drills import control2 as control2_drill
from veridical.report.drills_scores import aas as aas_drill
from veridical.report.figures import read_figure
from veridical.report.findings import control2, control3
from veridical.report.findings_judged import control1
from veridical.report.findings_scores import aas, vpe
from veridical.report.methods import paragraphs
from veridical.report.page import render
from veridical.report.study import read_study
from veridical.report.tabulate import Shown, tabulate
from veridical.report.views import address, tables
from veridical.report.wording import FOLDER, LANGUAGES, Wording, plain
from veridical.statistics.intervals import binomial_greater, wilson

EN, IT = Wording.read("en"), Wording.read("it")


@pytest.fixture(scope="module")
def study_root(tmp_path_factory):
    root = tmp_path_factory.mktemp("study")
    build(root)
    return root


def read(root, name="fixture"):
    return read_study(root / "results" / name, root / "figures" / name, root)


def leaves(entry, path=""):
    if isinstance(entry, dict):
        return {k: v for key in entry for k, v in leaves(entry[key], f"{path}.{key}").items()} or {
            path: {}
        }
    return {path: entry}


# --- wording ---------------------------------------------------------------------------------


def test_both_languages_say_the_same_things():
    texts = [
        leaves(yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8")))
        for language in LANGUAGES
    ]
    # The figures' own words are English: only another language has something to say for them.
    texts = [{k: v for k, v in text.items() if not k.startswith(".figure_words")} for text in texts]
    assert set(texts[0]) == set(texts[1])
    for key, one in texts[0].items():
        two = texts[1][key]
        assert isinstance(one, (str, list, dict)), f"{key} is no text: {one!r}"
        places = [sorted(set(re.findall(r"\{(\w*)\}", str(text)))) for text in (one, two)]
        assert places[0] == places[1] or key == ".formats.date", key
        assert type(one) is type(two), key


def test_every_term_that_a_text_links_is_in_the_glossary():
    for words in (EN, IT):
        terms = set(re.findall(r"\[\[([a-z0-9-]+)", json.dumps(words.texts, ensure_ascii=False)))
        assert terms <= set(words.texts["glossary"])


@pytest.mark.parametrize(
    ("value", "digits", "sign", "english", "italian"),
    [
        (5332, 0, False, "5,332", "5.332"),
        (0.032, 3, True, "+0.032", "+0,032"),
        (-0.0061, 3, True, "−0.006", "−0,006"),
        (-0.0004, 3, True, "0.000", "0,000"),  # no sign where nothing is left to sign
        (float("nan"), 3, False, "–", "–"),
    ],
)
def test_numbers(value, digits, sign, english, italian):
    assert EN.number(value, digits, sign=sign) == english
    assert IT.number(value, digits, sign=sign) == italian


@pytest.mark.parametrize(
    ("p", "text"),
    [(8.3e-7, "< 0.00001"), (0.000244, "0.00024"), (0.01172, "0.012"), (0.5, "0.50"), (1, "1.00")],
)
def test_p_values_keep_two_digits(p, text):
    assert EN.p_value(p) == text


def test_spans_lists_and_counts():
    assert EN.span([0.79, 0.62], lambda share: EN.percent(share, 0)) == "62% to 79%"
    assert EN.span([0.5, 0.501], lambda share: EN.percent(share, 0)) == "50%"
    assert EN.join(["a", "b", "c"]) == "a, b and c"
    assert IT.count(7, "item") == "sette item"
    assert EN.count(1, "probe") == "one probe"
    assert IT.date("2025-09-14T10:00:00Z") == "14 settembre 2025"


def test_prose_escapes_before_it_marks():
    html = str(EN.prose("<b> **bold** [[judge|the <i>judge]]"))
    assert "<b>" not in html
    assert "<i>" not in html
    assert "<strong>bold</strong>" in html
    assert 'data-term="judge"' in html


def test_a_missing_text_or_place_is_named():
    with pytest.raises(KeyError, match=r"findings\.control9"):
        EN("findings.control9.x")
    with pytest.raises(KeyError, match="items"):
        EN("findings.control1.unproven")
    with pytest.raises(ValueError, match=r"text\.tr\.yaml"):
        Wording.read("tr")


# --- findings: the printed figures give the printed sentences ----------------------------------


def contrasts(**verdicts):
    table = judged_tables(np.random.default_rng(1))["control1/contrasts"]
    for place, verdict in verdicts.items():
        table.loc[table["metric"].str.startswith(place), "verdict"] = verdict
    return table.assign(methods_disagree=False)


def test_control1_as_printed():
    found = control1(contrasts(), 0.10, EN)
    assert found.answer == (
        "The judges did not recognise the counterfeit; seven items can’t prove that they couldn’t."
    )
    assert found.sure == "limited"  # one metric equivalent, one inconclusive
    # 90 % interval of memory reference: [−0.117, +0.114]
    assert "on memory reference differences anywhere in [−0.12, +0.11]" in found.limits[0].lower()


@pytest.mark.parametrize(
    ("identity", "memory", "says", "sure"),
    [
        ("equivalent", "equivalent", "an invented life scores the same", "firm"),
        ("different", "equivalent", "on identity markers, but not on memory reference", "firm"),
        ("inconclusive", "inconclusive", "seven items can’t prove", "open"),
    ],
)
def test_control1_words_follow_the_verdicts(identity, memory, says, sure):
    found = control1(contrasts(identity=identity, memory=memory), 0.10, EN)
    assert says in found.answer
    assert found.sure == sure


def test_control1_says_where_only_the_shuffled_counterfeit_is_told_apart():
    table = contrasts(identity="inconclusive", memory="inconclusive")
    assert not any("shuffled" in limit for limit in control1(table, 0.10, EN).limits)
    rows = (table["contrast"] == "veridical-shuffled") & (table["metric"].str.startswith("memory"))
    table.loc[rows, "verdict"], table.loc[rows, "estimate"] = "different", 0.2
    said = [limit for limit in control1(table, 0.10, EN).limits if "shuffled" in limit]
    assert len(said) == 1
    assert "told apart on memory reference (+0.200)" in said[0]


def test_control1_is_not_firm_on_differences_that_never_vary():
    table = contrasts(identity="equivalent", memory="equivalent")
    found = control1(table.assign(t_verdict="not defined"), 0.10, EN)
    assert found.sure == "limited"
    assert "t is not defined: that is no evidence of equivalence" in found.limits[0]


def test_control1_is_not_firm_where_one_judge_leaves_agreement_unknown():
    judges = pd.DataFrame(
        [(who, metric, name, "", value, "")
         for metric in ("identity_markers", "memory_reference")
         for who, name, value in (("one", "distinct_scores", 9), ("all", "alpha", None))],
        columns=["judge", "metric", "statistic", "contrast", "value", "note"],
    )  # fmt: skip
    table = contrasts(identity="equivalent", memory="equivalent")
    found = control1(table, 0.10, EN, None, judges)
    assert found.sure == "limited"
    assert "can’t be measured on every metric" in found.limits[0]


def test_control1_tells_opposite_differences_apart():
    table = contrasts(identity="different", memory="different")
    lower = table["metric"].str.startswith("memory")
    table["estimate"] = table["estimate"].abs().where(~lower, -table["estimate"].abs())
    answer = control1(table, 0.10, EN).answer
    assert answer.endswith("scored higher on identity markers and lower on memory reference.")


def test_control1_a_preferred_counterfeit_is_not_recognition():
    table = contrasts(identity="different", memory="different")
    table["estimate"] = -table["estimate"].abs()
    assert "preferred the counterfeit" in control1(table, 0.10, EN).answer


def test_control1_says_where_the_registered_reading_differs():
    found = control1(contrasts(), 0.10, EN)
    said = [sentence for sentence in found.limits if "registered reading" in sentence]
    assert any("+0.116, different" in sentence for sentence in said)
    assert any("−0.006, inconclusive" in sentence for sentence in said)


def test_control1_a_constant_judge_and_low_agreement_weaken_it():
    judges = pd.DataFrame(
        [
            ("tiny", "identity_markers", "distinct_scores", "", 1, ""),
            ("all", "identity_markers", "alpha", "", 0.12, ""),
        ],
        columns=["judge", "metric", "statistic", "contrast", "value", "note"],
    )
    table = contrasts(identity="equivalent", memory="equivalent")
    found = control1(table, 0.10, EN, None, judges)
    assert found.sure == "limited"
    assert any(sentence.startswith("tiny") for sentence in found.limits)
    assert any("0.12" in sentence for sentence in found.limits)


def test_control2_as_printed():
    found = control2(recognition_tables()["control2/validity"], EN)
    assert found.answer.startswith(
        "Five of seven models got past the registered threshold without a memory document, "
        "with 62% to 79% right on 24 answered probes (of 24); "
        "better than chance is shown for two of them"
    )
    assert "qwen3:32b and gemini-2.5-pro" in found.limits[0]  # 17 and 19 of 24: p = 0.032, 0.003
    assert "68.6%" in found.limits[1]  # the upper end of llama3


def test_control2_names_a_model_that_keeps_to_the_rule_and_yet_beats_chance():
    # 60 of 100 is at most 0.60, and chance does as well in 2.8 % of cases
    validity = without_document("llama3", 60, 40, 0, valid=True)
    found = control2(validity, EN)
    assert found.answer.startswith("By the registered rule no model passes the probe without a")
    assert found.answer.endswith("but llama3 did better than chance by the exact test.")


def test_control2_reads_no_habit_from_a_single_answer():
    validity = without_document("llama3", 1, 0, 23, first_option_share=1.0)
    assert not any("a habit" in sentence for sentence in control2(validity, EN).details)
    many = without_document("llama3", 12, 12, 0, first_option_share=1.0)
    assert any("a habit" in sentence for sentence in control2(many, EN).details)


def test_control2_when_none_passes_and_when_none_answers():
    validity = recognition_tables()["control2/validity"]
    held = validity[validity["model"].isin(["llama3", "qwen3.5:27b"])]
    assert control2(held, EN).answer.startswith("No model solves the probe")
    mute = held.assign(correct=0, wrong=0, abstained=24)
    found = control2(mute, EN)
    assert found.sure == "open"
    assert "nothing can be said" in found.answer


def without_document(model, right, wrong, silent, **values):
    """The validity table of one model that left `silent` probes unanswered without a document."""
    validity = recognition_tables()["control2/validity"]
    table = validity[validity["model"] == model].reset_index(drop=True)
    ends = wilson(right, right + wrong)
    none = {
        "correct": right,
        "wrong": wrong,
        "abstained": silent,
        "n": right + wrong + silent,
        "accuracy": right / (right + wrong + silent),
        "accuracy_answered": right / (right + wrong),
        "wilson_low": ends.low,
        "wilson_high": ends.high,
        "binomial_p": binomial_greater(right, right + wrong, 0.5),
        "valid": False,
        **values,
    }
    for column, value in none.items():
        table.loc[table["condition"] == "none", column] = value
    return table


@pytest.mark.parametrize(
    ("right", "wrong", "english", "italian", "sure"),
    [
        # p = (7 + 1) / 2^7 = 0.0625: six of seven answered is not shown to beat chance
        (
            6,
            1,
            "qwen3:32b got past the registered threshold without a memory document, with 86% right "
            "on 7 answered probes (of 24): not shown to be better than chance.",
            "qwen3:32b: soglia registrata superata senza documento di memoria, con 86 % "
            "di risposte giuste su 7 sonde con risposta (di 24); non si è mostrato "
            "che sia meglio del caso.",
            "limited",
        ),
        # p = (8 + 1) / 2^8 = 0.035
        (
            7,
            1,
            "qwen3:32b solves the probe with no memory document at all "
            "(88% right of the 8 answered probes; 24 were asked): ",
            "qwen3:32b risolve la sonda senza alcun documento di memoria "
            "(88 % di risposte giuste fra le 8 sonde con risposta, su 24 poste): ",
            "firm",
        ),
    ],
)
def test_control2_claims_no_more_than_the_answered_probes(right, wrong, english, italian, sure):
    validity = without_document("qwen3:32b", right, wrong, 24 - right - wrong)
    for words, said in ((EN, english), (IT, italian)):
        found = control2(validity, words)
        assert found.answer.replace("\u00a0", " ").startswith(said)
        assert found.sure == sure


def test_control2_by_the_upper_rule_no_threshold_was_passed():
    # 3 of 6: at chance, yet the interval reaches 81 %
    validity = without_document("qwen3:32b", 3, 3, 18, registered_rule="upper")
    said = control2(validity, EN).answer
    assert "came, with the interval’s upper end, past the registered limit" in said
    assert "50% right on 6 answered probes (of 24): not shown" in said


def test_control2_shows_one_denominator(study_root):
    study = read(study_root)
    study.tables["control2/validity"] = without_document("qwen3:32b", 6, 1, 17)
    table = brief("control2", study, EN)
    shown = dict(zip([column.name for column in table.columns], table.rows[0][1], strict=True))
    assert shown["none"] == "85.7% (6 of 7)"
    assert shown["answered_of_asked"] == "7 of 24"
    assert shown["wilson"] == "[48.7, 97.4]"
    assert "of the probes answered" in table.caption
    assert control2_drill(study, EN).groups[0].facts == ("85.7% (6 of 7)",)


def test_control3_as_printed():
    found = control3(symmetric_tables()["control3/cells"], EN)
    assert plain(found.answer).startswith("Yes, in all 14 cells")
    assert "by 38 to 100 points" in found.answer
    assert found.sure == "firm"
    assert any("0.012" in sentence for sentence in found.details)


def test_control3_some_none_and_a_probe_that_can_be_guessed():
    cells = symmetric_tables()["control3/cells"]
    some = cells.assign(survives=[False] * 13 + [True])
    assert plain(control3(some, EN).answer).startswith("In one cell of 14: swap")
    assert plain(control3(some, IT).answer).startswith("In una cella su 14: scambiando")
    none = control3(cells.assign(survives=False), EN)
    assert none.answer.startswith("That could not be shown")
    assert none.sure == "open"
    guessed = control3(cells.assign(none_p=[0.01] + [0.5] * 13), EN)
    assert guessed.sure == "limited"
    assert "gpt-4.1 (A): better than chance" in guessed.limits[0]


def test_control3_says_follow_only_where_the_false_document_is_followed():
    cells = symmetric_tables()["control3/cells"].head(1)
    silent = cells.assign(  # 24 right, then 4 right and 20 abstained: b = 20, c = 0
        veridical_correct=24, corrupted_correct=4, corrupted_wrong=0, corrupted_abstained=20,
        corrupted_named=0, b=20, c=0, survives=True, follows_corrupted=float("nan"),
    )  # fmt: skip
    found = control3(silent, EN)
    assert "in one cell of one the true document adds right answers" in found.answer.lower()
    assert found.sure == "limited"
    assert any("abstained or named someone else" in sentence for sentence in found.limits)
    assert not any("signature" in sentence for sentence in found.details)


def test_control3_that_runs_against_the_document_is_not_called_chance():
    cells = symmetric_tables()["control3/cells"].head(2)
    against = cells.assign(veridical_correct=2, corrupted_correct=22, survives=True)
    assert control3(against, EN).answer.startswith("Not as expected: in two cells of two the ans")
    guessed = control3(cells.assign(none_p=0.01), EN)
    assert guessed.answer.startswith("That can’t be read")
    assert guessed.sure == "open"


def test_a_cell_that_was_not_tested_shows_no_accuracy(study_root):
    study = read(study_root)
    cells = study.tables["control3/cells"]
    first = cells.index == 0
    empty = {"tested": "not testable", "veridical_accuracy": None, "corrupted_accuracy": None}
    for column, value in (empty | {"delta": None, "veridical_correct": 0}).items():
        cells.loc[first, column] = value
    for table in (brief("control3", study, EN), next(tables("control3", study, EN))):
        last = [row for _, row in table.rows if "not testable" in row]
        assert len(last) == 1
        assert "0.0%" not in last[0]
        shown = dict(zip([column.name for column in table.columns], last[0], strict=True))
        assert shown["veridical"] == shown["corrupted"] == "–"


def test_control3_tells_an_unmade_check_from_a_cell_without_answers():
    cells = symmetric_tables()["control3/cells"]
    cells = cells.assign(none_answered=[0] + [24] * 13)
    silent = cells.index == 1
    cells.loc[silent, ["tested", "survives"]] = ["not testable", False]
    cells.loc[silent, ["veridical_correct", "corrupted_correct"]] = 0
    first, second = (f"{row.model} ({row.corpus})" for row in cells.head(2).itertuples())
    found = control3(cells, EN)
    assert f"{first}: no answer without a document, so the check could not be made there." in (
        found.limits
    )
    assert any(s.startswith(f"{second}: no probe answered under either") for s in found.limits)
    assert not any("no effect shown" in sentence.lower() for sentence in found.details)
    nothing = control3(cells.assign(tested="not testable", survives=False), EN)
    assert nothing.answer.startswith("That could not be tested")
    assert nothing.sure == "open"


def test_the_method_takes_its_numbers_from_the_data(study_root):
    text = plain(" ".join(paragraphs("control1", read(study_root), EN)))
    # 7 items × 6 counterfeits; 3 judges × 7 items × (1 veridical + 6 counterfeits)
    assert "(42 answers, temperature 0.7, at most 300 tokens)" in text
    assert "147 verdicts, 0 incomplete" in text
    text = plain(" ".join(paragraphs("control3", read(study_root), IT)))
    assert "24 sonde × 7 modelli × 2 corpora = 14 celle" in text
    assert "10⁻⁶" in " ".join(paragraphs("aas", read(study_root), EN))


def test_scores_are_worded_by_what_they_did():
    summary = age_tables()["aas/summary"]
    assert "for every model" in aas(summary, EN).answer
    # gpt-4.1 forgets nothing in one thread; 19 of 20 lost without: 19/20 · log2((1 + ε)/ε) = 18.9
    assert "averages 18.9" in aas(summary, EN).answer
    flat = summary.assign(mean_aas=5.0)
    assert "does not lower the age score of any model" in aas(flat, EN).answer
    paths = path_tables(np.random.default_rng(1))["vpe/summary"]
    top = paths[paths["horizon"] == 160].sort_values("smoothed_vpe", ascending=False)
    best, second = top["model"].iloc[0], top["model"].iloc[1]

    def found(low, high, first=second, last=best):
        ends = {"measure": "smoothed_vpe", "horizon": 160, "low": low, "high": high}
        pair = {"contrast": "models", "first": first, "second": last, "preset": "paper"}
        return vpe(paths, EN, pd.DataFrame([pair | ends]))

    assert found(0.1, 0.4).answer.startswith(
        "At 160 tokens gpt-4.1 keeps the most verified ways open"
    )
    assert found(0.1, 0.4).sure == "limited"
    assert "[+0.10, +0.40]" in found(0.1, 0.4).limits[0]
    assert "[+0.10, +0.40]" in found(-0.4, -0.1, first=best, last=second).limits[0]
    assert found(-0.1, 0.4).sure == "open"
    assert "may be nothing ([−0.10, +0.40] nats)" in found(-0.1, 0.4).limits[0]
    assert "has no interval" in vpe(paths, EN).limits[0]
    lost = summary.copy()
    gone = (lost["model"] == lost["model"].iloc[0]) & (lost["phase"] == "persistent")
    lost.loc[gone, "mean_aas"] = None
    assert f"No score in both phases: {lost['model'].iloc[0]}." in aas(lost, EN).answer
    assert vpe(paths.assign(verified_probability=0.0), EN).answer.startswith("No rollout")


# --- tables, figures, rows ---------------------------------------------------------------------


def test_tables_leave_out_what_is_not_there():
    table = pd.DataFrame({"model": ["a"], "p_holm": [0.012], "note": [None]})
    columns = [Shown("model"), Shown("b", "int"), Shown("p_holm", "p"), Shown("note")]
    shown = tabulate(table, columns, EN, "cells")
    assert [column.name for column in shown.columns] == ["model", "p_holm"]
    assert shown.rows == ((None, ("a", "0.012")),)


def test_the_largest_k_there_is_stands_in_both_tables(study_root):
    study = read(study_root)
    summary = study.tables["vpe/summary"]
    for k in (32, 16):
        shares = {"pass_at_1": 0.25, "pass_at_8": 0.5, f"pass_at_{k}": 0.75}
        study.tables["vpe/summary"] = summary.assign(**shares)
        for table in (brief("vpe", study, EN), next(tables("vpe", study, EN))):
            labels = [column.label for column in table.columns if "pass" in column.name]
            assert labels[-1] == f"pass@{k}"


def test_a_language_that_no_answer_tells_is_a_dash(study_root):
    study = read(study_root)
    sessions = study.tables["aas/sessions"]
    for missing in (pd.NA, None, float("nan")):
        kept = pd.Series([True, False, missing] * len(sessions), dtype=object)[: len(sessions)]
        study.tables["aas/sessions"] = sessions.assign(language_kept=kept.to_numpy())
        assert list(aas_drill(study, EN).rows["language_kept"][:3]) == ["yes", "no", "–"]
    kept = pd.array([True, False, pd.NA] * len(sessions), dtype="boolean")[: len(sessions)]
    study.tables["aas/sessions"] = sessions.assign(language_kept=kept)
    assert list(aas_drill(study, EN).rows["language_kept"][:3]) == ["yes", "no", "–"]


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
    drawn = str(read_figure(path, IT, 'says "so"').svg)
    assert "alert" not in drawn
    assert 'id="aas_x-a"' in drawn
    assert "fill: var(--ink)" in drawn
    assert "0,05" in drawn
    path.write_text("no drawing")
    with pytest.raises(ValueError, match=r"aas_x\.svg: not an SVG"):
        read_figure(path, IT, "")


# --- the page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_and_the_same_each_time(study_root, language):
    words = Wording.read(language)
    page = render(read(study_root), words)
    assert page == render(read(study_root), words)
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
    page = render(read(tmp_path), EN)
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
    change("control2/validity", "llama3", **nothing, binomial_p=None, correct=0, wrong=0)
    change("control2/answers", "llama3", state="unparseable", answer=None, correct=None)
    gone = ("n", "veridical_correct", "corrupted_correct", "none_correct", "none_p", "p_holm", "b")
    change("control3/cells", "llama3", **dict.fromkeys(gone), tested="missing", survives=False)
    change("aas/sessions", "llama3", answer=None, x=None, phi=None, language_kept=None)
    change("vpe/rollouts", "llama3", verified=None, mode=None)
    for words in (EN, IT):
        page = render(read(tmp_path), words)
        assert "nan" not in re.findall(r">([^<]*)</t[dh]>", page)
        assert "<NA>" not in page
    page = render(read(tmp_path), EN)
    assert "llama3: no probe answered without a document, so not testable" in page
    assert "llama3 (A) and llama3 (B) missing; counted as p = 1" in page


def test_a_changed_file_shows_on_the_first_screen(tmp_path):
    results = build(tmp_path)
    assert "seal_verified" in render(read(tmp_path), EN)
    config = results / "config.json"
    config.write_text(config.read_text() + "\n")
    assert "changed since it was sealed" in render(read(tmp_path), EN)


def test_a_study_without_config_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"config\.json: missing"):
        read_study(tmp_path / "results/x", tmp_path / "figures/x", tmp_path)


def test_the_script_writes_the_page(study_root, monkeypatch, capsys):
    monkeypatch.chdir(study_root)
    path = Path(__file__).parents[2] / "workflow/scripts/report/build_report.py"
    script = runpy.run_path(str(path))
    page = Path("results/fixture/report/index.html")
    script["main"](
        Path("results/fixture/config.json"), Path("figures/fixture"), page, language="it"
    )
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "5 parts" in capsys.readouterr().out
