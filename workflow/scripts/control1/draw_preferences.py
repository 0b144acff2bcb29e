"""Direct pairs: how often the own memory's answer was preferred, by the panel and by each judge."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.cells import cell_names
from veridical.control1.direct.tables import ALONE, PREFERENCES
from veridical.control1.kinds import by_dose, role
from veridical.control1.tables import CELL, COMPARED
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

ROW = [*CELL, "metric", "contrast"]


def main(
    preferences: Path,
    alone: Path,
    svg: Path,
    pdf: Path,
    margin: float,
    *,
    texts: Path = ENGLISH,
    labels: Mapping[str, str] | None = None,
) -> None:
    """One panel a metric, a row a cell and kind; the band is what counts as no preference."""
    words = Wording.load(texts).naming("metric", labels).of("control1")
    table = by_dose(read_table(preferences, PREFERENCES))
    table = table.assign(cell=cell_names(table)).dropna(subset=["share"])
    if table.empty:
        style.blank(words("drawing.not_admitted"), svg, pdf)
        return
    judges = read_table(alone, ALONE)
    fig, parts = style.stacked(table, "metric", width_in=7.6, row_in=0.62)
    for panel, metric, rows in parts:
        draw_panel(panel, rows, judges, margin, words)
        panel.set_title(words.value("metric", metric))
    parts[-1][0].set_xlabel(words("drawing.preference_axis"))
    told = {"n": int(table["n_items"].max()), "margin": words.setting(margin)}
    style.note(fig, words("drawing.preference_note", **told))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(
    panel, rows: pd.DataFrame, judges: pd.DataFrame, margin: float, words: Wording
) -> None:
    """The rows of one metric, the first on top."""
    style.light(panel, grid="x")
    style.band(panel, 0.5 - margin, 0.5 + margin)
    style.reference(panel, 0.5)
    for place, row in enumerate(rows.to_dict("records")):
        color = style.COLORS[role(COMPARED[row["contrast"]])]
        own = judges.merge(pd.DataFrame([{name: row[name] for name in ROW}]), on=ROW)
        panel.plot(
            own["share"],
            [place + 0.24] * len(own),
            linestyle="none",
            marker="|",
            markersize=8,
            color=color,
            alpha=0.8,
        )
        if pd.notna(row["share_low"]):
            panel.plot((row["share_low"], row["share_high"]), (place, place), color=color)
        panel.plot([row["share"]], [place], marker="o", markersize=7, color=color, zorder=5)
        finding = words.value("finding", row["finding"])
        style.beside(panel, place, f"{words.percent(row['share'], 0)}\n{finding}")
    labels = [
        words.value("kind", COMPARED[row["contrast"]]) + (f"\n{row['cell']}" if row["cell"] else "")
        for row in rows.to_dict("records")
    ]
    panel.set_yticks(range(len(rows)), labels)
    panel.set_ylim(len(rows) - 0.4, -0.6)
    panel.set_xlim(-0.02, 1.02)
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    panel.set_xticks(shares, [words.percent(share, 0) for share in shares])


if __name__ == "__main__":
    run(main, snakemake)
