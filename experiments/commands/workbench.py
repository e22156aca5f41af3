"""`evenhand workbench`: open the session of a workbench, serve its page, and close it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli.options import ExperimentName, integer
from experiments.cli.session import Session, Work, session_command
from experiments.commands.second_opinion import other_pilots
from experiments.contest_experiment import ContestExperiment
from experiments.experiment import Experiment
from experiments.game import named_experiment
from experiments.runs.resumption import find_resumption
from experiments.runs.run_folder import RunFolder, open_run_folder
from experiments.screen import Screen
from experiments.workbench.contest_view import ContestViewModel
from experiments.workbench.view_model import ViewModel
from experiments.workbench.worker import Worker
from sim import InputError, error_place

if TYPE_CHECKING:
    from experiments.workbench.controller import SessionController
    from experiments.workbench.server import WorkbenchServer

_NEEDED = ("jinja2", "starlette", "uvicorn")
_PORT_MAX = 65_535  # largest port number, which has 16 bits


@session_command("results", "seed", "agent", "threads", "resume", "trust")
def workbench(
    session: Session,
    experiment: ExperimentName,
    *,
    port: Annotated[int, integer(0, _PORT_MAX, "Port of this machine; default any free port.")] = 0,
    open_page: Annotated[
        bool,
        typer.Option("--open/--no-open", help="Whether to open the browser; default yes."),
    ] = True,
) -> Work:
    """Try edits on a page in the browser, with results at once.

    Ctrl-C ends the workbench; --resume continues its session.
    """
    require_extra()
    opened = open_workbench(
        experiment,
        session.results,
        session.screen,
        seed=session.seed,
        agent=session.agent,
        resume=session.resume,
        port=port,
    )
    return partial(opened.serve, open_page=open_page)


def require_extra() -> None:
    """Check that the packages that serve the page are installed.

    Raises:
        InputError: a package of the extra `workbench` is not installed.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise InputError(
            "needs packages that are not installed",
            place="evenhand workbench",
            limit=_NEEDED,
            remedy='run: pip install "evenhand[workbench]"',
        )


class OpenWorkbench:
    """Workbench that is ready to serve: its game code is compiled, and its port is open.

    Attributes:
        controller: controller of the session.
        server: HTTP server of the page.
    """

    def __init__(
        self, controller: SessionController, server: WorkbenchServer, screen: Screen
    ) -> None:
        """Store the parts of the workbench.

        Args:
            controller: controller of the session.
            server: HTTP server of the page.
            screen: where to print the address of the page.
        """
        self.controller = controller
        self.server = server
        self._screen = screen

    def serve(self, *, open_page: bool) -> None:
        """Print the address of the page, and serve it until Ctrl-C.

        Args:
            open_page: whether to open the page in the browser.
        """
        folder = self.controller.folder

        def on_start() -> None:
            self._screen.say(f"Workbench: {self.server.url}")
            self._screen.say("The link can be opened once; Ctrl-C ends the workbench")
            if folder.earlier is not None:
                self._screen.say(f"The earlier session was moved to {folder.earlier}")
            if open_page and _has_screen():
                webbrowser.open(self.server.url)

        with ExitStack() as stack:
            stack.enter_context(_sigterm_as_interrupt())
            stack.enter_context(folder.lock)
            stack.callback(self.controller.close)
            self.controller.open()
            with suppress(KeyboardInterrupt):  # Ctrl-C is the normal way to end the workbench
                self.server.serve_until_stopped(on_start)
        self._screen.say(f"The session is kept in {folder.path}; --resume continues it")


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on SIGTERM within the context; do nothing outside the main thread.

    The server handles both signals, and raises them again when it has stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _has_screen() -> bool:
    """Return whether a browser would open a window.

    Without a display, a text browser could open and take over the terminal.
    """
    has_desktop = sys.platform in {"win32", "darwin"}
    return has_desktop or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def view_of(experiment: Experiment | ContestExperiment, results: Path) -> ViewModel:
    """Return the view model of an experiment.

    Args:
        experiment: experiment of a card game, or of a contest.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: no number of the experiment may change, or an agent of its second opinion cannot
            play its decks.
    """
    if isinstance(experiment, ContestExperiment):
        return ContestViewModel.of_contest(experiment)
    return ViewModel.of(experiment, other_pilots(experiment, results))


def open_workbench(
    name: str,
    results: Path,
    screen: Screen,
    *,
    seed: int | None,
    resume: bool,
    port: int,
    agent: str | None = None,
) -> OpenWorkbench:
    """Read an experiment, open its session, and compile the code of its games.

    Args:
        name: the experiment's file, or the name of a shipped experiment.
        results: parent of the session's folder.
        screen: where to show the progress.
        seed: run seed; `None` for the experiment's seed.
        resume: whether to continue an earlier session of the experiment.
        port: port of this machine; 0 for any free port.
        agent: agent that plays every deck; `None` for each player's own agent.

    Raises:
        InputError: the experiment cannot be read or is of another game, the port is in use, or the
            session to continue is damaged or has other settings.
    """
    from experiments.workbench import controller, server  # noqa: PLC0415 (an extra)

    named = named_experiment(name)
    if "workbench" not in named.game.commands:
        raise InputError(
            f"is of the game {named.game.name!r}, but the workbench is for card games",
            place=named.path,
            value=named.game.name,
            remedy="name an experiment of a card game",
        )
    experiment = named.load(results=results, agent=agent).with_seed(seed)
    with error_place(experiment.path):
        board = view_of(experiment, results)
    resumption = find_resumption(results, experiment, "workbench") if resume else None
    screen.stage("Preparing the games: new rules and agents are compiled once, for up to a minute")
    # The stack closes the port and unlocks the folder if a later step fails.
    with ExitStack() as stack:
        # The port comes first, so that a port in use creates no folder.
        listening = stack.enter_context(server.listen_at(port))
        folder: RunFolder = open_run_folder(results, experiment, "workbench", resume=resume)
        stack.push(folder.lock)
        folder.log(f"workbench, seed {experiment.settings.seed}")
        if resumption is not None and resumption.note:
            screen.note(resumption.note)
        worker = Worker(board)
        session = controller.SessionController(board, folder, worker)
        worker.start()
        session.refiner.player.warm()
        opened = OpenWorkbench(session, server.WorkbenchServer(session, listening), screen)
        stack.pop_all()  # from here on, `serve` is responsible for closing them
        return opened
