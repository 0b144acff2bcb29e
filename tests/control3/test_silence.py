"""Silence taken apart: forced answers at chance, what is flagged, and both orders, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from support.fixture_study import read
from veridical.base.tables import write_table
from veridical.control3.findings import find
from veridical.control3.silence import forced_table, noticing_table, orders_table
from veridical.control3.tables import CELLS, FORCED, NOTICING, ORDERS
from veridical.report.wording import Wording

EN, IT = Wording.read("en").of("control3"), Wording.read("it").of("control3")
PARTNERS = ["Llama", "DeepSeek"]


def answers(right, *, model="m", corpus="A", arm="forced", state=None, habit=None):
    """Probes answered rightly (True), wrongly (False) or not (None), partners in turn."""
    rows = []
    for number, hit in enumerate(right):
        true, first = PARTNERS[number % 2], PARTNERS[number // 2 % 2]
        other = PARTNERS[1 - number % 2]
        answer = None if hit is None else (true if hit else other)
        if habit is not None:
            answer = habit
            hit = answer == true
        said = "ok" if answer else (state or "unparseable")
        rows.append((corpus, model, arm, "none", f"p{number:02d}", number + 1, said, answer, true,
                     hit, first))  # fmt: skip
    columns = ["corpus", "model", "arm", "document", "probe_id", "place", "state", "answer"]
    return pd.DataFrame(rows, columns=[*columns, "true_partner", "correct", "first_option"])


def mixed(right: int, n: int, seed: int = 0) -> list[bool]:
    """So many right of n, in no order that neighbours share."""
    return list(np.random.default_rng(seed).permutation([True] * right + [False] * (n - right)))


def test_the_exact_p_by_scipy():
    (row,) = forced_table(answers(mixed(19, 24)), {"A": 2}).itertuples()
    plain = binom.sf(18, 24, 0.5)
    assert (row.n, row.correct, row.wrong, row.unanswered) == (24, 19, 5, 0)
    assert row.p >= plain - 1e-12
    if row.neighbours == 1:
        assert row.p == pytest.approx(plain)
    assert row.finding == "beats chance"


def test_a_fair_coin_is_not_shown_to_know():
    assert forced_table(answers(mixed(13, 24)), {"A": 2})["finding"].tolist() == ["not shown"]


def test_chance_is_one_in_as_many_as_there_are_partners():
    table = answers(mixed(13, 24))
    two, three = (forced_table(table, {"A": k}) for k in (2, 3))
    assert two["finding"].iloc[0] == "not shown"
    assert three["chance"].iloc[0] == pytest.approx(1 / 3)
    assert three["p"].iloc[0] < two["p"].iloc[0]


def test_holm_is_over_models_and_corpora():
    parts = [answers(mixed(18, 24, 1), model="a"), answers(mixed(12, 24, 2), model="b"),
             answers(mixed(12, 24, 3), model="a", corpus="B")]  # fmt: skip
    table = forced_table(pd.concat(parts), {"A": 2, "B": 2}).set_index(["corpus", "model"])
    one = table.loc[("A", "a")]
    assert one["p_holm"] == pytest.approx(min(3 * one["p"], 1))


def test_a_run_of_answers_alike_counts_for_less():
    runs = ([True] * 6 + [False] * 2) * 3
    (long,) = forced_table(answers(runs), {"A": 2}).itertuples()
    assert long.correct == 18
    assert long.neighbours > 1.3
    assert long.p > binom.sf(17, 24, 0.5)


@pytest.mark.parametrize("habit", PARTNERS)
def test_a_habit_is_no_knowledge(habit):
    (row,) = forced_table(answers([True] * 24, habit=habit), {"A": 2}).itertuples()
    assert (row.correct, row.finding) == (12, "not testable")
    assert np.isnan(row.p)


def test_what_has_no_answer_all_the_same_is_counted_and_not_tested():
    (row,) = forced_table(answers([True] * 3 + [None] * 21), {"A": 2}).itertuples()
    assert (row.n, row.unanswered, row.finding) == (24, 21, "not testable")


def test_studies_are_families_of_their_own():
    table = answers(mixed(18, 24))
    both = pd.concat([table.assign(study=1), table.assign(study=2)])
    found = forced_table(both, {"A": 2}, ["study"])
    assert found["p_holm"].tolist() == pytest.approx(found["p"].tolist())


def test_nothing_forced_is_an_empty_table(tmp_path):
    table = forced_table(answers([]), {"A": 2})
    assert table.empty
    write_table(table, tmp_path / "forced.csv", FORCED)


def flagged(*counts: tuple[str, int, int, int]) -> pd.DataFrame:
    """(document, flagged, named, abstained) as answers."""
    rows = []
    for document, raised, named, abstained in counts:
        states = ["flagged"] * raised + ["ok"] * named + ["abstained"] * abstained
        rows += [("A", "m", document, state) for state in states]
    return pd.DataFrame(rows, columns=["corpus", "model", "document", "state"])


def test_what_is_flagged_is_counted_by_document():
    table = noticing_table(flagged(("veridical", 1, 6, 1), ("contradicting", 5, 2, 1)))
    one, two = table.to_dict("records")
    assert (one["flagged"], one["named"], one["abstained"], one["unparseable"]) == (1, 6, 1, 0)
    assert (two["n"], two["flagged_share"]) == (8, 0.625)
    # Wilson by hand: centre (p + z²/2n) / (1 + z²/n) with z = 1.959964, n = 8
    z = 1.959963984540054
    centre = (0.625 + z**2 / 16) / (1 + z**2 / 8)
    half = z / (1 + z**2 / 8) * np.sqrt(0.625 * 0.375 / 8 + z**2 / 256)
    assert (two["flagged_low"], two["flagged_high"]) == pytest.approx(
        (centre - half, centre + half)
    )


def test_a_probe_left_out_is_of_no_count():
    table = flagged(("veridical", 2, 1, 0))
    table.loc[0, "state"] = "left out"
    (row,) = noticing_table(table).itertuples()
    assert (row.n, row.flagged) == (2, 1)
    assert noticing_table(table.iloc[:0]).columns.tolist() == NOTICING.names


def test_both_orders_by_hand():
    """p0 the same both times; p1 the first offered both times; p2 answered once; p3 left out."""
    one = answers([True, False, True, True, None])
    two = answers([True, True, None, True, None], arm="reversed")
    two["first_option"] = [PARTNERS[1 - PARTNERS.index(name)] for name in two["first_option"]]
    one.loc[1, "answer"] = one.loc[1, "first_option"]
    two.loc[1, "answer"] = two.loc[1, "first_option"]
    two.loc[3, "state"] = "left out"
    (row,) = orders_table(one, two).itertuples()
    assert (row.n, row.both, row.same, row.first_twice) == (4, 2, 1, 1)
    assert orders_table(one, two.iloc[:0]).columns.tolist() == ORDERS.names


def said(study_root, text, **tables):
    finding = find(read(study_root)[CELLS], text, **tables)
    return {one.key: one for one in (*finding.limits, *finding.details)}, finding


@pytest.mark.parametrize("text", [EN, IT])
def test_the_page_tells_what_was_forced(study_root, text):
    plain = forced_table(answers(mixed(13, 24)), {"A": 2})
    told, _ = said(study_root, text, forced=plain)
    assert {"forced", "forced_open"} <= set(told)
    assert "forced_beats" not in told
    assert "24" in told["forced"]
    assert "13" in told["forced"]
    beats = forced_table(answers(mixed(22, 24)), {"A": 2})
    told, after = said(study_root, text, forced=beats)
    assert "m (A)" in told["forced_beats"]
    assert "forced_open" not in told
    assert after.sure != "firm"


def test_the_page_tells_what_was_flagged_and_in_which_order(study_root):
    noticing = noticing_table(flagged(("veridical", 1, 6, 1), ("contradicting", 5, 2, 1)))
    orders = orders_table(answers([True, False]), answers([True, True], arm="reversed"))
    told, _ = said(study_root, EN, noticing=noticing, orders=orders)
    assert told["noticed"].endswith("in 1 of 8 (veridical) and 5 of 8 (contradicts itself).")
    assert "(2), 1 name the same partner both times" in told["orders"]


def test_without_those_arms_nothing_is_said_of_them(study_root):
    told, _ = said(study_root, EN)
    assert not {"forced", "forced_beats", "forced_open", "noticed", "orders"} & set(told)
