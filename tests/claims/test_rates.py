"""How claims are measured: toy worlds whose rates are known, and what the worlds hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from veridical.claims.catalogue import CLAIMS
from veridical.claims.claim import RATE, Claim, World
from veridical.claims.describing import DESCRIBES, OPEN
from veridical.claims.product import ROOMS, claims_table
from veridical.claims.rates import Rate, measure, worst
from veridical.claims.tables import CLAIMS as TABLE
from veridical.claims.worlds import control2, control3, vpe
from veridical.claims.worlds.answers import Manner, grid, labels, tosses
from veridical.control3.tables import ANSWERS as ANSWERS3
from veridical.documents.corrupted import COUNTED, corrupted_names, shift_of
from veridical.statistics.intervals import wilson

# ---------------------------------------------------------------- a claim

SAYS = Claim("toy.high", "toy/rows", "word", ("high", "very high"), ("high",), "all rows")


def rows_of(*words: str | None, **more) -> pd.DataFrame:
    return pd.DataFrame({"study": 0, "word": list(words)} | more)


def test_a_claim_is_said_where_its_column_holds_one_of_its_words():
    rows = rows_of("high", "low", "very high", None, "high ")
    assert SAYS.said(rows).tolist() == [True, False, True, False, False]
    assert SAYS.part == "toy"
    assert SAYS.rate == RATE == 0.05


def test_a_truth_value_is_a_word_like_another():
    flagged = Claim("toy.alarm", "toy/rows", "alarm", (True,), (), "all")
    table = pd.DataFrame({"alarm": pd.array([True, False, pd.NA], dtype="boolean")})
    assert flagged.said(table).tolist() == [True, False, False]


def test_a_claim_is_about_the_rows_that_it_names_alone():
    about = Claim("toy.a", "t", "word", ("x",), (), "f", where={"kind": "one", "place": 2})
    table = pd.DataFrame({"kind": ["one", "one", "two"], "place": [1, 2, 2], "word": "x"})
    assert about.rows(table).index.tolist() == [1]
    assert SAYS.rows(table).equals(table)


def test_what_a_world_does_not_name_is_true_of_nothing():
    world = World("w", "toy", None, {"toy.high": lambda rows: rows["word"] == "high"})
    rows = rows_of("high", "low")
    assert world.true(SAYS, rows).tolist() == [True, False]
    other = Claim("toy.other", "toy/rows", "word", ("low",), (), "all rows")
    assert world.true(other, rows).tolist() == [False, False]


# ---------------------------------------------------------------- its rates


def coin_world(chance: float, rows: int = 1) -> World:
    """Every row of every study says "high" with this chance; the first row of each is truly so."""

    def draw(design, studies, rng):
        said = np.where(rng.random((studies, rows)) < chance, "high", "low")
        return {
            "toy/rows": pd.DataFrame(
                {
                    "study": np.repeat(np.arange(studies), rows),
                    "row": np.tile(np.arange(rows), studies),
                    "word": said.ravel(),
                }
            )
        }

    return World("coins", "toy", draw, {"toy.high": lambda table: table["row"] == 0})


def rate_of(world: World, studies: int, seed: int = 1) -> Rate:
    (rate,) = measure(world, [SAYS], lambda tables, design: tables, None, studies, seed)
    return rate


def test_a_rate_counts_studies_and_a_power_counts_rows():
    # Of rows 1 and 2, either of which is said falsely with 0.2: 1 - 0.8^2 = 0.36 of the studies.
    rate = rate_of(coin_world(0.2, rows=3), 4_000)
    error = 4 * np.sqrt(0.36 * 0.64 / 4_000)
    assert rate.false == pytest.approx(0.36, abs=error)
    assert rate.power == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / 4_000))
    assert (rate.claim, rate.world, rate.studies) == ("toy.high", "coins", 4_000)


def test_where_a_claim_is_true_of_all_it_cant_be_false():
    rate = rate_of(coin_world(0.5), 50)
    assert rate.false is None
    assert rate.reach == 0.0
    assert 0.2 < rate.power < 0.8


def test_where_it_is_true_of_nothing_it_has_no_power():
    world = coin_world(0.5)
    rate = rate_of(World(world.key, world.part, world.draw), 50)
    assert rate.power is None
    assert 0.2 < rate.false < 0.8


@given(st.integers(0, 200), st.integers(1, 200))
def test_how_far_a_rate_may_reach_is_wilsons_upper_end(wrong, studies):
    wrong = min(wrong, studies)
    rate = Rate("c", "w", studies, wrong / studies, None)
    assert rate.reach == wilson(wrong, studies).high
    assert rate.reach >= rate.false


def test_a_study_with_several_false_rows_counts_once():
    table = {"toy/rows": pd.DataFrame({"study": [0, 0, 0, 1], "word": ["high"] * 3 + ["low"]})}
    world = World("w", "toy", lambda design, studies, rng: table)
    assert rate_of(world, 2).false == 0.5


def test_seeds_and_worlds_draw_apart():
    world = coin_world(0.5, rows=2)
    renamed = World("other coins", world.part, world.draw, world.truths)
    one = rate_of(world, 200)
    assert one == rate_of(world, 200)
    assert one.power != rate_of(world, 200, seed=2).power
    assert one.power != rate_of(renamed, 200).power


rates = st.lists(
    st.builds(
        Rate,
        st.sampled_from(["a", "b"]),
        st.sampled_from(["w1", "w2", "w3"]),
        st.just(50),
        st.none() | st.integers(0, 50).map(lambda n: n / 50),
        st.none() | st.floats(0, 1),
    ),
    min_size=1,
    max_size=8,
)


def test_a_part_in_no_world_of_which_a_claim_is_true_has_an_empty_power():
    (row,) = worst([Rate("a", "w1", 50, 0.02, None)]).to_dict("records")
    assert (row["false"], row["power"], row["power_world"]) == (0.02, None, None)
    (row,) = worst([Rate("a", "w1", 50, None, 0.9)]).to_dict("records")
    assert (row["false"], row["false_low"], row["false_world"], row["power"]) == (*[None] * 3, 0.9)


@settings(max_examples=60)
@given(rates)
def test_the_worst_world_is_the_worst_and_the_best_the_best(found):
    table = worst(found).set_index("claim")
    assert list(table.index) == list(dict.fromkeys(rate.claim for rate in found))
    for claim, row in table.iterrows():
        falses = [rate.false for rate in found if rate.claim == claim and rate.false is not None]
        powers = [rate.power for rate in found if rate.claim == claim and rate.power is not None]
        if falses:
            assert row["false"] == max(falses)
            ends = wilson(round(max(falses) * 50), 50)
            assert (row["false_low"], row["false_high"]) == (ends.low, ends.high)
            named = {r.world for r in found if r.claim == claim and r.false == max(falses)}
            assert row["false_world"] in named
        else:
            assert "false" not in row or pd.isna(row["false"])
        if powers:
            assert row["power"] == max(powers)
        else:
            assert "power" not in row or pd.isna(row["power"])


def test_the_table_holds_every_claim_of_its_parts_and_its_contract():
    table = claims_table({"vpe": vpe.Design(2, 6, 8)}, 6, 1)
    checked = table[TABLE.names]
    TABLE.check(checked, "the claims of a design")
    assert set(table["claim"]) == {claim.key for claim in CLAIMS if claim.part == "vpe"}
    assert (table["studies"] == 6).all()
    assert (table["part"] == "vpe").all()


# ---------------------------------------------------------------- the catalogue

LINT = "benchmarks.lint"  # whose rate is that of its own simulated benchmarks


def test_claims_say_whose_they_are_and_share_no_sentence_with_a_description():
    for claim in CLAIMS:
        assert claim.key.count(".") == 1
        assert claim.table.startswith(f"{claim.part}/")
        assert claim.part in ROOMS
        assert claim.words
        assert 0 < claim.rate <= RATE
        assert not set(claim.sentences) & set(DESCRIBES[claim.part])
        assert not set(claim.words) & set(OPEN)


def test_only_the_sources_own_rules_are_held_to_no_rate():
    registered = {claim.key for claim in CLAIMS if claim.registered}
    assert registered == {"control2.registered_not_valid", "control3.registered_survives"}
    assert not any(claim.sentences for claim in CLAIMS if claim.registered)


@pytest.mark.parametrize("part", list(ROOMS))
def test_every_claim_is_true_in_some_world_and_false_in_another(part):
    """Else nothing would tell how often it is found, or how often it is said wrongly."""
    claims = [claim for claim in CLAIMS if claim.part == part]
    for claim in claims:
        named = [world for world in ROOMS[part].WORLDS if claim.key in world.truths]
        assert named or claim.key == LINT, claim.key
    keys = [world.key for world in ROOMS[part].WORLDS]
    assert len(keys) == len(set(keys))
    assert {world.part for world in ROOMS[part].WORLDS} == {part}
    known = {claim.key for claim in claims}
    assert all(set(world.truths) <= known for world in ROOMS[part].WORLDS)


# ---------------------------------------------------------------- answers of a manner


@settings(max_examples=40)
@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(1, 7),
    st.integers(1, 30),
    st.integers(0, 10**6),
)
def test_runs_share_one_toss_and_silence_does_not(agrees, silent, run, probes, seed):
    manner = Manner(agrees, silent, run)
    right, given_ = tosses(manner, (4, probes), np.random.default_rng(seed))
    assert right.shape == given_.shape == (4, probes)
    for start in range(0, probes, run):
        block = right[:, start : start + run]
        assert (block == block[:, :1]).all()
    if agrees in (0.0, 1.0):
        assert (right == bool(agrees)).all()
    if silent == 1.0:
        assert not given_.any()
    if silent == 0.0:
        assert given_.all()


@pytest.mark.parametrize(("agrees", "silent"), [(0.5, 0.0), (0.8, 0.3), (0.1, 0.6)])
def test_answers_agree_and_are_silent_as_often_as_they_should(agrees, silent):
    right, given_ = tosses(Manner(agrees, silent), (200, 100), np.random.default_rng(3))
    for found, chance in ((right, agrees), (given_, 1 - silent)):
        low, high = binom.ppf([1e-6, 1 - 1e-6], 20_000, chance)
        assert low <= found.sum() <= high


def test_at_most_so_many_answers_are_given():
    _, given_ = tosses(Manner(answers=3), (50, 20), np.random.default_rng(1))
    assert (given_.sum(axis=1) == 3).all()
    assert (given_.sum(axis=0) > 0).all()  # not always the same probes
    _, fewer = tosses(Manner(answers=3, silent=0.5), (50, 20), np.random.default_rng(1))
    assert fewer.sum(axis=1).max() <= 3
    assert fewer.sum() < given_.sum()


def test_a_grid_has_every_combination_once_the_last_axis_fastest():
    table = pd.DataFrame(grid({"a": [1, 2], "b": ["x", "y", "z"]}))
    assert table["a"].tolist() == [1, 1, 1, 2, 2, 2]
    assert table["b"].tolist() == list("xyzxyz")


def test_a_label_that_is_none_is_missing():
    found = labels(["x", "y"], np.array([[1, -1], [0, 1]]))
    names = list(found)
    assert names[0] == "y"
    assert pd.isna(names[1])
    assert names[2:] == ["x", "y"]


# ---------------------------------------------------------------- Control 3's worlds


def drawn3(key: str, design: control3.Design, studies: int = 4) -> pd.DataFrame:
    (world,) = [each for each in control3.WORLDS if each.key == key]
    return world.draw(design, studies, np.random.default_rng(2))["control3/answers"]


@pytest.mark.parametrize("k", [2, 3])
def test_a_study_of_control3_has_the_form_of_the_parts_own_table(k):
    design = control3.Design({"A": k}, 2, 4 * k * k)
    table = drawn3("coins", design)
    for _, study in table.groupby("study"):
        plain = study.drop(columns="study").reset_index(drop=True)
        for name in ("corpus", "model", "document", "probe_id", "state", "true_partner"):
            plain[name] = plain[name].astype(str)
        columns = [name for name in ANSWERS3.names if name in plain]
        assert {"document_partner", "answer", "correct", "place"} <= set(columns)
        assert len(plain) == 2 * (k + 1) * 4 * k * k  # models, documents with none, probes
    own = table[table["document"] == "veridical"]
    assert (own["document_partner"].astype(str) == own["true_partner"].astype(str)).all()
    for name in corrupted_names(k):
        false = table[table["document"] == name]
        moved = [
            f"P{(int(str(partner)[1:]) - 1 + shift_of(name)) % k + 1}"
            for partner in false["true_partner"]
        ]
        assert false["document_partner"].astype(str).tolist() == moved
    assert table.loc[table["document"] == "none", "document_partner"].isna().all()
    # Every partner is the true one equally often, and offered first equally often.
    probes = own[own["study"] == 0].drop_duplicates("probe_id")
    assert probes["true_partner"].value_counts().nunique() == 1
    assert (
        probes.groupby("true_partner", observed=True)["first_option"].value_counts().nunique() == 1
    )


@pytest.mark.parametrize(
    ("key", "shares"),
    [
        ("readers", {"veridical": 0.9, "binding-corrupted": 0.9, "none": 0.5}),
        ("against the document", {"veridical": 0.1, "binding-corrupted": 0.1, "none": 0.5}),
        ("coins", {"veridical": 0.5, "binding-corrupted": 0.5, "none": 0.5}),
        ("guesses without a document, 75 %", {"veridical": 0.5, "none": 0.75}),
        ("reads the true document, a coin under the false", {"veridical": 1.0}),
    ],
)
def test_answers_name_the_documents_partner_as_often_as_the_world_says(key, shares):
    table = drawn3(key, control3.Design({"A": 2}, 1, 24), 200)
    for document, share in shares.items():
        own = table[table["document"] == document]
        wanted = own["true_partner"] if document == "none" else own["document_partner"]
        named = (own["answer"].astype(str) == wanted.astype(str)).sum()
        low, high = binom.ppf([1e-6, 1 - 1e-6], len(own), share)
        assert low <= named <= high, (document, named / len(own))


@pytest.mark.parametrize(("key", "what"), [("always one name", "P1"), ("always the first", None)])
def test_habits_are_kept(key, what):
    table = drawn3(key, control3.Design({"A": 2}, 1, 24))
    expected = what or table["first_option"].astype(str)
    assert (table["answer"].astype(str) == expected).all()


@pytest.mark.parametrize(
    ("model", "k", "true"),
    [
        (control3.Model(Manner(0.5), Manner(0.5), Manner(0.5)), 2, set()),
        (control3.Model(Manner(1.0), Manner(0.5), Manner(0.5)), 2, {"uses"}),
        (control3.Model(Manner(0.9), Manner(0.9), Manner(0.5)), 2, {"uses", "follows"}),
        (control3.Model(Manner(0.9, 0.5), Manner(0.9), Manner(0.5)), 2, {"uses"}),  # 45 % heard
        (control3.Model(Manner(0.1), Manner(0.1), Manner(0.5)), 2, {"against"}),
        (control3.Model(Manner(0.5), Manner(0.5), Manner(0.75)), 2, {"guesses"}),
        (control3.Model(Manner(0.5, habit="name"), Manner(0.5), Manner(0.5)), 2, {"habit"}),
        (control3.Model(*[Manner(1 / 3)] * 3), 3, set()),
        (control3.Model(*[Manner(0.5)] * 3), 3, {"uses", "guesses"}),
    ],
)
def test_what_is_true_of_a_model_by_hand(model, k, true):
    assert model.claims(k) == true


def test_the_truths_of_a_mixed_world_go_model_by_model():
    (world,) = [each for each in control3.WORLDS if each.key == "readers among coins"]
    rows = pd.DataFrame({"model": ["m1", "m2", "m3", "m4"], "k": [2] * 4})
    assert world.truths["control3.follows"](rows).tolist() == [True, False, False, True]


def test_a_life_offers_as_many_values_as_it_has():
    """Chance is 4/9 where three values hold for 4, 3 and 2 facts: it tells of two."""
    design = control3.Design({"L": COUNTED}, 2, 9, margins={"L": (4, 3, 2)})
    models = [control3.coin()(design.k("L"))] * 2
    found = control3.analyse(control3.draw(design, models, 3, np.random.default_rng(1)), design)
    assert set(found["control3/cells"]["k"]) == {3}
    assert set(found["control3/forced"]["k"]) == {3}
    assert (found["control3/cells"]["chance"] > 0.4).all()


# ---------------------------------------------------------------- Control 2's worlds


@pytest.mark.parametrize(
    ("model", "true"),
    [
        (control2.Model(), set()),
        (control2.Model(none=Manner(0.75)), {"solves", "takes veridical", "takes counterfeit"}),
        (control2.Model(Manner(0.95), Manner(0.5)), {"adds veridical"}),
        (control2.Model(Manner(0.9), Manner(0.1)), {"adds veridical", "takes counterfeit"}),
        (control2.Model(none=Manner(habit="first")), {"habit"}),
    ],
)
def test_what_is_true_of_a_recognition_by_hand(model, true):
    assert model.claims() == true


def test_samples_without_a_document_are_as_many_as_designed_and_the_first_is_the_answer():
    (world,) = [each for each in control2.WORLDS if each.key == "guessers"]
    tables = world.draw(control2.Design(2, 10, 5), 3, np.random.default_rng(1))
    samples, answers = tables["control2/samples"], tables["control2/answers"]
    assert len(samples) == 3 * 2 * 5 * 10
    assert len(answers) == 3 * 2 * 10 * 3  # three conditions
    keys = ["study", "model", "probe_id"]
    first = samples[samples["sample"] == 0].set_index(keys)["answer"].astype(str)
    none = answers[answers["condition"] == "none"].set_index(keys)["answer"].astype(str)
    assert first.sort_index().equals(none.sort_index())


@pytest.mark.parametrize(
    ("key", "condition", "share"),
    [
        ("reads the document", "veridical", 0.95),
        ("reads the document", "counterfeit", 0.5),
        ("misled by the counterfeit", "counterfeit", 0.1),
        ("solves it, 85 %", "none", 0.85),
    ],
)
def test_a_recognition_is_right_as_often_as_the_world_says(key, condition, share):
    (world,) = [each for each in control2.WORLDS if each.key == key]
    tables = world.draw(control2.Design(1, 24), 200, np.random.default_rng(4))
    own = tables["control2/answers"].query("condition == @condition")
    low, high = binom.ppf([1e-6, 1 - 1e-6], len(own), share)
    assert low <= int(own["correct"].sum()) <= high


# ---------------------------------------------------------------- the path entropy's worlds


@pytest.mark.parametrize("modes", [1, 2, 4, 16])
def test_a_models_true_entropy_by_hand(modes):
    model = vpe.Model(0.5, vpe.even(modes))
    assert model.vpe == pytest.approx(np.log(0.5) + np.log(modes))
    assert sum(model.shares) == pytest.approx(1)


@pytest.mark.parametrize(("probability", "modes", "rare"), [(0.7, 2, 100), (0.45, 1, 1_000)])
def test_a_tail_is_fitted_to_the_wanted_entropy(probability, modes, rare):
    found = vpe.tail_for(vpe.FOUR.vpe, probability, modes, rare)
    assert found.vpe == pytest.approx(vpe.FOUR.vpe, abs=1e-9)
    assert len(found.shares) == modes + rare
    assert sum(found.shares) == pytest.approx(1)
    assert found.shares[0] > found.shares[-1] > 0


def test_rollouts_are_verified_and_spread_over_modes_as_the_model_says():
    design = vpe.Design(2, 10, 40)
    models = [vpe.Model(0.9, vpe.even(4)), vpe.Model(0.3, (0.7, 0.2, 0.1))]
    table = vpe.draw(design, models, 10, np.random.default_rng(1))["vpe/rollouts"]
    assert len(table) == 10 * 2 * 10 * 40
    for name, model in zip(design.names, models, strict=True):
        own = table[table["model"] == name]
        low, high = binom.ppf([1e-6, 1 - 1e-6], len(own), model.probability)
        assert low <= own["verified"].sum() <= high
        for mode, share in enumerate(model.shares):
            low, high = binom.ppf([1e-6, 1 - 1e-6], len(own), share)
            assert low <= (own["mode"] == mode).sum() <= high
        assert own["mode"].max() < len(model.shares)


def test_who_is_ahead_is_decided_by_the_true_entropies():
    (world,) = [each for each in vpe.WORLDS if each.key == "ahead by twice the modes"]
    rows = pd.DataFrame({"leader": ["m1", "m2", "m3"], "second": ["m2", "m1", "m1"]})
    assert world.truths["vpe.apart"](rows).tolist() == [True, False, False]
