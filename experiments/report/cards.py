"""What the cards are worth, and which of them the search was allowed to move."""

from __future__ import annotations

from typing import Any

from experiments.report.names import cards_of
from experiments.report.wording import number
from experiments.runs.finished_run import FinishedRun

_KEPT = {"True": "kept", "False": "dropped"}


def card_power(run: FinishedRun) -> dict[str, Any] | None:
    """Power of every card in every deck, the strongest first; `None` where it was not measured."""
    if not (run.path / "power.csv").is_file():
        return None
    cards = cards_of(run)
    kept = {row["card"]: _KEPT[row["kept"]] for row in run.rows("narrowing.csv")}
    rows = [
        {
            "player": row["player"],
            "agent": row["agent"],
            "card": row["card"],
            "name": cards[row["card"]]["name"],
            "cost": int(row["cost"]),
            "copies": int(row["copies"]),
            "power": _interval(row, "power_pp", "low_pp", "high_pp"),
            "per_copy": _interval(row, "per_copy_pp", "per_copy_low_pp", "per_copy_high_pp"),
            "n": int(row["n"]),
            "drawn": _interval(row, "win_rate_when_drawn", "drawn_low", "drawn_high"),
            "n_drawn": int(row["copies_drawn"]),
            "played": _interval(row, "win_rate_when_played", "played_low", "played_high"),
            "n_played": int(row["copies_played"]),
            "moves": kept.get(row["card"], "locked"),
        }
        for row in run.rows("power.csv")
    ]
    rows.sort(key=lambda row: (-row["power"][0], row["player"], row["card"]))
    reach = max((abs(bound) for row in rows for bound in row["power"]), default=0.0) or 1.0
    for row in rows:
        row["bar"] = [round(50 + 50 * bound / reach, 2) for bound in row["power"]]
    return {
        "rows": rows,
        "players": list(dict.fromkeys(row["player"] for row in run.rows("power.csv"))),
        "baseline": run.resolved["experiment"]["narrow"]["baseline"],
        "agents": sorted({row["agent"] for row in rows}),
    }


def narrowing(run: FinishedRun) -> dict[str, Any]:
    """The search space before and after, and every movable card with its score."""
    space, narrow = run.summary["narrowing"], run.resolved["experiment"]["narrow"]
    rows = [
        {
            "name": row["name"],
            "score": _interval(row, "estimate_pp", "low_pp", "high_pp"),
            "kept": row["kept"] == "True",
        }
        for row in run.rows("narrowing.csv")
    ]
    games = run.resolved["experiment"]["games"]
    return {
        **space,
        "keep": narrow["keep"],
        "rows": rows,
        "n_kept": sum(row["kept"] for row in rows),
        "n_games": games.get(space["by"]),
    }


def _interval(row: dict[str, str], *columns: str) -> list[float | None]:
    """Estimate, low, high."""
    return [number(row[column]) for column in columns]
