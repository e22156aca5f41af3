"""Session of a designer: its actions, the resulting drafts, and the results of jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from experiments.runs.json_file import read_object
from experiments.workbench.draft import Action, Draft, Edited
from experiments.workbench.view_model import ViewModel
from sim import InputError, StrictModel, validate, write_atomically
from sim.value_error import value_error

JobName = Literal["suggest", "certify"]


class Job(NamedTuple):
    """A job for the worker process.

    Attributes:
        name: kind of job.
        draft: draft from which the job starts, with edits, locks and constraints.
        try_number: number of the certificate that the job plays, or of the next certificate if the
            job is a search.
    """

    name: JobName
    draft: Draft
    try_number: int


class Proposal(StrictModel):
    """A patch that a search proposes.

    Attributes:
        edits: edits of the patch relative to the baseline.
        likely: whether a certificate of the patch would probably succeed, as estimated from games
            that the search did not use to find the patch.
        text: worst rate of the patch and number of games behind it, in one line.
        verdict: band verdict of the rate with the smallest margin inside its bounds; empty in
            sessions of earlier versions.
        clean_up: state of the backward elimination (`balance.verdict.clean_up_result.State`) for
            the final recommendation of a search; empty for other proposals.
    """

    edits: tuple[Edited, ...]
    likely: bool
    text: str
    verdict: str = ""
    clean_up: str = ""


class Verdict(StrictModel):
    """Result of a certificate.

    Attributes:
        certified: whether the games verify all demands and guards.
        text: the result in one sentence.
        rates: one entry per demand: name, rate with interval, and whether the interval is inside
            the bounds.
        opinion: second opinion of other agents, as in `summary.json` of `balance`; `None` if no
            agents were chosen for a second opinion.
    """

    certified: bool
    text: str
    rates: tuple[dict[str, Any], ...]
    opinion: dict[str, Any] | None = None


class Cancelled(InputError):  # noqa: N818 (the outcome of a job, not a fault)
    """Exception that ends a cancelled job."""

    def __init__(self, message: object = "cancelled") -> None:
        super().__init__(message)


SESSION = "session.json"
"""Name of the file in the session's folder that stores the session."""

UNDO_MAX = 1_000  # chosen by hand: hours of work, in a file of about 100 kB
"""Maximum number of stored actions; the effects of older actions are merged into the first draft.
"""


class Certified(Verdict):
    """Result of a certificate, with the certified patch.

    Attributes:
        revision: revision of the session when the certificate started.
        edits: edits of the certified patch.
    """

    revision: int
    edits: tuple[Edited, ...]


class Suggestion(Proposal):
    """A proposed patch with a number, which identifies the patch in requests of the page.

    Attributes:
        number: number of the suggestion within its session, from 1.
    """

    number: int


class Saved(StrictModel):
    """Files that the last save of a session wrote.

    Attributes:
        folder: path of the folder that contains the files.
        files: names of the files.
    """

    folder: str
    files: tuple[str, ...]


class Session(StrictModel):
    """Data of a session that cannot be computed again, as stored in `session.json`.

    Attributes:
        key: random identifier of the session.
        first: draft before the first stored action.
        actions: actions in effect, followed by undone actions that can be redone, oldest first.
        n_done: number of actions in effect.
        revision: counter that rises with every change of the session.
        suggestions: suggestions of the last search, oldest first.
        certificate: result of the last certificate; `None` before the first certificate.
        saved: files of the last save; `None` before the first save.
    """

    element: ClassVar[str] = "session"

    key: str = Field(default="", max_length=64)
    first: Draft
    actions: tuple[Action, ...] = Field(default=(), max_length=UNDO_MAX)
    n_done: int = Field(default=0, ge=0)
    revision: int = Field(default=0, ge=0)
    suggestions: tuple[Suggestion, ...] = ()
    certificate: Certified | None = None
    saved: Saved | None = None


class Timeline:
    """Undo history of a session: the session together with the draft after each of its actions.

    Attributes:
        session: data of the session, as stored in `session.json`.
    """

    def __init__(self, session: Session, view: ViewModel) -> None:
        """Compute the drafts of a session by applying its actions, undone actions included.

        Args:
            session: data of the session.
            view: view model of the session's experiment.

        Raises:
            InputError: `n_done` exceeds the number of actions, or an action is invalid for the
                experiment's numbers.
        """
        n_actions = len(session.actions)
        if session.n_done > n_actions:
            raise value_error(
                "n_done",
                session.n_done,
                f"must be at most {n_actions}, the number of actions",
                limit=n_actions,
            )
        self.session = session
        self._view = view
        self._drafts = [session.first]
        for action in session.actions:
            self._drafts.append(action.apply(self._drafts[-1], view))

    @property
    def draft(self) -> Draft:
        """Draft after all actions that are in effect."""
        return self._drafts[self.session.n_done]

    def renew(self, **changes: Any) -> None:
        """Replace fields of the session, and increase its revision by 1.

        Args:
            changes: new values by field name.
        """
        changes["revision"] = self.session.revision + 1
        self.session = self.session.model_copy(update=changes)

    def act(self, action: Action) -> None:
        """Apply an action to the draft, and remove undone actions, which can no longer be redone.

        Ignore an action that does not change the draft. If more than `UNDO_MAX` actions are stored,
        the oldest can no longer be undone.

        Raises:
            InputError: the action is invalid for the draft, which is unchanged.
        """
        draft = action.apply(self.draft, self._view)
        n_done = self.session.n_done
        if draft == self.draft:
            return
        drafts = [*self._drafts[: n_done + 1], draft]
        actions = (*self.session.actions[:n_done], action)
        surplus = max(len(actions) - UNDO_MAX, 0)
        self._drafts = drafts[surplus:]
        self.renew(first=self._drafts[0], actions=actions[surplus:], n_done=len(actions) - surplus)

    def undo(self) -> None:
        """Undo the last action that is in effect.

        Raises:
            InputError: no action is in effect.
        """
        if not self.session.n_done:
            raise InputError("there is nothing to undo")
        self.renew(n_done=self.session.n_done - 1)

    def redo(self) -> None:
        """Redo the action that was undone last.

        Raises:
            InputError: no undone action is left.
        """
        if self.session.n_done == len(self.session.actions):
            raise InputError("there is nothing to redo")
        self.renew(n_done=self.session.n_done + 1)


def write_session(session: Session, folder: Path) -> None:
    """Write a session to `session.json` in a folder.

    The file is replaced as a whole, so that it is never incomplete.
    """
    text = json.dumps(session.model_dump(mode="json"), indent=1, allow_nan=False)
    write_atomically(folder / SESSION, text + "\n")


def read_session(folder: Path, view: ViewModel) -> Timeline | None:
    """Return the session stored in a folder; `None` if the folder has no `session.json`.

    Args:
        folder: folder of the session.
        view: view model of the session's experiment.

    Raises:
        InputError: the file is damaged, or an action is invalid for the experiment's numbers.
    """
    path = folder / SESSION
    if not path.exists():
        return None
    remedy = "run without --resume to start a new session"
    try:
        data = read_object(path)
    except InputError as error:
        raise error.with_fields(remedy=remedy) from None
    try:
        return Timeline(validate(Session, data, source=""), view)
    except InputError as error:
        raise InputError(f"damaged: {error}", place=path, remedy=remedy) from None
