"""Colours, markers and hatches by what they stand for, apart for every eye."""

from __future__ import annotations

from typing import Any

INK = "#1f2328"  # texts and marks
MUTED = "#5b6470"  # secondary texts, ticks
GRID = "#d9dce1"  # grid and reference lines
BAND = "#eef0f3"  # areas behind the marks: bounds, chance
PAPER = "#ffffff"

# Each passes 4.5:1 on white (so it may colour a label) and stays apart from the others for
# deuteranopes, protanopes and tritanopes; marker or hatch tells the same in greyscale.
COLORS = {
    "veridical": "#1a54c0",
    "counterfeit": "#c8460c",
    "foreign": "#c8460c",
    "shuffled": "#4d3400",
    "corrupted": "#7d2a8e",
    "none": "#6b7280",
    "anchor": "#007d4f",
    "neutral": "#1f2328",
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
    "band": BAND,
}

MARKERS = {
    "veridical": "o",
    "counterfeit": "s",
    "foreign": "s",
    "shuffled": "D",
    "corrupted": "X",
    "none": "v",
    "anchor": "^",
    "neutral": "o",
}

HATCHES = {
    "veridical": "",
    "counterfeit": "////",
    "foreign": "////",
    "shuffled": "xxxx",
    "corrupted": "\\\\\\\\",
    "none": "....",
    "anchor": "----",
    "neutral": "",
}

_MODEL_COLORS = ("#1a54c0", "#c8460c", "#007d4f", "#7d2a8e", "#4d3400", "#1f2328", "#5b6470")
_MODEL_MARKERS = ("o", "s", "^", "X", "D", "v", "P")
_MODEL_LINES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (9, 3)), (0, (3, 1)), "-")

# What the page turns for dark mode: the variable of its style sheet for each colour.
VARIABLES = {
    INK: "ink",
    MUTED: "soft",
    GRID: "line",
    BAND: "band",
    PAPER: "paper",
    **{
        COLORS[role]: role
        for role in ("veridical", "counterfeit", "shuffled", "corrupted", "none", "anchor")
    },
}


def model_style(i: int) -> dict[str, Any]:
    """Colour, marker and line style of the i-th model (from 0): no two alike below 49."""
    shift = (i // len(_MODEL_COLORS)) % len(_MODEL_MARKERS)
    i %= len(_MODEL_COLORS)
    turned = (i + shift) % len(_MODEL_MARKERS)
    return {
        "color": _MODEL_COLORS[i],
        "marker": _MODEL_MARKERS[turned],
        "linestyle": _MODEL_LINES[turned],
    }
