"""The benchmark's worlds: truths by hand, their table's form, and the rules that they broke."""

import numpy as np
import pandas as pd
import pytest
from veridical.benchmarks.premium import lives_p, premiums
from veridical.benchmarks.simulated import Shape
from veridical.benchmarks.tables import ANSWERS, ITEMS
from veridical.claims.design import designs
from veridical.claims.worlds import benchmarks
from veridical.claims.worlds.benchmarks import Arm, Model

LIVES = tuple(f"life {number // 8}" for number in range(32))
DESIGN = benchmarks.Design(("leading", "talk") * 16, LIVES, (0.25,) * 32, 2)
WORLDS = {world.key: world for world in benchmarks.WORLDS}


def drawn(key: str, studies: int = 3, design: benchmarks.Design = DESIGN) -> pd.DataFrame:
    tables = WORLDS[key].draw(design, studies, np.random.default_rng(5))
    return tables["benchmarks/answers"]


def test_studies_have_the_form_of_the_parts_own_table():
    table = drawn("more silent without a history")
    for _, study in table.groupby("study"):
        plain = study.drop(columns="study").assign(answer="x").reset_index(drop=True)
        ANSWERS.check(plain[ANSWERS.names], "a study of the world")
    assert len(table) == 3 * 2 * 3 * 32


@pytest.mark.parametrize(
    ("model", "premium"),
    [
        (Model(), 0.0),
        (Model(Arm(), Arm(None, 1.0), Arm(None, 1.0)), 0.0),  # silence is no use
        (Model(Arm(0.7), Arm(0.25), Arm(0.7)), 0.0),
        (Model(Arm(0.8), Arm(0.3), Arm(0.4)), 0.4),  # less the better of the two
        (Model(Arm(0.3), Arm(0.7), Arm(0.1)), -0.4),
    ],
)
def test_what_the_history_truly_earns(model, premium):
    assert model.premium(0.25, 0) == pytest.approx(premium)


def test_memory_that_earns_in_one_kind_earns_nothing_in_the_others():
    table = drawn("memory earns in one kind", 200)
    right = table.groupby(["stratum", "arm"], observed=True)["correct"].mean()
    assert right["leading", "full"] - right["leading", "none"] == pytest.approx(0.5, abs=0.03)
    assert right["talk", "full"] == pytest.approx(right["talk", "none"], abs=0.03)


def test_a_life_shares_its_toss_within_an_arm_alone():
    table = drawn("a life's items share one toss")
    own = table.groupby(["study", "model", "arm", "cluster"], observed=True)["correct"]
    assert set(own.nunique()) == {1}
    by_arm = table.pivot(index=["study", "model", "item_id"], columns="arm", values="correct")
    assert (by_arm["full"] != by_arm["none"]).any()


def test_what_nobody_asked_can_not_earn_as_much():
    """Without the arm `counterfeit` the history is like none, so that the world stays one."""
    plain = benchmarks.Design(DESIGN.strata, LIVES, DESIGN.chance, 2, ("none", "full"))
    table = drawn("another's history earns as much", 200, plain)
    right = table.groupby("arm", observed=True)["correct"].mean()
    assert right["full"] == pytest.approx(0.25, abs=0.02)


def one_study(full: str, none: str, lives: tuple[str, ...]) -> pd.DataFrame:
    """Answers by arm, a letter an item: 1 right, 0 wrong, - silent."""
    rows = [
        ("m", arm, f"i{n}", "", lives[n], "abstained" if letter == "-" else "ok", letter == "1")
        for arm, letters in (("full", full), ("none", none))
        for n, letter in enumerate(letters)
    ]
    return pd.DataFrame(rows, columns=[name for name in ANSWERS.names if name != "answer"])


def test_items_of_one_life_count_as_one():
    """Eight right of eight against none: 2/2^8 by McNemar, but of two lives 2/2^2."""
    found = premiums(one_study("1" * 8, "0" * 8, ("a",) * 4 + ("b",) * 4)).iloc[0]
    assert found["p_mcnemar"] == 2 / 2**8
    assert found["p"] == 0.5
    assert found["finding"] == "not shown"
    alone = premiums(one_study("1" * 8, "0" * 8, ("",) * 8)).iloc[0]
    assert (alone["p"], alone["finding"]) == (2 / 2**8, "earns")


def test_silence_without_the_history_is_no_memory():
    """A coin of four: 8 of 32 right with it, and nothing said without."""
    table = one_study("1000" * 8, "-" * 32, ("",) * 32)
    chance = {f"i{n}": 0.25 for n in range(32)}
    assert premiums(table).iloc[0]["finding"] == "earns"  # of open questions it would be
    found = premiums(table, chance).iloc[0]
    assert found["p_mcnemar"] == 2 / 2**8
    assert (found["p"], found["finding"]) == (1.0, "not shown")
    # and the other way: silent with the history
    turned = premiums(one_study("-" * 32, "1000" * 8, ("",) * 32), chance).iloc[0]
    assert (turned["p_costs"], turned["finding"]) == (1.0, "not shown")


def test_a_cost_is_paid_for_having_two_arms_to_find_it_in():
    full, none = "0" * 10, "1" * 10
    one = one_study(full, none, ("",) * 10)
    two = pd.concat([one, one[one["arm"] == "none"].assign(arm="counterfeit")])
    assert premiums(one).iloc[0]["p_costs"] == 2 / 2**10
    assert premiums(two).iloc[0]["p_costs"] == 2 * 2 / 2**10
    assert premiums(two).iloc[0]["finding"] == "costs"


def test_p_over_lives_is_students_t_over_their_sums():
    """Lives of two that gain 2, 1, 0, 1: mean 1/2 of 8, residuals 1, 0, -1, 0; s.e. by hand."""
    gains = np.array([1.0, 1, 1, 0, 0, 0, 1, 0])
    error = np.sqrt(4 / 3 * 2) / 8
    from scipy.stats import t

    assert lives_p(gains, list("aabbccdd")) == pytest.approx(2 * t.sf(0.5 / error, 3))
    assert lives_p(gains, ["one"] * 8) == 1.0
    assert lives_p(np.zeros(8), list("aabbccdd")) == 1.0


def test_many_studies_at_once_are_each_study_by_itself():
    table = drawn("memory earns in one kind", 4)
    chance = dict(zip(DESIGN.items, DESIGN.chance, strict=True))
    found = premiums(table, chance, by=["study"])
    for study, own in table.groupby("study"):
        mine = found[found["study"] == study].drop(columns="study").reset_index(drop=True)
        alone = premiums(own.drop(columns="study"), chance)
        pd.testing.assert_frame_equal(mine, alone, check_categorical=False, check_dtype=False)


def test_a_studys_design_is_read_from_its_items():
    items = pd.DataFrame(
        {"item_id": ["a", "b"], "stratum": ["s", None], "cluster": [None, "x"],
         "chance": [0.25, 0.0], "options": ['["p", "q", "r", "s"]', "[]"], "topic": ["", "t"],
         "sessions": [2, 0], "abstention": [False, True]}
    )  # fmt: skip
    config = {"benchmarks": {"models": ["m", "n"], "arms": ["none", "full"]}}
    design = designs(config, None, items)["benchmarks"]
    shape = Shape(n=2, options=(4, 0), clusters=0, topics=1, strata=2, sessions=0, abstentions=1.0)
    named = (("s", ""), ("", "x"), (0.25, 0.0), 2, ("none", "full"))
    assert design == benchmarks.Design(*named, shape, 0)
    more = {**config["benchmarks"], "systems": ["words"], "clean": 30}
    wider = designs({"benchmarks": more}, None, items)["benchmarks"]
    assert (wider.models, wider.clean) == (4, 30)  # who reads a system answers beside the model
    assert set(items.columns) <= set(ITEMS.names)
    assert designs(config, None) == {}  # without its items nothing can be said of it
