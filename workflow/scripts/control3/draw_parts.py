"""What became of every probe under each document: right, wrong, abstained, unreadable."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control3.tables import CELLS, PARTS
from veridical.documents.names import DocumentName
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

LOOKS = {  # colour and hatch tell the parts apart, each alone
    "correct": ("#1a54c0", ""),
    "wrong": ("#c8460c", "////"),
    "abstained": ("#d9dce1", ""),
    "unparseable": ("#ffffff", "xxxx"),
}
DOCUMENTS = ("veridical", "corrupted", "none")


def main(cells: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """One panel a corpus; a group of three bars a cell, one a document."""
    words = Wording.load(texts).of("control3")
    table = read_table(cells, CELLS)
    fig, panels = style.stacked(table, "corpus", width_in=7.6, row_in=0.85)
    for panel, corpus, mine in panels:
        draw_panel(panel, mine, words)
        panel.set_title(words("drawing.corpus", corpus=corpus))
    handles, labels = panels[0][0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper left", ncols=len(PARTS))
    panels[-1][0].set_xlabel(words("drawing.probes_axis"))
    style.note(fig, words("drawing.parts_note", n=int(table["n"].max())))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, words: Wording) -> None:
    """Stacked bars under the model's name; the count stands in each part that is wide enough."""
    style.light(panel)
    ticks, names = [], []
    for place, row in enumerate(table.to_dict("records")):
        shift = DocumentName.read(row["corrupted_document"]).number
        style.above(panel, place - 0.42, row["model"])
        for step, document in enumerate(DOCUMENTS):
            y, left = place + 0.27 * (step - 1) + 0.08, 0
            extra = f" {shift}" if shift and document == "corrupted" else ""
            ticks.append(y)
            names.append(named(document, words) + extra)
            for part in PARTS:
                count = int(row[f"{document}_{part}"])
                label = words(f"drawing.{part}") if place == 0 and step == 0 else None
                draw_part(panel, y, left, count, part, label)
                left += count
    panel.set_yticks(ticks, names)
    panel.set_ylim(len(table) - 0.4, -0.6)


def named(document: str, words: Wording) -> str:
    """A document's name beside its bar."""
    if document == "none":
        return words("drawing.no_document")
    return words.value("document", "binding-corrupted" if document == "corrupted" else document)


def draw_part(panel, y: float, left: int, count: int, part: str, label: str | None) -> None:
    """One part of a bar, with its count."""
    color, hatch = LOOKS[part]
    panel.barh(
        y,
        count,
        left=left,
        height=0.22,
        color=color,
        hatch=hatch,
        edgecolor=style.PAPER if part != "unparseable" else style.MUTED,
        linewidth=0.6,
        label=label,
    )
    if count >= 2:
        ink = style.PAPER if part == "correct" else style.INK
        box = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.8} if hatch else None
        panel.text(
            left + count / 2,
            y,
            str(count),
            ha="center",
            va="center",
            fontsize=8,
            color=ink,
            bbox=box,
        )


if __name__ == "__main__":
    run(main, snakemake)
