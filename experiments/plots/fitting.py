"""Titles and labels of panels that fit, once it is known how much room there is."""

from __future__ import annotations

import re

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

from experiments.plots.text import balanced, text_width

_MOST_LINES = 5
_GAP = 6  # points between a title and what stands to the right of it
_UNIT = re.compile(r"\([^()]*\)$")


def fold_names(figure: Figure, layout: ConstrainedLayoutEngine) -> None:
    """Break titles and labels of panels where they would reach into something else.

    Args:
        figure: with its panels.
        layout: which gives the panels their places.
    """
    whole = {text: text.get_text() for axes in figure.axes for text in _names(axes)}
    titles = [_names(axes)[0] for axes in figure.axes]
    for axes in figure.axes:  # a title much wider than its panel would press all panels together
        title = _names(axes)[0]
        title.set_text(balanced(whole[title], panel_width(axes), size=_size_of(title)))
    rooms = dict.fromkeys(whole, np.inf)
    for _ in range(5):  # what breaks moves its panel
        layout.execute(figure)  # gives the panels their places
        is_settled = True
        for axes in figure.axes:
            for text, room in zip(_names(axes), _rooms(figure, axes), strict=True):
                rooms[text] = min(room, rooms[text])  # never back and forth
        least = min((rooms[title] for title in titles if whole[title]), default=np.inf)
        rooms.update((title, least) for title in titles)  # titles side by side break alike
        for axes in figure.axes:
            for text in _names(axes):
                broken = _broken(whole[text], rooms[text], _size_of(text))
                is_settled = is_settled and broken == text.get_text()
                text.set_text(broken)
        if is_settled:
            break


def panel_width(axes: Axes) -> float:
    """Points across the figure that belong to one of its columns of panels."""
    spec, figure = axes.get_subplotspec(), axes.get_figure(root=True)
    columns = 1 if spec is None else spec.get_gridspec().ncols
    return 72 * figure.get_figwidth() / columns if figure else np.inf


def _broken(text: str, room: float, size: float) -> str:
    """Text over lines of at most `room` points, if possible with its unit on one line."""
    if text_width(text, size) <= room:
        return text
    unit = _UNIT.search(text)
    if unit and text_width(unit[0], size) <= room:
        before = text[: unit.start()].rstrip()
        together = text_width(f"{before.split(' ')[-1]} {unit[0]}", size)
        has_company = " " not in unit[0] and together <= room  # a short unit is not left alone
        gap = "\N{NO-BREAK SPACE}" if has_company else " "
        text = before + gap + unit[0].replace(" ", "\N{NO-BREAK SPACE}")
    return balanced(text, room, size=size, most_lines=_MOST_LINES)


def _names(axes: Axes) -> tuple[Text, Text, Text]:
    """The title of a panel and the labels of its axes."""
    title = axes.get_title(loc="left")
    texts = (child for child in axes.get_children() if isinstance(child, Text))
    return (
        next(text for text in texts if text.get_text() == title),
        axes.xaxis.label,
        axes.yaxis.label,
    )


def _rooms(figure: Figure, axes: Axes) -> tuple[float, float, float]:
    """How long those may be, in points."""
    width, height = figure.get_size_inches() * 72
    box = axes.get_position()
    others = [other.get_position() for other in figure.axes if other.get_visible()]
    right = min((other.x0 for other in others if other.x0 > box.x1 - 1e-6), default=1.0)
    return (right - box.x0) * width - _GAP, box.width * width, box.height * height


def _size_of(text: Text) -> float:
    """In points."""
    return float(text.get_fontsize())
