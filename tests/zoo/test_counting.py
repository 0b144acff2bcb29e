"""From studies to shares: counted by hand on a few runs made up for it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support.fixture_zoo import zoo_tables
from support.memory_study import corpus
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.report.wording import Wording
from veridical.statistics.intervals import wilson
from veridical.zoo.counting import tables, visible
from veridical.zoo.findings import find
from veridical.zoo.instruments import Instrument
from veridical.zoo.measuring import Design, Run, measure
from veridical.zoo.studies import Size
from veridical.zoo.tables import TABLES, VERDICTS

ROOT = Path(__file__).parents[2]
NOBODY = None
EVERY = [
    Instrument("control3", "ours", "decides", NOBODY),
    Instrument("found", "ours", "scores", NOBODY),
    Instrument("recall", "others", "scores", NOBODY),
    Instrument("gap", "others", "scores", NOBODY),
    Instrument("mine", "yours", "decides", NOBODY),
]


def runs(purpose: str, subject: str, strength, *told: tuple) -> list[Run]:
    """Runs by what control3, found, recall, gap and mine saw in each."""
    keys = [each.key for each in EVERY]
    return [
        Run(purpose, subject, "words", strength, number, dict(zip(keys, saw, strict=True)))
        for number, saw in enumerate(told)
    ]


SOUND = (False, 1.0, 1.0, 1.0, False)
CALIBRATION = runs("calibration", "words", None, *[SOUND] * 59)
FOUND = [
    *CALIBRATION,
    *runs("sound", "words", None, *[SOUND] * 9, (False, 0.9, 1.0, 1.0, False)),
    *runs(
        "usual", "rebinds", 0.3,
        *[(True, 0.5, 1.0, 0.5, False)] * 8, *[(False, 1.0, 1.0, 0.5, True)] * 2,
    ),
    *runs("usual", "silence", 1.0, *[(False, 1.0, 0.0, None, False)] * 10),
    *runs("weaker", "rebinds", 0.1, *[(False, 1.0, 1.0, 1.0, False)] * 4),
    *runs("weaker", "rebinds", 0.3, *[(False, 1.0, 1.0, 1.0, False)] * 4),
]  # fmt: skip


def test_shares_are_counted_with_their_intervals():
    rates = tables(FOUND, EVERY)["rates"].set_index(["subject", "instrument"])
    row = rates.loc["rebinds", "control3"]
    assert (row["studies"], row["noticed"], row["share"]) == (10, 8, 0.8)
    assert (row["low"], row["high"]) == wilson(8, 10)
    assert row["seen"]  # eight of ten are four of five
    assert rates.loc["rebinds", "gap"]["noticed"] == 10
    assert rates.loc["rebinds", "recall"]["noticed"] == 0
    assert rates.loc["silence", "gap"]["noticed"] == 10  # not defined is lower than any
    assert rates.loc["words", "found"]["noticed"] == 1
    assert not rates.loc["words", "found"]["seen"]


def test_together_is_any_of_ours_or_of_the_others_and_never_yours():
    rates = tables(FOUND, EVERY)["rates"].set_index(["subject", "instrument"])
    assert rates.loc["rebinds", "controls"]["noticed"] == 8  # control3 or found
    assert rates.loc["rebinds", "scores"]["noticed"] == 10
    assert rates.loc["rebinds", "mine"]["noticed"] == 2
    assert rates.loc["silence", "controls"]["noticed"] == 0


def test_one_number_an_instrument():
    table = tables(FOUND, EVERY)["instruments"].set_index("instrument")
    assert table["seen"].to_dict() == {
        "control3": 1, "found": 1, "recall": 1, "gap": 2, "mine": 0, "controls": 1, "scores": 2,
    }  # fmt: skip
    assert table.loc["gap", "seen_share"] == 1
    assert table.loc["found", "false_share"] == 0.1
    assert not table["void"].any()  # Wilson's interval of 1 in 10 begins at 1.8 %


def test_whoever_cries_wolf_counts_nothing():
    wolf = [
        Run(run.purpose, run.subject, run.around, run.strength, run.number,
            run.saw | {"control3": True})
        for run in FOUND
    ]  # fmt: skip
    row = tables(wolf, EVERY)["instruments"].set_index("instrument").loc["control3"]
    assert (row["void"], row["seen"], row["false_share"]) == (True, 0, 1.0)


def test_a_fault_says_who_sees_it():
    table = tables(FOUND, EVERY)["faults"].set_index("subject")
    assert table.loc["rebinds", "by"] == "control3, found, gap"
    assert table.loc["silence", "by"] == "recall, gap"
    assert table.loc["rebinds", "controls_share"] == 0.8
    assert table.loc["silence", "recall_share"] == 1
    assert table.loc["rebinds", "controls_from"] == 0.3
    assert pd.isna(table.loc["silence", "controls_from"])


def test_the_curve_takes_the_usual_strength_from_the_more_studies():
    power = tables(FOUND, EVERY)["power"]
    mine = power[(power["subject"] == "rebinds") & (power["instrument"] == "control3")]
    assert list(zip(mine["strength"], mine["studies"], strict=True)) == [(0.1, 4), (0.3, 10)]


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ((0.0, 0.8, 1.0), 0.2),
        ((0.9, 0.5, 1.0), 0.3),  # noticed by chance below: not from there on
        ((1.0, 1.0, 1.0), 0.1),
        ((1.0, 1.0, 0.7), None),
    ],
)
def test_visible_is_from_a_strength_on(shares, expected):
    curve = pd.DataFrame({"instrument": "x", "strength": [0.1, 0.2, 0.3], "share": shares})
    assert visible(curve, "x") == expected


def test_thresholds_say_what_sound_memories_score():
    table = tables(FOUND, EVERY)["thresholds"]
    assert list(table["instrument"]) == ["found", "recall", "gap"]
    assert set(table["studies"]) == {59}
    assert set(table["threshold"]) == {1.0}


def test_the_same_seed_gives_the_same_runs_and_another_gives_others():
    def saw(seed):
        design = Design(
            Size(30, 24, 5), 2, 1, (0.2,), seed=seed, faults=("rebinds",), sound=("words",)
        )
        topics = Instrument(
            "recall", "others", "scores", lambda seen: [probe.topic for probe in seen.plan.probes]
        )
        found = measure([corpus()], design, [topics])
        return [(run.purpose, run.number, run.saw["recall"]) for run in found]

    assert saw(1) == saw(1) != saw(2)
    assert [run[:2] for run in saw(1)] == [
        ("sound", 0),
        ("usual", 0),
        ("weaker", 0),
        ("sound", 1),
        ("usual", 1),
        ("calibration", 2),
        ("calibration", 3),
    ]
    assert len({tuple(run[2]) for run in saw(1)}) == 4  # one life a number


def test_the_script_writes_every_table_by_its_contract(tmp_path):
    paths = {name: tmp_path / f"{name}.csv" for name in ("rates", "instruments", "faults", "power")}
    paths["thresholds"] = tmp_path / "thresholds.csv"
    (tmp_path / "mine.py").write_text("def never(answers):\n    return False\n")
    design = {"studies": 1, "power_studies": 1, "strengths": [0.1], "around": ["facts"]}
    load_script("zoo/measure_zoo.py").main(
        [ROOT / "data/corpora/A/corpus.yaml"],
        **paths,
        entries=30,
        probes=4,
        k=5,
        cells=2,
        seed=3,
        design=design,
        yours={"never": {"function": str(tmp_path / "mine.py") + ":never"}},
        judge={"studies": 0},
    )
    written = [each for each in TABLES if each != VERDICTS]  # without a judge there are none
    read = {each.name: read_table(paths[each.name.rpartition("/")[2]], each) for each in written}
    rates = read["zoo/rates"]
    assert len(rates) == (23 + 4) * (18 + 2 + 1)
    assert set(rates[rates["instrument"] == "never"]["noticed"]) == {0}
    assert set(read["zoo/power"]["strength"]) >= {0.1}


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_sentences_say_the_counts(language):
    made = tables(FOUND, EVERY)
    words = Wording.read(language).of("zoo")
    finding = find(made["instruments"], made["faults"], made["rates"], words)
    assert finding.sure == "descriptive"
    said = [finding.answer, *finding.limits, *finding.details]
    assert [each.key.rpartition(".")[2] for each in said[1:]] == ["alarms", "planted", "yours"]
    for number in ("2", "1"):
        assert number in finding.answer
    assert "1" in said[1]
    assert "mine" in said[-1]


def test_what_nobody_sees_and_what_one_sees_is_named():
    words = Wording.read("en").of("zoo")
    made = zoo_tables()
    faults = made["zoo/faults"].copy()
    faults.loc[faults["subject"] == "merges", "by"] = None
    finding = find(made["zoo/instruments"], faults, made["zoo/rates"], words)
    said = " ".join([*finding.limits, *finding.details])
    assert "oticed by no single instrument in four studies of five: merges near topics." in said
    assert "oticed by one instrument alone: " in said
    assert "stale cache" in said


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_figure_has_a_square_for_whatever_was_noticed(tmp_path, language):
    from veridical.base.tables import write_table
    from veridical.zoo.tables import RATES

    rates = zoo_tables()["zoo/rates"]
    write_table(rates, tmp_path / "rates.csv", RATES)
    texts = ROOT / f"workflow/report/text.{language}.yaml"
    svg = tmp_path / "zoo.svg"
    load_script("zoo/draw_zoo.py").main(
        tmp_path / "rates.csv", svg, tmp_path / "zoo.pdf", texts=texts
    )
    drawn = svg.read_text(encoding="utf-8")
    words = Wording.load(texts).of("zoo")
    for name in rates["subject"].unique():
        assert words.value("subject", name).replace("'", "&apos;") in drawn or (
            words.value("subject", name) in drawn
        )
    squares = drawn.count("#1a54c0") + drawn.count("#c8460c")
    assert squares >= int((rates["noticed"] > 0).sum())
