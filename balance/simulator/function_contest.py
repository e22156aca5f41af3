"""Contest of a game that a Python function plays, for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from balance.simulator.parameters import read_parameters
from balance.simulator.simulated_contest import Rate, SimulatedContest
from sim.arguments import checked
from sim.files.validation import Name
from sim.simulator.python_function import FunctionSimulator


@checked(players=tuple[Name, ...], seats=int, batch=bool, rate=Rate)
def simulated_contest(
    play: Callable[..., Any],
    players: Sequence[str],
    parameters: Mapping[str, Any],
    *,
    seats: int = 2,
    batch: bool = False,
    rate: Rate = "wins",
) -> SimulatedContest:
    """Return the contest of a game that a Python function plays.

    Args:
        play: function `play(numbers, players, seed)` of the value of each parameter by name, the
            names of the players by seat, and a whole number from which it draws all randomness. It
            returns the seat that won, `None` for a draw, or a `sim.Result`.
        players: names of the players.
        parameters: declarations by name, in tables by group, with the keys of
            `sim.simulator.parameter_entry.ParameterEntry`.
        seats: number of players of a game.
        batch: whether `play` plays many games in one call, on arrays.
        rate: whether rates count games won, or points.

    Raises:
        InputError: a declaration is invalid, or too few players are named.

    Example:
        >>> from random import Random
        >>> def play(numbers, players, seed):
        ...     first, second = (numbers[f"{player}.strength"] for player in players)
        ...     return 0 if Random(seed).random() * (first + second) < first else 1
        >>> strength = {"value": 5, "low": 1, "high": 9}
        >>> knight = {"strength": {"value": 7, "low": 1, "high": 9}}
        >>> fighters = {"knight": knight, "rogue": {"strength": strength}}
        >>> contest = simulated_contest(play, ["knight", "rogue"], fighters)
        >>> contest
        SimulatedContest(players=['knight', 'rogue'], numbers=2)
    """
    names = tuple(players)
    simulator = FunctionSimulator(play, names, n_players=seats, is_batch=batch)
    return SimulatedContest(simulator, read_parameters(parameters, names), rate)
