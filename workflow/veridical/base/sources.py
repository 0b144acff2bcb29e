"""Where every input file comes from: origin, licence and SHA-256, in `data/sources.csv`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from veridical.base.contract import Contract, text
from veridical.base.tables import read_table, table_text
from veridical.base.yaml_files import as_mapping, read_words

SOURCES = Contract(
    "sources",
    "Where every input file comes from.",
    text("path", "the file, from the project's folder"),
    text("origin", "where it comes from"),
    text("licence", "under which licence"),
    text("sha256", "its SHA-256 in hex"),
    key=("path",),
)
OWN_RECORD = "sources.csv"
# fetched, collected, sealed, deposited: each keeps its own record
NOT_INPUT = ("models", "memories", "ledger", "freeze", "deposits", "replies")
REFRESH = "python workflow/scripts/corpora/list_sources.py"


def input_files(data: Path) -> list[Path]:
    """Every input file under the data folder, sorted by path; no hidden file, no README."""
    return sorted(
        path
        for path in data.rglob("*")
        if path.is_file()
        and path != data / OWN_RECORD
        and path.name != "README.md"
        and path.relative_to(data).parts[0] not in NOT_INPUT
        and not any(part.startswith(".") for part in path.relative_to(data).parts)
    )


def sha256(path: Path) -> str:
    """The file's SHA-256 in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def list_sources(data: Path, known: pd.DataFrame | None = None) -> pd.DataFrame:
    """The record of the data folder as it is now.

    Parameters
    ----------
    data : the data folder
    known : an earlier record; origin and licence of files that are still there are kept

    Returns
    -------
    Columns path (relative to the data folder's parent), origin, licence, sha256. A new file of a
    corpus takes origin and licence from its `corpus.yaml`; any other new file has them empty.
    """
    kept = {} if known is None else {row["path"]: row for row in known.to_dict("records")}
    rows = []
    for path in input_files(data):
        name = path.relative_to(data.parent).as_posix()
        old = kept.get(name, {})
        origin, licence = old.get("origin", ""), old.get("licence", "")
        if not (origin and licence):
            origin, licence = _declared(path)
        rows.append({"path": name, "origin": origin, "licence": licence, "sha256": sha256(path)})
    return pd.DataFrame(rows, columns=SOURCES.names, dtype=object)


def _declared(path: Path) -> tuple[str, str]:
    """Origin and licence that the corpus of this file declares; empty where there is none."""
    settings = path.parent / "corpus.yaml"
    if not settings.is_file():
        return "", ""
    declared = as_mapping(read_words(settings), str(settings))
    for key in ("origin", "licence"):
        if not isinstance(declared.get(key), str):
            raise ValueError(f"{settings}: key {key} is missing, or no text")
    return declared["origin"].strip(), declared["licence"].strip()


def read_sources(path: Path) -> pd.DataFrame:
    """Read the record. Raises ValueError naming file and column where one is missing."""
    return read_table(path, SOURCES)


def only_named(path: Path, named: Iterable[str]) -> str:
    """The text of a record with the rows of the files that are `named` alone."""
    table = read_sources(path)
    return table_text(table[table["path"].isin([*named])], SOURCES)


def complaints(data: Path, record: pd.DataFrame) -> list[str]:
    """What in the data folder differs from the record, one sentence a file; empty where nothing."""
    now = {row["path"]: row for row in list_sources(data).to_dict("records")}
    listed = {row["path"]: row for row in record.to_dict("records")}
    found = [f"{path} is listed and missing" for path in listed if path not in now]
    found += [f"{path} is not listed; run {REFRESH}" for path in now if path not in listed]
    found += [
        f"{path} has changed (it was {row['sha256'][:12]}, it is {now[path]['sha256'][:12]}); "
        f"if that is meant, run {REFRESH}"
        for path, row in listed.items()
        if path in now and row["sha256"] != now[path]["sha256"]
    ]
    found += [
        f"{path} lacks an origin or a licence; fill them in"
        for path, row in listed.items()
        if not (row["origin"] and row["licence"])
    ]
    return found + [f"{path} is listed twice" for path in _repeated(record["path"])]


def _repeated(paths: Iterable[str]) -> list[str]:
    """The paths that occur more than once."""
    series = pd.Series(list(paths), dtype=object)
    return sorted(set(series[series.duplicated()]))
