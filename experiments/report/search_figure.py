"""The course of the search as a figure for plotly.js (see `experiments.report.figures`)."""

from __future__ import annotations

from typing import Any

from balance.statistics.intervals import Interval
from experiments.report.axes import band, layout_of
from experiments.report.wording import fixed
from experiments.results.convergence import ConvergenceRow


def convergence_figure(rows: list[ConvergenceRow], band_pp: float) -> dict[str, Any]:
    """Imbalance and change of each generation's best patch, and the hypervolume, against games.

    Args:
        rows: of `convergence.csv`; those of an earlier version have no hypervolume.
        band_pp: half-width of the band.
    """
    layout = layout_of("games played by the search", "distance (pp)", shapes=[band(band_pp)])
    axis = layout["yaxis"]
    figure: dict[str, Any] = {
        "data": [
            _course(rows, [row.imbalance_pp for row in rows], "largest distance", "pp",
                    color="--blue"),
            _course(rows, [row.mean_imbalance_pp for row in rows], "mean distance", "pp",
                    color="--orange", dash="dot"),
            _course(rows, [row.change for row in rows], "change", "steps", axis="y2",
                    color="--muted", shape="hv"),
        ],
        "layout": layout,
    }  # fmt: skip
    layout["yaxis2"] = {**axis, "title": {"text": "change (steps)", "standoff": 8}}
    heights = {"yaxis": [0.36, 1], "yaxis2": [0, 0.26]}
    if shares := [row.hypervolume for row in rows if row.hypervolume is not None]:
        figure["data"] += _hypervolume(rows, shares)
        title = {"text": "front so far (%)", "standoff": 8}
        layout["yaxis3"] = {**axis, "title": title, "range": [0, 102]}
        heights = {"yaxis": [0.66, 1], "yaxis2": [0.35, 0.58], "yaxis3": [0, 0.27]}
    for name, domain in heights.items():
        layout[name].update(domain=domain, rangemode="tozero")
    lowest = "y3" if "yaxis3" in layout else "y2"
    layout["xaxis"].update(anchor=lowest, range=[0, 1.02 * max(row.games for row in rows)])
    return figure


def _course(
    rows: list[ConvergenceRow], y: list[Any], name: str, unit: str, *, axis: str = "y", **line: str
) -> dict[str, Any]:
    """A column of `convergence.csv` as a line against games."""
    return {
        "name": name, "x": [row.games for row in rows], "y": y, "yaxis": axis, "mode": "lines",
        "line": line, "text": [f"generation {row.generation}" for row in rows],
        "hovertemplate": f"%{{text}}<br>{name} %{{y:.3~g}} {unit}<br>%{{x:,}} games<extra></extra>",
    }  # fmt: skip


def _hypervolume(rows: list[ConvergenceRow], shares: list[Interval]) -> list[dict[str, Any]]:
    """In percent, with its band below it."""
    line, low, high = (
        _course(rows, [100 * bound for bound in bounds], "front so far", "%", axis="y3",
                color="--green", shape="hv")
        for bounds in zip(*shares, strict=True)
    )  # fmt: skip
    for bound in (low, high):
        bound.update(name="its bounds", hoverinfo="skip", line={"width": 0, "shape": "hv"})
        del bound["hovertemplate"]
    high.update(fill="tonexty", fillcolor="--band")
    line["text"] = [
        f"{generation}, {fixed(float(share.low))} to {fixed(float(share.high))}"
        for generation, share in zip(line["text"], [one.times(100) for one in shares], strict=True)
    ]
    return [low, high, line]
