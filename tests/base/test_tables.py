"""Tables: the same bytes from the same numbers, and back without loss of meaning."""

from __future__ import annotations

import pandas as pd
import pytest
from veridical.base.files import write_text
from veridical.base.tables import read_table, write_table


def test_round_trip_keeps_meaning(tmp_path):
    table = pd.DataFrame(
        {
            "n": [1, 2, 3],
            "x": [0.1 + 0.2, float("nan"), 1e-12],
            "flag": [True, False, True],
            "maybe": [True, None, False],
            "answer": ["NA", None, "two\nlines, quoted"],
        }
    )
    path = tmp_path / "t.csv"
    write_table(table, path)
    assert path.read_bytes().splitlines()[1] == b"1,0.3,true,true,NA"
    back = read_table(path, ["n"])
    assert back["n"].tolist() == [1, 2, 3]
    assert back["x"].isna().tolist() == [False, True, False]
    assert back["flag"].tolist() == [True, False, True]
    assert back["maybe"].isna().tolist() == [False, True, False]
    assert back["answer"].tolist() == ["NA", None, "two\nlines, quoted"]
    first = path.read_bytes()
    write_table(back, path)
    assert path.read_bytes() == first


def test_flags_beside_text_lose_neither(tmp_path):
    write_table(pd.DataFrame({"value": [True, "some text", None, 0.5]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == 'value\ntrue\nsome text\n""\n0.5\n'


def test_text_columns_stay_text(tmp_path):
    (tmp_path / "t.csv").write_text("answer,n\n007,1\n,2\n")
    table = read_table(tmp_path / "t.csv", text=["answer"])
    assert table["answer"].tolist() == ["007", ""]


def test_missing_column_is_named_with_the_file(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"t\.csv: column 'c' is missing; it has a, b"):
        read_table(tmp_path / "t.csv", ["c"])


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b'a,b\n1,"2\n'])
def test_no_table_is_an_error_that_names_the_file(tmp_path, content):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"t\.csv: not a CSV table"):
        read_table(tmp_path / "t.csv")


def test_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["t.txt"]
