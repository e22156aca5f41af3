"""Training runs, which play games, store transitions, and update the network of a learner."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from agents.dqn.checkpoint import read_torch_file, write_torch_file
from agents.dqn.learner import Learner
from agents.dqn.network import QNetwork
from agents.dqn.pilot import DQNPilot, PastSelf
from agents.dqn.replay import Replay
from agents.dqn.sampler import explore
from agents.dqn.settings import TrainSettings
from sim import InputError, stream_seed
from sim.observation.parallel_games import ParallelGames

_KIND = "evenhand training state"
_REMEDY = "delete the file and train from the start"


@dataclass(frozen=True)
class Progress:
    """Counts of steps, updates and results of a training run so far, with its current values.

    Attributes:
        n_steps: number of decisions of the learner.
        n_updates: number of updates of the learner's weights.
        n_episodes: number of finished games.
        n_wins: number of finished games that the learner won. A pilot wins more, since the learner
            takes random actions at times.
        n_losses: number of finished games that the learner lost.
        epsilon: current share of random actions.
        loss: loss of the latest update; 0 before the first update.
    """

    n_steps: int
    n_updates: int
    n_episodes: int
    n_wins: int
    n_losses: int
    epsilon: float
    loss: float


class Trainer:
    """Training run that can be saved and continued exactly.

    In every tick, each game advances by one action of the learner or of an opponent that is a
    network. Random numbers depend only on the seed and on the number of draws so far. A run that
    was saved, loaded and continued therefore equals a run without interruption.

    Attributes:
        settings: settings of the training.
        episodes: games that are played in parallel.
        learner: network that learns, with its optimiser.
        n_steps: number of decisions of the learner so far.
    """

    def __init__(self, settings: TrainSettings, episodes: ParallelGames, *, seed: int) -> None:
        """Create the networks and the memory, and start the games.

        Args:
            settings: settings of the training.
            episodes: `settings.n_environments` games from which the network learns. Opponents of
                type `PastSelf` get the learner's weights during the training.
            seed: seed of the run.

        Raises:
            ValueError: the number of games is not `settings.n_environments`.
        """
        self.settings = settings
        self.episodes = episodes
        view = episodes.view
        network_seed = stream_seed(seed, "train/network")
        self.learner: Learner = Learner(settings, seed=network_seed, view=view.size)
        self.n_steps: int = 0
        self._seed = seed
        self._explore_seed = stream_seed(seed, "train/explore")
        self._replay_seed = stream_seed(seed, "train/replay")
        # Number of random numbers used for exploration, one per decision of the learner.
        self._n_decisions = 0
        self._n_snapshots = 0
        self._results = {"n_episodes": 0, "n_wins": 0, "n_losses": 0}
        n_environments = len(episodes.observations)
        if n_environments != settings.n_environments:
            raise ValueError(f"{n_environments} games for {settings.n_environments} environments")
        self._actions = np.zeros(n_environments, dtype=np.int64)
        self._replay = Replay(
            n_environments,
            settings.replay // n_environments,
            view.size.n_values,
            view.size.n_actions,
            scales=view.scales,
        )
        self._past_selves = [past for past in episodes.opponents if isinstance(past, PastSelf)]
        self._copy_to_past_selves()
        episodes.reset()

    def start_from(self, network: QNetwork) -> None:
        """Copy the weights of `network` into the learner and into all earlier states.

        Call this before the first step.
        """
        self.learner.start_from(network)
        self._copy_to_past_selves()

    def _copy_to_past_selves(self) -> None:
        """Copy the learner's averaged weights into all opponents of type `PastSelf`."""
        for past in self._past_selves:
            past.copy_weights(self.learner.averaged)

    @property
    def is_done(self) -> bool:
        """Whether the learner has made all `settings.steps` decisions."""
        return self.n_steps >= self.settings.steps

    def run(self, until: int) -> Progress:
        """Train until the learner has made `until` decisions in total, and return the progress.

        Training stops earlier if the learner has made `settings.steps` decisions. A tick makes up
        to `n_environments` decisions, so the last tick may exceed the limit.

        Args:
            until: number of decisions since the start of the run.
        """
        while self.n_steps < min(until, self.settings.steps):
            self._tick()
        return self.progress()

    def progress(self) -> Progress:
        """Return the numbers of steps, updates and results since the start of the run."""
        return Progress(
            n_steps=self.n_steps,
            n_updates=self.learner.n_updates,
            **self._results,
            epsilon=self.settings.epsilon(self.n_steps),
            loss=float(self.learner.loss),
        )

    def _tick(self) -> None:
        """Advance each game by one action, store observations and rewards, and make due updates."""
        episodes = self.episodes
        is_learners = episodes.is_learners
        self._decide(np.flatnonzero(is_learners))
        episodes.answer(self._actions)
        self._replay.append(is_learners, episodes.observations, episodes.masks, self._actions)
        episodes.step(self._actions)
        self._replay.settle(episodes.rewards, episodes.ended)
        results = episodes.rewards[episodes.ended != 0]
        self._results["n_episodes"] += len(results)
        self._results["n_wins"] += int((results > 0).sum())
        self._results["n_losses"] += int((results < 0).sum())
        self.n_steps += int(is_learners.sum())
        self._update_weights()
        self._refresh_past_selves()

    def _decide(self, rows: npt.NDArray[np.intp]) -> None:
        """Choose the learner's actions in the given environments, some of them at random.

        Args:
            rows: indices of the environments in which the learner acts.
        """
        observations = self.episodes.observations[rows]
        masks = self.episodes.masks[rows]
        actions = self.learner.greedy(observations, masks)
        epsilon = self.settings.epsilon(self.n_steps)
        explore(actions, masks, epsilon, self._explore_seed, self._n_decisions)
        self._n_decisions += len(rows)
        self._actions[rows] = actions

    def _update_weights(self) -> None:
        """Make all updates that are due: one per `steps_per_update` steps after the warm-up."""
        settings = self.settings
        n_due = max(self.n_steps - settings.warm_up, 0) // settings.steps_per_update
        while self.learner.n_updates < n_due:
            batch = self._replay.draw(
                settings.batch,
                self.learner.n_updates * settings.batch,
                seed=self._replay_seed,
                n_step=settings.n_step,
                gamma=settings.gamma,
            )
            self.learner.update(batch, learning_rate=settings.learning_rate_after(self.n_steps))

    def _refresh_past_selves(self) -> None:
        """Copy the averaged weights into the oldest `PastSelf`, once per `snapshot_every` steps."""
        if self._past_selves and self.n_steps // self.settings.snapshot_every > self._n_snapshots:
            oldest = self._past_selves[self._n_snapshots % len(self._past_selves)]
            oldest.copy_weights(self.learner.averaged)
            self._n_snapshots += 1

    def save(self, path: Path) -> None:
        """Write the complete state of the run to a file, from which `load` can continue the run.

        Raises:
            InputError: the file cannot be written.
        """
        content = {
            "settings": self.settings.model_dump_json(),
            "seed": self._seed,
            "n_steps": self.n_steps,
            "n_decisions": self._n_decisions,
            "n_snapshots": self._n_snapshots,
            "results": self._results,
            "learner": self.learner.state(),
            "past_selves": [past.network.state_dict() for past in self._past_selves],
            **{
                name: {key: torch.from_numpy(array) for key, array in part.state_arrays().items()}
                for name, part in (("replay", self._replay), ("episodes", self.episodes))
            },
        }
        write_torch_file(path, _KIND, content)

    def load(self, path: Path) -> None:
        """Replace the state of this run by the state that `save` wrote to `path`.

        Raises:
            InputError: the file is missing or damaged, belongs to a run with another seed or other
                settings, or does not fit the games of this run.
        """
        state = read_torch_file(path, _KIND, _REMEDY)
        saved_for = state.get("settings"), state.get("seed"), len(state.get("past_selves", ()))
        if saved_for != (self.settings.model_dump_json(), self._seed, len(self._past_selves)):
            problem = "the file belongs to a run with another seed or other settings"
            raise InputError(problem, place=path, remedy=_REMEDY)
        try:
            self.learner.restore(state["learner"])
            for past, weights in zip(self._past_selves, state["past_selves"], strict=True):
                past.network.load_state_dict(weights)
            self._replay.restore(state["replay"])
            self.episodes.restore(state["episodes"])
            self.n_steps = state["n_steps"]
            self._n_decisions = state["n_decisions"]
            self._n_snapshots = state["n_snapshots"]
            self._results = dict(state["results"])
        except (KeyError, ValueError, TypeError, RuntimeError) as error:
            problem = f"the file does not fit this run ({error})"
            raise InputError(problem, place=path, remedy=_REMEDY) from error


def pilot_of(trainer: Trainer, name: str) -> DQNPilot:
    """Return an agent with a copy of the run's averaged weights, so training does not change it.

    Args:
        trainer: training run of the agent.
        name: name of the agent in experiments.
    """
    learned = trainer.learner.averaged
    network = QNetwork(learned.architecture)
    network.load_state_dict(learned.state_dict())
    return DQNPilot(name, network.requires_grad_(requires_grad=False))
