"""Training runs of Big Two by the trainer of `agents.dqn`, and the pilots they result in."""

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
"""Identifies pilot files of this kind."""


class BigTwoProvenance(StrictModel):
    """The origin of a pilot of Big Two.

    Attributes:
        rules: rules of the games it was trained in.
        observer: name of its observer.
        reward: kind of reward.
        settings: settings of the training.
        seed: seed of the training run.
        steps: number of decisions it learned from.
        opponents: names of the agents it was trained against.
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
    """An agent that plays the legal action with the highest value of its network.

    Attributes:
        name: name of the agent in experiments and results.
        pilot: the network, as an agent of observations and masks.
        observer: observer that writes its observations.
        provenance: origin of the network.
    """

    name: str
    pilot: DQNPilot
    observer: Observer
    provenance: BigTwoProvenance

    def choose(self, games: Games, rows: Positions) -> Positions:
        """Choose legal actions in ``[B]`` games (`sim.big_two.games.BigTwoAgent.choose`).

        Raises:
            InputError: the rules have other actions than those it was trained with.
        """
        known = self.pilot.view.n_actions
        if games.rules.n_actions != known:
            raise InputError(
                f"was trained with {known:,} actions, but these rules have "
                f"{games.rules.n_actions:,} (fours_alone)",
                place=f"agent {self.name!r}",
                value=known,
                limit=games.rules.n_actions,
                remedy="train an agent for these rules",
            )
        values = np.empty((len(rows), self.observer.n_values), dtype=np.float32)
        self.observer.see(games, rows, games.active[rows], values)
        return self.pilot.choose(values, games.masks(rows))

    def save(self, path: Path) -> None:
        """Write the pilot to a file, for `load_big_two_pilot`.

        Raises:
            InputError: the file cannot be written.
        """
        save_pilot(path, self.pilot.network, self.provenance, _KIND)


def load_big_two_pilot(path: Path) -> BigTwoPilot:
    """Return the pilot in a file.

    Raises:
        InputError: the file is missing, damaged or no pilot of Big Two, or its observer is unknown
            or has changed.
    """
    network, provenance = load_network(path, BigTwoProvenance, _KIND)
    observer = observer_named(provenance.observer)
    size = network.architecture.view
    if BigTwoView(provenance.rules, observer).size != size:
        raise InputError(
            f"was trained with the view {size}, but observer {observer.name!r} has changed",
            place=path,
            value=size,
            remedy="train it again",
        )
    name = f"dqn:{path}"
    return BigTwoPilot(name, DQNPilot(name, network), observer, provenance)


@dataclass(frozen=True)
class BigTwoTraining:
    """A training run of Big Two.

    Attributes:
        trainer: trainer that steps the run (`agents.dqn.trainer`).
        observer: observer of the learner.
        provenance: origin of the resulting pilot, without the number of steps.
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
        """Return a run at its beginning.

        Args:
            view: the way the learner sees the games, which includes their rules.
            opponents: agents that sit after the learner, in turn order; or one for all three.
            settings: settings of the training.
            run_seed: seed of the run.
            reward: kind of reward (`sim.big_two.episodes.Reward`).
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
        """Return the agent that the run has trained so far; further training does not change it."""
        provenance = self.provenance.model_copy(update={"steps": self.trainer.n_steps})
        return BigTwoPilot(name, pilot_of(self.trainer, name), self.observer, provenance)
