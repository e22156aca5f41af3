"""Tables of observed games for the screen: matchups, players, changes and cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.observed.observed_matchups import FEW_GAMES, ObservedMatchups
from experiments.results.observed import (
    ObservedCardRow,
    ObservedChangeRow,
    ObservedMatchupRow,
    ObservedPlayerRow,
)
from experiments.screen.console import Table
from experiments.screen.matrix_table import MATRIX_FROM, matrix_table
from experiments.screen.wording import percent, points

_PLAYERS_MAX = 20  # players on the screen, so that a matrix fits a common one; CSV files have all
_ROWS_MAX = 8  # rows of changes and of cards on the screen; the CSV files have all


def matchup_table(matchups: ObservedMatchups, rows: Sequence[ObservedMatchupRow]) -> Table:
    """Return the win rates as a list, or as a matrix for many players."""
    games = sorted({min(row.n for row in rows), max(row.n for row in rows)})
    between = f"{' to '.join(f'{n:,}' for n in games)} games each"
    half = [50 * float(row.win_rate.high - row.win_rate.low) for row in rows]
    if len(matchups.names) >= MATRIX_FROM:
        shown = matchups.among(matchups.most_played(_PLAYERS_MAX))
        of = f" of the {_PLAYERS_MAX} with the most games" * (shown.n_players < matchups.n_players)
        return matrix_table(
            f"Win rate of the row's player against each other's{of}, % ({between}, "
            f"±{min(half):.1f} to ±{max(half):.1f} at 95 %; *: few games, .: none)",
            shown.names,
            shown.pairs,
            shown.win_rates().estimate.tolist(),
            ["*" if n < FEW_GAMES else "" for n in shown.pair_games.tolist()],
        )
    header = ("matchup", "win rate, %", "games", "first seat, %", "draws, %", "turns")
    cells = [
        (
            f"{row.a} vs {row.b}",
            f"{percent(row.win_rate)}{' *' if row.few_games else ''}",
            f"{row.n:,}",
            "" if row.first_seat is None else percent(row.first_seat),
            "" if row.draw_rate is None else f"{100 * row.draw_rate:.1f}",
            "" if row.mean_turns is None else f"{row.mean_turns:.1f}",
        )
        for row in rows
    ]
    # Columns of what the table of results does not have are left out.
    kept = [k for k in range(len(header)) if any(row[k] for row in cells)]
    return Table(
        "Win rate of the first-named (± half of the 95 % interval; *: few games)",
        [header[k] for k in kept],
        [[row[k] for k in kept] for row in cells],
    )


def player_table(players: Sequence[ObservedPlayerRow]) -> Table:
    """Return a table of the players, the highest rating first and players without one last."""

    def rank(row: ObservedPlayerRow) -> float:
        """Return the place of a player in the table."""
        return np.inf if row.rating is None else -float(row.rating.estimate)

    return Table(
        f"Players{', the highest ratings' * (len(players) > _PLAYERS_MAX)}: win rates in all games "
        "and against the field (the other players by their games), rating, and share of the "
        "equilibrium (± half of the 95 % interval, or in brackets)",
        ("player", "games", "win rate, %", "against the field, %", "rating, Elo", "share, %"),
        [
            (
                row.player,
                f"{row.n:,}",
                "" if row.win_rate is None else percent(row.win_rate),
                "" if row.against_field is None else percent(row.against_field),
                "" if row.rating is None else _rating(row),
                "" if row.share is None else _share(row),
            )
            for row in sorted(players, key=rank)[:_PLAYERS_MAX]
        ],
    )


def _rating(row: ObservedPlayerRow) -> str:
    """Return a player's rating with half the width of its interval, such as `+35 ±12`."""
    assert row.rating is not None  # noqa: S101 (only called for rated players)
    estimate, low, high = map(float, row.rating)
    return f"{round(estimate):+d} ±{(high - low) / 2:.0f}"


def _share(row: ObservedPlayerRow) -> str:
    """Return a player's share of the equilibrium with its interval, such as `30 (12 to 55)`."""
    assert row.share is not None  # noqa: S101 (only called for players of the equilibrium)
    estimate, low, high = (f"{100 * float(bound):.0f}" for bound in row.share)
    return f"{estimate} ({low} to {high})"


def change_table(changes: Sequence[ObservedChangeRow]) -> Table:
    """Return a table of the changes that are largest in relation to their intervals."""

    def size(row: ObservedChangeRow) -> float:
        """Return the size of a change in half-widths of its interval, negative for sorting."""
        estimate, low, high = map(float, row.change_pp)
        return -abs(estimate) / (high - low)

    return Table(
        "Largest changes in relation to their intervals, pp (± half of the 95 % interval of the "
        "matchup alone; CHANGED: also by the joint interval)",
        ("matchup", "from, to", "change", "games", ""),
        [
            (
                f"{row.a} vs {row.b}",
                f"{row.earlier}, {row.later}",
                points(row.change_pp.times(0.01)),
                f"{row.n_earlier:,} + {row.n_later:,}",
                "CHANGED" if row.differs else "",
            )
            for row in sorted(changes, key=size)[:_ROWS_MAX]
        ],
    )


def card_table(rows: Sequence[ObservedCardRow]) -> Table:
    """Return a table of the cards with the largest effects, and of all outliers."""
    n_outliers = sum(row.is_outlier for row in rows)
    return Table(
        "Effect of one more copy on the win rate against the field (pp of an even deck, less the "
        "mean of the other cards; ± half of the 95 % interval)",
        ("card", "effect", "fence", "decks", ""),
        [
            (
                row.card,
                points(row.effect_pp.times(0.01)),
                f"{row.fence_pp:.1f}",
                f"{row.n_decks}",
                "OUTLIER" if row.is_outlier else "",
            )
            for row in rows[: max(_ROWS_MAX, n_outliers)]
        ],
    )
