"""Counts of observed games between players, and the win rates that they give.

The number of games may differ between pairs, and a pair may have none. A player is usually a deck
or an archetype. The games are assumed to be independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from balance.cards.card_contest import Matchup
from balance.observed.weighted_rate import weighted_rate
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, Positions, wilson
from sim.short_repr import short_repr

FEW_GAMES = 30
"""Number of games below which a win rate is marked as based on few games.

With 30 even games, the 95 % interval reaches 17 percentage points to both sides: it does not
separate a matchup of 35 % from one of 65 %.
"""


@dataclass(frozen=True)
class ObservedMatchups:
    """Counts of the games of ``D`` players against each other.

    Numbers of points and games may be fractions if a file contains only rounded rates.

    Attributes:
        names: names of the players, in the order of all axes.
        points: games that the row's player won against the column's player, draws counted half; 0
            on the diagonal, shape [D, D].
        games: games between both players; games of a player against itself (mirrors) on the
            diagonal; symmetric, shape [D, D].
        draws: drawn games, as far as the file reports draws; symmetric, shape [D, D].
        first_points: points of the row's player in games in which it moved first against the
            column's player; points of the first seat in mirrors on the diagonal, shape [D, D].
        first_games: games in which the row's player is known to have moved first, shape [D, D].
        turns: sum of the turns of the games with a known length; symmetric, shape [D, D].
        timed_games: games with a known length; symmetric, shape [D, D].
        slack: width of the range in which the points may lie if the file has rounded rates, or
            bands of rates; 0 for counts; symmetric, shape [D, D].
    """

    names: tuple[str, ...]
    points: Floats
    games: Floats
    draws: Floats
    first_points: Floats
    first_games: Floats
    turns: Floats
    timed_games: Floats
    slack: Floats

    def __repr__(self) -> str:
        return short_repr(self, players=len(self.names), games=round(self.n_games))

    @property
    def n_players(self) -> int:
        """Number of players."""
        return len(self.names)

    @property
    def n_games(self) -> float:
        """Number of games, mirrors included."""
        return float(ordered_sum(np.triu(self.games).ravel()))

    @property
    def n_mirrors(self) -> float:
        """Number of games of players against themselves."""
        return float(ordered_sum(np.diagonal(self.games)))

    @cached_property
    def pairs(self) -> tuple[Matchup, ...]:
        """The ``M`` pairs of different players with at least one game, in lexicographic order."""
        return tuple(Matchup(a, b) for a, b in self._all_pairs if self.games[a, b] > 0)

    @cached_property
    def missing_pairs(self) -> tuple[Matchup, ...]:
        """Pairs of different players without a game, in lexicographic order."""
        return tuple(Matchup(a, b) for a, b in self._all_pairs if not self.games[a, b] > 0)

    @property
    def _all_pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.n_players), 2))

    @property
    def pair_games(self) -> Floats:
        """Number of games of each pair, shape [M]."""
        return self._of_pairs(self.games)

    @property
    def pair_points(self) -> Floats:
        """Points of the first-named player of each pair, shape [M]."""
        return self._of_pairs(self.points)

    def win_rates(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the win rate of the first-named player of each pair, with Wilson intervals, [M].

        Args:
            confidence: confidence level of each interval, in (0, 1).
        """
        if not self.pairs:
            return Interval(*np.zeros((3, 0)))
        return wilson(self.pair_points, self.pair_games, confidence)

    def draw_rate(self) -> Interval | None:
        """Return the share of draws in all games but mirrors; `None` if there are no such games."""
        n_games = float(ordered_sum(self.pair_games))
        return wilson(ordered_sum(self._of_pairs(self.draws)), n_games) if n_games > 0 else None

    def first_seat_of(self, pair: Matchup) -> Interval | None:
        """Return the first seat's win rate in the games of a pair; `None` if it is not known.

        It is the mean of both seatings, so that it does not depend on who moved first more often.
        """
        return _mean_over(self._seatings([pair]))

    def first_seat(self) -> Interval | None:
        """Return the first seat's win rate over all pairs and mirrors; `None` if it is not known.

        A pair contributes the mean of its two seatings of n1 and n2 games with the weight n1 n2 /
        (n1 + n2), and the n mirrors of a player their rate with the weight n / 4: the inverse of
        the variance of even games, up to a factor. Pairs that were played in one seating only do
        not contribute, since their rate includes the strength of the player.
        """
        mirrors = [
            (float(points), float(n_games), float(n_games) / 4)
            for points, n_games in zip(
                np.diagonal(self.first_points), np.diagonal(self.first_games), strict=True
            )
            if n_games > 0
        ]
        return _mean_over([*self._seatings(self.pairs), *mirrors])

    @property
    def n_first_seat_games(self) -> float:
        """Number of games behind `first_seat`."""
        both = (self.first_games > 0) & (self.first_games.T > 0)
        return float(ordered_sum(self.first_games[both]))

    def mean_turns(self, pair: Matchup) -> float | None:
        """Return the mean length of the games of a pair in turns; `None` if it is not known."""
        n_games = float(self.timed_games[pair])
        return float(self.turns[pair]) / n_games if n_games > 0 else None

    def most_played(self, most: int) -> tuple[int, ...]:
        """Return the positions of the players with the most games against others, in their order.

        Args:
            most: maximum number of players.
        """
        n_games = ordered_sum(self.games) - np.diagonal(self.games)
        order = np.argsort(-n_games, kind="stable")
        return tuple(sorted(order[:most].tolist()))

    def among(self, players: Sequence[int]) -> ObservedMatchups:
        """Return the counts of the games among some players, in the given order.

        Args:
            players: positions of the players.
        """
        rows = np.ix_(players, players)
        return ObservedMatchups(
            tuple(self.names[k] for k in players),
            self.points[rows],
            self.games[rows],
            self.draws[rows],
            self.first_points[rows],
            self.first_games[rows],
            self.turns[rows],
            self.timed_games[rows],
            self.slack[rows],
        )

    def _of_pairs(self, matrix: Floats) -> Floats:
        """Return the entries of a matrix for all pairs, shape [M]."""
        rows, columns = self._positions
        return np.asarray(matrix[rows, columns])

    @property
    def _positions(self) -> Positions:
        """Positions of both players of each pair, shape [2, M]."""
        return np.array(self.pairs, dtype=np.intp).reshape(-1, 2).T

    def _seatings(self, pairs: Sequence[Matchup]) -> list[tuple[float, float, float]]:
        """Return points, games and weight of the first seat in both seatings of some pairs.

        Pairs that were played in one seating only, or without known seats, are left out.
        """
        seatings = []
        for a, b in pairs:
            games = [float(self.first_games[k]) for k in ((a, b), (b, a))]
            if min(games) > 0:
                weight = games[0] * games[1] / sum(games) / 2
                points = [float(self.first_points[k]) for k in ((a, b), (b, a))]
                seatings += [(*each, weight) for each in zip(points, games, strict=True)]
        return seatings


def _mean_over(groups: Sequence[tuple[float, float, float]]) -> Interval | None:
    """Return the weighted mean rate of groups with points, games and weight; `None` for none."""
    if not groups:
        return None
    return weighted_rate(*np.array(groups).T)
