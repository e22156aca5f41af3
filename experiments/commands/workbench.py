"""`evenhand workbench`: the page is opened, served, and closed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.game import game_of
from experiments.loading import load_experiment
from experiments.runs.resumption import find_resumption
from experiments.runs.run_folder import RunFolder, open_run_folder
from experiments.screen import Screen
from sim import InputError, error_place

if TYPE_CHECKING:
    from experiments.workbench.controller import SessionController
    from experiments.workbench.server import WorkbenchServer

_NEEDED = ("jinja2", "starlette", "uvicorn")


def require_extra() -> None:
    """Refuse without what serves the page.

    Raises:
        InputError: the extra is missing; names it.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise InputError('evenhand workbench needs the extra: pip install "evenhand[workbench]"')


class OpenWorkbench:
    """A workbench that is ready: its engine is compiled, its port is taken.

    Attributes:
        desk: the session at work.
        server: who serves it.
    """

    def __init__(self, desk: SessionController, server: WorkbenchServer, screen: Screen) -> None:
        """Know all that it takes."""
        self.desk = desk
        self.server = server
        self._screen = screen

    def serve(self, *, open_page: bool) -> None:
        """Answer until Ctrl-C, and say where the page is."""
        folder = self.desk.folder

        def on_start() -> None:
            self._screen.say(f"Workbench: {self.server.url}")
            self._screen.say("The link opens once; Ctrl-C ends the workbench")
            if folder.earlier is not None:
                self._screen.say(f"The session that was there before is now {folder.earlier}")
            if open_page and _has_screen():
                webbrowser.open(self.server.url)

        with ExitStack() as held:
            held.enter_context(_ended_by_sigterm_too())
            held.enter_context(folder.lock)
            held.callback(self.desk.close)
            self.desk.open()
            with suppress(KeyboardInterrupt):  # which is how it ends
                self.server.serve_until_stopped(on_start)
        self._screen.say(f"The session is kept in {folder.path}; --resume goes on with it")


@contextmanager
def _ended_by_sigterm_too() -> Iterator[None]:
    """Let SIGTERM be as Ctrl-C: the server hears both, and raises the one it heard at its end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _has_screen() -> bool:
    """Whether a browser would have a window; one for terminals would take the terminal."""
    is_elsewhere = sys.platform in {"win32", "darwin"}
    return is_elsewhere or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_workbench(
    name: str,
    results: Path,
    screen: Screen,
    *,
    seed: int | None,
    resume: bool,
    port: int,
    threads: int | None,
    agent: str | None = None,
) -> OpenWorkbench:
    """Read an experiment, open its session, and compile what its games take.

    Args:
        name: the experiment's file, or a shipped name.
        results: parent of the session's folder.
        screen: told where the page is.
        seed: instead of the file's.
        resume: go on with the session that is there.
        port: on this machine; 0 for any that is free.
        threads: to play with; default all cores.
        agent: pilots every deck; default as the file says.

    Raises:
        InputError: the experiment cannot be read or is of another game, the port is taken, the
            session that is there is damaged, or there is only one with other settings to go on
            with.
    """
    from experiments.commands.second_opinion import other_pilots  # noqa: PLC0415 (slow to load)
    from experiments.workbench.board import Board  # noqa: PLC0415
    from experiments.workbench.controller import SessionController  # noqa: PLC0415
    from experiments.workbench.server import WorkbenchServer, listen_at  # noqa: PLC0415
    from experiments.workbench.worker import Worker  # noqa: PLC0415

    path, game = game_of(name)
    if game is not None:
        raise InputError(f"{path}: is of the game {game.name!r}; the workbench is for cards")
    experiment = load_experiment(name, results, agent=agent).with_seed(seed)
    with error_place(experiment.path):
        board = Board.of(experiment, other_pilots(experiment, results))
    found = find_resumption(results, experiment, "workbench") if resume else None
    screen.stage("Preparing the games: new rules and agents are compiled once, for up to a minute")
    with ExitStack() as undone:
        listening = undone.enter_context(listen_at(port))  # before there is a folder
        folder: RunFolder = open_run_folder(results, experiment, "workbench", resume=resume)
        undone.push(folder.lock)
        folder.log(f"workbench, seed {experiment.settings.seed}")
        if found is not None and found.note:
            screen.note(found.note)
        worker = Worker(board, threads)
        desk = SessionController(board, folder, worker, threads)
        worker.start()
        desk.refiner.player.warm()
        opened = OpenWorkbench(desk, WorkbenchServer(desk, listening), screen)
        undone.pop_all()  # which now is for `serve` to do
        return opened
