"""Direct pairs: shares by hand, what follows from them, and what must not follow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student
from support.control1_study import METRICS, responses
from support.direct_study import SETTINGS, at_a_loss, choices, first, maps, reader
from veridical.base.tables import write_table
from veridical.control1.beside import Beside
from veridical.control1.direct import rules, tables
from veridical.control1.direct.choices import whole_pairs
from veridical.control1.direct.choosers import chooser_table
from veridical.control1.tables import BLINDING
from veridical.control1.verdict_checks import load_choices

HEAD = ["metric", "contrast"]


def rng():
    return np.random.default_rng(0)


def concluded(table, *, margin=0.15, **more):
    whole = whole_pairs(table)
    shares = rules.shares_of(whole)
    panel = rules.examine(whole, margin=margin, rng=rng())
    return rules.conclude(shares, panel, margin=margin, rng=rng(), **more), panel, shares


def small(preferred, *, items=7, judges=1, quoted="own"):
    """Choices on one metric and one document in one order; `preferred(item, judge)` names them."""
    rows = [
        ("counterfeit", f"T{i}", "foreign", 1.0, f"j{j}", preferred(i, j))
        for i in range(1, items + 1)
        for j in range(1, judges + 1)
    ]
    rows += [("positive", f"Q{i}", "quoted", 1.0, "j1", quoted) for i in range(1, 8) if quoted]
    columns = ["session", "item_id", "condition", "seed", "judge", "preferred"]
    table = pd.DataFrame(rows, columns=columns)
    table["own_position"] = np.where(np.arange(len(table)) % 2, "A", "B")
    return table.assign(responder="m", corpus="A", metric="tone", state="complete")


def test_a_reader_is_found_on_every_row_and_in_no_way_that_a_place_explains():
    found, panel, _ = concluded(choices(reader))
    assert set(found["finding"]) == {"prefers own"}
    assert (found["share"] == 1).all()
    assert found["p_adjusted"].tolist() == [2 / 128] * 4  # rows that say the same cost nothing
    assert panel.set_index("test")["finding"].to_dict() == {
        "quoted": "sensitive",
        "place": "not shown",
    }
    assert found[["toward", "away", "level"]].to_numpy().tolist() == [[7, 0, 0]] * 4
    assert (found["n_documents"] == 3).all()


def test_a_reader_turned_round_prefers_the_other():
    found, _, _ = concluded(choices(lambda sheet, metric, judge: "other"))
    assert set(found["finding"]) == {"prefers other"}
    assert set(found["sensitive"]) == {"not sensitive"}


def test_who_names_the_first_prefers_nothing_and_is_called_nothing():
    """Level on every item, but deaf to quotations: no preference is not read out of that."""
    found, panel, _ = concluded(choices(first))
    assert (found["share"] == 0.5).all()
    assert set(found["finding"]) == {"not testable"}
    place = panel[panel["test"] == "place"]
    assert (place["share"] == 1).all()
    assert set(place["finding"]) == {"matters"}


def test_who_hears_and_names_neither_has_no_preference():
    found, panel, _ = concluded(choices(at_a_loss))
    assert set(found["finding"]) == {"indifferent"}
    assert found["p_same"].tolist() == [1 / 128] * 4  # seven items, all on one side of each bound
    assert (found["p_flips"] == 1).all()
    assert set(panel[panel["test"] == "quoted"]["finding"]) == {"sensitive"}


def test_without_quotations_no_preference_is_not_testable():
    table = choices(at_a_loss)
    found, panel, _ = concluded(table[table["session"] != "positive"])
    assert set(found["sensitive"]) == {"not run"}
    assert set(found["finding"]) == {"not testable"}
    assert "quoted" not in set(panel["test"])


@pytest.mark.parametrize(
    ("owns", "margin", "finding"),
    [
        (7, 0.15, "prefers own"),  # 2/128
        (6, 0.15, "inconclusive"),  # 16/128
        (0, 0.15, "prefers other"),
        (4, 0.15, "inconclusive"),  # a share of 0.57 on items that are all or nothing
    ],
)
def test_one_judge_on_one_document_by_hand(owns, margin, finding):
    table = small(lambda i, j: "own" if i <= owns else "other")
    found, _, _ = concluded(table, margin=margin)
    assert found["finding"].tolist() == [finding]
    assert found["share"].iloc[0] == pytest.approx(owns / 7)
    values = [0.5 if i < owns else -0.5 for i in range(7)]
    sums = [abs(sum(s * v for s, v in zip(w, values, strict=True)))
            for w in product((1, -1), repeat=7)]  # fmt: skip
    assert found["p_flips"].iloc[0] == pytest.approx(
        sum(total >= abs(sum(values)) - 1e-9 for total in sums) / 128
    )
    assert found["p_sign"].iloc[0] == pytest.approx(binomtest(owns, 7).pvalue)


@pytest.mark.parametrize(("items", "finding"), [(5, "too few items"), (6, "prefers own")])
def test_five_items_can_show_nothing_and_six_can(items, finding):
    """All one way: 2/32 = 0.0625 with five, 2/64 = 0.03125 with six."""
    found, _, _ = concluded(small(lambda i, j: "own", items=items))
    assert found["finding"].tolist() == [finding]


def test_a_share_is_a_mean_of_judges_of_documents_of_orders():
    """One judge with three documents, one with one: each judge counts once, not each choice."""
    rows = [("j1", 1.0, "own"), ("j1", 2.0, "own"), ("j1", 3.0, "other"), ("j2", 1.0, "other")]
    table = pd.DataFrame(rows, columns=["judge", "seed", "preferred"]).assign(
        session="counterfeit", item_id="T1", condition="foreign", own_position="A",
        responder="m", corpus="A", metric="tone", state="complete",
    )  # fmt: skip
    found, _, shares = concluded(table)
    assert len(shares) == 4
    assert found["share"].tolist() == pytest.approx([(2 / 3 + 0) / 2])
    assert (found["document_low"].iloc[0], found["document_high"].iloc[0]) == (0.0, 1.0)
    assert found["n_documents"].tolist() == [3]


def test_the_interval_is_students_within_zero_and_one():
    table = small(lambda i, j: "own" if (i * j) % 3 else "neither", judges=3)
    found, _, shares = concluded(table)
    each = shares.groupby("item_id")["share"].mean()
    half = student.ppf(0.975, 6) * each.std(ddof=1) / np.sqrt(7)
    assert found["share_low"].iloc[0] == pytest.approx(each.mean() - half)
    assert found["share_high"].iloc[0] == pytest.approx(min(1, each.mean() + half))
    alike, _, _ = concluded(small(lambda i, j: "own"))
    assert alike[["share_low", "share_high"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("share", "heard"),
    [(7, True), (6, False), (5, False)],  # 1/128, 8/128, 29/128
)
def test_a_panel_hears_where_quotations_are_preferred_beyond_chance(share, heard):
    table = small(lambda i, j: "neither")
    quoted = table["session"] == "positive"
    numbers = table["item_id"].str[1:].astype(int)
    table.loc[quoted & (numbers > share), "preferred"] = "other"
    _, panel, _ = concluded(table)
    (row,) = panel[panel["test"] == "quoted"].to_dict("records")
    assert row["finding"] == ("sensitive" if heard else "not sensitive")
    expected = binomtest(share, 7, alternative="greater").pvalue
    assert row["p"] == pytest.approx(expected)  # all or nothing: flips are tosses


def test_no_preference_is_no_surer_than_that_the_panel_hears():
    """Level on all seven items (1/128), but one quotation left open: 2/128 on these."""
    table = small(lambda i, j: "neither")
    table.loc[table["item_id"] == "Q7", "preferred"] = "neither"
    found, panel, _ = concluded(table)
    assert panel["p"].tolist() == [2 / 128]
    assert found["p_same"].tolist() == [2 / 128]
    assert found["finding"].tolist() == ["indifferent"]


def test_a_panel_that_barely_prefers_quotations_does_not_hear():
    """On every pair, but by no more than the margin: 0.6 is within 0.15 of one half."""
    words = ("own", "own", "own", "other", "other")
    rows = [(f"Q{i}", f"j{j}", words[j]) for i in range(1, 8) for j in range(5)]
    table = pd.DataFrame(rows, columns=["item_id", "judge", "preferred"]).assign(
        session="positive", condition="quoted", seed=1.0, own_position="A", responder="",
        corpus="A", metric="tone", state="complete",
    )  # fmt: skip
    panel = rules.examine(table, margin=0.15, rng=rng())
    assert panel["p"].tolist() == [1 / 128]
    assert panel["finding"].tolist() == ["not sensitive"]
    assert rules.examine(table, margin=0.09, rng=rng())["finding"].tolist() == ["sensitive"]


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["own", "other", "neither"]), min_size=14, max_size=14))
def test_turning_every_choice_round_turns_the_finding_round(words):
    turned = {"own": "other", "other": "own", "neither": "neither"}

    def table(of):
        return small(lambda i, j: of[words[2 * (i - 1) + j - 1]], judges=2)

    one, _, _ = concluded(table({word: word for word in turned}))
    two, _, _ = concluded(table(turned))
    assert one["share"].iloc[0] == pytest.approx(1 - two["share"].iloc[0])
    assert one["p_adjusted"].tolist() == pytest.approx(two["p_adjusted"].tolist())
    swap = {"prefers own": "prefers other", "prefers other": "prefers own"}
    assert two["finding"].iloc[0] == swap.get(one["finding"].iloc[0], one["finding"].iloc[0])


def test_a_bank_not_admitted_counts_and_shrinks_no_family():
    table = choices(at_a_loss)
    lacking = [("m", "A", "veridical-none")]
    plain, _, _ = concluded(table)
    found, _, _ = concluded(table, lacking=lacking)
    rows = found[found["contrast"] == "veridical-none"]
    assert set(rows["finding"]) == {"not admitted"}
    assert rows["n_items"].tolist() == [0, 0]
    assert rows["share"].isna().all()
    assert (rows["p_same_hochberg"] == 1).all()
    rest = found[found["contrast"] != "veridical-none"]
    assert (rest["p_same_hochberg"] > plain["p_same_hochberg"].to_numpy()).all()
    every = rules.nothing_known(METRICS, lacking)
    assert set(every["finding"]) == {"not admitted"}
    assert len(every) == len(METRICS)


def test_a_kind_of_which_no_pair_is_whole_counts_and_is_told_from_a_refused_one():
    table = choices(at_a_loss)
    table = table[table["condition"] != "shuffled"]
    unread, lacking = [("m", "A", "veridical-shuffled")], [("m", "A", "veridical-none")]
    found, _, _ = concluded(table, lacking=lacking, unread=unread)
    words = dict(zip(found["contrast"], found["finding"], strict=True))
    assert words["veridical-shuffled"] == "no verdict"
    assert words["veridical-none"] == "not admitted"
    rows = found[found["contrast"] == "veridical-shuffled"]
    assert rows["n_items"].tolist() == [0, 0]
    assert set(rows["sensitive"]) == {"sensitive"}  # of the corpus's panel, on each metric
    assert (rows["p_adjusted"] == 1).all()
    every = rules.nothing_known(METRICS, [], unread)
    assert set(every["finding"]) == {"no verdict"}
    assert every["p_same_hochberg"].tolist() == [1.0] * len(METRICS)


def test_each_judge_alone_is_tested_by_signs_after_holm():
    """14 items, three judges, one metric and kind: one always own, one in half, one never."""
    ways = {1: lambda i: "own", 2: lambda i: "own" if i % 2 else "other", 3: lambda i: "other"}
    shares = rules.shares_of(small(lambda i, j: ways[j](i), items=14, judges=3))
    found = rules.alone(shares).set_index("judge")
    assert found["finding"].to_dict() == {
        "j1": "prefers own",
        "j2": "not shown",
        "j3": "prefers other",
    }
    p = binomtest(14, 14).pvalue
    assert found["p_sign"].tolist() == pytest.approx([p, 1.0, p])
    assert found["p_sign_holm"].tolist() == pytest.approx([3 * p, 1.0, 3 * p])


def test_seven_items_are_too_few_for_twelve_judges_rows():
    """12 × 2/128 = 0.19: not even items that all lean one way would be told."""
    _, _, shares = concluded(choices(reader))
    found = rules.alone(shares)
    assert len(found) == 12
    assert set(found["finding"]) == {"too few items"}
    assert (found["p_sign"] == 2 / 128).all()


def test_level_items_lean_neither_way():
    words = {1: "own", 2: "other", 3: "neither"}
    shares = rules.shares_of(small(lambda i, j: words[(i - 1) % 3 + 1], items=9))
    (row,) = rules.alone(shares).to_dict("records")
    assert (row["toward"], row["away"], row["level"]) == (3, 3, 3)
    assert row["p_sign"] == 1.0


def test_cells_are_one_family_and_each_has_its_rows():
    table = pd.concat(
        [responses(responder=who, corpus="A") for who in ("m", "n")], ignore_index=True
    )
    own = maps(table)

    def choose(sheet, metric, judge):
        return "own" if sheet["responder"] in ("m", "") else "neither"

    found, _, _ = concluded(choices(choose, own))
    by = found.groupby("responder")["finding"].agg(set)
    assert by["m"] == {"prefers own"}
    assert by["n"] == {"indifferent"}
    assert len(found) == 8


def test_how_judges_chose_is_counted():
    def choose(sheet, metric, judge):
        if judge == "one":
            return "A"
        return "own" if judge == "two" else "neither"

    table = choices(choose)
    found = chooser_table(table).set_index(["judge", "metric"])
    tables.CHOOSERS.check(found.reset_index()[tables.CHOOSERS.names], "here")
    one, two, three = (found.loc[(judge, METRICS[0])] for judge in ("one", "two", "three"))
    assert one["sheets"] == 42 + 42 + 5 + 7  # pairs, both orders, a tenth again, quotations
    assert (one["first"], one["neither"], one["note"]) == (1.0, 0.0, "constant")
    assert (one["both_orders"], one["same_answer"]) == (42, 0.0)
    assert (two["same_answer"], two["quoted"], two["note"]) == (1.0, 1.0, "")
    assert (two["given_twice"], two["chosen_again"]) == (5, 1.0)
    assert (three["neither"], three["quoted"], three["note"]) == (1.0, 0.5, "constant")
    assert np.isnan(three["first"])


def test_a_judge_that_changes_its_mind_on_the_same_sheet_is_seen():
    table = choices(reader)
    table.loc[table["session"] == "repeated", "preferred"] = "other"
    assert (chooser_table(table)["chosen_again"] == 0).all()
    one = table[(table["session"] == "repeated") & (table["judge"] == "one")].iloc[0]
    same = [(table[name] == one[name]) for name in ("judge", "item_id", "document")]
    gone = np.logical_and.reduce([*same, table["session"] == "counterfeit"])
    table.loc[gone, ["state", "preferred"]] = ["incomplete", None]
    counts = chooser_table(table).set_index("judge")["given_twice"]
    assert counts["one"].tolist() == [4, 4]  # of one sheet the first choice is missing
    assert counts["two"].tolist() == [5, 5]
    lost = table["judge"] == "two"
    table.loc[lost, ["state", "preferred"]] = ["incomplete", None]
    found = chooser_table(table).set_index("judge")
    assert (found.loc["two", "sheets"] == 0).all()
    assert (found.loc["two", "incomplete"] > 0).all()


def on_disk(folder, table, drawn=None):
    write_table(table, folder / "choices.csv", tables.CHOICES)
    write_table(maps() if drawn is None else drawn, folder / "map.csv", BLINDING)
    return folder / "choices.csv", folder / "map.csv"


def test_a_whole_design_passes_and_incomplete_ones_stop_it(tmp_path):
    table = choices(reader)
    every, complete = load_choices(*on_disk(tmp_path, table), SETTINGS)
    assert len(every) == len(complete) == len(table)
    lost = table["sheet_id"] == "two-003"
    table.loc[lost, ["state", "preferred", "reason", "at"]] = ["incomplete", None, "no side", "x"]
    paths = on_disk(tmp_path, table)
    with pytest.raises(ValueError, match=r"1 verdicts are incomplete \(two 1 of 96\).*no side"):
        load_choices(*paths, SETTINGS)
    _, complete = load_choices(*paths, {**SETTINGS, "omit_incomplete": True})
    assert len(complete) == len(table) - 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t[t["judge"] != "two"], "same sheets"),
        (lambda t: t[t["metric"] != METRICS[0]], "no verdict has the metric"),
        (lambda t: t.assign(metric=t["metric"].replace(METRICS[0], "charm")), "'identity_markers'"),
        (lambda t: t.drop(index=t.index[(t["sheet_id"] == "one-004")][:1]), "1 scores are missing"),
    ],
)
def test_a_design_with_holes_is_refused(tmp_path, change, says):
    paths = on_disk(tmp_path, change(choices(reader)))
    with pytest.raises(ValueError, match=says):
        load_choices(*paths, SETTINGS)


def test_beside_counts_are_those_of_the_map():
    """Both orders of all pairs, none's too; a tenth of the counterfeits' again."""
    beside = Beside(none=True, reversed=1.0, repeated=0.1, positive=7)
    counts = beside.counts(items=7, pairs=42, direct=True)
    assert counts == {"none": 7, "reversed": 49, "repeated": 5, "positive": 7}
    assert beside.counts(items=7, pairs=49)["reversed"] == 7  # anchored: the veridical pairs alone
