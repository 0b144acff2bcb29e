"""The lint's arithmetic once more, written out: loops for arrays, definitions for tricks."""

from __future__ import annotations

import calendar
import datetime as dt
import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from veridical.benchmarks import cues, learned_cues
from veridical.benchmarks.clustered import clustered_mean, effective_number, share_interval
from veridical.benchmarks.constants import constants, winning
from veridical.benchmarks.dates import impossible_dates
from veridical.benchmarks.facts import (
    NEAR,
    cluster_sizes,
    duplicates,
    inconsistencies,
    joined_clusters,
    near_duplicates,
)
from veridical.benchmarks.items import History, Item, Session, Turn
from veridical.benchmarks.partial import FOLDS, Cells, folds, held_out_scores, pick, word_features
from veridical.benchmarks.records import find_key, listed, option_faults, unlabelled
from veridical.benchmarks.sampling import draw
from veridical.benchmarks.shuffling import Draws, adjusted
from veridical.benchmarks.wording import COMMON, holds, plain, telling, words
from veridical.statistics.intervals import wilson

# ---------------------------------------------------------------- means over clusters

earned_in_clusters = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from(["", "a", "b", "c"])),
    min_size=3,
    max_size=24,
)


@settings(max_examples=40)
@given(earned_in_clusters)
def test_the_interval_over_clusters_is_that_of_a_regression_with_clustered_errors(pairs):
    """Statsmodels scales by G/(G-1) times (n-1)/(n-k), which is G/(G-1) for a mean alone."""
    import statsmodels.api as sm

    values = np.array([value for value, _ in pairs])
    names = [name or f"own {place}" for place, (_, name) in enumerate(pairs)]
    found = clustered_mean(values, [name for _, name in pairs])
    if len(set(names)) < 2:
        assert math.isnan(found.low)
        return
    codes = np.unique(names, return_inverse=True)[1]
    fitted = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": codes}, use_t=True
    )
    low, high = fitted.conf_int()[0]
    assert found.mean == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


@settings(max_examples=60)
@given(earned_in_clusters, st.sampled_from([0.8, 0.95]))
def test_a_share_has_the_wider_of_two_intervals_and_stays_a_share(pairs, level):
    values, names = [v for v, _ in pairs], [n for _, n in pairs]
    found = share_interval(values, names, level)
    ends, over = wilson(sum(values), len(values), level), clustered_mean(values, names, level)
    assert 0 <= found.low <= ends.low <= ends.high <= found.high <= 1
    if not math.isnan(over.low):
        assert found.low == pytest.approx(max(0, min(ends.low, over.low)))
        assert found.high == pytest.approx(min(1, max(ends.high, over.high)))


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.floats(0, 1))
def test_the_effective_number_lies_between_the_clusters_and_the_items(sizes, correlation):
    found = effective_number(sizes, correlation)
    n = sum(sizes)
    assert n**2 / sum(size**2 for size in sizes) - 1e-9 <= found <= n + 1e-9
    assert effective_number(sizes, 0) == n
    # Each item is in a cluster of the mean size weighted by size: of the plain design effect.
    mean_size = sum(size * size for size in sizes) / n
    assert found == pytest.approx(n / (1 + (mean_size - 1) * correlation))


# ---------------------------------------------------------------- several checks at once

rows_of_statistics = st.integers(1, 4).flatmap(
    lambda checks: st.lists(
        st.lists(st.integers(0, 9).map(float), min_size=checks, max_size=checks),
        min_size=4,
        max_size=20,
    )
)


def step_down(table: np.ndarray) -> dict[str, float]:
    """Westfall and Young's step-down, check by check and draw by draw."""
    scores = {}
    for column in range(table.shape[1]):
        values = table[:, column]
        if values.std() > 1e-12:
            scores[column] = [(value - values.mean()) / values.std() for value in values]
    found = dict.fromkeys(map(str, range(table.shape[1])), 1.0)
    left = sorted(scores, key=lambda column: -scores[column][0])
    before = 0.0
    while left:
        first = left[0]
        reached = 0
        for draw_ in range(len(table)):
            reached += max(scores[c][draw_] for c in left) >= scores[first][0] - 1e-12
        before = max(before, reached / len(table))
        found[str(first)] = before
        left = left[1:]
    return found


@settings(max_examples=60)
@given(rows_of_statistics)
def test_the_adjusted_p_are_those_of_a_loop(rows):
    table = np.array(rows)
    found = adjusted({str(column): table[:, column] for column in range(table.shape[1])})
    assert found == pytest.approx(step_down(table))
    assert min(found.values()) >= 1 / len(table) - 1e-12


# ---------------------------------------------------------------- ways of answering

texts = st.sampled_from(["a", "bb", "cc dd", "none of these", "ee ff gg"])


@st.composite
def keyed_items(draw_):
    size = draw_(st.integers(2, 4))
    options = draw_(st.lists(texts, min_size=size, max_size=size, unique=True))
    key = draw_(st.integers(0, size - 1))
    return tuple(options), key


def item(place: int, question: str = "What?", answer: str = "x", **more) -> Item:
    if more.get("key") is not None:
        answer = more["options"][more["key"]]
    return Item(str(place), question, answer, **more)


@settings(max_examples=40)
@given(st.lists(keyed_items(), min_size=1, max_size=12))
def test_answering_by_place_and_by_length_earn_what_a_loop_says(pairs):
    items = [item(n, options=options, key=key) for n, (options, key) in enumerate(pairs)]
    draws = Draws(items, 25, 0)
    by_place = {
        chr(65 + k): [np.mean([row[i] == k for i in range(len(items))]) for row in draws.keys]
        for k in range(max(len(options) for options, _ in pairs))
    }
    cue = next(cues.position(draws))
    assert cue.estimate.shape == (26,)
    for number, estimate in enumerate(cue.estimate):
        assert any(shares[number] == pytest.approx(estimate) for shares in by_place.values())
    assert by_place[cue.which["way"]][0] == pytest.approx(cue.estimate[0])

    def by_length(row, choose) -> float:
        total = 0.0
        for (options, _), key in zip(pairs, row, strict=True):
            end = choose(map(len, options))
            among = [place for place, text in enumerate(options) if len(text) == end]
            total += (key in among) / len(among)
        return total / len(pairs)

    cue = next(cues.length(draws))
    ways = {"longest": max, "shortest": min}
    assert cue.estimate[0] == pytest.approx(by_length(draws.keys[0], ways[cue.which["way"]]))
    for number, estimate in enumerate(cue.estimate):
        either = [by_length(draws.keys[number], choose) for choose in ways.values()]
        assert min(abs(estimate - each) for each in either) < 1e-9
    assert cue.earned.mean() == pytest.approx(cue.estimate[0])


@settings(max_examples=40)
@given(st.lists(keyed_items(), min_size=10, max_size=20))
def test_a_recurring_wording_earns_its_share_and_chance_elsewhere(pairs):
    items = [item(n, options=options, key=key) for n, (options, key) in enumerate(pairs)]
    offered = Counter(text for options, _ in pairs for text in options)
    found = list(cues.recurring_option(Draws(items, 19, 0)))
    if max(offered.values()) < cues.RECURRING:
        assert found == []
        return
    (cue,) = found
    text = cue.which["way"]
    assert offered[text] >= cues.RECURRING
    expected = [
        float(options[key] == text) if text in options else 1 / len(options)
        for options, key in pairs
    ]
    assert cue.earned.tolist() == pytest.approx(expected)


def test_there_is_no_way_by_options_where_none_has_any():
    draws = Draws([item(0), item(1)], 9, 0)
    assert draws.keys.shape == (10, 0)
    for way in (cues.position, cues.length, cues.recurring_option, cues.last_session):
        assert list(way(draws)) == []
    assert list(learned_cues.option_words(draws, Cells(np.zeros(2, int), np.zeros(2, int)))) == []


def test_places_beyond_the_tenth_are_not_tried():
    options = tuple(f"o{n}" for n in range(14))
    items = [item(n, options=options, key=12) for n in range(12)]
    cue = next(cues.position(Draws(items, 19, 0)))
    assert cue.which["way"] in "ABCDEFGHIJ"
    assert cue.estimate[0] == 0


def test_a_stratum_of_fewer_than_ten_items_is_not_looked_at_by_itself():
    def strata(small: int) -> list[str]:
        items = [
            item(n, options=("p", "q"), key=n % 2, stratum="large" if n >= small else "small")
            for n in range(small + 12)
        ]
        return [cue.name for cue in cues.position(Draws(items, 19, 0))]

    assert strata(9) == ["position"]
    assert strata(10) == ["position", "position_in_stratum"]


def test_the_last_session_needs_another_to_be_told_from():
    def of(*said: str) -> History:
        return History("h", tuple(Session((Turn("", text),)) for text in said))

    assert (
        list(cues.last_session(Draws([item(0, answer="green", history=of("green"))], 9, 0))) == []
    )
    (cue,) = cues.last_session(Draws([item(0, answer="green", history=of("a", "green"))], 9, 0))
    assert cue.earned.tolist() == [1.0]


# ---------------------------------------------------------------- the classifier


@settings(max_examples=30)
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=6),
    st.integers(0, 10**6),
)
def test_picking_is_the_highest_score_and_its_ties_share(sizes, seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 3, (sum(sizes), 5)).astype(float)
    keys = np.array([[rng.integers(size) for size in sizes] for _ in range(5)])
    found = pick(scores, np.array(sizes), keys)
    for number in range(5):
        start = 0
        for place, size in enumerate(sizes):
            own = scores[start : start + size, number].tolist()
            best = [option for option in range(size) if own[option] == max(own)]
            expected = (keys[number, place] in best) / len(best)
            assert found[number, place] == pytest.approx(expected)
            start += size


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(12, 30))
def test_the_order_of_the_scores_is_the_area_under_the_curve(seed, n):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, (3, n)).astype(float)
    labels = np.array([rng.permutation([True] * 5 + [False] * (n - 5)) for _ in range(3)])
    found = learned_cues._order(scores, labels)
    expected = [roc_auc_score(label, score) for label, score in zip(labels, scores, strict=True)]
    assert found.tolist() == pytest.approx(expected)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=80), st.integers(0, 9))
def test_no_fold_is_larger_than_the_smallest_by_more_than_one_group(groups, seed):
    counts = np.bincount(folds(groups, seed), minlength=FOLDS)
    largest = max(Counter(groups).values())
    assert counts.max() - counts.min() <= largest
    assert (folds(groups, seed) == folds(groups, seed)).all()


def test_rows_of_word_features_have_length_one_or_none():
    features = word_features(["green boat", "green green house", "red boat", "nothing here"])
    lengths = np.linalg.norm(features, axis=1)
    assert lengths[:3] == pytest.approx(np.ones(3), abs=1e-6)
    assert lengths[3] == 0
    assert features.dtype == np.float32


def test_a_group_is_never_learnt_from_when_it_is_scored():
    """One group's targets are turned: only the other groups' scores may change."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(40, 4)).astype(np.float32)
    targets = rng.normal(size=(40, 2)).astype(np.float32)
    cells = Cells(np.arange(40) % 4, np.arange(40) // 4 % 3)
    turned = targets.copy()
    turned[cells.clusters == 2] *= -1
    before, after = (held_out_scores(features, each, cells) for each in (targets, turned))
    own = cells.clusters == 2
    for was, now in zip(before, after, strict=True):
        assert was[own] == pytest.approx(now[own], abs=1e-5)
        assert np.abs(was[~own] - now[~own]).max() > 0.01


# ---------------------------------------------------------------- facts of the file

questions = st.sampled_from(["Where is it?", "where is it", "Who came?", "What colour is it?"])
small_items = st.lists(
    st.builds(
        lambda question, answer, cluster, options: Item(
            "", question, answer, cluster=cluster, options=options
        ),
        questions,
        st.sampled_from(["red", "Red.", "green"]),
        st.sampled_from(["", "a", "b"]),
        st.sampled_from([(), ("red", "green"), ("green", "red")]),
    ),
    max_size=9,
)


def same_item(one: Item, two: Item) -> bool:
    alike = words(one.question) == words(two.question) and words(one.answer) == words(two.answer)
    if sorted(one.options) != sorted(two.options):
        return False
    return alike and (bool(one.options) or one.cluster == two.cluster)


@given(small_items)
def test_duplicates_are_those_that_an_earlier_item_equals(items):
    found = {flag.item: flag.other for flag in duplicates(items)}
    for later in range(len(items)):
        earlier = [n for n in range(later) if same_item(items[n], items[later])]
        if earlier:
            assert found[later] == earlier[0]
        else:
            assert later not in found


@given(small_items)
def test_lives_are_held_out_together_where_a_chain_of_questions_joins_them(items):
    names = [each.cluster or f"alone {place}" for place, each in enumerate(items)]
    joined = {name: {name} for name in names}
    for one, two in combinations(range(len(items)), 2):
        a, b = items[one], items[two]
        shared = (words(a.question), words(a.answer), sorted(a.options)) == (
            words(b.question),
            words(b.answer),
            sorted(b.options),
        )
        if shared:
            both = joined[names[one]] | joined[names[two]]
            for name in both:
                joined[name] = both
    found = joined_clusters(items)
    for one, two in combinations(range(len(items)), 2):
        assert (found[one] == found[two]) == (names[two] in joined[names[one]])


@settings(max_examples=40)
@given(
    st.lists(
        st.lists(st.sampled_from(["boat", "red", "sail", "wind", "sea"]), min_size=1, max_size=7),
        min_size=2,
        max_size=6,
    )
)
def test_near_duplicates_have_questions_of_nearly_the_same_words(asked):
    items = [Item(str(n), " ".join(text), "red", cluster="a") for n, text in enumerate(asked)]
    flagged = {flag.item: flag.other for flag in near_duplicates(items)}

    def cosine(one: list[str], two: list[str]) -> float:
        a, b = Counter(one), Counter(two)
        dot = sum(a[word] * b[word] for word in a)
        return dot / math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))

    for later, text in enumerate(asked):
        best = max((cosine(text, asked[n]) for n in range(later)), default=0.0)
        if later in flagged:
            assert cosine(text, asked[flagged[later]]) >= NEAR - 1e-9
        elif best >= NEAR + 1e-9:  # then it is one of the nearest's exact repeats
            assert any(asked[n] == text for n in range(later))


@given(small_items)
def test_clusters_are_counted_whole(items):
    sizes = cluster_sizes(items)
    assert sizes.sum() == len(items)
    assert sorted(sizes, reverse=True) == sizes.tolist()
    assert len(sizes) == len({e.cluster for e in items if e.cluster}) + sum(
        not e.cluster for e in items
    )


@given(small_items)
def test_a_contradiction_is_one_question_of_one_life_with_two_answers(items):
    flags = [f for f in inconsistencies(items) if "answers otherwise" in f.note]
    for later, each in enumerate(items):
        asked = [
            n
            for n in range(later + 1)
            if items[n].cluster == each.cluster
            and words(items[n].question) == words(each.question)
            and sorted(items[n].options) == sorted(each.options)
        ]
        against = each.cluster and words(items[asked[0]].answer) != words(each.answer)
        assert bool(against) == (later in {flag.item for flag in flags})


# ---------------------------------------------------------------- one answer throughout


@settings(max_examples=60)
@given(st.lists(keyed_items(), min_size=1, max_size=10))
def test_the_best_constant_is_the_best_of_all(pairs):
    items = [item(n, options=options, key=key) for n, (options, key) in enumerate(pairs)]
    found = {each.kind: each for each in constants(items)}
    keys = Counter(key for _, key in pairs)
    assert found["place"].right == max(keys.values())
    assert keys[ord(found["place"].which) - ord("A")] == found["place"].right
    everywhere = set.intersection(*(set(options) for options, _ in pairs))
    earning = {text: sum(options[key] == text for options, key in pairs) for text in everywhere}
    best = max(earning.values(), default=0)
    assert (found["option"].right if "option" in found else 0) == best
    assert "abstain" not in found
    assert "answer" not in found


@pytest.mark.parametrize("right", range(20, 31))
def test_a_stratum_is_won_where_the_interval_lies_above_half_and_chance(right):
    items = [item(n, answer="yes" if n < right else f"no {n}") for n in range(30)]
    # One stratum with one kind of constant: level 1 - 2 alpha for the one test.
    low = wilson(right, 30, 1 - 2 * 0.01).low
    won = list(winning({"s": items}, 0.01))
    assert bool(won) == (low > 0.5)
    for name, constant, end in won:
        assert (name, constant.kind, constant.right, end) == ("s", "answer", right, low)


def test_more_strata_make_a_win_harder():
    def stratum(right: int) -> list[Item]:
        return [item(n, answer="yes" if n < right else f"no {n}") for n in range(30)]

    assert list(winning({"s": stratum(23)}, 0.01))
    strata = {f"s{n}": stratum(3) for n in range(60)} | {"s": stratum(23)}
    assert list(winning(strata, 0.01)) == []


def test_chance_among_options_is_what_a_constant_must_beat():
    # Of one option in each item the place is right by chance always: nothing is won.
    items = [item(n, options=("only",), key=0) for n in range(40)]
    assert list(winning({"": items}, 0.01)) == []


# ---------------------------------------------------------------- words, dates, keys


@given(st.text(max_size=40))
def test_a_text_made_plain_is_plain_already(text):
    assert plain(plain(text)) == plain(text)
    assert telling(text) == bool(set(words(text)) - COMMON)


@given(
    st.lists(st.sampled_from(["red", "boat", "the", "sea"]), max_size=6),
    st.lists(st.sampled_from(["red", "boat", "the"]), max_size=3),
)
def test_a_text_holds_an_answer_whose_words_stand_in_it_together(text, answer):
    inside = any(text[n : n + len(answer)] == answer for n in range(len(text) - len(answer) + 1))
    expected = inside and any(word not in COMMON for word in answer)
    assert holds(" ".join(text).upper(), ", ".join(answer)) is expected


@given(st.dates(dt.date(1990, 1, 1), dt.date(2099, 12, 31)))
def test_every_day_of_the_calendar_exists_however_it_is_written(day):
    month, short = calendar.month_name[day.month], calendar.month_abbr[day.month]
    for text in (
        f"on {day.isoformat()}",
        f"{day.year}/{day.month:02}/{day.day:02} ({calendar.day_name[day.weekday()][:3]}) 10:15",
        f"{day.day} {month} {day.year}",
        f"{day.day} {short}, {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month}-{day.day}-{day.year}",
        f"the {day.day}th of {month} {day.year}",
    ):
        assert impossible_dates(text) == []


@given(st.integers(1990, 2099), st.integers(1, 12), st.integers(1, 31))
def test_a_day_beyond_the_months_end_is_named_as_it_is_written(year, month, day):
    exists = day <= calendar.monthrange(year, month)[1]
    written = f"{year}-{month:02}-{day:02}"
    assert impossible_dates(f"It was {written}.") == ([] if exists else [written])
    written = f"{day} {calendar.month_name[month]} {year}"
    assert impossible_dates(f"It was {written}.") == ([] if exists else [written])


@given(st.dates(dt.date(2000, 1, 1), dt.date(2050, 1, 1)), st.integers(1, 6))
def test_a_wrong_weekday_is_a_wrong_date(day, by):
    wrong = calendar.day_name[(day.weekday() + by) % 7][:3]
    text = f"{day.year}/{day.month:02}/{day.day:02} ({wrong})"
    assert impossible_dates(text) == [text]


@given(st.lists(st.sampled_from(["tea", "milk", "water"]), min_size=1, max_size=4, unique=True))
def test_every_option_is_found_by_its_text_and_by_its_letter(options):
    for place, text in enumerate(options):
        letter = chr(ord("a") + place)
        for answer in (text, text.upper(), letter, f"({letter})", f"{letter.upper()}."):
            assert find_key(answer, options) == place
        labelled = [f"({chr(ord('a') + n)}) {option}" for n, option in enumerate(options)]
        assert unlabelled(labelled) == tuple(options)
    assert find_key(chr(ord("a") + len(options)), options) is None
    assert option_faults(options, 0) == (() if len(options) > 1 else ("fewer than two options",))


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=8)))
def test_a_list_is_read_back_as_json_and_as_python_write_it(values):
    import json

    stripped = [value.strip() for value in values]
    assert listed(json.dumps(values)) == stripped
    assert listed(repr(values)) == stripped
    assert listed(list(values)) == stripped


# ---------------------------------------------------------------- the sample


@given(
    st.lists(st.sampled_from(["", "s", "t"]), max_size=30),
    st.integers(1, 6),
    st.integers(0, 100),
)
def test_a_sample_takes_so_many_of_every_stratum_in_the_files_order(strata, wanted, seed):
    items = [item(n, stratum=name) for n, name in enumerate(strata)]
    drawn = draw(items, wanted, seed)
    taken, there = Counter(e.stratum for e in drawn), Counter(strata)
    assert taken == {name: min(wanted, n) for name, n in there.items()}
    places = [int(each.id) for each in drawn]
    assert places == sorted(set(places))
    assert draw(items, wanted, seed) == drawn


def test_every_item_of_a_stratum_is_drawn_about_equally_often():
    items = [item(n) for n in range(8)]
    drawn = Counter(each.id for seed in range(800) for each in draw(items, 2, seed))
    # 800 draws of 2 of 8: 200 times each, standard deviation sqrt(800 · 1/4 · 3/4) = 12.
    assert min(drawn.values()) > 200 - 4 * 12.3
    assert max(drawn.values()) < 200 + 4 * 12.3
