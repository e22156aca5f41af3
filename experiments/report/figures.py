"""Interactive figures of search and attack, and the style of all figures, as data for plotly.js.

A colour that begins with `--` is a variable of the page's style sheet, which the page's script
resolves. Figures thus follow the reader's colour scheme. The figure of the front is in
`experiments.report.front_chart`.
"""

from __future__ import annotations

import html
from typing import Any

from balance.run.patch_rows import ConvergenceRow
from experiments.report.wording import fixed


def whiskers(intervals: list[list[float]], colour: str) -> dict[str, Any]:
    """Return error bars of plotly.js for intervals, rounded to four decimals.

    Args:
        intervals: estimate, lower and upper bound of each point.
        colour: colour of the bars, or a variable of the style sheet.
    """
    return {
        "type": "data", "symmetric": False, "thickness": 1, "width": 0, "color": colour,
        "array": [round(high - estimate, 4) for estimate, _, high in intervals],
        "arrayminus": [round(estimate - low, 4) for estimate, low, _ in intervals],
    }  # fmt: skip


def band(band_pp: float) -> dict[str, Any]:
    """Return a plotly.js shape that fills the vertical range from 0 to `band_pp`."""
    return {
        "type": "rect", "layer": "below", "xref": "paper", "x0": 0, "x1": 1, "y0": 0,
        "y1": band_pp, "fillcolor": "--band", "line": {"width": 0},
    }  # fmt: skip


def layout_of(x_title: str, y_title: str, *, shapes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the plotly.js layout that all figures share.

    Args:
        x_title: title of the horizontal axis.
        y_title: title of the vertical axis.
        shapes: plotly.js shapes to draw in the figure, such as bands and lines.
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


def convergence_figure(rows: list[ConvergenceRow], band_pp: float) -> dict[str, Any]:
    """Return the figure of a search: distance, change and hypervolume against games played.

    Args:
        rows: rows of `convergence.csv`, one per round, at least one.
        band_pp: half-width of the target band, in percentage points.
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
            *_hypervolume(rows),
        ],
        "layout": layout,
    }  # fmt: skip
    layout["yaxis2"] = {**axis, "title": {"text": "change (steps)", "standoff": 8}}
    title = {"text": "front so far (%)", "standoff": 8}
    layout["yaxis3"] = {**axis, "title": title, "range": [0, 102]}
    heights = {"yaxis": [0.66, 1], "yaxis2": [0.35, 0.58], "yaxis3": [0, 0.27]}
    for name, domain in heights.items():
        layout[name].update(domain=domain, rangemode="tozero")
    layout["xaxis"].update(anchor="y3", range=[0, 1.02 * max(row.games for row in rows)])
    return figure


def _course(
    rows: list[ConvergenceRow], y: list[Any], name: str, unit: str, *, axis: str = "y", **line: str
) -> dict[str, Any]:
    """Return a line of plotly.js that shows one column of `convergence.csv` against games.

    Args:
        rows: rows of the table, one per round.
        y: values of the column, one per row.
        name: name of the column for readers.
        unit: unit of the values.
        axis: vertical axis of plotly.js, `y`, `y2` or `y3`.
        line: style of the line, as in plotly.js.
    """
    return {
        "name": name, "x": [row.games for row in rows], "y": y, "yaxis": axis, "mode": "lines",
        "line": line, "text": [f"round {row.generation + 1}" for row in rows],
        "hovertemplate": f"%{{text}}<br>{name} %{{y:.3~g}} {unit}<br>%{{x:,}} games<extra></extra>",
    }  # fmt: skip


def _hypervolume(rows: list[ConvergenceRow]) -> list[dict[str, Any]]:
    """Return the lines of the hypervolume in percent: lower bound, upper bound and estimate.

    The area between the bounds is filled.
    """
    shares = [row.hypervolume.times(100) for row in rows]
    line, low, high = (
        _course(rows, list(bounds), "front so far", "%", axis="y3", color="--green", shape="hv")
        for bounds in zip(*shares, strict=True)
    )
    for bound in (low, high):
        bound.update(name="its bounds", hoverinfo="skip", line={"width": 0, "shape": "hv"})
        del bound["hovertemplate"]
    high.update(fill="tonexty", fillcolor="--band")
    line["text"] = [
        f"{name}, {fixed(float(share.low))} to {fixed(float(share.high))}"
        for name, share in zip(line["text"], shares, strict=True)
    ]
    return [low, high, line]


def rounds_figure(phases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figure of an attack: the attacker's win rate by round, one line per phase.

    Args:
        phases: phases of `attack.json`. Each has the keys `phase` and `rounds`; each round has
            `round`, `name`, and the attacker's `win_rate`, `low`, `high` and `n`. Only the first
            two phases are shown.
    """
    styles = (("--muted", "circle-open"), ("--blue", "square"))
    shown = [(phase["phase"], phase["rounds"]) for phase in phases]
    data = [
            {
                "name": name,
                "x": [entry["round"] for entry in rounds],
                "y": [round(100 * entry["win_rate"], 4) for entry in rounds],
                "error_y": whiskers(
                    [[100 * entry[k] for k in ("win_rate", "low", "high")] for entry in rounds],
                    colour,
                ),
                "mode": "lines+markers", "line": {"color": colour, "width": 1.5},
                "marker": {"symbol": symbol, "size": 10, "color": colour},
                "text": [
                    f"{html.escape(entry['name'])}<br>{fixed(100 * entry['win_rate'])} % "
                    f"({fixed(100 * entry['low'])} to {fixed(100 * entry['high'])}), "
                    f"n = {entry['n']:,}"
                    for entry in rounds
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
            for (name, rounds), (colour, symbol) in zip(shown, styles, strict=False)
    ]  # fmt: skip
    half = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 50, "y1": 50,
            "line": {"color": "--muted", "width": 1, "dash": "dash"}}  # fmt: skip
    layout = layout_of("round", "attacker wins (%)", shapes=[half])
    layout["xaxis"].update(dtick=1)
    return {"data": data, "layout": layout}
