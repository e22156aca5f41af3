"""Training of agents for Big Two by the trainer of `agents.dqn`, and the trained agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents import DQNPilot, Trainer, TrainSettings, pilot_of
from agents.dqn.checkpoint import load_network, save_pilot
from sim import InputError, StrictModel, stream_seed
from sim.big_two.episodes import BigTwoEpisodes, Reward
from sim.big_two.games import BigTwoAgent, Games, Positions
from sim.big_two.observers import BigTwoView, Observer, observer_named
from sim.big_two.rules import BigTwoRules

_KIND = "evenhand Big Two pilot"
"""Identifier in files that contain a trained agent of Big Two."""


class BigTwoProvenance(StrictModel):
    """Origin of a trained agent of Big Two, as stored in its file.

    Attributes:
        rules: rules of the games in which the agent was trained.
        observer: name of the agent's observer (`sim.big_two.observers`).
        reward: kind of reward in training (`sim.big_two.episodes.Reward`).
        settings: settings of the training.
        seed: seed of the training run.
        steps: number of decisions in the training games.
        opponents: names of the agents that played against the agent in training.
    """

    rules: BigTwoRules
    observer: str
    reward: Reward
    settings: TrainSettings
    seed: int
    steps: int
    opponents: tuple[str, ...]


@dataclass(frozen=True)
class BigTwoPilot:
    """Trained agent of Big Two, which takes the legal action with the highest predicted value.

    Attributes:
        name: name of the agent in experiments and results.
        pilot: agent that maps observations and masks to actions by its network.
        observer: observer that writes the observations for the network.
        provenance: origin of the network.
    """

    name: str
    pilot: DQNPilot
    observer: Observer
    provenance: BigTwoProvenance

    def choose(self, games: Games, rows: Positions) -> Positions:
        """Choose the legal action with the highest predicted value in each selected game.

        Args:
            games: states of all games.
            rows: indices of the selected games, shape ``[B]``.

        Returns:
            Number of the chosen action in each selected game, shape ``[B]``.

        Raises:
            InputError: the rules of the games have another number of actions than the rules that
                the agent was trained with.
        """
        n_known_actions = self.pilot.view.n_actions
        if games.rules.n_actions != n_known_actions:
            raise InputError(
                f"was trained for rules with {n_known_actions:,} actions, but these rules have "
                f"{games.rules.n_actions:,}, because fours_alone differs",
                place=f"agent {self.name!r}",
                value=n_known_actions,
                limit=games.rules.n_actions,
                remedy="train an agent for these rules",
            )
        values = np.empty((len(rows), self.observer.n_values), dtype=np.float32)
        self.observer.see(games, rows, games.active[rows], values)
        return self.pilot.choose(values, games.masks(rows))

    def save(self, path: Path) -> None:
        """Write the agent to a file, which `load_big_two_pilot` can read.

        Raises:
            InputError: the file cannot be written.
        """
        save_pilot(path, self.pilot.network, self.provenance, _KIND)


def load_big_two_pilot(path: Path) -> BigTwoPilot:
    """Read a trained agent from a file that `BigTwoPilot.save` wrote.

    Raises:
        InputError: the file is missing, damaged or does not contain an agent of Big Two, or the
            agent's observer is unknown or has another number of values than in training.
    """
    network, provenance = load_network(path, BigTwoProvenance, _KIND)
    observer = observer_named(provenance.observer)
    size = network.architecture.view
    if BigTwoView(provenance.rules, observer).size != size:
        raise InputError(
            f"was trained with the view {size}, but observer {observer.name!r} has changed",
            place=path,
            value=size,
            remedy="train the agent again",
        )
    name = f"dqn:{path}"
    return BigTwoPilot(name, DQNPilot(name, network), observer, provenance)


@dataclass(frozen=True)
class BigTwoTraining:
    """Training run for an agent of Big Two.

    Attributes:
        trainer: trainer that carries out the steps of the run (`agents.dqn.trainer`).
        observer: observer of the learner.
        provenance: origin of the trained agent, with 0 as the number of steps.
    """

    trainer: Trainer
    observer: Observer
    provenance: BigTwoProvenance

    @classmethod
    def begin(
        cls,
        view: BigTwoView,
        opponents: Sequence[BigTwoAgent],
        settings: TrainSettings,
        *,
        run_seed: int,
        reward: Reward = "first",
    ) -> BigTwoTraining:
        """Return a new training run, in which no step has been taken.

        Args:
            view: view through which the learner observes the games; it also has their rules.
            opponents: agents of the seats after the learner in turn order, or one agent for all
                three.
            settings: settings of the training.
            run_seed: seed of the run.
            reward: kind of reward (`sim.big_two.episodes.Reward`).

        Raises:
            InputError: the number of opponents is not 1 or 3, an opponent is not an agent, or the
                kind of reward does not exist.
        """
        purpose = "train/big_two"
        episodes = BigTwoEpisodes(
            view,
            opponents,
            settings.n_environments,
            stream_seed(run_seed, f"{purpose}/games"),
            reward=reward,
            skip_forced=settings.skip_forced,
        )
        trainer = Trainer(settings, episodes, seed=stream_seed(run_seed, purpose))
        provenance = BigTwoProvenance(
            rules=view.rules,
            observer=view.observer.name,
            reward=reward,
            settings=settings,
            seed=run_seed,
            steps=0,
            opponents=tuple(agent.name for agent in opponents),
        )
        return cls(trainer, view.observer, provenance)

    def pilot(self, name: str) -> BigTwoPilot:
        """Return the agent that has been trained so far; later steps of the run do not change it.

        Args:
            name: name of the agent in experiments and results.
        """
        provenance = self.provenance.model_copy(update={"steps": self.trainer.n_steps})
        return BigTwoPilot(name, pilot_of(self.trainer, name), self.observer, provenance)
