"""Effects of past changes for the screen: tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from balance.observed.agreement import MeasureRow
from experiments.results.retrodiction import RetrodictionRow
from experiments.screen.console import Table
from experiments.screen.wording import plus_minus

_WORDS = {
    "same_direction": "changes with the direction of their response, %",
    "down_direction": "  if each change were said to weaken its card, %",
    "rank_sizes": "rank correlation of effects and responses",
}


def effect_table(rows: Sequence[RetrodictionRow]) -> Table:
    """Return a table with the effect of each change."""
    knows_dates = any(row.date for row in rows)
    knows_responses = any(row.response is not None for row in rows)
    header = ["card", *["date"] * knows_dates, "change", "deck", "effect, pp"]
    return Table(
        "Change of the deck's mean win rate (± half of the paired 95 % interval)",
        [*header, *["response"] * knows_responses],
        [
            [
                row.name,
                *[row.date] * knows_dates,
                row.change,
                row.deck,
                plus_minus(row.effect_pp, "+.1f"),
                *["" if row.response is None else f"{row.response:g}"] * knows_responses,
            ]
            for row in rows
        ],
    )


def response_table(rows: Sequence[MeasureRow]) -> Table:
    """Return a table with the agreement of effects and responses."""
    cells = []
    for row in rows:
        if not isnan(float(row.value.estimate)):
            factor, form = (1, ".2f") if row.measure == "rank_sizes" else (100, ".0f")
            value, low, high = (format(factor * float(bound), form) for bound in row.value)
            cells.append((_WORDS[row.measure], value, f"{low} to {high}", str(row.n)))
    return Table(
        "Effects next to responses (95 % over resampled changes and effects)",
        ("measure", "value", "interval", "n"),
        cells,
    )


def direction_sentence(rows: Sequence[RetrodictionRow]) -> str:
    """Return a sentence on how many changes are shown to weaken or strengthen their decks."""
    down = sum(float(row.effect_pp.high) < 0 for row in rows)
    up = sum(float(row.effect_pp.low) > 0 for row in rows)
    return f"Of {len(rows)} changes, {down} are shown to weaken the deck and {up} to strengthen it"
