"""Ctrl-C, and when it has to wait."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off until the end of the block, in which the engine is compiled or loaded.

    The compiler calls back into Python; an exception raised there would crash the process, or be
    lost. Only the main thread hears Ctrl-C, so that others have nothing to put off.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
    if waiting:
        signal.raise_signal(signal.SIGINT)
