"""Steps of a learner's games: legal actions drawn by chance beforehand, then carried out again.

The games are functions of seeds and actions, so a sequence of actions that was legal once is
legal again from the same start. What is measured writes observations, masks and rewards; nobody
chooses anything but the opponent, whose turns are part of the steps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from balance.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, CONTROL, PURPOSE, Against, Task
from sim.environments.episodes import Episodes, Lineup
from sim.seeds import generator, stream_seed

STEPS = 1_024_000  # of all environments together, where there are many
SINGLE_STEPS = 20_000  # where there is one
MANY = "environment_steps"
SINGLE = "environment_steps_1"

Actions = npt.NDArray[np.int64]
Masks = npt.NDArray[np.bool_]


def step_tasks(contest: CardContest) -> list[Task]:
    """`sim.environments.episodes` with 64 environments, with many more, and with one."""
    against_many = Against(MANY, "64 environments")
    return [
        _steps(MANY, contest, 64, STEPS, None),
        _steps(f"{MANY}_1024", contest, 1024, STEPS, against_many),
        _steps(SINGLE, contest, 1, SINGLE_STEPS, against_many),
    ]


def gymnasium_tasks(contest: CardContest) -> list[Task]:
    """The vector environment of Gymnasium, which must be installed, with one environment."""
    from sim.environments.vector import DuelVectorEnv  # noqa: PLC0415

    aggro, control = contest.players[AGGRO], contest.players[CONTROL]
    environment = DuelVectorEnv(
        1,
        deck=aggro.deck,
        opponent_deck=control.deck,
        opponent=control.agent,
        pool=contest.table.pool,
        ruleset=contest.table.ruleset,
    )

    def step(actions: Actions) -> Masks:
        masks: Masks = environment.step(actions)[-1]["action_mask"]
        return masks

    _, begun = environment.reset(seed=0)
    drawn = _draw_actions(begun["action_mask"], step, SINGLE_STEPS)

    def run() -> None:
        environment.reset(seed=0)
        for actions in drawn:
            environment.step(actions)

    against = Against(SINGLE, "the same without Gymnasium")
    return [Task("vector_env_step_1", "steps", SINGLE_STEPS, run, against)]


def learners_games(
    contest: CardContest, n_environments: int, *, skip_forced: bool = False
) -> Episodes:
    """Aggro's deck in the hands of a learner that moves second, against control; to be reset."""
    decks = contest.deck_rows
    lineup = Lineup(own=decks[AGGRO], enemy=decks[CONTROL], opponent=0, seat=1)
    opponents = [contest.agents[CONTROL]]
    stream = stream_seed(0, PURPOSE)
    return Episodes(
        contest.table, [lineup], opponents, n_environments, stream, skip_forced=skip_forced
    )


def play_randomly(episodes: Episodes, n_steps: int) -> Actions:
    """``[n_steps, N]`` uniformly random legal actions that `episodes` have carried out."""

    def step(actions: Actions) -> Masks:
        episodes.step(actions)
        return episodes.masks

    return _draw_actions(episodes.masks, step, n_steps)


def _steps(
    name: str, contest: CardContest, n_environments: int, n_steps: int, against: Against | None
) -> Task:
    episodes = learners_games(contest, n_environments)
    episodes.reset()
    start = episodes.state_arrays()
    drawn = play_randomly(episodes, n_steps // n_environments)

    def run() -> None:
        episodes.restore(start)
        for actions in drawn:
            episodes.step(actions)

    return Task(name, "steps", drawn.size, run, against)


def _draw_actions(masks: Masks, step: Callable[[Actions], Masks], n_steps: int) -> Actions:
    """``[n_steps, N]`` legal actions, uniformly random; `step` carries them out as they come.

    Args:
        masks: ``[N, A]`` what is legal at first.
        step: carries out ``[N]`` actions; returns what is legal then.
        n_steps: of each environment.
    """
    chance = generator(0, f"{PURPOSE}/actions")
    drawn = np.empty((n_steps, len(masks)), dtype=np.int64)
    for actions in drawn:
        actions[:] = np.where(masks, chance.random(masks.shape), -1.0).argmax(axis=1)
        masks = step(actions)
    return drawn
