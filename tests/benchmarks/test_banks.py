"""The arms through a memory system: histories into banks, answers from what comes back."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from support.scripts import load_script
from veridical.base.checks import _check_benchmarks
from veridical.base.tables import read_table, write_table
from veridical.benchmarks import tables
from veridical.benchmarks.arms import Arms
from veridical.benchmarks.asking import benchmark_prompts, recalled_prompts
from veridical.benchmarks.asks import asks
from veridical.benchmarks.banks import bank_plans, bank_row, recalled, write_plans
from veridical.benchmarks.dates import day_of
from veridical.benchmarks.drill import drill
from veridical.benchmarks.findings import find
from veridical.benchmarks.items import items_table
from veridical.benchmarks.page import method
from veridical.benchmarks.premium import arms_table, contrasts, premiums
from veridical.benchmarks.reading import read_benchmark
from veridical.benchmarks.scoring import score_all
from veridical.ledger.collecting import collect
from veridical.ledger.replies import COLUMNS
from veridical.memories.keeping import Outcome, outcomes
from veridical.memories.plan import plans_in
from veridical.memories.systems import System
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts, write_prompts
from veridical.report.study import Study
from veridical.report.wording import Wording, plain

QUAY = (Path(__file__).parents[2] / "data/benchmarks/quay.jsonl").as_posix()
BENCHMARK = read_benchmark(QUAY)
ARMS = Arms(BENCHMARK)
ENTRY = {"adapter": "fts5"}
EN, IT = (Wording.read(language).of("benchmarks") for language in ("en", "it"))


# ---------------------------------------------------------------- what goes in


def test_a_history_is_a_bank_and_its_items_are_its_questions(tmp_path):
    plans = list(bank_plans(ARMS, "full", BENCHMARK.items, 3))
    assert len(plans) == 4  # four pairs of neighbours
    assert [len(plan.queries) for plan in plans] == [8] * 4
    first = plans[0]
    assert (first.k, first.at, first.partners) == (3, "2026-03-09", ())
    (bank,) = first.banks
    assert bank.document == "full-1"
    assert [(event.at, event.speaker, event.text) for event in bank.events] == [
        ("2026-03-02", "Mira", "[2 March 2026] Mira: My boat is called Heron."),
        ("2026-03-02", "Tobin", "[2 March 2026] Tobin: My boat is called Petrel."),
        ("2026-03-09", "Mira", "[9 March 2026] Mira: I painted my front door green."),
        ("2026-03-09", "Tobin", "[9 March 2026] Tobin: I painted my front door yellow."),
    ]
    (tmp_path / "full.jsonl").write_text(write_plans(plans), encoding="utf-8")
    assert plans_in(tmp_path / "full.jsonl") == plans


def test_a_banks_name_tells_neither_arm_nor_life():
    for arm in ("full", "counterfeit", "oracle"):
        for plan in bank_plans(ARMS, arm, BENCHMARK.items, 3):
            name = plan.banks[0].name
            assert not any(word in name for word in (arm, "Mira", "Ansel", "Lorna", "Edda"))


def test_a_counterfeit_bank_holds_another_life():
    plans = {
        plan.queries[0].id: plan for plan in bank_plans(ARMS, "counterfeit", BENCHMARK.items, 3)
    }
    own = next(item for item in BENCHMARK.items if item.id == "talk-000")  # Mira's boat
    plan = next(plan for plan in plans.values() if own.id in {query.id for query in plan.queries})
    assert plan.banks[0].events
    assert not any("Mira" in event.text for event in plan.banks[0].events)


def test_the_evidence_alone_is_a_bank_an_item():
    plans = list(bank_plans(ARMS, "oracle", BENCHMARK.items, 3))
    assert len(plans) == 16
    assert all(len(plan.banks[0].events) == 1 for plan in plans)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("9 March 2026", "2026-03-09"),
        ("1:56 pm on 8 May, 2023", "2023-05-08"),
        ("2023/05/20 (Sat) 02:21", "2023-05-20"),
        ("2023/05/20 (Sun) 02:21", None),  # that day was a Saturday
        ("30 February 2024", None),
        ("8 May", None),
        ("", None),
    ],
)
def test_days_as_stores_want_them(text, day):
    assert day_of(text) == day


# ---------------------------------------------------------------- what comes back, and what counts


@pytest.fixture(scope="module")
def visited(tmp_path_factory) -> dict[str, Path]:
    """The whole quay through SQLite's full-text index, in two arms."""
    place = tmp_path_factory.mktemp("quay")
    asked = place / "asked.csv"
    write_table(items_table(BENCHMARK.items), asked, tables.ITEMS)
    for arm in ("full", "counterfeit"):
        plans = place / f"plans/{arm}.jsonl"
        plans.parent.mkdir(exist_ok=True)
        load_script("benchmarks/write_bank_plans.py").main(
            Path(QUAY), asked, plans, format=None, arm=arm, k=2
        )
        visit(place, arm)
    return {"place": place, "asked": asked}


def visit(place: Path, arm: str, collect: bool = True) -> Path:
    """The script as a study runs it: from a project's folder, replies below `results`."""
    identity = System.from_config("words", ENTRY).identity()
    replies = place / f"results/s/replies/{arm}/words.jsonl"
    replies.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(place):
        load_script("memories/visit_memory.py").main(
            Path(f"plans/{arm}.jsonl"),
            replies.relative_to(place),
            system="words",
            entry=ENTRY,
            identity=identity,
            version=None,
            ledger=Path("words.sqlite"),
            store=Path("store"),
            collect=collect,
        )
    return replies


def plans_of(place: Path, arm: str):
    return plans_in(place / f"plans/{arm}.jsonl")


def test_what_was_said_comes_back_from_the_own_bank_alone(visited):
    place = visited["place"]
    for arm, there in (("full", 16), ("counterfeit", 0)):
        found = recalled(
            "words", plans_of(place, arm), outcomes(place / f"results/s/replies/{arm}/words.jsonl")
        )
        assert set(found) == {item.id for item in BENCHMARK.items}
        assert max(map(len, found.values())) <= 2  # k
        talk = [item for item in BENCHMARK.items if item.stratum == "talk"]
        assert sum(any(i.answer in text for text in found[i.id]) for i in talk) == there


def test_every_bank_is_told_what_became_of_it(visited):
    place, out = visited["place"], visited["place"] / "banks.csv"
    load_script("benchmarks/list_banks.py").main(
        sorted(place.glob("plans/*.jsonl")),
        sorted(place.glob("results/s/replies/*/words.jsonl")),
        out,
    )
    table = read_table(out, tables.BANKS)
    assert len(table) == 8
    assert table["admitted"].all()
    assert (table["given"] == table["accepted"]).all()
    assert (table["given"] == table["held"]).all()
    own = table[table["arm"] == "full"]  # a counterfeit is cut to the own history's length
    assert own[["given", "items"]].drop_duplicates().to_numpy().tolist() == [[4, 8]]


def test_a_second_visit_asks_nothing_and_gives_the_same_bytes(visited):
    place = visited["place"]
    before = (place / "results/s/replies/full/words.jsonl").read_bytes()
    assert visit(place, "full", collect=False).read_bytes() == before


def bank_with(**changed) -> dict:
    """A bank's outcomes, sound but for what is changed."""
    (plan,) = list(bank_plans(ARMS, "full", BENCHMARK.items[:1], 3))
    ingest = {
        "given": 4,
        "accepted": 4,
        "settled": {"ready": True, "pending": 0},
        "dump": ["a"] * 4,
        **changed,
    }
    recall = Outcome("r", {"items": [{"text": "x"}]})
    observed = {
        "describe": Outcome("describe", {}),
        "hygiene": Outcome("hygiene", {"checks": []}),
        "ingest/full-1": Outcome("i", ingest),
        f"recall/full-1/{BENCHMARK.items[0].id}": recall,
    }
    return {"plan": plan, "observed": observed}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, None),
        ({"dump": None}, None),  # a store that can't be looked into
        ({"accepted": 3}, "3 of 4 events accepted"),
        ({"settled": {"ready": False, "pending": 2}}, "not settled: 2 events pending"),
        ({"dump": []}, "its dump is empty"),
    ],
)
def test_a_bank_counts_where_what_it_was_given_has_arrived(changed, reason):
    row = bank_row("s", *bank_with(**changed).values())
    assert row["reason"] == reason
    assert row["admitted"] == (reason is None)


def test_a_bank_whose_recalls_fail_or_that_never_was_does_not_count():
    made = bank_with()
    item = BENCHMARK.items[0].id
    made["observed"][f"recall/full-1/{item}"] = Outcome("r", None, "it died")
    assert bank_row("s", *made.values())["reason"] == "1 recalls failed: it died"
    made["observed"]["ingest/full-1"] = Outcome("i", None, "no disk")
    assert bank_row("s", *made.values())["reason"].startswith("not ingested: no disk")
    assert recalled("s", [made["plan"]], made["observed"]) == {}


# ---------------------------------------------------------------- a store of which nothing counts


def refused(replies: Path, out: Path) -> Path:
    """A visit's replies, with every ingest refused by the store."""
    lines = [json.loads(line) for line in replies.read_text(encoding="utf-8").splitlines()]
    ingests = [line for line in lines if line["id"].startswith("ingest/")]
    assert len(ingests) == 4
    for line in ingests:
        line |= {"state": "error", "error": "the disk is full"}
    out.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return out


def test_an_arm_without_a_counting_bank_is_told_and_asks_nothing(visited, tmp_path, capsys):
    place, prompts = visited["place"], tmp_path / "full-words.jsonl"
    replies = refused(place / "results/s/replies/full/words.jsonl", tmp_path / "refused.jsonl")
    load_script("benchmarks/write_recalled.py").main(
        Path(QUAY), visited["asked"], place / "plans/full.jsonl", replies, prompts,
        format=None, arm="full", system="words", parameters={},
    )  # fmt: skip
    said = capsys.readouterr().out
    assert said == "no bank of arm full counts, so nothing is asked; banks.csv says why of each\n"
    assert prompts.read_text() == ""
    model = Model.from_config("m", {"provider": "scripted", "model": "x"})
    tally = collect(prompts, model, tmp_path / "m.sqlite", out=tmp_path / "out.jsonl")
    assert (tally.conversations, tally.failed) == (0, 0)


def without(answered: list[dict], *arms: str) -> pd.DataFrame:
    """The answers as they are where no bank of the system counts in these arms."""
    table = pd.DataFrame(answered)
    return table[~((table["model"] == "reader + words") & table["arm"].isin(arms))]


@pytest.mark.parametrize("lost", [("full",), ("counterfeit",), ("full", "counterfeit")])
def test_who_lacks_an_arm_has_no_premium_and_counts_as_one(answered, lost):
    """Two who answer: each p of the one that has a premium is doubled, as with a p of 1 beside."""
    table, who = without(answered, *lost), ["reader", "reader + words"]
    found = premiums(table, declared=who)
    assert set(found["model"]) == {"reader"}
    alone = premiums(table[table["model"] == "reader"])
    both = found.merge(alone, on=["model", "stratum"], suffixes=("", "_alone"))
    assert len(both) == len(found) == len(alone)
    assert (both["m"] == 2 * both["m_alone"]).all()
    over = both[both["stratum"] == ""].iloc[0]
    assert over["p_holm"] == min(1, 2 * over["p"])  # m = 2, the smaller of p and 1
    assert (both["p_holm"] >= both["p_holm_alone"]).all()
    assert premiums(table, declared=["reader"]).equals(alone)


def test_a_missing_arm_has_no_contrast_and_leaves_the_family_as_large(answered):
    whole = contrasts(pd.DataFrame(answered), ["none", "counterfeit"])
    table = contrasts(without(answered, "counterfeit"), ["none", "counterfeit"])
    rows = table[(table["model"] == "reader + words") & (table["stratum"] == "")]
    assert rows[["second", "m"]].to_numpy().tolist() == [["none", 2]]
    (row,) = rows.to_dict("records")
    assert row["p_holm"] == min(1, 2 * row["p"])
    mine = whole["model"] == "reader"
    assert table[table["model"] == "reader"].equals(whole[mine])
    gone = contrasts(without(answered, "full"), ["none", "counterfeit"])
    assert set(gone["model"]) == {"reader"}


def test_an_arm_that_nobody_answered_is_still_refused(answered):
    with pytest.raises(ValueError, match="'full' and 'oracle' share no item"):
        contrasts(pd.DataFrame(answered), ["oracle"])


def test_the_script_knows_who_was_to_answer(answered, visited, tmp_path):
    """A system of which nothing counts at all has no row of answers, and counts all the same."""
    own = [row for row in answered if row["model"] == "reader"]
    write_table(pd.DataFrame(own)[tables.ANSWERS.names], tmp_path / "answers.csv", tables.ANSWERS)
    out = [tmp_path / f"{name}.csv" for name in ("arms", "contrasts", "premium")]
    m = {}
    for systems in ([], ["words"], ["words", "more"]):
        load_script("benchmarks/test_arms.py").main(
            tmp_path / "answers.csv", visited["asked"], *out,
            arms=["none", "counterfeit", "full"], models=["reader"], systems=systems,
        )  # fmt: skip
        table = read_table(out[2], tables.PREMIUMS)
        m[len(systems)] = table.loc[table["stratum"].fillna("") == "", "m"].item()
        assert set(table["model"]) == {"reader"}
    assert m == {0: 1, 1: 2, 2: 3}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (EN, "words (another's history and the own history) and more (the own history): no bank"),
        (IT, "words (la storia di un altro e la propria storia) e more (la propria storia):"),
    ],
)
def test_the_page_names_systems_and_arms_of_which_nothing_counts(answered, words, told):
    rows = [("words", "full", False), ("words", "full", False), ("words", "counterfeit", False)]
    rows += [("more", "counterfeit", True), ("more", "counterfeit", False), ("more", "full", False)]
    banks = pd.DataFrame(rows, columns=["system", "arm", "admitted"])
    banks = banks.sort_values(["system", "arm"], ascending=[False, True], ignore_index=True)
    checks = pd.DataFrame({"check": ["length"], "verdict": ["clear"]})
    premium = premiums(without(answered, "full", "counterfeit"))
    limits = find(premium, checks, words, banks).limits
    assert [one.key for one in limits] == ["refused", "reach"]
    said = plain(limits[0]).replace("’", "'")
    assert said[: len(told)].casefold() == told.casefold()
    for sound in (None, banks.assign(admitted=True)):
        assert [one.key for one in find(premium, checks, words, sound).limits] == ["reach"]


@pytest.mark.parametrize("arms", [("full",), ("full", "counterfeit")])
def test_the_figure_is_drawn_without_the_arm(answered, tmp_path, arms):
    earned = pd.DataFrame(arms_table(without(answered, *arms)))
    write_table(earned[tables.EARNED.names], tmp_path / "arms.csv", tables.EARNED)
    rows = [(name, 16, 0.25, 0, 0.25, "green", 0.25) for name in ("", "talk", "chance")]
    strata = pd.DataFrame(rows, columns=tables.STRATA.names)
    write_table(strata, tmp_path / "strata.csv", tables.STRATA)
    svg, pdf = tmp_path / "a.svg", tmp_path / "a.pdf"
    load_script("benchmarks/draw_arms.py").main(
        tmp_path / "arms.csv", tmp_path / "strata.csv", svg, pdf
    )
    told = re.findall(r">n = ([^<]*)<", svg.read_text(encoding="utf-8"))
    assert told
    assert set(told) <= {"16", "32"}


# ---------------------------------------------------------------- what is asked, and who answers


def test_the_question_is_the_same_and_the_recall_stands_where_the_history_stood():
    items = BENCHMARK.items[:2]
    found = {items[0].id: ("one", "two"), items[1].id: ()}
    first, second = recalled_prompts("words", "full", items, found)
    plain_ = {p.facts["item_id"]: p for p in benchmark_prompts(ARMS, "full", items)}
    assert first.turns[0].user == plain_[items[0].id].turns[0].user
    assert first.turns[0].document.text == "one\ntwo"
    assert "one\ntwo" in first.turns[0].system
    assert first.facts == {**plain_[items[0].id].facts, "system": "words"}
    assert first.id == f"full-words-{items[0].id}"
    # Nothing came back: the model is told what it is told without a history.
    bare = {p.facts["item_id"]: p for p in benchmark_prompts(ARMS, "none", items)}
    assert second.turns[0].system == bare[items[1].id].turns[0].system
    assert second.turns[0].document is None
    assert list(recalled_prompts("words", "full", items, {})) == []


@pytest.fixture(scope="module")
def answered(visited) -> list[dict]:
    """A model that answers with whatever its memory says of the question: rows of the answers."""
    place = visited["place"]
    asked = {}
    for arm in ("none", "counterfeit", "full"):
        asked[arm] = list(benchmark_prompts(ARMS, arm, BENCHMARK.items))
    for arm in ("counterfeit", "full"):
        path = place / f"{arm}-words.jsonl"
        load_script("benchmarks/write_recalled.py").main(
            Path(QUAY),
            visited["asked"],
            place / f"plans/{arm}.jsonl",
            place / f"results/s/replies/{arm}/words.jsonl",
            path,
            format=None,
            arm=arm,
            system="words",
            parameters={},
        )
        asked[f"{arm}-words"] = read_prompts(path)
    replies = [(name, "reader", read_out(prompts)) for name, prompts in asked.items()]
    return score_all(asked, replies, "exact")


def read_out(prompts) -> pd.DataFrame:
    """The option that the memory says, else the first offered."""
    rows = []
    for prompt in prompts:
        turn = prompt.turns[0]
        held = turn.document.text if turn.document else ""
        name = turn.user.removeprefix("What is the name of ").partition("'s ")[0]
        said = [line for line in held.split("\n") if f"{name.split()[-1]}:" in line]
        fit = [option for option in turn.form.options if any(option in line for line in said)]
        rows.append((prompt.id, "ok", (fit or turn.form.options)[0]))
    return pd.DataFrame(rows, columns=["id", "state", "value"]).reindex(
        columns=[*COLUMNS], fill_value=None
    )


def test_who_reads_a_system_is_one_more_who_answers(answered):
    table = pd.DataFrame(answered)
    counts = table.groupby(["model", "arm"]).size().to_dict()
    assert counts == {
        (name, arm): 32
        for name in ("reader", "reader + words")
        for arm in ("none", "counterfeit", "full")
    }
    none = table[table["arm"] == "none"].pivot(index="item_id", columns="model", values="correct")
    assert (none["reader"] == none["reader + words"]).all()  # the same answers, asked once


def test_the_premium_of_a_system_stands_beside_the_models_own(answered):
    table = premiums(pd.DataFrame(answered))
    rows = table[table["stratum"] == "talk"].set_index("model")
    assert rows.loc["reader + words", "full"] > rows.loc["reader + words", "without"]
    assert table["m"].max() == 4  # two who answer, two kinds of question: one family


def test_the_drill_shows_what_came_back_under_whoever_read_it(answered):
    table = pd.DataFrame(answered)
    kept = []
    for row in answered:
        through = row["model"].partition(" + ")[2]
        if through and row["arm"] == "none":
            continue  # asked once, beside the model's own
        facts = {"arm": row["arm"], "item_id": row["item_id"]}
        facts |= {"system": through} if through else {}
        reply = f"{through or 'own'} {row['arm']}"
        kept.append(("reader", row["item_id"], 0, 0, facts, "ok", "asked", reply, "", ""))
    columns = ["model", "id", "sample", "turn", "facts", "state", "asked", "reply"]
    exchanges = pd.DataFrame(kept, columns=[*columns, "served_model", "time"])
    named = {"benchmarks/answers": table, "benchmarks/items": items_table(BENCHMARK.items)}
    found = drill(Study("s", {}, named, exchanges={"benchmarks": exchanges}), EN)
    shown = found.tables["exchanges"]
    own = shown[shown["item_id"] == "talk-000"].groupby("model")["reply"].apply(set).to_dict()
    assert own == {
        "reader": {"own none", "own counterfeit", "own full"},
        "reader + words": {"own none", "words counterfeit", "words full"},
    }


def test_the_method_says_through_which_systems(answered, visited):
    table = pd.DataFrame(answered)
    banks = pd.DataFrame([bank_row("words", *bank_with(accepted=n).values()) for n in (4, 3)])
    named = {
        "benchmarks/arms": pd.DataFrame(arms_table(table)),
        "benchmarks/sample": pd.DataFrame({"items": [32], "asked": [32]}),
        "benchmarks/banks": banks,
    }
    study = Study("s", {"benchmarks": {"file": QUAY}}, named)
    for words, told in ((EN, "Of 2 banks 1 don't count"), (IT, "Di 2 banche 1 non contano")):
        said = " ".join(plain(text) for text in method(study, words)).replace("’", "'")
        assert told in said
        assert "words" in said


# ---------------------------------------------------------------- the config


def settings(**more) -> dict:
    part = {
        "file": QUAY,
        "models": ["m"],
        "arms": ["none", "counterfeit", "full"],
        "parameters": {},
    }
    return {
        "seed": 1,
        "models": {"m": {"provider": "scripted", "model": "x"}},
        "benchmarks": {**part, "scoring": "exact", "judges": [], "systems": ["words"], **more},
    }


def test_systems_are_the_studys_own():
    (lacking,) = _check_benchmarks(settings())
    assert "no 'words' under memories/systems; there are none; describe it there" in lacking
    config = {**settings(), "memories": {"systems": {"word": ENTRY}}}
    (near,) = _check_benchmarks(config)
    assert "did you mean 'word'?" in near
    assert list(_check_benchmarks({**config, "memories": {"systems": {"words": ENTRY}}})) == []


def test_a_judge_has_another_name_than_all_judges_together():
    config = settings(systems=[], scoring="judges", judges=["all"])
    (told,) = _check_benchmarks(config)
    assert "a judge called 'all'" in told


def test_the_estimate_counts_every_arm_but_none_once_more_a_system():
    (ask,) = asks(settings(), {})
    assert ask.calls == 32 * (3 + 2)
    (ask,) = asks(settings(systems=[]), {})
    assert ask.calls == 32 * 3


def test_a_scripted_model_is_asked_what_a_system_recalled(visited, tmp_path):
    """Prompts of a system go the way of all others: through the ledger, one reply each."""
    place = visited["place"]
    found = recalled(
        "words", plans_of(place, "full"), outcomes(place / "results/s/replies/full/words.jsonl")
    )
    prompts = tmp_path / "full-words.jsonl"
    write_prompts(prompts, recalled_prompts("words", "full", BENCHMARK.items, found))
    model = Model.from_config("m", {"provider": "scripted", "model": "x", "structured": "grammar"})
    tally = collect(prompts, model, tmp_path / "m.sqlite", out=tmp_path / "out.jsonl")
    assert (tally.conversations, tally.failed) == (32, 0)
