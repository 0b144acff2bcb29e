"""What a study left on disk, read for its report: tables, documents, figures, freezes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from veridical.base.contract import Contract
from veridical.base.repeated import Repeated, through_messages
from veridical.base.tables import read_table
from veridical.documents.names import read_documents

# What a line of a replies file says of itself.
KEPT = ("model", "id", "sample", "turn", "facts", "state")


class Kept(Protocol):
    """What is asked here of a part of the page (`report.part.Part`): its name and its tables."""

    @property
    def key(self) -> str:
        """Its name, that of its folder of results."""

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """All its tables."""


@dataclass(frozen=True)
class Study:
    """Everything that the report is made from.

    tables: by `part/name`, as written by the parts. documents: text by (corpus, name). figures:
    SVG files by name. receipts: the freeze receipts by stage. changes: by stage, what `verify`
    found changed, missing or added. deviations: the log. times: what proves when the records
    existed (`freeze.tables.TIMES`). exchanges: what was asked and came back, by part.
    """

    name: str
    config: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame]
    documents: Mapping[tuple[str, str], str] = field(default_factory=dict)
    figures: Mapping[str, Path] = field(default_factory=dict)
    receipts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    deviations: pd.DataFrame = field(default_factory=pd.DataFrame)
    times: pd.DataFrame = field(default_factory=pd.DataFrame)
    exchanges: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def __getitem__(self, contract: Contract) -> pd.DataFrame:
        """A table that the study must have. Raises KeyError where it has none."""
        return self.tables[contract.name]

    def table(self, contract: Contract) -> pd.DataFrame | None:
        """A table; None where the study has none or it is empty."""
        table = self.tables.get(contract.name)
        return None if table is None or table.empty else table

    def answered(self, part: str, *facts: str) -> pd.DataFrame:
        """A part's exchanges that carry all these facts, each a column; empty where none does."""
        kept = self.exchanges.get(part)
        if kept is None or kept.empty:
            return pd.DataFrame()
        told = [all(name in row for name in facts) for row in kept["facts"]]
        rows = kept[told].reset_index(drop=True)
        return rows.assign(**{name: [row[name] for row in rows["facts"]] for name in facts})

    def first_asked(self, part: str = "") -> str:
        """When the first reply that was kept (of one part, where it is given) was asked for, as it
        says; empty where none says."""
        kept = (table for key, table in self.exchanges.items() if part in ("", key))
        times = [table["time"].replace("", None).dropna() for table in kept]
        return min(map(str, pd.concat(times)), default="") if times else ""

    def dates(self) -> tuple[str, str] | None:
        """First and last day on which a model was asked, ISO; None where no reply was kept."""
        times = [table["time"].replace("", None).dropna() for table in self.exchanges.values()]
        days = sorted({str(time)[:10] for time in pd.concat(times)}) if times else []
        return (days[0], days[-1]) if days else None


def read_study(
    results: Path,
    figures: Path,
    parts: Iterable[Kept],
    others: Iterable[Contract] = (),
    root: Path = Path("."),
) -> Study:
    """Read a study from its results folder, its figures and the freezes below `root`.

    Raises ValueError naming the file where `config.json` is missing or a table breaks its contract.
    A table that is not there is no error: the page says which parts were left out.
    """
    settings = results / "config.json"
    if not settings.is_file():
        raise ValueError(f"{settings}: missing; build it with the workflow (rule resolve_config)")
    config = json.loads(settings.read_text(encoding="utf-8"))
    parts = list(parts)
    contracts = [*(contract for part in parts for contract in part.contracts), *others]
    read = {contract.name: read_by_contract(results, contract) for contract in contracts}
    keys = [part.key for part in parts]
    receipts, changes, deviations, times = _read_freezes(config["study"], keys, root)
    return Study(
        name=config["study"],
        config=config,
        tables={name: table for name, table in read.items() if table is not None},
        documents=read_documents(results / "documents"),
        figures={path.stem: path for path in sorted(figures.glob("*.svg"))},
        receipts=receipts,
        changes=changes,
        deviations=deviations,
        times=times,
        exchanges={
            part.key: table for part in parts if len(table := read_exchanges(results / part.key))
        },
    )


def read_by_contract(results: Path, contract: Contract) -> pd.DataFrame | None:
    """A table of a study, of all its files one below the other; None where there is no file.

    What a file is `of` becomes a column. Flags that may be missing are True, False or None: the NA
    of pandas has no truth value. A table that all studies share lies beside them.
    """
    folder, _, name = contract.name.rpartition("/")
    place = f"{folder}/*/{name}.csv" if contract.of else f"{contract.name}.csv"
    paths = sorted(results.glob(place)) or sorted(results.parent.glob(place))
    tables = []
    for path in paths:
        table = read_table(path, contract)
        for column in table.columns[table.dtypes == "boolean"]:
            table[column] = table[column].astype(object).where(table[column].notna(), None)
        tables.append(table.assign(**{contract.of: path.parent.name} if contract.of else {}))
    return pd.concat(tables, ignore_index=True) if tables else None


def _read_freezes(
    study: str, parts: list[str], root: Path
) -> tuple[dict[str, dict], dict[str, tuple[str, ...]], pd.DataFrame, pd.DataFrame]:
    """The records by stage, what differs from each, the deviations log and the table of times."""
    from veridical.freeze.chain import in_order
    from veridical.freeze.deviations import read_deviations
    from veridical.freeze.manifest import log_path, stages_there
    from veridical.freeze.timestamps import times_in_force
    from veridical.freeze.verify import check_stage

    records, changes = {}, {}
    for stage in in_order(stages_there(study, root), parts):
        check = check_stage(study, stage, root=root)
        if check.sha256 is not None:
            records[stage] = {"sha256": check.sha256, "files": check.files}
            changes[stage] = tuple(f"{change.kind}: {change.name}" for change in check.changes)
    log = read_deviations(root / log_path(study))
    return records, changes, log, times_in_force(study, root)


def read_exchanges(part: Path) -> pd.DataFrame:
    """Every reply kept for a part: what was asked last, and what came back, as it came.

    Returns model, id, sample, turn, facts (a dict: which document, item, probe), state, asked (the
    user's text), reply (the model's), served_model, time.
    """
    rows = []
    for path in sorted((part / "replies").rglob("*.jsonl")):
        texts = Repeated()
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                entry = through_messages(json.loads(line), texts.whole)
                rows.append(
                    {
                        **{name: entry[name] for name in KEPT},
                        "asked": _asked(entry),
                        "reply": entry["text"],
                        "served_model": entry.get("served_model") or "",
                        "time": entry.get("time") or "",
                    }
                )
    return pd.DataFrame(rows)


def _asked(entry: Mapping[str, Any]) -> str:
    """The user's part of the request that brought the reply, as far as it was kept."""
    for exchange in reversed(entry.get("exchanges") or []):
        messages = (exchange.get("request") or {}).get("messages") or []
        users = [message["content"] for message in messages if message.get("role") == "user"]
        if users:
            return users[-1]
    return ""
