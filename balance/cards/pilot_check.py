"""Detection of weak pilots: agents that a cheap search beats with their own decks.

Win rates depend on how well the agents play the decks. In a mirror match only the agents differ.
An agent that loses such a match to a search that takes a third of a millisecond per game misplays
its deck. Cards balanced for this agent may be far from balanced for others.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from agents.registry import agent_named
from balance.cards.card_contest import CardContest, play_pairs
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, rate_over_seeds
from sim.errors import CardFault
from sim.play import Agent
from sim.seeds import stream_seed

PURPOSE = "pilots"
"""Name of the stream of game seeds for the mirror matches."""

AGAINST = "light"
"""Name of the agent against which the players' agents play."""

THRESHOLD = 0.55
"""Win rate of `light` above which an agent counts as weak.

A deviation of more than 5 percentage points, the default band, can move a matchup out of its band
by the quality of play alone.
"""

LOOKS = (200, 500, 1_000)
"""Numbers of games of a mirror match after which it is judged.

200 games suffice for most scripted agents, which lose 70 % or more, and 1,000 to separate 60 % from
the threshold. A game takes 0.2 to 2 ms.
"""


class WeakPilot(NamedTuple):
    """Player with an agent that another agent beats in mirror matches.

    Attributes:
        player: name of the player.
        agent: name of the player's agent.
        against: name of the agent that wins the mirror matches.
        win_rate: win rate of the agent `against`, with its 95 % interval; intervals of several
            looks are simultaneous.
        n: number of games, half of them in each seating.
    """

    player: str
    agent: str
    against: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


def weak_pilots(
    contest: CardContest, *, run_seed: int, most_games: int = LOOKS[-1]
) -> list[WeakPilot]:
    """Return the players with agents against which `light` verifiably wins more than `THRESHOLD`.

    Players with the agent `light` are skipped, and so are players with mirror matches that never
    end.

    Args:
        contest: contest with the players.
        run_seed: seed of the run.
        most_games: maximum number of games of each mirror match, even and at least 4; numbers above
            the last of `LOOKS` have no effect.
    """
    light = agent_named(AGAINST)
    weak = list[WeakPilot]()
    for k, player in enumerate(contest.players):
        if player.agent.name == AGAINST:
            continue
        try:
            pilot = _weak_pilot(contest, k, light, run_seed, most_games)
        except CardFault:  # games of this mirror never end, so it cannot be judged
            continue
        if pilot is not None:
            weak.append(pilot)
    return weak


def _weak_pilot(
    contest: CardContest,
    position: int,
    light: Agent,
    run_seed: int,
    most_games: int,
) -> WeakPilot | None:
    """Return the player at a position as a weak pilot; `None` if its agent is not verified as weak.

    The mirror match ends at the first look that decides whether the agent is weak.

    Args:
        contest: contest with the players.
        position: position of the player.
        light: agent against which the player's agent plays.
        run_seed: seed of the run.
        most_games: maximum number of games of the mirror match.
    """
    player = contest.players[position]
    looks = _looks(most_games)
    # Bonferroni correction: all looks together err with a probability of at most 5 %.
    confidence = 1 - (1 - CONFIDENCE) / len(looks)
    rates = np.zeros(0)
    n_played = 0
    for n_games in looks:
        more = _light_rates(contest, position, light, n_games - n_played, n_played // 2, run_seed)
        rates = np.append(rates, more)
        n_played = n_games
        rate = rate_over_seeds(rates, confidence)
        if rate.low > THRESHOLD:
            return WeakPilot(player.name, player.agent.name, light.name, rate, n_games)
        if rate.high < THRESHOLD:
            return None
    return None


def _looks(most_games: int) -> tuple[int, ...]:
    """Return the numbers of games after which a mirror match is judged.

    Args:
        most_games: maximum number of games, capped by the last of `LOOKS`.
    """
    return (*(n for n in LOOKS if n < most_games), min(most_games, LOOKS[-1]))


def _light_rates(
    contest: CardContest,
    position: int,
    light: Agent,
    n_games: int,
    first_seed: int,
    run_seed: int,
) -> Floats:
    """Play further games of a mirror match, and return the win rate of `light` in them by seed.

    Args:
        contest: contest with the players.
        position: position of the player with the deck that both agents play.
        light: agent in the place of the first player.
        n_games: number of games to play.
        first_seed: position of the first seed in the stream.
        run_seed: seed of the run.

    Returns:
        Win rates in the two games of each seed, shape ``[S]``.
    """
    counts = play_pairs(
        [(0, 1)],
        contest.table,
        contest.deck_rows[[position, position]],
        [light, contest.players[position].agent],
        n_games=n_games,
        stream=stream_seed(run_seed, PURPOSE),
        first_game=first_seed,
    )
    rates = counts.rates_by_seed(0)
    return np.asarray(rates[0])
