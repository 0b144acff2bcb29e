"""A measure against the number of rollouts, a panel a horizon, a line a model, with its band."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording
from veridical.vpe.tables import COVERAGE, ENTROPY, PASSES, SUMMARY

CURVES = {  # what is drawn: its table, axis and value, its two labels' texts
    "coverage": (COVERAGE, "b", "expected_modes", "coverage_axis", "coverage_value"),
    "entropy": (ENTROPY, "b", "expected_entropy", "coverage_axis", "entropy_value"),
    "pass_at_k": (PASSES, "k", "value", "pass_axis", "pass_value"),
}


def main(
    table: Path, summary: Path, svg: Path, pdf: Path, *, of: str, texts: Path = ENGLISH
) -> None:
    """`of` is coverage, entropy or pass_at_k; the first preset is drawn."""
    words = Wording.load(texts).of("vpe")
    contract, axis, value, along, up = CURVES[of]
    curve = read_table(table, contract)
    curve = curve[curve["preset"] == curve["preset"].iloc[0]]
    cells = read_table(summary, SUMMARY)
    horizons, models = sorted(curve["horizon"].unique()), list(curve["model"].unique())
    fig, axes = style.figure(7.4, 3.6, ncols=len(horizons), sharey=True, squeeze=False)
    top = curve[[value, "high"]].max().max() if axis == "b" else 1.0
    for panel, horizon in zip(axes[0], horizons, strict=True):
        style.light(panel, grid="y")
        ends = []
        for i, model in enumerate(models):
            look = style.model_style(i)
            own = curve[(curve["horizon"] == horizon) & (curve["model"] == model)]
            look["markevery"] = max(1, len(own) // 6)
            panel.plot(own[axis], own[value], **look, linewidth=1.5, markersize=4.5)
            if own["low"].notna().all():
                panel.fill_between(
                    own[axis], own["low"], own["high"], color=look["color"], alpha=0.12, linewidth=0
                )
            ends.append((float(own[value].iloc[-1]), model, look["color"]))
        longest = float(curve[axis].max())
        style.label_ends(panel, longest, ends, gap=0.07 * max(top, 1e-9))
        panel.set_title(words("drawing.horizon", tokens=horizon))
        panel.set_xlabel(words(f"drawing.{along}"))
        panel.set_xlim(1, longest)
    axes[0][0].set_ylabel(words(f"drawing.{up}"))
    axes[0][0].set_ylim(bottom=-0.02 * max(top, 1e-9))
    told = {"problems": cells["n_problems"].iloc[0], "preset": curve["preset"].iloc[0]}
    style.note(fig, words("drawing.curve_note", **told))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


if __name__ == "__main__":
    run(main, snakemake)
