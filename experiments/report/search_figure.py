"""The course of the search as a figure for plotly.js (see `experiments.report.figures`)."""

from __future__ import annotations

from typing import Any

from experiments.report.axes import band, layout_of
from experiments.report.wording import fixed


def convergence_figure(rows: list[dict[str, str]], band_pp: float) -> dict[str, Any]:
    """Imbalance and change of each generation's best patch, and the hypervolume, against games.

    Args:
        rows: of `convergence.csv`; those of an earlier version have no hypervolume.
        band_pp: half-width of the band.
    """
    games = [float(row["games"]) for row in rows]
    layout = layout_of("games played by the search", "distance (pp)", shapes=[band(band_pp)])
    axis = layout["yaxis"]
    figure: dict[str, Any] = {
        "data": [
            _course(rows, "imbalance_pp", "largest distance", "pp", color="--blue"),
            _course(rows, "mean_imbalance_pp", "mean distance", "pp", color="--orange", dash="dot"),
            _course(rows, "change", "change", "steps", axis="y2", color="--muted", shape="hv"),
        ],
        "layout": layout,
    }
    layout["yaxis2"] = {**axis, "title": {"text": "change (steps)", "standoff": 8}}
    heights = {"yaxis": [0.36, 1], "yaxis2": [0, 0.26]}
    if "hypervolume" in rows[0]:
        figure["data"] += _hypervolume(rows)
        title = {"text": "hypervolume (%)", "standoff": 8}
        layout["yaxis3"] = {**axis, "title": title, "range": [0, 102]}
        heights = {"yaxis": [0.66, 1], "yaxis2": [0.35, 0.58], "yaxis3": [0, 0.27]}
    for name, domain in heights.items():
        layout[name].update(domain=domain, rangemode="tozero")
    lowest = "y3" if "yaxis3" in layout else "y2"
    layout["xaxis"].update(anchor=lowest, range=[0, 1.02 * max(games)])
    return figure


def _course(
    rows: list[dict[str, str]], column: str, name: str, unit: str, *, axis: str = "y", **line: str
) -> dict[str, Any]:
    """A column of `convergence.csv` as a line against games."""
    return {
        "name": name, "x": [float(row["games"]) for row in rows],
        "y": [float(row[column]) for row in rows], "yaxis": axis, "mode": "lines", "line": line,
        "text": [f"generation {row['generation']}" for row in rows],
        "hovertemplate": f"%{{text}}<br>{name} %{{y:.3~g}} {unit}<br>%{{x:,}} games<extra></extra>",
    }  # fmt: skip


def _hypervolume(rows: list[dict[str, str]]) -> list[dict[str, Any]]:
    """In percent, with its band below it."""
    columns = ("hypervolume_low", "hypervolume_high", "hypervolume")
    percent = [
        {**row, **{column: str(100 * float(row[column])) for column in columns}} for row in rows
    ]
    low, high, line = (
        _course(percent, column, "hypervolume", "%", axis="y3", color="--green", shape="hv")
        for column in columns
    )
    for bound in (low, high):
        bound.update(name="its bounds", hoverinfo="skip", line={"width": 0, "shape": "hv"})
        del bound["hovertemplate"]
    high.update(fill="tonexty", fillcolor="--band")
    line["text"] = [
        f"generation {row['generation']}, {fixed(float(row['hypervolume_low']))} to "
        f"{fixed(float(row['hypervolume_high']))}"
        for row in percent
    ]
    return [low, high, line]
