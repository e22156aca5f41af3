"""Declaration of the games that a simulator plays, for the command line."""

from __future__ import annotations

from experiments.contest_game import COMMANDS, FUNCTIONS
from experiments.game import Game
from experiments.simulator.power import check_power, run_power
from experiments.simulator.simulator_experiment import read_simulator

GAME = Game(
    "simulator",
    read_simulator,
    commands=(*COMMANDS, "power"),
    functions={**FUNCTIONS, "power": (check_power, run_power)},
    options=("games", "total", "workers", "results"),
)
"""Description of simulators: files with the table `[simulator]`."""
