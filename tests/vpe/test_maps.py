"""Several mode maps over the same rollouts, and what the page says of their agreeing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fixture_scores import path_tables
from support.fixture_study import read
from support.scripts import load_script
from veridical.base.config import check_config
from veridical.base.tables import read_table, write_table
from veridical.check.preflight import problems
from veridical.report.part import views
from veridical.report.wording import Wording
from veridical.vpe.findings import find
from veridical.vpe.leads import corrected, leads, upper
from veridical.vpe.maps import (
    compare_maps,
    contrast_models,
    first_by_map,
    named_maps,
    remapped,
)
from veridical.vpe.measures import measure_problems
from veridical.vpe.modes import ModeMap
from veridical.vpe.page import PART, method
from veridical.vpe.paired import MARGINS, Margins
from veridical.vpe.tables import MAP_CONTRASTS, MAPS, ROLLOUTS

EN, IT = (Wording.read(language).of("vpe") for language in ("en", "it"))
DRAW = {"seed": 1, "resamples": 200}
TABLES = path_tables(np.random.default_rng(1))

# Two ways told alike: short and long, with the same operators and the same number of equations.
SHORT, LONG = "3 + 4 = 7 boats\n#### 7", "3 + 4 = 7 old boats here\n#### 7"
OTHER = "9 - 2 = 7 boats\n#### 7"
LENGTHS, NO_LENGTHS = ModeMap((7,)), ModeMap(())


def told(texts: dict[str, list[str]], problem_ids: tuple[str, ...] = ("q1", "q2")) -> pd.DataFrame:
    """All verified rollouts of each model, the same on every problem; the mode is another map's."""
    return pd.DataFrame(
        {"model": model, "horizon": 96, "preset": "own", "problem_id": problem, "sample": n}
        | {"verified": True, "mode": "one", "text": text}
        for model, own in texts.items()
        for problem in problem_ids
        for n, text in enumerate(own)
    )


def compared(rollouts: pd.DataFrame, **maps: ModeMap) -> pd.DataFrame:
    return compare_maps(rollouts, maps, 0.5, **DRAW)


def test_a_map_counts_the_ways_by_its_own_bins():
    """Short and long are two ways where length counts, and one where it doesn't: log 2 and 0."""
    table = compared(told({"a": [SHORT, LONG] * 4}), modes=LENGTHS, flat=NO_LENGTHS)
    assert table["map"].tolist() == ["modes", "flat"]
    assert table["registered"].tolist() == [True, False]
    assert table["mode_entropy"].tolist() == pytest.approx([np.log(2), 0])
    assert table["n_modes"].tolist() == [2, 1]
    assert table["smoothed_vpe"].diff().iloc[1] == pytest.approx(-np.log(2))
    assert table["place"].tolist() == [1, 1]


def test_two_maps_can_put_different_models_first():
    """By length a has two ways even, b two uneven; by operators b has two and a one."""
    rollouts = told({"a": [SHORT, LONG] * 8, "b": [SHORT] * 10 + [OTHER] * 6})
    table = compared(rollouts, modes=LENGTHS, flat=NO_LENGTHS)
    assert first_by_map(table, 96, "own") == {"modes": "a", "flat": "b"}


def test_a_map_under_which_two_are_equal_puts_none_first():
    rollouts = told({"a": [SHORT, LONG] * 8, "b": [SHORT, OTHER] * 8})
    table = compared(rollouts, modes=LENGTHS, flat=NO_LENGTHS)
    assert table["place"].tolist()[:2] == [1, 1]
    assert first_by_map(table, 96, "own") == {"flat": "b"}
    assert table.groupby("map")["place"].apply(sorted).to_dict() == {
        "modes": [1, 1], "flat": [1, 2]}  # fmt: skip


def test_the_registered_map_gives_the_registered_measures():
    rollouts = TABLES["vpe/rollouts"]
    table = compare_maps(rollouts, {"modes": ModeMap()}, 0.5, **DRAW)
    summary = TABLES["vpe/summary"]
    both = table.merge(summary, on=["model", "horizon", "preset"], suffixes=("", "_known"))
    assert len(both) == len(summary)
    for name in ("mode_entropy", "mode_entropy_chao_shen", "smoothed_vpe", "smoothed_vpe_low"):
        assert both[name].tolist() == pytest.approx(both[f"{name}_known"].tolist())


def test_the_first_place_is_the_leader_of_the_study():
    table = compare_maps(TABLES["vpe/rollouts"], {"modes": ModeMap()}, 0.5, **DRAW)
    for row in leads(measure_problems(TABLES["vpe/rollouts"]), ModeMap().size).itertuples():
        assert first_by_map(table, row.horizon, row.preset) == {"modes": row.leader}


@given(st.permutations(range(8)))
def test_the_order_of_the_rollouts_changes_nothing(order):
    rollouts = told({"a": [SHORT, LONG, OTHER, SHORT] * 2}, ("q1",))
    before = compared(rollouts, modes=LENGTHS, flat=NO_LENGTHS)
    after = compared(rollouts.iloc[list(order)], modes=LENGTHS, flat=NO_LENGTHS)
    pd.testing.assert_frame_equal(before, after)


def test_rollouts_that_are_wrong_or_were_not_had_have_no_mode():
    rollouts = told({"a": [SHORT, LONG, OTHER, SHORT]}, ("q1",))
    rollouts["verified"] = pd.array([True, False, pd.NA, True], dtype="boolean")
    rollouts.loc[2, "text"] = None
    modes = remapped(rollouts, LENGTHS)["mode"]
    assert modes.notna().tolist() == [True, False, False, True]
    table = compared(rollouts, modes=LENGTHS)
    assert table["n_modes"].tolist() == [1]


def test_a_model_that_never_got_there_has_a_place_and_no_ways():
    rollouts = told({"a": [SHORT] * 4, "b": [SHORT] * 4})
    rollouts.loc[rollouts.model == "b", "verified"] = False
    table = compared(rollouts, modes=LENGTHS).set_index("model")
    assert (table.loc["b", "n_modes"], table.loc["b", "mode_entropy"]) == (0, 0)
    assert table["place"].to_dict() == {"a": 1, "b": 2}


# --- two models under every map


NINE = tuple(f"q{number}" for number in range(9))


def held(rollouts: pd.DataFrame, margins: Margins = MARGINS, **maps: ModeMap) -> pd.DataFrame:
    return contrast_models(rollouts, maps, 0.5, margins)


def test_two_models_under_two_maps_by_hand():
    """a has two ways where length counts and one where it doesn't; b has one: log 2, then 0."""
    rollouts = told({"a": [SHORT, LONG] * 20, "b": [SHORT] * 40}, NINE)
    table = held(rollouts, modes=LENGTHS, flat=NO_LENGTHS).set_index("map")
    assert table[["first", "second"]].drop_duplicates().to_numpy().tolist() == [["a", "b"]]
    assert table["estimate"].tolist() == pytest.approx([np.log(2), 0], abs=0.02)
    assert (table["least"] == table["most"]).all()  # every way was seen often
    assert table["p"].tolist() == pytest.approx([2 / 512, 1])
    assert table["p_holm"].tolist() == pytest.approx([4 / 512, 1])
    assert table["p_same_holm"].tolist() == pytest.approx([1, 2 / 512])
    assert table["finding"].to_dict() == {"modes": "more", "flat": "same"}
    wide = held(rollouts, Margins(nats=0.8), modes=LENGTHS, flat=NO_LENGTHS)
    assert wide["p_same_holm"].max() == pytest.approx(2 / 512)  # and still told as a difference
    assert wide["finding"].tolist() == ["more", "same"]


def test_ends_are_those_of_the_leads():
    table = held(TABLES["vpe/rollouts"], modes=ModeMap())
    problems = measure_problems(TABLES["vpe/rollouts"])
    for row in table.itertuples():
        own = {
            name: side.set_index("problem_id")
            for name, side in problems[problems["horizon"] == row.horizon].groupby("model")
        }
        first, second = own[row.first], own[row.second].loc[own[row.first].index]
        gap = first["smoothed_vpe"].to_numpy() - upper(second, ModeMap().size)
        assert row.least == pytest.approx(gap.mean())
        most = upper(first, ModeMap().size) - second["smoothed_vpe"].to_numpy()
        assert row.most == pytest.approx(most.mean())
        assert row.estimate == pytest.approx((corrected(first) - corrected(second)).mean())
        assert row.least <= row.estimate <= row.most


def test_every_two_models_at_every_horizon_of_the_first_preset():
    one = told({"a": [SHORT] * 4, "b": [LONG] * 4, "c": [OTHER] * 4}, NINE)
    both = pd.concat([one, one.assign(horizon=24), one.assign(preset="digest")])
    table = held(both, modes=LENGTHS, flat=NO_LENGTHS)
    assert len(table) == 2 * 2 * 3  # maps, horizons, pairs
    pairs = table[["first", "second"]].drop_duplicates().to_numpy().tolist()
    assert pairs == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert (table["lowest"] == 12 * 2 / 512).all()
    MAP_CONTRASTS.check(table, "three models")


def test_a_map_without_an_end_bounds_nothing_and_takes_no_part_in_the_correction():
    rollouts = told({"a": [SHORT, LONG] * 20, "b": [SHORT] * 40}, NINE)
    table = held(rollouts, modes=LENGTHS, endless=ModeMap((7,), operators="sequence"))
    assert table["finding"].tolist() == ["more", "no bound"]
    assert table["p_holm"].iloc[0] == table["p"].iloc[0]
    assert table.loc[1, ["least", "p", "p_holm"]].isna().all()
    none = held(rollouts, endless=ModeMap((7,), operators="sequence"))
    assert none["finding"].tolist() == ["no bound"]


def test_one_model_is_held_against_none():
    table = held(told({"a": [SHORT] * 4}, NINE), modes=LENGTHS)
    assert table.empty
    assert list(table.columns) == list(MAP_CONTRASTS.names)


def test_problems_that_only_one_model_has_are_named():
    rollouts = told({"a": [SHORT] * 4, "b": [SHORT] * 4}, NINE)
    gone = (rollouts["model"] == "b") & (rollouts["problem_id"] == "q3")
    with pytest.raises(ValueError, match="a against b: only one of them has q3"):
        held(rollouts[~gone], modes=LENGTHS)


# --- what is refused


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"modes": {}}, "vpe.maps: 'modes' is the registered map's name"),
        ({"same": {}}, "vpe.maps.same has the same bins as 'modes'"),
        ({"a": {"equations_cap": 2}, "b": {"equations_cap": 2}}, "vpe.maps.b has the same bins as"),
        ({"a": {"length_edges": [9, 3]}}, r"vpe.maps.a: vpe.modes.length_edges \[9, 3\]"),
    ],
)
def test_a_map_that_compares_nothing_is_refused(others, said):
    with pytest.raises(ValueError, match=said):
        named_maps({}, others)


def config(**part) -> dict:
    models = {"m": {"provider": "scripted", "model": "m"}}
    vpe = {"models": ["m"], "problems": "data/problems/arithmetic.jsonl", **part}
    return {"study": "s", "seed": 1, "models": models, "vpe": vpe}


@pytest.mark.parametrize(
    ("maps", "said"),
    [
        ({"a b": {}}, "vpe/maps"),
        ({"fine": {"bins": 3}}, "vpe/maps/fine"),
        ({"fine": {"operators": "both"}}, "vpe/maps/fine/operators"),
        ({"fine": {"length_edges": [0]}}, "vpe/maps/fine/length_edges"),
    ],
)
def test_the_config_refuses_what_is_no_map(maps, said):
    with pytest.raises(Exception, match=said):
        check_config(config(maps=maps))


def test_the_check_before_a_study_names_a_map_that_is_one_twice(tmp_path):
    twice = check_config(config(maps={"again": {"operators": "set"}}))
    assert any("vpe.maps.again has the same bins" in said for said in problems(twice, tmp_path))
    fine = check_config(config(maps={"fine": {"operators": "sequence"}}))
    assert not list(problems(fine, tmp_path))


# --- the table and the page


def test_the_script_writes_the_table_by_its_contract(tmp_path):
    write_table(TABLES["vpe/rollouts"], tmp_path / "r.csv", ROLLOUTS)
    load_script("vpe/measure_beside.py").main(
        tmp_path / "r.csv", tmp_path / "maps.csv", of="maps", modes={},
        maps={"fine": {"operators": "sequence"}}, margins={}, smoothing=0.5, **DRAW,
    )  # fmt: skip
    table = read_table(tmp_path / "maps.csv", MAPS)
    assert table["map"].unique().tolist() == ["modes", "fine"]
    assert len(table) == 2 * len(TABLES["vpe/summary"])


def test_the_script_writes_the_contrasts_by_their_contract(tmp_path):
    write_table(TABLES["vpe/rollouts"], tmp_path / "r.csv", ROLLOUTS)
    load_script("vpe/measure_beside.py").main(
        tmp_path / "r.csv", tmp_path / "c.csv", of="map_contrasts", modes={},
        maps={"fine": {"operators": "sequence"}}, margins={"nats": 0.5}, smoothing=0.5, **DRAW,
    )  # fmt: skip
    table = read_table(tmp_path / "c.csv", MAP_CONTRASTS)
    assert table["map"].unique().tolist() == ["modes", "fine"]
    assert (table["margin"] == 0.5).all()
    assert (table.loc[table["map"] == "fine", "finding"] == "no bound").all()


def said(table: pd.DataFrame | None, words: Wording = EN) -> str:
    found = find(TABLES["vpe/summary"], TABLES["vpe/leads"], words, table)
    return " ".join(found.details)


def test_the_page_says_whether_the_maps_agree():
    maps = {"modes": ModeMap(), "fine": ModeMap(operators="sequence")}
    table = compare_maps(TABLES["vpe/rollouts"], maps, 0.5, **DRAW)
    assert "Under each of two mode maps gpt-4.1 comes first." in said(table)
    assert "Con ciascuna delle due mappe dei modi il primo è gpt-4.1." in said(table, IT)
    fine = table["map"] == "fine"
    turned = table.assign(place=table["place"].where(~fine, 3 - table["place"]))
    assert (
        "Which model comes first depends on the mode map: modes: gpt-4.1 and fine: llama3."
        in said(turned)
    )
    level = table.assign(place=table["place"].where(~fine, 1))
    assert "mode map" not in said(level)  # equals come first under one map: neither is told
    assert "mode map" not in said(None)
    assert "mode map" not in said(table[table["model"] == "llama3"])  # nothing to rank


def test_maps_stand_among_the_tables_and_in_the_method(study_root):
    study = read(study_root)
    before = [view.caption for view in views(PART, study, EN)]
    assert "mode map" not in " ".join(method(study, EN))
    maps = {"modes": ModeMap(), "fine": ModeMap(operators="sequence")}
    study.tables["vpe/maps"] = compare_maps(TABLES["vpe/rollouts"], maps, 0.5, **DRAW)
    study.config["vpe"]["maps"] = {"fine": {"operators": "sequence"}}
    assert len([*views(PART, study, EN)]) == len(before) + 1
    assert "under further mode maps as well (fine)" in " ".join(method(study, EN))


# --- what is said of two models under every map


def row(name: str, finding: str, **more) -> dict:
    """A row of contrasts of the fixture's two models at 160 tokens."""
    given = {"map": name, "horizon": 160, "first": "llama3", "second": "gpt-4.1", "margin": 0.25}
    given |= {"n_tested": 30, "least": 0.2, "most": 0.9, "p_holm": 0.01, "p_same_holm": 0.02}
    return given | {"estimate": 0.5, "lowest": 0.001, "finding": finding} | more


def contrasted(*rows: dict, words: Wording = EN) -> str:
    summary, leads_ = TABLES["vpe/summary"], TABLES["vpe/leads"]
    return " ".join(find(summary, leads_, words, None, None, pd.DataFrame(rows)).details)


def test_maps_of_one_finding_are_told_together_by_the_weakest():
    text = contrasted(row("modes", "more", p_holm=0.02), row("fine", "more", least=0.1))
    assert (
        "On these problems llama3 keeps more verified ways open than gpt-4.1 under modes and fine: "
        "by 0.10 nats or more, the ways not seen allowed for (p = 0.020 at most, sign flips over "
        "problems, after Holm over two tests)." in text
    )


def test_the_model_ahead_is_named_first():
    text = contrasted(row("modes", "less", least=-0.9, most=-0.3), row("fine", "more"))
    assert "gpt-4.1 keeps more verified ways open than llama3 under modes: by 0.30 nats" in text
    assert "llama3 keeps more verified ways open than gpt-4.1 under fine: by 0.20 nats" in text


@pytest.mark.parametrize(
    ("finding", "en", "it"),
    [
        ("same", "llama3 and gpt-4.1 keep as many verified ways open under modes, to within 0.25",
         "llama3 e gpt-4.1 tengono aperte altrettante vie verificate con modes, entro 0,25 nat"),
        ("not settled", "Which of llama3 and gpt-4.1 keeps more verified ways open is not settled",
         "Chi fra llama3 e gpt-4.1 tenga aperte più vie verificate non è deciso con modes."),
        ("no bound", "can’t be settled under modes, whose modes have no end.",
         "non si può decidere con modes, le cui modalità non hanno fine."),
        ("too few problems", "With three problems nothing can be told of llama3 and gpt-4.1 under "
         "modes: sign flips give no p below 0.500 (after Holm over one test).",
         "Con tre problemi non si può dire nulla di llama3 e gpt-4.1 con modes"),
    ],
)  # fmt: skip
def test_the_sentences_of_two_models(finding, en, it):
    one = row("modes", finding, n_tested=3, lowest=0.5)
    assert en in contrasted(one)
    assert it in contrasted(one, words=IT)


def test_other_horizons_and_other_models_are_not_told():
    assert "On these problems" not in contrasted(row("modes", "more", horizon=96))
    assert "On these problems" not in contrasted(row("modes", "more", second="another"))
    assert "On these problems" not in said(None)
