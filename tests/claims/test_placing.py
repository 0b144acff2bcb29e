"""Where anchors stand in the worlds: as blinding places them, by lot and balanced."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare
from veridical.claims.worlds.judging import Bench, Design, draw
from veridical.claims.worlds.placing import placed
from veridical.control1.blinding import blind

SHAPE = (400, 3)


def firsts(conditions: dict[str, int], items: int, seed: int = 1) -> dict[str, np.ndarray]:
    """How many anchors of each condition stand first, shape (studies, judges)."""
    found = placed(conditions, items, SHAPE, np.random.default_rng(seed))
    return {
        name: sum(found[name, number].sum(axis=-1) for number in range(1, seeds + 1))
        for name, seeds in conditions.items()
    }


@given(
    st.dictionaries(st.sampled_from(["foreign", "shuffled", "dose"]), st.integers(1, 4)),
    st.integers(1, 9),
    st.integers(0, 1000),
)
def test_every_condition_is_balanced_and_so_is_the_session(conditions, items, seed):
    found = placed(conditions, items, (5, 2), np.random.default_rng(seed))
    assert set(found) == {(name, n + 1) for name, seeds in conditions.items() for n in range(seeds)}
    total = np.zeros((5, 2), dtype=int)
    for name, seeds in conditions.items():
        own = np.concatenate([found[name, n + 1] for n in range(seeds)], axis=-1)
        assert own.shape == (5, 2, seeds * items)
        assert (abs(2 * own.sum(axis=-1) - seeds * items) <= 1).all()
        total += own.sum(axis=-1)
    pairs = items * sum(conditions.values())
    assert (abs(2 * total - pairs) <= 1).all()


@pytest.mark.parametrize("conditions", [{"veridical": 1}, {"foreign": 3, "shuffled": 3}])
def test_the_odd_pair_stands_by_lot_of_each_study_and_judge(conditions):
    for name, count in firsts(conditions, 7).items():
        half = 7 * conditions[name] // 2
        assert set(np.unique(count)) == {half, half + 1}
        low, high = binom.ppf([1e-6, 1 - 1e-6], count.size, 0.5)
        assert low <= (count > half).sum() <= high
        of_judges = np.corrcoef((count > half).astype(float).T)
        assert abs(of_judges[0, 1]) < 0.25  # one judge's lot tells nothing of another's


def test_conditions_take_turns():
    found = firsts({"foreign": 3, "shuffled": 3}, 7)
    assert (found["foreign"] + found["shuffled"] == 21).all()
    three = firsts({"foreign": 1, "shuffled": 1, "dose": 1}, 7)
    stacked = np.stack(list(three.values()))
    assert set(np.unique(stacked.sum(axis=0))) == {10, 11}
    assert (np.ptp(stacked, axis=0) == 1).all()
    ways = pd.Series([tuple(row) for row in stacked.reshape(3, -1).T]).value_counts()
    assert len(ways) == 6  # any of the three is the odd one out, on either side
    assert chisquare(ways).pvalue > 1e-4


def test_an_even_number_of_pairs_leaves_no_lot():
    assert (firsts({"foreign": 2}, 7)["foreign"] == 7).all()
    mixed = firsts({"foreign": 2, "shuffled": 1}, 7)
    assert (mixed["foreign"] == 7).all()
    assert set(np.unique(mixed["shuffled"])) == {3, 4}


def test_a_seed_need_not_be_balanced_by_itself():
    """Nine pairs of three documents are balanced together: one may have all its anchors first."""
    found = placed({"foreign": 3}, 3, SHAPE, np.random.default_rng(1))
    assert set(np.unique(found["foreign", 1].sum(axis=-1))) == {0, 1, 2, 3}


def blinded(studies: int) -> pd.DataFrame:
    """Seven items under the real memory and three counterfeits of two kinds, as the part blinds."""
    given_ = pd.DataFrame(
        {"responder": "r1", "corpus": "c1", "item_id": f"T{item}", "document": f"{kind}-{seed}",
         "condition": kind, "seed": seed}
        for kind, seeds in (("veridical", 1), ("foreign", 3), ("shuffled", 3))
        for seed in range(1, seeds + 1) for item in range(7)
    )  # fmt: skip
    return pd.concat(
        blind(given_, "j1", np.random.default_rng(study)).assign(study=study)
        for study in range(studies)
    )


def test_the_lots_are_those_of_the_parts_own_blinding():
    """Both from 200 studies: how often so many of a condition's anchors stand first."""
    table = blinded(200)
    first = table["position_of_anchor"] == "A"
    own = first.groupby([table["condition"], table["study"]]).sum()
    rng = np.random.default_rng(1)
    drawn = placed({"foreign": 3, "shuffled": 3}, 7, (200, 1), rng)
    drawn |= placed({"veridical": 1}, 7, (200, 1), rng)
    for name, seeds in (("veridical", 1), ("foreign", 3), ("shuffled", 3)):
        mine = sum(drawn[name, n + 1].sum(axis=-1) for n in range(seeds)).ravel()
        assert set(np.unique(mine)) == set(own[name].unique())
        assert abs((mine == mine.max()).mean() - (own[name] == own[name].max()).mean()) < 0.2
    both = own.unstack(level=0)
    assert (both["foreign"] + both["shuffled"] == 21).all()


def test_the_worlds_verdicts_stand_so():
    design = Design(judges=2, responders=2, corpora=2)
    table = draw(design, Bench(), 60, np.random.default_rng(3))["control1/verdicts"]
    main = table[(table["metric"] == "metric-1") & (table["session"] != "reversed")]
    keys = ["study", "judge", "responder", "corpus", "session", "condition"]
    first = (main["anchor_position"] == "A").groupby([main[k] for k in keys], observed=True)
    counts = first.agg(["sum", "size"]).reset_index()
    assert (abs(2 * counts["sum"] - counts["size"]) <= 1).all()
    odd = counts[(counts["condition"] == "veridical")]
    ahead = (2 * odd["sum"] > odd["size"]).groupby([odd["responder"], odd["corpus"]],
                                                   observed=True).mean()  # fmt: skip
    assert ahead.between(0.3, 0.7).all()  # no cell has it one way
    per_study = odd.assign(up=2 * odd["sum"] > odd["size"]).groupby("study")["up"].sum()
    assert per_study.nunique() >= 5  # of eight judges and cells: turns would always give four


def test_what_is_shown_once_more_stands_the_other_way():
    table = draw(Design(judges=1, metrics=1), Bench(), 5, np.random.default_rng(3))[
        "control1/verdicts"
    ]
    keys = ["study", "item_id"]
    once, again = (
        table[table["session"] == name].set_index(keys)["anchor_position"].astype(str)
        for name in ("original", "reversed")
    )
    assert (once != again.loc[once.index]).all()
