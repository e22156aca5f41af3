"""A round robin of agents: all against all, in mirrors of some decks, on the same luck.

In a mirror both sides play the same deck, so that nothing but who plays it decides.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from balance.card_contest import CardContest, Matchup, play_pairs
from balance.game_time import time_games
from balance.metagame.cyclicity import ELO_PER_LOGIT
from balance.metagame.metagame import N_RESAMPLES
from balance.settings import GameCount
from balance.statistics.arithmetic import natural_log, ordered_sum
from balance.statistics.intervals import (
    Floats,
    Interval,
    rate_over_seeds,
    resampled_interval,
    resampled_rates,
)
from sim.arguments import Seed, Threads, checked
from sim.errors import InputError
from sim.play import Agent
from sim.seeds import generator, stream_seed

PURPOSE = "agents"
_ITERATIONS = 2_000
_CLOSE = 1e-10  # by which no strength changes any more, relative


@dataclass(frozen=True)
class RoundRobin:
    """What ``A`` agents came to against each other, in the mirrors of ``D`` decks.

    Attributes:
        pairs: ``[P]`` who met whom: all pairs, in order.
        rates: ``[P]`` win rates of the first of each pair, over all mirrors.
        by_deck: ``[P, D]`` the same in each mirror.
        overall: ``[A]`` win rates over all others.
        ratings: ``[A]`` Elo points around 0, by Bradley and Terry.
        leads: ``[A]`` Elo points beyond the best of the others.
        n_games: of each pair, in all mirrors together.
    """

    pairs: tuple[tuple[int, int], ...]
    rates: Interval
    by_deck: Interval
    overall: Interval
    ratings: Interval
    leads: Interval
    n_games: int


@checked(n_games=GameCount, run_seed=Seed, threads=Threads)
def play_round_robin(
    contest: CardContest,
    agents: Sequence[Agent],
    *,
    n_games: int,
    run_seed: int,
    threads: int | None = None,
) -> RoundRobin:
    """Let agents play against each other.

    Args:
        contest: whose players' decks the mirrors are of; who pilots them there does not matter.
        agents: at least two.
        n_games: of each pair in each mirror, even and at least 4; half in each seating, and the
            seatings share their seeds.
        run_seed: the run's seed.
        threads: threads to use; default all cores.

    Raises:
        InputError: an argument is none of these.
    """
    if len(agents) < 2:
        raise InputError(f"agents: {len(agents)}, must be at least 2: they play each other")
    by_seed = mirror_rates(contest, agents, n_games=n_games, run_seed=run_seed, threads=threads)
    return round_robin_of(by_seed, len(agents), run_seed)


def mirror_rates(
    contest: CardContest,
    agents: Sequence[Agent],
    *,
    n_games: int,
    run_seed: int,
    purpose: str = PURPOSE,
    threads: int | None = None,
) -> Floats:
    """``[P, D, S]`` win rates of all pairs of agents in all mirrors, in the two games of each seed.

    Args:
        contest: as in `play_round_robin`.
        agents: likewise.
        n_games: likewise.
        run_seed: likewise.
        purpose: names the stream of seeds.
        threads: threads to use; default all cores.
    """
    n_agents = len(agents)
    n_decks = len(contest.players)
    pairs = _pairs(len(agents))
    counts = play_pairs(
        [(n_agents * d + a, n_agents * d + b) for a, b in pairs for d in range(n_decks)],
        contest.table,
        np.repeat(contest.deck_rows, n_agents, axis=0),
        [*agents] * n_decks,
        n_games=n_games,
        stream=stream_seed(run_seed, purpose),
        threads=threads,
        on_games=contest.on_games,
    )
    return counts.rates_by_seed(0).reshape(len(pairs), n_decks, -1)


def _pairs(n_agents: int) -> tuple[tuple[int, int], ...]:
    """``[P]`` all pairs of agents, in order."""
    return tuple(combinations(range(n_agents), 2))


def round_robin_of(by_seed: Floats, n_agents: int, run_seed: int) -> RoundRobin:
    """What games of all pairs come to.

    Args:
        by_seed: as `mirror_rates` has it.
        n_agents: ``A``.
        run_seed: by which seeds are resampled.
    """
    pairs = _pairs(n_agents)
    n_decks = by_seed.shape[1]
    n_games = 2 * by_seed.shape[1] * by_seed.shape[2]
    together = ordered_sum(by_seed, axis=1) / n_decks
    overall = np.zeros((n_agents, by_seed.shape[2]))
    for m, (a, b) in enumerate(pairs):
        overall[a] += together[m] / (n_agents - 1)
        overall[b] += (1 - together[m]) / (n_agents - 1)
    # Whole numbers (a win is 2, a draw 1), so that sums over seeds are exact.
    points = (together * (4 * n_decks)).round()
    rng = generator(run_seed, f"{PURPOSE}/resample")
    resampled = resampled_rates(points, N_RESAMPLES, rng) / (4 * n_decks)
    rates = rate_over_seeds(together)
    evenly = (np.arange(N_RESAMPLES) + 0.5) / N_RESAMPLES
    for k in np.flatnonzero(np.ptp(together, axis=1) == 0):  # all seeds alike: none tells of luck
        resampled[:, k] = rates.low[k] + rng.permutation(evenly) * (rates.high[k] - rates.low[k])
    fit = partial(bradley_terry, pairs=pairs, n_players=n_agents, n_games=n_games)
    found = ELO_PER_LOGIT * fit(together.mean(axis=-1))
    again = ELO_PER_LOGIT * fit(resampled)
    return RoundRobin(
        pairs=pairs,
        rates=rates,
        by_deck=rate_over_seeds(by_seed),
        overall=rate_over_seeds(overall),
        ratings=resampled_interval(found, again),
        leads=resampled_interval(_leads(found), _leads(again)),
        n_games=n_games,
    )


def bradley_terry(
    rates: Floats, pairs: Sequence[tuple[int, int]], n_players: int, n_games: int
) -> Floats:
    """Ratings ``[..., N]`` in logits, 0 on average, of ``[..., M]`` win rates.

    They are the chances to win that explain who won how often, by most likelihood: one number r a
    player, so that a beats b with the chance 1 / (1 + exp(r_b - r_a)). Unlike the least squares of
    logits (`balance.metagame.cyclicity`) the fit weighs a matchup by what its games tell: one that
    is won almost always says little of how far apart two players are.

    Args:
        rates: of the first of each pair over the second; a draw counts half.
        pairs: ``[M]`` which players met; all must be connected by them.
        n_players: ``N``.
        n_games: of each pair. Half a game is added to both sides, so that a player that won or
            lost them all has a rating.

    Reference: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika
    39 (1952); the iteration is that of M. E. J. Newman, "Efficient computation of rankings from
    pairwise comparisons", JMLR 24 (2023), equation 14. It adds, multiplies and divides only, so
    that every processor finds the same.
    """
    wins = np.zeros((*rates.shape[:-1], n_players, n_players))
    for m, (a, b) in enumerate(pairs):
        wins[..., a, b] += n_games * rates[..., m] + 0.5
        wins[..., b, a] += n_games * (1 - rates[..., m]) + 0.5
    strengths = np.ones((*rates.shape[:-1], n_players))
    for _ in range(_ITERATIONS):
        before = strengths.copy()
        for one in range(n_players):
            own = strengths[..., one, np.newaxis]
            won = wins[..., one, :] * strengths / (own + strengths)
            lost = wins[..., :, one] / (own + strengths)
            strengths[..., one] = ordered_sum(won) / ordered_sum(lost)
        strengths /= ordered_sum(strengths)[..., np.newaxis] / n_players
        if (np.abs(strengths - before) <= _CLOSE * strengths).all():
            break
    ratings = natural_log(strengths)
    return np.asarray(ratings - (ordered_sum(ratings) / n_players)[..., np.newaxis])


def _leads(ratings: Floats) -> Floats:
    """``[..., A]`` what each rating is beyond the best of the others."""
    others = [np.delete(ratings, k, axis=-1).max(axis=-1) for k in range(ratings.shape[-1])]
    return np.asarray(ratings - np.stack(others, axis=-1))


def turn_time(contest: CardContest, agent: Agent, *, run_seed: int) -> float:
    """Seconds of processor time that a turn of an agent takes, in mirrors of a contest's decks."""
    only = tuple(Matchup(k, k) for k in range(len(contest.players)))
    mirrors = replace(contest.piloted_by(agent), only=only, on_games=None)
    counts, game_s = time_games(mirrors, run_seed, threads=1, clock=time.process_time)
    turns = counts.turns.sum(axis=(0, 1))
    return game_s * float(turns.sum()) / float((turns * np.arange(len(turns))).sum())
