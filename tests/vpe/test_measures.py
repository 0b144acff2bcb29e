import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.replying import write_replies
from veridical.base.tables import read_table, write_table
from veridical.models.prompts import read_prompts
from veridical.vpe import curves
from veridical.vpe import measures as vpe
from veridical.vpe.modes import ModeMap
from veridical.vpe.problems import Problem
from veridical.vpe.rollouts import (
    DRAWN,
    drawn_rollouts,
    ended,
    judge_rollouts,
    preset_name,
    read_rollouts,
    rollout_prompts,
    samplings,
)
from veridical.vpe.tables import ROLLOUTS, SUMMARY
from veridical.vpe.tokens import cut_rollouts

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "workflow/scripts/vpe"))

PROBLEMS = [
    Problem(f"p-{n}", f"What is {n} + 1?", f"#### {n + 1}", Fraction(n + 1)) for n in (1, 2)
]


def table(cells, model="m", horizon=96) -> pd.DataFrame:
    """Rollouts from problem → list of modes, None for one that is not verified."""
    rows = [
        (model, horizon, "published", problem, s, mode is not None, mode or "0||0|answer")
        for problem, modes in cells.items()
        for s, mode in enumerate(modes)
    ]
    names = ["model", "horizon", "preset", "problem_id", "sample", "verified", "mode"]
    return pd.DataFrame(rows, columns=names).astype({"verified": "boolean"})


SOME = table({"p-1": ["a", "a", "b", None], "p-2": [None, None, None, None]})


def test_a_problems_measures_by_hand():
    first, second = vpe.measure_problems(SOME, 0.5).to_dict("records")
    plain = -(2 / 3) * math.log(2 / 3) - (1 / 3) * math.log(1 / 3)
    assert (first["rollouts"], first["n_verified"], first["n_modes"]) == (4, 3, 2)
    assert first["verified_probability"] == 0.75
    assert first["mode_entropy"] == pytest.approx(plain)
    assert first["mode_entropy_miller_madow"] == pytest.approx(plain + 1 / 6)
    assert first["coverage_good_turing"] == pytest.approx(2 / 3)
    assert first["vpe"] == pytest.approx(math.log(0.75) + plain)
    assert first["smoothed_vpe"] == pytest.approx(math.log(3.5 / 5) + plain)
    # nothing verified: path entropy is minus infinity, the smoothed one log(0.5 / 5)
    assert (second["zero_verified"], second["n_modes"], second["mode_entropy"]) == (1, 0, 0)
    assert math.isnan(second["vpe"])
    assert second["smoothed_vpe"] == pytest.approx(math.log(0.1))


def test_the_summary_says_over_what_it_averages():
    row = vpe.summarise(vpe.measure_problems(SOME), 0.5, seed=1, resamples=100).iloc[0]
    assert (row.n_problems, row.rollouts, row.n_rollouts, row.n_verified) == (2, 4, 8, 3)
    assert (row.n_reached, row.verified_probability, row.zero_verified) == (1, 0.375, 0.5)
    assert row.mode_entropy == pytest.approx(row.mode_entropy_reached / 2)
    assert row.smoothing == 0.5
    # p-1 has 3 of 4: pass@2 = 1 - C(1,2)/C(4,2) = 1; p-2 none
    assert (row.pass_at_1, row.pass_at_2, row.pass_at_4) == (0.375, 0.5, 0.5)
    # both problems, either, in resamples of two: the interval spans all of it
    assert (row.verified_probability_low, row.verified_probability_high) == (0, 0.75)


def test_a_model_with_nothing_verified_has_no_path_entropy_but_a_smoothed_one(tmp_path):
    none = table({"p-1": [None] * 4, "p-2": [None] * 4})
    measured = vpe.measure_problems(none)
    row = vpe.summarise(measured, 0.5, seed=1, resamples=100).iloc[0]
    assert row[["vpe", "mode_entropy_reached", "coverage_good_turing"]].isna().all()
    assert row.smoothed_vpe == pytest.approx(math.log(0.1))
    coverage = curves.coverage_table(measured, none, seed=1, resamples=100)
    assert coverage.expected_modes.eq(0).all()
    write_table(pd.DataFrame([row]), tmp_path / "t.csv", SUMMARY)
    assert "nan" not in (tmp_path / "t.csv").read_text().lower()


def test_one_problem_has_no_interval():
    row = vpe.summarise(
        vpe.measure_problems(table({"p-1": ["a", None]})), 0.5, seed=1, resamples=10
    ).iloc[0]
    assert row.verified_probability == 0.5
    assert row[["verified_probability_low", "verified_probability_high"]].isna().all()


def test_curves_by_hand():
    measured = vpe.measure_problems(SOME)
    passed = curves.pass_at_k_table(measured, seed=1, resamples=100)
    assert passed.k.tolist() == [1, 2, 3, 4]
    assert passed.value.tolist() == pytest.approx([0.375, 0.5, 0.5, 0.5])
    # modes a (2 of 4) and b (1 of 4), halved by the problem with none:
    # b = 1: 3/4; b = 2: (1 - 1/6) + 1/2; b = 3: 1 + 3/4; b = 4: 2
    coverage = curves.coverage_table(measured, SOME, seed=1, resamples=100)
    expected = [3 / 8, (5 / 6 + 1 / 2) / 2, 7 / 8, 1]
    assert coverage.expected_modes.tolist() == pytest.approx(expected)


def test_contrasts_are_paired_by_problem():
    rollouts = pd.concat(
        [
            table({"p-1": ["a", None], "p-2": [None, None]}),
            table({"p-2": ["a", "b"], "p-1": ["a", "a"]}, horizon=160),  # other order
            table({"p-1": [None, None], "p-2": ["a", None]}, model="n"),
            table({"p-1": [None, None], "p-2": ["a", None]}, model="n", horizon=160),
        ]
    )
    contrasts = vpe.contrast_cells(vpe.measure_problems(rollouts), seed=1, resamples=100)
    found = contrasts.set_index(["contrast", "model", "horizon", "measure"])["estimate"]
    # m: (1 - 0.5 + 1 - 0) / 2 from 96 to 160 tokens
    horizons = contrasts[(contrasts.contrast == "horizons") & (contrasts.model == "m")]
    assert horizons.set_index("measure").estimate["verified_probability"] == 0.75
    assert horizons.set_index("measure").estimate["pass_at_2"] == 0.5
    assert horizons[["first", "second"]].iloc[0].tolist() == ["96", "160"]
    models = contrasts[(contrasts.contrast == "models") & (contrasts.horizon == 160)]
    assert models.set_index("measure").estimate["verified_probability"] == -0.75
    assert len(found) == 4 * 5
    same = contrasts[(contrasts.model == "n") & (contrasts.measure == "smoothed_vpe")].iloc[0]
    assert (same.estimate, same.low, same.high) == (0, 0, 0)


def test_problems_that_only_one_side_has_are_named():
    rollouts = pd.concat([table({"p-1": ["a"]}), table({"p-2": ["a"]}, horizon=160)])
    with pytest.raises(ValueError, match="only one of them has p-1, p-2"):
        vpe.contrast_cells(vpe.measure_problems(rollouts), seed=1, resamples=10)


def test_a_problem_without_any_rollout_is_named():
    rollouts = table({"p-1": ["a"], "p-2": ["a"]})
    rollouts.loc[1, "verified"] = pd.NA
    with pytest.raises(ValueError, match="p-2"):
        vpe.measure_problems(rollouts)


def test_failed_rollouts_are_left_out_and_counted():
    rollouts = table({"p-1": ["a", None, "a", "b"]})
    rollouts.loc[3, "verified"] = pd.NA
    row = vpe.measure_problems(rollouts).iloc[0]
    assert (row.rollouts, row.n_failed, row.n_verified) == (3, 1, 2)


def test_bootstrap_of_two_rows_is_the_enumeration():
    # means 0, 1/2, 1 with weights 1/4, 1/2, 1/4
    ((mean, low, high),) = vpe.bootstrap_means(np.array([[0.0], [1.0]]), 1, 10, 0.95)
    assert (mean, low, high) == (0.5, 0, 1)
    ((mean, low, high),) = vpe.bootstrap_means(np.array([[0.0], [1.0]]), 1, 10, 0.4)
    assert (mean, low, high) == (0.5, 0.5, 0.5)


def test_bootstrap_of_many_rows_comes_near_the_normal_interval():
    values = np.random.default_rng(3).normal(size=(40, 1))
    ((mean, low, high),) = vpe.bootstrap_means(values, 1, 20_000, 0.95)
    half = 1.96 * values.std() / math.sqrt(40)
    assert low == pytest.approx(mean - half, abs=0.03)
    assert high == pytest.approx(mean + half, abs=0.03)
    assert vpe.bootstrap_means(values, 1, 20_000, 0.95) == [(mean, low, high)]


# rollouts


def prompts(rollouts=2, horizon=96, sampling=None):
    sampling = {"temperature": 0.8, "top_p": 0.95} if sampling is None else sampling
    return rollout_prompts(
        PROBLEMS, horizon, rollouts, sampling, preset="published", seed=1, facts={"sha256": "f"}
    )


def drawn(texts, model="m", horizon=96) -> pd.DataFrame:
    rows = [
        (model, horizon, "published", problem, sample, state, text, None, ended(state, []))
        for problem, said in texts.items()
        for sample, (state, text) in enumerate(said)
    ]
    return pd.DataFrame(rows, columns=list(DRAWN))


def test_prompts_send_every_sampling_parameter_and_a_seed_of_their_own():
    short, long = prompts(), prompts(horizon=160)
    assert short[0].parameters["max_tokens"] == 96
    assert {"temperature", "top_p", "seed", "stop"} <= set(short[0].parameters)
    seeds = {prompt.parameters["seed"] for prompt in (*short, *long)}
    assert len(seeds) == 4  # horizons are separate samples
    assert prompts(sampling={"seed": None})[0].parameters["seed"] is None
    assert short[0].facts["gold"] == "2"
    assert short[0].samples == 2


def test_both_presets_ship():
    assert preset_name({"temperature": 0.8, "top_p": 0.95, "top_k": 0}) == "published"
    assert preset_name({"temperature": 0.8}) == "own"
    both = samplings({"temperature": 0.8, "top_p": 0.95, "top_k": 0}, ["digest"])
    assert both["digest"] == {"temperature": 0.7, "top_p": 0.9, "top_k": 0}
    for also in (["published"], ["other"]):
        with pytest.raises(ValueError, match=r"vpe\.also"):
            samplings({"temperature": 0.8, "top_p": 0.95}, also)


def test_rollouts_are_read_by_state():
    read = list(
        judge_rollouts(
            [
                ("ok", "1 + 1 = 2\n#### 2"),
                ("truncated", "1 + 1 = 2"),
                ("truncated", "#### 2\n#### 2\n#### 2"),
                ("empty", ""),
                ("refused", "I can't. #### 2"),
                ("failed", ""),
            ],
            Fraction(2),
            ModeMap(),
        )
    )
    assert [row[5] for row in read] == [True, False, True, False, False, None]
    assert [row[4] for row in read] == ["hash", "cut", "hash", "empty", "empty", "none"]
    assert read[0][-1] == "0|+|1|equations"


@pytest.mark.parametrize(
    ("stopped_by", "end", "own"),
    [
        ([], "itself", True),
        (["\n\n"], "stop", False),  # step 2 may have come behind the blank line
        (["\nProblem:"], "itself", True),  # a new question ends what came before it
        (["\n\n", "\nProblem:"], "stop", False),  # one of them: not known which
        (None, "unknown", False),
    ],
)
def test_a_stop_text_is_no_end_of_the_rollouts_own(stopped_by, end, own):
    assert [ended("ok", stopped_by), ended("truncated", stopped_by)] == [end, "cut"]
    said = drawn({"p-1": [("ok", "Step 1: 1 + 1 = 2"), ("ok", "1 + 1 = 2\n#### 2")]})
    said["ended"] = end
    cut = cut_rollouts(said.assign(token_bytes=[[17], [16]]), 96)
    assert cut.ended.tolist() == [end, end]
    for table in (said, cut):
        read = read_rollouts(prompts()[:1], table, ModeMap(), "en")
        assert read.verified.tolist() == [own, True]
        assert read.complete.tolist() == [own, own]
    free = prompts(sampling={"stop": None})[:1]  # where none was sent, none can have ended it
    read = read_rollouts(free, said, ModeMap(), "en")
    assert read.verified.tolist() == [own or end == "unknown", True]


def test_missing_and_surplus_rollouts_are_named():
    said = {"p-1": [("ok", "#### 2")] * 2, "p-2": [("ok", "#### 3")]}
    with pytest.raises(ValueError, match=r"p-2: 1 rollouts, expected 2; missing: \[1\]"):
        read_rollouts(prompts(), drawn(said), ModeMap(), "en")
    with pytest.raises(ValueError, match="m, 96, published, p-2: 0 rollouts"):
        read_rollouts(prompts(), drawn({"p-1": said["p-1"]}), ModeMap(), "en")
    with pytest.raises(ValueError, match="3 rollouts, expected 2"):
        read_rollouts(prompts(), drawn({"p-1": said["p-1"] + said["p-2"]}), ModeMap(), "en")
    with pytest.raises(ValueError, match="m 160 published p-1: rollouts that no prompt asks for"):
        read_rollouts(prompts(), drawn(said, horizon=160), ModeMap(), "en")


def test_horizons_are_told_apart_by_their_facts_and_every_model_must_answer_all():
    said = {"p-1": [("ok", "#### 2")] * 2, "p-2": [("ok", "#### 3")] * 2}
    cut = {name: [("truncated", "")] * 2 for name in said}
    asked = [*prompts(), *prompts(horizon=160)]
    both = pd.concat([drawn(said, horizon=160), drawn(cut)])
    table = read_rollouts(asked, both, ModeMap(), "en")
    assert table.groupby("horizon")["verified"].sum().to_dict() == {96: 0, 160: 4}
    with pytest.raises(ValueError, match="n, 96, published, p-1: 0 rollouts"):
        read_rollouts(asked, pd.concat([both, drawn(said, "n", 160)]), ModeMap(), "en")


# a shorter horizon as the beginning of a longer one's


def told(texts, lengths) -> pd.DataFrame:
    """Replies whose server told the lengths of their tokens, in bytes."""
    return drawn(texts).assign(token_bytes=lengths)


def test_a_rollout_is_cut_at_its_tokens():
    said = told(
        {"p-1": [("ok", "#### 2"), ("ok", "1 + 1 = 2\n#### 2"), ("truncated", "1" * 20)]},
        [[1] * 6, [1] * 16, [2] * 10],
    )
    cut = cut_rollouts(said, 9)
    assert cut.state.tolist() == ["ok", "truncated", "truncated"]
    assert cut.text.tolist() == ["#### 2", "1 + 1 = 2", "1" * 18]
    assert cut.completion_tokens.tolist() == [6, 9, 9]


def test_a_character_that_the_cut_splits_is_left_out():
    cut = cut_rollouts(told({"p-1": [("ok", "ab½")]}, [[1, 1, 1, 1]]), 3)
    assert cut.text.tolist() == ["ab"]


def test_a_rollout_that_never_came_needs_no_tokens():
    said = told({"p-1": [("failed", None), ("empty", "")]}, [None, None])
    assert cut_rollouts(said, 9).state.tolist() == ["failed", "empty"]


def test_a_rollout_whose_tokens_are_not_known_is_named():
    said = told({"p-1": [("ok", "#### 2"), ("ok", "#### 3")]}, [[4, 2], None])
    with pytest.raises(ValueError, match=r"m, rollout 1 of p-1: .* set vpe.nested to false"):
        cut_rollouts(said, 9)


def test_a_cut_rollout_is_what_the_shorter_horizon_would_have_drawn(
    small_model, tmp_path, monkeypatch
):
    from veridical.ledger.collecting import collect
    from veridical.ledger.replies import read_replies
    from veridical.models.exchange import Model

    monkeypatch.chdir(ROOT)
    model = Model("s", "embedded", small_model, context=1024, options={"slots": 4})
    found = {}
    for horizon in (8, 24):
        sampling = {"temperature": 0.8, "top_p": 0.95, "seed": 5, "logprobs": True, "stop": []}
        asked = prompts(horizon=horizon, sampling=sampling, rollouts=4)[:1]
        out = tmp_path / f"{horizon}.jsonl"
        collect(asked, model, tmp_path / "ledger.sqlite", out=out)
        found[horizon] = drawn_rollouts(read_replies(out))
    assert found[24].token_bytes.map(len).max() == 24
    cut = cut_rollouts(found[24], 8)
    assert cut.text.tolist() == found[8].text.tolist()
    assert cut[list(DRAWN[:5])].equals(found[8][list(DRAWN[:5])])
    assert len(set(cut.text)) > 1


# the scripts, from the problems to the figures


def test_the_scripts_measure_and_draw(tmp_path, monkeypatch):
    import draw_curve
    import draw_plane
    import measure_paths
    import score_rollouts
    import write_rollout_prompts

    asked, answered = [], []
    for horizon in (96, 160):
        asked.append(tmp_path / f"published-{horizon}.jsonl")
        write_rollout_prompts.main(
            ROOT / "data/problems/arithmetic.jsonl", asked[-1], n_problems=3, rollouts=4,
            horizon=horizon, preset="published", sampling={"temperature": 0.8, "top_p": 0.95},
            also=[], seed=1,
        )  # fmt: skip
        assert len(read_prompts(asked[-1])[0].facts["sha256"]) == 64
        for model, right in (("one", 4), ("two", 1), ("none", 0)):

            def say(prompt, sample, turn, facts, right=right):
                return f"5 - {sample} = 4\n#### {facts['gold'] if sample < right else -1}"

            file = tmp_path / f"{len(answered)}.jsonl"
            answered.append(write_replies(asked[-1], file, say, model))
    names = (
        "rollouts",
        "problems",
        "summary",
        "pass_at_k",
        "coverage",
        "entropy",
        "contrasts",
        "leads",
    )
    paths = {name: tmp_path / f"{name}.csv" for name in names}
    score_rollouts.main(asked, answered, paths["rollouts"], modes={}, language="en")
    measure_paths.main(*paths.values(), modes={}, smoothing=0.5, seed=1, resamples=100)
    summary = read_table(paths["summary"], SUMMARY).set_index(["model", "horizon"])
    assert summary.verified_probability.loc["two"].tolist() == [0.25, 0.25]
    assert summary.zero_verified.loc["none"].tolist() == [1, 1]
    assert read_table(paths["rollouts"], ROLLOUTS).text.str.contains("####").all()
    figures = [tmp_path / "f.svg", tmp_path / "f.pdf"]
    for draw in (
        lambda: draw_plane.main(paths["summary"], *figures),
        lambda: draw_curve.main(paths["coverage"], paths["summary"], *figures, of="coverage"),
        lambda: draw_curve.main(paths["entropy"], paths["summary"], *figures, of="entropy"),
        lambda: draw_curve.main(paths["pass_at_k"], paths["summary"], *figures, of="pass_at_k"),
    ):
        draw()
        before = [figure.read_bytes() for figure in figures]
        draw()
        assert before == [figure.read_bytes() for figure in figures]
