"""The metagame of some decks: which of them people would play, if they chose well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.card_contest import CardContest, Matchup
from balance.metagame.cyclicity import cyclicity_of
from balance.metagame.equilibrium import equilibria, equilibrium
from balance.readings import MatchupCounts
from balance.statistics.intervals import (
    Floats,
    Interval,
    rate_over_seeds,
    resampled_interval,
    resampled_rates,
)
from sim.arguments import AtLeastOne, Seed, checked
from sim.seeds import generator

N_RESAMPLES = 500
PURPOSE = "metagame/resample"


@dataclass(frozen=True)
class Metagame:
    """What becomes of ``D`` decks whose players choose among them.

    Attributes:
        win_rates: ``[D, D]`` of the row's player against the column's; exactly 0.5 on the diagonal.
        n_games: per matchup.
        shares: ``[D]`` the equilibrium: the mix against which, by these games, no deck wins more
            than half.
        resampled_shares: ``[B, D]`` the same for resamples of the games.
        against_mix: ``[D]`` win rates against the mix `shares.estimate` in other games, as many:
            in those that it was found by, none is above one half.
        ratings: ``[D]`` Elo points around 0 that explain the win rates as well as one number per
            deck can (`balance.metagame.cyclicity`).
        cyclic: share of the logit win rates' squares that they leave unexplained, without noise.
    """

    win_rates: Interval
    n_games: int
    shares: Interval
    resampled_shares: Floats
    against_mix: Interval
    ratings: Interval
    cyclic: Interval

    @property
    def unplayed(self) -> Floats:
        """``[D]`` how often, among the resamples, a deck has no share."""
        return np.asarray((self.resampled_shares == 0).mean(axis=0))

    def share_of(self, players: Sequence[int]) -> Interval:
        """What several players have together."""
        together = self.resampled_shares[:, players].sum(axis=1)
        return resampled_interval(self.shares.estimate[list(players)].sum(), together)

    @property
    def never_played(self) -> tuple[int, ...]:
        """Positions of the decks that have no share in the equilibrium."""
        return tuple(np.flatnonzero(self.shares.estimate == 0).tolist())


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def metagame_of(
    contest: CardContest,
    counts: MatchupCounts,
    again: MatchupCounts,
    *,
    run_seed: int,
    purpose: str = PURPOSE,
    n_resamples: int = N_RESAMPLES,
) -> Metagame:
    """The metagame that the games of a contest show.

    Intervals of shares, ratings and the cyclic share are those of resampled games: all matchups
    share their seeds, so seeds are drawn with all that was played on them.

    Args:
        contest: the players.
        counts: their games; those of the first variant of the cards count.
        again: the same matchups on other seeds, which judge the mix.
        run_seed: the run's seed.
        purpose: names the stream of the resampling, see `sim.seeds`.
        n_resamples: how often the games are resampled.

    Raises:
        InputError: an argument is none of these, or the games are of other matchups.
    """
    for games in (counts, again):
        games.require_matchups(len(contest.matchups))
    n_players = len(contest.players)
    matchups = contest.matchups
    by_seed = counts.rates_by_seed(0)
    resampled = resampled_rates(by_seed, n_resamples, generator(run_seed, purpose))
    shares = equilibrium(_payoffs(by_seed.mean(axis=1), matchups, n_players, counts.n_games))
    mixes = equilibria(_payoffs(resampled, matchups, n_players, counts.n_games))
    cyclicity = cyclicity_of(by_seed, resampled, matchups, n_players=n_players)
    return Metagame(
        win_rates=_matrix(counts.win_rate(), matchups, n_players),
        n_games=counts.n_games,
        shares=resampled_interval(shares, mixes),
        resampled_shares=mixes,
        against_mix=_against(shares, again.rates_by_seed(0), matchups),
        ratings=cyclicity.ratings,
        cyclic=cyclicity.share,
    )


def likely_mix(
    contest: CardContest,
    counts: MatchupCounts,
    *,
    run_seed: int,
    purpose: str,
) -> Floats:
    """``[D]`` the equilibrium on average over resampled games.

    Where decks are nearly even, the equilibrium of the games themselves is whichever deck was
    lucky; on average all that may be played have a share.

    Args:
        contest: the players.
        counts: their games.
        run_seed: the run's seed.
        purpose: names the stream of the resampling.
    """
    resampled = resampled_rates(counts.rates_by_seed(0), N_RESAMPLES, generator(run_seed, purpose))
    mixes = equilibria(_payoffs(resampled, contest.matchups, len(contest.players), counts.n_games))
    return np.asarray(mixes.mean(axis=0))


def _payoffs(rates: Floats, matchups: Sequence[Matchup], n_players: int, n_games: int) -> Floats:
    """``[..., D, D]`` games won less games lost, whole numbers, of ``[..., M]`` win rates."""
    payoffs = np.zeros((*rates.shape[:-1], n_players, n_players))
    ahead = np.rint(n_games * (2 * rates - 1))
    for m, (a, b) in enumerate(matchups):
        payoffs[..., a, b] = ahead[..., m]
        payoffs[..., b, a] = -ahead[..., m]
    return payoffs


def _matrix(rates: Interval, matchups: Sequence[Matchup], n_players: int) -> Interval:
    """``[D, D]`` both sides of each matchup's ``[1, M]`` win rates; a mirror is even."""
    estimate, low, high = (np.full((n_players, n_players), 0.5) for _ in range(3))
    for m, (a, b) in enumerate(matchups):
        estimate[a, b], low[a, b], high[a, b] = (bound[0, m] for bound in rates)
        estimate[b, a] = 1 - estimate[a, b]
        low[b, a] = 1 - high[a, b]
        high[b, a] = 1 - low[a, b]
    return Interval(estimate, low, high)


def _against(shares: Floats, by_seed: Floats, matchups: Sequence[Matchup]) -> Interval:
    """``[D]`` win rates against a fixed mix, their intervals over seeds."""
    by_player = np.repeat(shares[:, np.newaxis] / 2, by_seed.shape[1], axis=1)  # mirrors
    for rates, (a, b) in zip(by_seed, matchups, strict=True):
        by_player[a] += shares[b] * rates
        by_player[b] += shares[a] * (1 - rates)
    return rate_over_seeds(by_player).certain(shares == 1)  # against itself alone
