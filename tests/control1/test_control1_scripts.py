"""Control 1 from replies to figures: the scripts in a row, as the workflow runs them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.control1_study import JUDGES, METRICS, SETTINGS, verdicts
from support.scripts import load_script
from veridical.base.tables import read_table, write_table
from veridical.control1 import panel_tables
from veridical.control1.panel_tables import INSTRUMENT, NOISE
from veridical.control1.tables import BLINDING, CONTRASTS, FINDING, RESPONSES, VERDICT
from veridical.documents.tables import FIDELITY
from veridical.ledger.replies import COLUMNS
from veridical.models.prompts import read_prompts

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "data/corpora/A"
BESIDE = {"none": True, "reversed": 0.5, "repeated": 0.1, "positive": 6}
DOCUMENTS = ["veridical", "foreign-1", "foreign-2", "shuffled-1", "shuffled-2", "encounter-log"]


def run(name: str, *paths, **values) -> None:
    load_script(f"{name}.py").main(*paths, **values)


def reply_to(prompts: Path, out: Path, say, model: str = "responder") -> None:
    """A replies file in which `say(prompt)` is the text (or the object) of every reply."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for prompt in read_prompts(prompts):
        said = say(prompt)
        line = dict.fromkeys(COLUMNS) | {"id": prompt.id, "sample": 0, "turn": 0, "state": "ok"}
        line |= {
            "model": model,
            "facts": dict(prompt.facts),
            "value": said,
            "text": said if isinstance(said, str) else json.dumps(said),
        }
        lines.append(line | {"served_model": "scripted", "attempt": 1, "exchanges": []})
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def score(prompt) -> dict:
    """A judge that reads: 0.2 more memory where the text says so, 0.1 for standing first."""
    answers = prompt.turns[0].user.split("Answer B:")
    found = {}
    for letter, text in zip("AB", answers, strict=True):
        lived = 0.2 * ("under veridical" in text) - 0.3 * ("with a stranger" in text)
        lived += 0.1 * (letter == "A")
        found[letter] = {"identity_markers": 0.5, "memory_reference": round(0.4 + lived, 2)}
    return found


def life(name: str) -> str:
    """A stranger's memory in the corpus's form."""
    line = "2025-03-{0:02d} — met {1} — the boat of spring {0}: mended with a stranger, {2} oars\n"
    return "".join(line.format(day, name, "long " * day) for day in range(1, 9))


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    """Everything from documents to verdicts, by the scripts."""
    at = tmp_path_factory.mktemp("study")
    documents = []
    for name in DOCUMENTS:
        documents.append(at / f"{name}.txt")
        documents[-1].write_text(f"a memory under {name}\n", encoding="utf-8")
    run(
        "control1/write_response_prompts",
        CORPUS,
        documents,
        at / "responses.jsonl",
        seed=1,
        parameters={"temperature": 0.7},
        none=True,
    )
    reply_to(
        at / "responses.jsonl", at / "said.jsonl", lambda p: f"said under {p.facts['document']}"
    )
    strangers = at / "strangers"
    strangers.mkdir()
    lives = [strangers / f"foreign-{seed}.txt" for seed in (1, 2)]
    for path in lives:
        path.write_text(life(path.stem), encoding="utf-8")
    run("control1/write_positive_pairs", [CORPUS], lives, at / "positive.csv", seed=1, pairs=6)
    run(
        "control1/gather_responses",
        [CORPUS],
        [at / "responses.jsonl"],
        [at / "said.jsonl"],
        at / "responses.csv",
    )
    run(
        "control1/blind_responses",
        [CORPUS],
        at / "responses.csv",
        at / "positive.csv",
        at / "map.csv",
        seed=1,
        cells=[("responder", "A")],
        judges=JUDGES,
        beside=BESIDE,
    )
    (at / "sheets").mkdir()
    for judge in JUDGES:
        run(
            "control1/write_sheets",
            [CORPUS],
            at / "responses.csv",
            at / "map.csv",
            at / "positive.csv",
            at / f"sheets/{judge}.jsonl",
            model=judge,
            metrics=list(METRICS),
            rationale=False,
            parameters={"max_tokens": 160},
        )
        reply_to(at / f"sheets/{judge}.jsonl", at / f"verdicts/of-{judge}.jsonl", score, judge)
    run(
        "control1/read_verdicts",
        at / "map.csv",
        [at / f"verdicts/of-{judge}.jsonl" for judge in JUDGES],
        at / "verdicts.csv",
        metrics=list(METRICS),
    )
    return at


def test_counts_are_those_of_the_design(study):
    responses = read_table(study / "responses.csv", RESPONSES)
    # 7 items under veridical, two foreign, two shuffled, no document, and their anchors
    assert responses["condition"].value_counts().to_dict() == {
        "foreign": 14,
        "shuffled": 14,
        "veridical": 7,
        "anchor": 7,
        "none": 7,
    }
    table = read_table(study / "verdicts.csv", VERDICT)
    by_session = (table["session"].value_counts() // (2 * 2)).to_dict()  # judges × metrics
    source = {"original": 7, "counterfeit": 28}
    # half of 7 rounded up, a tenth of 35 rounded up
    assert by_session == source | {"none": 7, "reversed": 4, "repeated": 4, "positive": 6}
    assert set(table["state"]) == {"complete"}


def test_analysis_of_what_the_judges_said(study):
    run(
        "control1/test_contrasts",
        study / "verdicts.csv",
        study / "map.csv",
        study / "contrasts.csv",
        study / "drift.csv",
        study / "findings.csv",
        study / "instrument.csv",
        study / "noise.csv",
        seed=1,
        settings=SETTINGS,
    )
    found = read_table(study / "findings.csv", FINDING)
    heard = dict(zip(found["metric"], found["sensitive"], strict=True))
    assert heard == {"identity_markers": "not sensitive", "memory_reference": "sensitive"}
    panel = read_table(study / "instrument.csv", INSTRUMENT).set_index(["metric", "test"])
    quoted = panel.loc[("memory_reference", "quoted")]
    assert (quoted["n"], quoted["estimate"]) == (6, pytest.approx(0.3, abs=0.04))
    place = panel.loc[("memory_reference", "order")]
    assert (place["n"], place["estimate"]) == (4, pytest.approx(0.1))
    noise = read_table(study / "noise.csv", NOISE)
    assert noise["n_repeated"].tolist() == [8] * 4  # judges × metrics; two texts a sheet
    assert (noise["identical"] == 1).all()  # this judge repeats itself
    memory = noise[noise["metric"] == "memory_reference"]
    assert (memory["beyond"] > 0.04).all()  # the place moves the anchor by 0.1
    table = read_table(study / "contrasts.csv", CONTRASTS).set_index(
        ["metric", "contrast", "reading"]
    )
    kinds = ("veridical-foreign", "veridical-shuffled", "veridical-none")
    for kind in kinds:
        flat = table.loc[("identity_markers", kind, "anchored")]
        assert flat["estimate"] == 0
        assert flat["t_verdict"] == "not defined"
        # The judge adds 0.2; the first place's 0.1 moves an item by at most 0.1 either way.
        lived = table.loc[("memory_reference", kind, "anchored")]
        assert lived["estimate"] == pytest.approx(0.2, abs=0.03)
        assert lived["verdict"] == "different"
    run(
        "control1/examine_judges",
        study / "verdicts.csv",
        study / "map.csv",
        study / "judges.csv",
        seed=1,
        settings=SETTINGS,
    )
    judges = read_table(study / "judges.csv", panel_tables.JUDGES)
    order = judges[judges["statistic"] == "order_effect"].set_index("metric")["value"]
    assert order["memory_reference"].to_numpy() == pytest.approx(0.1)
    assert order["identity_markers"].to_numpy() == pytest.approx(0)
    alpha = judges[judges["statistic"] == "alpha"].set_index("metric")
    assert alpha.loc["identity_markers", "note"] == "identical scores"


def test_a_map_that_does_not_match_the_verdicts(study, tmp_path):
    other = read_table(study / "map.csv", BLINDING).iloc[1:]
    write_table(other, tmp_path / "map.csv", BLINDING)
    with pytest.raises(ValueError, match="don't hold the same sheets"):
        run(
            "control1/examine_judges",
            study / "verdicts.csv",
            tmp_path / "map.csv",
            tmp_path / "judges.csv",
            seed=1,
            settings=SETTINGS,
        )


@pytest.mark.parametrize("constant", [False, True])
def test_figures_are_drawn_and_the_same_twice(tmp_path, constant):
    maps, table = verdicts(
        np.random.default_rng(1),
        judges=("one", "two"),
        noise=0.0 if constant else 0.05,
        item_sd=0.0 if constant else 0.05,
    )
    write_table(maps, tmp_path / "map.csv", BLINDING)
    write_table(table, tmp_path / "verdicts.csv", VERDICT)
    inputs = (tmp_path / "verdicts.csv", tmp_path / "map.csv")
    values = {"seed": 1, "settings": SETTINGS}
    drift = tmp_path / "drift.csv"
    more = [tmp_path / f"{name}.csv" for name in ("findings", "instrument", "noise")]
    run("control1/test_contrasts", *inputs, tmp_path / "contrasts.csv", drift, *more, **values)
    power = load_script("control1/simulate_power.py")
    keep, power.power_table = (
        power.power_table,
        lambda *a, **k: keep(*a, **k, items=(5, 10), simulations=50, resamples=50),
    )
    power.main(*inputs, tmp_path / "power.csv", **values)
    for name, source in (
        ("forest", "contrasts"),
        ("drift", "drift"),
        ("scores", "verdicts"),
        ("power", "power"),
    ):
        more = {"bound": 0.1} if name == "forest" else {}
        drawn = []
        for again in ("one", "two") if not constant else ("one",):
            paths = [tmp_path / again / f"{name}.{suffix}" for suffix in ("svg", "pdf")]
            run(f"control1/draw_{name}", tmp_path / f"{source}.csv", *paths, **more)
            drawn.append([path.read_bytes() for path in paths])
        assert drawn[0] == drawn[-1]
        assert b"n = 7 items" in drawn[0][0] or name == "power"


def test_document_scripts_write_what_passes_its_checks(tmp_path):
    run("documents/copy_memory", CORPUS, tmp_path / "veridical.txt", content="veridical")
    run("documents/copy_memory", CORPUS, tmp_path / "encounter-log.txt", content="encounter-log")
    run("documents/shuffle_memory", CORPUS, tmp_path / "shuffled-1.txt", seed=1, tolerance=0.05)
    run(
        "documents/check_fidelity",
        CORPUS,
        [tmp_path / "veridical.txt", tmp_path / "shuffled-1.txt"],
        tmp_path / "fidelity.csv",
        tolerance=0.05,
    )
    assert read_table(tmp_path / "fidelity.csv", FIDELITY)["passed"].all()
    log = (tmp_path / "encounter-log.txt").read_text(encoding="utf-8").splitlines()
    block = (tmp_path / "veridical.txt").read_text(encoding="utf-8").splitlines()
    assert (len(block), set(block) <= set(log)) == (30, True)


def test_a_foreign_document_that_fails_is_not_written(tmp_path):
    run(
        "documents/write_author_prompts",
        CORPUS,
        tmp_path / "prompts.jsonl",
        seeds=[1],
        form="entries",
        parameters={"max_tokens": 120},
        further={},
    )
    begin = "{0}the {1}: no."
    reply_to(
        tmp_path / "prompts.jsonl",
        tmp_path / "replies.jsonl",
        lambda p: begin.format(p.turns[0].form.begin, p.id[-2:]),
    )
    with pytest.raises(ValueError, match=r"foreign-1: characters is .*, must be 5065–5599 \(-"):
        run(
            "documents/assemble_foreign",
            CORPUS,
            tmp_path / "prompts.jsonl",
            tmp_path / "replies.jsonl",
            tmp_path / "foreign-1.txt",
            seed=1,
            tolerance=0.05,
            further={},
        )
    assert not (tmp_path / "foreign-1.txt").exists()
    run(
        "documents/list_attempts",
        CORPUS,
        tmp_path / "prompts.jsonl",
        tmp_path / "replies.jsonl",
        tmp_path / "attempts.csv",
        seeds=[1],
        tolerance=0.05,
        further={},
    )
    table = pd.read_csv(tmp_path / "attempts.csv")
    assert table["failed_checks"].iloc[0].startswith("characters")


def test_a_response_that_cannot_be_judged_is_decided_about_and_ends_nothing(study, tmp_path):
    """It is left out with its item on both sides, or accepted; and until then it is named."""
    lines = [json.loads(line) for line in _lines(study / "said.jsonl")]
    (bad,) = (line for line in lines if line["id"] == "foreign-1-A-T2")
    bad |= {"state": "filtered", "text": "", "value": None}
    replies = tmp_path / "responder.jsonl"
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    prompts, out = study / "responses.jsonl", tmp_path / "responses.csv"
    address = "responses/responder/responses-A/foreign-1-A-T2"

    def gather(**decisions):
        run("control1/gather_responses", [CORPUS], [prompts], [replies], out, decisions=decisions)
        return read_table(out, RESPONSES)

    with pytest.raises(ValueError, match=rf"{address} \(state filtered\).*ask_again, leave_out"):
        gather()
    everything = read_table(study / "responses.csv", RESPONSES)
    left = gather(leave_out={address: "the provider filters it"})
    assert set(everything["item_id"]) - set(left["item_id"]) == {"A-T2"}
    assert len(left) == len(everything) - (everything["item_id"] == "A-T2").sum()
    accepted = gather(accept={address: "a filtered answer is what this agent gives"})
    assert len(accepted) == len(everything)
    (row,) = accepted[
        (accepted["item_id"] == "A-T2") & (accepted["document"] == "foreign-1")
    ].itertuples()
    assert row.state == "filtered"


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()
