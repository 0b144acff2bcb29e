"""Stored, found, followed; the curve; two equal banks; cells: every count by hand."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy.stats import binom
from veridical.memories.cells import cells, verdicts
from veridical.memories.stages import (
    broke,
    cost_row,
    curve_rows,
    sham_rows,
    smallest_difference,
    stage_rows,
)
from veridical.statistics.intervals import wilson
from veridical.statistics.mcnemar import mcnemar_exact

T, F = "veridical", "binding-corrupted"


def answers(**said: str) -> pd.DataFrame:
    """Answers by document, a letter a probe: `.` none, `x` left out, X true, Y false; F names Y."""
    rows = []
    for document, letters in said.items():
        document = {"true": T, "swapped": F, "again": "veridical-again", "none": "none"}[document]
        for number, letter in enumerate(letters):
            answer = None if letter in ".x" else letter
            rows.append(
                {
                    "reader": "ideal",
                    "document": document,
                    "probe_id": f"p{number}",
                    "state": "ok" if answer else "left out" if letter == "x" else "abstained",
                    "answer": answer,
                    "true_partner": "X",
                    "document_partner": {T: "X", "veridical-again": "X", F: "Y"}.get(document),
                    "correct": None if answer is None else answer == "X",
                    "first_option": "X",
                }
            )
    return pd.DataFrame(rows)


def recalls(**ranks: list[int | None]) -> pd.DataFrame:
    rows = [
        {"document": {"true": T, "swapped": F}[name], "probe_id": f"p{n}", "rank": rank}
        for name, listed in ranks.items()
        for n, rank in enumerate(listed)
    ]
    return pd.DataFrame(rows).astype({"rank": float})


def test_stages_count_what_came_through_each():
    """Four probes: found at 1, 3 and 2, one not found; right, wrong, silent, and right by luck."""
    banks = pd.DataFrame([{"document": T, "intact": 27, "entries": 30}])
    (row,) = stage_rows(banks, recalls(true=[1, 3, 2, None]), answers(true="XY.X"))
    assert (row["stored"], row["stored_of"]) == (27, 30)
    assert (row["found"], row["found_of"]) == (3, 4)
    assert (row["followed"], row["followed_of"]) == (1, 3)
    assert (row["right"], row["right_of"], row["lucky"]) == (2, 4, 1)
    assert (row["found_low"], row["found_high"]) == tuple(wilson(3, 4))
    assert row["broke"] == "followed"


def test_right_is_stored_found_followed_in_turn_where_nothing_is_lucky():
    """20 of 24 stored; 15 of these found; 12 of these followed: 12 of 24 right."""
    letters = "X" * 12 + "Y" * 3 + "." * 9
    ranks = [1] * 15 + [None] * 9
    banks = pd.DataFrame([{"document": T, "intact": 20, "entries": 24}])
    (row,) = stage_rows(banks, recalls(true=ranks), answers(true=letters))
    product = row["stored_share"] * (15 / 20) * row["followed_share"]
    assert row["right_share"] == pytest.approx(product) == 0.5


def test_without_a_dump_stored_has_no_share():
    banks = pd.DataFrame([{"document": T, "intact": None, "entries": 30}])
    (row,) = stage_rows(banks, recalls(true=[None]), answers(true="."))
    assert (row["stored"], row["stored_share"], row["stored_low"]) == (None, None, None)
    assert (row["followed"], row["followed_of"], row["followed_share"]) == (0, 0, None)


def test_the_empty_bank_has_no_stages():
    banks = pd.DataFrame([{"document": "none", "intact": 0, "entries": 0}])
    empty = recalls(true=[None]).assign(document="none")
    assert list(stage_rows(banks, empty, answers(none="."))) == []


@pytest.mark.parametrize(
    ("counts", "stage"),
    [
        ({"stored": (30, 30), "found": (5, 24), "followed": (5, 5)}, "found"),
        ({"stored": (15, 30), "found": (12, 24), "followed": (12, 12)}, "stored"),  # 12/24 is 15/30
        ({"stored": (30, 30), "found": (24, 24), "followed": (0, 24)}, "followed"),
        ({"stored": (30, 30), "found": (24, 24), "followed": (24, 24)}, None),
        ({"stored": (None, 30), "found": (20, 24), "followed": (20, 20)}, "found"),
        ({"stored": (0, 30), "found": (0, 24), "followed": (0, 0)}, "stored"),
    ],
)
def test_the_stage_that_broke_is_the_one_that_lost_most(counts, stage):
    assert broke(counts) == stage


def test_the_curve_counts_ranks_up_to_k():
    rows = list(curve_rows(recalls(true=[1, 3, 2, None]), 3))
    assert [(row["k"], row["found"], row["found_of"]) for row in rows] == [
        (1, 1, 4),
        (2, 2, 4),
        (3, 3, 4),
    ]


def test_two_equal_banks_disagree_as_often_as_they_do():
    table = answers(true="XXY.", again="XYX.")
    (row,) = sham_rows(["p1", "p9"], table, {"ideal": 2})
    assert (row["n"], row["answers_differ"], row["discordant"]) == (4, 2, 2)
    assert row["recalls_differ"] == 1  # p9 was not asked of this reader
    assert row["smallest"] is None  # four probes can show nothing


@pytest.mark.parametrize(
    ("n", "noise", "m", "smallest"),
    [
        (24, 0, 1, 6),  # 2/2^6 = .031
        (24, 0, 2, 7),  # 2 * 2/2^7 = .031; 2 * 2/2^6 = .0625
        (24, 2, 1, 7),  # c = 1: b = 8 gives 2 * 10/2^9 = .039; b = 7 gives 2 * 9/2^8 = .070
        (5, 0, 1, None),  # 2/2^5 = .0625
        (12, 12, 1, None),
    ],
)
def test_the_smallest_difference_a_design_can_show(n, noise, m, smallest):
    assert smallest_difference(n, noise, m) == smallest
    if smallest:
        c = -(-noise // 2)
        assert mcnemar_exact(smallest + c, c).p * m <= 0.05
        assert mcnemar_exact(smallest + c - 1, c).p * m > 0.05


def table_of(*systems: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(
        [each.assign(system=f"s{n}", corpus="A") for n, each in enumerate(systems)],
        ignore_index=True,
    )


def rows_of(*systems: pd.DataFrame, refused: dict | None) -> list[dict]:
    names = [f"s{n}" for n in range(len(systems))]
    found = cells(table_of(*systems), refused or {}, {"A": [F]}, names, {"A": 2})
    return found.to_dict("records")


def row_of(system: pd.DataFrame, k: int = 2) -> dict:
    return cells(table_of(system), {}, {"A": [F]}, ["s0"], {"A": k}).to_dict("records")[0]


FOLLOWER = answers(true="X" * 12, swapped="Y" * 12, none="." * 12)
READER = answers(true="X" * 12, swapped="." * 12, none="." * 12)
COIN = answers(true="XY" * 6, swapped="XY" * 6, none="XY" * 6)
GUESSER = answers(true="X" * 12, swapped="X" * 12, none="X" * 12)
CONTRARY = answers(true="Y" * 12, swapped="X" * 12, none="." * 12)
SILENT = answers(true="." * 12, swapped="." * 12, none="." * 12)


def test_each_kind_of_system_gets_its_verdict():
    kinds = (FOLLOWER, READER, COIN, GUESSER, CONTRARY, SILENT)
    rows = rows_of(*kinds, refused=None)
    assert [row["verdict"] for row in rows] == [
        "follows",
        "uses",
        "not shown",
        "guessed",
        "against",
        "not testable",
    ]
    assert {row["m"] for row in rows} == {6}
    # all twelve wrong by chance: 2^-12, first of six
    assert rows[4]["p_below_holm"] == pytest.approx(6 / 2**12)
    assert [row["alarm"] for row in rows] == [False, False, False, False, True, False]


def test_holm_spans_the_declared_systems_and_a_refused_one_counts_as_one():
    one = rows_of(FOLLOWER, refused=None)[0]
    assert one["p_mcnemar"] == pytest.approx(2 / 2**12)
    assert one["p_use"] == pytest.approx(2 / 2**12)  # beats chance: 1/2^12, the smaller
    both = rows_of(FOLLOWER, FOLLOWER, refused={("s1", "A", F): "leak"})
    assert both[0]["p_use_holm"] == pytest.approx(2 * 2 / 2**12)
    assert (both[1]["p_use"], both[1]["p_use_holm"], both[1]["verdict"]) == (1, 1, "not admitted")
    assert both[1]["reason"] == "binding-corrupted: leak"


def test_a_system_that_is_silent_under_the_swapped_bank_does_not_follow():
    row = row_of(READER)
    assert (row["b"], row["c"], row["swapped_named"]) == (12, 0, 0)
    assert row["p_follow"] == 1
    assert row["delta"] == 1


def test_abstaining_more_under_the_swapped_bank_is_no_use():
    """A coin that falls silent there: McNemar alone would call it memory."""
    coin = answers(true="XXYX" * 3 + "XXXY", swapped="." * 16, none="." * 16)
    row = row_of(coin)
    assert row["p_mcnemar"] < 0.01
    assert row["p_use"] > row["p_mcnemar"]


def test_three_partners_have_a_chance_of_one_in_three():
    row = row_of(FOLLOWER, k=3)
    assert row["chance"] == pytest.approx(1 / 3)
    assert row["p_below"] == 1


def test_answers_of_a_system_that_was_not_declared_are_refused():
    with pytest.raises(ValueError, match="answers of what was not declared: s0"):
        cells(table_of(FOLLOWER), {}, {"A": [F]}, ["other"], {"A": 2})


def test_a_verdict_needs_the_corrected_p():
    row = {
        "admitted": True,
        "sound": True,
        "empty_p_holm": 1.0,
        "true_answered": 12,
        "swapped_answered": 12,
    }
    row |= {"p_follow_holm": 0.051, "p_use_holm": 0.05, "p_against_holm": 1.0}
    assert list(verdicts(pd.DataFrame([row]))) == ["uses"]
    assert list(verdicts(pd.DataFrame([row | {"p_use_holm": 0.051}]))) == ["not shown"]


def test_a_cell_whose_empty_bank_is_doubtful_is_neither_read_nor_called_guessed():
    """Ten of twelve from the empty bank: 79/2^12 = 0.019, and 0.039 over two cells."""
    doubtful = answers(true="X" * 12, swapped="Y" * 12, none="X" * 10 + "YY")
    alone = rows_of(doubtful, refused=None)[0]
    assert alone["empty_p"] == pytest.approx(79 / 2**12)
    assert alone["verdict"] == "guessed"
    three = rows_of(doubtful, FOLLOWER, FOLLOWER, refused=None)[0]  # 0.058 over three
    assert (three["empty_p_holm"], three["verdict"]) == (pytest.approx(3 * 79 / 2**12), "not shown")


def test_following_is_counted_of_all_probes_and_not_of_those_answered():
    """Seven of twelve are more than 55 %, but chance does as well; silence is no following."""
    half = row_of(answers(true="X" * 7 + "." * 5, swapped="Y" * 7 + "." * 5, none="." * 12))
    assert half["p_use"] == pytest.approx(2 / 2**7)
    assert half["p_follow"] == pytest.approx(binom.sf(6, 12, 0.55))


def test_abstaining_more_under_the_true_bank_does_not_go_against_it():
    """McNemar alone says so of every coin that is silent there: c = 8, 2/2^8."""
    row = row_of(answers(true="." * 16, swapped="XY" * 8, none="." * 16))
    assert (row["b"], row["c"], row["p_mcnemar"]) == (0, 8, pytest.approx(2 / 2**8))
    assert row["p_against"] == pytest.approx(binom.sf(7, 16, 0.5))  # 8 of 16 not as the bank has it


def test_the_family_is_the_whole_study_whoever_reads_it():
    """Two readers on one corpus and one on another: three cells, and the corpora share them."""
    table = pd.concat([table_of(FOLLOWER), table_of(FOLLOWER).assign(reader="model"),
                       table_of(FOLLOWER).assign(corpus="B")])  # fmt: skip
    found = cells(table, {}, {"A": [F], "B": [F]}, ["s0"], {"A": 2, "B": 2})
    assert found["m"].to_list() == [3, 3, 3]
    assert found["p_use_holm"].to_list() == pytest.approx([3 * 2 / 2**12] * 3)


def test_many_studies_at_once_are_each_study_by_itself():
    """Of three studies one lacks a reader, so its family is smaller; order within one is kept."""
    studies = {
        "one": [FOLLOWER, COIN, SILENT],
        "two": [READER, CONTRARY, GUESSER],
        "three": [COIN, FOLLOWER],
    }
    systems = ["s0", "s1", "s2"]
    tables = {name: table_of(*kinds) for name, kinds in studies.items()}
    every = pd.concat([table.assign(study=name) for name, table in tables.items()])
    refused = {("s1", "A", F): "leak"}
    given = (refused, {"A": [F]}, systems, {"A": 2})
    found = cells(every, *given, by=["study"])
    for name, table in tables.items():
        mine = found[found["study"] == name].drop(columns="study").reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, cells(table, *given))
        assert set(mine["m"]) == {len(studies[name])}


@pytest.mark.parametrize(
    ("swapped", "empty", "verdict"),
    [
        ("X" * 3 + "." * 9, "." * 12, "uses"),  # nothing from the empty bank: nothing is known
        ("X" * 3 + "." * 9, "XXXX" + "." * 8, "not shown"),  # 1/2^4 = .0625, and all lean away
        ("X" + "." * 11, "X" + "." * 11, "not shown"),  # one answer, and it names the other life
        ("XXY" + "." * 9, "XXXX" + "." * 8, "uses"),  # two of three away: 4/8
        ("." * 12, "XXXX" + "." * 8, "uses"),  # silence leans nowhere
        ("X" * 3 + "." * 9, "XYXYX" + "." * 7, "uses"),  # five answers do tell, and chance does it
    ],
)
def test_a_reader_that_may_have_known_the_life_is_not_said_to_use_the_bank(swapped, empty, verdict):
    row = row_of(answers(true="X" * 12, swapped=swapped, none=empty))
    assert row["p_use"] < 0.05
    assert row["verdict"] == verdict
    assert row["sound"] == (verdict == "uses")


def test_a_probe_asked_of_one_bank_alone_is_named():
    lacking = FOLLOWER[~((FOLLOWER["document"] == F) & (FOLLOWER["probe_id"] == "p3"))]
    with pytest.raises(ValueError, match=r"no answer is recorded under 'binding-corrupted'.*p3"):
        row_of(lacking)


def test_costs_are_shares_of_what_was_done():
    banks = pd.DataFrame(
        {
            "state": ["ok", "ok", "failed"],
            "given": [31, 29, 31],
            "seconds": [3.0, 3.0, None],
            "slowest": [0.5, 2.0, None],
            "calls": [31, 29, None],
            "tokens": [1000, 500, None],
        }
    )
    asked = pd.DataFrame({"state": ["ok", "ok", "failed"], "seconds": [0.1, 0.3, 9.0]})
    assert cost_row(banks, asked) == {
        "events": 60,
        "event_seconds": pytest.approx(0.1),
        "slowest": 2.0,
        "recalls": 2,
        "recall_seconds": pytest.approx(0.2),
        "calls": 60,
        "tokens": 1500,
    }


def test_a_probe_left_out_from_one_bank_is_left_out_from_all():
    one = answers(true="X" * 8, swapped="Y" * 7 + "x", none="." * 8)
    whole = answers(true="X" * 8, swapped="Y" * 8, none="." * 8)
    first, second = rows_of(one, whole, refused=None)
    assert (first["n"], first["n_left_out"], first["b"], first["c"]) == (7, 1, 7, 0)
    assert first["p_mcnemar"] == 2 / 2**7
    assert (second["n"], second["n_left_out"], second["b"]) == (8, 0, 8)


def test_a_cell_of_which_all_is_left_out_keeps_its_place_in_the_family():
    gone = answers(true="X" * 8, swapped="x" * 8, none="." * 8)
    whole = answers(true="X" * 8, swapped="Y" * 8, none="." * 8)
    first, second = rows_of(gone, whole, refused=None)
    assert (first["n"], first["n_left_out"], first["verdict"]) == (0, 8, "not testable")
    assert (first["p_use"], second["m"]) == (1.0, 2)
