"""Session controller: executes requests of the page, stores the session, broadcasts changes."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import copy
from typing import Any

from experiments.runs.ledger import counted_try, next_number, question_of, tries_of
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

_KEY_BYTES = 8  # 64 random bits: keys of two sessions practically never agree


class SessionController:
    """Controller of one session; every method may be called by any thread.

    Attributes:
        view: view model of the session's experiment.
        folder: folder in which the session is stored.
        broadcaster: sends events to the open tabs.
        refiner: plays games for the win rates of the current draft.
    """

    def __init__(
        self, view: ViewModel, folder: RunFolder, worker: Worker, threads: int | None
    ) -> None:
        """Open the session that the folder holds, or begin one.

        Args:
            view: view model of the experiment.
            folder: folder in which the session is stored.
            worker: executes long jobs.
            threads: number of threads for games; default all cores.

        Raises:
            InputError: the stored session or the ledger of tries is damaged.
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
        # A lock of its own: edits need not wait until files are written.
        self._saving = threading.Lock()
        self.refiner = Refiner(view, self.broadcaster.publish, threads)
        self._worker = worker
        self._job: threading.Thread | None = None
        self._busy: JobName | None = None
        suggestions = timeline.session.suggestions
        self._n_suggested = max((suggestion.number for suggestion in suggestions), default=0)
        self._question = question_of(view.experiment)
        self._tries = self._read_tries()
        self._store()

    def open(self) -> None:
        """Publish the first state, and start to play games."""
        self.refiner.start()
        self._publish_state()

    def close(self) -> None:
        """End all event streams, stop playing, and wait for the current job to end."""
        self.broadcaster.close()
        self.refiner.close()
        self._worker.close()
        if self._job is not None:
            self._job.join()

    def state(self) -> dict[str, Any]:
        """Return the data of the event `state`, which `GET /state` answers too."""
        with self._lock:
            session = self._timeline.session
            draft = self._timeline.draft
            return state_of(self.view, session, draft, tries=self._tries, busy=self._busy)

    @property
    def revision(self) -> int:
        """Revision of the session."""
        return self._timeline.session.revision

    @property
    def key(self) -> str:
        """Identifier of the session."""
        return self._timeline.session.key

    def act(self, action: Action) -> int:
        """Do an action; return the revision of the session after it.

        Raises:
            InputError: the action does not fit the draft, which stays as it is.
        """
        return self._change(lambda: self._timeline.act(with_known_names(action, self.view)))

    def undo(self) -> int:
        """Undo the last action; return the revision of the session after it.

        Raises:
            InputError: there is nothing to undo.
        """
        return self._change(self._timeline.undo)

    def redo(self) -> int:
        """Redo the action that was undone last; return the revision of the session after it.

        Raises:
            InputError: there is nothing to redo.
        """
        return self._change(self._timeline.redo)

    def apply(self, number: int) -> int:
        """Replace the edits by those of a suggestion; return the revision of the session.

        Raises:
            InputError: there is no suggestion of this number, or it changes a locked number.
        """
        with self._lock:
            for suggestion in self._timeline.session.suggestions:
                if suggestion.number == number:
                    return self.act(Apply(edits=suggestion.edits))
        raise InputError(f"there is no suggestion {number}", value=number)

    def suggest(self) -> int:
        """Start a search for patches; return the revision of the session.

        Raises:
            InputError: another job is running, or the experiment has only one deck.
        """
        return self._begin("suggest", self._suggest, suggestions=())

    def certify(self) -> int:
        """Start a certificate of the current draft; return the revision of the session.

        Raises:
            InputError: another job is running, or the experiment has only one deck.
        """
        return self._begin("certify", self._certify)

    def save(self) -> int:
        """Write the draft and its results to files; return the revision of the session.

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
        """Cancel the running job, which then has no result and spends no try."""
        self._worker.cancel()
        return self.revision

    def _begin(self, name: JobName, work: Callable[[Draft], None], **changes: Any) -> int:
        """Start a job in a thread of its own; return the revision of the session.

        Args:
            name: name of the job.
            work: called with the current draft; returns when the job is done.
            changes: new values of the session's fields, by name.
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
        """Execute a job in a thread that waits for the worker, and publish its error if any."""
        try:
            work(draft)
        except Exception as error:  # noqa: BLE001 (it is published, and the session goes on)
            self._publish_error(error)
        finally:
            self._end_job()

    def _publish_error(self, error: Exception) -> None:
        """Send the message of an error to all tabs."""
        shown = page_error(as_input_error(error), self.view.decks_by_card)
        self.broadcaster.publish("message", message(*shown))

    def _end_job(self) -> None:
        """Note that no job is running, and publish it even if the session cannot be stored."""
        with self._lock:
            self._busy = None
            try:
                self._renew()
            except InputError as error:
                self.broadcaster.publish("state", self.state())
                self.broadcaster.publish("message", message(error))

    def _suggest(self, draft: Draft) -> None:
        """Let the worker search for patches, and record each proposal as it arrives."""
        job = Job("suggest", draft, next_number(self._tries))
        with closing(self._worker.run(job)) as proposals:
            for proposal in proposals:
                self._propose(proposal)

    def _propose(self, proposal: Proposal) -> None:
        """Append a suggestion to the list; one with the same edits moves to its end."""
        with self._lock:
            suggestions = self._timeline.session.suggestions
            self._n_suggested += 1
            new = Suggestion(number=self._n_suggested, **proposal.model_dump())
            others = [other for other in suggestions if other.edits != new.edits]
            self._renew(suggestions=(*others, new))
            self.broadcaster.publish("suggestion", suggestion_entry(self.view, new))

    def _certify(self, draft: Draft) -> None:
        """Let the worker certify a draft, count the try, and record the result."""
        edits = sorted(((edit.card, edit.field), edit.to) for edit in draft.edits)
        n_games = self.view.experiment.settings.games.certify
        question = self._question._replace(how={"workbench": edits, "certify": n_games})
        revision = self.revision
        with counted_try(self.folder.path.parent, question) as number:
            (verdict,) = self._worker.run(Job("certify", draft, number))
        with self._lock:
            self._tries = self._read_tries()
            certificate = Certified(revision=revision, edits=draft.edits, **verdict.model_dump())
            self._renew(certificate=certificate)

    def _read_tries(self) -> list[int]:
        """Return the numbers of the tries of this question, by any command, from the ledger."""
        return tries_of(self.folder.path.parent, self._question)

    def _renew(self, **changes: Any) -> int:
        """Replace fields of the session, store and publish it; return its revision."""
        return self._change(lambda: self._timeline.renew(**changes))

    def _change(self, change: Callable[[], None]) -> int:
        """Change the session, store and publish it; return its revision."""
        with self._lock, self._undo_unless_stored():
            before = self.revision
            change()
            if self.revision != before:
                self._store()
                self._publish_state()
            return self.revision

    @contextmanager
    def _undo_unless_stored(self) -> Iterator[None]:
        """Undo the changes of a block that fails, for instance because the disk is full."""
        timeline = copy(self._timeline)
        busy = self._busy
        try:
            yield
        except BaseException:
            self._timeline = timeline
            self._busy = busy
            raise

    def _store(self) -> None:
        """Write the session into its folder."""
        write_session(self._timeline.session, self.folder.path)

    def _publish_state(self) -> None:
        """Send the state to all tabs, and let games be played for the current draft."""
        self.broadcaster.publish("state", self.state())
        self.refiner.refine(DraftRevision(self.revision, self._timeline.draft))
