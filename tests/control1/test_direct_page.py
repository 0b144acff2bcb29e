"""Direct pairs on the page: sentences for every word of the tables, method, drill and figure."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
from support.control1_study import METRICS, responses
from support.direct_study import at_a_loss, first, lay_out, reader
from veridical.control1.direct.findings import find
from veridical.control1.direct.page import method
from veridical.control1.page import PART, brief, drilled, find_study
from veridical.control1.tables import COMPARED
from veridical.parts import PARTS
from veridical.report.page import render
from veridical.report.part import make_section
from veridical.report.wording import LANGUAGES, Wording

EN, IT = Wording.read("en").of("control1"), Wording.read("it").of("control1")
SHARES = {"prefers own": 0.9, "prefers other": 0.2}


def preferences(*words, kinds=("foreign",), sensitive="sensitive", cells=(("m", "A"),)):
    """A word a metric (or a pair of them a cell) against each kind."""
    rows = []
    for place, (responder, corpus) in enumerate(cells):
        for kind in kinds:
            for number, metric in enumerate(METRICS):
                word = words[(place * len(METRICS) + number) % len(words)]
                share = SHARES.get(word, 0.5)
                rows.append((responder, corpus, metric, f"veridical-{kind}", 7, 3, share, 0.3,
                             0.7, share - 0.1, share + 0.1, sensitive, word))  # fmt: skip
    columns = ["responder", "corpus", "metric", "contrast", "n_items", "n_documents", "share"]
    columns += ["share_low", "share_high", "document_low", "document_high", "sensitive", "finding"]
    return pd.DataFrame(rows, columns=columns)


def alone(*rows):
    columns = ["judge", "metric", "contrast", "toward", "away", "n_items", "finding"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(responder="m", corpus="A")


def panel(**words):
    rows = [("A", METRICS[0], test, share, word) for test, (share, word) in words.items()]
    return pd.DataFrame(rows, columns=["corpus", "metric", "test", "share", "finding"])


def choosers(note="", **more):
    row = {"judge": "one", "metric": METRICS[0], "sheets": 90, "neither": 0.1, "note": note}
    row |= {"both_orders": 0, "same_answer": None, "given_twice": 0, "chosen_again": None}
    return pd.DataFrame([row | more])


def found(table, *, text=EN, own=None, heard=None, chose=None):
    own = alone() if own is None else own
    heard = panel() if heard is None else heard
    return find(table, own, heard, choosers() if chose is None else chose, 0.15, text)


def keys(finding):
    return [said.key for said in (*finding.limits, *finding.details)]


@pytest.mark.parametrize("text", [EN, IT], ids=["en", "it"])
@pytest.mark.parametrize(
    ("words", "key", "sure"),
    [
        (("prefers own",), "preferred", "limited"),
        (("prefers other",), "preferred_other", "limited"),
        (("inconclusive", "prefers other"), "preferred_other", "limited"),
        (("prefers own", "inconclusive"), "preferred_some", "limited"),
        (("prefers own", "prefers other"), "preferred_both", "limited"),
        (("indifferent",), "indifferent", "limited"),
        (("indifferent", "inconclusive"), "unpreferred", "limited"),
        (("inconclusive",), "unpreferred", "open"),
        (("not testable",), "untested", "open"),
        (("too few items",), "few", "open"),
        (("not admitted",), "not_admitted", "open"),
        (("no verdict",), "no_verdict", "open"),
        (("not admitted", "no verdict"), "no_verdict", "open"),
    ],
)
def test_the_answer_is_the_tables_word(words, key, sure, text):
    said = found(preferences(*words), text=text)
    assert (said.answer.key, said.sure) == (key, sure)
    assert "{" not in said.answer


def test_the_answer_names_metrics_and_shares():
    said = found(preferences("prefers own", "inconclusive")).answer
    assert "on identity markers (90% of the choices)" in said
    assert "on memory reference that is not shown" in said
    assert "within ±0.15" in found(preferences("indifferent")).answer


@pytest.mark.parametrize("text", [EN, IT], ids=["en", "it"])
def test_several_cells_are_counted_and_each_has_a_line(text):
    cells = (("gpt", "A"), ("llama", "A"))
    for words, key in (
        (("prefers own",) * 2 + ("indifferent",) * 2, "preferred_cells"),
        (("indifferent",) * 2 + ("inconclusive",) * 2, "indifferent_cells"),
        (("inconclusive",) * 4, "unpreferred"),
    ):
        said = found(preferences(*words, cells=cells), text=text)
        assert said.answer.key == key
        if key != "unpreferred":
            assert "gpt" in said.answer
            assert "llama" not in said.answer
        heads = tuple(text("cell", responder=who, corpus=corpus) for who, corpus in cells)
        assert any(line.startswith(heads) for line in said.limits)


def test_other_kinds_and_no_memory_have_sentences_of_their_own():
    kinds = ("foreign", "shuffled", "none")
    table = preferences("inconclusive", kinds=kinds)
    for kind, word, key in (
        ("shuffled", "prefers own", "preferred_kinds"),
        ("none", "prefers own", "preferred_none"),
        ("none", "indifferent", "indifferent_none"),
        ("none", "inconclusive", "unpreferred_none"),
    ):
        rows = table["contrast"] == f"veridical-{kind}"
        changed = table.assign(finding=table["finding"].where(~rows, word))
        for text in (EN, IT):
            assert key in keys(found(changed, text=text))
    (line,) = (s for s in found(
        table.assign(finding=table["finding"].where(table["contrast"] != "veridical-shuffled",
                                                    "prefers own"))).limits
        if s.key == "preferred_kinds")  # fmt: skip
    assert "shuffled on identity markers and memory reference" in line
    assert COMPARED["veridical-shuffled"] in line


@pytest.mark.parametrize(
    ("sensitive", "key"), [("not sensitive", "deaf_direct"), ("not run", "no_control")]
)
def test_why_nothing_is_testable_is_said(sensitive, key):
    for text in (EN, IT):
        said = found(preferences("not testable", sensitive=sensitive), text=text)
        assert {key, "share_admits"} <= set(keys(said))


def test_what_is_refused_is_named():
    table = preferences("not admitted", kinds=("foreign", "none"))
    (line,) = (said for said in found(table).limits if said.key == "refused")
    assert "foreign and no document" in line


def test_a_finding_holds_of_the_documents_that_were_given():
    (line,) = (s for s in found(preferences("prefers own")).limits if s.key == "preferred_here")
    assert "three of a kind" in line
    assert "80% to 100%" in line


def test_single_judges_are_named_or_said_to_be_too_few():
    rows = [
        ("one", METRICS[0], "veridical-foreign", 14, 0, 14, "prefers own"),
        ("two", METRICS[0], "veridical-foreign", 0, 13, 14, "prefers other"),
        ("two", METRICS[1], "veridical-foreign", 7, 7, 14, "not shown"),
    ]
    for text in (EN, IT):
        said = [s for s in found(preferences("inconclusive"), own=alone(*rows), text=text).limits
                if s.key == "prefer_alone"]  # fmt: skip
        assert len(said) == 2
        assert "one" in said[0]
        assert "two" in said[1]
    few = [("one", METRICS[0], "veridical-foreign", 7, 0, 7, "too few items")] * 12
    (line,) = (s for s in found(preferences("inconclusive"), own=alone(*few)).limits
               if s.key == "alone_few")  # fmt: skip
    assert "seven items are too few for 12 exact tests" in line


def test_what_the_panel_hears_and_where_it_looks():
    heard = panel(quoted=(0.95, "sensitive"), place=(0.8, "matters"))
    said = keys(found(preferences("inconclusive"), heard=heard))
    assert said[-3:] == ["hears", "place", "named_neither"]
    deaf = panel(quoted=(0.5, "not sensitive"), place=(0.5, "not shown"))
    said = keys(found(preferences("inconclusive"), heard=deaf))
    assert "hears" not in said
    assert "no_place" in said


def test_how_judges_chose_is_told():
    chose = choosers("constant", both_orders=42, same_answer=0.5, given_twice=5, chosen_again=0.8)
    for text in (EN, IT):
        said = found(preferences("inconclusive"), chose=chose, text=text)
        assert {"chose_alike", "kept_in_order", "kept_again"} <= set(keys(said))
    (line,) = (s for s in said.limits if s.key == "chose_alike")
    assert line.startswith("one:")


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    return lay_out(tmp_path_factory.mktemp("reading"), reader)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_page_of_a_study_of_choices(reading, language):
    words = Wording.read(language)
    page = render(reading, words, PARTS)
    told = re.sub(r"<[^>]+>", "", page)
    said = {"en": "preferred the one given with the real", "it": "hanno preferito quella data con"}
    assert said[language] in told
    assert "control1_preferences" in page or "<svg" in page
    section = make_section(PART, reading, words)
    assert [figure.caption for figure in section.figures] == [
        words.of("control1")("figures.control1_preferences")
    ]
    assert [table.name for table in section.tables] == [
        "preferences",
        "alone",
        "panel",
        "choosers",
    ]
    assert "nan" not in told.lower().split()


def test_the_short_table_reads_as_the_long_one(reading):
    table = brief(reading, EN)
    assert len(table.rows) == 4
    link, cells = table.rows[0]
    assert link.startswith("#control1/m/A/identity_markers/veridical-")
    assert "100.0%" in cells
    assert cells[-1] == "the real memory’s"


def test_how_it_was_run_says_counts_and_what_was_not_shown(reading):
    said = {one.key: one for one in method(reading, EN)}
    assert "126 verdicts, 0 incomplete" in said["method_direct"]  # 42 pairs × 3 judges
    assert "No [[anchor]] was shown" in said["method_direct"]
    assert "126 verdicts on the same pairs in the other order" in said["method_beside"]
    assert "±0.15" in said["method_preferences"]
    assert "seven inputs" in said["method_answers"]
    assert "method_open" not in said


def test_an_open_sheet_brought_answers_and_cells_are_said(tmp_path):
    table = pd.concat([responses(responder=who) for who in ("m", "n")], ignore_index=True)
    study = lay_out(tmp_path, at_a_loss, table, sheet="open", responses_csv="mine.csv")
    for text in (EN, IT):
        said = [one.key for one in method(study, text)]
        assert {"method_open", "method_answers_brought", "method_direct"} <= set(said)
    del study.config["control1"]["responses_csv"]
    assert "method_answers_cells" in [one.key for one in method(study, EN)]
    assert find_study(study, EN).answer.key == "indifferent_cells"


def test_what_opens_holds_the_counts_of_each_item(reading):
    opened = drilled(reading, EN)
    rows = opened.rows
    assert len(rows) == 2 * 2 * 7  # metrics, kinds, items
    assert (rows["preferred_own"] == 18).all()  # three judges, three documents, both orders
    assert (rows["preferred_other"] == 0).all()
    content = json.loads(str(opened.to_json()).replace("\\u003c", "<").replace("\\u003e", ">"))
    assert {nested["table"] for nested in content["nested"]} == {"answers", "choices"}
    assert len(content["groups"]) == 4


def test_nothing_judged_opens_nothing(reading):
    bare = {name: table for name, table in reading.tables.items() if name != "control1/choices"}
    from dataclasses import replace

    assert drilled(replace(reading, tables=bare), EN) is None


def test_the_figure_says_shares_and_findings(tmp_path):
    lay_out(tmp_path, first)
    drawn = (tmp_path / "figures/direct/control1_preferences.svg").read_text(encoding="utf-8")
    assert drawn.count("not testable") >= 4
    assert "identity markers" in drawn
    assert "±0.15 of one half" in drawn
    again = tmp_path / "again"
    lay_out(again, first)
    other = (again / "figures/direct/control1_preferences.svg").read_text(encoding="utf-8")
    assert drawn == other


def test_a_figure_of_nothing_admitted_says_so(tmp_path):
    from support.scripts import load_script
    from veridical.base.tables import write_table
    from veridical.control1.direct import rules
    from veridical.control1.direct.tables import ALONE, PREFERENCES

    none = rules.nothing_known(METRICS, [("m", "A", "veridical-foreign")])
    write_table(none, tmp_path / "preferences.csv", PREFERENCES)
    write_table(pd.DataFrame(columns=ALONE.names), tmp_path / "alone.csv", ALONE)
    paths = [tmp_path / name for name in ("preferences.csv", "alone.csv", "a.svg", "a.pdf")]
    load_script("control1/draw_preferences.py").main(*paths, 0.15)
    assert "it is not known that the memory arrived" in paths[2].read_text(encoding="utf-8")
