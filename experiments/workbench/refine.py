"""Thread that plays games for the newest revision of a session and publishes its win rates."""

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
"""Maximum number of sets of edits with stored games; returning to such a set plays no games."""

Publish = Callable[[str, Any], None]
"""Function that sends an event to the page; its arguments are the event's name and data."""

_Key = tuple[tuple[Place, int], ...]
"""Set of edits in canonical form: places with their new values, sorted."""


class DraftRevision(NamedTuple):
    """Draft of a session at one revision.

    Attributes:
        revision: number of the revision.
        draft: draft of the session at this revision.
    """

    revision: int
    draft: Draft

    @property
    def key(self) -> _Key:
        """Cache key of the win rates: the draft's edits, without locks, notes and constraints."""
        return tuple(sorted(self.draft.values.items()))


class Refiner:
    """Thread that plays games for the newest revision and publishes its win rates.

    A new revision with other edits interrupts the games after the current chunk. A new revision
    with the same edits does not; later events carry its number.

    Attributes:
        player: plays the games and keeps their results.
    """

    def __init__(self, view: ViewModel, publish: Publish) -> None:
        """Prepare the thread without starting it.

        Args:
            view: view model of the experiment.
            publish: function that sends an event to the page.
        """
        self.player = Player(view)
        self._view = view
        self._publish = publish
        self._known = dict[_Key, Refinement]()  # in order of their last use, the latest last
        self._change = threading.Condition()
        self._newest: DraftRevision | None = None
        self._is_new = False
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="refine", daemon=True)

    def start(self) -> None:
        """Start the thread, which then waits for a revision."""
        self._thread.start()

    def refine(self, newest: DraftRevision) -> None:
        """Request games for a revision in place of any earlier one.

        Results that are already known for its edits are published at once. For an experiment with
        a single deck, publish an event without rates and play nothing.

        Args:
            newest: newest revision of the session.
        """
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
        """Return one row per rate with a draft's edits; no rows before games with these edits."""
        with self._change:
            known = self._known.get(DraftRevision(0, draft).key)
            return () if known is None else known.rows

    def close(self) -> None:
        """End the thread, and wait until it has played its current chunk of games."""
        with self._change:
            self._is_closed = True
            self._change.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        """Play games for one revision after another until `close`; the body of the thread.

        An exception during the games is published as the reason why the revision has no rates.
        """
        while (revision := self._wait_for_revision()) is not None:
            try:
                self._refine(revision)
            except Exception as error:  # noqa: BLE001 (published; the next revision may succeed)
                self._publish_fault(revision, error)

    def _wait_for_revision(self) -> DraftRevision | None:
        """Wait for a revision with other edits and return it; return `None` after `close`."""
        with self._change:
            self._change.wait_for(lambda: self._is_closed or self._is_new)
            self._is_new = False
            return None if self._is_closed else self._newest

    def _refine(self, revision: DraftRevision) -> None:
        """Play games for a revision, and publish its results after each chunk that changes them.

        Return at the last refinement level, or as soon as other edits are requested or `close` is
        called.
        """
        refinement = self._refinement_of(revision)
        for event in refinement.play_chunks(self.player):
            with self._change:
                if self._is_new or self._is_closed:
                    return
                if event:
                    self._publish_known(refinement, event)

    def _publish_fault(self, revision: DraftRevision, error: Exception) -> None:
        """Publish the reason why a revision has no rates, unless other edits were requested since.

        A `CardFault` is stored with the edits, since the same games would fail again. After any
        other exception, the next request for the edits plays their games again.
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
        """Return the stored refinement of a revision's edits, or store and return a new one.

        If more than `REFINEMENTS_KEPT` refinements are stored, only the `REFINEMENTS_KEPT / 2` that
        were used most recently stay. The games of the others are deleted.
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
        """Publish results of a refinement with the number of the newest revision.

        Args:
            refinement: refinement of the newest revision's edits.
            events: names of the events to publish; an event without results yet is left out.
        """
        if self._newest is not None:
            for name, data in refinement.events(self._newest.draft, self._newest.revision):
                if name in events:
                    self._publish(name, data)
