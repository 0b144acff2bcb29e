"""The same problems with and without an added document: asked, paired, measured, told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.fixture_study import read
from support.scripts import load_script
from veridical.base.config import check_config
from veridical.base.tables import read_table, write_table
from veridical.models.conversation import converse
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts
from veridical.report.wording import Wording
from veridical.vpe.asks import asks
from veridical.vpe.document import MEASURED, compare_document
from veridical.vpe.findings import find
from veridical.vpe.measures import measure_problems
from veridical.vpe.page import method
from veridical.vpe.rollouts import DOCUMENT, INSTRUCTION
from veridical.vpe.tables import DOCUMENT as TABLE
from veridical.vpe.tables import ROLLOUTS

EN, IT = (Wording.read(language).of("vpe") for language in ("en", "it"))
PROBLEMS = Path(__file__).parents[2] / "data/problems/arithmetic.jsonl"
DRAW = {"seed": 1, "resamples": 500}
ASKED = {"n_problems": 3, "rollouts": 2, "horizon": 96, "seed": 1, "also": ["digest"]}
SAMPLING = {"temperature": 0.8, "top_p": 0.95}


def prompts(tmp_path, preset: str, text: str | None = None):
    document = []
    if text is not None:
        document = [tmp_path / "document.txt"]
        document[0].write_text(text, encoding="utf-8")
    out = tmp_path / f"{preset}.jsonl"
    write = load_script("vpe/write_rollout_prompts.py").main
    write(PROBLEMS, out, preset=preset, sampling=SAMPLING, document=document, **ASKED)
    return read_prompts(out)


# --- what is asked


def test_the_document_stands_in_the_system_prompt_and_nothing_else_differs(tmp_path):
    plain, added = prompts(tmp_path, "published"), prompts(tmp_path, DOCUMENT, "2025: a boat.\n")
    assert [p.id for p in plain] == [p.id for p in added]
    for one, other in zip(plain, added, strict=True):
        assert one.turns[0].user == other.turns[0].user
        assert one.turns[0].system == INSTRUCTION
        assert other.turns[0].system == f"{INSTRUCTION}\n\n2025: a boat."
        assert other.turns[0].document.text == "2025: a boat."
        sampling = ({k: v for k, v in p.parameters.items() if k != "seed"} for p in (one, other))
        assert next(sampling) == next(sampling)  # the first preset's, not digest's
        assert one.parameters["seed"] != other.parameters["seed"]  # so the samples are separate
        assert (one.facts["preset"], other.facts["preset"]) == ("published", DOCUMENT)


def test_the_keys_of_what_is_asked_without_it_are_as_they_were(tmp_path):
    model = Model("m", "scripted", "m")
    keys = [
        [next(converse(p, 0, model))[1].key for p in prompts(tmp_path, *which)]
        for which in (("published",), (DOCUMENT, "A boat."))
    ]
    assert not set(keys[0]) & set(keys[1])
    assert prompts(tmp_path, "published")[0].turns[0].document is None


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_document_without_a_text_is_refused(text, tmp_path):
    with pytest.raises(ValueError, match=r"vpe.document: .*document.txt holds no text"):
        prompts(tmp_path, DOCUMENT, text)


def config(**part) -> dict:
    models = {"m": {"provider": "scripted", "model": "m"}}
    vpe = {
        "models": ["m"],
        "problems": "data/problems/arithmetic.jsonl",
        "n_problems": 3,
        "rollouts": 2,
        **part,
    }
    return {"study": "s", "seed": 1, "models": models, "vpe": {**vpe, "horizons": [96]}}


def test_rollouts_with_the_document_are_counted_before_anything_is_paid():
    given = check_config(config(document={"corpus": "A"}))
    assert [ask.calls for ask in asks(given, {})] == [12]
    assert [ask.calls for ask in asks(check_config(config()), {})] == [6]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, "vpe/document"),
        ({"file": "data/problems/arithmetic.jsonl", "corpus": "A"}, "vpe/document"),
        ({"file": "data/nothing.txt"}, "vpe/document/file: no file 'data/nothing.txt'"),
        ({"corpus": "Z"}, "corpus 'Z': no folder data/corpora/Z"),
        ("data/x.txt", "vpe/document"),
    ],
)
def test_a_document_that_is_not_there_is_refused(document, said):
    with pytest.raises(Exception, match=said):
        check_config(config(document=document))


# --- what is measured


def rollouts(right: dict[str, list[int]], modes: int = 2, n: int = 8) -> pd.DataFrame:
    """So many of n rollouts verified, a list over problems for each preset, in `modes` ways."""
    return pd.DataFrame(
        {"model": "m", "horizon": 96, "preset": preset, "problem_id": f"q{at}", "sample": sample}
        | {"verified": sample < count, "mode": str(sample % modes)}
        for preset, counts in right.items()
        for at, count in enumerate(counts)
        for sample in range(n)
    )


def contrast(right: dict[str, list[int]]) -> pd.DataFrame:
    return compare_document(measure_problems(rollouts(right)), **DRAW).set_index("measure")


def test_differences_by_hand():
    """Four of eight more on each of six problems: 2 of 2^6 flips reach as far."""
    table = contrast({"own": [2] * 6, DOCUMENT: [6] * 6})
    row = table.loc["verified_probability"]
    assert (row.without, row.with_document, row.estimate) == (0.25, 0.75, 0.5)
    assert (row.low, row.high) == (0.5, 0.5)
    assert row.p == pytest.approx(2 / 64)
    assert row.p_holm == pytest.approx(4 * 2 / 64)
    assert table.loc["mode_entropy", "estimate"] == pytest.approx(0)  # one each, three each: log 2
    assert table.loc["mode_entropy", "p"] == 1
    assert tuple(table.index) == MEASURED


def test_swapping_the_two_sides_turns_the_differences_round():
    one = contrast({"own": [1, 4, 2, 8, 5], DOCUMENT: [3, 4, 7, 6, 5]})
    other = contrast({"own": [3, 4, 7, 6, 5], DOCUMENT: [1, 4, 2, 8, 5]})
    assert one["estimate"].tolist() == pytest.approx((-other["estimate"]).tolist())
    assert one["p"].tolist() == pytest.approx(other["p"].tolist())
    assert one["low"].tolist() == pytest.approx((-other["high"]).tolist())


def test_the_first_preset_is_the_one_without_and_problems_are_paired_by_name():
    right = {"own": [2, 6], "digest": [8, 8], DOCUMENT: [3, 7]}
    table = rollouts(right)
    mixed = table.sample(frac=1, random_state=3).sort_values("preset", key=lambda c: c != "own")
    found = compare_document(measure_problems(mixed), **DRAW).set_index("measure")
    assert found.loc["verified_probability", "without"] == 0.5
    assert found.loc["verified_probability", "low"] == pytest.approx(1 / 8)
    assert found.loc["verified_probability", "high"] == pytest.approx(1 / 8)


def test_a_problem_that_only_one_side_has_is_named():
    problems = measure_problems(rollouts({"own": [2, 2], DOCUMENT: [2, 2]}))
    gone = (problems["preset"] == DOCUMENT) & (problems["problem_id"] == "q1")
    with pytest.raises(ValueError, match=r"m at 96 tokens: only with or only without .*: q1"):
        compare_document(problems[~gone], **DRAW)
    with pytest.raises(ValueError, match=r"none without: set vpe\.document"):
        compare_document(problems[problems["preset"] == "own"], **DRAW)


def worlds(added: float, studies: int, problems: int = 13, n: int = 16) -> pd.DataFrame:
    """p and interval of the verified probability where the document changes problems unlike."""
    rng = np.random.default_rng(11)
    rows = []
    for _ in range(studies):
        chance = rng.beta(2, 2, problems)
        moved = np.clip(chance + rng.choice([-0.2, 0.2], problems) + added, 0.01, 0.99)
        drawn = {"own": rng.binomial(n, chance), DOCUMENT: rng.binomial(n, moved)}
        table = pd.DataFrame(
            {"model": "m", "horizon": 1, "preset": preset, "problem_id": at}
            | dict.fromkeys(MEASURED, count / n)
            for preset, counts in drawn.items()
            for at, count in enumerate(counts)
        )
        rows.append(compare_document(table, seed=1, resamples=200).iloc[0])
    return pd.DataFrame(rows)


def test_where_the_document_changes_nothing_on_average_p_holds_its_level():
    """120 studies whose problems move either way: at 5 %, 13 or more come in one of 100 checks."""
    found = worlds(0.0, 120)
    assert (found["p"] <= 0.05).sum() <= 12
    assert (found["p_holm"] >= found["p"]).all()


def test_where_it_helps_by_thirty_points_that_is_found_in_most():
    assert (worlds(0.3, 40)["p"] <= 0.05).mean() > 0.7


# --- the table and the page


def test_the_script_writes_the_table_by_its_contract(tmp_path):
    table = rollouts({"own": [2, 3, 4], DOCUMENT: [5, 5, 5]}).assign(
        state="ok", complete=True, gold="7", extracted="7", way="none", length_bin=1, operators="+",
        equations=1, style="prose", tokens=9, text="#### 7",
    )  # fmt: skip
    write_table(
        table[[name for name in ROLLOUTS.names if name in table]], tmp_path / "r.csv", ROLLOUTS
    )
    load_script("vpe/measure_beside.py").main(
        tmp_path / "r.csv", tmp_path / "d.csv", of="document", modes={}, maps={}, smoothing=0.5,
        **DRAW,
    )  # fmt: skip
    found = read_table(tmp_path / "d.csv", TABLE)
    assert found["measure"].tolist() == list(MEASURED)


def test_the_page_gives_differences_with_their_intervals_and_concludes_nothing(study_root):
    study = read(study_root)
    summary, leads = study.tables["vpe/summary"], study.tables["vpe/leads"]
    table = contrast({"own": [2] * 6, DOCUMENT: [6] * 6}).reset_index().assign(horizon=160)
    found = find(summary, leads, EN, None, table)
    said = " ".join(found.details)
    assert (
        "With the document, m at 160 tokens: verified probability +0.500 [+0.500, +0.500]" in said
    )
    assert "entropy of verified ways" in said
    assert found.sure == find(summary, leads, EN).sure
    assert "Con il documento, m a 160 token" in " ".join(
        find(summary, leads, IT, None, table).details
    )
    assert "document" not in " ".join(find(summary, leads, EN).details)
    study.config["vpe"]["document"] = {"corpus": "A"}
    assert "with a document in the system prompt (A)" in " ".join(method(study, EN))
