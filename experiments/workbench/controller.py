"""Session controller, which executes requests of the page, and stores and broadcasts changes."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import copy
from typing import Any

from experiments.runs.ledger import counted_try, next_number, tries_of
from experiments.runs.run_folder import RunFolder
from experiments.workbench.answers import message, state_of, suggestion_entry
from experiments.workbench.broadcaster import EventBroadcaster
from experiments.workbench.draft import Action, Apply, Draft, with_known_names
from experiments.workbench.page_errors import as_input_error, page_error
from experiments.workbench.refine import DraftRevision, Refiner
from experiments.workbench.save import save
from experiments.workbench.session import (
    Certified,
    Job,
    JobName,
    Proposal,
    Saved,
    Session,
    Suggestion,
    Timeline,
    read_session,
    write_session,
)
from experiments.workbench.view_model import ViewModel
from experiments.workbench.worker import Worker
from sim.errors import InputError

_KEY_BYTES = 8  # 64 random bits: two sessions practically never have the same key


class SessionController:
    """Controller of one session. Any thread may call its public methods.

    Methods that change the session also store it on disk and publish the event `state`. They
    return the revision of the session after the change.

    Attributes:
        view: view model of the session's experiment.
        folder: folder in which the session is stored.
        broadcaster: sends events to the open tabs.
        refiner: plays games to estimate the win rates of the current draft.
    """

    def __init__(self, view: ViewModel, folder: RunFolder, worker: Worker) -> None:
        """Load the session of a folder, or create a session if the folder has none, and store it.

        Args:
            view: view model of the experiment.
            folder: folder in which the session is stored.
            worker: handle of the process that executes long jobs.

        Raises:
            InputError: the stored session or the ledger of certificates is damaged, or the
                session cannot be written.
        """
        self.view = view
        self.folder = folder
        self.broadcaster = EventBroadcaster()
        timeline = read_session(folder.path, view)
        if timeline is None:
            key = secrets.token_hex(_KEY_BYTES)
            timeline = Timeline(Session(key=key, first=Draft.first(view)), view)
        self._timeline = timeline
        self._lock = threading.RLock()
        # Separate from `_lock`, so that edits do not wait while files are written.
        self._saving = threading.Lock()
        self.refiner = Refiner(view, self.broadcaster.publish)
        self._worker = worker
        self._job: threading.Thread | None = None
        self._busy: JobName | None = None
        suggestions = timeline.session.suggestions
        self._n_suggested = max((suggestion.number for suggestion in suggestions), default=0)
        self._attempt = view.attempt
        self._tries = self._read_tries()
        self._store()

    def open(self) -> None:
        """Start the refinement thread, and publish the first state."""
        self.refiner.start()
        self._publish_state()

    def close(self) -> None:
        """End all event streams, the refinement and the worker, and wait for the job's thread."""
        self.broadcaster.close()
        self.refiner.close()
        self._worker.close()
        if self._job is not None:
            self._job.join()

    def state(self) -> dict[str, Any]:
        """Return the data of the event `state`, which `GET /state` also returns."""
        with self._lock:
            session = self._timeline.session
            draft = self._timeline.draft
            return state_of(self.view, session, draft, tries=self._tries, busy=self._busy)

    @property
    def revision(self) -> int:
        """Revision of the session, a counter of its changes."""
        return self._timeline.session.revision

    @property
    def key(self) -> str:
        """Random identifier of the session."""
        return self._timeline.session.key

    def act(self, action: Action) -> int:
        """Apply an action to the draft; return the new revision of the session.

        An action without effect leaves the revision unchanged.

        Raises:
            InputError: the action is invalid for the draft, for instance because the number is
                locked, or the session cannot be stored; the session is unchanged.
        """
        return self._change(lambda: self._timeline.act(with_known_names(action, self.view)))

    def undo(self) -> int:
        """Undo the last action; return the new revision of the session.

        Raises:
            InputError: no action is left to undo, or the session cannot be stored.
        """
        return self._change(self._timeline.undo)

    def redo(self) -> int:
        """Redo the action that was undone last; return the new revision of the session.

        Raises:
            InputError: no undone action is left, or the session cannot be stored.
        """
        return self._change(self._timeline.redo)

    def apply(self, number: int) -> int:
        """Replace the draft's edits by the edits of a suggestion; return the new revision.

        Edits of locked numbers stay.

        Args:
            number: number of the suggestion.

        Raises:
            InputError: no suggestion has this number, the suggestion changes a locked number, or
                the session cannot be stored.
        """
        with self._lock:
            for suggestion in self._timeline.session.suggestions:
                if suggestion.number == number:
                    return self.act(Apply(edits=suggestion.edits))
        raise InputError(
            f"there is no suggestion {number}",
            value=number,
            remedy="choose one of the listed suggestions",
        )

    def suggest(self) -> int:
        """Remove all suggestions and start a search for new ones; return the new revision.

        The method returns as soon as the search has started.

        Raises:
            InputError: a job is running, the experiment has only one deck, or the session cannot
                be stored.
        """
        return self._begin("suggest", self._suggest, suggestions=())

    def certify(self) -> int:
        """Start to certify the current draft; return the new revision of the session.

        The method returns as soon as the certification has started.

        Raises:
            InputError: a job is running, the experiment has only one deck, or the session cannot
                be stored.
        """
        return self._begin("certify", self._certify)

    def save(self) -> int:
        """Write the draft and its results to files; return the new revision of the session.

        Raises:
            InputError: a file cannot be written.
        """
        with self._saving:
            with self._lock:
                session = self._timeline.session
                draft = self._timeline.draft
            files = save(self.view, session, draft, self.refiner.rows(draft), self.folder)
            return self._renew(saved=Saved(folder=str(self.folder.path), files=files))

    def cancel(self) -> int:
        """Request the end of the running job; return the unchanged revision of the session.

        A cancelled certificate has no result and is not counted. Suggestions that a cancelled
        search has already proposed stay.
        """
        self._worker.cancel()
        return self.revision

    def _begin(self, name: JobName, work: Callable[[Draft], None], **changes: Any) -> int:
        """Start a job in a new thread; return the new revision of the session.

        Args:
            name: name of the job, which the page shows as running.
            work: function that executes the job for the current draft and returns at its end.
            changes: new values of fields of the session, by field name.

        Raises:
            InputError: a job is running, the experiment has only one deck, or the session cannot
                be stored.
        """
        with self._lock, self._undo_unless_stored():
            if not self.view.has_opponents:
                raise InputError("the experiment has only one deck, so there are no games to play")
            if self._busy is not None:
                raise InputError(f"`{self._busy}` is running", remedy="wait, or cancel it")
            self._busy = name
            self._worker.begin()
            draft = self._timeline.draft
            self._job = threading.Thread(target=self._run_job, args=(work, draft), daemon=True)
            revision = self._renew(**changes)
            self._job.start()
            return revision

    def _run_job(self, work: Callable[[Draft], None], draft: Draft) -> None:
        """Execute a job, publish its error if it fails, and mark the job as ended.

        This is the body of the job's thread.

        Args:
            work: function that executes the job for a draft.
            draft: draft of the session at the start of the job.
        """
        try:
            work(draft)
        except Exception as error:  # noqa: BLE001 (published; the session stays usable)
            self._publish_error(error)
        finally:
            self._end_job()

    def _publish_error(self, error: Exception) -> None:
        """Publish the message of an error; an error that is not bad input is shown as a defect."""
        shown = page_error(as_input_error(error), self.view.decks_by_card)
        self.broadcaster.publish("message", message(*shown))

    def _end_job(self) -> None:
        """Mark the job as ended, and publish the state even if the session cannot be stored."""
        with self._lock:
            self._busy = None
            try:
                self._renew()
            except InputError as error:
                self.broadcaster.publish("state", self.state())
                self.broadcaster.publish("message", message(error))

    def _suggest(self, draft: Draft) -> None:
        """Search for patches in the worker process, and record each proposal as it arrives."""
        job = Job("suggest", draft, next_number(self._tries))
        with closing(self._worker.run(job)) as proposals:
            for proposal in proposals:
                self._propose(proposal)

    def _propose(self, proposal: Proposal) -> None:
        """Append a proposal to the suggestions under a new number, and publish it.

        An earlier suggestion with the same edits is removed.
        """
        with self._lock:
            suggestions = self._timeline.session.suggestions
            self._n_suggested += 1
            new = Suggestion(number=self._n_suggested, **proposal.model_dump())
            others = [other for other in suggestions if other.edits != new.edits]
            self._renew(suggestions=(*others, new))
            self.broadcaster.publish("suggestion", suggestion_entry(self.view, new))

    def _certify(self, draft: Draft) -> None:
        """Certify a draft in the worker process, count the certificate, and record its result.

        A certificate that fails or is cancelled is not counted.
        """
        edits = sorted(((edit.card, edit.field), edit.to) for edit in draft.edits)
        n_games = self.view.experiment.settings.games.certify
        attempt = self._attempt._replace(how={"workbench": edits, "certify": n_games})
        revision = self.revision
        with counted_try(self.folder.path.parent, attempt) as number:
            (verdict,) = self._worker.run(Job("certify", draft, number))
        with self._lock:
            self._tries = self._read_tries()
            certificate = Certified(revision=revision, edits=draft.edits, **verdict.model_dump())
            self._renew(certificate=certificate)

    def _read_tries(self) -> list[int]:
        """Return the numbers of all certificates of the question so far, from the ledger."""
        return tries_of(self.folder.path.parent, self._attempt)

    def _renew(self, **changes: Any) -> int:
        """Replace fields of the session, store and publish it; return the new revision.

        Args:
            changes: new values by field name.
        """
        return self._change(lambda: self._timeline.renew(**changes))

    def _change(self, change: Callable[[], None]) -> int:
        """Apply a change to the session, store and publish it; return the new revision.

        Args:
            change: function that changes the session. If it leaves the revision unchanged, nothing
                is stored or published.
        """
        with self._lock, self._undo_unless_stored():
            before = self.revision
            change()
            if self.revision != before:
                self._store()
                self._publish_state()
            return self.revision

    @contextmanager
    def _undo_unless_stored(self) -> Iterator[None]:
        """Restore the session and the running job's name if the `with` block raises an exception.

        The block fails, for instance, if the disk is full.
        """
        timeline = copy(self._timeline)
        busy = self._busy
        try:
            yield
        except BaseException:
            self._timeline = timeline
            self._busy = busy
            raise

    def _store(self) -> None:
        """Write the session to its folder."""
        write_session(self._timeline.session, self.folder.path)

    def _publish_state(self) -> None:
        """Publish the event `state`, and request games for the current draft."""
        self.broadcaster.publish("state", self.state())
        self.refiner.refine(DraftRevision(self.revision, self._timeline.draft))
