"""What the author is asked where it, and no rule, alters the details of the texts."""

from __future__ import annotations

from pathlib import Path

from support.scripts import load_script
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import Prompt, read_prompts

SETTINGS = Path(__file__).parents[2] / "data/corpora/A/corpus.yaml"


def asked(tmp_path, n: int = 6, seed: int = 1) -> list[Prompt]:
    path = tmp_path / "prompts.jsonl"
    load_script("control2/write_alteration_prompts.py").main(SETTINGS, path, n=n, seed=seed)
    return read_prompts(path)


def test_each_text_is_asked_about_once_and_stands_in_its_question(tmp_path):
    prompts = asked(tmp_path)
    assert len({prompt.id for prompt in prompts}) == len(prompts) >= 6
    corpus = read_corpus(SETTINGS)
    words = [set(text.split()) for text in corpus.encounters["text"]]
    for prompt in prompts:
        (turn,) = prompt.turns
        shared = max(len(text & set(turn.user.split())) / len(text) for text in words)
        assert shared > 0.7  # the text is shown, dates masked


def test_the_seed_decides_which_texts_and_nothing_else_does(tmp_path):
    first = asked(tmp_path, seed=1)
    assert asked(tmp_path, seed=1) == first
    assert {prompt.id for prompt in asked(tmp_path, seed=2)} != {prompt.id for prompt in first}


def test_there_are_no_more_questions_than_texts(tmp_path):
    every = asked(tmp_path, n=10_000)
    assert 6 <= len(every) <= len(read_corpus(SETTINGS).encounters)
    assert len({prompt.id for prompt in every}) == len(every)
