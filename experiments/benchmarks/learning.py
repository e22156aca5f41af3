"""Tasks of networks: playing in lock-step, and training. Needs torch."""

from __future__ import annotations

from functools import partial

import torch

from agents import DQNPilot, Trainer, TrainSettings
from agents.dqn.network import QNetwork, architecture_of
from balance.card_contest import CardContest
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
WARM_GAMES = 2_000
TICKS = 100  # training steps of each environment in one run

_SETTINGS = TrainSettings()  # the defaults
# Actions in order of preference: cards, the oldest first, then attacks of all units on the enemy
# player, then the end of the turn.
_PREFERRED = (
    *range(HAND_PLACES),
    *(FIRST_ATTACK + TARGETS * unit + TARGETS - 1 for unit in range(BOARD_PLACES)),
    LAST_ACTION,
)
_FAR_APART = 100.0  # exceeds everything else in the action values of an untrained network


def network_tasks(contest: CardContest) -> list[Task]:
    """Return the tasks of a network with aggro's deck against control, and of default training."""
    agents: list[Agent] = list(contest.agents)
    agents[AGGRO] = rushing_pilot()
    games = partial(play_duel, contest, agents=agents)
    games(WARM_GAMES)
    n_environments = _SETTINGS.n_environments
    episodes = learners_games(contest, n_environments, skip_forced=_SETTINGS.skip_forced)
    trainer = Trainer(_SETTINGS, episodes, seed=0)
    n_steps = TICKS * n_environments
    trainer.run(_SETTINGS.warm_up + _SETTINGS.steps_per_update)  # up to the first update

    def train() -> None:
        trainer.run(trainer.n_steps + n_steps)

    bare = Against(BARE, f"full games ({BARE})")
    steps = Against(STEPPING, "steps without learning")
    return [
        Task("lockstep_against_scripted", "games", GAMES, partial(games, GAMES), bare),
        Task("training_steps", "steps", n_steps, train, steps),
    ]


def rushing_pilot() -> DQNPilot:
    """Return an untrained network of the default architecture that always plays and attacks.

    The biases of its actions are far apart, so its random weights have no influence on its choices.
    Its games are therefore equal on every machine, and as long as those of a trained pilot.
    """
    network = QNetwork(architecture_of(_SETTINGS), seed=0)
    with torch.no_grad():
        network.advantages.bias.fill_(-_FAR_APART * N_ACTIONS)
        for place, action in enumerate(_PREFERRED):
            network.advantages.bias[action] = -_FAR_APART * place
    return DQNPilot("rushing", network)
