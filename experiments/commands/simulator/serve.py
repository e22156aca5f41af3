"""`evenhand simulator serve`: play the games of a card experiment at the request of a program."""

from __future__ import annotations

import sys

from balance.cards.card_simulator import CardSimulator
from balance.cards.card_space import build_space
from experiments.cli.options import ExperimentName
from experiments.cli.session import Session, Work, session_command
from experiments.loading import load_experiment
from sim.errors import error_place
from sim.simulator.protocol import PROTOCOL, Hello
from sim.simulator.serving import serve as answer_requests


@session_command()
def serve(_session: Session, experiment: ExperimentName) -> Work:
    """Play games of a card experiment at the request of a program.

    Requests are read from standard input and answered on standard output, as docs/simulator.md
    describes. The parameters are the numbers that [tune] permits to change.
    """
    simulator, hello = load_served(experiment)
    return lambda: answer_requests(simulator, hello, sys.stdin.buffer, sys.stdout.buffer)


def load_served(name: str) -> tuple[CardSimulator, Hello]:
    """Return the simulator of an experiment, and its answer to the first request.

    Args:
        name: path of the experiment file, or the name of a shipped experiment.

    Raises:
        InputError: the experiment is invalid.
    """
    experiment = load_experiment(name).with_known_names()
    with error_place(experiment.path):
        contest = experiment.contest()
        simulator = CardSimulator(contest, build_space(contest, experiment.settings.tune))
        hello = Hello(
            evenhand=PROTOCOL,
            game=experiment.settings.name,
            version=simulator.identity[:16],
            players=contest.player_names,
            parameters=simulator.parameters,
            can=("without",),
        )
    return simulator, hello
