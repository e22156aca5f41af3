"""Benchmark tasks of networks: playing many games in parallel, and training; needs torch."""

from __future__ import annotations

from functools import partial

import torch

from agents import DQNPilot, Trainer, TrainSettings
from agents.dqn.network import QNetwork, architecture_of
from balance.cards.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, BARE, Against, Task, play_duel
from experiments.benchmarks.environments import STEPPING, learners_games
from sim.engine.viewing import (
    BOARD_PLACES,
    FIRST_ATTACK,
    HAND_PLACES,
    LAST_ACTION,
    N_ACTIONS,
    TARGETS,
)
from sim.play.agent import Agent

GAMES = 10_000  # about half a second
WARM_GAMES = 2_000  # games before the measurement; chosen by hand
TICKS = 100  # number of training steps of each environment in one run

_SETTINGS = TrainSettings()
# Actions in order of preference: play the oldest card, attack the enemy player with each unit, end
# the turn.
_PREFERRED = (
    *range(HAND_PLACES),
    *(FIRST_ATTACK + TARGETS * unit + TARGETS - 1 for unit in range(BOARD_PLACES)),
    LAST_ACTION,
)
_FAR_APART = 100.0  # difference of biases, larger than all other terms in the values of actions


def network_tasks(contest: CardContest) -> list[Task]:
    """Return two tasks: a network with aggro's deck plays control, and a network is trained.

    The training has default settings and has made its warm-up and its first update before it is
    measured.

    Args:
        contest: contest of `experiments.benchmarks.duel.load_duel`.
    """
    agents: list[Agent] = list(contest.agents)
    agents[AGGRO] = rushing_pilot()
    games = partial(play_duel, contest, agents=agents)
    games(WARM_GAMES)
    n_environments = _SETTINGS.n_environments
    episodes = learners_games(contest, n_environments, skip_forced=_SETTINGS.skip_forced)
    trainer = Trainer(_SETTINGS, episodes, seed=0)
    n_steps = TICKS * n_environments
    # The first update is slower than later ones, so it is made before the measurement.
    trainer.run(_SETTINGS.warm_up + _SETTINGS.steps_per_update)

    def train() -> None:
        trainer.run(trainer.n_steps + n_steps)

    bare = Against(BARE, f"full games ({BARE})")
    steps = Against(STEPPING, "steps without learning")
    return [
        Task("lockstep_against_scripted", "games", GAMES, partial(games, GAMES), bare),
        Task("training_steps", "steps", n_steps, train, steps),
    ]


def rushing_pilot() -> DQNPilot:
    """Return an untrained network of the default architecture with fixed choices.

    The network plays cards and attacks the enemy player whenever it can. The biases of its actions
    differ by so much that its random weights do not affect the choices. Games are therefore equal
    on every machine, and about as long as those of a trained pilot.
    """
    network = QNetwork(architecture_of(_SETTINGS), seed=0)
    with torch.no_grad():
        network.advantages.bias.fill_(-_FAR_APART * N_ACTIONS)
        for place, action in enumerate(_PREFERRED):
            network.advantages.bias[action] = -_FAR_APART * place
    return DQNPilot("rushing", network)
