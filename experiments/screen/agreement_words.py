"""Agreement of simulated with observed win rates for the screen: tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from balance import Interval
from balance.observed.agreement import MeasureRow
from balance.observed.list_agreement import N_LISTS_MIN
from experiments.results.agreement import AgreementCellRow, AgreementPlayerRow
from experiments.screen.console import Table
from experiments.screen.wording import percent

_WORDS = {
    "rank_players": "rank correlation of the players' mean win rates",
    "rank_cells": "rank correlation of the pairs' win rates",
    "right_side": "pairs with the observed favourite, %",
    "slope": "observed per simulated point from 50 %",
    "spread": "spread of the simulated rates (observed: 1)",
    "error_players_pp": "mean error of the players, pp",
    "error_players_even_pp": "  of 50 % for each player, pp",
    "error_pp": "mean error of the pairs, pp",
    "error_noise_pp": "  of the numbers of games and rounding alone, pp",
    "error_even_pp": "  of 50 % for each pair, pp",
    "error_shrunk_pp": "  of the simulated rates times the slope, pp",
    "gain_shrunk_pp": "  of 50 % minus that of rates times the slope, pp",
}
_LIST_WORDS = {
    "rank_lists": "rank correlation of all lists' win rates",
    "rank_within": "rank correlation within archetypes",
    "error_pp": "mean error of the lists, pp",
    "error_even_pp": "  of the mean observed rate for each list, pp",
    "spread_within": "spread within archetypes (observed: 1)",
}
_ROWS_MAX = 8  # pairs on the screen; the CSV file has all


def measure_table(rows: Sequence[MeasureRow], source: str) -> Table:
    """Return a table with a row for each measure of the agreement of pairs and players."""
    resampled = "players and games"
    return _measures(rows, _WORDS, f"Simulated win rates next to those of {source}", resampled)


def list_measure_table(rows: Sequence[MeasureRow], source: str) -> Table:
    """Return a table with a row for each measure of the agreement of lists."""
    title = f"Simulated win rates of the lists next to those of {source}"
    return _measures(rows, _LIST_WORDS, title, "archetypes and games")


def _measures(
    rows: Sequence[MeasureRow], words: Mapping[str, str], title: str, resampled: str
) -> Table:
    """Return a table with a row for each measure."""
    cells = []
    for row in rows:
        factor, form = (100, ".0f") if row.measure == "right_side" else (1, ".2f")
        values = [format(factor * float(value), form) for value in row.value]
        is_known = not isnan(float(row.value.estimate))
        cells.append(
            (
                words[row.measure],
                values[0] if is_known else "not defined",
                f"{values[1]} to {values[2]}" if is_known else "",
                str(row.n),
            )
        )
    return Table(
        f"{title} (95 % over resampled {resampled})", ("measure", "value", "interval", "n"), cells
    )


def player_table(rows: Sequence[AgreementPlayerRow]) -> Table:
    """Return a table with the mean rates of each player."""
    return Table(
        "Mean win rate over the pairs, % (± half of the 95 % interval)",
        ("player", "observed", "simulated", "difference, pp"),
        [
            (
                row.player,
                percent(row.observed),
                percent(row.simulated),
                f"{row.difference_pp:+.1f}",
            )
            for row in rows
        ],
    )


def cell_table(rows: Sequence[AgreementCellRow]) -> Table:
    """Return a table with the pairs that differ most."""
    shown = rows[:_ROWS_MAX]
    of_all = f" ({len(shown)} of {len(rows)})" if len(shown) < len(rows) else ""
    return Table(
        f"Pairs that differ most{of_all}: win rate of the first-named, %",
        ("matchup", "observed", "simulated", "difference, pp"),
        [
            (
                f"{row.a} vs {row.b}",
                percent(row.observed),
                percent(row.simulated),
                f"{row.difference_pp:+.1f}",
            )
            for row in shown
        ],
    )


def conclusions(rows: Sequence[MeasureRow]) -> list[str]:
    """Return sentences on how well the simulated rates predict the observed ones."""
    by_name = {row.measure: row.value for row in rows}
    order = _order_sentence(by_name["rank_players"], "the players")
    error, even = (float(by_name[name].estimate) for name in ("error_pp", "error_even_pp"))
    side = "smaller" if error < even else "larger"
    return [
        order,
        f"The simulated win rates are {error:.1f} points off in the mean, {side} than the "
        f"{even:.1f} points of 50 % for each pair",
        _shrunk_sentence(by_name),
    ]


def list_conclusions(rows: Sequence[MeasureRow]) -> list[str]:
    """Return a sentence on the order of the lists of one archetype."""
    (within,) = (row for row in rows if row.measure == "rank_within")
    if not within.n:
        return [f"No archetype has {N_LISTS_MIN} or more lists, so that none is compared within"]
    return [_order_sentence(within.value, "the lists of one archetype")]


def _order_sentence(rank: Interval, ordered: str) -> str:
    """Return the sentence on whether the simulation orders players or lists as observed.

    Args:
        rank: rank correlation; NaN if it is not defined.
        ordered: what is ordered, in words.
    """
    if float(rank.low) > 0:
        return f"The simulation orders {ordered} better than chance would"
    if float(rank.high) < 0:
        return f"The simulation orders {ordered} worse than chance would"
    return f"It is not shown that the simulation orders {ordered} better than chance would"


def _shrunk_sentence(by_name: Mapping[str, Interval]) -> str:
    """Return the sentence on whether shrunk rates predict better than 50 %."""
    gain = by_name["gain_shrunk_pp"]
    low, high = float(gain.low), float(gain.high)
    if low > 0:
        found = "predict the observed ones better than 50 % does"
    elif high < 0:
        found = "predict the observed ones worse than 50 % does"
    else:
        found = "are not shown to predict the observed ones better than 50 % does"
    return f"Multiplied by the slope that fits the other players, they {found}"
