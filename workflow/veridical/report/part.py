"""What a part of the study puts on the page: one object in the part's own room, `page.PART`.

The frame (this room) knows no part by name: `veridical.parts` lists them, `make_section` words one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from veridical.base.contract import Contract, Shown
from veridical.report.drill import Drill
from veridical.report.figures import Figure, read_figure
from veridical.report.finding import Finding
from veridical.report.rates import Rates, rates_of
from veridical.report.study import Study
from veridical.report.tabulate import Link, Table, tabulate
from veridical.report.wording import Wording


@dataclass(frozen=True)
class View:
    """A table of all values, as its contract shows it, its rows linked.

    first: the column that names a row. order: puts the rows in their order of interest. Its caption
    is `tables.<file>` among the texts, the last step of the contract's name.
    """

    contract: Contract
    link: Link | None = None
    order: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    first: str = ""


@dataclass(frozen=True)
class Drawn:
    """A figure that a rule of the part draws, `figures/<study>/<name>.svg`.

    says: which sentences of the finding it shows, by the keys of their texts, for readers who can't
    see it; `answer` is the finding's answer.
    """

    name: str
    says: tuple[str, ...] = ("answer",)


@dataclass(frozen=True)
class Part:
    """A part of the study as the page shows it.

    key: its name everywhere: its room, its tables' folder, its section of the texts and of the
    config. contracts: all its tables. essential: the one without which it has nothing to say;
    instead: the one that stands in its place in studies of another design. Each function takes the
    study and the part's words: `find` says what was found, `method` how it was run, `brief` is the
    short table, `drill` the rows behind it. kind: the kind of study of which its texts say some
    things otherwise (`parts.<part>.<kind>`), "" for what they say by themselves. group: the block
    of the first screen in which it stands.
    """

    key: str
    contracts: tuple[Contract, ...]
    essential: Contract
    find: Callable[[Study, Wording], Finding]
    method: Callable[[Study, Wording], Iterable[str]]
    brief: Callable[[Study, Wording], Table]
    tables: tuple[View, ...] = ()
    drill: Callable[[Study, Wording], Drill | None] | None = None
    figures: tuple[Drawn, ...] = ()
    kind: Callable[[Study], str] | None = None
    group: Literal["controls", "scores"] = "scores"
    instead: Contract | None = None

    def speaks(self, study: Study) -> bool:
        """Whether the study has what the part needs to say anything."""
        needed = [self.essential, *([self.instead] if self.instead else [])]
        return any(contract.name in study.tables for contract in needed)


@dataclass(frozen=True)
class Section:
    """One part of the page, in words."""

    key: str
    group: str
    name: str
    question: str
    adversary: str
    method: tuple[str, ...]
    finding: Finding
    rates: Rates
    figures: tuple[Figure, ...]
    brief: Table
    tables: tuple[Table, ...]
    not_established: tuple[str, ...]
    deviations: tuple[Mapping[str, str], ...]
    drill: Drill | None
    drill_text: str


def make_section(part: Part, study: Study, words: Wording) -> Section:
    """A part of the page from the study's tables, in the language of `words`."""
    words = words.of(part.key, part.kind(study) if part.kind else "")
    finding = part.find(study, words)
    return Section(
        key=part.key,
        group=part.group,
        name=words("name"),
        question=words("question"),
        adversary=words("adversary"),
        method=tuple(_begun(text, study) for text in part.method(study, words)),
        finding=finding,
        rates=rates_of(part.key, study, words),
        figures=tuple(_figures(part, finding, study, words)),
        brief=part.brief(study, words),
        tables=tuple(views(part, study, words)),
        not_established=tuple(words.raw("not_established")),
        deviations=tuple(deviations_of(part.key, study)),
        drill=part.drill(study, words) if part.drill else None,
        drill_text=words("drill_text"),
    )


def _begun(text: str, study: Study) -> str:
    """A paragraph as it begins: with a capital, unless with a model's name."""
    names = tuple(f"{name} " for name in models_of(study.config))
    return text if text.startswith(names) else text[:1].upper() + text[1:]


def views(part: Part, study: Study, words: Wording) -> Iterable[Table]:
    """The tables of all values that the study has."""
    for view in part.tables:
        table = study.table(view.contract)
        if table is not None:
            yield show(view, table, words)


def show(view: View, table: pd.DataFrame, words: Wording) -> Table:
    """A table as a view has it."""
    columns = list(view.contract.shown())
    if view.contract.of and view.contract.of in table:
        columns.insert(0, Shown(view.contract.of))
    columns.sort(key=lambda shown: shown.name != view.first)
    rows = view.order(table) if view.order else table
    return tabulate(rows, columns, words, view.contract.name.rpartition("/")[2], view.link)


def _figures(part: Part, finding: Finding, study: Study, words: Wording) -> Iterable[Figure]:
    """The part's figures that the study has, each with the sentences that it shows as text."""
    for drawn in part.figures:
        path = study.figures.get(drawn.name)
        if path is not None:
            yield _figure(path, drawn, finding, words)


def _figure(path: Path, drawn: Drawn, finding: Finding, words: Wording) -> Figure:
    caption = words(f"figures.{drawn.name}")
    key = "figure_text" if "answer" in drawn.says else "page.figure_text"
    said = words(key, caption=caption, sentences=finding.told(*drawn.says))
    return read_figure(path, caption, said)


def deviations_of(part: str, study: Study) -> list[dict[str, str]]:
    """The logged deviations that concern the part, by its key."""
    entries: list[dict[str, Any]] = study.deviations.to_dict("records")
    return [entry for entry in entries if part in entry["parts"].split()]


def models_of(config: Mapping[str, Any]) -> list[str]:
    """The models that the study's parts name, each once, in the order of the config."""
    known = config.get("models", {})
    sections = [value for name, value in config.items() if name != "models"]
    return list(dict.fromkeys(text for text in _texts(sections) if text in known))


def _texts(entry: Any) -> Iterable[str]:
    """Every text in a config's values, however deep."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, Mapping):
        for value in entry.values():
            yield from _texts(value)
    elif isinstance(entry, Iterable):
        for value in entry:
            yield from _texts(value)
