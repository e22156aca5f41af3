"""The session: drafts that follow from actions, and what jobs have found; kept whole on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from experiments.runs.json_file import read_object
from experiments.workbench.board import Board
from experiments.workbench.draft import Action, Draft, Edited
from experiments.workbench.refused import Refused
from sim import InputError, StrictModel, validate, write_atomically

JobName = Literal["suggest", "certify"]


class Job(NamedTuple):
    """Something to be done to a draft.

    Attributes:
        name: what.
        draft: says what is edited, locked and asked.
        try_number: of the certificate that is played, or may follow.
    """

    name: JobName
    draft: Draft
    try_number: int


class Proposal(StrictModel):
    """A patch that a search proposes.

    Attributes:
        edits: from today's numbers.
        likely: whether a certificate of it is likely, by games that did not find it.
        text: what is known of it, in one line.
        verdict: where the rate that is nearest to its bounds lies, or farthest outside them; empty
            in sessions of earlier versions.
        clean_up: how far edits were taken back (`balance.clean_up_result.State`), of what a search
            recommends in the end; else empty.
    """

    edits: tuple[Edited, ...]
    likely: bool
    text: str
    verdict: str = ""
    clean_up: str = ""


class Verdict(StrictModel):
    """What a certificate came to.

    Attributes:
        certified: whether all is shown to hold.
        text: in one line.
        rates: of each demand, its name, rate, interval, and whether it is inside its bounds.
        opinion: of other pilots, as `summary.json` of `balance` has it; `None` where none is asked.
    """

    certified: bool
    text: str
    rates: tuple[dict[str, Any], ...]
    opinion: dict[str, Any] | None = None


class Cancelled(Refused):
    """Nobody wants it any more."""

    def __init__(self, message: object = "cancelled") -> None:
        super().__init__(message)


SESSION = "session.json"
UNDO_MAX = 1_000
"""Actions that can be undone; older ones are done for good."""


class Certified(Verdict):
    """What a certificate came to, and of what.

    Attributes:
        revision: of the session when it was asked for.
        edits: what was certified, or not.
    """

    revision: int
    edits: tuple[Edited, ...]


class Suggestion(Proposal):
    """A patch that a search proposed.

    Attributes:
        number: from 1 on, in a session.
    """

    number: int


class Saved(StrictModel):
    """Where a session was saved, and as which files."""

    folder: str
    files: tuple[str, ...]


class Session(StrictModel):
    """Everything that a page shows and games do not tell.

    Attributes:
        key: tells it from every other session, wherever it is served.
        first: the draft before the first of the actions.
        actions: what was done, and then what was undone, oldest first.
        n_done: how many of them are done; the others can be redone.
        revision: rises with everything that happens.
        suggestions: of the last search.
        certificate: the last one.
        saved: the last time.
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
    """A session with the drafts that its actions lead to, so that none is reckoned twice.

    Attributes:
        session: as it is kept.
    """

    def __init__(self, session: Session, board: Board) -> None:
        """Do all actions of a session.

        Raises:
            InputError: one of them cannot be done to these numbers.
        """
        if session.n_done > len(session.actions):
            raise InputError(f"n_done = {session.n_done} of {len(session.actions)} actions")
        self.session = session
        self._board = board
        self._drafts = [session.first]
        for action in session.actions:
            self._drafts.append(action.done(self._drafts[-1], board))

    @property
    def draft(self) -> Draft:
        """The present one."""
        return self._drafts[self.session.n_done]

    def renew(self, **changes: Any) -> None:
        """The next revision, in which some of the session is another."""
        changes["revision"] = self.session.revision + 1
        self.session = self.session.model_copy(update=changes)

    def act(self, action: Action) -> None:
        """Do something; what was undone before is gone, and what changes nothing is not done.

        Raises:
            Refused: it cannot be done.
        """
        draft = action.done(self.draft, self._board)
        n_done = self.session.n_done
        if draft == self.draft:
            return
        drafts = [*self._drafts[: n_done + 1], draft]
        actions = (*self.session.actions[:n_done], action)
        surplus = max(len(actions) - UNDO_MAX, 0)
        self._drafts = drafts[surplus:]
        self.renew(first=self._drafts[0], actions=actions[surplus:], n_done=len(actions) - surplus)

    def undo(self) -> None:
        """Take the last action back.

        Raises:
            Refused: there is none.
        """
        if not self.session.n_done:
            raise Refused("there is nothing to undo")
        self.renew(n_done=self.session.n_done - 1)

    def redo(self) -> None:
        """Do again what was undone.

        Raises:
            Refused: there is nothing.
        """
        if self.session.n_done == len(self.session.actions):
            raise Refused("there is nothing to redo")
        self.renew(n_done=self.session.n_done + 1)


def write_session(session: Session, folder: Path) -> None:
    """Keep a session, whole at every moment."""
    text = json.dumps(session.model_dump(mode="json"), indent=1, allow_nan=False)
    write_atomically(folder / SESSION, text + "\n")


def read_session(folder: Path, board: Board) -> Timeline | None:
    """The session that a folder keeps; `None` where there is none.

    Raises:
        InputError: the file is damaged, or of other cards.
    """
    path = folder / SESSION
    if not path.exists():
        return None
    try:
        return Timeline(validate(Session, read_object(path), source=str(path)), board)
    except InputError as error:
        raise InputError(f"{path}: damaged ({error}); run without --resume") from None
