"""Rows with the agreement of simulated with observed win rates: pairs and players."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance import Interval
from balance.observed.rate_pairs import RatePairs

_OBSERVED = ("observed", "observed_low", "observed_high")
_SIMULATED = ("simulated", "simulated_low", "simulated_high")


class AgreementCellRow(NamedTuple):
    """Row of `cells.csv`: win rate of one pair of players in both tables.

    Attributes:
        a: name of the first player in the observed results.
        b: name of the second player in the observed results.
        observed: observed win rate of `a`, with its interval.
        observed_n: number of observed games, rounded.
        simulated: simulated win rate of `a`, with its interval.
        simulated_n: number of simulated games.
        difference_pp: simulated minus observed win rate, in percentage points.
    """

    a: str
    b: str
    observed: Annotated[Interval, _OBSERVED]
    observed_n: int
    simulated: Annotated[Interval, _SIMULATED]
    simulated_n: int
    difference_pp: float


class AgreementPlayerRow(NamedTuple):
    """Row of `players.csv`: mean win rate of one player over its pairs in both tables.

    Attributes:
        player: name of the player in the observed results.
        observed: observed mean win rate, with its interval.
        simulated: simulated mean win rate, with its interval.
        difference_pp: simulated minus observed win rate, in percentage points.
        n_pairs: number of pairs of the mean.
    """

    player: str
    observed: Annotated[Interval, _OBSERVED]
    simulated: Annotated[Interval, _SIMULATED]
    difference_pp: float
    n_pairs: int


def cell_rows(pairs: RatePairs) -> list[AgreementCellRow]:
    """Return a row for each pair, the largest difference first."""
    observed = pairs.observed_interval()
    simulated = pairs.simulated_interval()
    differences = 100 * (pairs.simulated - pairs.observed)
    order = np.argsort(-np.abs(differences), kind="stable")
    return [
        AgreementCellRow(
            pairs.names[pairs.pairs[0, k]],
            pairs.names[pairs.pairs[1, k]],
            observed.at(k),
            round(float(pairs.observed_games[k])),
            simulated.at(k),
            round(float(pairs.simulated_games[k])),
            float(differences[k]),
        )
        for k in order.tolist()
    ]


def player_rows(pairs: RatePairs) -> list[AgreementPlayerRow]:
    """Return a row for each player with pairs, the highest observed rate first."""
    rows = []
    for player in np.unique(pairs.pairs).tolist():
        observed, simulated = pairs.of_player(player)
        rows.append(
            AgreementPlayerRow(
                pairs.names[player],
                observed,
                simulated,
                100 * float(simulated.estimate - observed.estimate),
                int((pairs.pairs == player).sum()),
            )
        )
    return sorted(rows, key=lambda row: -float(row.observed.estimate))
