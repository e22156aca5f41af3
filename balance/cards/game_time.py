"""Time measurements before a run: seconds per game of the baseline, and seconds of a function.

The timed games use a separate stream of seeds, `estimate`, and no decision depends on them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import inf
from statistics import median
from typing import TypeVar

import numpy as np

from balance.cards.card_contest import CardContest
from balance.contest.readings import MatchupCounts

_Result = TypeVar("_Result")

# Minimum seconds of a timed batch. Chosen by hand: long compared with the clock's noise and with
# starting threads, and short enough that all batches together take less than a second.
_LEAST_S = 0.05
# Seconds of a batch from which on batches stop growing, even if the time per game still falls;
# chosen by hand, not tuned.
_MOST_S = 10.0
# Batches grow as long as the time per game falls below this multiple of the last one. Trained
# agents compute the actions of many games at once, so a game of a larger batch takes less time.
_FALLS = 0.5
_TIMES = 3  # measurements of a function: the smallest number with a median that ignores an outlier
# Total seconds from which on a function is not measured again; chosen by hand, not tuned.
_LONG_S = 0.2
_FIRST = 4  # games per matchup of the first batch, which compiles the engine
_MORE = 4  # factor from batch to batch; chosen by hand, not tuned
_MOST = 32_000  # maximum games per matchup of a batch; chosen by hand, not tuned


def time_games(
    contest: CardContest,
    run_seed: int,
    *,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[MatchupCounts, float]:
    """Play the baseline in growing batches until the seconds per game can be estimated.

    Batches grow until one takes `_LEAST_S` seconds and the time per game no longer falls clearly,
    but no further than `_MOST_S` seconds or about `_MOST` games per matchup.

    Args:
        contest: cards and players.
        run_seed: seed of the run.
        clock: function that returns the current time in seconds.

    Returns:
        Results of the last batch, and its seconds per game.
    """
    play: Callable[..., MatchupCounts] = partial(
        contest.play,
        np.zeros((1, 0), dtype=np.int16),
        [],
        run_seed=run_seed,
        purpose="estimate",
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

    The function is called up to three times, and less often if it takes long. The median ignores
    single measurements during which the machine was busy.

    Args:
        act: function to call; its last result is returned.
        clock: function that returns the current time in seconds.
    """
    seconds = list[float]()
    while len(seconds) < _TIMES and sum(seconds) < _LONG_S:
        began_s = clock()
        result = act()
        seconds.append(clock() - began_s)
    return result, median(seconds)
