"""Loading of simulators: the function or the program that an experiment file names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from balance.simulator.parameters import Parameters, read_parameters
from balance.simulator.simulated_contest import SimulatedContest
from experiments.simulator.simulator_file import SimulatorFile
from sim import InputError, error_place
from sim.simulator.function_source import FunctionSource
from sim.simulator.python_function import FunctionSimulator
from sim.simulator.simulator import Simulator


def load_simulator(settings: SimulatorFile, folder: Path) -> Simulator:
    """Return the simulator that an experiment file names, after loading its code.

    Args:
        settings: content of the file.
        folder: folder of the file, to which names of files are relative.

    Raises:
        InputError: the code cannot be loaded.
    """
    table = settings.simulator
    with error_place("simulator.python"):
        source = FunctionSource.of(table.python, folder)
        return FunctionSimulator(
            source.load(),
            settings.players,
            n_players=table.seats,
            is_batch=table.batch,
            timeout_s=table.timeout_s,
            source=source,
        )


def load_contest(settings: SimulatorFile, folder: Path) -> SimulatedContest:
    """Return the contest that an experiment file with a simulator describes.

    Args:
        settings: content of the file.
        folder: folder of the file.

    Raises:
        InputError: the code cannot be loaded, or the players or the parameters are invalid.
    """
    simulator = load_simulator(settings, folder)
    parameters = _parameters(settings, folder)
    contest = SimulatedContest(simulator, parameters, settings.simulator.rate)
    if not contest.genes:
        raise InputError(
            "none are declared",
            place="parameters",
            remedy="write a table [parameters], or a function `parameters` beside the game's",
        )
    return contest


def _parameters(settings: SimulatorFile, folder: Path) -> Parameters:
    """Return the parameters that the file declares, or else those that the code declares.

    Raises:
        InputError: a declaration is invalid.
    """
    if settings.parameters:
        return read_parameters(settings.parameters, settings.players)
    source = FunctionSource.of(settings.simulator.python, folder)
    if not source.defines_parameters:
        return read_parameters({}, settings.players)
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
        return read_parameters(declared, settings.players, "parameters()")
