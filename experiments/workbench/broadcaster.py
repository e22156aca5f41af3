"""The hub: what happens reaches every tab, and a tab that comes later gets the latest of it."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, NamedTuple

LASTING = ("state", "rates", "effects")
"""Events of which only the latest counts, in the order in which a new tab gets them."""

TABS_MAX = 32
_PASSING_MAX = 100  # other events that wait for a slow tab
_BREATH_S = 10.0  # after which a silent stream shows that it is alive


class Event(NamedTuple):
    """Something that happened: its name, and what the page is told."""

    name: str
    data: Any


class _Tab:
    """One open page: what it has not been sent yet."""

    def __init__(self, loop: asyncio.AbstractEventLoop, lasting: dict[str, Any]) -> None:
        self.loop = loop
        self.wake = asyncio.Event()
        self.lasting = lasting
        self.passing = deque[Event](maxlen=_PASSING_MAX)

    def take(self) -> list[Event]:
        """All that waits; what lasts goes first."""
        lasting = self.lasting
        self.lasting = {}
        passing = [*self.passing]
        self.passing.clear()
        return [*(Event(name, lasting[name]) for name in LASTING if name in lasting), *passing]


class EventBroadcaster:
    """Hands events from any thread to all tabs."""

    def __init__(self) -> None:
        """Nobody listens yet."""
        self._lock = threading.Lock()
        self._latest = dict[str, Any]()
        self._tabs = set[_Tab]()
        self._is_closed = False

    def publish(self, name: str, data: Any) -> None:
        """Tell all tabs; may be called by any thread."""
        with self._lock:
            if name in LASTING:
                self._latest[name] = data
            for tab in self._tabs:
                if name in LASTING:
                    tab.lasting[name] = data
                else:
                    tab.passing.append(Event(name, data))
                _wake(tab)

    def close(self) -> None:
        """End all streams."""
        with self._lock:
            self._is_closed = True
            for tab in self._tabs:
                _wake(tab)

    @property
    def is_full(self) -> bool:
        """Whether no further tab may listen."""
        return len(self._tabs) >= TABS_MAX

    async def events(self) -> AsyncIterator[Event | None]:
        """What a new tab is told, until the hub is closed; `None` when nothing happens for long."""
        with self._lock:
            tab = _Tab(asyncio.get_running_loop(), dict(self._latest))
            self._tabs.add(tab)
        try:
            while not self._is_closed:
                with self._lock:
                    tab.wake.clear()
                    waiting = tab.take()
                for event in waiting:
                    yield event
                if not waiting:
                    try:
                        await asyncio.wait_for(tab.wake.wait(), _BREATH_S)
                    except TimeoutError:
                        yield None
        finally:
            with self._lock:
                self._tabs.discard(tab)


def _wake(tab: _Tab) -> None:
    with suppress(RuntimeError):  # its loop has ended
        tab.loop.call_soon_threadsafe(tab.wake.set)
