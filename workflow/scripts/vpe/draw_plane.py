"""The plane of path entropy: reach (verified probability) against diversity (mode entropy)."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording
from veridical.vpe.tables import SUMMARY


def main(summary: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """A point a model and horizon with its intervals, a line from the short to the long horizon."""
    words = Wording.load(texts).of("vpe")
    table = read_table(summary, SUMMARY)
    table = table[table["preset"] == table["preset"].iloc[0]]
    fig, panel = style.figure(6.4, 4.4)
    style.light(panel, grid="both")
    named: list[tuple[float, float]] = []
    line = 0.06 * max(0.5, table["mode_entropy"].max())  # about a label's height, in nats
    for i, model in enumerate(table["model"].unique()):
        rows = table[table["model"] == model].sort_values("horizon")
        x, y = rows.iloc[-1][["verified_probability", "mode_entropy"]]
        above = sum(abs(x - right) < 0.3 and abs(y - up) < line for right, up in named)
        draw_model(panel, rows, i, words, above=above)
        named.append((x, y))
    panel.set_xlabel(words("drawing.reach_axis"))
    panel.set_ylabel(words("drawing.diversity_axis"))
    panel.set_xlim(-0.03, 1.03)
    low, high = panel.get_ylim()
    panel.set_ylim(min(-0.05, low), max(0.5, high))  # room where every entropy is 0
    panel.margins(y=0.1)
    first = table.iloc[0]
    told = {"problems": first["n_problems"], "rollouts": first["rollouts"]}
    style.note(fig, words("drawing.plane_note", preset=first["preset"], **told))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_model(panel, rows: pd.DataFrame, i: int, words: Wording, *, above: int) -> None:
    """One model's horizons, joined; the longest one is named, `above` lines over its point."""
    look = style.model_style(i)
    x, y = rows["verified_probability"], rows["mode_entropy"]
    panel.plot(x, y, color=look["color"], linestyle=look["linestyle"], linewidth=1.2)
    for size, (_, row) in enumerate(rows.iterrows()):
        ends = [row[f"{m}_{end}"] for m in (x.name, y.name) for end in ("low", "high")]
        if not pd.isna(ends).any():
            mid = (row[x.name], row[y.name])
            panel.plot(ends[:2], (mid[1], mid[1]), color=look["color"], linewidth=0.9, alpha=0.75)
            panel.plot((mid[0], mid[0]), ends[2:], color=look["color"], linewidth=0.9, alpha=0.75)
        panel.plot(
            row[x.name],
            row[y.name],
            marker=look["marker"],
            color=look["color"],
            markersize=5.5 + 4 * size / max(1, len(rows) - 1),
            markeredgecolor=style.PAPER,
            linestyle="none",
            zorder=4,
            clip_on=False,
        )
    last = rows.iloc[-1]
    right = last[x.name] < 0.6
    style.label(
        panel,
        last[x.name],
        last[y.name],
        words("drawing.model_horizon", model=last["model"], tokens=last["horizon"]),
        color=look["color"],
        ha="left" if right else "right",
        dx=9 if right else -9,
        dy=11 + 13 * above,
    )


if __name__ == "__main__":
    run(main, snakemake)
