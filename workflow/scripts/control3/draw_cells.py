"""Dumbbells: accuracy with the true and with the false document, cell by cell, against chance."""

from pathlib import Path

import pandas as pd
from veridical import style
from veridical.tables import read_table

SIZES = {"veridical": 11, "corrupted": 8.5}  # the larger stays visible where both coincide


def main(cells: Path, *paths: Path) -> None:
    """One panel a corpus, the widest gap on top; discordant probes and p stand at the right."""
    table = read_table(cells, ["delta", "p_holm"], text=["corpus", "model", "corrupted_document"])
    corpora = list(table["corpus"].drop_duplicates())
    heights = [int((table["corpus"] == corpus).sum()) for corpus in corpora]
    fig, axes = style.figure(
        7.6,
        1.5 + 0.5 * sum(heights) + 0.35 * len(corpora),
        nrows=len(corpora),
        sharex=True,
        squeeze=False,
        height_ratios=heights,
    )
    for panel, corpus in zip(axes[:, 0], corpora, strict=True):
        mine = table[table["corpus"] == corpus]
        draw_panel(panel, mine.sort_values("delta", ascending=False, kind="stable"))
        panel.set_title(f"Corpus {corpus}, Holm over {int(mine['m'].max())} cells")
    add_legend(fig, axes[0, 0])
    axes[-1, 0].set_xlabel("share of all probes answered rightly")
    style.note(
        fig,
        f"n = {int(table['n'].max())} probes a document; no answer is not right. Dashed: chance.\n"
        "Right: discordant probes that follow the true document, exact McNemar p after Holm.",
    )
    style.save(fig, *paths)


def draw_panel(panel, table: pd.DataFrame) -> None:
    """The cells of one corpus."""
    style.light(panel, grid="x")
    style.reference(panel, float(table["chance"].iloc[0]))
    names = []
    for place, row in enumerate(table.itertuples(index=False)):
        names.append(row_label(row))
        panel.annotate(
            beside(row),
            (1.02, place),
            xycoords=panel.get_yaxis_transform(),
            va="center",
            fontsize=9,
            fontweight="bold" if row.survives else "normal",
        )
        if row.tested != "tested":
            continue
        right = row.veridical_correct / row.n, row.corrupted_correct / row.n
        panel.plot(right, (place, place), color=style.MUTED, linewidth=1.4, zorder=2)
        for share, (kind, size) in zip(right, SIZES.items(), strict=True):
            draw_mark(panel, share, place, kind, size)
    panel.set_yticks(range(len(table)), names)
    panel.set_ylim(len(table) - 0.5, -0.5)
    panel.set_xlim(-0.03, 1.03)


def draw_mark(panel, x: float, y: float, kind: str, size: int) -> None:
    """One end of a dumbbell."""
    panel.plot(
        [x],
        [y],
        marker=style.MARKERS[kind],
        color=style.COLORS[kind],
        markeredgecolor=style.PAPER,
        markersize=size,
        linestyle="none",
        zorder=5,
    )


def row_label(row) -> str:
    """The model, and which corrupted document where there are several."""
    shift = row.corrupted_document.removeprefix("binding-corrupted")
    return f"{row.model} ({shift.lstrip('-')})" if shift else row.model


def beside(row) -> str:
    """The discordant probes and the corrected p of a cell, or why there are none."""
    if row.tested != "tested":
        return f"{row.tested}, counts as p = 1"
    p = f"p = {row.p_holm:.2g}" if row.p_holm < 0.995 else "p = 1"
    if row.b + row.c == 0:
        return f"none discordant, {p}"
    return f"{int(row.b)} of {int(row.b + row.c)}, {p}"


def add_legend(fig, panel) -> None:
    """Name both documents above the panels, with colour and marker."""
    for kind, size in SIZES.items():
        marker = {"marker": style.MARKERS[kind], "color": style.COLORS[kind], "markersize": size}
        panel.plot([], [], linestyle="none", label=f"{kind} document", **marker)
    fig.legend(loc="outside upper left", ncols=2)


if __name__ == "__main__":
    from veridical.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.cells),  # noqa: F821
        Path(snakemake.output.svg),  # noqa: F821
        Path(snakemake.output.pdf),  # noqa: F821
    )
