"""A foreign life that a study brings along: a text or a table, held to the same checks."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support import stranger
from support.scripts import load_script
from veridical.corpora.corpus import read_corpus
from veridical.documents.brought import read_life
from veridical.documents.fidelity import fidelity, require_fidelity

FOLDER = Path(__file__).parents[2] / "data/corpora/A"
CORPUS = read_corpus(FOLDER)
LIFE = pd.DataFrame(stranger.life(CORPUS))
LINES = "\n".join(CORPUS.entry(row) for row in stranger.life(CORPUS))


def test_a_table_and_a_text_make_the_same_document(tmp_path):
    LIFE[["note", "topic", "partner", "date"]].to_csv(tmp_path / "life.csv", index=False)
    (tmp_path / "life.txt").write_text(f"\n  {LINES}\n\n", encoding="utf-8")
    assert read_life(tmp_path / "life.csv", CORPUS) == LINES
    assert read_life(tmp_path / "life.txt", CORPUS) == LINES
    require_fidelity(fidelity("foreign-1", LINES, CORPUS, 0.05))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("life.txt", b"\n \n", "no entry in it; a memory document has one a line"),
        ("life.txt", b"\xff\xfe", "not UTF-8; save the file"),
        ("life.csv", b"date,partner,topic\n", "column 'note' is missing"),
        ("life.csv", b"date,partner,topic,note\n", "no entry in it"),
    ],
)
def test_what_is_no_life_is_refused_by_name(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=said) as error:
        read_life(tmp_path / name, CORPUS)
    assert name in str(error.value)


def test_a_life_that_is_too_short_stops_where_it_is_used(tmp_path):
    """Half of the entries: length, number of entries and entries a partner all fail."""
    LIFE.head(15).to_csv(tmp_path / "life.csv", index=False)
    main = load_script("documents/assemble_foreign.py").main
    out = tmp_path / "foreign-1.txt"
    given = {"seed": 1, "tolerance": 0.05, "further": {}, "brought": tmp_path / "life.csv"}
    with pytest.raises(ValueError, match=r"foreign-1: characters is .*; foreign-1: entries is 15"):
        main(FOLDER / "corpus.yaml", None, None, out, **given)
    assert not out.exists()
    LIFE.to_csv(tmp_path / "life.csv", index=False)
    main(FOLDER / "corpus.yaml", None, None, out, **given)
    assert out.read_text(encoding="utf-8") == LINES + "\n"
