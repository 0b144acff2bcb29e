"""Control 3's own tables: probes of one's own, and answers given elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support import stranger
from veridical.base.tables import table_text
from veridical.control3.brought import read_own_answers, read_own_probes
from veridical.control3.cells import cells
from veridical.control3.prompts import partner_prompts
from veridical.control3.symmetric import read_probes, write_probes
from veridical.control3.tables import ANSWERS
from veridical.corpora.corpus import read_corpus

CORPUS = read_corpus(Path(__file__).parents[2] / "data/corpora/A")
BLOCK = CORPUS.remembered()
IDS = [e for p in CORPUS.partners for e in BLOCK[BLOCK["partner"] == p]["encounter_id"].head(3)]
MINE = pd.DataFrame({"corpus": "A", "probe_id": [f"m{n}" for n in range(6)], "encounter_id": IDS})


def test_partners_take_turns_in_standing_first(write, tmp_path):
    probes = read_own_probes(write(MINE), CORPUS, 6)
    assert probes["true_position"].tolist() == [1, 2, 1, 1, 2, 1]
    assert all(sorted(own) == sorted(CORPUS.partners) for own in probes["options"])
    write_probes(probes, tmp_path / "probes.csv")
    again = read_probes(tmp_path / "probes.csv")
    assert again["topic"].tolist() == BLOCK.set_index("encounter_id").loc[IDS, "topic"].tolist()


def test_options_and_questions_of_ones_own_are_asked(write):
    first, second = CORPUS.partners
    own = MINE.assign(options=f"{second} | {first}", question="Who spoke of {topic}:")
    own.loc[5, "question"] = None
    probes = read_own_probes(write(own), CORPUS, 6)
    asked = [prompt.turns[0].user for prompt in partner_prompts(CORPUS, None, probes)]
    topic = probes["topic"].iloc[0]
    assert asked[0].startswith(f"Who spoke of {topic}: {second} or {first}?")
    assert not asked[5].startswith("Who spoke of")


@pytest.mark.parametrize(
    ("change", "n", "said"),
    [
        ({}, 8, "has 6 probes of corpus A, and control3/probes says 8"),
        ({"corpus": "B"}, 6, "has 0 probes of corpus A"),
        ({"encounter_id": ["x", *IDS[1:]]}, 6, "probe m0: 'x' is no encounter of the memory block"),
        ({"encounter_id": [*IDS[:5], IDS[0]]}, 6, "aren't balanced over its partners"),
        ({"options": "Nobody | Somebody"}, 6, "probe m0: the options .* are not the corpus's"),
        ({"probe_id": "m"}, 6, "rows .* have the same corpus, probe_id"),
    ],
)
def test_probes_that_would_not_be_symmetric_are_refused(write, change, n, said):
    with pytest.raises(ValueError, match=said):
        read_own_probes(write(MINE.assign(**change)), CORPUS, n)


def test_answers_are_joined_with_whom_each_document_names(write):
    answers = read_own_answers(write(stranger.partners(("reader",), 4)))
    assert table_text(answers, ANSWERS)
    told = answers.set_index(["document", "probe_id"])["document_partner"]
    assert told["veridical", "s00"] == "Ada"
    assert told["binding-corrupted", "s00"] == "Ben"
    assert told["none", "s00"] is None
    assert answers[answers["document"] == "none"]["state"].eq("abstained").all()


def test_what_is_read_can_be_tested(write):
    """Right with the true document, wrong with the other one: b = n, c = 0, p = 2 / 2^n."""
    answers = read_own_answers(write(stranger.partners(("reader",), 16)))
    row = cells(answers, [("Elsewhere", "reader")], {"Elsewhere": 2}).iloc[0]
    assert (row["b"], row["c"], row["none_abstained"]) == (16, 0, 16)
    assert np.isclose(row["p_exact"], 2 / 2**16)


@pytest.mark.parametrize(
    ("rows", "column", "value", "said"),
    [
        ([0], "document", "forged", "row 2, column document: 'forged' is none of veridical, bind"),
        (range(12), "true_partner", "Ada", "corpus Elsewhere: one partner alone"),
    ],
)
def test_documents_and_partners_that_can_not_be(write, rows, column, value, said):
    table = stranger.partners(("reader",), 4)
    table.loc[list(rows), column] = value
    with pytest.raises(ValueError, match=said):
        read_own_answers(write(table))


def test_a_missing_row_is_named(write):
    table = stranger.partners(("reader",), 4).drop(index=5)
    with pytest.raises(ValueError, match=r"reader under binding-corrupted.* no row for 1 .* s01"):
        read_own_answers(write(table))


@pytest.mark.parametrize("document", ["veridical", "binding-corrupted", "none"])
def test_a_document_that_nobody_was_asked_under_is_named(write, document):
    table = stranger.partners(("reader",), 4)
    with pytest.raises(ValueError, match=f"reader under {document}, .* no row for 4 .* s00"):
        read_own_answers(write(table[table["document"] != document]))


def test_with_three_partners_the_table_says_whom_a_document_names(write):
    rows = [
        {"corpus": "E", "model": "m", "document": d, "probe_id": p, "answer": "", "true_partner": t,
         "first_option": "X"}
        for d in ("veridical", "binding-corrupted-1", "none") for p, t in enumerate("XYZ")
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    with pytest.raises(ValueError, match="row 5, column document_partner: missing; with 3"):
        read_own_answers(write(table))
    told = dict(zip("XYZ", "YZX", strict=True))
    named = table["true_partner"].map(told).where(table["document"] == "binding-corrupted-1")
    read = read_own_answers(write(table.assign(document_partner=named)))
    assert read["document_partner"].tolist() == [*"XYZ", *"YZX", None, None, None]
