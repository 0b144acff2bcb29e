"""The tables of several corpora as one, in the config's order."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.rows import write_rows
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.control3.tables import PROBES, SYMMETRY


def gather(parts: list[Path], of: str) -> Path:
    path = Path(parts[0].parent, "all.csv")
    load_script("control3/gather_tables.py").main(parts, path, of=of)
    return path


def probes(path: Path, corpus: str, *ids: str) -> Path:
    rows = [{"corpus": corpus, "probe_id": name, "options": '["a", "b"]'} for name in ids]
    return write_rows(path, PROBES, *rows)


def test_the_corpora_stand_in_the_order_given_and_their_rows_as_they_were(tmp_path):
    parts = [probes(tmp_path / "b.csv", "B", "p2", "p1"), probes(tmp_path / "a.csv", "A", "p1")]
    table = read_table(gather(parts, "probes"), PROBES)
    assert table[["corpus", "probe_id"]].to_numpy().tolist() == [
        ["B", "p2"],
        ["B", "p1"],
        ["A", "p1"],
    ]


def test_one_corpus_twice_is_refused_by_the_tables_key(tmp_path):
    part = probes(tmp_path / "a.csv", "A", "p1")
    with pytest.raises(ValueError, match=r"all\.csv: rows 2, 3 have the same corpus, probe_id"):
        gather([part, part], "probes")
    assert not (tmp_path / "all.csv").exists()


def test_a_part_of_another_kind_is_named(tmp_path):
    part = probes(tmp_path / "a.csv", "A", "p1")
    with pytest.raises(ValueError, match=r"a\.csv: column "):
        gather([part], "symmetry")


def test_checks_of_symmetry_are_gathered_alike(tmp_path):
    rows = [{"corpus": name, "check": "balance"} for name in ("A", "B")]
    parts = [write_rows(tmp_path / f"{row['corpus']}.csv", SYMMETRY, _fitting(row)) for row in rows]
    table = read_table(gather(parts, "symmetry"), SYMMETRY)
    assert table["corpus"].tolist() == ["A", "B"]


def _fitting(row: dict) -> dict:
    return {name: value for name, value in row.items() if name in SYMMETRY.names}
