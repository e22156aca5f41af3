"""Training runs of Big Two by the trainer of `agents.dqn`, and what they come to: pilots."""

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


class BigTwoProvenance(StrictModel):
    """Where a pilot of Big Two comes from.

    Attributes:
        rules: whose games it learned.
        observer: by which it sees them.
        reward: what it was told.
        settings: how it was trained.
        seed: of its training run.
        steps: decisions it learned from.
        opponents: whom it met, by name.
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
    """An agent that plays the legal action its network values highest.

    Attributes:
        name: what experiments and results call it.
        pilot: values actions.
        observer: by which it sees games.
        provenance: where it comes from.
    """

    name: str
    pilot: DQNPilot
    observer: Observer
    provenance: BigTwoProvenance

    def choose(self, games: Games, rows: Positions) -> Positions:
        """``[B]`` legal actions (`sim.big_two.games.BigTwoAgent.choose`).

        Raises:
            InputError: these rules have other actions than those that it learned.
        """
        known = self.pilot.view.n_actions
        if games.rules.n_actions != known:
            raise InputError(
                f"agent {self.name!r}: learned {known:,} actions, and these rules have "
                f"{games.rules.n_actions:,} (fours_alone); train one for them"
            )
        values = np.empty((len(rows), self.observer.n_values), dtype=np.float32)
        self.observer.see(games, rows, games.active[rows], values)
        return self.pilot.choose(values, games.masks(rows))

    def save(self, path: Path) -> None:
        """Write it to `path`, for `load_big_two_pilot`.

        Raises:
            InputError: the file cannot be written.
        """
        save_pilot(path, self.pilot.network, self.provenance, _KIND)


def load_big_two_pilot(path: Path) -> BigTwoPilot:
    """The pilot in the file `path`.

    Raises:
        InputError: the file is missing, damaged or no pilot of Big Two, or nobody knows its
            observer or sees by it as the pilot does.
    """
    network, provenance = load_network(path, BigTwoProvenance, _KIND)
    observer = observer_named(provenance.observer)
    size = network.architecture.view
    if BigTwoView(provenance.rules, observer).size != size:
        raise InputError(f"{path}: sees {size}; observer {observer.name!r} is another one now")
    name = f"dqn:{path}"
    return BigTwoPilot(name, DQNPilot(name, network), observer, provenance)


@dataclass(frozen=True)
class BigTwoTraining:
    """A training run of Big Two.

    Attributes:
        trainer: steps it (`agents.dqn.trainer`).
        observer: by which the learner sees games.
        provenance: of what it comes to, but for its steps.
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
        """A run at its beginning; arguments as for `sim.big_two.episodes.BigTwoEpisodes`."""
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
        """The agent that the run has come to; training on leaves it as it is."""
        provenance = self.provenance.model_copy(update={"steps": self.trainer.n_steps})
        return BigTwoPilot(name, pilot_of(self.trainer, name), self.observer, provenance)
