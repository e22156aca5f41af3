"""Metagame of a set of decks: the mix that players would choose, ratings, and cyclicity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.cards.card_contest import CardContest, Matchup
from balance.contest.contest import Contest
from balance.contest.readings import MatchupCounts, Readings
from balance.metagame.cyclicity import cyclicity_of
from balance.metagame.equilibrium import equilibria, equilibrium
from balance.result.result import ResultTable, TabularResult
from balance.statistics.intervals import (
    Floats,
    Interval,
    rate_over_seeds,
    resampled_interval,
    resampled_rates,
)
from sim.arguments import AtLeastOne, Seed, checked
from sim.errors import InputError
from sim.files.row_file import entry
from sim.seeds import generator
from sim.short_repr import short_repr

# Number of resamples of the games for intervals of shares: about 12 resamples are then beyond each
# 2.5 % quantile. Trade-off with time; chosen by hand.
N_RESAMPLES = 500
PURPOSE = "metagame/resample"  # default name of the random stream that resamples games


class MetagameRow(NamedTuple):
    """A player of a metagame, with share and strength.

    Attributes:
        player: name of the player.
        agent: name of the agent that plays the player's deck; empty in games without agents.
        share: share of the player in the equilibrium mix, as a fraction.
        unplayed: fraction of resamples of the games with no share of the player in the equilibrium.
        rating: Elo rating in points.
        against: win rate against the mix, as a fraction.
        n: number of games behind `against`.
    """

    player: str
    agent: str
    share: Interval
    unplayed: float
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")]
    against: Annotated[Interval, ("against_mix", "against_low", "against_high")]
    n: int


@dataclass(frozen=True)
class Metagame(TabularResult):
    """Metagame of ``D`` decks from which players choose.

    Attributes:
        names: names of the players, shape [D].
        agents: names of the agents that play the decks, shape [D]; empty texts for games other than
            card games.
        win_rates: win rate of the row's deck against the column's, shape [D, D]; exactly 0.5 on the
            diagonal.
        n_games: number of games per matchup.
        shares: share of each deck in the equilibrium: the mix against which no deck wins more than
            half of these games, shape [D].
        resampled_shares: equilibria of resampled games, shape [B, D].
        against_mix: win rate of each deck against the mix `shares.estimate`, on other seeds, shape
            [D]. In the games that determined the mix, no win rate exceeds one half.
        ratings: Elo points with mean 0 that explain the win rates best (least squares of log-odds,
            `balance.metagame.cyclicity`), shape [D].
        cyclic: share of the sum of squared log-odds that ratings do not explain, with noise
            subtracted.
    """

    names: tuple[str, ...]
    agents: tuple[str, ...]
    win_rates: Interval
    n_games: int
    shares: Interval
    resampled_shares: Floats
    against_mix: Interval
    ratings: Interval
    cyclic: Interval

    def __repr__(self) -> str:
        return short_repr(self, "n_games", "cyclic", players=len(self.names))

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Table `metagame` with one row per player."""
        in_mix = self.shares.estimate != 0
        rows = [
            MetagameRow(
                name,
                agent,
                self.shares.at(k),
                self.unplayed[k],
                self.ratings.at(k),
                self.against_mix.at(k),
                self.n_games * int(np.count_nonzero(np.delete(in_mix, k))),
            )
            for k, (name, agent) in enumerate(zip(self.names, self.agents, strict=True))
        ]
        return {"metagame": ResultTable(MetagameRow, rows)}

    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` on the players and the cyclic share."""
        return {
            "players": [entry(row) for row in self.rows(MetagameRow)],
            "cyclic": self.cyclic.as_entry("share"),
            "never_played": [self.names[k] for k in self.never_played],
        }

    @property
    def unplayed(self) -> Floats:
        """Share of the resamples in which each deck has no share in the equilibrium, shape [D]."""
        return np.asarray((self.resampled_shares == 0).mean(axis=0))

    def share_of(self, players: Sequence[int]) -> Interval:
        """Return the joint share of several decks in the equilibrium, with an interval.

        Args:
            players: positions of the decks.
        """
        together = self.resampled_shares[:, players].sum(axis=1)
        return resampled_interval(self.shares.estimate[list(players)].sum(), together)

    @property
    def never_played(self) -> tuple[int, ...]:
        """Positions of the decks without a share in the equilibrium of the actual games."""
        return tuple(np.flatnonzero(self.shares.estimate == 0).tolist())


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def metagame_of(
    contest: Contest,
    counts: Readings,
    again: Readings,
    *,
    run_seed: int,
    purpose: str = PURPOSE,
    n_resamples: int = N_RESAMPLES,
) -> Metagame:
    """Compute the metagame of a contest from its games.

    Intervals of shares, ratings and the cyclic share are bootstrap intervals. All matchups share
    their seeds, so a resample draws seeds, each with the results of all matchups.

    Args:
        contest: contest with the decks and matchups. At tables of more than two players, a deck is
            ahead of another by the difference of their shares of the points.
        counts: results of the matchups, of which the first variant of the cards is used.
        again: results of the same matchups on other seeds, which measure the decks against the mix.
        run_seed: seed of the run.
        purpose: name of the random stream of the resampling, see `sim.seeds`.
        n_resamples: number of resamples.

    Raises:
        InputError: an argument is invalid, the results have a different number of matchups, or two
            players never meet.
    """
    for games in (counts, again):
        games.require_matchups(len(contest.matchups))
    n_players = len(contest.player_names)
    matchups, by_seed = pair_rates(contest, counts.rates_by_seed(0))
    of_pairs = counts.win_rate()
    if matchups != contest.matchups:
        of_pairs = rate_over_seeds(by_seed[np.newaxis])
    resampled = resampled_rates(by_seed, n_resamples, generator(run_seed, purpose))
    shares = equilibrium(payoffs_of(by_seed.mean(axis=1), matchups, n_players, counts.n_games))
    mixes = equilibria(payoffs_of(resampled, matchups, n_players, counts.n_games))
    cyclicity = cyclicity_of(by_seed, resampled, matchups, n_players=n_players)
    agents = [""] * n_players
    if isinstance(contest, CardContest):
        agents = [player.agent.name for player in contest.players]
    return Metagame(
        names=tuple(contest.player_names),
        agents=tuple(agents),
        win_rates=_matrix(of_pairs, matchups, n_players),
        n_games=counts.n_games,
        shares=resampled_interval(shares, mixes),
        resampled_shares=mixes,
        against_mix=_rates_against_mix(shares, *pair_rates(contest, again.rates_by_seed(0))),
        ratings=cyclicity.ratings,
        cyclic=cyclicity.share,
    )


def pair_rates(contest: Contest, by_seed: Floats) -> tuple[tuple[Matchup, ...], Floats]:
    """Return all pairs of players, and the rate of the first player of each against the second.

    In games of more than two seats, the rate is 1/2 plus half of the difference of both players'
    shares of the points, averaged over the tables at which both play. Of two seats, this is the
    share of the first one.

    Args:
        contest: contest with the matchups.
        by_seed: rates of the matchups by seed, shape [M, S].

    Returns:
        The ``P`` pairs, and their rates by seed, shape [P, S].

    Raises:
        InputError: two players never meet.
    """
    if all(len(matchup) == 2 for matchup in contest.matchups):
        return tuple(Matchup(a, b) for a, b in contest.matchups), by_seed
    tables = dict[frozenset[int], dict[int, Floats]]()
    for matchup, rates in zip(contest.matchups, by_seed, strict=True):
        tables.setdefault(frozenset(matchup), {})[matchup[0]] = rates
    names = contest.player_names
    pairs = tuple(Matchup(a, b) for a, b in combinations(range(len(names)), 2))
    rates_of_pairs = list[Floats]()
    for a, b in pairs:
        ahead = [shares[a] - shares[b] for shares in tables.values() if {a, b} <= shares.keys()]
        if not ahead:
            raise InputError(
                f"{names[a]!r} and {names[b]!r} never meet at a table",
                place="matchups",
                value=(names[a], names[b]),
            )
        rates_of_pairs.append(0.5 + np.mean(ahead, axis=0) / 2)
    return pairs, np.stack(rates_of_pairs)


def average_equilibrium(
    contest: CardContest,
    counts: MatchupCounts,
    *,
    run_seed: int,
    purpose: str,
) -> Floats:
    """Return the average equilibrium over resampled games, shape [D].

    If decks are nearly even, the equilibrium of the actual games consists of the decks that were
    lucky. In the average over resamples, every deck that may be in the equilibrium has a share.

    Args:
        contest: contest with the decks and matchups.
        counts: results of the matchups, of which the first variant of the cards is used.
        run_seed: seed of the run.
        purpose: name of the random stream of the resampling.
    """
    resampled = resampled_rates(counts.rates_by_seed(0), N_RESAMPLES, generator(run_seed, purpose))
    mixes = equilibria(
        payoffs_of(resampled, contest.matchups, len(contest.players), counts.n_games)
    )
    return np.asarray(mixes.mean(axis=0))


def payoffs_of(rates: Floats, matchups: Sequence[Matchup], n_players: int, n_games: int) -> Floats:
    """Return antisymmetric matrices of games won less games lost, shape [..., D, D].

    Args:
        rates: win rates of the matchups, shape [..., M].
        matchups: the ``M`` pairs of decks.
        n_players: number of decks ``D``.
        n_games: number of games per matchup, or another common unit of the payoffs.
    """
    payoffs = np.zeros((*rates.shape[:-1], n_players, n_players))
    # Rounded to whole numbers, because `equilibrium` takes payoffs as exact.
    ahead = np.rint(n_games * (2 * rates - 1))
    for m, (a, b) in enumerate(matchups):
        payoffs[..., a, b] = ahead[..., m]
        payoffs[..., b, a] = -ahead[..., m]
    return payoffs


def _matrix(rates: Interval, matchups: Sequence[Matchup], n_players: int) -> Interval:
    """Return the matrix of win rates of the row's deck against the column's, shape [D, D].

    Pairs without a matchup, such as mirrors, have the value 0.5.

    Args:
        rates: win rates of the matchups, shape [1, M].
        matchups: the ``M`` pairs of decks.
        n_players: number of decks ``D``.
    """
    estimate, low, high = (np.full((n_players, n_players), 0.5) for _ in range(3))
    for m, (a, b) in enumerate(matchups):
        estimate[a, b], low[a, b], high[a, b] = (bound[0, m] for bound in rates)
        estimate[b, a] = 1 - estimate[a, b]
        low[b, a] = 1 - high[a, b]
        high[b, a] = 1 - low[a, b]
    return Interval(estimate, low, high)


def _rates_against_mix(shares: Floats, matchups: Sequence[Matchup], by_seed: Floats) -> Interval:
    """Return the win rates of all decks against a fixed mix, with intervals over seeds, shape [D].

    Args:
        shares: share of each deck in the mix, shape [D].
        matchups: the ``M`` pairs of decks.
        by_seed: win rates of the matchups by seed, shape [M, S].
    """
    # A deck plays itself for its own share of the mix, and wins half of these games.
    by_player = np.repeat(shares[:, np.newaxis] / 2, by_seed.shape[1], axis=1)
    for rates, (a, b) in zip(by_seed, matchups, strict=True):
        by_player[a] += shares[b] * rates
        by_player[b] += shares[a] * (1 - rates)
    # A deck that is the whole mix plays only itself, so its rate is exactly one half.
    return rate_over_seeds(by_player).without_noise(shares == 1)
