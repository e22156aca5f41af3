"""The desk: what the page asks for is done, kept on disk, and told to all tabs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from experiments.runs.run_folder import RunFolder
from experiments.workbench.actions import Action
from experiments.workbench.answers import state_of
from experiments.workbench.board import Board
from experiments.workbench.draft import Draft
from experiments.workbench.hub import Hub
from experiments.workbench.refine import Refiner, Wanted
from experiments.workbench.session import Session, Timeline, read_session, write_session


class Desk:
    """A session at work. Every method may be called by any thread.

    Attributes:
        board: what lies on it.
        folder: keeps the session.
        hub: tells the tabs.
        refiner: plays.
    """

    def __init__(self, board: Board, folder: RunFolder, threads: int | None) -> None:
        """Open the session that the folder keeps, or begin one.

        Raises:
            InputError: that session is damaged.
        """
        self.board, self.folder, self.hub = board, folder, Hub()
        kept = read_session(folder.path, board)
        if kept is None:
            kept = Timeline(Session(first=Draft.first(board)), board)
        self._timeline, self._lock = kept, threading.RLock()
        self.refiner = Refiner(board, self.hub.publish, threads)
        self._keep()

    def open(self) -> None:
        """Tell the first state, and begin to play."""
        self.refiner.start()
        self._tell()

    def close(self) -> None:
        """Stop playing, and end all streams."""
        self.hub.close()
        self.refiner.close()

    def state(self) -> dict[str, Any]:
        """What `GET /state` answers."""
        with self._lock:
            return state_of(
                self.board, self._timeline.session, self._timeline.draft, n_tries=0, busy=None
            )

    @property
    def revision(self) -> int:
        """Of the session."""
        return self._timeline.session.revision

    def act(self, action: Action) -> int:
        """Do something to the draft.

        Raises:
            Refused: it cannot be done; nothing has changed then.
        """
        return self._change(lambda: self._timeline.act(action))

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

    def _change(self, change: Callable[[], None]) -> int:
        """Change the session, keep it, tell of it; returns its revision."""
        with self._lock:
            before = self.revision
            change()
            if self.revision != before:
                self._keep()
                self._tell()
            return self.revision

    def _keep(self) -> None:
        write_session(self._timeline.session, self.folder.path)

    def _tell(self) -> None:
        self.hub.publish("state", self.state())
        edits = self.board.edits(self._timeline.draft.values)
        self.refiner.want(Wanted(self.revision, edits))
