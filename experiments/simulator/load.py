"""Loading of simulators: the function or the program that an experiment file names."""

from __future__ import annotations

import atexit
from pathlib import Path
from typing import Any

from balance.simulator.parameters import Parameters, read_parameters
from balance.simulator.simulated_contest import SimulatedContest
from experiments.screen import Screen
from experiments.simulator.simulator_file import SimulatorFile
from experiments.simulator.trust import require_trust
from sim import InputError, error_place
from sim.simulator import program, python_function
from sim.simulator.function_source import FunctionSource
from sim.simulator.kept_games import KeptGames
from sim.simulator.program import ProgramSimulator
from sim.simulator.python_function import FunctionSimulator
from sim.simulator.simulator import Simulator

# Name of the folder with the games that simulators have played, below the parent of run folders.
KEPT_GAMES = "simulated_games"


def load_contest(settings: SimulatorFile, folder: Path, results: Path | None) -> SimulatedContest:
    """Return the contest that an experiment file with a simulator describes.

    Args:
        settings: content of the file.
        folder: folder of the file, to which names of files are relative.
        results: parent of the run folders, in which played games are kept; `None` to keep none.

    Raises:
        InputError: the file is not trusted; the code cannot be loaded; or the players or the
            parameters are invalid.
    """
    table = settings.simulator
    folder /= table.folder
    require_trust(table.model_dump(exclude_defaults=True, exclude={"folder"}), folder)
    load = _load_program if table.command else _load_function
    simulator, parameters = load(settings, folder)
    if not parameters.entries:
        raise InputError(
            "none are declared",
            place="parameters",
            remedy="write a table [parameters], or a function `parameters` beside the game's",
        )
    if results is not None:
        simulator = KeptGames(simulator, results / KEPT_GAMES)
    return SimulatedContest(simulator, parameters, table.rate)


def _load_function(settings: SimulatorFile, folder: Path) -> tuple[Simulator, Parameters]:
    """Return the simulator of a Python function, with its parameters.

    Raises:
        InputError: the file cannot be loaded, or a declaration is invalid.
    """
    table = settings.simulator
    with error_place("simulator.python"):
        source = FunctionSource.of(table.python, folder)
        simulator = FunctionSimulator(
            source.load(),
            settings.players,
            n_players=table.seats or 2,
            is_batch=table.batch,
            timeout_s=table.timeout_s or python_function.TIMEOUT_S,
            source=source,
            note=Screen(json=False).note,
        )
    if settings.parameters or not source.defines_parameters:
        return simulator, read_parameters(settings.parameters, settings.players)
    with error_place(source.path):
        declared: Any = source.loaded("parameters")()
        if not isinstance(declared, dict):
            raise InputError(
                f"returned {type(declared).__name__}, but must return a dictionary",
                place="parameters()",
                value=type(declared).__name__,
                limit="dict",
                separator=" ",
            )
        return simulator, read_parameters(declared, settings.players, "parameters()")


def _load_program(settings: SimulatorFile, folder: Path) -> tuple[Simulator, Parameters]:
    """Return the simulator of a program, with the parameters of the file or of the program.

    Raises:
        InputError: the program does not start; or the file contradicts the program.
    """
    table = settings.simulator
    simulator = ProgramSimulator(
        table.command,
        folder,
        n_children=table.workers,
        timeout_s=table.timeout_s or program.TIMEOUT_S,
    )
    atexit.register(simulator.close)
    hello = simulator.hello
    if table.seats not in (None, hello.seats):
        raise InputError(
            f"{table.seats}, but the program says {hello.seats}",
            place="simulator.seats",
            value=table.seats,
            limit=hello.seats,
            remedy="leave it out",
            separator=" = ",
        )
    declared = settings.parameters or hello.parameters
    return simulator, read_parameters(declared, settings.players or hello.players)
