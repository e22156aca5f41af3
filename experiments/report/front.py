"""The front: every patch that was played again, as data for the page's script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from experiments.report.names import cards_of, edits_by_card, players_of
from experiments.results.front import FrontEditRow, FrontMatchupRow, FrontRow
from experiments.results.verdict import verdict_in
from experiments.runs.finished_run import FinishedRun
from sim.files.row_file import entry

_DIGITS = 6  # of a win rate; three are shown, rounded once more


def front(run: FinishedRun) -> dict[str, Any]:
    """Players, matchups and points; rates are lists of estimate, low and high."""
    names, verdict = [player["name"] for player in players_of(run)], verdict_in(run.summary)
    today, certified = (
        _stage((getattr(one, side) for one in verdict.matchups), verdict.n, verdict.confidence)
        for side in ("before", "after")
    )
    return {
        "players": names,
        "matchups": [[names.index(m.a), names.index(m.b), m.target] for m in verdict.matchups],
        "band_pp": verdict.band_pp,
        "is_certified": verdict.certified,
        "today": today,
        "points": _points(run, certified),
    }


def _points(run: FinishedRun, certified: dict[str, Any]) -> list[dict[str, Any]]:
    edits, matchups = defaultdict(list), defaultdict(list)
    for edit in run.rows("front_edits.csv", FrontEditRow):
        edits[edit.point].append(entry(edit))
    for matchup in run.rows("front_matchups.csv", FrontMatchupRow):
        matchups[matchup.point].append(matchup)
    points, cards = list[dict[str, Any]](), cards_of(run)
    for row in run.rows("front.csv", FrontRow):
        mine = matchups[row.point]
        confidence = mine[0].confidence
        stages = {
            "claimed": _stage([one.claimed for one in mine], row.claimed_n, confidence),
            "selected": _stage([one.selected for one in mine], row.selected_n, confidence),
        }
        distances = {"claimed": row.claimed, "selected": row.selected}
        if row.certified is not None:
            stages["certified"] = certified
            distances["certified"] = row.certified
        points.append(
            {
                "change": row.change,
                "cards": row.cards_touched,
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


def _stage(rates: Iterable[Iterable[Any]], n: int, confidence: float) -> dict[str, Any]:
    """The win rates of all matchups in the games of one stage."""
    rounded = [[round(float(bound), _DIGITS) for bound in rate] for rate in rates]
    return {"rates": rounded, "n": n, "confidence": confidence}
