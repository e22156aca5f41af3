"""Training runs of Big Two, by the trainer of `agents.dqn`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.big_two.pilot import BigTwoPilot, BigTwoProvenance
from agents.dqn.settings import TrainSettings
from agents.dqn.trainer import Trainer, pilot_of
from sim.big_two.episodes import BigTwoEpisodes
from sim.big_two.games import BigTwoAgent
from sim.big_two.observers import BigTwoView
from sim.big_two.rewards import Reward
from sim.seeds import stream_seed


@dataclass(frozen=True)
class BigTwoTraining:
    """A training run of Big Two.

    Attributes:
        trainer: steps it (`agents.dqn.trainer`).
        view: how the learner sees games.
        reward: what it is told.
        opponents: whom it meets.
        run_seed: the run's seed.
    """

    trainer: Trainer
    view: BigTwoView
    reward: Reward
    opponents: tuple[str, ...]
    run_seed: int

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
        names = tuple(agent.name for agent in opponents)
        return cls(trainer, view, reward, names, run_seed)

    def pilot(self, name: str) -> BigTwoPilot:
        """The agent that the run has come to; training on leaves it as it is."""
        provenance = BigTwoProvenance(
            rules=self.view.rules,
            observer=self.view.observer.name,
            reward=self.reward,
            settings=self.trainer.settings,
            seed=self.run_seed,
            steps=self.trainer.n_steps,
            opponents=self.opponents,
        )
        return BigTwoPilot(name, pilot_of(self.trainer, name), self.view.observer, provenance)
