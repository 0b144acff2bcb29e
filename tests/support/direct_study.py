"""Direct pairs of a synthetic Control 1: the choices of judges whose ways are known."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from support import fixture_study
from support.control1_study import METRICS, responses
from support.scripts import load_script
from veridical.base.tables import write_table
from veridical.control1.beside import Beside, shown_again
from veridical.control1.blinding import blind, judge_rng
from veridical.control1.direct.choices import facing, read_choices
from veridical.control1.direct.tables import CHOICES
from veridical.control1.tables import BLINDING, POSITIVE, RESPONSES
from veridical.report.study import Study

SETTINGS = {
    "judges": ["one", "two", "three"],
    "metrics": list(METRICS),
    "preference_margin": 0.15,
    "pairs": "direct",
}
Choose = Callable[[Mapping[str, Any], str, str], str]  # sheet, metric, judge → own/other/neither/A


def quoted(n: int = 7, corpus: str = "A") -> pd.DataFrame:
    """Pairs known by construction."""
    rows = [
        (corpus, f"{corpus}-Q{i}", f"what of {i}?", f"own {i}", f"strange {i}", "foreign-1", 1)
        for i in range(1, n + 1)
    ]
    return pd.DataFrame(rows, columns=POSITIVE.names)


def maps(
    table: pd.DataFrame | None = None, *, beside: Beside | None = None, seed: int = 5
) -> pd.DataFrame:
    """The blinding maps of three judges, as the workflow's script draws them."""
    shown = facing(responses() if table is None else table)
    both = shown[shown["condition"] != "anchor"]
    sources = both[both["condition"] != "none"]
    beside = beside or Beside(reversed=1.0, repeated=0.1)
    again = shown_again(sources, beside, np.random.default_rng([seed]), both)
    drawn = [
        blind(shown, judge, judge_rng(seed, judge), again=again, positive=quoted())
        for judge in SETTINGS["judges"]
    ]
    return pd.concat(drawn, ignore_index=True)


def reply(sheet: Mapping[str, Any], choose: Choose) -> dict[str, str]:
    """What a judge says on a sheet, given which answer it prefers, or the letter it names."""
    own = sheet["position_of_anchor"]
    letters = {"own": own, "other": {"A": "B", "B": "A"}[own]}
    said = {metric: choose(sheet, metric, sheet["judge"]) for metric in METRICS}
    return {metric: letters.get(word, word) for metric, word in said.items()}


def choices(choose: Choose, drawn: pd.DataFrame | None = None) -> pd.DataFrame:
    """All choices on all sheets of the maps."""
    drawn = maps() if drawn is None else drawn
    tables = []
    for _, own in drawn.groupby("judge", sort=False):
        lines = [
            {"id": sheet["sheet_id"], "state": "ok", "value": reply(sheet, choose), "attempt": 1}
            for sheet in own.to_dict("records")
        ]
        tables.append(read_choices(pd.DataFrame(lines), own, list(METRICS)))
    return pd.concat(tables, ignore_index=True)


def reader(sheet: Mapping[str, Any], metric: str, judge: str) -> str:
    """Prefers the own memory wherever it stands."""
    return "own"


def first(sheet: Mapping[str, Any], metric: str, judge: str) -> str:
    """Names what stands first, whatever it says."""
    return "A"


def at_a_loss(sheet: Mapping[str, Any], metric: str, judge: str) -> str:
    """Prefers the own memory where it is quoted, and names neither elsewhere."""
    return "own" if sheet["session"] == "positive" else "neither"


def lay_out(root: Path, choose: Choose, table: pd.DataFrame | None = None, **config: Any) -> Study:
    """A study of direct pairs below `root`, from choices to figure by the workflow's scripts."""
    results, figures = root / "results/direct", root / "figures/direct"
    folder = results / "control1"
    given = responses() if table is None else table
    drawn = maps(given)
    write_table(given, folder / "responses.csv", RESPONSES)
    write_table(drawn, folder / "blinding_map.csv", BLINDING)
    write_table(choices(choose, drawn), folder / "choices.csv", CHOICES)
    names = ("preferences", "alone", "panel", "choosers")
    load_script("control1/test_preferences.py").main(
        folder / "choices.csv",
        folder / "blinding_map.csv",
        *(folder / f"{name}.csv" for name in names),
        seed=1,
        settings=SETTINGS,
    )
    load_script("control1/draw_preferences.py").main(
        folder / "preferences.csv",
        folder / "alone.csv",
        figures / "control1_preferences.svg",
        figures / "control1_preferences.pdf",
        0.15,
    )
    whole = fixture_study.config(study="direct")
    part = {**whole["control1"], **SETTINGS, **config}
    part["responders"] = list(dict.fromkeys(given["responder"]))
    settings = {name: whole[name] for name in ("study", "title", "language", "seed", "documents")}
    settings |= {"models": {}, "control1": part}
    (results / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return fixture_study.read(root, "direct")
