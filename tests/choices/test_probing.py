"""What is asked: shared prefixes, options, the quote's grammar; three partners from end to end."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from support.lives import life, with_parts, write_life
from support.scripts import load_script
from veridical.base.tables import write_table
from veridical.control2 import recognition
from veridical.control2.prompts import recognition_prompts
from veridical.control3 import symmetric
from veridical.control3.prompts import partner_prompts, quote_pieces
from veridical.control3.tables import PROBES
from veridical.documents.given import Whole
from veridical.ledger.replies import COLUMNS
from veridical.models.prompts import Document, read_prompts

THREE = ("Xan", "Yve", "Zoe")


def short(**parts):
    """A life whose memory block holds two dates only."""
    corpus = with_parts(life(each=3, remembered=1), **parts)
    assert list(corpus.remembered()["date"]) == ["2025-01-01", "2025-01-02"]
    return corpus


def test_a_quotes_pieces_follow_line_and_dates():
    assert quote_pieces(short(), "soup", ("Xan", "Yve")) == (
        " ",
        ("2025-01-01", "2025-01-02"),
        " — met",
        (" Xan", " Yve"),
    )


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        (
            "{topic} ({date}), with {partner}: {note}",
            (" ", "soup", " (", ("2025-01-01", "2025-01-02"), "), with", (" Xan", " Yve")),
        ),
        ("{partner}, {date}: {topic}. {note}", (" ", ("Xan", "Yve"))),
        ("{date}: {note} ({topic}, {partner})", ()),
    ],
)
def test_other_line_templates(line, pieces):
    assert quote_pieces(short(line=line), "soup", ("Xan", "Yve")) == pieces


def test_quotation_marks_and_backslashes_stay_as_they_are_in_a_piece():
    pieces = quote_pieces(short(line="{topic} {partner} {date} {note}"), 'a "\\" sign', ("X",))
    assert pieces == (" ", 'a "\\" sign', (" X",))


def test_partner_prompts_share_their_prefix_and_list_every_answer():
    corpus = life(THREE)
    probes = symmetric.draw_probes(corpus, 18, np.random.default_rng(1))
    prompts = partner_prompts(corpus, Document("binding-corrupted-2", corpus.memory_block), probes)
    assert len({prompt.turns[0].system for prompt in prompts}) == 1
    for prompt, probe in zip(prompts, probes.itertuples(), strict=True):
        (turn,) = prompt.turns
        assert list(turn.form.options) == probe.options
        assert turn.form.abstention == "I don't know"
        assert all(option in turn.user for option in (*THREE, probe.topic, "I don't know"))
        assert turn.quote.system == turn.system
        assert turn.quote.form.begin == f"The entry that mentions {probe.topic} is dated"
        facts = prompt.facts
        assert facts["truth"] == facts["true_partner"] == probe.true_partner
        assert facts["document_partner"] not in (None, probe.true_partner)


def test_without_a_document_nothing_is_quoted_and_nobody_named():
    corpus = life()
    probes = symmetric.draw_probes(corpus, 8, np.random.default_rng(1))
    for prompt in partner_prompts(corpus, None, probes):
        assert prompt.turns[0].quote is None
        assert prompt.facts["document_partner"] is None


def test_recognition_prompts_show_the_true_text_where_the_probe_says():
    corpus = life()
    probes = recognition.draw_probes(corpus, 8, np.random.default_rng(1))
    prompts = recognition_prompts(
        corpus, Whole(Document("veridical", corpus.memory_block)), "veridical", probes, samples=3
    )
    assert len({prompt.turns[0].system for prompt in prompts}) == 1
    for prompt, probe in zip(prompts, probes.itertuples(), strict=True):
        first = probe.true_text if probe.true_is == "A" else probe.altered_text
        assert prompt.turns[0].user.startswith(f"A: {first}\n")
        assert (prompt.samples, prompt.facts["truth"]) == (3, probe.true_is)


def test_a_probe_with_no_place_for_its_true_text_is_named():
    corpus = life()
    probes = recognition.draw_probes(corpus, 4, np.random.default_rng(1))
    probes.loc[2, "true_is"] = "C"
    with pytest.raises(ValueError, match="probe T-r03: true_is is 'C'"):
        recognition_prompts(corpus, Whole(None), "none", probes)


def test_a_wording_that_the_corpus_lacks_is_named():
    corpus = life(question={"with_whom": "With whom: {topic}?"})
    probes = symmetric.draw_probes(corpus, 8, np.random.default_rng(1))
    with pytest.raises(ValueError, match=r"corpus\.yaml: question/or is missing"):
        partner_prompts(corpus, None, probes)


def test_a_name_may_hold_any_mark(tmp_path):
    corpus = life(("B | C", 'D", "E'))
    drawn = symmetric.draw_probes(corpus, 8, np.random.default_rng(1))
    symmetric.write_probes(drawn, tmp_path / "probes.csv")
    probes = symmetric.read_probes(tmp_path / "probes.csv")
    assert list(probes["options"]) == list(drawn["options"])
    for prompt in partner_prompts(corpus, None, probes):
        assert sorted(prompt.turns[0].form.options) == ["B | C", 'D", "E']


@pytest.mark.parametrize("cell", ["Xan | Yve", '"Xan"', "[1, 2]"])
def test_options_that_are_no_list_are_named(tmp_path, cell):
    drawn = symmetric.draw_probes(life(), 8, np.random.default_rng(1))
    write_table(drawn.assign(options=cell), tmp_path / "probes.csv", PROBES)
    with pytest.raises(ValueError, match=r"probes\.csv, probe T-p01: the options .* drawn again"):
        symmetric.read_probes(tmp_path / "probes.csv")


def veridical(folder):
    """The memory block of a corpus folder as a document, whose file has its name."""
    return shutil.copy(folder / "memory_block.txt", folder.parent / "veridical.txt")


def reply_file(path, model, prompts, answer):
    """A replies file in which a made-up model answers; `answer(facts)` None abstains."""
    lines = []
    for prompt in prompts:
        given = answer(prompt.facts)
        state = "abstained" if given is None else "ok"
        line = dict.fromkeys(COLUMNS) | {"id": prompt.id, "sample": 0, "turn": 0}
        line |= {"model": model, "facts": dict(prompt.facts)}
        lines.append(json.dumps(line | {"state": state, "value": given or "I don't know"}) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))


def test_three_partners_run_through_the_same_scripts(tmp_path):
    folder = write_life(life(THREE, each=30, remembered=10), tmp_path / "T")
    names = ["binding-corrupted-1", "binding-corrupted-2"]
    settings = {"probes": 18, "document_encounters": 30}
    load_script("control3/check_symmetry.py").main(folder, tmp_path / "symmetry.csv", **settings)
    load_script("control3/draw_probes.py").main(folder, tmp_path / "probes.csv", n=18, seed=5)
    documents = {"none": None, "veridical": veridical(folder)}
    for name in names:
        documents[name] = tmp_path / f"{name}.txt"
        load_script("documents/corrupt_bindings.py").main(folder, documents[name], name=name)
    prompts, replies = [], []
    for name, document in documents.items():
        prompts.append(tmp_path / f"prompts/T-{name}.jsonl")
        prompts[-1].parent.mkdir(exist_ok=True)
        load_script("control3/write_prompts.py").main(
            folder, tmp_path / "probes.csv", document, prompts[-1]
        )
        asked = read_prompts(prompts[-1])
        for model, answer in (
            ("follower", lambda facts: facts["document_partner"]),
            ("deaf", lambda facts: "Xan"),
        ):
            replies.append(tmp_path / f"replies/{len(replies)}.jsonl")  # no name says anything
            reply_file(replies[-1], model, asked, answer)
    load_script("control3/score_answers.py").main(prompts, replies, tmp_path / "answers.csv")
    load_script("control3/test_cells.py").main(
        tmp_path / "answers.csv",
        tmp_path / "cells.csv",
        corpora={"T": 3},
        models=["follower", "deaf", "gone"],
    )
    table = pd.read_csv(tmp_path / "cells.csv").set_index(["model", "corrupted_document"])
    assert set(table["m"]) == {6}
    for name in names:
        row = table.loc[("follower", name)]
        assert (row["veridical_correct"], row["corrupted_correct"], row["b"]) == (18, 0, 18)
        assert row["p_holm"] == pytest.approx(6 * 2 / 2**18)
        assert row["follows_corrupted"] == 1.0
        row = table.loc[("deaf", name)]
        assert (row["veridical_correct"], row["corrupted_correct"], row["p_exact"]) == (6, 6, 1.0)
        assert row["one_name_share"] == 1.0
        assert table.loc[("gone", name), "tested"] == "missing"
    for script in ("draw_cells", "draw_parts"):
        figure = tmp_path / f"{script}.svg"
        load_script(f"control3/{script}.py").main(
            tmp_path / "cells.csv", figure, figure.with_suffix(".pdf")
        )
        assert "follower" in figure.read_text()


def test_a_reply_left_out_goes_through_the_scripts_as_one(tmp_path):
    """Eight probes and a follower; the first is left out under the false document alone."""
    folder = write_life(life(THREE[:2], each=30, remembered=10), tmp_path / "T")
    load_script("control3/draw_probes.py").main(folder, tmp_path / "probes.csv", n=8, seed=5)
    documents = {"none": None, "veridical": veridical(folder)}
    documents["binding-corrupted"] = tmp_path / "binding-corrupted.txt"
    load_script("documents/corrupt_bindings.py").main(
        folder, documents["binding-corrupted"], name="binding-corrupted"
    )
    prompts, replies = [], []
    for name, document in documents.items():
        prompts.append(tmp_path / f"{name}.jsonl")
        load_script("control3/write_prompts.py").main(
            folder, tmp_path / "probes.csv", document, prompts[-1]
        )
        replies.append(tmp_path / f"replies/{name}.jsonl")
        reply_file(
            replies[-1], "m", read_prompts(prompts[-1]), lambda facts: facts["document_partner"]
        )
    first, *rest = replies[-1].read_text().splitlines(keepends=True)
    none = {"state": "failed", "value": None, "left_out": "the server says that it is too long"}
    replies[-1].write_text(json.dumps(json.loads(first) | none) + "\n" + "".join(rest))
    answers, cells = tmp_path / "answers.csv", tmp_path / "cells.csv"
    load_script("control3/score_answers.py").main(prompts, replies, answers)
    load_script("control3/test_cells.py").main(answers, cells, corpora={"T": 2}, models=["m"])
    assert (pd.read_csv(answers)["state"] == "left out").sum() == 1
    row = pd.read_csv(cells).iloc[0]
    assert (row["n"], row["n_left_out"], row["b"], row["c"]) == (7, 1, 7, 0)
    assert row["p_exact"] == 2 / 2**7


def test_control2_runs_through_its_scripts(tmp_path):
    folder = write_life(life(), tmp_path / "T")
    load_script("control2/draw_probes.py").main([folder], tmp_path / "probes.csv", n=8, seed=5)
    prompts, replies = [], []
    document = veridical(folder)
    for condition, given in (("veridical", document), ("counterfeit", document), ("none", None)):
        prompts.append(tmp_path / f"prompts/{condition}.jsonl")
        prompts[-1].parent.mkdir(exist_ok=True)
        load_script("control2/write_prompts.py").main(
            folder, tmp_path / "probes.csv", given, prompts[-1], condition=condition, samples=1
        )
        for model, answer in (("seer", lambda facts: facts["truth"]), ("mute", lambda facts: None)):
            replies.append(tmp_path / f"replies/{len(replies)}.jsonl")
            reply_file(replies[-1], model, read_prompts(prompts[-1]), answer)
    answers, samples = tmp_path / "answers.csv", tmp_path / "samples.csv"
    load_script("control2/score_answers.py").main(prompts, replies, answers, samples)
    models, rules = ["seer", "mute"], {"registered": "upper"}
    validity, prior = tmp_path / "validity.csv", tmp_path / "prior_bias.csv"
    given = {"veridical": "veridical", "counterfeit": "foreign-1"}
    load_script("control2/judge_validity.py").main(
        answers, validity, models=models, rules=rules, documents=given
    )
    load_script("control2/estimate_prior.py").main(
        answers, samples, prior, tmp_path / "preferences.csv", models=models, documents=given
    )
    table = pd.read_csv(validity).set_index(["model", "condition"])
    assert str(table.loc[("seer", "none"), "valid"]) == "False"
    assert pd.isna(table.loc[("mute", "none"), "valid"])
    effects = pd.read_csv(prior).set_index(["model", "condition"])
    assert effects.loc[("seer", "veridical"), "effect"] == 0  # right without it all the same
    for script, drawn in (("draw_accuracy", validity), ("draw_prior", prior)):
        figure = tmp_path / f"{script}.svg"
        load_script(f"control2/{script}.py").main(drawn, figure, figure.with_suffix(".pdf"))
        assert "seer" in figure.read_text()
