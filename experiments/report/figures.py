"""The interactive figures, as plain data for plotly.js.

A colour that begins with `--` is a variable of the page's style sheet, so that a figure follows the
reader's colour scheme; the page's script looks it up.
"""

from __future__ import annotations

import html
from collections import defaultdict
from typing import Any

from experiments.report.axes import band, layout_of, whiskers
from experiments.report.wording import counted, fixed, general

_LEAST_WIDTH = 3  # of one change along the axis, in columns of one patch
_MOST_LINES = 8  # of patch notes beside the pointer
_CERTIFICATE = -1  # stands for it among the points of one change


def front_figure(front: dict[str, Any]) -> dict[str, Any]:
    """Imbalance against change: claimed, played again, certified, and today.

    Args:
        front: what `experiments.report.front.front` gives.
    """
    points, band_pp = front["points"], front["band_pp"]
    places, middles, borders = _places(points)
    best = next(k for k, point in enumerate(points) if point["recommended"])
    with_room = [k for k, point in enumerate(points) if point["has_room"]]
    without = [k for k, point in enumerate(points) if not point["has_room"]]
    verdict = ("star", "--green") if front["is_certified"] else ("x", "--vermilion")
    certified = points[best]["imbalance"]["certified"]
    at_certificate = {best: places[_CERTIFICATE]}
    today_pp = _today_pp(front)
    figure: dict[str, Any] = {
        "data": [
            _links(points, places),
            _marks(points, places, range(len(points)), "claimed", "circle", "--orange", size=7),
            _marks(points, places, with_room, "selected", "square", "--blue", size=10),
            _marks(points, places, without, "selected", "square-open", "--blue", size=10),
            _marks(points, at_certificate, [best], "certified", *verdict, size=15),
            {
                "name": "shown",
                "x": [places[best]], "y": [points[best]["imbalance"]["selected"][0]],
                "mode": "markers", "hoverinfo": "skip",
                "marker": {"symbol": "circle-open", "size": 24,
                           "color": "--ink", "line": {"width": 2}},
            },
        ],
        "layout": layout_of(
            "change (steps)", "imbalance (pp)",
            shapes=[
                band(band_pp),
                *(_border(x) for x in borders[:-1]),
                {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": today_pp,
                 "y1": today_pp, "line": {"color": "--muted", "width": 1.2, "dash": "dash"}},
            ],
        ),
    }  # fmt: skip
    highest = max(
        today_pp, band_pp, certified[2],
        *(distance[2] for point in points for distance in point["imbalance"].values()),
    )  # fmt: skip
    figure["layout"]["yaxis"].update(range=[-0.03 * highest, 1.05 * highest])
    figure["layout"]["xaxis"].update(
        range=[0, borders[-1]],
        tickvals=list(middles.values()),
        ticktext=[general(change) for change in middles],
    )
    return figure


def rounds_figure(phases: list[dict[str, Any]]) -> dict[str, Any]:
    """The attacker's win rate round by round, one line for each phase.

    Args:
        phases: of `attack.json`: `phase`, and `rounds` with `round`, `name`, and the attacker's
            `win_rate`, `low`, `high`, `n`.
    """
    styles = (("--muted", "circle-open"), ("--blue", "square"))
    data = []
    for phase, (colour, symbol) in zip(phases, styles, strict=False):
        rounds = phase["rounds"]
        data.append(
            {
                "name": phase["phase"],
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
        )  # fmt: skip
    half = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 50, "y1": 50,
            "line": {"color": "--muted", "width": 1, "dash": "dash"}}  # fmt: skip
    layout = layout_of("round", "attacker wins (%)", shapes=[half])
    layout["xaxis"].update(dtick=1)
    return {"data": data, "layout": layout}


def _places(
    points: list[dict[str, Any]],
) -> tuple[dict[int, float], dict[float, float], list[float]]:
    """Where points stand along the axis, where each change has its middle, and what parts them.

    Points of one change stand side by side by imbalance, each in a column of its own, so that
    each can be clicked; the certificate stands to the left of its point.
    """
    groups = defaultdict[float, list[int]](list)
    by_imbalance = sorted(range(len(points)), key=lambda k: points[k]["imbalance"]["selected"][0])
    for k in by_imbalance:
        groups[points[k]["change"]] += [_CERTIFICATE, k] if points[k]["recommended"] else [k]
    places, middles = dict[int, float](), dict[float, float]()
    left, borders = 0.0, list[float]()
    for change in sorted(groups):
        width = max(_LEAST_WIDTH, len(groups[change]) + 1)
        middles[change] = left + width / 2
        for rank, k in enumerate(groups[change]):
            places[k] = middles[change] + rank - (len(groups[change]) - 1) / 2
        left += width
        borders.append(left)
    return places, middles, borders


def _today_pp(front: dict[str, Any]) -> float:
    """Today's imbalance in the certificate's games."""
    rates = front["today"]["rates"]
    targets = (target for _, _, target in front["matchups"])
    distances = (abs(rate[0] - target) for rate, target in zip(rates, targets, strict=True))
    return 100 * float(max(distances))


def _marks(
    points: list[dict[str, Any]],
    places: dict[int, float],
    chosen: Any,
    stage: str,
    symbol: str,
    colour: str,
    *,
    size: int,
) -> dict[str, Any]:
    """One kind of marks, with whiskers for all but the light ones of the search's claims."""
    distances = [points[k]["imbalance"][stage] for k in chosen]
    line = {"width": 1.6 if symbol.endswith("open") else 0.8}
    trace: dict[str, Any] = {
        "name": stage,
        "x": [places[k] for k in chosen], "y": [distance[0] for distance in distances],
        "customdata": list(chosen), "mode": "markers",
        "marker": {"symbol": symbol, "color": colour, "size": size, "opacity": 1, "line": line},
        "text": [_hover_text(points[k], stage) for k in chosen],
        "hovertemplate": "%{text}<extra></extra>",
    }  # fmt: skip
    if stage == "claimed":
        trace["marker"].update(opacity=0.75)
    else:
        trace["error_y"] = whiskers(distances, colour)
    return trace


def _links(points: list[dict[str, Any]], places: dict[int, float]) -> dict[str, Any]:
    """Thin lines from what the search claimed to what was found when it was played again."""
    x, y = list[float | None](), list[float | None]()
    for k, point in enumerate(points):
        x += [places[k], places[k], None]
        y += [point["imbalance"][stage][0] for stage in ("claimed", "selected")] + [None]
    return {
        "name": "from claim to selection", "x": x, "y": y, "mode": "lines", "hoverinfo": "skip",
        "line": {"color": "--orange", "width": 1},
    }  # fmt: skip


def _hover_text(point: dict[str, Any], stage: str) -> str:
    """What stands beside the pointer; names are the users' own, so they are escaped."""
    estimate, low, high = point["imbalance"][stage]
    lines = [
        f"{stage}: {fixed(estimate)} pp ({fixed(low)} to {fixed(high)}), "
        f"n = {point['stages'][stage]['n']:,}",
        f"change {general(point['change'])} on {counted(point['cards'], 'card')}",
    ]
    notes = [
        f"{html.escape(note['name'], quote=False)}: {field} {before} → {after}"
        for note in point["notes"]
        for field, before, after in note["changes"]
    ]
    lines += notes[:_MOST_LINES]
    if len(notes) > _MOST_LINES:
        lines.append(f"and {len(notes) - _MOST_LINES} more")
    return "<br>".join(lines)


def _border(x: float) -> dict[str, Any]:
    """A faint upright line between two changes."""
    return {
        "type": "line", "layer": "below", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "line": {"color": "--rule", "width": 1, "dash": "dot"},
    }  # fmt: skip
