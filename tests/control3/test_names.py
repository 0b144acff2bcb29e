"""Names that look like numbers, flags or nothing stay names, from the corpus to the cells."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml
from support.replying import write_replies
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.control3.symmetric import read_probes
from veridical.control3.tables import ANSWERS, CELLS
from veridical.corpora.corpus import read_corpus

ROOT = Path(__file__).parents[2]


def life(folder: Path, partners: tuple[str, str]) -> Path:
    """The shipped corpus A under another name, with these partners."""
    shutil.copytree(ROOT / "data/corpora/A", folder)
    path = folder / "corpus.yaml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    names = dict(zip(settings["partners"], partners, strict=True))
    settings |= {"partners": list(partners), "associations": {}}
    path.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    for file in ("encounters.csv", "memory_block.txt"):
        text = (folder / file).read_text(encoding="utf-8")
        for old, new in names.items():
            text = re.sub(rf"\b{old}\b", new, text)
        (folder / file).write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("corpus", "partners", "model"),
    [
        ("01", ("01", "1e5"), "1e5"),
        ("2024", ("2024", "2025"), "007"),
        ("1e5", ("true", "false"), "NA"),
        ("NA", ("NA", "null"), "true"),
        ("on", ("on", "off"), "1.0"),
        ("nan", ("nan", "inf"), "2024"),
    ],
)
def test_control_3_runs_on_names_that_look_like_something_else(tmp_path, corpus, partners, model):
    settings = life(tmp_path / corpus, partners)
    assert read_corpus(settings.parent).partners == partners
    probes, answers, cells = (tmp_path / f"{name}.csv" for name in ("probes", "answers", "cells"))
    load_script("control3/draw_probes.py").main(settings, probes, n=8, seed=1)
    assert set(read_probes(probes)["true_partner"]) == set(partners)
    prompts, replies = [], []
    for name in ("veridical", "binding-corrupted", "none"):
        document = tmp_path / f"{name}.txt"
        if name == "veridical":
            load_script("documents/copy_memory.py").main(settings, document, content=name)
        elif name != "none":
            load_script("documents/corrupt_bindings.py").main(settings, document, name=name)
        prompts.append(tmp_path / f"{name}.jsonl")
        given = None if name == "none" else document
        load_script("control3/write_prompts.py").main(settings, probes, given, prompts[-1])

        def say(prompt, sample, turn, facts):  # who follows the document, and else names one name
            return facts["document_partner"] or partners[0]

        replies.append(write_replies(prompts[-1], tmp_path / name / f"{model}.jsonl", say, model))
    load_script("control3/score_answers.py").main(prompts, replies, answers)
    load_script("control3/test_cells.py").main(answers, cells, corpora={corpus: 2}, models=[model])
    table = read_table(answers, ANSWERS)
    assert set(table["answer"]) <= set(partners)
    assert set(table["model"]) == {model}
    (cell,) = read_table(cells, CELLS).to_dict("records")
    assert (cell["corpus"], cell["model"]) == (corpus, model)
    assert (cell["b"], cell["c"]) == (8, 0)  # right with its memory, wrong with the exchanged one


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("partners", "[01, 02]", ("01", "02")),
        ("partners", "[true, Llama]", ("true", "Llama")),
        ("partners", "[1e5, 010]", ("1e5", "010")),
        ("agent", "007", "007"),
        ("agent", "no", "no"),
    ],
)
def test_a_name_that_yaml_reads_as_something_else_is_what_was_written(tmp_path, key, value, read):
    path = life(tmp_path / "A", read if key == "partners" else ("01", "02"))
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("associations")]
    settings = yaml.safe_load("\n".join(lines))
    del settings[key]
    written = yaml.safe_dump(settings, allow_unicode=True) + f"{key}: {value}\n"
    path.write_text(written, encoding="utf-8")
    corpus = read_corpus(path.parent)
    assert getattr(corpus, key) == read


def test_names_that_are_no_texts_are_refused_by_their_key(tmp_path):
    path = life(tmp_path / "A", ("01", "02"))
    settings = yaml.safe_load(path.read_text(encoding="utf-8")) | {"agent": [1, 2]}
    path.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    with pytest.raises(ValueError, match=r"key agent: must be a text, not \['1', '2'\]"):
        read_corpus(path.parent)
