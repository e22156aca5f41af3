"""Front of a balance run: all patches that were evaluated again, as data for the page's script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from balance import Interval
from balance.contest.band import band_verdict
from balance.run.front_rows import FrontEditRow, FrontMatchupRow, FrontRow
from experiments.report.wording import (
    cards_of,
    edits_by_card,
    general,
    has_cards,
    players_of,
    touched_words,
)
from experiments.results.verdict import verdict_in
from experiments.runs.finished_run import FinishedRun
from sim.files.row_file import entry

_DIGITS = 6  # digits of a win rate in the data; the page shows three, so rounding twice is harmless
_COLUMNS_MIN = 3  # minimum width of a group on the axis, in columns: fewer would hide its label


def front(run: FinishedRun) -> dict[str, Any]:
    """Return the front as data for the page's script: players, matchups, bounds and points.

    Each rate is a list of estimate, lower and upper bound. A matchup refers to its players by
    index, or by name if its second side is not a player. Positions on the horizontal axis of the
    figure are in columns.
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
    points = _points(run, certified)
    places, groups = _places(points)
    parts = "cards" if has_cards(run) else "groups"
    return {
        "players": names,
        "matchups": [
            [m.a, m.b, m.least, m.most]
            if m.a not in names or m.b not in names
            else [names.index(m.a), names.index(m.b), m.least, m.most]
            for m in verdict.matchups
        ],
        "band_pp": verdict.band_pp,
        "today_pp": float(verdict.today_pp.estimate),
        "is_certified": verdict.certified,
        "today": today,
        "points": points,
        "places": places,
        "groups": groups,
        "axis": f"changed {parts}" if _has_cards(points) else "change (steps)",
    }


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
                "cards": row.cards_touched,
                "change": row.change,
                "changed": f"change {general(row.change)} on "
                + touched_words(run, row.cards_touched, len(edits[row.point])),
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


def _has_cards(points: list[dict[str, Any]]) -> bool:
    """Return whether any patch of the front edits a card."""
    return any(point["cards"] for point in points)


def _places(points: list[dict[str, Any]]) -> tuple[list[float], list[dict[str, Any]]]:
    """Return the horizontal positions of the points of the front, and of their groups.

    A group has equally many edited cards, or equal change if no patch edits a card. Each point has
    its own column, so that each can be clicked. Points of a group have neighbouring columns, sorted
    by imbalance. The column to the left of the recommended point is
    left free for the mark of the certificate.

    Args:
        points: patches of the front.

    Returns:
        Position of each point; label of each group, with the middle and the right border of its
        columns. All positions are in columns.
    """
    key = "cards" if _has_cards(points) else "change"
    groups = defaultdict[float, list[int | None]](list)
    by_imbalance = sorted(range(len(points)), key=lambda k: points[k]["imbalance"]["selected"][0])
    for k in by_imbalance:
        groups[points[k][key]] += [None, k] if points[k]["recommended"] else [k]
    places = [0.0] * len(points)
    placed = list[dict[str, Any]]()
    left = 0.0
    for size, columns in sorted(groups.items()):
        width = max(_COLUMNS_MIN, len(columns) + 1)
        middle = left + width / 2
        for rank, point in enumerate(columns):
            if point is not None:
                places[point] = middle + rank - (len(columns) - 1) / 2
        left += width
        placed.append({"label": general(size), "middle": middle, "border": left})
    return places, placed
