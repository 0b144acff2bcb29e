"""A lead in path entropy: against the most that the other could have, and never from a few."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from veridical.vpe.leads import corrected, leads, upper, upper_entropy
from veridical.vpe.measures import measure_problems
from veridical.vpe.modes import ModeMap


def rollouts(**models):
    """Rollouts by model: for each problem a string, a letter a mode, `-` for not verified."""
    rows = [
        (model, 96, "own", f"q{problem}", sample, letter != "-", letter)
        for model, problems in models.items()
        for problem, letters in enumerate(problems)
        for sample, letter in enumerate(letters)
    ]
    names = ["model", "horizon", "preset", "problem_id", "sample", "verified", "mode"]
    return measure_problems(pd.DataFrame(rows, columns=names))


MANY = ["abcdabcdabcdabc-", "aabbccddabcdabcd", "abcdabcdabcda---", "abcdddccbbaaabcd"]
FEW = ["aabbaabbaabb----", "aaaabbbbaaaabb--", "abababababab----", "aabbabab--------"]


def test_the_map_says_how_many_modes_there_are():
    assert ModeMap().size == 4 * 16 * 5 * 7
    assert ModeMap(length_edges=(10,), equations_cap=1).size == 2 * 16 * 2 * 7
    assert ModeMap(operators="sequence").size is None


def test_nothing_unseen_leaves_the_entropy_as_it_is():
    assert upper_entropy(np.array([0.3, 1.1]), np.zeros(2), 2240).tolist() == [0.3, 1.1]


def test_an_upper_entropy_by_hand():
    # modes a, a, b: H = ln 3 - 2/3 ln 2; b came once, so a third is unseen, spread over 10 modes
    shares = np.array([2 / 3 * 2 / 3, 2 / 3 * 1 / 3, *[1 / 30] * 10])
    by_hand = -(shares * np.log(shares)).sum()
    plain = np.log(3) - 2 / 3 * np.log(2)
    assert upper_entropy(np.array([plain]), np.array([1 / 3]), 10) == pytest.approx(by_hand)


def test_nothing_verified_may_hide_every_mode():
    side = rollouts(m=["----"])
    # log of (0 + 1/2) / (4 + 1), and all of 2,240 modes alike
    assert upper(side, 2240) == pytest.approx(np.log(0.1) + np.log(2240))


@pytest.mark.parametrize("seed", range(3))
def test_the_upper_entropy_lies_above_the_true_one(seed):
    """Thirty problems, one common mode and a thousand rare ones: no estimator sees those."""
    rng = np.random.default_rng(seed)
    shares = np.array([0.8, *[0.2 / 1000] * 1000])
    true = -(shares * np.log(shares)).sum()
    counts = rng.multinomial(20, shares, size=30)
    seen = [row[row > 0] for row in counts]
    plain = np.array([-(c / 20 * np.log(c / 20)).sum() for c in seen])
    unseen = np.array([(c == 1).sum() / 20 for c in seen])
    assert plain.mean() < true < upper_entropy(plain, unseen, 2240).mean()


def test_a_lead_by_hand():
    problems = rollouts(many=MANY * 2, few=FEW * 2)
    row = leads(problems, 2240).iloc[0]
    sides = {name: side.set_index("problem_id") for name, side in problems.groupby("model")}
    gaps = sides["many"]["smoothed_vpe"].to_numpy() - upper(sides["few"], 2240)
    test = stats.ttest_1samp(gaps, 0, alternative="greater")
    assert (row["leader"], row["second"], row["n_problems"]) == ("many", "few", 8)
    assert row["lead"] == pytest.approx(gaps.mean())
    assert row["p_lead"] == pytest.approx(test.pvalue)
    assert (row["lead_low"], row["lead_high"]) == pytest.approx(
        stats.t.interval(0.95, 7, gaps.mean(), stats.sem(gaps))
    )
    assert row["finding"] == "apart"


def test_the_leader_is_ranked_by_the_corrected_estimate():
    # m: 12 of 16 verified in 3 modes; n: 8 verified, each in a mode of its own
    problems = rollouts(m=["abcabcabcabc----"] * 6, n=["abcdefgh--------"] * 6)
    row = leads(problems, 2240).iloc[0]
    sides = {name: side.set_index("problem_id") for name, side in problems.groupby("model")}
    plain = {name: side["smoothed_vpe"].mean() for name, side in sides.items()}
    assert corrected(sides["n"]).mean() > corrected(sides["m"]).mean()
    assert row["leader"] == "n"
    assert row["corrected"] > plain["n"]
    assert row["finding"] == "not settled"


def test_a_few_problems_settle_nothing():
    problems = rollouts(many=MANY, few=FEW)
    row = leads(problems, 2240).iloc[0]
    assert row["finding"] == "too few problems"
    assert pd.isna(row["p_lead"])
    assert np.isfinite(row["lead"])


def test_no_bound_on_the_modes_and_no_other_model():
    problems = rollouts(many=MANY * 2, few=FEW * 2)
    assert leads(problems, None)["finding"].tolist() == ["no bound"]
    alone = leads(problems[problems["model"] == "few"], 2240).iloc[0]
    assert (alone["finding"], alone["second"]) == ("alone", None)


def test_horizons_and_presets_are_one_family():
    one = rollouts(many=MANY * 2, few=FEW * 2)
    both = pd.concat([one, one.assign(horizon=24)])
    table = leads(both, 2240)
    assert (table["p_lead_holm"] == 2 * table["p_lead"]).all()
    studies = leads(pd.concat([one.assign(study=1), one.assign(study=2)]), 2240, by=["study"])
    assert (studies["p_lead_holm"] == studies["p_lead"]).all()


def test_problems_of_which_all_say_the_same_are_no_evidence():
    row = leads(rollouts(m=["aabb"] * 6, n=["aab-"] * 6), 2240).iloc[0]
    assert (row["p_lead"], row["finding"]) == (1.0, "not settled")


def test_many_studies_at_once_are_each_study_by_itself():
    """One study with two models, one with three, one with a model alone; the leader differs."""
    studies = {
        "two": rollouts(few=FEW, many=MANY),
        "three": rollouts(many=MANY, few=FEW, none=["----"] * 4),
        "one": rollouts(many=MANY),
    }
    every = pd.concat([table.assign(study=name) for name, table in studies.items()])
    found = leads(every, 2240, by=["study"]).set_index("study")
    assert found["leader"].to_dict() == dict.fromkeys(studies, "many")
    assert found["second"].to_dict() == {"one": None, "two": "few", "three": "few"}
    for name, table in studies.items():
        mine = found.loc[[name]].reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, leads(table, 2240), check_dtype=False)


def test_of_models_that_are_equal_the_first_leads():
    found = leads(rollouts(b=MANY, a=MANY), 2240)
    assert found[["leader", "second"]].to_numpy().tolist() == [["b", "a"]]
