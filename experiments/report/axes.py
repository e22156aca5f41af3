"""What the interactive figures share: their look, and their intervals."""

from __future__ import annotations

from typing import Any


def whiskers(intervals: list[list[float]], colour: str) -> dict[str, Any]:
    """Error bars of intervals: estimate, low, high."""
    return {
        "type": "data", "symmetric": False, "thickness": 1, "width": 0, "color": colour,
        "array": [round(high - estimate, 4) for estimate, _, high in intervals],
        "arrayminus": [round(estimate - low, 4) for estimate, low, _ in intervals],
    }  # fmt: skip


def band(band_pp: float) -> dict[str, Any]:
    """The strip of all imbalances that the target allows."""
    return {
        "type": "rect", "layer": "below", "xref": "paper", "x0": 0, "x1": 1, "y0": 0,
        "y1": band_pp, "fillcolor": "--band", "line": {"width": 0},
    }  # fmt: skip


def layout_of(x_title: str, y_title: str, *, shapes: list[dict[str, Any]]) -> dict[str, Any]:
    """The look that all figures have.

    Args:
        x_title: of the horizontal axis.
        y_title: of the vertical axis.
        shapes: drawn below the data.
    """
    axis = {
        "gridcolor": "--rule", "linecolor": "--muted", "zeroline": False, "ticks": "outside",
        "tickcolor": "--muted", "automargin": True, "fixedrange": True,
    }  # fmt: skip
    return {
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "--ink", "size": 13, "family": "system-ui, sans-serif"},
        "hoverlabel": {"align": "left", "bgcolor": "--card", "bordercolor": "--muted",
                       "font": {"color": "--ink"}},
        "margin": {"l": 12, "r": 8, "t": 8, "b": 12},
        "showlegend": False, "dragmode": False, "hovermode": "closest", "shapes": shapes,
        "xaxis": {**axis, "title": {"text": x_title, "standoff": 8}, "showgrid": False},
        "yaxis": {**axis, "title": {"text": y_title, "standoff": 8}},
    }  # fmt: skip
