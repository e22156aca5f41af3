"""Metagame of observed games: the field, ratings, the equilibrium mix, and cyclicity.

Pairs of players may have no games. Ratings need only a chain of games between all rated players.
The equilibrium and cyclicity need a rate of every pair, so that they are computed among players
that have all met.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.metagame.bradley_terry import bradley_terry
from balance.metagame.cyclicity import ELO_PER_LOGIT, cyclic_share_of
from balance.metagame.equilibrium import equilibria, equilibrium
from balance.metagame.metagame import N_RESAMPLES, payoffs_of
from balance.observed.observed_matchups import ObservedMatchups
from balance.observed.weighted_rate import weighted_rate
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import Floats, Interval, resampled_interval, wilson
from sim.arguments import AtLeastOne, Seed, checked
from sim.errors import InputError
from sim.seeds import generator
from sim.short_repr import short_repr

PURPOSE = "observed/resample"  # name of the random stream that resamples games
PAYOFF_UNIT = 10_000
"""Unit of payoffs: rates are rounded to 0.01 percentage points, far below the noise of any table,
since the equilibrium takes payoffs as exact and whole numbers with fewer digits are faster.
"""
EQUILIBRIUM_MAX = 25
"""Maximum number of players of an equilibrium: 25 take 2 s in 500 resamples, and 4 s if the games
are mostly cyclic; the time grows with more than the third power of the number.
"""


@dataclass(frozen=True)
class ObservedMetagame:
    """Metagame of the ``D`` players of observed games; NaN stands for what is not computed.

    Attributes:
        field: share of each player in the games, mirrors counted for both seats, shape [D].
        win_rates: win rate of each player in all its games but mirrors, shape [D].
        n_games: number of games of each player, without mirrors, shape [D].
        field_rates: win rate of each player against the other players in the shares of `field`;
            players that it has not met are left out of the field, shape [D].
        met: share of the other players' part of the field that each player has met, shape [D].
        ratings: Bradley-Terry ratings in Elo points; the mean of the rated players is 0, shape [D].
        rated: positions of the rated players: the largest group that a chain of games connects.
        shares: share of each player in the equilibrium among `complete`, shape [D].
        unplayed: fraction of resamples of the games in which a player has no share of the
            equilibrium, shape [D].
        complete: positions of players that have all met each other, at least two, or none if the
            equilibrium was not computed.
        cyclic: cyclic share of the win rates among `complete`; `None` for fewer than three players.
    """

    field: Floats
    win_rates: Interval
    n_games: Floats
    field_rates: Interval
    met: Floats
    ratings: Interval
    rated: tuple[int, ...]
    shares: Interval
    unplayed: Floats
    complete: tuple[int, ...]
    cyclic: Interval | None

    def __repr__(self) -> str:
        return short_repr(self, "cyclic", players=len(self.field), rated=len(self.rated))


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def observed_metagame_of(
    matchups: ObservedMatchups, *, run_seed: int, n_resamples: int = N_RESAMPLES
) -> ObservedMetagame:
    """Compute the metagame of observed games.

    Intervals of ratings, shares and the cyclic share are parametric bootstrap intervals: each
    resample draws the wins of every pair from a binomial distribution with the observed number of
    games and the observed rate, with half a game added to both sides.

    Args:
        matchups: counts of the games.
        run_seed: seed of the run.
        n_resamples: number of resamples.

    Raises:
        InputError: no two different players have a game.
    """
    if not matchups.pairs:
        raise InputError(
            "no game between two different players", place="matchups", value=matchups.names
        )
    resampled = _resampled(matchups, run_seed, n_resamples)
    rated = connected_players(matchups)
    complete = complete_players(matchups)
    if len(complete) < 2:
        complete = ()
    shares, unplayed, cyclic = _mix_among(matchups, resampled, complete)
    own = matchups.games - np.diag(np.diagonal(matchups.games))
    n_games = ordered_sum(own)
    field = ordered_sum(matchups.games) + np.diagonal(matchups.games)
    field = field / ordered_sum(field)
    has_games = n_games > 0
    win_rates = wilson(ordered_sum(matchups.points), np.where(has_games, n_games, 1))
    field_rates, met = _field_rates(matchups, own, field)
    return ObservedMetagame(
        field=field,
        win_rates=Interval(*(np.where(has_games, bound, np.nan) for bound in win_rates)),
        n_games=n_games,
        field_rates=field_rates,
        met=met,
        ratings=_ratings_among(matchups, resampled, rated),
        rated=rated,
        shares=shares,
        unplayed=unplayed,
        complete=complete,
        cyclic=cyclic,
    )


def connected_players(matchups: ObservedMatchups) -> tuple[int, ...]:
    """Return the largest group of players that a chain of games connects, in increasing order.

    Of groups of equal size, the one with the player that comes first is returned.
    """
    group_of = np.arange(matchups.n_players)
    for a, b in matchups.pairs:
        group_of[group_of == group_of[b]] = group_of[a]
    names, sizes = np.unique(group_of, return_counts=True)
    firsts = [int(np.flatnonzero(group_of == name)[0]) for name in names]
    largest = min(range(len(names)), key=lambda k: (-int(sizes[k]), firsts[k]))
    return tuple(np.flatnonzero(group_of == names[largest]).tolist())


def complete_players(matchups: ObservedMatchups) -> tuple[int, ...]:
    """Return at most `EQUILIBRIUM_MAX` players that have all met each other, in increasing order.

    Of more players, those with the most games are considered. The player with most missing
    opponents is removed until no pair lacks games. Of several, the one with the fewest games is
    removed, and then the last one. The result need not be the largest possible group, which is hard
    to find.
    """
    n_games = ordered_sum(matchups.games)
    kept = list(matchups.most_played(EQUILIBRIUM_MAX))
    while len(kept) > 1:
        lacks = (matchups.games[np.ix_(kept, kept)] == 0).sum(axis=1)
        # The diagonal counts as met, since a player need not have played a mirror.
        lacks -= np.diagonal(matchups.games)[kept] == 0
        if not lacks.any():
            break
        worst = max(range(len(kept)), key=lambda k: (lacks[k], -n_games[kept[k]], k))
        del kept[worst]
    return tuple(kept)


def _resampled(matchups: ObservedMatchups, run_seed: int, n_resamples: int) -> Floats:
    """Return the win rates of resampled games of each pair, shape [B, M]."""
    n_games = matchups.pair_games
    smoothed = (matchups.pair_points + 0.5) / (n_games + 1)
    # Rounded, because a rate with a number of games may give a fraction of a game.
    drawn = np.maximum(np.rint(n_games), 1).astype(np.int64)
    rng = generator(run_seed, PURPOSE)
    return np.asarray(rng.binomial(drawn, smoothed, size=(n_resamples, len(drawn))) / drawn)


def _ratings_among(
    matchups: ObservedMatchups, resampled: Floats, rated: tuple[int, ...]
) -> Interval:
    """Return ratings in Elo points with intervals, NaN for players that are not rated, shape [D].

    Args:
        matchups: counts of the games.
        resampled: win rates of resampled games, shape [B, M].
        rated: positions of the rated players.
    """
    bounds = np.full((3, matchups.n_players), np.nan)
    if len(rated) > 1:
        place = {player: k for k, player in enumerate(rated)}
        used = [m for m, (a, _) in enumerate(matchups.pairs) if a in place]
        pairs = [(place[matchups.pairs[m].a], place[matchups.pairs[m].b]) for m in used]
        n_games = matchups.pair_games[used]
        rates = matchups.pair_points[used] / n_games
        fits = (
            ELO_PER_LOGIT * bradley_terry(some, pairs, len(rated), n_games)
            for some in (rates, resampled[:, used])
        )
        bounds[:, list(rated)] = resampled_interval(*fits)
    return Interval(*bounds)


def _mix_among(
    matchups: ObservedMatchups, resampled: Floats, complete: tuple[int, ...]
) -> tuple[Interval, Floats, Interval | None]:
    """Return shares in the equilibrium, fractions of resamples without a share, cyclic share.

    Args:
        matchups: counts of the games.
        resampled: win rates of resampled games, shape [B, M].
        complete: positions of players that have all met; none if nothing is to be computed.
    """
    bounds = np.full((3, matchups.n_players), np.nan)
    unplayed = np.full(matchups.n_players, np.nan)
    if not complete:
        return Interval(*bounds), unplayed, None
    among = matchups.among(complete)
    used = [m for m, pair in enumerate(matchups.pairs) if {*pair} <= {*complete}]
    rates = among.pair_points / among.pair_games
    payoffs = [
        payoffs_of(some, among.pairs, among.n_players, PAYOFF_UNIT)
        for some in (rates, resampled[:, used])
    ]
    mixes = equilibria(payoffs[1])
    bounds[:, list(complete)] = resampled_interval(equilibrium(payoffs[0]), mixes)
    unplayed[list(complete)] = (mixes == 0).mean(axis=0)
    cyclic = None
    if among.n_players > 2:
        cyclic = cyclic_share_of(
            rates,
            among.pair_games,
            resampled[:, used],
            among.pairs,
            n_players=among.n_players,
        )
    return Interval(*bounds), unplayed, cyclic


def _field_rates(matchups: ObservedMatchups, own: Floats, field: Floats) -> tuple[Interval, Floats]:
    """Return the win rates against the field, and the share of the field that was met, shape [D].

    Args:
        matchups: counts of the games.
        own: games between different players, 0 on the diagonal, shape [D, D].
        field: share of each player in the games, shape [D].
    """
    bounds = np.full((3, matchups.n_players), np.nan)
    met = np.zeros(matchups.n_players)
    for player in range(matchups.n_players):
        others = np.flatnonzero(own[player] > 0)
        if others.size:
            bounds[:, player] = weighted_rate(
                matchups.points[player, others], own[player, others], field[others]
            )
            all_others = ordered_sum(np.delete(field, player))
            met[player] = min(float(ordered_sum(field[others]) / all_others), 1.0)
    return Interval(*bounds), met
