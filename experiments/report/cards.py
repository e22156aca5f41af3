"""What the cards are worth, and which of them the search was allowed to move."""

from __future__ import annotations

from typing import Any

from balance.result_tables import NarrowingRow, PowerRow
from experiments.report.names import cards_of
from experiments.runs.finished_run import FinishedRun


def card_power(run: FinishedRun) -> dict[str, Any] | None:
    """Power of every card in every deck, the strongest first; `None` where it was not measured."""
    if not (run.path / "power.csv").is_file():
        return None
    cards, narrowed = cards_of(run), run.rows("narrowing.csv", NarrowingRow)
    moves = {row.card: "kept" if row.kept else "dropped" for row in narrowed}
    rows = run.rows("power.csv", PowerRow)
    reach = max((abs(float(bound)) for row in rows for bound in row.power_pp), default=0.0) or 1.0
    return {
        "rows": [
            row._asdict()
            | {
                "name": cards[row.card]["name"],
                "moves": moves.get(row.card, "locked"),
                "bar": [round(50 + 50 * float(bound) / reach, 2) for bound in row.power_pp],
            }
            for row in sorted(rows, key=lambda row: (-row.power_pp.estimate, row.player, row.card))
        ],
        "players": list(dict.fromkeys(row.player for row in rows)),
        "baseline": run.resolved["experiment"]["narrow"]["baseline"],
        "agents": sorted({row.agent for row in rows}),
    }


def narrowing(run: FinishedRun) -> dict[str, Any]:
    """The search space before and after, and every movable card with its score."""
    space, experiment = run.summary["narrowing"], run.resolved["experiment"]
    rows = run.rows("narrowing.csv", NarrowingRow)
    return {
        **space,
        "keep": experiment["narrow"]["keep"],
        "rows": rows,
        "n_kept": sum(row.kept for row in rows),
        "n_games": experiment["games"].get(space["by"]),
    }
