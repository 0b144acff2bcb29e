"""The arms: what each gives, who is asked, what is asked, what is right, what memory earns."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.scripts import load_script
from support.simulated_benchmarks import Shape, as_benchmark, simulate
from veridical.base.config import read_schema
from veridical.base.tables import read_table
from veridical.benchmarks import tables
from veridical.benchmarks.arms import ARMS, Arms, Given, corrupted, fitting, oracle
from veridical.benchmarks.asking import (
    ABSTENTION,
    answered_by_letter,
    askable,
    benchmark_prompts,
)
from veridical.benchmarks.asks import asks
from veridical.benchmarks.items import BenchmarkError, History, Item, Session, Turn
from veridical.benchmarks.lint import lint
from veridical.benchmarks.premium import arms_table, contrasts, difference_interval, premiums
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.sampling import draw
from veridical.benchmarks.scoring import score
from veridical.ledger.replies import COLUMNS
from veridical.models.prompts import read_prompts
from veridical.statistics.intervals import paired_difference

QUAY = "data/benchmarks/quay.jsonl"


def talk(name: str, *days: tuple[str, ...], speakers=("Ada", "Ben"), dates=True) -> History:
    sessions = tuple(
        Session(
            tuple(
                Turn(speakers[place % 2], text, f"{name}{day}{place}")
                for place, text in enumerate(said)
            ),
            f"2024-01-{day + 1:02}" if dates else "",
            f"{name}{day}",
        )
        for day, said in enumerate(days)
    )
    return History(name, sessions)


ADA = talk("a", ("My boat is green.", "Mine is red."), ("It rained.",))
LONG = talk("b", ("One two three four five six.",) * 6, ("Seven eight nine.",) * 6)


def item(name: str, history: History | None, **more) -> Item:
    more = {"question": "Which colour?", "answer": "green", "cluster": "a"} | more
    return Item(name, history=history, **more)


# ---------------------------------------------------------------- what is given


def test_full_none_and_oracle():
    one = item("1", ADA, evidence=("a00",))
    two = item("2", ADA, evidence=("a1",))
    arms = Arms(as_benchmark([one, two]))
    assert arms.give("full", one).text == (
        "[2024-01-01]\nAda: My boat is green.\nBen: Mine is red.\n\n[2024-01-02]\nAda: It rained."
    )
    assert arms.give("none", one) == Given(())
    assert arms.give("oracle", one).text == "[2024-01-01]\nAda: My boat is green."
    assert arms.give("oracle", two).text == "[2024-01-02]\nAda: It rained."  # a whole session
    assert oracle(item("3", ADA, abstention=True, answer="")).sessions == ()


def test_corrupted_exchanges_speakers_and_moves_dates():
    given = corrupted(item("1", ADA))
    assert given.how == "speakers exchanged, dates moved on"
    assert given.text == (
        "[2024-01-02]\nBen: My boat is green.\nAda: Mine is red.\n\n[2024-01-01]\nBen: It rained."
    )
    parts = talk("c", ("Hi.", "Hello."), speakers=("user", "Assistant"))
    with pytest.raises(BenchmarkError, match="two named speakers or sessions of different dates"):
        corrupted(item("1", parts))
    chat = talk("c", ("Hi.",), ("Ho.",), speakers=("user", "assistant"))
    assert corrupted(item("1", chat)).how == "dates moved on"
    three = History("t", (Session(tuple(Turn(name, "x") for name in "ABC")),))
    with pytest.raises(BenchmarkError, match="item 1: arm 'corrupted'"):
        corrupted(item("1", three))


def test_a_counterfeit_is_another_lifes_and_about_as_long():
    near = talk("n", ("A red cart.", "A blue one."), ("It snowed.",))
    items = [item("1", ADA), item("2", near, cluster="n"), item("3", LONG, cluster="b")]
    arms = Arms(as_benchmark(items))
    given = arms.give("counterfeit", items[0])
    assert given.how.startswith("of n")  # the nearest in length
    assert "cart" in given.text
    assert "boat" not in given.text
    short = arms.give("counterfeit", items[1])
    assert short.how == "of a"
    long = arms.give("counterfeit", items[2])  # both short ones, and still too short
    assert long.how == "of a, n"
    assert arms.give("counterfeit", items[0]) is given  # the same for every item of the history


def test_a_long_counterfeit_is_cut_by_whole_turns():
    items = [item("1", ADA), item("2", LONG, cluster="b")]
    given = Arms(as_benchmark(items)).give("counterfeit", items[0])
    length = sum(len(session.text) for session in given.sessions)
    assert 0.7 * ADA.characters < length <= ADA.characters
    assert all(
        turn in session.turns
        for s in given.sessions
        for turn in s.turns
        for session in LONG.sessions
        if session.id == s.id
    )


def test_simulated_counterfeits_have_the_length_and_nobodys_own_turns():
    items = simulate(Shape(n=120, options=(4,), clusters=6), 1)
    arms = Arms(as_benchmark(items))
    for each in items:
        given = arms.give("counterfeit", each)
        length = sum(len(session.text) for session in given.sessions)
        assert length == pytest.approx(each.history.characters, rel=0.1)
        own = {turn.id for session in each.history.sessions for turn in session.turns} - {""}
        assert own.isdisjoint(turn.id for session in given.sessions for turn in session.turns)


@pytest.mark.parametrize(
    ("arm", "of", "told"),
    [
        ("full", item("7", None), "item 7: arm 'full' needs a history"),
        ("oracle", item("7", ADA), "item 7: arm 'oracle' needs evidence"),
        ("oracle", item("7", ADA, evidence=("zz",)), "item 7: its evidence 'zz' is nowhere"),
        ("counterfeit", item("7", ADA), "needs another life, and the file has one only"),
        ("half", item("7", ADA), "no arm 'half'; known: none, counterfeit"),
    ],
)
def test_an_arm_that_cant_be_made_is_refused(arm, of, told):
    with pytest.raises(BenchmarkError) as refusal:
        Arms(as_benchmark([of])).give(arm, of)
    assert told in str(refusal.value)


def test_only_items_with_evidence_are_asked_in_oracle():
    items = [item("1", ADA, evidence=("a00",)), item("2", ADA), item("3", ADA, abstention=True)]
    assert [each.id for each in fitting("oracle", items)] == ["1", "3"]
    assert len(fitting("full", items)) == 3


# ---------------------------------------------------------------- who is asked, and what


def test_each_stratum_is_drawn_by_itself():
    items = [item(str(n), None, stratum="st"[n % 2]) for n in range(40)]
    drawn = draw(items, 5, 1)
    assert len(drawn) == 10
    assert [each.id for each in drawn] == sorted((each.id for each in drawn), key=int)
    assert draw(items, 5, 1) == drawn
    assert draw(items, 5, 2) != drawn
    more = [*items, *(item(f"u{n}", None, stratum="u") for n in range(30))]
    assert [each for each in draw(more, 5, 1) if each.stratum != "u"] == drawn
    assert draw(items, None, 1) == items
    assert len(draw(items, 100, 1)) == 40


def test_prompts_differ_between_arms_in_what_is_given_only():
    items = read_benchmark(QUAY).items
    arms = Arms(as_benchmark(items))
    asked = {arm: list(benchmark_prompts(arms, arm, items)) for arm in ARMS}
    assert {arm: len(prompts) for arm, prompts in asked.items()} == dict.fromkeys(ARMS, 32) | {
        "oracle": 16
    }
    by_item = {
        arm: {prompt.facts["item_id"]: prompt.turns[0] for prompt in prompts}
        for arm, prompts in asked.items()
    }
    for arm, turns in by_item.items():
        for name, turn in turns.items():
            full = by_item["full"][name]
            assert (turn.user, turn.form) == (full.user, full.form)
            assert (turn.document is None) == (arm == "none")
            assert arm not in (turn.system or "").split()  # no model is told its arm
    turn = by_item["full"]["talk-000"]
    assert turn.system.startswith("You are given what was said on some days.")
    assert "Mira: My boat is called Heron." in turn.system
    assert (
        turn.user == "What is the name of Mira's boat? Choose one: Badger, Lantern, Heron, Petrel."
    )
    assert turn.document.text in turn.system
    groups = [prompt.turns[0].system for prompt in asked["full"]]
    assert len([n for n in range(1, 32) if groups[n] != groups[n - 1]]) == 3  # four lives


def test_long_options_go_by_letter():
    items = [item("1", None, options=("x" * 61, "yes"), key=0, date="3 May")]
    assert answered_by_letter(items)
    (prompt,) = benchmark_prompts(Arms(as_benchmark(items)), "none", items, {"max_tokens": 3})
    turn = prompt.turns[0]
    assert turn.form.options == ("A", "B")
    assert turn.user.splitlines()[:3] == [
        "Today is 3 May. Which colour?",
        f"A. {'x' * 61}",
        "B. yes",
    ]
    assert prompt.facts["truth"] == "A"
    assert prompt.parameters == {"max_tokens": 3}
    assert answered_by_letter([item("1", None, options=("Yes", "yes"), key=0)])
    assert not answered_by_letter([item("1", None, options=("yes", "no"), key=0)])


def test_open_questions_may_be_declined():
    items = [item("1", None)]
    (prompt,) = benchmark_prompts(Arms(as_benchmark(items)), "none", items)
    assert prompt.turns[0].form.abstention == ABSTENTION
    assert prompt.turns[0].user.endswith("answer: I don't know.")


def test_an_item_whose_key_is_no_option_is_not_asked():
    assert askable([item("1", None, options=("a", "b")), item("2", None)])[0].id == "2"


# ---------------------------------------------------------------- what is right


def replied(value, state="ok", name="none-1"):
    return pd.DataFrame([{"id": name, "state": state, "value": value}])


@pytest.mark.parametrize(
    ("scoring", "value", "state", "right"),
    [
        ("exact", "Green.", "ok", True),
        ("exact", "It is green", "ok", False),
        ("contains", "It is green", "ok", True),
        ("contains", "It is emerald", "ok", True),
        ("contains", "It is greenish", "ok", False),
        ("contains", None, "abstained", False),
        ("contains", None, "truncated", False),
    ],
)
def test_open_answers(scoring, value, state, right):
    items = [item("1", None, accepted=("emerald",))]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    (row,) = score(prompts, replied(value, state), "m", scoring)
    assert row["correct"] is right
    assert (row["model"], row["arm"], row["item_id"]) == ("m", "none", "1")


def test_where_it_cant_be_known_only_declining_is_right():
    items = [item("1", None, abstention=True, answer="")]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    for state, value, right in (
        ("abstained", ABSTENTION, True),
        ("refused", None, True),
        ("ok", "Green", False),
        ("empty", None, False),
    ):
        assert score(prompts, replied(value, state), "m", "contains")[0]["correct"] is right


def test_options_are_options_whatever_the_scoring():
    items = [item("1", None, options=("green", "dark green"), key=0)]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    for value, right in (("green", True), ("dark green", False)):
        assert score(prompts, replied(value), "m", "contains")[0]["correct"] is right


def test_a_missing_or_second_reply_is_named():
    items = [item("1", None)]
    prompts = list(benchmark_prompts(Arms(as_benchmark(items)), "none", items))
    with pytest.raises(ValueError, match="m: not one reply each: none-1"):
        score(prompts, replied("x", name="none-2"), "m", "exact")
    with pytest.raises(ValueError, match="not one reply each"):
        score(prompts, pd.concat([replied("x"), replied("y")]), "m", "exact")


# ---------------------------------------------------------------- what memory earns


def answered(arms: dict[str, list[int]], strata=None, clusters=None) -> pd.DataFrame:
    """Answers of one model: 1 right, 0 wrong, by arm."""
    rows = []
    for arm, right in arms.items():
        for place, flag in enumerate(right):
            rows.append(
                {
                    "model": "m",
                    "arm": arm,
                    "item_id": str(place),
                    "stratum": strata[place] if strata else "",
                    "cluster": clusters[place] if clusters else "",
                    "state": "ok",
                    "answer": "x",
                    "correct": bool(flag),
                }
            )
    return pd.DataFrame(rows)


def test_arms_are_counted_over_all_and_by_stratum():
    table = answered({"full": [1, 1, 0, 1], "none": [0, 1, 0, 0]}, strata=["s", "s", "t", "t"])
    earned = pd.DataFrame(arms_table(table)).set_index(["arm", "stratum"])
    assert earned.loc[("full", ""), "correct"] == 3
    assert earned.loc[("full", "t"), "accuracy"] == 0.5
    assert earned.loc[("none", "s"), "items"] == 2
    one = pd.DataFrame(arms_table(answered({"full": [1, 0]})))
    assert one["stratum"].tolist() == [""]  # one stratum: nothing to tell apart


def test_contrasts_are_mcnemar_and_holm():
    # b = 6, c = 0: p = 2 / 2^6; in s: 3 of 3; in t: 3 of 3: p = 2 / 2^3 each, Holm doubles both.
    full, none, false = [1] * 8, [0] * 6 + [1] * 2, [1] * 8
    strata = ["s"] * 3 + ["t"] * 3 + ["s", "t"]
    table = answered({"full": full, "none": none, "counterfeit": false}, strata=strata)
    found = contrasts(table, ["none", "counterfeit"]).set_index(["second", "stratum"])
    row = found.loc[("none", "")]
    assert (row["b"], row["c"], row["p"], row["m"]) == (6, 0, 2 / 64, 2)
    assert row["p_holm"] == 2 * 2 / 64  # over the model's two contrasts
    assert row["difference"] == 0.75
    for stratum in "st":
        own = found.loc[("none", stratum)]
        assert (own["b"], own["p"], own["m"], own["p_holm"]) == (3, 0.25, 2, 0.5)
    assert found.loc[("counterfeit", ""), "p_holm"] == 1.0


def test_an_arm_of_fewer_items_is_compared_on_those():
    table = answered({"full": [1, 1, 0, 1], "oracle": [1, 0, 1, 1]})
    table = table[(table["arm"] == "full") | (table["item_id"] < "2")]
    (row,) = contrasts(table, ["oracle"]).to_dict("records")
    assert (row["items"], row["b"], row["c"]) == (2, 1, 0)
    with pytest.raises(ValueError, match="share no item"):
        contrasts(table, ["corrupted"])


def test_the_premium_is_over_the_best_arm_without_memory():
    full = [1] * 9 + [0]
    none, false = [1] * 2 + [0] * 8, [1] * 5 + [0] * 5
    (row,) = premiums(answered({"full": full, "none": none, "counterfeit": false})).to_dict(
        "records"
    )
    assert (row["best_arm"], row["without"], row["full"]) == ("counterfeit", 0.5, 0.9)
    assert row["premium"] == pytest.approx(0.4)
    assert row["p"] == 2 / 2**4  # 4 discordant against the counterfeit, 7 against none
    lows = [paired_difference(full, other, 0.95)[1].low for other in (none, false)]
    assert row["ci95_low"] <= min(lows) + 1e-12
    assert row["ci95_low"] < row["premium"] < row["ci95_high"]


def test_the_upper_end_allows_for_the_arm_having_been_picked():
    generator = np.random.default_rng(0)
    arms = {arm: generator.integers(2, size=40).tolist() for arm in ("full", "none", "counterfeit")}
    two = premiums(answered(arms)).iloc[0]
    one = premiums(
        answered({k: v for k, v in arms.items() if k in ("full", two["best_arm"])})
    ).iloc[0]
    assert one["premium"] == two["premium"]
    assert two["ci95_low"] <= one["ci95_low"]
    assert two["ci95_high"] != one["ci95_high"]


def test_a_premium_below_nothing_has_no_p():
    table = answered({"full": [0, 0, 0, 0, 1], "none": [1, 1, 1, 1, 1]})
    row = premiums(table).iloc[0]
    assert row["premium"] == pytest.approx(-0.8)
    assert row["p"] == 1.0


def test_no_premium_without_an_arm_without_memory():
    assert premiums(answered({"full": [1], "corrupted": [0]})).empty


def test_an_interval_keeps_a_width_and_grows_with_clusters():
    same = difference_interval(np.ones(8), np.zeros(8), [""] * 8, 0.95)
    assert same.low < 1.0 == same.high
    first = np.array([1.0] * 10 + [0.0] * 10)
    alone = difference_interval(first, np.full(20, 0.0), [""] * 20, 0.95)
    lives = difference_interval(first, np.full(20, 0.0), ["a"] * 10 + ["b"] * 10, 0.95)
    assert lives.low < alone.low
    assert lives.high > alone.high


# ---------------------------------------------------------------- our own benchmark


def test_quay_is_what_its_script_writes(tmp_path):
    load_script("benchmarks/write_quay.py").main(tmp_path)
    for name in ("quay.jsonl", "quay-open.jsonl"):
        with open(f"data/benchmarks/{name}", "rb") as shipped:
            assert shipped.read() == (tmp_path / name).read_bytes()


def test_half_of_quay_needs_its_talk_and_half_gives_itself_away():
    items = read_benchmark(QUAY).items
    assert len(items) == 32
    for each in items:
        said = " ".join(session.text for session in each.history.sessions)
        inside = {option for option in each.options if option in each.question}
        if each.stratum == "talk":
            assert inside == set()
            assert each.answer in said
            neighbour = [
                option for option in each.options if option != each.answer and option in said
            ]
            assert len(neighbour) == 1  # what the other one said is offered too
            others = [i for i in items if i.cluster != each.cluster and i.answer == each.answer]
            assert others == []  # no other life says it
        else:
            assert inside == {each.answer}
            assert all(option not in said for option in each.options)
        assert len(set(each.options)) == 4
    places = pd.Series([(each.stratum, each.key) for each in items]).value_counts()
    assert set(places) == {4}


def test_the_lint_finds_the_half_that_needs_no_memory():
    found = lint(read_benchmark(QUAY)).checks.set_index("check")
    row = found.loc["option_in_question"]
    assert row["verdict"] == "found"
    assert row["statistic"] == (16 + 16 * 0.25) / 32
    assert row["ci95_low"] < row["statistic"] < row["ci95_high"]


# ---------------------------------------------------------------- scripts


def test_scripts_from_the_file_to_the_premium(tmp_path):
    asked, sample, given = (tmp_path / f"{name}.csv" for name in ("asked", "sample", "given"))
    arms = ["none", "counterfeit", "full"]
    load_script("benchmarks/draw_sample.py").main(
        QUAY, asked, sample, given, format=None, arms=arms, per_stratum=4, seed=1
    )
    assert read_table(sample, tables.SAMPLE)["asked"].tolist() == [4, 4]
    table = read_table(given, tables.GIVEN)
    assert table.loc[table["arm"] == "full", "ratio"].tolist() == [1.0] * 8
    assert not table.loc[table["arm"] == "counterfeit", "says_answer"].any()
    prompts, replies = [], []
    for arm in arms:
        path = tmp_path / f"prompts/{arm}.jsonl"
        path.parent.mkdir(exist_ok=True)
        load_script("benchmarks/write_prompts.py").main(
            QUAY, asked, path, format=None, arm=arm, parameters={"max_tokens": 8}
        )
        prompts.append(path)
        out = tmp_path / f"replies/{arm}/m.jsonl"
        out.parent.mkdir(parents=True)
        with open(out, "w", encoding="utf-8") as file:
            for prompt in read_prompts(path):
                right = arm == "full" or prompt.facts["stratum"] == "leading"
                wrong = {*prompt.turns[0].form.options} - {prompt.facts["truth"]}
                value = prompt.facts["truth"] if right else min(wrong)
                line = dict.fromkeys(COLUMNS) | {"id": prompt.id, "state": "ok", "value": value}
                file.write(json.dumps(line) + "\n")
        replies.append(out)
    answers = tmp_path / "answers.csv"
    load_script("benchmarks/score_answers.py").main(prompts, replies, answers, scoring="exact")
    outs = [tmp_path / f"{name}.csv" for name in ("arms", "contrasts", "premium")]
    load_script("benchmarks/test_arms.py").main(answers, asked, *outs, arms=arms)
    premium = read_table(outs[2], tables.PREMIUMS).set_index("stratum")
    assert premium.loc["leading", "premium"] == 0
    assert premium.loc["talk", "premium"] == 1
    strata = tmp_path / "strata.csv"
    load_script("benchmarks/lint_benchmark.py").main(
        QUAY,
        *(tmp_path / n for n in ("i.csv", "c.csv")),
        strata,
        *(tmp_path / n for n in ("f.csv", "l.json", "s.txt")),
        format=None,
        seed=1,
        clean=0,
    )
    load_script("benchmarks/draw_arms.py").main(
        outs[0], strata, tmp_path / "a.svg", tmp_path / "a.pdf"
    )
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(word in drawn for word in ("leading", "talk", "own memory", "words alone"))
    assert "corrupted" not in drawn  # not asked, so not in the legend


def test_the_estimate_counts_every_arm():
    config = {
        "seed": 1,
        "models": {"m": {"provider": "openai", "model": "x"}},
        "benchmarks": {"file": QUAY, "models": ["m"], "arms": list(ARMS), "parameters": {}},
    }
    (ask,) = asks(config, {})
    assert (ask.calls, ask.collection) == (4 * 32 + 16, "benchmarks")
    config["benchmarks"] |= {"per_stratum": 4, "arms": ["none", "full"]}
    assert next(asks(config, {})).calls == 2 * 8


def test_the_config_knows_the_arms():
    section = read_schema()["properties"]["benchmarks"]["properties"]
    assert section["arms"]["items"]["enum"] == list(ARMS)
    assert section["arms"]["default"] == list(ARMS)


def test_every_reader_is_imported_by_name_so_that_a_change_in_it_is_seen():
    from support.scripts import SCRIPTS
    from veridical.base.code import reached
    from veridical.benchmarks.reading import formats

    files = {path.stem for path in reached(SCRIPTS / "benchmarks/lint_benchmark.py")}
    assert set(formats()) <= files


def test_a_benchmark_with_a_key_that_is_no_option_says_how_many_are_left_out(tmp_path):
    with open(QUAY, encoding="utf-8") as shipped:
        lines = [json.loads(line) for line in shipped]
    lines[4]["answer"] = "Kestrel"
    path = tmp_path / "b.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    outs = [tmp_path / f"{name}.csv" for name in ("asked", "sample", "given")]
    load_script("benchmarks/draw_sample.py").main(
        path, *outs, format=None, arms=["none", "full"], per_stratum=None, seed=1
    )
    sample = read_table(outs[1], tables.SAMPLE).set_index("stratum")
    assert sample.loc["talk"].tolist() == [16, 1, 15]
    assert sample.loc["leading"].tolist() == [16, 0, 16]


def test_the_benchmarks_own_life_is_its_cluster_or_its_history():
    items = [item("1", ADA, cluster=""), item("2", LONG, cluster="")]
    given = Arms(as_benchmark(items)).give("counterfeit", items[0])
    assert given.how == "of b"
    same = [replace(each, cluster="x") for each in items]
    arms = Arms(as_benchmark(same))
    with pytest.raises(BenchmarkError, match="one only"):
        arms.give("counterfeit", same[0])
