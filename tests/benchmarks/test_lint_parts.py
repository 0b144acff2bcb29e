"""The lint's parts: texts, dates, clusters, draws, the classifier, each way of answering."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge
from veridical.benchmarks import cues, learned_cues
from veridical.benchmarks.clustered import clustered_mean, effective_number, own_clusters
from veridical.benchmarks.constants import Constant, constants, winning
from veridical.benchmarks.dates import impossible_dates
from veridical.benchmarks.facts import (
    cluster_sizes,
    duplicates,
    history_dates,
    inconsistencies,
    joined_clusters,
    near_duplicates,
)
from veridical.benchmarks.items import History, Item, Session, Turn
from veridical.benchmarks.partial import (
    FOLDS,
    Cells,
    derived_topics,
    folds,
    held_out_scores,
    pick,
    word_features,
)
from veridical.benchmarks.shuffling import Draws, adjusted
from veridical.benchmarks.wording import holds, plain, telling, words


def item(place: int, question: str = "What?", answer: str = "x", **more) -> Item:
    if "options" in more and "key" in more:
        answer = more["options"][more["key"]]
    return Item(str(place), question, answer, **more)


def history(*texts: str, name: str = "h") -> History:
    sessions = tuple(
        Session((Turn("", text, f"t{n}"),), id=f"s{n}") for n, text in enumerate(texts)
    )
    return History(name, sessions)


# ---------------------------------------------------------------- texts and dates


def test_words_fold_case_and_marks():
    assert words("Ada’s «Boat», 7.5 km — GREEN!") == ("ada's", "boat", "7.5", "km", "green")
    assert plain("A-b") == " a b "


@pytest.mark.parametrize(
    ("text", "answer", "inside"),
    [
        ("She has a green boat.", "Green boat", True),
        ("She has a greenish boat.", "green", False),  # whole words only
        ("green is the boat", "boat green", False),  # in order
        ("Yes, she said.", "yes", False),  # says nothing
        ("It is in the house", "the", False),
        ("", "green", False),
    ],
)
def test_holds(text, answer, inside):
    assert holds(text, answer) is inside


def test_telling():
    assert telling("no boat")
    assert not telling("Yes, both.")
    assert not telling("…")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1:56 pm on 8 May, 2023", []),
        ("2023/05/30 (Tue) 23:40", []),
        ("2023/05/30 (Mon) 23:40", ["2023/05/30 (Mon)"]),  # it was a Tuesday
        ("on 31 November", ["31 November"]),
        ("February 29", []),  # some year has it
        ("February 29, 2023", ["February 29, 2023"]),
        ("February 29, 2024", []),
        ("the 30th of February 2024 and 2024-13-01", ["2024-13-01", "30th of February 2024"]),
        ("Dec 15, 2025, 06:11:23", []),
        ("'2024-10-01 08:13' Tuesday", []),
        ("March 15 2024", []),
        ("may 45 people come", ["may 45"]),  # a limit: read as a date
        ("version 1.2.31, 12/31/2024, page 2024", []),
    ],
)
def test_impossible_dates(text, found):
    assert sorted(impossible_dates(text)) == sorted(found)


# ---------------------------------------------------------------- clusters


def test_clustered_mean_by_hand():
    # Means: 3/4. Residuals summed by cluster: a: (1/4 + 1/4) = 1/2, b: (1/4 - 3/4) = -1/2.
    # Error: sqrt(2/1 * (1/4 + 1/4)) / 4 = 1/4; t(0.975, 1) = 12.7062.
    found = clustered_mean([1, 1, 1, 0], ["a", "a", "b", "b"])
    assert found.mean == 0.75
    assert found.high - found.mean == pytest.approx(12.7062047 / 4)
    assert found.mean - found.low == pytest.approx(12.7062047 / 4)


def test_items_alone_give_students_interval():
    values = [0.0, 1.0, 1.0, 1.0, 0.0, 1.0]
    found = clustered_mean(values, [""] * 6)
    error = np.std(values, ddof=1) / math.sqrt(6)
    assert found.high - found.mean == pytest.approx(2.5705818 * error)


def test_one_cluster_has_no_interval():
    assert math.isnan(clustered_mean([1, 0], ["a", "a"]).low)
    with pytest.raises(ValueError, match="0 values"):
        clustered_mean([], [])
    with pytest.raises(ValueError, match="2 values for 1 clusters"):
        clustered_mean([1, 0], ["a"])


def test_effective_number():
    assert effective_number([1] * 30, 0.5) == 30
    assert effective_number([10] * 3, 1.0) == pytest.approx(3)
    assert effective_number([10] * 3, 0.0) == 30
    assert effective_number([4, 2], 0.5) == pytest.approx(6 / (1 + (20 / 6 - 1) / 2))


def test_an_item_without_cluster_is_its_own():
    assert own_clusters(["a", "", "a", ""]) == ["c:a", "i:1", "c:a", "i:3"]
    items = [item(0, cluster="a"), item(1), item(2, cluster="a"), item(3)]
    assert cluster_sizes(items).tolist() == [2, 1, 1]


def test_lives_with_the_same_question_and_answer_are_held_out_together():
    items = [
        item(0, "Where?", "Pellam", cluster="a"),
        item(1, "Where?", "Pellam", cluster="b"),
        item(2, "Where?", "Verrin", cluster="c"),
        item(3, "Who?", "Ben", cluster="b"),
        item(4, "Who?", "Tom"),
    ]
    a, b, c, b2, alone = joined_clusters(items)
    assert a == b == b2
    assert len({a, c, alone}) == 3


# ---------------------------------------------------------------- draws


def test_draw_zero_is_the_benchmark_and_the_others_are_uniform():
    items = [item(n, options=("p", "q", "r"), key=2) for n in range(400)]
    keys = Draws(items, 50, 1).keys
    assert (keys[0] == 2).all()
    counts = np.bincount(keys[1:].ravel(), minlength=3)
    assert counts == pytest.approx(20_000 / 3, rel=0.04)
    assert (keys[1] != keys[2]).any()
    assert (Draws(items, 50, 1).keys == keys).all()
    assert (Draws(items, 50, 2).keys != keys).any()


def test_answers_stay_in_their_stratum():
    items = [item(n, stratum="s" if n < 6 else "t") for n in range(10)]
    answers = Draws(items, 30, 0).answers
    assert answers[0].tolist() == list(range(10))
    assert (np.sort(answers[:, :6], axis=1) == np.arange(6)).all()
    assert (np.sort(answers[:, 6:], axis=1) == np.arange(6, 10)).all()
    assert (answers[1:] != answers[0]).any()


def test_abstentions_are_moved_not_made():
    items = [item(n, answer="", abstention=n < 3) for n in range(12)]
    drawn = Draws(items, 40, 0).abstentions
    assert (drawn.sum(axis=1) == 3).all()
    assert drawn[0].tolist() == [True] * 3 + [False] * 9
    assert drawn[1:, 3:].any()


def test_the_last_session_is_the_last_and_then_any():
    items = [item(0, history=history("a", "b", "c")), item(1, history=history("a", name="one"))]
    last = Draws(items, 300, 0).last
    assert last["h"][0] == 2
    assert set(last["h"][1:].tolist()) == {0, 1, 2}
    assert set(last["one"].tolist()) == {0}


def test_one_check_alone_has_its_rank():
    values = np.arange(20, dtype=float)
    assert adjusted({"a": np.roll(values, 1)})["a"] == pytest.approx(1 / 20)  # the largest
    assert adjusted({"a": values[::-1]})["a"] == pytest.approx(1 / 20)
    assert adjusted({"a": values})["a"] == pytest.approx(1.0)  # the smallest


def test_more_checks_cost_and_the_second_is_judged_among_what_is_left():
    generator = np.random.default_rng(0)
    noise = {f"n{k}": generator.normal(size=200) for k in range(8)}
    strong = generator.normal(size=200)
    strong[0] = 9.0
    middle = generator.normal(size=200)
    middle[0] = np.sort(middle[1:])[-3]  # third highest: p = 4/200 alone
    alone = adjusted({"middle": middle})["middle"]
    assert alone == pytest.approx(4 / 200)
    among = adjusted({"strong": strong, "middle": middle, **noise})
    assert among["strong"] == pytest.approx(1 / 200)
    assert among["middle"] > alone
    assert among["middle"] >= among["strong"]
    assert adjusted({"flat": np.ones(50), "middle": middle[:50]})["flat"] == 1.0


def test_together_they_raise_a_false_alarm_no_more_often_than_promised():
    generator = np.random.default_rng(7)
    alarms = 0
    for _ in range(400):
        common = generator.normal(size=(200, 1))
        drawn = generator.normal(size=(200, 6)) + common
        p = adjusted({str(k): drawn[:, k] for k in range(6)})
        alarms += min(p.values()) <= 0.05
    # Binomial(400, 0.05): more than 32 in one of 500 such tests.
    assert alarms <= 32


# ---------------------------------------------------------------- the classifier


@given(
    st.lists(st.sampled_from("abcdefghijkl"), min_size=4, max_size=60),
    st.integers(0, 5),
)
def test_folds_keep_groups_together(groups, seed):
    fold = folds(groups, seed)
    assert all(len({f for g, f in zip(groups, fold, strict=True) if g == n}) == 1 for n in groups)
    assert set(fold) <= set(range(FOLDS))


def test_folds_are_as_even_as_groups_allow():
    assert np.bincount(folds([str(n) for n in range(10)], 0)).tolist() in (
        [3, 3, 2, 2],
        [2, 3, 3, 2],
        [3, 2, 3, 2],
        [2, 2, 3, 3],
        [2, 3, 2, 3],
        [3, 2, 2, 3],
    )
    assert sorted(np.bincount(folds(["a"] * 9 + ["b", "c", "d"], 0)).tolist()) == [1, 1, 1, 9]


def test_scores_are_those_of_scikit_learns_ridge_on_what_is_not_held_out():
    generator = np.random.default_rng(3)
    features = generator.normal(size=(60, 7)).astype(np.float32)
    targets = generator.normal(size=(60, 3)).astype(np.float32)
    cells = Cells(generator.integers(4, size=60), generator.integers(3, size=60))
    clusters, both = held_out_scores(features, targets, cells)
    for row in range(60):
        other = cells.clusters != cells.clusters[row]
        neither = other & (cells.topics != cells.topics[row])
        for found, train in ((clusters, other), (both, neither)):
            model = Ridge(alpha=1.0, fit_intercept=False).fit(features[train], targets[train])
            expected = model.predict(features[row : row + 1])[0]
            assert found[row] == pytest.approx(expected, abs=1e-4)


def test_with_nothing_to_learn_from_every_score_is_zero():
    features = np.ones((6, 2), dtype=np.float32)
    cells = Cells(np.zeros(6, int), np.zeros(6, int))
    for scores in held_out_scores(features, np.ones((6, 1)), cells):
        assert (scores == 0).all()


def test_pick_shares_ties():
    scores = np.array([[3.0, 0.0], [1.0, 0.0], [2.0, 5.0], [2.0, 5.0], [0.0, 1.0]])
    sizes = np.array([2, 3])
    keys = np.array([[0, 1], [1, 2]])
    found = pick(scores, sizes, keys)
    # Draw 0: the first item's best is option 0, its key; the second's are options 0 and 1, key 1.
    assert found[0].tolist() == [1.0, 0.5]
    # Draw 1: the first item's scores are tied; the second's best two tie and its key is neither.
    assert found[1].tolist() == [0.5, 0.0]


def test_words_that_only_one_text_has_are_no_features():
    assert word_features(["alone", "other"]).shape == (2, 0)
    features = word_features(["green boat", "green house", "red"])
    assert features.shape == (3, 1)
    assert features.ravel().tolist() == [1.0, 1.0, 0.0]


def test_topics_are_found_where_questions_differ():
    questions = ["boat sail harbour wind"] * 20 + ["bread oven flour yeast"] * 20
    found = derived_topics(questions, 0)
    assert set(found[:20]).isdisjoint(found[20:])
    assert derived_topics(["a", "b"], 0) == ["0", "0"]


# ---------------------------------------------------------------- ways of answering


def only(found, name):
    (cue,) = [each for each in found if each.name == name]
    return cue


def test_position():
    keys = [0] * 12 + [1] * 6 + [2] * 6
    strata = ["s"] * 12 + ["t"] * 12
    items = [
        item(n, options=("p", "q", "r"), key=key, stratum=stratum)
        for n, (key, stratum) in enumerate(zip(keys, strata, strict=True))
    ]
    found = list(cues.position(Draws(items, 99, 0)))
    whole = only(found, "position")
    assert whole.estimate[0] == 0.5
    assert whole.which == {"way": "A"}
    within = only(found, "position_in_stratum")
    assert within.estimate[0] == 1.0
    assert within.which == {"way": "A", "stratum": "s"}
    assert within.places.tolist() == list(range(12))


def test_length_shares_the_point_among_options_of_one_length():
    items = [
        item(0, options=("aaa", "bbb", "c"), key=1),  # longest tied: half
        item(1, options=("a", "bbbb", "cc"), key=1),
        item(2, options=("a", "bbbb", "cc"), key=1),
    ]
    cue = only(cues.length(Draws(items, 99, 0)), "length")
    assert cue.which == {"way": "longest"}
    assert cue.earned.tolist() == [0.5, 1.0, 1.0]


def test_a_recurring_option():
    items = [item(n, options=(f"a{n}", "None of these"), key=1) for n in range(10)]
    items += [item(n, options=(f"a{n}", f"b{n}"), key=0) for n in range(10, 20)]
    cue = only(cues.recurring_option(Draws(items, 99, 0)), "recurring_option")
    assert cue.which == {"way": "none of these"}
    assert cue.estimate[0] == pytest.approx((10 * 1 + 10 * 0.5) / 20)
    assert list(cues.recurring_option(Draws(items[1:], 9, 0))) == []  # offered nine times only


def test_what_the_question_says():
    items = [
        item(0, "Is her boat green or red?", options=("green", "blue"), key=0),
        item(1, "Is her boat green or red?", options=("green", "blue"), key=1),
        item(2, "Which colour?", options=("green", "blue"), key=1),
        item(3, "Did Ben sail?", "Ben"),
        item(4, "Who sailed?", "Tom"),
    ]
    found = list(cues.in_question(Draws(items, 9, 0)))
    assert only(found, "option_in_question").earned.tolist() == [1.0, 0.0, 0.5]
    assert only(found, "answer_in_question").earned.tolist() == [1.0, 0.0]


def test_the_last_session_says_it():
    told = history("The boat is green.", "It rained.", "The boat is green.")
    items = [
        item(0, answer="green", history=told),
        item(1, answer="rained", history=told),
        item(2, answer="blue", history=told),  # said nowhere: not counted
        item(3, answer="green", history=history("green", name="one")),  # one session only
        item(4, answer="yes", history=told),
    ]
    cue = only(cues.last_session(Draws(items, 2000, 0)), "last_session")
    assert cue.places.tolist() == [0, 1]
    assert cue.earned.tolist() == [1.0, 0.0]
    # Two of three sessions hold the first answer, one the second: 1/2 on the mean over draws.
    assert cue.estimate[1:].mean() == pytest.approx(0.5, abs=0.03)


def test_words_of_the_options_are_learnt_from_other_lives_only():
    items = [
        item(
            n,
            question=f"w{n % 7}",
            options=(f"good word{n % 5}", f"bad word{n % 3}"),
            key=0,
            cluster=f"l{n % 8}",
        )
        for n in range(48)
    ]
    cells = Cells(folds([i.cluster for i in items], 0), folds([f"t{n % 6}" for n in range(48)], 1))
    found = {cue.name: cue for cue in learned_cues.option_words(Draws(items, 19, 0), cells)}
    assert set(found) == {
        f"{name}_{held}_held_out" for name in ("options", "both") for held in ("clusters", "topics")
    }
    assert all(cue.estimate[0] == 1.0 for cue in found.values())
    alone = Cells(np.zeros(48, int), np.zeros(48, int))  # one life: nothing to learn from
    for cue in learned_cues.option_words(Draws(items, 19, 0), alone):
        assert cue.estimate.tolist() == [0.5] * 20


def test_words_of_the_question_tell_a_place_and_an_answer():
    ones = [
        item(n, "alpha beta" if n % 2 else "gamma delta", options=(f"a{n}", f"b{n}"), key=n % 2)
        for n in range(60)
    ]
    cells = Cells(folds([str(n) for n in range(60)], 0), folds([str(n // 2) for n in range(60)], 1))
    found = {cue.name: cue for cue in learned_cues.question_words(Draws(ones, 19, 0), cells)}
    assert found["question_topics_held_out"].estimate[0] == 1.0
    assert found["question_topics_held_out"].estimate[1:].mean() < 0.7
    open_items = [
        item(n, "alpha" if n % 2 else "gamma", "tea" if n % 2 else "milk") for n in range(60)
    ]
    found = {cue.name: cue for cue in learned_cues.question_words(Draws(open_items, 19, 0), cells)}
    assert found["answer_clusters_held_out"].estimate[0] == 1.0


def test_words_of_the_question_tell_that_it_cant_be_answered():
    items = [item(n, "ever" if n < 15 else "which", abstention=n < 15) for n in range(60)]
    cells = Cells(folds([str(n) for n in range(60)], 0), folds([str(n) for n in range(60)], 1))
    items = [replace(each, question=f"{each.question} w{n % 4}") for n, each in enumerate(items)]
    found = {cue.name: cue for cue in learned_cues.abstention_words(Draws(items, 19, 0), cells)}
    cue = found["abstention_topics_held_out"]
    assert cue.estimate[0] == 1.0
    assert cue.statistic[0] == 1.0
    assert cue.places.tolist() == sorted(cue.places) or set(cue.places) == set(range(15))
    assert cue.estimate[1:].mean() == pytest.approx(15 / 60, abs=0.1)


def test_order_is_the_share_of_pairs_in_order():
    scores = np.array([[3.0, 1.0, 2.0, 2.0]])
    labels = np.array([[True, False, True, False]])
    # Pairs: 3>1, 3>2, 2>1, 2=2 (half) of 4.
    assert learned_cues._order(scores, labels).tolist() == [3.5 / 4]


# ---------------------------------------------------------------- facts


def test_duplicates():
    items = [
        item(0, "Where is it?", "Pellam", cluster="a"),
        item(1, "where is it", "PELLAM", cluster="a"),
        item(2, "Where is it?", "Pellam", cluster="b"),  # an open question about another life
        item(3, "Which?", options=("p", "q"), key=0, cluster="a"),
        item(4, "Which?", options=("q", "p"), key=1, cluster="b"),  # its options in another order
        item(5, "Which?", options=("p", "r"), key=0, cluster="a"),
    ]
    assert [(f.item, f.other) for f in duplicates(items)] == [(1, 0), (4, 3)]
    assert duplicates(items)[0].note == "repeats item 0"


def test_near_duplicates():
    asked = "In which town did Ada and her brother sell the old green boat"
    items = [
        item(0, f"{asked}?", "Pellam", cluster="a"),
        item(1, f"{asked} then?", "Pellam", cluster="a"),
        item(2, f"{asked} in 2021?", "Pellam", cluster="a"),
        item(3, f"{asked} in 2022?", "Pellam", cluster="a"),  # another year
        item(4, f"{asked} then?", "Verrin", cluster="a"),  # another answer
        item(5, f"{asked} then?", "Pellam", cluster="b"),  # another life
        item(6, "Where was it?", "Pellam", cluster="a"),
        item(7, f"{asked}?", "Pellam", cluster="a"),  # an exact one, named elsewhere
    ]
    assert [(f.item, f.other) for f in near_duplicates(items)] == [(1, 0)]


def test_inconsistencies():
    told = history("a", "b")
    items = [
        item(0, faults=("the key is none of the options",)),
        item(1, date="2023-02-30"),
        item(2, "What on 31 June?", history=told, evidence=("t0", "t7")),
        item(3, "Where?", "Pellam", cluster="a"),
        item(4, "Where?", "Verrin", cluster="a"),
        item(5, "Where?", "Verrin", cluster="b"),
        item(6, "Where?", "Verrin", cluster="a", date="2024-01-01"),
        item(7, evidence=("t9",)),  # no history to look it up in
        item(8, "Why?", "30 February", abstention=True),  # the answer to a trap
    ]
    assert [(flag.item, flag.note) for flag in inconsistencies(items)] == [
        (0, "the key is none of the options"),
        (1, "date has a date that doesn't exist: 2023-02-30"),
        (2, "evidence 't7' is nowhere in the history"),
        (2, "question has a date that doesn't exist: 31 June"),
        (4, "asks what item 3 asks, answers otherwise"),
    ]


def test_a_sessions_date_is_looked_at_once():
    bad = History("h", (Session((), "2023/02/29 (Wed)", "s1"), Session((), "2024/02/29 (Thu)")))
    flags = history_dates([item(0), item(1, history=bad), item(2, history=bad)])
    assert [(flag.item, flag.note) for flag in flags] == [
        (1, "session s1 is dated on a day that doesn't exist: 2023/02/29 (Wed)")
    ]


# ---------------------------------------------------------------- constant answers


def test_the_best_constant_of_each_kind():
    items = [item(n, options=("p", "q", "none"), key=2 if n < 3 else 0) for n in range(4)]
    items.append(item(9, answer="", abstention=True))
    assert constants(items[:4]) == [Constant("place", "C", 3), Constant("option", "none", 3)]
    assert constants(items[:4], ordered=False) == [Constant("option", "none", 3)]
    open_items = [
        item(0, answer="Yes"),
        item(1, answer="yes."),
        item(2, answer="", abstention=True),
    ]
    assert constants(open_items) == [Constant("abstain", "", 1), Constant("answer", "yes", 2)]


def test_a_constant_wins_a_stratum_only_beyond_doubt():
    def stratum(n: int, abstaining: int) -> list[Item]:
        return [item(k, answer=f"x{k}", abstention=k < abstaining) for k in range(n)]

    strata = {"sure": stratum(30, 30), "doubtful": stratum(30, 18), "few": stratum(3, 3)}
    assert [(name, c.kind, c.right) for name, c, _ in winning(strata, 0.01)] == [
        ("sure", "abstain", 30)
    ]
    # Of two options one is right in half the items by chance.
    pairs = [item(n, options=("p", f"q{n}"), key=n % 2) for n in range(40)]
    assert list(winning({"": pairs}, 0.01)) == []
    assert [c.kind for _, c, _ in winning({"": [replace(p, key=0) for p in pairs]}, 0.01)] == [
        "place"
    ]
