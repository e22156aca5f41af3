"""Calls of a game's Python function: once for each game, or once for many games."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from sim.errors import InputError
from sim.simulator.block import Block, Played
from sim.simulator.function_result import read_batch, read_results
from sim.simulator.game_words import game_words
from sim.simulator.result import Infeasible
from sim.simulator.time_limit import TimeLimitError, time_limit

Function = Callable[..., Any]


def call_for_each_game(
    function: Function, block: Block, *, n_seats: int, timeout_s: float
) -> Played:
    """Play the games of a block by one call for each of them.

    Args:
        function: function of numbers, players and a seed.
        block: games to play.
        n_seats: number of seats.
        timeout_s: longest time of a game, in seconds.

    Raises:
        Infeasible: the function refuses the numbers.
        InputError: the function fails, takes too long, or returns no valid result.
    """
    numbers = MappingProxyType(dict(block.numbers))
    more = {"without": block.without} if any(block.without) else {}
    returned = []
    with time_limit(timeout_s) as watched:
        try:
            for seed in block.seeds.tolist():
                returned.append(function(numbers, block.players, seed, **more))
                watched.game += 1
        except Infeasible:
            raise
        except TimeLimitError:
            raise _too_long(block, len(returned), timeout_s) from None
        except (Exception, SystemExit) as error:
            raise _failure(error, game_words(block, len(returned))) from error
    return read_results(returned, block, n_seats)


def call_for_all_games(
    function: Function,
    blocks: Sequence[Block],
    *,
    n_seats: int,
    player_names: Sequence[str],
    timeout_s: float,
) -> list[Played]:
    """Play the games of several blocks by one call of a function of arrays.

    Args:
        function: function of numbers ``[G]`` by name, positions of players ``[G, seats]``, and
            seeds ``[G]``.
        blocks: games to play.
        n_seats: number of seats.
        player_names: names of all players, in the order of their positions.
        timeout_s: longest time of the call, in seconds.

    Raises:
        Infeasible: the function refuses the numbers of a block.
        InputError: the function fails, takes too long, or returns no valid results.
    """
    sizes = [block.n_games for block in blocks]
    numbers = {
        name: np.repeat(np.array([block.numbers[name] for block in blocks]), sizes)
        for name in blocks[0].numbers
    }
    seated = [[player_names.index(player) for player in block.players] for block in blocks]
    players = np.repeat(np.array(seated), sizes, axis=0)
    seeds = np.concatenate([block.seeds for block in blocks])
    words = f"{sum(sizes):,} games that begin with the {game_words(blocks[0], 0)}"
    try:
        with time_limit(timeout_s):
            returned = function(numbers, players, seeds)
    except Infeasible:
        raise
    except TimeLimitError:
        raise _too_long(blocks[0], 0, timeout_s) from None
    except (Exception, SystemExit) as error:
        raise _failure(error, words) from error
    played = read_batch(returned, sum(sizes), n_seats)
    ends = np.cumsum(sizes)[:-1]
    parts = [None if part is None else np.split(part, ends) for part in played[:3]]
    return [
        Played(*(None if part is None else part[k] for part in parts))  # type: ignore[arg-type]
        for k in range(len(blocks))
    ]


def _too_long(block: Block, game: int, timeout_s: float) -> InputError:
    """Return the error for a game that does not end in time."""
    return InputError(
        f"took longer than {timeout_s:g} s: the {game_words(block, game)}",
        place="play",
        value=timeout_s,
        limit=timeout_s,
        remedy="correct the function, or raise timeout_s of [simulator]",
        separator=" ",
    )


def _failure(error: BaseException, words: str) -> InputError:
    """Return the error for a function that failed, with the line at which it did.

    Args:
        error: error that the function raised.
        words: description of the game.
    """
    *_, last = traceback.extract_tb(error.__traceback__)
    return InputError(
        f"raised {type(error).__name__}: {error}, in the {words}",
        place=f"{last.filename}:{last.lineno}",
        value=type(error).__name__,
        remedy="correct the function, or raise Infeasible for numbers that cannot be played",
        separator=" ",
    )
