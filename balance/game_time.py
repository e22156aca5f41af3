"""Time measurements before a run: seconds per game of the baseline, and of other functions.

The timed games have a stream of seeds of their own, `estimate`, and nothing is decided by them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import inf
from statistics import median
from typing import TypeVar

import numpy as np

from balance.card_contest import CardContest
from balance.readings import MatchupCounts

_Result = TypeVar("_Result")

# Chosen by hand: a batch of this many seconds is long compared with the clock's noise and with
# starting threads, and a user still waits for less than a second.
_LEAST_S = 0.05
_MOST_S = 10.0  # seconds after which batches stop growing even if games still become faster
# Batches grow while this factor reduces the time per game: trained agents answer many games at
# once, so that a game of a larger batch takes less time.
_FALLS = 0.5
_TIMES = 3  # measurements of a function: the fewest with a median that ignores one outlier
_LONG_S = 0.2  # seconds in total after which a function is not measured again
_FIRST = 4  # games per matchup of the first batch, which compiles the engine
_MORE = 4  # factor from batch to batch; chosen by hand
_MOST = 32_000  # most games per matchup of a batch


def time_games(
    contest: CardContest,
    run_seed: int,
    *,
    threads: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[MatchupCounts, float]:
    """Play the baseline in growing batches until one takes long enough to be timed.

    Args:
        contest: cards and players.
        run_seed: seed of the run.
        threads: number of threads; default all cores.
        clock: returns the current time in seconds.

    Returns:
        The last batch, and its seconds per game.
    """
    play: Callable[..., MatchupCounts] = partial(
        contest.play,
        np.zeros((1, 0), dtype=np.int16),
        [],
        run_seed=run_seed,
        purpose="estimate",
        threads=threads,
    )
    n_games = _FIRST
    took_s = 0.0
    game_s = inf
    falls = True
    played = play(n_games=n_games)  # not timed, since it compiles the engine
    while n_games < _MOST and (took_s < _LEAST_S or (falls and took_s < _MOST_S)):
        n_games *= _MORE
        played, took_s = measure_time(partial(play, n_games=n_games), clock)
        falls = took_s / n_games < _FALLS * game_s
        game_s = took_s / n_games
    return played, game_s / len(contest.matchups)


def measure_time(act: Callable[[], _Result], clock: Callable[[], float]) -> tuple[_Result, float]:
    """Return the result of a function and the median of its running times in seconds.

    The median ignores single measurements during which the machine was busy.

    Args:
        act: function to time.
        clock: returns the current time in seconds.
    """
    seconds = list[float]()
    while len(seconds) < _TIMES and sum(seconds) < _LONG_S:
        began_s = clock()
        result = act()
        seconds.append(clock() - began_s)
    return result, median(seconds)
