"""Colours that mean different things look different, also to colour-blind readers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from experiments.plots import style
from experiments.plots.learning import SCRIPTED_STYLES, VARIANT_STYLES
from experiments.plots.matrix import _PALETTE
from experiments.plots.study import _LOOKS

# Machado, Oliveira and Fernandes (2009), severity 1.0, for linear red, green and blue.
SIGHTS = {
    "usual": np.eye(3),
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
TOLD_APART = 15.0  # CIELAB units; about 2.3 are just noticeable side by side
TOGETHER = {
    "front": [style.BLUE, style.ORANGE, style.GREY, style.DARK, style.GREEN],
    "front, not certified": [style.BLUE, style.ORANGE, style.GREY, style.DARK, style.VERMILION],
    "before and after": [style.GREY, style.PALE, style.BAND, style.GREEN],
    "before and after, not inside": [style.GREY, style.PALE, style.BAND, style.VERMILION],
    "power": [style.BLUE, style.PALE, style.ORANGE, style.DARK],
    "convergence": [style.BLUE, style.ORANGE, style.BAND],
    "verdicts": [style.GREEN, style.VERMILION],
    "deck": [style.BLUE, style.ORANGE],
    "narrowing": [style.BLUE, style.GREY],
    "agents": [style.BLUE, *(colour for colour, _, _ in SCRIPTED_STYLES.values())],
    "variants": [colour for colour, _ in VARIANT_STYLES.values()],
    "study": [colour for _, colour in _LOOKS],
    "matrix": [_PALETTE(0.0)[:3], _PALETTE(0.5)[:3], _PALETTE(1.0)[:3], style.PALE],
}


def linear(colour) -> np.ndarray:
    """Linear red, green and blue of a colour of the screen (IEC 61966-2-1)."""
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIELAB of linear red, green and blue, white being that of the screen."""
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    t = np.clip(to_xyz @ rgb, 0, None) / to_xyz.sum(axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def seen(colour, sight: str) -> np.ndarray:
    return lab(np.clip(SIGHTS[sight] @ linear(colour), 0, 1))


def distance(one, other, sight: str) -> float:
    return float(np.linalg.norm(seen(one, sight) - seen(other, sight)))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("group", TOGETHER)
def test_colours_of_one_figure_are_told_apart(group, sight):
    for one, other in combinations(TOGETHER[group], 2):
        assert distance(one, other, sight) > TOLD_APART, (one, other)


@pytest.mark.parametrize("sight", SIGHTS)
def test_text_stays_readable_on_every_cell(sight):
    text = seen(style.DARK, sight)[0]
    for value in np.linspace(0, 1, 21):
        assert seen(_PALETTE(value)[:3], sight)[0] - text > 40


def test_what_a_colour_says_a_marker_says_too():
    for looks in (
        [marker for marker, _ in _LOOKS],
        [marker for _, _, marker in SCRIPTED_STYLES.values()],
        [line for _, line, _ in SCRIPTED_STYLES.values()],
    ):
        assert len(set(looks)) == len(looks)
