"""Dumbbells: accuracy with the true and with the false document, cell by cell, against chance."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control3.tables import CELLS
from veridical.documents.names import DocumentName
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

SIZES = {"veridical": 11, "corrupted": 8.5}  # the larger stays visible where both coincide
NAMES = {"veridical": "veridical", "corrupted": "binding-corrupted"}


def main(cells: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """One panel a corpus, the widest gap on top; discordant probes and p stand at the right."""
    words = Wording.load(texts).of("control3")
    table = read_table(cells, CELLS)
    fig, panels = style.stacked(table, "corpus", width_in=7.6, row_in=0.5)
    for panel, corpus, mine in panels:
        draw_panel(panel, mine.sort_values("delta", ascending=False, kind="stable"), words)
        panel.set_title(words("drawing.corpus_holm", corpus=corpus, m=int(mine["m"].max())))
    add_legend(fig, panels[0][0], words)
    panels[-1][0].set_xlabel(words("drawing.cells_axis"))
    style.note(fig, words("drawing.cells_note", n=int(table["n"].max())))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, words: Wording) -> None:
    """The cells of one corpus."""
    style.light(panel, grid="x")
    style.reference(panel, float(table["chance"].iloc[0]))
    names = []
    for place, row in enumerate(table.itertuples(index=False)):
        names.append(row_label(row))
        style.beside(panel, place, discordant(row, words), bold=row.survives)
        if row.tested != "tested":
            continue
        right = row.veridical_correct / row.n, row.corrupted_correct / row.n
        panel.plot(right, (place, place), color=style.MUTED, linewidth=1.4, zorder=2)
        for share, (kind, size) in zip(right, SIZES.items(), strict=True):
            style.mark(panel, share, place, kind, size=size)
    panel.set_yticks(range(len(table)), names)
    panel.set_ylim(len(table) - 0.5, -0.5)
    panel.set_xlim(-0.03, 1.03)


def row_label(row) -> str:
    """The model, and which corrupted document where there are several."""
    shift = DocumentName.read(row.corrupted_document).number
    return row.model if shift is None else f"{row.model} ({shift})"


def discordant(row, words: Wording) -> str:
    """The discordant probes and the corrected p of a cell, or why there are none."""
    if row.tested != "tested":
        return words("drawing.counts_as_one", why=words.value("tested", row.tested))
    p = words.p_equals(row.p_holm)
    if row.b + row.c == 0:
        return words("drawing.none_discordant", p=p)
    return words("drawing.discordant", b=int(row.b), n=int(row.b + row.c), p=p)


def add_legend(fig, panel, words: Wording) -> None:
    """Name both documents above the panels, with colour and marker."""
    for kind, size in SIZES.items():
        marker = {"marker": style.MARKERS[kind], "color": style.COLORS[kind], "markersize": size}
        said = words("drawing.document", kind=words.value("document", NAMES[kind]))
        panel.plot([], [], linestyle="none", label=said, **marker)
    fig.legend(loc="outside upper left", ncols=2)


if __name__ == "__main__":
    run(main, snakemake)
