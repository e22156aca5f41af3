"""Front of a balance run (all patches that were evaluated again), as page data and as a figure."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from balance import Interval
from balance.contest.band import band_verdict
from balance.run.front_rows import FrontEditRow, FrontMatchupRow, FrontRow
from experiments.report.figures import band, layout_of, whiskers
from experiments.report.wording import (
    cards_of,
    edits_by_card,
    fixed,
    general,
    players_of,
    touched_words,
)
from experiments.results.verdict import verdict_in
from experiments.runs.finished_run import FinishedRun
from sim.files.row_file import entry

_DIGITS = 6  # digits of a win rate in the data; the page shows three, so rounding twice is harmless
_COLUMNS_MIN = 3  # minimum width of a change on the axis, in columns: fewer would hide its label
_LINES_MAX = 8  # lines of patch notes in a tooltip; chosen by eye: more would cover the figure
_CERTIFICATE = -1  # key of the certificate's mark among the marks of the points 0, 1, ...


def front(run: FinishedRun) -> dict[str, Any]:
    """Return the front as data for the page's script: players, matchups, bounds and points.

    Each rate is a list of estimate, lower and upper bound. A matchup refers to its players by
    index, or by name if its second side is not a player.
    """
    names = [player["name"] for player in players_of(run)]
    verdict = verdict_in(run.summary)
    bounds = [(row.least, row.most) for row in verdict.matchups]
    today, certified = (
        _stage(
            (getattr(row, side) for row in verdict.matchups), bounds, verdict.n, verdict.confidence
        )
        for side in ("before", "after")
    )
    return {
        "players": names,
        "matchups": [
            [m.a, m.b, m.least, m.most]
            if m.b not in names
            else [names.index(m.a), names.index(m.b), m.least, m.most]
            for m in verdict.matchups
        ],
        "band_pp": verdict.band_pp,
        "today_pp": float(verdict.today_pp.estimate),
        "is_certified": verdict.certified,
        "today": today,
        "points": _points(run, certified),
    }


def front_figure(front: dict[str, Any]) -> dict[str, Any]:
    """Return the figure of the front: imbalance against change of each patch in each stage.

    Args:
        front: data as returned by the function `front`; exactly one point is recommended.
    """
    points = front["points"]
    band_pp = front["band_pp"]
    places, middles, borders = _places(points)
    best = next(k for k, point in enumerate(points) if point["recommended"])
    with_room, without = (
        [k for k, point in enumerate(points) if point["has_room"] is kind] for kind in (True, False)
    )
    verdict = ("star", "--green") if front["is_certified"] else ("x", "--vermilion")
    at_certificate = {best: places[_CERTIFICATE]}
    today_pp = front["today_pp"]
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
            "change (steps), a column for each, not to scale", "imbalance (pp)",
            shapes=[
                band(band_pp),
                *(_border(x) for x in borders[:-1]),
                {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": today_pp,
                 "y1": today_pp, "line": {"color": "--muted", "width": 1.2, "dash": "dash"}},
            ],
        ),
    }  # fmt: skip
    highest = max(
        today_pp, band_pp,
        *(distance[2] for point in points for distance in point["imbalance"].values()),
    )  # fmt: skip
    figure["layout"]["yaxis"].update(range=[-0.03 * highest, 1.05 * highest])
    figure["layout"]["xaxis"].update(
        range=[0, borders[-1]],
        tickvals=list(middles.values()),
        ticktext=[general(change) for change in middles],
    )
    return figure


def _points(run: FinishedRun, certified: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one entry per patch of the front: edits, imbalances and win rates of each stage.

    Args:
        run: finished balance run.
        certified: win rates of the recommended patch in the games of the certificate, as returned
            by `_stage`.
    """
    edits = defaultdict(list)
    matchups = defaultdict(list)
    for edit in run.rows("front_edits.csv", FrontEditRow):
        edits[edit.point].append(entry(edit))
    for matchup in run.rows("front_matchups.csv", FrontMatchupRow):
        matchups[matchup.point].append(matchup)
    points = list[dict[str, Any]]()
    cards = cards_of(run)
    for row in run.rows("front.csv", FrontRow):
        rates = matchups[row.point]
        confidence = rates[0].confidence
        bounds = [(rate.least, rate.most) for rate in rates]
        claimed = [rate.claimed for rate in rates]
        selected = [rate.selected for rate in rates]
        stages = {
            "claimed": _stage(claimed, bounds, row.claimed_n, confidence),
            "selected": _stage(selected, bounds, row.selected_n, confidence),
        }
        distances = {"claimed": row.claimed, "selected": row.selected}
        if row.certified is not None:
            stages["certified"] = certified
            distances["certified"] = row.certified
        points.append(
            {
                "change": row.change,
                "touched": touched_words(run, row.cards_touched, len(edits[row.point])),
                "notes": edits_by_card(edits[row.point], cards),
                "imbalance": distances,
                "stages": stages,
                "guards_hold": row.guards_hold,
                "has_room": row.has_room,
                "on_front": row.on_front,
                "recommended": row.recommended,
            }
        )
    return points


def _stage(
    rates: Iterable[Interval], bounds: Sequence[tuple[float, float]], n: int, confidence: float
) -> dict[str, Any]:
    """Return the win rates of a patch in one stage as data, with their band verdicts.

    Args:
        rates: win rate of each matchup as a fraction, with its interval.
        bounds: lower and upper bound of each matchup's win rate.
        n: number of games per matchup.
        confidence: confidence level of the intervals.
    """
    rates = list(rates)
    return {
        "rates": [[round(float(bound), _DIGITS) for bound in rate] for rate in rates],
        "verdicts": [band_verdict(rate, *ends) for rate, ends in zip(rates, bounds, strict=True)],
        "n": n,
        "confidence": confidence,
    }


def _places(
    points: list[dict[str, Any]],
) -> tuple[dict[int, float], dict[float, float], list[float]]:
    """Return the horizontal positions of the points of the front.

    Each point has its own column, so that each can be clicked. Points with equal change have
    neighbouring columns, sorted by imbalance. The mark of the certificate is in the column to the
    left of the recommended point.

    Args:
        points: patches of the front.

    Returns:
        Position of each point, by index, and of `_CERTIFICATE`; middle of the columns of each
        change; right border of the columns of each change. All are in columns.
    """
    groups = defaultdict[float, list[int]](list)
    by_imbalance = sorted(range(len(points)), key=lambda k: points[k]["imbalance"]["selected"][0])
    for k in by_imbalance:
        groups[points[k]["change"]] += [_CERTIFICATE, k] if points[k]["recommended"] else [k]
    places = dict[int, float]()
    middles = dict[float, float]()
    left = 0.0
    borders = list[float]()
    for change in sorted(groups):
        width = max(_COLUMNS_MIN, len(groups[change]) + 1)
        middles[change] = left + width / 2
        for rank, k in enumerate(groups[change]):
            places[k] = middles[change] + rank - (len(groups[change]) - 1) / 2
        left += width
        borders.append(left)
    return places, middles, borders


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
    """Return the plotly.js marks of one stage, with error bars unless the stage is `claimed`.

    Args:
        points: patches of the front.
        places: horizontal position of each point, by index.
        chosen: indices of the points to draw.
        stage: stage of the imbalances: `claimed`, `selected` or `certified`.
        symbol: symbol of plotly.js.
        colour: colour of the marks, or a variable of the style sheet.
        size: size of a mark in pixels.
    """
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
    """Return a thin vertical line per patch from its claimed to its selected imbalance."""
    x = list[float | None]()
    y = list[float | None]()
    for k, point in enumerate(points):
        x += [places[k], places[k], None]
        y += [point["imbalance"][stage][0] for stage in ("claimed", "selected")] + [None]
    return {
        "name": "from claim to selection", "x": x, "y": y, "mode": "lines", "hoverinfo": "skip",
        "line": {"color": "--orange", "width": 1},
    }  # fmt: skip


def _hover_text(point: dict[str, Any], stage: str) -> str:
    """Return the tooltip of a point as HTML, with names escaped and at most `_LINES_MAX` edits."""
    estimate, low, high = point["imbalance"][stage]
    lines = [
        f"{stage}: {fixed(estimate)} pp ({fixed(low)} to {fixed(high)}), "
        f"n = {point['stages'][stage]['n']:,}",
        f"change {general(point['change'])} on {point['touched']}",
    ]
    notes = [
        f"{html.escape(note['name'], quote=False)}: {field} {before} → {after}"
        for note in point["notes"]
        for field, before, after in note["changes"]
    ]
    lines += notes[:_LINES_MAX]
    if len(notes) > _LINES_MAX:
        lines.append(f"and {len(notes) - _LINES_MAX} more")
    return "<br>".join(lines)


def _border(x: float) -> dict[str, Any]:
    """Return a plotly.js shape: a dotted vertical line at a position in columns."""
    return {
        "type": "line", "layer": "below", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "line": {"color": "--rule", "width": 1, "dash": "dot"},
    }  # fmt: skip
