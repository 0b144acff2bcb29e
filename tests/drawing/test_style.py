"""The figure style: same bytes, colours apart for every eye, nothing but the two formats."""

import itertools

import numpy as np
import pytest
from veridical.drawing import style

ROLES = ("veridical", "counterfeit", "shuffled", "corrupted", "none", "anchor")

# Machado, Oliveira & Fernandes (2009), severity 1.0, on linear RGB.
BLINDNESS = {
    "full sight": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour: str) -> np.ndarray:
    channel = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    t = np.clip(to_xyz @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089]), 0, None)
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def draw():
    fig, axes = style.figure(6, 3)
    style.light(axes, grid="x")
    axes.set(xlim=(-0.15, 0.2), ylim=(-0.5, 0.5))
    style.band(axes, -0.1, 0.1, text="equivalence bounds ±0.10")
    style.reference(axes, 0)
    style.interval(axes, 0, 0.032, (0.002, 0.065), (-0.002, 0.072), color=style.COLORS["foreign"])
    style.label(axes, 0.072, 0, style.signed(0.032))
    style.label_ends(axes, 0.2, [(0.1, "one", style.INK), (0.1, "two", style.INK)], gap=0.2)
    style.note(fig, "n = 7 items; $5 is no formula$")
    return fig


def test_the_same_figure_gives_the_same_bytes(tmp_path):
    for suffix in ("svg", "pdf"):
        style.save(draw(), tmp_path / f"a.{suffix}")
        style.save(draw(), tmp_path / f"b.{suffix}")
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_texts_stay_texts_in_the_svg(tmp_path):
    style.save(draw(), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert "+0.032" in text
    assert "$5 is no formula$" in text
    assert "<dc:date>" not in text


def test_a_viewer_without_inter_takes_a_face_no_wider_before_dejavu(tmp_path):
    style.save(draw(), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert "'Inter', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" in text
    assert "'Inter', 'DejaVu Sans'" not in text


def test_another_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"a\.png: figures are saved as \.svg or \.pdf"):
        style.save(draw(), tmp_path / "a.png")


@pytest.mark.parametrize("role", ROLES)
def test_a_colour_may_colour_a_label(role):
    luminance = float(linear(style.COLORS[role]) @ [0.2126, 0.7152, 0.0722])
    assert 1.05 / (luminance + 0.05) >= 4.5  # WCAG 2.2, 1.4.3


@pytest.mark.parametrize("sight", BLINDNESS)
def test_colours_stay_apart_for_every_eye(sight):
    for one, two in itertools.combinations(ROLES, 2):
        seen = [lab(BLINDNESS[sight] @ linear(style.COLORS[role])) for role in (one, two)]
        assert np.linalg.norm(seen[0] - seen[1]) > 15, (one, two)  # ~2.3 is just noticeable


def test_no_two_models_look_alike():
    looks = [style.model_style(i) for i in range(49)]
    assert len({(look["color"], look["marker"]) for look in looks}) == 49


def test_signed_takes_a_true_minus():
    assert style.signed(-0.0061) == "−0.006"
    assert style.signed(0.0316) == "+0.032"


def test_a_text_is_as_wide_as_the_figure_draws_it():
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    fig, axes = style.figure()
    renderer = FigureCanvasAgg(fig).get_renderer()
    for size, bold in ((9, False), (14, True)):
        drawn = axes.text(0, 0, "qwen2.5: inconclusive", fontsize=size)
        drawn.set_fontweight("bold" if bold else "normal")
        box = drawn.get_window_extent(renderer)
        points = box.width / fig.dpi * 72
        assert style.text_width("qwen2.5: inconclusive", size, bold=bold) == pytest.approx(
            points, abs=1.5
        )
