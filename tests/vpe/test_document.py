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
from veridical.vpe.document import CLAIMED, MEASURED, compare_document, document_findings
from veridical.vpe.findings import find
from veridical.vpe.leads import upper_entropy
from veridical.vpe.measures import measure_problems
from veridical.vpe.page import method
from veridical.vpe.paired import MARGINS, Margins
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
    return compare_document(measure_problems(rollouts(right)), 2240, **DRAW).set_index("measure")


def test_differences_by_hand():
    """Four of eight more on each of nine problems: 2 of 2^9 flips reach as far."""
    table = contrast({"own": [2] * 9, DOCUMENT: [6] * 9})
    row = table.loc["verified_probability"]
    assert (row.without, row.with_document, row.estimate) == (0.25, 0.75, 0.5)
    assert (row.low, row.high) == (row.least, row.most) == (0.5, 0.5)
    assert row.p == pytest.approx(2 / 512)
    assert row.p_holm == pytest.approx(2 * 2 / 512)  # two of the four measures are claimed
    assert (row.finding, row.n_tested) == ("more", 9)
    assert table.loc["mode_entropy", "estimate"] == pytest.approx(0)  # one each, three each: log 2
    assert tuple(table.index) == MEASURED
    reported = table.loc[list(MEASURED[2:])]
    assert (reported["finding"] == "reported").all()
    assert reported[["n_tested", "least", "p", "p_holm", "lowest"]].isna().all(axis=None)


def test_an_entropy_lies_between_what_is_seen_and_what_may_be_unseen():
    """Without: two ways, each once, all unseen. With: two ways three times each, none unseen."""
    row = contrast({"own": [2] * 9, DOCUMENT: [6] * 9}).loc["mode_entropy"]
    most = float(upper_entropy(np.array([np.log(2)]), np.array([1.0]), 2240)[0])
    assert most == pytest.approx(np.log(2240))
    assert (row.least, row.most) == pytest.approx((np.log(2) - most, 0.0))
    assert (row.p, row.finding) == (1.0, "not settled")


def test_fewer_verified_rollouts_alone_close_no_ways():
    """Sixteen ways either way, of which fewer verified rollouts show fewer: no finding."""
    right = {"own": [64] * 12, DOCUMENT: [10] * 12}
    problems = measure_problems(rollouts(right, modes=16, n=64))
    found = document_findings(problems, 2240, MARGINS).set_index("measure")
    plain = problems.groupby("preset")["mode_entropy"].mean()
    assert plain["own"] - plain[DOCUMENT] > 0.4
    assert found.loc["mode_entropy", "finding"] == "not settled"
    assert found.loc["verified_probability", "finding"] == "less"


def test_ways_are_compared_where_both_sides_reached_a_problem():
    right = {"own": [8] * 10 + [0, 8], DOCUMENT: [8] * 10 + [8, 0]}
    found = document_findings(measure_problems(rollouts(right)), 2240, MARGINS)
    assert found["n_tested"].tolist() == [12, 10]
    ways = found.set_index("measure").loc["mode_entropy"]
    assert (ways.least, ways.most, ways.finding) == (0.0, 0.0, "same")


def test_nothing_is_compared_where_no_problem_was_reached_on_both_sides():
    found = document_findings(
        measure_problems(rollouts({"own": [8, 0], DOCUMENT: [0, 8]})), 2240, MARGINS
    ).set_index("measure")
    ways = found.loc["mode_entropy"]
    assert (ways.n_tested, ways.finding) == (0, "too few problems")
    assert np.isnan(ways.least)
    assert np.isnan(ways.p)


def test_ways_without_an_end_are_not_settled_and_take_no_part_in_the_correction():
    problems = measure_problems(rollouts({"own": [2] * 9, DOCUMENT: [6] * 9}))
    table = compare_document(problems, None, **DRAW).set_index("measure")
    assert table.loc["mode_entropy", "finding"] == "no bound"
    assert table.loc["mode_entropy", ["least", "p", "p_holm"]].isna().all()
    row = table.loc["verified_probability"]
    assert row.p_holm == row.p == pytest.approx(2 / 512)


def test_the_margin_decides_what_is_the_same():
    """A quarter up and down in turn: 2.4 of 3 is much to reach for 0.2, 1.2 of 3 is not for 0.1."""
    problems = measure_problems(rollouts({"own": [2, 4] * 6, DOCUMENT: [4, 2] * 6}))
    wide, narrow = (
        document_findings(problems, 2240, Margins(share=share)).set_index("measure")["finding"]
        for share in (0.2, 0.1)
    )
    assert (wide[CLAIMED[0]], narrow[CLAIMED[0]]) == ("same", "not settled")


def test_models_and_horizons_are_one_family_and_studies_are_not():
    one = rollouts({"own": [2] * 9, DOCUMENT: [6] * 9})
    both = pd.concat([one, one.assign(horizon=24), one.assign(model="n")])
    found = document_findings(measure_problems(both), 2240, MARGINS)
    own = found[found["measure"] == CLAIMED[0]]
    assert own["p_holm"].tolist() == pytest.approx([6 * 2 / 512] * 3)
    assert own["lowest"].tolist() == pytest.approx([6 * 2 / 512] * 3)
    studies = pd.concat([one.assign(study=1), one.assign(study=2)])
    found = document_findings(measure_problems(studies, by=["study"]), 2240, MARGINS, ["study"])
    assert found.loc[found["measure"] == CLAIMED[0], "p_holm"].tolist() == [4 / 512] * 2


def test_swapping_the_two_sides_turns_the_differences_round():
    one = contrast({"own": [1, 4, 2, 8, 5], DOCUMENT: [3, 4, 7, 6, 5]})
    other = contrast({"own": [3, 4, 7, 6, 5], DOCUMENT: [1, 4, 2, 8, 5]})
    assert one["estimate"].tolist() == pytest.approx((-other["estimate"]).tolist())
    assert one["p"].tolist() == pytest.approx(other["p"].tolist(), nan_ok=True)
    assert one["low"].tolist() == pytest.approx((-other["high"]).tolist())


def test_the_first_preset_is_the_one_without_and_problems_are_paired_by_name():
    right = {"own": [2, 6], "digest": [8, 8], DOCUMENT: [3, 7]}
    table = rollouts(right)
    mixed = table.sample(frac=1, random_state=3).sort_values("preset", key=lambda c: c != "own")
    found = compare_document(measure_problems(mixed), 2240, **DRAW).set_index("measure")
    assert found.loc["verified_probability", "without"] == 0.5
    assert found.loc["verified_probability", "low"] == pytest.approx(1 / 8)
    assert found.loc["verified_probability", "high"] == pytest.approx(1 / 8)


def test_a_problem_that_only_one_side_has_is_named():
    problems = measure_problems(rollouts({"own": [2, 2], DOCUMENT: [2, 2]}))
    gone = (problems["preset"] == DOCUMENT) & (problems["problem_id"] == "q1")
    with pytest.raises(ValueError, match=r"m at 96 tokens: only with or only without .*: q1"):
        compare_document(problems[~gone], 2240, **DRAW)
    with pytest.raises(ValueError, match=r"none without: set vpe\.document"):
        compare_document(problems[problems["preset"] == "own"], 2240, **DRAW)


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
            | {"n_verified": count, "coverage_good_turing": 1.0}
            for preset, counts in drawn.items()
            for at, count in enumerate(counts)
        )
        rows.append(compare_document(table, 2240, seed=1, resamples=200).iloc[0])
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
        tmp_path / "r.csv", tmp_path / "d.csv", of="document", modes={}, maps={}, margins={},
        smoothing=0.5, **DRAW,
    )  # fmt: skip
    found = read_table(tmp_path / "d.csv", TABLE)
    assert found["measure"].tolist() == list(MEASURED)


@pytest.mark.parametrize(
    ("right", "en", "it"),
    [
        (
            {"own": [2] * 9, DOCUMENT: [6] * 9},
            "On these problems m is verified more often with the document at 160 tokens (by 0.50; "
            "p = 0.0078, sign flips over problems, after Holm over two tests).",
            "In questi problemi m è verificato più spesso con il documento a 160 token (di 0,50;",
        ),
        (
            {"own": [6] * 9, DOCUMENT: [2] * 9},
            "On these problems m is verified less often with the document at 160 tokens (by 0.50;",
            "In questi problemi m è verificato meno spesso con il documento a 160 token (di 0,50;",
        ),
        (
            {"own": [8] * 9, DOCUMENT: [8] * 9},
            "On these problems m is verified as often with the document as without at 160 tokens, "
            "to within 0.10 (p = 0.0039,",
            "è verificato con il documento tanto spesso quanto senza a 160 token, entro 0,10",
        ),
        (
            {"own": [8] * 9, DOCUMENT: [8] * 9},
            "On these problems the document leaves m as many verified ways at 160 tokens, to "
            "within 0.25 nats, the ways not seen allowed for (p = 0.0039, after Holm over two",
            "In questi problemi il documento lascia a m altrettante vie verificate a 160 token",
        ),
        (
            {"own": [2, 6] * 5, DOCUMENT: [6, 2] * 5},
            "Whether the document changes how often m is verified at 160 tokens is not settled.",
            "Se il documento cambi quanto spesso m è verificato a 160 token non è deciso.",
        ),
        (
            {"own": [2] * 3, DOCUMENT: [6] * 3},
            "With three problems nothing can be told of how often m is verified with the document "
            "at 160 tokens: sign flips give no p below 0.500 (after Holm over two tests).",
            "Con tre problemi non si può dire quanto spesso m sia verificato con il documento",
        ),
        (
            {"own": [2] * 2, DOCUMENT: [6] * 2},
            "With two problems nothing can be told of the verified ways that the document leaves "
            "to m at 160 tokens: sign flips give no p below 1.000",
            "Con due problemi non si può dire quali vie verificate il documento lasci a m",
        ),
    ],
)
def test_the_page_says_what_was_found(right, en, it, study_root):
    study = read(study_root)
    summary, leads = study.tables["vpe/summary"], study.tables["vpe/leads"]
    table = contrast(right).reset_index().assign(horizon=160)
    for words, said in ((EN, en), (IT, it)):
        found = find(summary, leads, words, None, table)
        assert said in " ".join(found.details)
        assert found.sure == find(summary, leads, words).sure


def test_ways_that_open_or_close_are_told_by_the_least_that_they_could_be(study_root):
    """One way three hundred times, then eight as often: log 8 nats more, nothing unseen."""
    study = read(study_root)
    sides = [rollouts({name: [64] * 9}, modes, 64)
             for name, modes in (("own", 1), (DOCUMENT, 8))]  # fmt: skip
    for turned, word in ((False, "opens verified ways to"), (True, "closes verified ways to")):
        pair = [side.assign(preset=name) for side, name in
                zip(sides[::-1] if turned else sides, ("own", DOCUMENT), strict=True)]  # fmt: skip
        table = compare_document(measure_problems(pd.concat(pair)), 2240, **DRAW)
        found = find(study.tables["vpe/summary"], study.tables["vpe/leads"], EN, None,
                     table.assign(horizon=160))  # fmt: skip
        said = f"On these problems the document {word} m at 160 tokens: by 2.08 nats or more"
        assert said in " ".join(found.details)


def test_the_page_gives_numbers_first_and_nothing_without_a_document(study_root):
    study = read(study_root)
    summary, leads = study.tables["vpe/summary"], study.tables["vpe/leads"]
    table = contrast({"own": [2] * 6, DOCUMENT: [6] * 6}).reset_index().assign(horizon=160)
    said = " ".join(find(summary, leads, EN, None, table).details)
    assert (
        "With the document, m at 160 tokens: verified probability +0.500 [+0.500, +0.500]" in said
    )
    assert "entropy of verified ways" in said
    assert "document" not in " ".join(find(summary, leads, EN).details)
    endless = table.assign(finding=table["finding"].where(table["measure"] != CLAIMED[1],
                                                          "no bound"))  # fmt: skip
    assert "The modes have no end" in " ".join(find(summary, leads, EN, None, endless).details)
    study.config["vpe"]["document"] = {"corpus": "A"}
    assert "with a document in the system prompt (A)" in " ".join(method(study, EN))
