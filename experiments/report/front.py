"""The front: every patch that was played again, as data for the page's script."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from experiments.report.names import cards_of, edits_by_card, players_of
from experiments.report.wording import number
from experiments.runs.finished_run import FinishedRun

_STAGES = ("claimed", "selected")
_DIGITS = 6  # of a win rate; three are shown, rounded once more


def front(run: FinishedRun) -> dict[str, Any]:
    """Players, matchups and points; rates are lists of estimate, low and high."""
    names = [player["name"] for player in players_of(run)]
    summary = run.summary["matchups"]
    certified = _stage([matchup["after"] for matchup in summary], run.summary["confidence"])
    return {
        "players": names,
        "matchups": [[names.index(m["a"]), names.index(m["b"]), m["target"]] for m in summary],
        "band_pp": summary[0]["band_pp"],
        "is_certified": run.summary["certified"],
        "today": _stage([matchup["before"] for matchup in summary], run.summary["confidence"]),
        "points": _points(run, certified),
    }


def _points(run: FinishedRun, certified: dict[str, Any]) -> list[dict[str, Any]]:
    edits, matchups = defaultdict(list), defaultdict(list)
    for row in run.rows("front_edits.csv"):
        edit = {**row, "from": int(row["from"]), "to": int(row["to"])}
        edits[row["point"]].append(edit)
    for row in run.rows("front_matchups.csv"):
        matchups[row["point"]].append(row)
    points, cards = list[dict[str, Any]](), cards_of(run)
    for row in run.rows("front.csv"):
        mine = matchups[row["point"]]
        is_recommended = row["recommended"] == "True"
        stages = {stage: _stage_of_rows(mine, stage) for stage in _STAGES}
        distances = {stage: _imbalance(row, stage) for stage in _STAGES}
        if is_recommended:
            stages["certified"] = certified
            distances["certified"] = _imbalance(row, "certified")
        points.append(
            {
                "change": float(row["change"]),
                "cards": int(row["cards_touched"]),
                "notes": edits_by_card(edits[row["point"]], cards),
                "imbalance": distances,
                "stages": stages,
                "guards_hold": row["guards_hold"] == "True",
                "has_room": row["has_room"] == "True",
                "on_front": row["on_front"] == "True",
                "recommended": is_recommended,
            }
        )
    return points


def _imbalance(row: dict[str, str], stage: str) -> list[float | None]:
    """Largest distance from target in points: estimate, low, high."""
    return [number(row[f"{stage}_{column}"]) for column in ("imbalance_pp", "low_pp", "high_pp")]


def _stage_of_rows(rows: list[dict[str, str]], stage: str) -> dict[str, Any]:
    sides = [
        {"win_rate": float(row[stage]), **{
            bound: float(row[f"{stage}_{bound}"]) for bound in ("low", "high", "n")
        }}
        for row in rows
    ]  # fmt: skip
    return _stage(sides, float(rows[0]["confidence"]))


def _stage(sides: list[dict[str, Any]], confidence: float) -> dict[str, Any]:
    """The win rates of all matchups in the games of one stage."""
    bounds = ("win_rate", "low", "high")
    return {
        "rates": [[round(side[bound], _DIGITS) for bound in bounds] for side in sides],
        "n": int(sides[0]["n"]),
        "confidence": confidence,
    }
