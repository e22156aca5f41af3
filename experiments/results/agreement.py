"""Rows with the agreement of simulated with observed win rates: pairs and players."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance import Interval
from balance.observed.list_agreement import ListRates
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


class AgreementListRow(NamedTuple):
    """Row of `lists.csv`: win rate of one deck list in both tables.

    Attributes:
        deck: name of the list.
        archetype: archetype of the list.
        observed: observed win rate, with its interval.
        observed_n: number of observed games, rounded.
        simulated: simulated win rate against the field, with its interval.
        simulated_n: number of simulated games that count, since those against rare decks of the
            field have less weight.
        observed_within_pp: observed win rate minus the mean of the archetype's lists, in percentage
            points; `None` for archetypes with few lists.
        simulated_within_pp: the same difference of the simulated win rates.
    """

    deck: str
    archetype: str
    observed: Annotated[Interval, _OBSERVED]
    observed_n: int
    simulated: Annotated[Interval, _SIMULATED]
    simulated_n: int
    observed_within_pp: float | None
    simulated_within_pp: float | None


def list_rows(lists: ListRates) -> list[AgreementListRow]:
    """Return a row for each list, in the order of the experiment."""
    observed = lists.observed_interval()
    simulated = lists.simulated_interval()
    chosen, own, other = lists.within()
    within = {
        place: (100 * float(a), 100 * float(b))
        for place, a, b in zip(chosen.tolist(), own, other, strict=True)
    }
    return [
        AgreementListRow(
            name,
            archetype,
            observed.at(k),
            round(float(lists.observed_games[k])),
            simulated.at(k),
            round(float(lists.simulated_games[k])),
            *within.get(k, (None, None)),
        )
        for k, (name, archetype) in enumerate(zip(lists.names, lists.archetypes, strict=True))
    ]
