"""What the arms give and earn, by properties and by another way of computing each number."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests
from support.simulated_benchmarks import as_benchmark
from veridical.benchmarks.arms import (
    ARMS,
    DONORS,
    MEMORYLESS,
    PARTS,
    Arms,
    corrupted,
    fitting,
    life_of,
    oracle,
)
from veridical.benchmarks.asked import asked_benchmark, lint_name
from veridical.benchmarks.asking import (
    LONG,
    answered_by_letter,
    askable,
    benchmark_prompts,
    letters,
)
from veridical.benchmarks.clustered import clustered_mean
from veridical.benchmarks.items import BenchmarkError, History, Item, Session, Turn, items_table
from veridical.benchmarks.premium import arms_table, contrasts, difference_interval, premiums
from veridical.benchmarks.scoring import score
from veridical.statistics.intervals import paired_difference

# ---------------------------------------------------------------- histories by chance

turns = st.builds(
    Turn,
    st.sampled_from(["Ada", "Ben", "user"]),
    st.sampled_from(
        ["I sailed.", "It rained all day long.", "No.", "The boat is green, she said."]
    ),
)
sessions = st.builds(
    lambda said, date: Session(tuple(said), date),
    st.lists(turns, min_size=1, max_size=4),
    st.sampled_from(["", "2024-01-01", "2024-01-02", "2024-01-03"]),
)
lives = st.lists(st.lists(sessions, min_size=1, max_size=5), min_size=2, max_size=5)


def items_of(found: list[list[Session]]) -> list[Item]:
    """An item a life; turns and sessions bear the life's name."""
    items = []
    for life, of in enumerate(found):
        named = tuple(
            replace(
                each,
                id=f"l{life}s{n}",
                turns=tuple(
                    replace(turn, id=f"l{life}s{n}t{place}")
                    for place, turn in enumerate(each.turns)
                ),
            )
            for n, each in enumerate(of)
        )
        items.append(Item(str(life), "Which?", "green", history=History(f"h{life}", named)))
    return items


@settings(max_examples=60)
@given(lives)
def test_a_counterfeit_is_never_the_own_life_nor_longer_than_it(found):
    items = items_of(found)
    arms = Arms(as_benchmark(items))
    for each in items:
        made = arms.give("counterfeit", each)
        own = each.history
        assert sum(len(session.text) for session in made.sessions) <= own.characters
        ids = [turn.id for session in made.sessions for turn in session.turns]
        assert len(ids) == len(set(ids))  # nothing is given twice
        assert own.names.isdisjoint(ids)
        assert len({name.partition("s")[0] for name in ids}) <= DONORS
        # What a donor gives are turns that stand at the head of one of its sessions.
        for session in made.sessions:
            donor = items[int(session.id[1 : session.id.index("s")])].history
            (whole,) = [other for other in donor.sessions if other.id == session.id]
            assert whole.turns[: len(session.turns)] == session.turns
        assert (made.how == "nothing fits") == (not made.sessions)


@settings(max_examples=60)
@given(lives)
def test_the_nearest_life_in_length_gives_first(found):
    items = items_of(found)
    arms = Arms(as_benchmark(items))
    for each in items:
        made = arms.give("counterfeit", each)
        if not made.sessions:
            continue
        first = made.how.removeprefix("of ").split(", ")[0]
        others = [other.history for other in items if other is not each]
        distance = {h.id: abs(h.characters - each.history.characters) for h in others}
        # A nearer one is passed over only where not one of its turns fits.
        nearer = [h for h in others if (distance[h.id], h.id) < (distance[first], first)]
        for passed in nearer[:DONORS]:
            last = passed.sessions[-1]
            assert len(Session(last.turns[:1]).text) > each.history.characters


@settings(max_examples=80)
@given(lives)
def test_a_corrupted_history_says_the_same_words_and_comes_back_when_corrupted_again(found):
    for each in items_of(found):
        speakers = {turn.speaker for s in each.history.sessions for turn in s.turns}
        dates = [session.date for session in each.history.sessions]
        people = {name for name in speakers if name.casefold() not in PARTS}
        if len(people) != 2 and len(set(dates)) == 1:
            with pytest.raises(BenchmarkError, match="needs two named speakers or sessions"):
                corrupted(each)
            continue
        made = corrupted(each)
        for was, now in zip(each.history.sessions, made.sessions, strict=True):
            assert [turn.text for turn in was.turns] == [turn.text for turn in now.turns]
            assert [turn.id for turn in was.turns] == [turn.id for turn in now.turns]
        assert [s.date for s in made.sessions] == dates[1:] + dates[:1]
        assert ("speakers exchanged" in made.how) == (len(people) == 2)
        assert ("dates moved on" in made.how) == (len(set(dates)) > 1)
        again = each
        for _ in range(2 * len(dates)):  # as often as brings both dates and speakers back
            again = replace(again, history=History("h", corrupted(again).sessions))
        assert again.history.sessions == each.history.sessions


@settings(max_examples=60)
@given(lives, st.data())
def test_the_oracle_gives_what_evidence_names_and_no_more(found, data):
    (each, *_) = items_of(found)
    every = sorted(each.history.names)
    named = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=4, unique=True))
    made = oracle(replace(each, evidence=tuple(named)))
    given_ids = {turn.id for session in made.sessions for turn in session.turns}
    expected = set()
    for session in each.history.sessions:
        for turn in session.turns:
            if turn.id in named or session.id in named:
                expected.add(turn.id)
    assert given_ids == expected
    order = [session.id for session in each.history.sessions]
    assert [s.id for s in made.sessions] == [
        name for name in order if any(n == name or n.startswith(f"{name}t") for n in named)
    ]


def test_a_name_that_is_a_prefix_of_another_names_only_itself():
    said = tuple(Turn("Ada", f"text {n}", f"t{n}") for n in range(12))
    each = Item("1", "?", "x", evidence=("t1",), history=History("h", (Session(said, id="s"),)))
    assert [turn.id for turn in oracle(each).sessions[0].turns] == ["t1"]


def test_whose_life_it_is():
    alone = Item("q", "?", "x")
    assert life_of(alone) == "q"
    told = replace(alone, history=History("h", ()))
    assert life_of(told) == "h"
    assert life_of(replace(told, cluster="c")) == "c"


def test_a_history_shared_by_items_is_one_donor():
    ada = History("a", (Session((Turn("Ada", "One two three."),)),))
    ben = History("b", (Session((Turn("Ben", "One two four."),)),))
    items = [Item("1", "?", "x", history=ada, cluster="a")]
    items += [Item(f"2{n}", "?", "x", history=ben, cluster="b") for n in range(3)]
    made = Arms(as_benchmark(items)).give("counterfeit", items[0])
    assert made.how == "of b"
    assert len(made.sessions) == 1


def test_nothing_fits_where_every_other_life_speaks_at_greater_length():
    short = History("a", (Session((Turn("", "x"),)),))
    long = History("b", (Session((Turn("", "y" * 50),)),))
    items = [Item("1", "?", "x", history=short), Item("2", "?", "x", history=long)]
    made = Arms(as_benchmark(items)).give("counterfeit", items[0])
    assert (made.sessions, made.how, made.text) == ((), "nothing fits", "")


# ---------------------------------------------------------------- what is asked


def test_letters_follow_the_options():
    assert letters(Item("1", "?", "x", options=tuple("pqrst"))) == tuple("ABCDE")
    assert letters(Item("1", "?", "x")) == ()


@pytest.mark.parametrize(("length", "by_letter"), [(LONG, False), (LONG + 1, True)])
def test_from_which_length_options_go_by_letter(length, by_letter):
    assert answered_by_letter([Item("1", "?", "x", options=("x" * length, "y"))]) is by_letter
    assert not answered_by_letter([Item("1", "?", "x" * 100)])  # an open answer may be long


def test_one_long_option_makes_all_the_items_of_a_benchmark_go_by_letter():
    items = [
        Item("1", "Which?", "a", options=("a", "b"), key=0),
        Item("2", "Which?", "b", options=("x" * 80, "b"), key=1),
        Item("3", "Which?", "red"),
    ]
    asked = {
        p.facts["item_id"]: p for p in benchmark_prompts(Arms(as_benchmark(items)), "none", items)
    }
    assert asked["1"].turns[0].form.options == ("A", "B")
    assert asked["1"].facts["truth"] == "A"
    assert asked["2"].facts["truth"] == "B"
    assert not asked["3"].turns[0].form.options
    assert asked["3"].facts["truth"] == "red"


def test_prompts_of_one_history_stand_together_and_keep_the_files_order_within():
    one, two = (History(name, (Session((Turn("", "x"),)),)) for name in ("b", "a"))
    items = [Item(str(n), "?", "x", history=(one, two)[n % 2]) for n in range(6)]
    asked = benchmark_prompts(Arms(as_benchmark(items)), "full", items)
    assert [prompt.facts["item_id"] for prompt in asked] == ["1", "3", "5", "0", "2", "4"]


@pytest.mark.parametrize("scoring", ["exact", "contains", "judges"])
def test_only_open_answers_wait_for_judges(scoring):
    items = [
        Item("1", "?", "green"),
        Item("2", "?", "green", options=("green", "red"), key=0),
        Item("3", "?", "", abstention=True),
    ]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    replies = pd.DataFrame(
        [{"id": prompt.id, "state": "ok", "value": "green"} for prompt in prompts]
    )
    found = {row["item_id"]: row["correct"] for row in score(prompts, replies, "m", scoring)}
    assert found == {"1": None if scoring == "judges" else True, "2": True, "3": False}


def test_what_is_no_reply_to_a_prompt_is_left_aside():
    items = [Item("1", "?", "green")]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    replies = pd.DataFrame(
        [{"id": name, "state": "ok", "value": "green"} for name in ("none-1", "full-1")]
    )
    assert [row["item_id"] for row in score(prompts, replies, "m", "exact")] == ["1"]


@pytest.mark.parametrize("state", ["refused", "abstained", "empty", "truncated", "invalid"])
def test_an_option_that_was_not_answered_is_not_right(state):
    items = [Item("1", "?", "green", options=("green", "red"), key=0)]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    replies = pd.DataFrame([{"id": "none-1", "state": state, "value": "green"}])
    (row,) = score(prompts, replies, "m", "exact")
    assert (row["correct"], row["answer"], row["state"]) == (False, None, state)


def test_items_that_cant_be_scored_are_not_asked_and_all_others_are():
    items = [
        Item("1", "?", "x", options=("a", "b")),
        Item("2", "?", "a", options=("a", "b"), key=0),
        Item("3", "?", "x"),
    ]
    assert [each.id for each in askable(items)] == ["2", "3"]


@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_but_the_oracle_fits_every_item(arm):
    items = [
        Item("1", "?", "x"),
        Item("2", "?", "x", evidence=("t",)),
        Item("3", "?", "", abstention=True),
    ]
    names = [each.id for each in fitting(arm, items)]
    assert names == (["2", "3"] if arm == "oracle" else ["1", "2", "3"])


# ---------------------------------------------------------------- what it earns


def answers_of(seed: int, arms=("full", "none", "counterfeit"), models=("m",), n=30):
    rng = np.random.default_rng(seed)
    rows = []
    strata, clusters = rng.choice(list("st"), n), rng.choice(["", "a", "b", "c"], n)
    for model in models:
        for arm in arms:
            share = rng.uniform(0.1, 0.9)
            for place in range(n):
                right = bool(rng.random() < share)
                rows.append((model, arm, str(place), strata[place], clusters[place], "ok", right))
    columns = ["model", "arm", "item_id", "stratum", "cluster", "state", "correct"]
    return pd.DataFrame(rows, columns=columns)


def paired(table: pd.DataFrame, model: str, one: str, two: str, stratum: str):
    own = table[table["model"] == model]
    if stratum:
        own = own[own["stratum"] == stratum]
    wide = own.pivot(index="item_id", columns="arm", values="correct").astype(float)
    names = own.drop_duplicates("item_id").set_index("item_id")["cluster"]
    return wide[one].to_numpy(), wide[two].to_numpy(), names.reindex(wide.index).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_contrasts_once_more_with_scipy_and_statsmodels(seed):
    table = answers_of(seed, models=("m", "k"))
    found = contrasts(table, ["none", "counterfeit"])
    assert len(found) == 2 * 2 * 3  # models, contrasts, all items and two strata
    for row in found.itertuples():
        one, two, clusters = paired(table, row.model, "full", row.second, row.stratum)
        b, c = int(((one == 1) & (two == 0)).sum()), int(((one == 0) & (two == 1)).sum())
        assert (row.b, row.c, row.items) == (b, c, len(one))
        assert row.p == pytest.approx(binomtest(b, b + c).pvalue if b + c else 1.0)
        assert row.difference == pytest.approx((one - two).mean())
        newcombe = paired_difference(one.tolist(), two.tolist())[1]
        student = clustered_mean(one - two, clusters)
        assert row.ci95_low == pytest.approx(max(-1, min(newcombe.low, student.low)))
        assert row.ci95_high == pytest.approx(min(1, max(newcombe.high, student.high)))
    for model in ("m", "k"):
        own = found[found["model"] == model]
        overall = own[own["stratum"] == ""]
        expected = multipletests(overall["p"], method="holm")[1]
        assert overall["p_holm"].tolist() == pytest.approx(expected.tolist())
        for _, rows in own[own["stratum"] != ""].groupby("second"):
            expected = multipletests(rows["p"], method="holm")[1]
            assert rows["p_holm"].tolist() == pytest.approx(expected.tolist())
            assert (rows["m"] == 2).all()


def over_lives(differences: np.ndarray, clusters: list[str]) -> float:
    """Two-sided p of Student's t over lives, from its formula."""
    names = [name or f"alone {place}" for place, name in enumerate(clusters)]
    lives, mean = len(set(names)), differences.mean()
    if lives < 2 or mean == 0:
        return 1.0
    sums = pd.Series(differences - mean).groupby(names).sum()
    error = np.sqrt(lives / (lives - 1) * (sums**2).sum()) / len(differences)
    return float(2 * student.sf(abs(mean) / error, lives - 1)) if error > 1e-9 else 2 / 2**lives


@pytest.mark.parametrize("seed", range(4))
def test_premiums_once_more_from_their_definition(seed):
    table = answers_of(seed, models=("m", "k"))
    found = premiums(table).set_index(["model", "stratum"])
    for (model, stratum), row in found.iterrows():
        against = {arm: paired(table, model, "full", arm, stratum) for arm in MEMORYLESS}
        gaps = {arm: float((one - two).mean()) for arm, (one, two, _) in against.items()}
        best = min(gaps, key=gaps.get)
        assert row["premium"] == pytest.approx(gaps[best])
        assert gaps[row["best_arm"]] == pytest.approx(gaps[best])
        lows = [difference_interval(*pair, 0.95).low for pair in against.values()]
        highs = [difference_interval(*pair, 0.975).high for pair in against.values()]
        assert row["ci95_low"] == pytest.approx(min(lows))
        assert row["ci95_high"] == pytest.approx(max(min(highs), gaps[best]))
        exact, more, fewer = [], [], []
        for one, two, clusters in against.values():
            b, c = int(((one == 1) & (two == 0)).sum()), int(((one == 0) & (two == 1)).sum())
            exact.append(binomtest(b, b + c).pvalue if b + c else 1.0)
            p = max(exact[-1], over_lives(one - two, clusters))
            more.append(p if (one - two).mean() > 0 else 1.0)
            fewer.append(p if (one - two).mean() < 0 else 1.0)
        assert row["p_mcnemar"] == pytest.approx(max(exact) if gaps[best] > 0 else 1.0)
        assert row["p"] == pytest.approx(max(more))
        assert row["p_costs"] == pytest.approx(min(1.0, 2 * min(fewer)))
        earns, costs = row["p_holm"] <= 0.05 + 1e-12, row["p_costs_holm"] <= 0.05 + 1e-12
        assert row["finding"] == ("earns" if earns else "costs" if costs else "not shown")
    overall = found.xs("", level="stratum")
    strata = found[found.index.get_level_values("stratum") != ""]
    for family in (overall, strata):  # the two models' answers to all; their kinds of question
        assert (family["m"] == len(family)).all()
        for name in ("p", "p_costs"):
            expected = multipletests(family[name], method="holm")[1]
            assert family[f"{name}_holm"].tolist() == pytest.approx(expected.tolist())


def test_an_earned_premium_needs_all_the_arms_without_memory_below():
    rows = {"full": [1] * 12, "none": [0] * 12, "counterfeit": [1] * 12}
    table = pd.concat(
        pd.DataFrame(
            {
                "model": "m",
                "arm": arm,
                "item_id": [str(n) for n in range(12)],
                "stratum": "",
                "cluster": "",
                "state": "ok",
                "correct": [bool(flag) for flag in flags],
            }
        )
        for arm, flags in rows.items()
    )
    (row,) = premiums(table).to_dict("records")
    assert (row["best_arm"], row["premium"], row["p"]) == ("counterfeit", 0.0, 1.0)
    assert row["finding"] == "not shown"
    (alone,) = premiums(table[table["arm"] != "counterfeit"]).to_dict("records")
    assert alone["p"] == 2 / 2**12
    assert alone["finding"] == "earns"


def test_arms_count_what_gave_no_answer():
    table = answers_of(1, n=10)
    table.loc[table.index[:4], "state"] = ["refused", "truncated", "empty", "abstained"]
    earned = pd.DataFrame(arms_table(table)).set_index(["arm", "stratum"])
    assert earned.loc[("full", ""), "no_answer"] == 4
    assert earned.loc[("none", ""), "no_answer"] == 0
    for (arm, stratum), row in earned.iterrows():
        own = table[(table["arm"] == arm) & ((table["stratum"] == stratum) | (stratum == ""))]
        assert row["correct"] == own["correct"].sum()
        assert row["ci95_low"] <= row["accuracy"] <= row["ci95_high"]


def test_an_item_asked_twice_in_an_arm_is_refused():
    table = answers_of(1, n=5)
    twice = pd.concat([table, table[table["arm"] == "none"].head(1)])
    with pytest.raises(ValueError, match="have one twice"):
        contrasts(twice, ["none"])
    with pytest.raises(ValueError, match="have an item twice"):
        premiums(twice)


# ---------------------------------------------------------------- tables and names


def test_the_table_of_items_says_what_each_is():
    told = History("h", (Session((Turn("Ada", "x"),)), Session((Turn("", "yz"),))))
    items = (
        Item("1", "Q?", "a", options=("a", "b"), key=0, history=told, evidence=("e", "f")),
        Item("2", "Q?", "", abstention=True, stratum="s"),
    )
    table = items_table(items).set_index("item_id")
    one, two = table.loc["1"], table.loc["2"]
    assert one["options"] == '["a", "b"]'
    assert one["evidence"] == '["e", "f"]'
    assert (one["key"], one["chance"], one["sessions"]) == (0, 0.5, 2)
    assert one["history_characters"] == len("Ada: x") + len("yz")
    assert pd.isna(two["key"])
    assert (two["chance"], two["sessions"], two["history_id"]) == (0.0, 0, "")
    assert two["abstention"]
    assert str(table["key"].dtype) == "Int64"


@given(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=20))
def test_a_lints_name_is_fit_for_a_file(text):
    name = lint_name(text)
    assert name
    assert set(name) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def test_what_lies_near_is_listed_up_to_eight(tmp_path):
    for number in range(12):
        (tmp_path / f"b{number:02}.json").touch()
    (tmp_path / ".hidden").touch()
    with pytest.raises(ValueError, match="no file or folder") as refusal:
        asked_benchmark(str(tmp_path / "c.json"))
    assert "b00.json, b01.json" in str(refusal.value)
    assert "b07.json" in str(refusal.value)
    assert "b08.json" not in str(refusal.value)
    assert ".hidden" not in str(refusal.value)
    assert asked_benchmark(str(tmp_path / "b00.json")) == str(tmp_path / "b00.json")
    with pytest.raises(ValueError, match="is no folder"):
        asked_benchmark(str(tmp_path / "x/y/c.json"))
    for nothing in (None, ""):
        with pytest.raises(ValueError, match="snakemake lint --config benchmark="):
            asked_benchmark(nothing)


def test_counters_of_speakers_do_not_make_a_third_person_of_an_empty_name():
    said = (Turn("Ada", "a"), Turn("", "b"), Turn("Ben", "c"), Turn("system", "d"))
    made = corrupted(Item("1", "?", "x", history=History("h", (Session(said),))))
    assert [turn.speaker for turn in made.sessions[0].turns] == ["Ben", "", "Ada", "system"]
    assert Counter(turn.text for turn in made.sessions[0].turns) == Counter("abcd")
