"""Small multiples: the age score of each session, a row a model, a column a phase."""

from pathlib import Path

import pandas as pd
from veridical.aas.runs import interval_over_runs
from veridical.aas.tables import BY_SESSION
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

LOOK = {  # by redundancy: R = 0 is the score at its highest
    "zero": {"color": style.COLORS["veridical"], "marker": "o", "linestyle": "-"},
    "estimated": {"color": style.COLORS["counterfeit"], "marker": "x", "linestyle": (0, (3, 2))},
}


def main(by_session: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """Only the registered reading is drawn; the others differ by a factor."""
    words = Wording.load(texts).of("aas")
    table = read_table(by_session, BY_SESSION)
    table = table[table["registered"]]
    models, phases = list(table["model"].unique()), list(table["phase"].unique())
    shape = {"nrows": len(models), "ncols": len(phases), "squeeze": False}
    fig, axes = style.figure(7.4, 1.1 + 1.6 * len(models), **shape, sharex=True, sharey=True)
    for line, model in zip(axes, models, strict=True):
        for panel, phase in zip(line, phases, strict=True):
            rows = table[(table["model"] == model) & (table["phase"] == phase)]
            if len(rows):
                draw_panel(panel, rows, words, first=panel is axes[0][0])
            named = {"model": model, "phase": words.value("phase", phase)}
            panel.set_title(words("drawing.panel", **named), fontsize=9)
            panel.set_ylim(-1, table["bound"].max() * 1.18)
            if rows.empty:
                said = words("drawing.no_session")
                panel.annotate(said, (0.5, 0.5), xycoords="axes fraction", ha="center")
    fig.supylabel(words("drawing.score_axis"), fontsize=9.5, color=style.MUTED)
    for panel in axes[-1]:
        panel.set_xlabel(words("drawing.session_axis"))
    n = table.groupby(["model", "phase"])["session"].nunique()
    reading = table["reading"].iloc[0]
    reading = words("drawing.registered") if reading == "registered" else reading
    note = words("drawing.note", n=n.min(), reading=reading)
    if "run" in table:
        note += "\n" + words("drawing.note_runs", runs=table["run"].nunique())
    style.note(fig, note)
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, rows: pd.DataFrame, words: Wording, *, first: bool) -> None:
    """The two redundancies and the bound."""
    style.light(panel, grid="y")
    bound = rows["bound"].max()
    style.reference(panel, bound, along="y")
    for redundancy, look in LOOK.items():
        mine = rows[rows["redundancy"] == redundancy]
        for _, lived in mine.groupby("run") if "run" in rows else ():
            panel.plot(
                lived["session"], lived["aas"], color=look["color"], alpha=0.3, linewidth=0.7
            )
        own = mine.groupby("session", as_index=False)["aas"].mean()
        panel.plot(own["session"], own["aas"], **look, linewidth=1.2, markersize=4.5, clip_on=False)
        if len(own) and own["aas"].notna().any():
            panel.annotate(
                mean_of(mine, redundancy, words),
                (1.02, 0.95 if redundancy == "zero" else 0.5),
                xycoords="axes fraction",
                va="top",
                fontsize=8,
                color=look["color"],
            )
    if first:
        said = words("drawing.bound", bound=words.number(bound, 1))
        look = {"dx": 0, "dy": 6, "fontsize": 8, "color": style.MUTED}
        style.label(panel, rows["session"].min(), bound, said, **look)
    panel.set_xticks([n for n in sorted(rows["session"].unique()) if n == 1 or n % 5 == 0])


def mean_of(rows: pd.DataFrame, redundancy: str, words: Wording) -> str:
    """The mean beside a curve, of several runs with its interval, and which curve it is."""
    told = {"redundancy": words(f"drawing.{redundancy}")}
    if "run" not in rows:
        return words("drawing.mean", mean=words.number(rows["aas"].mean(), 2), **told)
    means = rows.groupby("run")["aas"].mean().dropna()
    low, high = interval_over_runs(means.to_numpy(), rows["bound"].max())
    told |= {
        "mean": words.number(means.mean(), 1),
        "interval": words.interval(low, high, 1, sign=False),
    }
    return words("drawing.mean_runs", **told)


if __name__ == "__main__":
    run(main, snakemake)
