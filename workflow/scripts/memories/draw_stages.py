"""Three bars a system, stored, found and followed, under the true and under the swapped memory."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.drawing import style
from veridical.memories.plan import SHAM, VERIDICAL
from veridical.memories.readers import IDEAL
from veridical.memories.tables import STAGE_TABLE
from veridical.report.wording import ENGLISH, Wording

ALPHAS = {"stored": 0.45, "found": 0.7, "followed": 1.0}
COLOURS = {True: "veridical", False: "corrupted"}


def main(stages: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """One panel a corpus, the ideal reader; the counts stand beside the bars."""
    words = Wording.load(texts).of("memories")
    table = read_table(stages, STAGE_TABLE)
    table = table[(table["reader"] == IDEAL) & (table["document"] != SHAM)]
    fig, panels = style.stacked(table, "corpus", width_in=7.6, row_in=0.55)
    for panel, corpus, mine in panels:
        draw_panel(panel, mine, words)
        panel.set_title(f"{words.heading('corpus')} {corpus}")
    add_legend(fig, panels[0][0], words)
    panels[-1][0].set_xlabel(words("drawing.stages_axis"))
    style.note(fig, words("drawing.stages_note"))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, words: Wording) -> None:
    """Every bank of one corpus: a system's true memory, then its swapped ones."""
    style.light(panel, grid="x")
    names = []
    for place, row in enumerate(table.to_dict("records")):
        true = row["document"] == VERIDICAL
        memory = words("drawing.true" if true else "drawing.swapped")
        names.append(words("drawing.label", system=row["system"], memory=memory))
        for step, stage in enumerate(ALPHAS):
            draw_bar(panel, place + 0.26 * (step - 1), row, stage, words)
    panel.set_yticks(range(len(table)), names)
    panel.set_ylim(len(table) - 0.5, -0.5)
    panel.set_xlim(0, 1.32)
    panel.set_xticks([0, 0.25, 0.5, 0.75, 1])


def draw_bar(panel, y: float, row: dict, stage: str, words: Wording) -> None:
    """One stage's share, and its count."""
    share = row[f"{stage}_share"]
    measured = share is not None and not pd.isna(share)
    if measured:
        kind = COLOURS[row["document"] == VERIDICAL]
        panel.barh(y, share, height=0.22, color=style.COLORS[kind], alpha=ALPHAS[stage])
        counts = {"part": int(row[stage]), "whole": int(row[f"{stage}_of"])}
        said = words(f"drawing.{stage}", **counts)
    else:
        said = words("drawing.unmeasured", stage=words.value("stage", stage))
    panel.text((share if measured else 0) + 0.015, y, said, va="center", fontsize=8)


def add_legend(fig, panel, words: Wording) -> None:
    """Name both memories above the panels, with their colours."""
    for true, key in ((True, "true"), (False, "swapped")):
        colour = style.COLORS[COLOURS[true]]
        panel.barh([0], [0], color=colour, label=words(f"drawing.{key}"))
    fig.legend(loc="outside upper left", ncols=2)


if __name__ == "__main__":
    run(main, snakemake)
