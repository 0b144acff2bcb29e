"""data/weights.csv: rows that pin weights, and rows of weights that are made of others."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from veridical.models.weights_table import MADE, WeightsError, read_weights

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "data/weights.csv"
HEAD = "model,file,bytes,sha256,licence,page,url,carriers,derived_from,requantised\n"
PUBLISHED = "a,a.gguf,9,0a,MIT,p,http://a,,,\n"
DERIVED = "b,b.gguf,5,0b,MIT,p,,,a,Q4_0\n"


def table(folder: Path, *rows: str) -> Path:
    path = folder / "weights.csv"
    path.write_text(HEAD + "".join(rows), encoding="utf-8")
    return path


def test_unknown_weights_name_the_known(tmp_path):
    table = tmp_path / "weights.csv"
    table.write_text("model,file,bytes,sha256,licence,page,url,carriers\na,a.gguf,1,0,MIT,,,\n")
    with pytest.raises(WeightsError, match="no weights called 'b'; known: a"):
        read_weights("b", table)


def test_a_table_without_derived_rows_needs_no_columns_for_them(tmp_path):
    path = tmp_path / "weights.csv"
    path.write_text("model,file,bytes,sha256,licence,page,url,carriers\na,a.gguf,1,0,MIT,,,\n")
    row = read_weights("a", path)
    assert (row.source, row.requantised) == (None, "")
    assert row.receipts() == ["a"]


def test_a_derived_row_brings_its_sources(tmp_path):
    path = table(tmp_path, PUBLISHED, DERIVED)
    row = read_weights("b", path)
    assert (row.file, row.bytes, row.sha256, row.requantised) == ("b.gguf", 5, "0b", "Q4_0")
    assert row.source == read_weights("a", path)
    assert row.source.url == "http://a"
    assert row.receipts() == ["b", "a"]


FAULTS = [
    (
        "b,b.gguf,5,0b,MIT,p,,,c,Q4_0\n",
        r"b is derived from 'c', which .* doesn't have; known: a, b",
    ),
    ("b,b.gguf,5,0b,MIT,p,,,b,Q4_0\n", "b is derived from b, which is derived itself"),
    ("b,b.gguf,5,0b,MIT,p,,,a,Q8_0\n", "b is to be requantised to 'Q8_0'; can be made: Q4_0"),
    ("b,b.gguf,5,0b,MIT,p,,,a,\n", "b is to be requantised to ''; can be made: Q4_0"),
    ("b,b.gguf,5,0b,MIT,p,,,,Q4_0\n", "b is requantised to Q4_0, but derived_from names nothing"),
    (
        "b,b.gguf,5,0b,MIT,p,http://b,,a,Q4_0\n",
        "b is derived from a, .*leave url and carriers empty",
    ),
    ("b,b.gguf,5,0b,MIT,p,,b==1,a,Q4_0\n", "b is derived from a, .*leave url and carriers empty"),
    ("b,b.gguf,5,0b,CC0-1.0,p,,,a,Q4_0\n", "b has licence 'CC0-1.0', but a has 'MIT'"),
]


@pytest.mark.parametrize(("row", "message"), FAULTS)
def test_what_a_derived_row_has_wrong_is_said_with_table_and_row(tmp_path, row, message):
    path = table(tmp_path, PUBLISHED, row)
    with pytest.raises(WeightsError, match=rf"weights\.csv: {message}"):
        read_weights("b", path)
    assert read_weights("a", path).file == "a.gguf"  # of others' faults a row isn't refused


@pytest.mark.parametrize("last", ["b", "d"], ids=["a circle", "a chain"])
def test_nothing_is_derived_from_what_is_derived(tmp_path, last):
    """Two that name each other, or one made of one that is made: no step is ever taken twice."""
    rows = [PUBLISHED, "b,b.gguf,5,0b,MIT,p,,,c,Q4_0\n", f"c,c.gguf,5,0c,MIT,p,,,{last},Q4_0\n"]
    path = table(tmp_path, *rows, "d,d.gguf,5,0d,MIT,p,,,a,Q4_0\n")
    with pytest.raises(
        WeightsError, match="b is derived from c, which is derived itself: name pub"
    ):
        read_weights("b", path)


def test_no_weights_lie_where_the_receipt_of_any_is_written():
    """The rule writes data/models/<model>.json, in the folder that holds the weights too."""
    rows = pd.read_csv(TABLE)
    assert not {f"{model}.json" for model in rows["model"]} & set(rows["file"])
    assert rows["file"].is_unique


def test_every_row_that_ships_can_be_had_or_made():
    rows = pd.read_csv(TABLE, keep_default_na=False)
    made = set()
    for name in rows["model"]:
        row = read_weights(name, TABLE)
        assert row.source or (row.url and row.carriers)
        assert len(row.sha256) == 64
        made |= {row.requantised} - {""}
    assert made == set(MADE)
