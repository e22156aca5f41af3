"""Refinement thread: plays games for the newest revision, and stops when its edits change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from experiments.results.compared import ChangeRow
from experiments.workbench.answers import fault_of, no_rates
from experiments.workbench.draft import Draft
from experiments.workbench.refinement import Player, Refinement
from experiments.workbench.view_model import Place, ViewModel
from sim.errors import CardFault

REFINEMENTS_KEPT = 32  # chosen by hand, not tuned: more steps than people usually undo in a row
"""Number of sets of edits of which games are kept: going back to such a set plays no games."""

Publish = Callable[[str, Any], None]
"""Sends an event to the page, given its name and its data."""

_Key = tuple[tuple[Place, int], ...]


class DraftRevision(NamedTuple):
    """A revision of the session.

    Attributes:
        revision: number of the revision.
        draft: the draft of the session at this revision.
    """

    revision: int
    draft: Draft

    @property
    def key(self) -> _Key:
        """Cache key of the win rates: the edits alone, without locks, notes and constraints."""
        return tuple(sorted(self.draft.values.items()))


class Refiner:
    """Thread that plays games for the newest revision and publishes its win rates.

    Games continue if a new revision has the same edits; the events then carry its number.
    """

    def __init__(self, view: ViewModel, publish: Publish, threads: int | None) -> None:
        """Prepare the thread without starting it.

        Args:
            view: view model of the experiment.
            publish: sends an event to the page.
            threads: number of threads for games; default all cores.
        """
        self.player = Player(view, threads)
        self._view = view
        self._publish = publish
        self._known = dict[_Key, Refinement]()  # the refinement used last stands last
        self._change = threading.Condition()
        self._newest: DraftRevision | None = None
        self._is_new = False
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="refine", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def refine(self, newest: DraftRevision) -> None:
        """Play games for a revision from now on, and publish its rates at once if known."""
        if not self._view.has_opponents:
            self._publish("rates", {**no_rates(), "revision": newest.revision})
            return
        with self._change:
            self._is_new |= self._newest is None or self._newest.key != newest.key
            self._newest = newest
            if newest.key in self._known:
                self._publish_known(self._known[newest.key], "rates", "effects")
            self._change.notify()

    def rows(self, draft: Draft) -> Sequence[ChangeRow]:
        """Return the rates with a draft's edits from the games so far; none before the first."""
        with self._change:
            known = self._known.get(DraftRevision(0, draft).key)
            return () if known is None else known.rows

    def close(self) -> None:
        """End the thread after the current chunk of games."""
        with self._change:
            self._is_closed = True
            self._change.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        """Refine one revision after another; the body of the thread."""
        while (revision := self._wait_for_revision()) is not None:
            try:
                self._refine(revision)
            except Exception as error:  # noqa: BLE001 (it is published, and the thread goes on)
                self._publish_fault(revision, error)

    def _wait_for_revision(self) -> DraftRevision | None:
        """Wait for a revision with other edits and return it; return `None` after `close`."""
        with self._change:
            self._change.wait_for(lambda: self._is_closed or self._is_new)
            self._is_new = False
            return None if self._is_closed else self._newest

    def _refine(self, revision: DraftRevision) -> None:
        """Play chunks of games for a revision until its rates settle or a new one replaces it."""
        refinement = self._refinement_of(revision)
        for event in refinement.play_chunks(self.player):
            with self._change:
                if self._is_new or self._is_closed:
                    return
                if event:
                    self._publish_known(refinement, event)

    def _publish_fault(self, revision: DraftRevision, error: Exception) -> None:
        """Publish why a revision has no rates.

        A fault of a card is remembered with its edits. After a defect of the program the games are
        tried again at the next request for these edits.
        """
        with self._change:
            rates = no_rates(fault_of(self._view, revision.draft, error))
            edits = self._view.edits(revision.draft.values)
            failed = Refinement(revision.draft, edits, rates=rates)
            if isinstance(error, CardFault):
                self._known[revision.key] = failed
            else:
                self._known.pop(revision.key, None)
            if not self._is_new:
                self._publish_known(failed, "rates")

    def _refinement_of(self, revision: DraftRevision) -> Refinement:
        """Return the refinement of a revision's edits, known or new.

        If more than `REFINEMENTS_KEPT` are known, the half used least recently is forgotten.
        """
        with self._change:
            fresh = Refinement(revision.draft, self._view.edits(revision.draft.values))
            refinement = self._known.pop(revision.key, fresh)
            self._known[revision.key] = refinement
            if len(self._known) > REFINEMENTS_KEPT:
                self._known = dict([*self._known.items()][-REFINEMENTS_KEPT // 2 :])
                edits = [known.edits for known in self._known.values()]
                self.player.exploration.keep_only([{}, *edits])
            return refinement

    def _publish_known(self, refinement: Refinement, *events: str) -> None:
        """Publish events of a refinement with the number of the newest revision.

        Args:
            refinement: refinement of the newest revision's edits.
            events: names of the events.
        """
        if self._newest is not None:
            for name, data in refinement.events(self._newest.draft, self._newest.revision):
                if name in events:
                    self._publish(name, data)
