"""Refining: rates of the newest revision, by more and more games, in pieces that are soon done."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from balance.whatif import Edits, Exploration
from experiments.workbench.answers import message, no_rates, rates_of
from experiments.workbench.board import Board
from sim.errors import CardFault

LADDER = (250, 1_000, 4_000, 16_000)
"""Games per matchup at which rates are told; the last of them settle them."""

_PIECE_S = 0.05
_SILENCE_S = 0.25  # after which rates are told by fewer games than the next rung has
_FIRST = 40  # games per matchup of the first piece, until the speed is known

Publish = Callable[[str, Any], None]


class Wanted(NamedTuple):
    """A revision of the session, and its edits."""

    revision: int
    edits: Edits


class Refiner:
    """One thread that plays for the newest revision, and drops what is no longer wanted."""

    def __init__(self, board: Board, publish: Publish, threads: int | None) -> None:
        """Nothing is wanted yet.

        Args:
            board: whose games.
            publish: told every answer.
            threads: to play with; default all cores.
        """
        self.board, self._publish = board, publish
        seed = board.experiment.settings.seed
        contest = replace(board.contest, on_games=self._count)
        self.exploration = Exploration(contest, seed, threads)
        self._n_played, self._speed = 0, 0.0  # games, and games per second
        self._change = threading.Condition()
        self._wanted: Wanted | None = None
        self._is_new = self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="refine", daemon=True)

    def warm(self) -> None:
        """Play a few games, so that all is compiled before anybody waits."""
        if self.board.has_opponents:
            self.exploration.explore({}, _FIRST)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def want(self, wanted: Wanted) -> None:
        """From now on play for this revision."""
        with self._change:
            self._wanted, self._is_new = wanted, True
            self._change.notify()

    def close(self) -> None:
        """End after the present piece."""
        with self._change:
            self._is_closed = True
            self._change.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _count(self, n_games: int) -> None:
        self._n_played += n_games

    def _run(self) -> None:
        while (wanted := self._next()) is not None:
            self._refine(wanted)

    def _next(self) -> Wanted | None:
        """What is wanted next, once that is something new; `None` at the end."""
        with self._change:
            self._change.wait_for(lambda: self._is_closed or self._is_new)
            self._is_new = False
            return None if self._is_closed else self._wanted

    def _is_stale(self, wanted: Wanted) -> bool:
        return self._is_closed or self._wanted is not wanted

    def _refine(self, wanted: Wanted) -> None:
        if not self.board.has_opponents:
            self._publish("rates", no_rates(wanted.revision))
            return
        try:
            for event, data in self.answers(wanted):
                if self._is_stale(wanted):
                    return
                if event:
                    self._publish(event, data)
        except CardFault as fault:
            self._publish("message", message(fault))

    def answers(self, wanted: Wanted) -> Iterator[tuple[str, Any]]:
        """Answers as they come, and between pieces empty ones."""
        n_kept = self._n_kept(wanted)
        n_games, told_s = 0, time.perf_counter()
        for rung in LADDER:
            if rung < n_kept and rung != LADDER[-1]:
                continue  # the games are there
            while n_games < rung:
                n_games = self._piece(wanted, n_games, rung)
                is_late = time.perf_counter() - told_s > _SILENCE_S
                if n_games == rung or is_late:
                    yield "rates", self._rates(wanted, n_games)
                    told_s = time.perf_counter()
                else:
                    yield "", None

    def _n_kept(self, wanted: Wanted) -> int:
        kept = (self.exploration.n_kept(edits) for edits in (wanted.edits, {}))
        return min(kept)

    def _piece(self, wanted: Wanted, n_games: int, rung: int) -> int:
        """Play a piece more; how many games there are then."""
        exploration, matchups = self.exploration, len(self.board.contest.matchups)
        n_kept = max(n_games, min(self._n_kept(wanted), rung))
        if n_kept == rung:
            return rung
        affordable = int(self._speed * _PIECE_S / (2 * matchups)) or _FIRST
        more = min(max(affordable // 2 * 2, 4), rung - n_kept)
        began_s, before = time.perf_counter(), self._n_played
        for edits in ({}, wanted.edits):
            exploration.explore(edits, n_kept + more)
        took_s, played = time.perf_counter() - began_s, self._n_played - before
        if played:
            self._speed = played / max(took_s, 1e-6)
        return n_kept + more

    def _rates(self, wanted: Wanted, n_games: int) -> dict[str, Any]:
        explore = self.exploration.explore
        return rates_of(
            self.board,
            explore(wanted.edits, n_games),
            explore({}, n_games),
            revision=wanted.revision,
            is_settled=n_games == LADDER[-1],
        )
