"""A game of Python functions for tests: the stronger a player is, the more often it wins.

Every player has a strength (whole), a luck (real) and a mood (word), in a group of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from sim import Infeasible, Result

NAMES = ("ann", "bob", "cyd", "dan", "eve")
MOODS = ("calm", "keen", "wild")
DRAWN_BELOW = 0.02


def declared(names: Sequence[str], **moved: Any) -> dict[str, Any]:
    """Return the declarations of the parameters of some players.

    Args:
        names: names of the players.
        moved: strengths other than 5, by name.
    """
    return {
        name: {
            "strength": {"value": moved.get(name, 5), "low": 2, "high": 9, "players": [name]},
            "luck": {"value": 0.5, "low": 0.3, "high": 0.7, "step": 0.05, "players": [name]},
            "mood": {"value": "keen", "choices": list(MOODS), "players": [name]},
        }
        for name in names
    }


def play(
    numbers: Mapping[str, Any],
    players: Sequence[str],
    seed: int,
    without: Sequence[str | None] = (),
) -> Result:
    """Play one game: the winner, its length, and the points of the seats."""
    rng = Random(seed)
    left_out = dict(enumerate(without))
    pulls = [
        0.0 if left_out.get(seat) == player else pull_of(numbers, player)
        for seat, player in enumerate(players)
    ]
    if sum(pulls) > 100:
        raise Infeasible("broken")
    draws = [pull * rng.random() for pull in pulls]
    turns = 3 + int(10 * rng.random())
    winner = None if rng.random() < DRAWN_BELOW else max(range(len(players)), key=draws.__getitem__)
    return Result(winner, turns=turns, points=draws)


def winner(numbers: Mapping[str, Any], players: Sequence[str], seed: int) -> int | None:
    """Play one game, and return the seat that won only."""
    seat: int | None = play(numbers, players, seed).winner
    return seat


def play_all(numbers: Mapping[str, Any], players: Any, seeds: Any) -> Result:
    """Play many games in one call, each like `play`."""
    games = [
        play(
            {name: values[game] for name, values in numbers.items()},
            [NAMES[player] for player in players[game]],
            int(seed),
        )
        for game, seed in enumerate(seeds)
    ]
    return Result(
        np.array([-1 if game.winner is None else game.winner for game in games]),
        np.array([game.turns for game in games]),
        np.array([game.points for game in games]),
    )


def pull_of(numbers: Mapping[str, Any], player: str) -> float:
    """Return how hard a player pulls."""
    mood = {"calm": 0.8, "keen": 1.0, "wild": 1.3}[numbers[f"{player}.mood"]]
    pull: float = numbers[f"{player}.strength"] * (0.5 + numbers[f"{player}.luck"]) * mood
    return pull
