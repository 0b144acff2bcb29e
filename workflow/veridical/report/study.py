"""What a study left on disk, read for its report: tables, documents, figures, freezes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from veridical.base.tables import read_table
from veridical.documents.names import read_documents

# What a line of a replies file says of itself.
KEPT = ("model", "id", "sample", "turn", "facts", "state")

# Columns that stay text although they may look like numbers.
_TEXT = {
    "control1/responses": ("item_id", "text", "seed"),
    "control1/verdicts": ("sheet_id", "item_id", "seed", "rationale"),
    "control2/probes": ("probe_id", "true_text", "altered_text", "from", "to"),
    "control2/answers": ("probe_id", "answer"),
    "control3/probes": ("probe_id", "topic"),
    "control3/answers": ("probe_id", "answer"),
    "aas/sessions": ("question", "expected", "answer"),
    "vpe/rollouts": ("problem_id", "text"),
}


@dataclass(frozen=True)
class Study:
    """Everything that the report is made from.

    tables: by `part/name`, as written by the parts. documents: text by (corpus, name). figures:
    SVG files by name. receipts: the freeze receipts by stage. changes: by stage, what `verify`
    found changed, missing or added. deviations: the log. exchanges: what was asked and
    came back, by part.
    """

    name: str
    config: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame]
    documents: Mapping[tuple[str, str], str] = field(default_factory=dict)
    figures: Mapping[str, Path] = field(default_factory=dict)
    receipts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    deviations: pd.DataFrame = field(default_factory=pd.DataFrame)
    exchanges: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def table(self, name: str) -> pd.DataFrame | None:
        """A table by `part/name`, None where the study has none or it is empty."""
        table = self.tables.get(name)
        return None if table is None or table.empty else table

    def column(self, name: str, column: str) -> pd.Series:
        """A column of a table; an empty one where there is no such table or column."""
        table = self.table(name)
        return (
            pd.Series(dtype=object) if table is None else table.get(column, pd.Series(dtype=object))
        )

    def dates(self) -> tuple[str, str] | None:
        """First and last day on which a model was asked, ISO; None where no reply was kept."""
        times = [table["time"].replace("", None).dropna() for table in self.exchanges.values()]
        days = sorted({str(time)[:10] for time in pd.concat(times)}) if times else []
        return (days[0], days[-1]) if days else None


def read_study(results: Path, figures: Path, parts: Iterable[str], root: Path = Path(".")) -> Study:
    """Read a study's `parts` from its results folder, its figures and the freezes below `root`.

    Raises ValueError naming the file where `config.json` is missing or a table is malformed. A part
    without tables is no error: the report says that it was left out.
    """
    settings = results / "config.json"
    if not settings.is_file():
        raise ValueError(f"{settings}: missing; build it with the workflow (rule resolve_config)")
    config = json.loads(settings.read_text(encoding="utf-8"))
    tables, parts = {}, list(parts)
    for part in parts:
        for path in sorted((results / part).glob("*.csv")):
            name = f"{part}/{path.stem}"
            tables[name] = _read(path, _TEXT.get(name, ()))
    fidelity = [
        _read(path).assign(corpus=path.parent.name)
        for path in sorted((results / "documents").glob("*/fidelity.csv"))
    ]
    if fidelity:
        tables["documents/fidelity"] = pd.concat(fidelity, ignore_index=True)
    published = results.parent / "published" / "check.csv"
    if published.is_file():
        tables["published/check"] = _read(published)
    receipts, changes, deviations = _read_freezes(config["study"], root)
    return Study(
        name=config["study"],
        config=config,
        tables=tables,
        documents=read_documents(results / "documents"),
        figures={path.stem: path for path in sorted(figures.glob("*.svg"))},
        receipts=receipts,
        changes=changes,
        deviations=deviations,
        exchanges={part: table for part in parts if len(table := read_exchanges(results / part))},
    )


def _read(path: Path, text: tuple[str, ...] = ()) -> pd.DataFrame:
    """A table, with those of its text columns that it has."""
    header = path.read_text(encoding="utf-8-sig").partition("\n")[0].split(",")
    if header == [""]:
        return pd.DataFrame()
    table = read_table(path, text=[column for column in text if column in header])
    for column in table.columns[table.dtypes == "boolean"]:  # pandas' NA has no truth value
        table[column] = table[column].astype(object).where(table[column].notna(), None)
    return table


def _read_freezes(
    study: str, root: Path
) -> tuple[dict[str, dict], dict[str, tuple[str, ...]], pd.DataFrame]:
    """The records by stage, what differs from each, and the deviations log."""
    from veridical.freeze.deviations import read_deviations
    from veridical.freeze.manifest import STAGES
    from veridical.freeze.sealing import deviations_path
    from veridical.freeze.verify import check_stage

    records, changes = {}, {}
    for stage in STAGES:
        check = check_stage(study, stage, root=root)
        if check.sha256 is not None:
            records[stage] = {"sha256": check.sha256, "files": check.files}
            changes[stage] = tuple(f"{change.kind}: {change.name}" for change in check.changes)
    return records, changes, read_deviations(root / deviations_path(study))


def read_exchanges(part: Path) -> pd.DataFrame:
    """Every reply kept for a part: what was asked last, and what came back, as it came.

    Returns model, id, sample, turn, facts (a dict: which document, item, probe), state, asked (the
    user's text), reply (the model's), served_model, time.
    """
    rows = []
    for path in sorted((part / "replies").rglob("*.jsonl")):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                entry = json.loads(line)
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


def fact(exchanges: pd.DataFrame, name: str) -> pd.Series:
    """One fact of every exchange, None where it has no such fact."""
    return exchanges["facts"].map(lambda facts: facts.get(name))


def _asked(entry: Mapping[str, Any]) -> str:
    """The user's part of the request that brought the reply, as far as it was kept."""
    for exchange in reversed(entry.get("exchanges") or []):
        messages = (exchange.get("request") or {}).get("messages") or []
        users = [message["content"] for message in messages if message.get("role") == "user"]
        if users:
            return users[-1]
    return ""
