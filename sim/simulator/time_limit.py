"""Time limit of the games that a function of this process plays one after another."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


class TimeLimitError(Exception):
    """A game took longer than its limit."""


@dataclass
class Watched:
    """Progress of games under a time limit.

    Attributes:
        game: position of the running game, which the caller keeps up to date.
    """

    game: int = 0


@contextmanager
def time_limit(seconds: float) -> Iterator[Watched]:
    """Interrupt a `with` block in which the same game runs for too long.

    The block is interrupted after one to two times the limit, since a clock looks at its progress
    at intervals: a timer for each game would cost more than a quick game. Only the main thread can
    be interrupted, and only on systems with timers of signals; elsewhere there is no limit.

    Args:
        seconds: time after which a game is too long, in seconds.

    Yields:
        The progress, in which the block counts its games.

    Raises:
        TimeLimitError: a game took longer.
    """
    watched = Watched()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "setitimer"):
        yield watched
        return
    seen: int | None = None

    def look(*_: Any) -> None:
        nonlocal seen
        if watched.game == seen:
            raise TimeLimitError
        seen = watched.game

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield watched
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
