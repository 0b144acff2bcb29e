"""Scores by judge and condition: what each instrument can tell apart."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.contrasts import contrasted
from veridical.control1.kinds import MARKS, role
from veridical.control1.tables import VERDICT
from veridical.documents.names import COUNTERFEITS
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

CONDITIONS = ("anchor", "veridical", *COUNTERFEITS, "none")


def main(
    verdicts: Path,
    svg: Path,
    pdf: Path,
    *,
    texts: Path = ENGLISH,
    labels: Mapping[str, str] | None = None,
) -> None:
    """One panel a judge and metric; every score a mark, the mean a bar."""
    words = Wording.load(texts).naming("metric", labels).of("control1")
    table = contrasted(read_table(verdicts, VERDICT))
    if table.empty:
        style.blank(words("drawing.not_admitted"), svg, pdf)
        return
    judges, metrics = (list(table[key].drop_duplicates()) for key in ("judge", "metric"))
    fig, axes = style.figure(
        7.6,
        1.0 + 1.9 * len(judges),
        nrows=len(judges),
        ncols=len(metrics),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for line, judge in zip(axes, judges, strict=True):
        for panel, metric in zip(line, metrics, strict=True):
            own = table[(table["judge"] == judge) & (table["metric"] == metric)]
            draw_panel(panel, own, words)
            panel.set_title(f"{judge}: {words.value('metric', metric)}", fontsize=9)
    fig.supylabel(words("drawing.score_axis"), fontsize=9.5, color=style.MUTED)
    style.note(
        fig, words("drawing.scores_note", n=len(table.drop_duplicates(["corpus", "item_id"])))
    )
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, words: Wording) -> None:
    """One judge's scores on one metric."""
    style.light(panel, grid="y")
    shown = [c for c in CONDITIONS if c == "anchor" or (table["condition"] == c).any()]
    for place, condition in enumerate(shown):
        scores = (
            table["anchor_score"]
            if condition == "anchor"
            else table["other_score"][table["condition"] == condition]
        ).dropna()
        if scores.empty:
            continue
        spread = np.linspace(-0.3, 0.3, len(scores)) if len(scores) > 1 else np.zeros(1)
        look = {
            "color": style.COLORS[role(condition)],
            "marker": MARKS.get(condition) or style.MARKERS[condition],
        }
        panel.plot(place + spread, scores, linestyle="none", markersize=3.2, alpha=0.55, **look)
        mean = float(scores.mean())
        panel.plot((place - 0.36, place + 0.36), (mean, mean), color=look["color"], linewidth=2.2)
        panel.annotate(
            words.number(mean, 2), (place, 1.13), ha="center", color=look["color"], fontsize=9
        )
    distinct = pd.concat([table["anchor_score"], table["other_score"]]).dropna().nunique()
    panel.annotate(
        words("drawing.one_score" if distinct == 1 else "drawing.distinct_scores", n=distinct),
        (0.99, 0.01),
        xycoords="axes fraction",
        ha="right",
        fontsize=8,
        color=style.MUTED,
    )
    panel.set_xticks(range(len(shown)), [words.value("condition", name) for name in shown])
    panel.set_xlim(-0.5, len(shown) - 0.5)
    panel.set_ylim(-0.15, 1.25)
    panel.set_yticks((0, 0.5, 1))


if __name__ == "__main__":
    run(main, snakemake)
