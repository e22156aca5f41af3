"""The time of a game, a few of today's, before many are played; and of anything else.

They have a stream of their own, `estimate`, and nothing is decided by them.
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

_Found = TypeVar("_Found")

_LEAST_S = 0.05
_MOST_S = 10.0  # that the last batch takes
_FALLS = 0.5  # trained agents answer many games at once: a game of a larger batch takes less
_TIMES = 3
_LONG_S = 0.2  # that a thing is done to be timed, if it does not take long
_FIRST = 4
_MORE = 4
_MOST = 32_000  # games per matchup at first, times as many then, and at most


def time_games(
    contest: CardContest,
    run_seed: int,
    *,
    threads: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[MatchupCounts, float]:
    """Today's matchups in batches until one takes long enough, and seconds of a game in such.

    Args:
        contest: cards and players.
        run_seed: the run's seed.
        threads: threads to use; default all cores.
        clock: tells seconds.
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
    played = play(n_games=n_games)  # so that all is compiled
    while n_games < _MOST and (took_s < _LEAST_S or (falls and took_s < _MOST_S)):
        n_games *= _MORE
        played, took_s = timed(partial(play, n_games=n_games), clock)
        falls = took_s / n_games < _FALLS * game_s
        game_s = took_s / n_games
    return played, game_s / len(contest.matchups)


def timed(act: Callable[[], _Found], clock: Callable[[], float]) -> tuple[_Found, float]:
    """What comes of it, and the seconds it takes: a median, as machines are busy at times."""
    seconds = list[float]()
    while len(seconds) < _TIMES and sum(seconds) < _LONG_S:
        began_s = clock()
        found = act()
        seconds.append(clock() - began_s)
    return found, median(seconds)
