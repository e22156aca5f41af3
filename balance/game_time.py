"""The time of a game, a few of today's, before many are played; and of anything else.

They have a stream of their own, `estimate`, and nothing is decided by them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import TypeVar

import numpy as np

from balance.card_contest import CardContest
from balance.readings import MatchupCounts

_Found = TypeVar("_Found")

_LEAST_S = 0.05  # that the last batch takes
_TIMES = 3  # that a thing is done to be timed
_FIRST, _MOST = 4, 32_000  # games per matchup in the first one, and in that


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
    n_games, took_s = _FIRST, 0.0
    played = play(n_games=n_games)  # so that all is compiled
    while took_s < _LEAST_S and n_games < _MOST:
        n_games *= 2
        played, took_s = timed(partial(play, n_games=n_games), clock)
    return played, took_s / (n_games * len(contest.matchups))


def timed(act: Callable[[], _Found], clock: Callable[[], float]) -> tuple[_Found, float]:
    """What comes of it, and the seconds it takes: a median, as machines are busy at times."""
    seconds = list[float]()
    for _ in range(_TIMES):
        began_s = clock()
        found = act()
        seconds.append(clock() - began_s)
    return found, median(seconds)
