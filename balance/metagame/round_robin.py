"""Round robin of agents: all pairs of agents play mirrors of several decks on the same seeds.

In a mirror both sides play the same deck, so that only the agents differ.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from balance.cards.card_contest import CardContest, Matchup, play_pairs
from balance.cards.game_time import time_games
from balance.metagame.bradley_terry import bradley_terry
from balance.metagame.cyclicity import ELO_PER_LOGIT
from balance.metagame.metagame import N_RESAMPLES
from balance.settings.tables import GameCount
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import (
    Floats,
    Interval,
    rate_over_seeds,
    resampled_interval,
    resampled_rates,
)
from sim.arguments import Seed, checked
from sim.errors import InputError
from sim.play import Agent, using_threads
from sim.seeds import generator, stream_seed

PURPOSE = "agents"  # name of the stream of game seeds


@dataclass(frozen=True)
class RoundRobin:
    """Results of ``A`` agents against each other in the mirrors of ``D`` decks.

    Attributes:
        pairs: positions of the two agents of each of the P pairs, in lexicographic order.
        rates: win rate of the first agent of each pair over all mirrors, shape [P].
        by_deck: win rate of the first agent of each pair in each mirror, shape [P, D].
        overall: mean win rate of each agent against all other agents, shape [A].
        ratings: rating of each agent by the Bradley-Terry model, in Elo points with mean 0, shape
            [A].
        leads: rating of each agent less that of the best other agent, in Elo points, shape [A].
        n_games: number of games of each pair, over all mirrors.
    """

    pairs: tuple[tuple[int, int], ...]
    rates: Interval
    by_deck: Interval
    overall: Interval
    ratings: Interval
    leads: Interval
    n_games: int


@checked(n_games=GameCount, run_seed=Seed)
def play_round_robin(
    contest: CardContest,
    agents: Sequence[Agent],
    *,
    n_games: int,
    run_seed: int,
) -> RoundRobin:
    """Play all pairs of agents in the mirrors of a contest's decks, and rate the agents.

    Args:
        contest: contest with the decks of the mirrors; the agents of its players are ignored.
        agents: agents to compare, at least two.
        n_games: number of games of each pair in each mirror, even and at least 4; half in each
            seating, on the same seeds.
        run_seed: seed of the run.

    Raises:
        InputError: there are fewer than two agents, or another argument is invalid.
    """
    if len(agents) < 2:
        raise InputError(
            f"{len(agents)} given, must be at least 2, since they play each other",
            place="agents",
            value=len(agents),
            limit=2,
        )
    by_seed = mirror_rates(contest, agents, n_games=n_games, run_seed=run_seed)
    return round_robin_of(by_seed, len(agents), run_seed)


def mirror_rates(
    contest: CardContest,
    agents: Sequence[Agent],
    *,
    n_games: int,
    run_seed: int,
    purpose: str = PURPOSE,
) -> Floats:
    """Play all pairs of agents in all mirrors, and return the results by seed.

    Args:
        contest: contest with the decks of the mirrors; the agents of its players are ignored.
        agents: agents to compare.
        n_games: number of games of each pair in each mirror, an even number.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds.

    Returns:
        Win rate of each pair's first agent in the two games of each seed, shape [P, D, S].
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
        on_games=contest.on_games,
    )
    return counts.rates_by_seed(0).reshape(len(pairs), n_decks, -1)


def _pairs(n_agents: int) -> tuple[tuple[int, int], ...]:
    """Return the positions of all pairs of different agents, in lexicographic order."""
    return tuple(combinations(range(n_agents), 2))


def round_robin_of(by_seed: Floats, n_agents: int, run_seed: int) -> RoundRobin:
    """Rate agents by the games of all pairs, with bootstrap intervals of ratings and leads.

    Args:
        by_seed: results of `mirror_rates`, shape [P, D, S].
        n_agents: number of agents ``A``.
        run_seed: seed of the run, from which the resampling is seeded.
    """
    pairs = _pairs(n_agents)
    n_decks = by_seed.shape[1]
    n_games = 2 * by_seed.shape[1] * by_seed.shape[2]
    over_decks = ordered_sum(by_seed, axis=1) / n_decks
    overall = np.zeros((n_agents, by_seed.shape[2]))
    for m, (a, b) in enumerate(pairs):
        overall[a] += over_decks[m] / (n_agents - 1)
        overall[b] += (1 - over_decks[m]) / (n_agents - 1)
    # Whole numbers (a win is 2, a draw 1), so that sums over seeds are exact.
    points = (over_decks * (4 * n_decks)).round()
    rng = generator(run_seed, f"{PURPOSE}/resample")
    resampled = resampled_rates(points, N_RESAMPLES, rng) / (4 * n_decks)
    rates = rate_over_seeds(over_decks)
    evenly = (np.arange(N_RESAMPLES) + 0.5) / N_RESAMPLES
    # If all seeds of a pair had the same result, its resamples have no spread. They are replaced by
    # values spread over its Wilson interval, so that ratings are not reported as certain.
    for k in np.flatnonzero(np.ptp(over_decks, axis=1) == 0):
        resampled[:, k] = rates.low[k] + rng.permutation(evenly) * (rates.high[k] - rates.low[k])
    fit = partial(bradley_terry, pairs=pairs, n_players=n_agents, n_games=n_games)
    ratings = ELO_PER_LOGIT * fit(over_decks.mean(axis=-1))
    resampled_ratings = ELO_PER_LOGIT * fit(resampled)
    return RoundRobin(
        pairs=pairs,
        rates=rates,
        by_deck=rate_over_seeds(by_seed),
        overall=rate_over_seeds(overall),
        ratings=resampled_interval(ratings, resampled_ratings),
        leads=resampled_interval(_leads(ratings), _leads(resampled_ratings)),
        n_games=n_games,
    )


def _leads(ratings: Floats) -> Floats:
    """Return each rating less the best rating of the other agents, shape [..., A]."""
    others = [np.delete(ratings, k, axis=-1).max(axis=-1) for k in range(ratings.shape[-1])]
    return np.asarray(ratings - np.stack(others, axis=-1))


def turn_time(contest: CardContest, agent: Agent, *, run_seed: int) -> float:
    """Return the mean processor time of an agent's turn in seconds, in mirrors of decks.

    Args:
        contest: contest with the decks of the mirrors.
        agent: agent to measure, which plays both sides.
        run_seed: seed of the run, from which the games are seeded.
    """
    only = tuple(Matchup(k, k) for k in range(len(contest.players)))
    mirrors = replace(contest.piloted_by(agent), only=only, on_games=None)
    with using_threads(1):
        counts, game_s = time_games(mirrors, run_seed, clock=time.process_time)
    turns = counts.turns.sum(axis=(0, 1))
    return game_s * float(turns.sum()) / float((turns * np.arange(len(turns))).sum())
