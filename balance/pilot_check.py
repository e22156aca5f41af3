"""Pilots that a cheap search beats in the mirror of their own deck: whose results say little.

Win rates speak for the play of the agents that pilot the decks. In a mirror nothing but the pilot
decides, so a pilot that loses there to a search of a third of a millisecond a game misplays its
deck, and what is balanced in its hands may be far off in others.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from agents.registry import agent_named
from balance.card_contest import CardContest, play_pairs
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, rate_over_seeds
from sim.errors import CardFault
from sim.play import Agent
from sim.seeds import stream_seed

PURPOSE = "pilots"
AGAINST = "light"

THRESHOLD = 0.55
"""What `light` may win: beyond 5 points, the band that matchups have where nothing is said, a
pilot's play alone can move a matchup out of its band."""

LOOKS = (200, 500, 1_000)
"""Games of a mirror after which it is judged: 200 tell scripts that lose 70 % or more, as most do,
1,000 tell 60 % from the threshold; a game takes 0.2 to 2 ms."""


class WeakPilot(NamedTuple):
    """A player whose pilot `against` beats in the mirror of the player's deck.

    Attributes:
        player: the player's name.
        agent: its pilot.
        against: the agent that it met.
        win_rate: what that agent won; all looks of a mirror hold together at 95 %.
        n: games, half in each seating.
    """

    player: str
    agent: str
    against: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


def weak_pilots(
    contest: CardContest, *, run_seed: int, most_games: int = LOOKS[-1], threads: int | None = None
) -> list[WeakPilot]:
    """The players whose pilot `light` is shown to beat by more than the threshold.

    Pilots that are `light` are not asked, nor are mirrors that `light` plays without an end.

    Args:
        contest: whose players.
        run_seed: the run's seed.
        most_games: of each mirror, even and at least 4.
        threads: threads to use; default all cores.
    """
    light = agent_named(AGAINST)
    found = list[WeakPilot]()
    for k, player in enumerate(contest.players):
        if player.agent.name == AGAINST:
            continue
        try:
            one = _weak_pilot(contest, k, light, run_seed, most_games, threads)
        except CardFault:  # nothing can be said of it
            continue
        if one is not None:
            found.append(one)
    return found


def _weak_pilot(
    contest: CardContest,
    position: int,
    light: Agent,
    run_seed: int,
    most_games: int,
    threads: int | None,
) -> WeakPilot | None:
    """The player at a position, if its pilot is shown to be weak at one of the looks."""
    player = contest.players[position]
    looks = _looks(most_games)
    # A look has so much of the error that all looks together have 5 %.
    confidence = 1 - (1 - CONFIDENCE) / len(looks)
    rates = np.zeros(0)
    n_played = 0
    for n_games in looks:
        more = _light_rates(
            contest, position, light, n_games - n_played, n_played // 2, run_seed, threads
        )
        rates = np.append(rates, more)
        n_played = n_games
        rate = rate_over_seeds(rates, confidence)
        if rate.low > THRESHOLD:
            return WeakPilot(player.name, player.agent.name, light.name, rate, n_games)
        if rate.high < THRESHOLD:
            return None
    return None


def _looks(most_games: int) -> tuple[int, ...]:
    """After how many games a mirror of so many is judged."""
    return (*(n for n in LOOKS if n < most_games), min(most_games, LOOKS[-1]))


def _light_rates(
    contest: CardContest,
    position: int,
    light: Agent,
    n_games: int,
    first_seed: int,
    run_seed: int,
    threads: int | None,
) -> Floats:
    """``[S]`` what `light` wins in the two games of each seed, in the mirror of a player's deck."""
    counts = play_pairs(
        [(0, 1)],
        contest.table,
        contest.deck_rows[[position, position]],
        [light, contest.players[position].agent],
        n_games=n_games,
        stream=stream_seed(run_seed, PURPOSE),
        first_game=first_seed,
        threads=threads,
    )
    rates = counts.rates_by_seed(0)
    return np.asarray(rates[0])
