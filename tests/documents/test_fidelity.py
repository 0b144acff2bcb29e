"""Fidelity: each way in which a document could give itself away fails by name and by how much."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from veridical.corpora.corpus import Corpus, read_corpus
from veridical.documents.fidelity import fidelity, require_fidelity, shared_names
from veridical.documents.shuffled import shuffle_entries

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus(ROOT / "data/corpora/A")


@pytest.fixture(scope="module")
def foreign(corpus) -> list[str]:
    """A foreign document by the book: invented partners, topics and notes, the block's lengths."""
    lines = []
    for number, row in enumerate(corpus.remembered().to_dict("records")):
        partner = {"Llama": "Falke", "DeepSeek": "Junipers"}[row["partner"]]
        topic = f"the {number:02d}".ljust(len(row["topic"]), "x")
        lines.append(
            corpus.entry(row | {"partner": partner, "topic": topic, "note": "n" * len(row["note"])})
        )
    return lines


def failed(lines: list[str], corpus: Corpus, document: str = "foreign-1") -> pd.DataFrame:
    table = fidelity(document, "\n".join(lines) + "\n", corpus, 0.05)
    return table[~table["passed"]].set_index("check")


def test_a_good_foreign_document_passes(corpus, foreign):
    assert failed(foreign, corpus).empty
    require_fidelity(fidelity("foreign-1", "\n".join(foreign), corpus, 0.05))


def test_the_block_itself_passes_as_veridical(corpus):
    assert fidelity("veridical", corpus.memory_block + "\n", corpus, 0.05)["passed"].all()


@pytest.mark.parametrize("share", [0.949, 1.051])
def test_length_beyond_five_per_cent(corpus, foreign, share):
    real = len(corpus.memory_block.rstrip("\n"))
    own = sum(map(len, foreign)) + len(foreign) - 1
    change = round(real * share) - own
    lines = list(foreign)
    if change > 0:
        lines[0] += "n" * change
    while change < 0:
        longest = max(range(len(lines)), key=lambda i: len(lines[i]))
        lines[longest] = lines[longest][:-1]
        change += 1
    found = failed(lines, corpus)
    assert set(found.index) == {"characters", "ratio"}
    assert found.loc["characters", "note"] == f"{100 * (share - 1):+.1f} %"
    assert found.loc["characters", "limit"] == f"{0.95 * real:.0f}–{1.05 * real:.0f}"


@pytest.mark.parametrize(
    ("change", "check", "note"),
    [
        (
            lambda ls: [*ls[:3], "A prose sentence.", *ls[4:]],
            "lines_out_of_format",
            "line 4",
        ),
        (lambda ls: [ls[0].replace("2025-", "2025-9"), *ls[1:]], "lines_out_of_format", "line 1"),
        (lambda ls: [*ls[1:], ls[0]], "dates_in_order", ""),
        (lambda ls: ["2019" + ls[0][4:], *ls[1:]], "dates_in_range", "2019-"),
        (lambda ls: [ls[0].replace("Junipers", "Falke"), *ls[1:]], "entries_a_partner", ""),
        (
            lambda ls: [ls[0], ls[0] + "n", *ls[2:]],
            "repeated_topics",
            "the 00",
        ),
        (lambda ls: [ls[0][:-5] + " Maud", *ls[1:]], "shared_names", "Maud"),
        (lambda ls: [ls[0][:-6] + " Llama", *ls[1:]], "shared_names", "Llama"),
        (lambda ls: ls[:-1], "entries", ""),
    ],
)
def test_each_check_fails_by_name(corpus, foreign, change, check, note):
    lines = list(foreign)
    found = failed(change(lines), corpus)
    assert check in found.index
    assert note in found.loc[check, "note"]


def test_a_shared_topic_is_found(corpus, foreign):
    own = corpus.encounters["topic"].iloc[0]
    date, partner, rest = foreign[0].split(" — ")
    line = f"{date} — {partner} — {own}:{rest.split(':', 1)[1]}"
    found = failed([line, *foreign[1:]], corpus)
    assert own in found.loc["shared_topics", "note"]


def test_names_count_as_written_and_as_whole_words(corpus):
    assert shared_names("the old mint and some llamas", corpus) == []
    assert shared_names("a walk to the Old Mint", corpus) == ["Old Mint"]


def test_shuffled_documents_are_checked_for_bindings_and_values(corpus):
    block = corpus.remembered()
    entries = shuffle_entries(block, np.random.default_rng(1))
    lines = [corpus.entry(row) for row in entries.to_dict("records")]
    assert failed(lines, corpus, "shuffled-1").empty

    kept = failed(corpus.memory_block.rstrip("\n").split("\n"), corpus, "shuffled-1")
    assert set(kept.index) == {"kept_bindings"}
    assert kept.loc["kept_bindings", "value"] == "1.0"

    other = [lines[0].replace(entries["note"].iloc[0], "n" * len(entries["note"].iloc[0]))]
    changed = failed([*other, *lines[1:]], corpus, "shuffled-1")
    assert changed.loc["multiset_note", "value"] == "2"  # one value gone, one value new


def test_a_document_in_decomposed_letters_is_the_same_document(tmp_path):
    folder = tmp_path / "A"
    shutil.copytree(ROOT / "data/corpora/A", folder)
    for name in ("corpus.yaml", "encounters.csv", "memory_block.txt"):
        text = (folder / name).read_text(encoding="utf-8").replace("Llama", "Lâmâ")
        (folder / name).write_text(text, encoding="utf-8")
    corpus = read_corpus(folder)
    assert "Lâmâ" in corpus.memory_block
    decomposed = unicodedata.normalize("NFD", corpus.memory_block)
    assert decomposed != corpus.memory_block
    assert fidelity("veridical", decomposed, corpus, 0.0)["passed"].all()
    assert "Lâmâ" in failed(decomposed.split("\n"), corpus).loc["shared_names", "note"]


def test_a_document_without_entries_says_none(corpus):
    checks = fidelity("foreign-1", "Prose.", corpus, 0.05)
    with pytest.raises(ValueError, match=r"entries_a_partner is none, must be 15 \+ 15"):
        require_fidelity(checks)


def test_a_failed_document_stops_with_check_value_and_limit(corpus, foreign):
    checks = fidelity("foreign-2", "\n".join(foreign[:-1]), corpus, 0.05)
    with pytest.raises(ValueError, match=r"foreign-2: .*entries is 29, must be 30.*is not used"):
        require_fidelity(checks)
