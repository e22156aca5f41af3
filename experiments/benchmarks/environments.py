"""Steps of a learner's games: legal actions drawn by chance beforehand, then carried out again.

The games are functions of seeds and actions, so a sequence of actions that was legal once is
legal again from the same start. What is measured writes observations, masks and rewards; nobody
chooses anything but the opponent, whose turns are part of the steps.
"""

from __future__ import annotations

import numpy as np

from balance.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, CONTROL, PURPOSE, Task
from sim.environments.episodes import Episodes, Lineup
from sim.seeds import generator, stream_seed

STEPS = 1_024_000  # of all environments together
ENVIRONMENTS = 64
STEPPING = "environment_steps"


def step_task(contest: CardContest) -> Task:
    """`sim.environments.episodes` with games side by side."""
    episodes = learners_games(contest, ENVIRONMENTS)
    episodes.reset()
    start, chance = episodes.state_arrays(), generator(0, f"{PURPOSE}/actions")
    drawn = np.empty((STEPS // ENVIRONMENTS, ENVIRONMENTS), dtype=np.int64)
    for actions in drawn:
        wishes = np.where(episodes.masks, chance.random(episodes.masks.shape), -1.0)
        actions[:] = wishes.argmax(axis=1)
        episodes.step(actions)

    def run() -> None:
        episodes.restore(start)
        for actions in drawn:
            episodes.step(actions)

    return Task(STEPPING, "steps", drawn.size, run)


def learners_games(
    contest: CardContest, n_environments: int, *, skip_forced: bool = False
) -> Episodes:
    """Aggro's deck in the hands of a learner that moves second, against control; to be reset."""
    decks, stream = contest.deck_rows, stream_seed(0, PURPOSE)
    lineup = Lineup(own=decks[AGGRO], enemy=decks[CONTROL], opponent=0, seat=1)
    opponents = [contest.agents[CONTROL]]
    return Episodes(
        contest.table, [lineup], opponents, n_environments, stream, skip_forced=skip_forced
    )
