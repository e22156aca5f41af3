"""The session: the designer's actions, the drafts that they lead to, and the results of jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from experiments.runs.json_file import read_object
from experiments.workbench.draft import Action, Draft, Edited
from experiments.workbench.view_model import ViewModel
from sim import InputError, StrictModel, validate, write_atomically

JobName = Literal["suggest", "certify"]


class Job(NamedTuple):
    """A job of the worker process.

    Attributes:
        name: kind of job.
        draft: draft that it starts from, with edits, locks and constraints.
        try_number: number of the certificate that is played, or that may follow a suggestion.
    """

    name: JobName
    draft: Draft
    try_number: int


class Proposal(StrictModel):
    """A patch that a search proposes.

    Attributes:
        edits: its edits, as new values of baseline numbers.
        likely: whether a certificate of the patch is likely, estimated from games that the search
            did not use to find it.
        text: its worst rate and the games behind it, in one line.
        verdict: band verdict of the rate that is nearest to its bounds, or farthest outside them;
            empty in sessions of earlier versions.
        clean_up: how far backward elimination went (`balance.clean_up_result.State`), for the
            final recommendation of a search; empty for other proposals.
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
        rates: one entry per demand: its name, rate, interval, and whether it is inside its bounds.
        opinion: second opinion of other agents, as in `summary.json` of `balance`; `None` if the
            experiment asks for none.
    """

    certified: bool
    text: str
    rates: tuple[dict[str, Any], ...]
    opinion: dict[str, Any] | None = None


class Cancelled(InputError):  # noqa: N818 (the outcome of a job, not a fault)
    """The end of a job that was cancelled."""

    def __init__(self, message: object = "cancelled") -> None:
        super().__init__(message)


SESSION = "session.json"
UNDO_MAX = 1_000  # chosen by hand: hours of work, in a file of about 100 kB
"""Number of actions that can be undone; older ones become part of the first draft."""


class Certified(Verdict):
    """Result of a certificate, with the patch that it is about.

    Attributes:
        revision: revision of the session when the certificate was requested.
        edits: edits of the patch.
    """

    revision: int
    edits: tuple[Edited, ...]


class Suggestion(Proposal):
    """A proposed patch with a number, by which the page applies it.

    Attributes:
        number: number of the suggestion within its session, from 1.
    """

    number: int


class Saved(StrictModel):
    """The last save of a session.

    Attributes:
        folder: folder of the files.
        files: their names.
    """

    folder: str
    files: tuple[str, ...]


class Session(StrictModel):
    """All data of a session that cannot be computed again, as `session.json` holds it.

    Attributes:
        key: random identifier of the session.
        first: the draft before the first action.
        actions: the actions that are done, followed by those that were undone, oldest first.
        n_done: number of actions that are done; the others can be redone.
        revision: counter that rises with every change of the session.
        suggestions: suggestions of the last search.
        certificate: the last certificate; `None` before the first.
        saved: the last save; `None` before the first.
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
    """A session with the drafts after each of its actions, so that none is computed twice.

    Attributes:
        session: the session, as it is stored.
    """

    def __init__(self, session: Session, view: ViewModel) -> None:
        """Apply all actions of a session.

        Args:
            session: the session.
            view: view model of its experiment.

        Raises:
            InputError: an action does not fit the experiment's numbers.
        """
        n_actions = len(session.actions)
        if session.n_done > n_actions:
            raise InputError(
                f"{session.n_done} must be at most {n_actions}, the number of actions",
                place="n_done",
                value=session.n_done,
                limit=n_actions,
                separator=" = ",
            )
        self.session = session
        self._view = view
        self._drafts = [session.first]
        for action in session.actions:
            self._drafts.append(action.apply(self._drafts[-1], view))

    @property
    def draft(self) -> Draft:
        """The draft after all actions that are done."""
        return self._drafts[self.session.n_done]

    def renew(self, **changes: Any) -> None:
        """Replace fields of the session, and count a revision.

        Args:
            changes: new values by name of the field.
        """
        changes["revision"] = self.session.revision + 1
        self.session = self.session.model_copy(update=changes)

    def act(self, action: Action) -> None:
        """Do an action and forget those that were undone; an action without effect is ignored.

        Raises:
            InputError: the action does not fit the draft.
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
        """Undo the last action.

        Raises:
            InputError: no action is done.
        """
        if not self.session.n_done:
            raise InputError("there is nothing to undo")
        self.renew(n_done=self.session.n_done - 1)

    def redo(self) -> None:
        """Redo the action that was undone last.

        Raises:
            InputError: no action was undone.
        """
        if self.session.n_done == len(self.session.actions):
            raise InputError("there is nothing to redo")
        self.renew(n_done=self.session.n_done + 1)


def write_session(session: Session, folder: Path) -> None:
    """Write a session into a folder; a reader never sees a file that is half written."""
    text = json.dumps(session.model_dump(mode="json"), indent=1, allow_nan=False)
    write_atomically(folder / SESSION, text + "\n")


def read_session(folder: Path, view: ViewModel) -> Timeline | None:
    """Return the session that a folder holds; `None` if there is none.

    Args:
        folder: folder of the session.
        view: view model of its experiment.

    Raises:
        InputError: the file is damaged, or does not fit the experiment's cards.
    """
    path = folder / SESSION
    if not path.exists():
        return None
    remedy = "run without --resume"
    try:
        data = read_object(path)
    except InputError as error:
        raise error.with_fields(remedy=remedy) from None
    try:
        return Timeline(validate(Session, data, source=""), view)
    except InputError as error:
        raise InputError(f"damaged ({error})", place=path, remedy=remedy) from None
