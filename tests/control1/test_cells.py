"""Several responders and corpora in Control 1: told apart everywhere, and one family throughout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.control1_study import METRICS, responses, verdicts
from veridical.control1.asks import asks
from veridical.control1.beside import Beside, shown_again
from veridical.control1.blinding import Reading, blind, check_cells, judge_rng, sheets
from veridical.control1.cells import by_cell, cell_names, cells_of, in_cells, lines_of, read_corpora
from veridical.control1.contrasts import contrast_table, item_differences, item_scores
from veridical.control1.judges import judge_table
from veridical.control1.noise import noise_table
from veridical.control1.rules import conclude, examine, judged
from veridical.control1.tables import CELL, CONTRASTS
from veridical.control1.verdict_checks import check_verdicts
from veridical.control1.verdicts import rubric, verdict_form
from veridical.corpora.corpus import read_corpus
from veridical.statistics.multiplicity import holm
from veridical.statistics.power import power_table

CORPORA = Path(__file__).parents[2] / "data/corpora"
CELLS = (("m", "A"), ("n", "A"), ("m", "B"), ("n", "B"))
ITEMS = [f"T{i}" for i in range(1, 8)]


def answers(cells=CELLS) -> pd.DataFrame:
    tables = [responses(responder=responder, corpus=corpus) for responder, corpus in cells]
    table = pd.concat(tables, ignore_index=True)
    return table.assign(text=table["responder"] + table["corpus"] + " " + table["text"])


def scored(cells=CELLS, **more) -> tuple[pd.DataFrame, pd.DataFrame]:
    return verdicts(np.random.default_rng(4), cells=cells, **{"noise": 0.05, **more})


# --- the cells themselves -------------------------------------------------------------------------


def test_the_cells_are_every_responder_in_every_corpus():
    given_ = {"corpora": ["A", "B"], "responders": ["m", "n"]}
    assert cells_of(given_) == [("m", "A"), ("n", "A"), ("m", "B"), ("n", "B")]
    assert cells_of({"verdicts_csv": "own.csv"}) == [("unnamed", "unnamed")]
    assert [cell for cell, _ in by_cell(answers())] == sorted(CELLS)


def test_a_figure_has_a_line_a_cell_and_metric():
    table = pd.concat([answers().assign(metric=name) for name in METRICS], ignore_index=True)
    lines = lines_of(table)
    assert [(cell, metric) for cell, metric, _ in lines] == [
        (cell, metric) for cell in ("m, A", "m, B", "n, A", "n, B") for metric in METRICS
    ]
    assert sum(len(own) for _, _, own in lines) == len(table)
    assert {cell for cell, _, _ in lines_of(table.query("responder == 'm' and corpus == 'A'"))} == {
        ""
    }


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        ((("m", "A"),), {""}),
        ((("m", "A"), ("n", "A")), {"m", "n"}),
        ((("m", "A"), ("m", "B")), {"A", "B"}),
        (CELLS, {"m, A", "m, B", "n, A", "n, B"}),
    ],
)
def test_a_cell_is_named_by_what_there_is_several_of(cells, names):
    assert set(cell_names(answers(cells))) == names


def test_each_corpus_is_read_with_its_own_texts():
    found = read_corpora([CORPORA / "A", CORPORA / "IA"], {"IA": {"sheet": "scheda"}, "A": {}})
    assert list(found) == ["A", "IA"]
    assert (found["A"].texts, found["IA"].texts) == ({}, {"sheet": "scheda"})
    assert [corpus.language for corpus in found.values()] == ["en", "it"]


def test_a_table_of_the_studys_own_says_its_cells_or_has_one():
    bare = pd.DataFrame({"text": ["a", "b"]})
    one = in_cells(bare, Path("own.csv"), ["m"], ["A"])
    assert one[list(CELL)].drop_duplicates().to_numpy().tolist() == [["m", "A"]]
    nobody = in_cells(bare, Path("own.csv"))
    assert set(nobody["responder"]) == set(nobody["corpus"]) == {"unnamed"}
    with pytest.raises(
        ValueError, match=r"own.csv has no column 'corpus', and control1/corpora ha"
    ):
        in_cells(bare, Path("own.csv"), ["m"], ["A", "B"])
    strange = bare.assign(responder=["m", "q"])
    with pytest.raises(ValueError, match=r"own.csv, column responder: q, and control1/responders"):
        in_cells(strange, Path("own.csv"), ["m"])


# --- blinding -------------------------------------------------------------------------------------


def test_one_cells_map_is_drawn_as_it_always_was():
    """Frozen from the version before there were cells: a study begun with it goes on."""
    drawn = blind(responses(), "one", judge_rng(5, "one"))
    first = drawn.head(6)[["item_id", "document", "position_of_anchor"]]
    assert [" ".join(row) for row in first.to_numpy()] == [
        "T3 foreign-3 B",
        "T1 shuffled-2 B",
        "T2 foreign-3 B",
        "T7 foreign-3 B",
        "T1 foreign-2 B",
        "T5 shuffled-2 A",
    ]
    again = shown_again(
        responses().query("condition != 'anchor'"),
        Beside(reversed=0.4, repeated=0.1),
        np.random.default_rng(3),
    )
    assert again["reversed"]["item_id"].tolist() == ["T3", "T6", "T7"]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_the_anchor_is_first_in_half_of_every_cells_pairs(seed):
    drawn = blind(answers(), "one", judge_rng(seed, "one"))
    first = (drawn["position_of_anchor"] == "A").groupby([drawn[c] for c in (*CELL, "session")])
    sizes = first.agg(["sum", "size"])
    assert len(sizes) == len(CELLS) * 2
    assert (2 * sizes["sum"] - sizes["size"]).abs().max() <= 1


def test_the_sheets_of_all_cells_are_numbered_together():
    drawn = blind(answers(), "one", judge_rng(5, "one"))
    assert drawn["sheet_id"].tolist() == [f"one-{n:03d}" for n in range(1, 4 * 49 + 1)]
    for _, rows in by_cell(drawn):
        assert abs(rows.index.to_numpy().mean() - 97.5) < 4 * 196 / np.sqrt(12 * 49)
    others = blind(answers(CELLS[::-1]), "one", judge_rng(5, "one"))
    assert set(others["sheet_id"]) == set(drawn["sheet_id"])


def test_a_sheet_shows_its_own_cells_answers_in_its_corpus_language():
    table = answers()
    inputs = {item: f"input of {item}" for item in ITEMS}
    readings = {
        "A": Reading(inputs, rubric(list(METRICS), "en"), "en"),
        "B": Reading(inputs, rubric(list(METRICS), "it"), "it"),
    }
    drawn = blind(table, "one", judge_rng(5, "one"))
    made = sheets(drawn, table, readings, verdict_form(list(METRICS), rationale=False))
    by_id = {prompt.id: prompt.turns[0] for prompt in made}
    for row in drawn.itertuples():
        turn = by_id[row.sheet_id]
        mine = f"{row.responder}{row.corpus} text of {row.item_id} under"
        assert turn.user.count(mine) == 2  # the anchor's and the answer's
        assert turn.system == readings[row.corpus].rubric
    systems = [prompt.turns[0].system for prompt in made]
    assert systems == sorted(systems)  # read once, not in turns
    with pytest.raises(ValueError, match=r"T. under .*, which the responses lack"):
        sheets(drawn, table[table["responder"] == "m"], readings, made[0].turns[0].form)


def test_pairs_that_are_shown_again_come_from_all_cells():
    pairs = answers().query("condition != 'anchor'")
    again = shown_again(pairs, Beside(reversed=1.0, repeated=0.2), np.random.default_rng(1))
    assert len(again["reversed"]) == 4 * 7
    assert len(again["repeated"]) == 40  # a fifth of 196, rounded up
    assert set(map(tuple, again["repeated"][list(CELL)].to_numpy())) == set(CELLS)
    drawn = blind(answers(), "one", judge_rng(1, "one"), again=again)
    key = [*CELL, "item_id", "document"]
    once = drawn[drawn["session"].isin(["original", "counterfeit"])].set_index(key)
    other = drawn[drawn["session"] == "reversed"].set_index(key)
    assert (other["position_of_anchor"] != once.loc[other.index, "position_of_anchor"]).all()


def test_responses_of_a_cell_that_lacks_any_are_named():
    items = dict.fromkeys("AB", ITEMS)
    check_cells(answers(), CELLS, items)
    with pytest.raises(ValueError, match=r"no responses of \(responder, corpus\) n B"):
        check_cells(answers(CELLS[:3]), CELLS, items)
    short = answers().query(
        "not (responder == 'n' and document == 'foreign-2' and item_id == 'T3')"
    )
    with pytest.raises(ValueError, match=r"n in corpus A: 1 responses are missing .*T3 foreign-2"):
        check_cells(short, CELLS, items)


def test_the_calls_are_counted_cell_by_cell():
    seeds = {"foreign_seeds": [1, 2], "shuffled_seeds": [1]}
    part = {"corpora": ["A", "B"], "responders": ["m", "n"], "judges": ["j"]}
    part |= {
        "sheet": "blind",
        "none": True,
        "reversed": True,
        "repeated": 0.1,
        "positive": 7,
        "rationale": False,
    }
    part |= {"metrics": ["memory_reference"], "response": {}, "verdict": {}}
    models = {name: {"provider": "scripted", "model": name} for name in "mnj"}
    config = {"control1": part, "documents": seeds, "models": models}
    corpora = {name: read_corpus(CORPORA / name) for name in "AB"}
    asked = list(asks(config, corpora))
    # seven items under four documents and none: 35 a cell; in B, which has no answers, the log too
    told = [(ask.model.name, ask.calls) for ask in asked[:-1]]
    assert told == [("m", 35), ("n", 35), ("m", 42), ("n", 42)]
    # 28 items, four documents: 112 pairs; 28 none, 28 reversed, 12 repeated, 7 quoted a corpus
    assert asked[-1].calls == 112 + 28 + 28 + 12 + 14
    part["sheet"] = "open"  # the memory stands on every sheet, and is paid for
    (opened,) = (ask for ask in asks(config, corpora) if ask.collection == "verdicts")
    assert opened.tokens > 2 * asked[-1].tokens


# --- analysis -------------------------------------------------------------------------------------


def test_a_cell_has_the_contrasts_that_it_has_by_itself():
    _, table = scored()
    every = contrast_table(
        item_differences(item_scores(table)),
        bound=0.1,
        registered="anchored",
        rng=np.random.default_rng(1),
    )
    assert list(every.columns) == CONTRASTS.names
    for (responder, corpus), own in by_cell(table):
        alone = contrast_table(
            item_differences(item_scores(own)),
            bound=0.1,
            registered="anchored",
            rng=np.random.default_rng(1),
        )
        here = every[(every["responder"] == responder) & (every["corpus"] == corpus)]
        pd.testing.assert_frame_equal(here.reset_index(drop=True), alone)


def concluded(table: pd.DataFrame, quoted: dict[str, float] | None = None):
    """Findings and instrument; `quoted` is what quoting the own memory is worth, by corpus."""
    rows = [
        {
            "judge": judge, "session": "positive", "responder": "", "corpus": corpus,
            "item_id": f"Q{n}", "condition": "quoted", "seed": 1, "metric": metric,
            "anchor_score": 0.4 + worth + 0.02 * (n % 3), "other_score": 0.4,
            "anchor_position": "AB"[n % 2],
        }
        for corpus, worth in (quoted or {}).items()
        for judge in ("one", "two", "three")
        for metric in METRICS
        for n in range(7)
    ]  # fmt: skip
    table = pd.concat([table, pd.DataFrame(rows)]) if rows else table
    items, documents = judged(table)
    panel = examine(table, items, bound=0.1)
    return conclude(items, documents, panel, bound=0.1), panel


def test_all_cells_metrics_and_kinds_are_one_family():
    found, _ = concluded(scored()[1])
    assert len(found) == 4 * 2 * 2
    assert found["p_items_holm"].to_numpy() == pytest.approx(holm(found["p_items"].to_numpy()))
    assert found["p_documents_holm"].to_numpy() == pytest.approx(
        holm(found["p_documents"].to_numpy())
    )
    alone, _ = concluded(scored()[1].query("responder == 'm' and corpus == 'A'"))
    mine = found.query("responder == 'm' and corpus == 'A'")
    assert mine["p_items"].to_numpy() == pytest.approx(alone["p_items"].to_numpy())
    assert (mine["p_items_holm"].to_numpy() >= alone["p_items_holm"].to_numpy()).all()


def test_what_a_panel_can_notice_is_shown_corpus_by_corpus():
    found, panel = concluded(scored(item_sd=0.01, noise=0.01)[1], {"A": 0.4, "B": 0.0})
    heard = panel[panel["test"] == "quoted"].set_index(["corpus", "metric"])["finding"]
    assert set(heard["A"]) == {"sensitive"}
    assert set(heard["B"]) == {"not sensitive"}
    assert set(found.query("corpus == 'A'")["finding"]) == {"equivalent"}
    assert set(found.query("corpus == 'B'")["finding"]) == {"not testable"}


def test_an_item_counts_once_for_the_panel_whoever_answered_it():
    _, table = scored(drift=0.1)
    panel = concluded(table)[1]
    moved = panel[panel["test"] == "drift"]
    assert moved.groupby("corpus")["n"].unique().map(list).to_dict() == {"A": [7], "B": [7]}
    assert moved["p_holm"].to_numpy() == pytest.approx(holm(moved["p"].to_numpy()))
    # by hand: the drift of item T1 in A is the mean of both responders'
    items, _ = judged(table)
    mine = items.query("corpus == 'A' and metric == @METRICS[0]")
    by_item = mine.groupby("item_id")["drift"].mean()
    row = moved.query("corpus == 'A' and metric == @METRICS[0]").iloc[0]
    assert row["estimate"] == pytest.approx(by_item.mean())


def test_a_judge_is_one_instrument_and_its_contrasts_are_the_cells():
    _, table = scored(cells=CELLS[:2])
    one, both = (
        judge_table(
            rows, bound=0.1, registered="anchored", rng=np.random.default_rng(1), resamples=500
        )
        for rows in (table.query("responder == 'm'"), table)
    )
    pooled = both["statistic"].isin(["mean", "sd", "scores", "distinct_scores", "alpha"])
    assert both[pooled]["responder"].isna().all()
    counted = both[both["statistic"] == "scores"]["value"]
    assert (counted == 2 * one[one["statistic"] == "scores"]["value"].iloc[0]).all()
    told = both[both["statistic"].str.startswith("alone_anchored", na=False)]
    assert set(told["responder"]) == {"m", "n"}
    key = ["judge", "metric", "statistic", "contrast"]
    mine = both[both["responder"] == "m"].set_index(key)["value"]
    alone = one[one["responder"] == "m"].set_index(key)["value"]
    assert mine.to_numpy() == pytest.approx(alone.reindex(mine.index).to_numpy())


def test_items_of_two_corpora_with_one_name_are_two_clusters():
    """Alpha's interval resamples whole items: fourteen of them here, not seven."""
    _, table = scored(cells=(("m", "A"), ("m", "B")))
    apart = table.assign(item_id=table["corpus"] + table["item_id"])
    alike, named = (
        judge_table(
            rows, bound=0.1, registered="anchored", rng=np.random.default_rng(1), resamples=500
        )
        for rows in (table, apart)
    )
    ends = alike["statistic"].isin(["alpha_low", "alpha_high", "order_low", "order_high"])
    assert alike[ends]["value"].to_numpy() == pytest.approx(named[ends]["value"].to_numpy())


def test_noise_is_a_judges_over_all_cells():
    _, table = scored(cells=CELLS[:2])
    again = table.query("responder == 'n' and document == 'foreign-1'").assign(session="repeated")
    again["anchor_score"] += 0.1
    found = noise_table(pd.concat([table, again]))
    # seven sheets of the one cell, two texts each: half moved by 0.1, half not at all
    assert (found["n_repeated"] == 14).all()
    assert found["noise"].to_numpy() == pytest.approx(np.sqrt(0.01 / 2 / 2))
    one = table.query("responder == 'm'")
    each = one.assign(responder="n")  # the same scores under another name: as far from their mean
    both = noise_table(pd.concat([one, each, again]))
    wide = one.groupby(["judge", "metric", "item_id"])["anchor_score"].var(ddof=1)
    squares = wide.groupby(level=["judge", "metric"], sort=False).mean()
    keys = pd.MultiIndex.from_frame(both[["judge", "metric"]])
    assert both["moved"].to_numpy() == pytest.approx(np.sqrt(squares.reindex(keys).to_numpy()))


def test_power_is_a_cells_own():
    _, table = scored(cells=CELLS[:2])
    made = {"bound": 0.1, "reading": "anchored", "items": (5, 10), "simulations": 50}
    differences = item_differences(item_scores(table))
    found = power_table(differences, rng=np.random.default_rng(1), by=CELL, **made)
    spread = differences.groupby([*CELL, "metric", "contrast"])["anchored"].std(ddof=1)
    told = found.drop_duplicates([*CELL, "metric", "contrast"])
    keys = pd.MultiIndex.from_frame(told[[*CELL, "metric", "contrast"]])
    assert told["sd_items"].to_numpy() == pytest.approx(spread.reindex(keys).to_numpy())
    assert len(told) == 2 * 2 * 2


def test_a_cell_that_a_judge_skipped_stops_the_analysis():
    maps, table = scored(cells=CELLS[:2])
    declared = maps[[*CELL, "item_id"]].drop_duplicates()
    judges = ["one", "two", "three"]
    assert len(check_verdicts(table, judges, METRICS, declared)) == len(table)
    short = table.query("not (judge == 'two' and responder == 'n' and item_id == 'T4')")
    with pytest.raises(ValueError, match=r"14 scores are missing: two n A T4"):
        check_verdicts(short, judges, METRICS, declared)
    with pytest.raises(ValueError, match="undeclared responder 'n'"):
        check_verdicts(table, judges, METRICS, declared.query("responder == 'm'"))
    one = declared.query("responder == 'm' or item_id == 'T1'")
    with pytest.raises(ValueError, match="at least 2 items, and the study has 1"):
        check_verdicts(table, judges, METRICS, one)
