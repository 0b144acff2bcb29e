"""Control 1 on a life: what it quotes, what it asks, and what it says where there is nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.histories import SETTINGS, write_history
from veridical.control1.life_pairs import lines_of, quoted_lines
from veridical.control1.positive import positive_pairs, require_quotable
from veridical.control1.responses import needs_anchors, require_test_day, response_prompts
from veridical.corpora.corpus import read_corpus
from veridical.documents.given import Whole
from veridical.documents.names import LOG
from veridical.models.prompts import Document

CORPORA = Path(__file__).parents[2] / "data/corpora"
FOREIGN = Document(
    "foreign-1", "2025-01-01 — the spade is in the attic\n\n- the key: a nail (since 2025-02-03)\n"
)


def life(folder: Path, shape: str = "lines", **changed: str):
    return read_corpus(
        write_history(folder / "T", corpus_yaml=SETTINGS + f"memory: {shape}\n", **changed)
    )


@pytest.mark.parametrize(
    ("shape", "kite", "rope"),
    [
        ("lines", "2025-03-02 — the kite is in the green box",
         "2025-03-01 — the rope is in the blue box"),
        ("profile", "the kite is in the green box (since 2025-03-02)",
         "the rope is in the blue box (since 2025-03-01)"),
        ("paragraphs", "2025-03-02: the kite is in the green box",
         "2025-03-01: the lamp is in the red box. the rope is in the blue box. the bell is in the "
         "red box"),
        ("turns", "[2025-03-02] Ada: The kite is in the green box",
         "[2025-03-01T09:10] Ada: The rope goes into the blue box, the bell into the red one"),
    ],
)  # fmt: skip
def test_a_fact_is_quoted_by_the_line_that_states_it(tmp_path, shape, kite, rope):
    one = life(tmp_path, shape)
    quoted = dict(zip(one.remembered()["topic"], quoted_lines(one), strict=True))
    assert quoted["the kite"] == kite
    assert quoted["the rope"] == rope
    assert len(quoted) == len(one.remembered())


def test_lines_that_can_be_quoted_of_a_stranger():
    assert list(lines_of(FOREIGN.text)["note"]) == [
        "2025-01-01 — the spade is in the attic",
        "the key: a nail (since 2025-02-03)",
    ]


def test_a_pair_names_a_fact_and_quotes_own_and_strangers(tmp_path):
    one = life(tmp_path)
    pairs = positive_pairs(one, [FOREIGN], 2, np.random.default_rng(1))
    stated = dict(zip(one.remembered()["topic"], quoted_lines(one), strict=True))
    for row in pairs.itertuples():
        topic = row.input.removeprefix("What does your memory hold about this: ").removesuffix("?")
        assert row.own == f"This is what I kept of it, word for word: {stated[topic]}."
        assert row.stranger.removesuffix(".").endswith(
            ("the spade is in the attic", "the key: a nail (since 2025-02-03)")
        )
        assert "{" not in row.input + row.own + row.stranger
    assert pairs["stranger"].is_unique
    assert list(pairs["item_id"]) == ["T-Q1", "T-Q2"]


@pytest.mark.parametrize(("name", "word"), [("Livia", "conservato"), ("Defne", "sakladığım")])
def test_a_pair_is_worded_in_the_lifes_language(name, word):
    one = read_corpus(CORPORA / name)
    pairs = positive_pairs(one, [FOREIGN], 2, np.random.default_rng(1))
    assert pairs["own"].str.contains(word).all()
    lines = [part.removesuffix(".") for part in one.memory_block.split("\n")]
    assert all(any(line in own for line in lines if line) for own in pairs["own"])


def test_too_few_facts_or_lines_name_what_to_do(tmp_path):
    one = life(tmp_path)
    there = len(one.remembered())
    require_quotable(one, there)
    with pytest.raises(
        ValueError,
        match=rf"asks for {there + 1} pairs.*corpus T has {there} facts "
        r"of 'box' to quote: ask for no more, or write more of them into facts",
    ):
        require_quotable(one, there + 1)
    with pytest.raises(ValueError, match="foreign-1 has too few entries for control1/positive"):
        positive_pairs(one, [FOREIGN], 3, np.random.default_rng(1))
    plain = SETTINGS.partition("asked")[0] + "licence: x\norigin: y\nmemory: turns\n"
    bare = read_corpus(write_history(tmp_path / "B", corpus_yaml=plain, facts_csv=""))
    with pytest.raises(ValueError, match=r"corpus B has 0 facts to quote: ask for no more, or"):
        require_quotable(bare, 1)
    require_quotable(bare, 0)


def test_a_life_without_a_test_day_says_what_to_write(tmp_path):
    one = life(tmp_path, test_day_csv="")
    with pytest.raises(ValueError, match=r"corpus T: .*test_day.csv.*item_id, input and anchor"):
        require_test_day(one)
    with pytest.raises(ValueError, match=r"write it beside events.csv"):
        response_prompts(one, [Whole(None)], 1, {})


def test_where_anchors_lack_the_whole_life_is_given(tmp_path):
    one = life(tmp_path)
    assert needs_anchors(one)
    prompts = response_prompts(one, [Whole(Document(LOG, one.log()))], 1, {})
    assert [prompt.facts["condition"] for prompt in prompts] == ["anchor", "anchor"]
    assert "[2025-04-01T08:00] Ada: I moved the lamp" in prompts[0].turns[0].document.text
    anchored = "item_id,input,anchor\nt1,Good morning.,Hello.\n"
    assert not needs_anchors(life(tmp_path / "two", test_day_csv=anchored))
