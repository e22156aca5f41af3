"""Refining: one thread that plays for the newest revision, and drops what is no longer wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from experiments.results.compared import ChangeRow
from experiments.workbench.answers import fault_of, no_rates
from experiments.workbench.board import Board, Place
from experiments.workbench.draft import Draft
from experiments.workbench.refinement import Player, Refinement
from sim.errors import CardFault

KEPT = 32
"""Sets of edits whose games are kept: going back to one of them costs nothing."""

Publish = Callable[[str, Any], None]
_Key = tuple[tuple[Place, int], ...]


class Wanted(NamedTuple):
    """A revision of the session, and its draft."""

    revision: int
    draft: Draft

    @property
    def key(self) -> _Key:
        """What rates hang on."""
        return tuple(sorted(self.draft.values.items()))


class Refiner:
    """The thread. Whatever is told bears the newest revision with the same edits."""

    def __init__(self, board: Board, publish: Publish, threads: int | None) -> None:
        """Nothing is wanted yet.

        Args:
            board: whose games.
            publish: told every answer.
            threads: to play with; default all cores.
        """
        self.player = Player(board, threads)
        self._board = board
        self._publish = publish
        self._known = dict[_Key, Refinement]()  # the last that was wanted is the last
        self._change = threading.Condition()
        self._wanted: Wanted | None = None
        self._is_new = self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="refine", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def want(self, wanted: Wanted) -> None:
        """From now on play for this revision; what is known of it is told at once."""
        if not self._board.has_opponents:
            self._publish("rates", {**no_rates(), "revision": wanted.revision})
            return
        with self._change:
            self._is_new |= self._wanted is None or self._wanted.key != wanted.key
            self._wanted = wanted
            if wanted.key in self._known:
                self._tell(self._known[wanted.key], "rates", "effects")
            self._change.notify()

    def rows(self, draft: Draft) -> Sequence[ChangeRow]:
        """The rates with a draft's edits, as far as they are known."""
        with self._change:
            known = self._known.get(Wanted(0, draft).key)
            return () if known is None else known.rows

    def close(self) -> None:
        """End after the present piece."""
        with self._change:
            self._is_closed = True
            self._change.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while (wanted := self._next()) is not None:
            try:
                self._refine(wanted)
            except Exception as error:  # noqa: BLE001 (what fails is told, and the thread goes on)
                self._fail(wanted, error)

    def _next(self) -> Wanted | None:
        """What is wanted next, once that is something new; `None` at the end."""
        with self._change:
            self._change.wait_for(lambda: self._is_closed or self._is_new)
            self._is_new = False
            return None if self._is_closed else self._wanted

    def _refine(self, wanted: Wanted) -> None:
        one = self._refinement(wanted)
        for event in one.pieces(self.player):
            with self._change:
                if self._is_new or self._is_closed:
                    return
                if event:
                    self._tell(one, event)

    def _fail(self, wanted: Wanted, error: Exception) -> None:
        """Say that there are no rates; what is a fault of ours is tried again when wanted anew."""
        with self._change:
            rates = no_rates(fault_of(self._board, wanted.draft, error))
            failed = Refinement(wanted.draft, self._board.edits(wanted.draft.values), rates=rates)
            if isinstance(error, CardFault):
                self._known[wanted.key] = failed
            else:
                self._known.pop(wanted.key, None)
            if not self._is_new:
                self._tell(failed, "rates")

    def _refinement(self, wanted: Wanted) -> Refinement:
        """What is known of some edits; of those that were left longest ago all is forgotten."""
        with self._change:
            fresh = Refinement(wanted.draft, self._board.edits(wanted.draft.values))
            one = self._known.pop(wanted.key, fresh)
            self._known[wanted.key] = one
            if len(self._known) > KEPT:
                self._known = dict([*self._known.items()][-KEPT // 2 :])
                edits = [known.edits for known in self._known.values()]
                self.player.exploration.keep_only([{}, *edits])
            return one

    def _tell(self, one: Refinement, *events: str) -> None:
        """Publish what is known of the wanted edits, for the revision that wants them."""
        if self._wanted is not None:
            for name, data in one.told(self._wanted.draft, self._wanted.revision):
                if name in events:
                    self._publish(name, data)
