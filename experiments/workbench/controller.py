"""The desk: what the page asks for is done, kept on disk, and told to all tabs."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import copy
from typing import Any

from experiments.runs.ledger import counted_try, next_number, question_of, tries_of
from experiments.runs.run_folder import RunFolder
from experiments.workbench.answers import message, state_of, suggestion_told
from experiments.workbench.board import Board
from experiments.workbench.broadcaster import EventBroadcaster
from experiments.workbench.draft import Action, Apply, Draft, with_known_names
from experiments.workbench.refine import Refiner, Wanted
from experiments.workbench.refused import Refused, place_of, told_error
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
from experiments.workbench.worker import Worker
from sim.errors import InputError

_KEY_BYTES = 8


class SessionController:
    """A session at work. Every method may be called by any thread.

    Attributes:
        board: what lies on it.
        folder: keeps the session.
        hub: tells the tabs.
        refiner: plays.
    """

    def __init__(
        self, board: Board, folder: RunFolder, worker: Worker, threads: int | None
    ) -> None:
        """Open the session that the folder keeps, or begin one.

        Args:
            board: what lies on it.
            folder: keeps the session.
            worker: does what takes long.
            threads: to play with; default all cores.

        Raises:
            InputError: that session is damaged, or the ledger.
        """
        self.board = board
        self.folder = folder
        self.hub = EventBroadcaster()
        kept = read_session(folder.path, board)
        if kept is None:
            key = secrets.token_hex(_KEY_BYTES)
            kept = Timeline(Session(key=key, first=Draft.first(board)), board)
        self._timeline = kept
        self._lock = threading.RLock()
        self._saving = threading.Lock()  # which steps need not wait for
        self.refiner = Refiner(board, self.hub.publish, threads)
        self._worker = worker
        self._job: threading.Thread | None = None
        self._busy: JobName | None = None
        suggestions = kept.session.suggestions
        self._n_suggested = max((one.number for one in suggestions), default=0)
        self._question = question_of(board.experiment)
        self._tries = self._tries_now()
        self._keep()

    def open(self) -> None:
        """Tell the first state, and begin to play."""
        self.refiner.start()
        self._tell()

    def close(self) -> None:
        """Stop playing, and end all streams."""
        self.hub.close()
        self.refiner.close()
        self._worker.close()
        if self._job is not None:
            self._job.join()

    def state(self) -> dict[str, Any]:
        """What `GET /state` answers."""
        with self._lock:
            session = self._timeline.session
            draft = self._timeline.draft
            return state_of(self.board, session, draft, tries=self._tries, busy=self._busy)

    @property
    def revision(self) -> int:
        """Of the session."""
        return self._timeline.session.revision

    @property
    def key(self) -> str:
        """Of the session."""
        return self._timeline.session.key

    def act(self, action: Action) -> int:
        """Do something to the draft.

        Raises:
            Refused: it cannot be done; nothing has changed then.
        """
        return self._change(lambda: self._timeline.act(with_known_names(action, self.board)))

    def undo(self) -> int:
        """Take the last action back.

        Raises:
            Refused: there is none.
        """
        return self._change(self._timeline.undo)

    def redo(self) -> int:
        """Do again what was taken back.

        Raises:
            Refused: there is nothing.
        """
        return self._change(self._timeline.redo)

    def apply(self, number: int) -> int:
        """Take a suggestion's edits.

        Raises:
            Refused: there is none of this number, or what it moves has been locked since.
        """
        with self._lock:
            for one in self._timeline.session.suggestions:
                if one.number == number:
                    return self.act(Apply(edits=one.edits))
        raise Refused(f"there is no suggestion {number}")

    def suggest(self) -> int:
        """Begin to look for patches.

        Raises:
            Refused: something else is at work, or nobody meets anybody.
        """
        return self._begin("suggest", self._suggest, suggestions=())

    def certify(self) -> int:
        """Begin to certify the present numbers.

        Raises:
            Refused: as `suggest`.
        """
        return self._begin("certify", self._certify)

    def save(self) -> int:
        """Write the numbers and what is known of them as files below the session's folder."""
        with self._saving:
            with self._lock:
                session = self._timeline.session
                draft = self._timeline.draft
            files = save(self.board, session, draft, self.refiner.rows(draft), self.folder)
            return self._renew(saved=Saved(folder=str(self.folder.path), files=files))

    def cancel(self) -> int:
        """End what is at work; nothing is told of it then, and no try is spent."""
        self._worker.cancel()
        return self.revision

    def _begin(self, name: JobName, work: Callable[[Draft], None], **changes: Any) -> int:
        with self._lock, self._unless_kept():
            if not self.board.has_opponents:
                raise Refused("there is only one deck, which meets nobody")
            if self._busy is not None:
                raise Refused(f"`{self._busy}` is at work; wait, or cancel it")
            self._busy = name
            self._worker.begin()
            draft = self._timeline.draft
            self._job = threading.Thread(target=self._worked, args=(work, draft), daemon=True)
            revision = self._renew(**changes)
            self._job.start()
            return revision

    def _worked(self, work: Callable[[Draft], None], draft: Draft) -> None:
        """Do it in a thread that waits for the worker; whatever goes wrong is told."""
        try:
            work(draft)
        except Exception as error:  # noqa: BLE001 (it is told, and the desk goes on)
            self.hub.publish("message", message(told_error(error), place_of(error)))
        finally:
            self._rest()

    def _rest(self) -> None:
        """Nothing is at work any more: the page is told even where that cannot be kept."""
        with self._lock:
            self._busy = None
            try:
                self._renew()
            except InputError as error:
                self.hub.publish("state", self.state())
                self.hub.publish("message", message(error))

    def _suggest(self, draft: Draft) -> None:
        job = Job("suggest", draft, next_number(self._tries))
        with closing(self._worker.run(job)) as proposals:
            for proposal in proposals:
                self._propose(proposal)

    def _propose(self, proposal: Proposal) -> None:
        """Put a patch behind the others; one that was told already moves there."""
        with self._lock:
            told = self._timeline.session.suggestions
            self._n_suggested += 1
            new = Suggestion(number=self._n_suggested, **proposal.model_dump())
            others = [one for one in told if one.edits != new.edits]
            self._renew(suggestions=(*others, new))
            self.hub.publish("suggestion", suggestion_told(self.board, new))

    def _certify(self, draft: Draft) -> None:
        edits = sorted(((edit.card, edit.field), edit.to) for edit in draft.edits)
        n_games = self.board.experiment.settings.games.certify
        asked = self._question._replace(how={"workbench": edits, "certify": n_games})
        revision = self.revision
        with counted_try(self.folder.path.parent, asked) as number:
            (verdict,) = self._worker.run(Job("certify", draft, number))
        with self._lock:
            self._tries = self._tries_now()
            told = Certified(revision=revision, edits=draft.edits, **verdict.model_dump())
            self._renew(certificate=told)

    def _tries_now(self) -> list[int]:
        return tries_of(self.folder.path.parent, self._question)

    def _renew(self, **changes: Any) -> int:
        """The next revision, kept and told."""
        return self._change(lambda: self._timeline.renew(**changes))

    def _change(self, change: Callable[[], None]) -> int:
        """Change the session, keep it, tell of it; returns its revision."""
        with self._lock, self._unless_kept():
            before = self.revision
            change()
            if self.revision != before:
                self._keep()
                self._tell()
            return self.revision

    @contextmanager
    def _unless_kept(self) -> Iterator[None]:
        """Let a change that cannot be kept, as on a full disk, never have been."""
        before = copy(self._timeline), self._busy
        try:
            yield
        except BaseException:
            self._timeline, self._busy = before
            raise

    def _keep(self) -> None:
        write_session(self._timeline.session, self.folder.path)

    def _tell(self) -> None:
        self.hub.publish("state", self.state())
        self.refiner.want(Wanted(self.revision, self._timeline.draft))
