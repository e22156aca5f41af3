"""What observers are worth to a learner of Big Two: first places after equal trainings.

`python -m experiments.benchmarks.big_two_learning` trains a network with each observer against
three agents that play lowest first, some ten minutes each, and judges it against the same three on
fresh deals, each in all four rotations, with what scripts do beside. Equal players have a quarter
of the first places.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from agents.big_two import agent_named, agent_names
from agents.big_two.training import BigTwoTraining
from agents.dqn.settings import TrainSettings
from balance.big_two_contest import BigTwoContest, BigTwoPlayer
from balance.statistics.intervals import Interval
from sim.big_two.cards import N_SEATS
from sim.big_two.games import BigTwoAgent
from sim.big_two.observers import BigTwoView, observer_named, observer_names
from sim.big_two.rewards import REWARDS, Reward
from sim.big_two.rules import rules_of

STEPS = 4_000_000
DEALS = 2_500
OPPONENT = "lowest"
JUDGED = "big_two/judge"
_REPORT_EVERY = 500_000


def settings_of(steps: int) -> TrainSettings:
    """The usual ones, but that a reward at the end counts in full, and with a smaller memory."""
    return TrainSettings(steps=steps, gamma=1.0, replay=300_000)


def first_places(agent: BigTwoAgent, opponent: str, n_deals: int, run_seed: int) -> Interval:
    """The share of games that an agent wins against three, each deal in all four rotations."""
    others = [BigTwoPlayer(f"{opponent} {k}", agent_named(opponent)) for k in range(1, N_SEATS)]
    contest = BigTwoContest(rules_of(), (BigTwoPlayer("learner", agent), *others))
    readings = contest.play(
        np.zeros((1, 0), dtype=np.int64),
        (),
        n_games=N_SEATS * n_deals,
        run_seed=run_seed,
        purpose=JUDGED,
        matchups=contest.matchups[:1],
        threads=1,
    )
    return readings.win_rate()


def train(observer: str, steps: int, run_seed: int, reward: Reward) -> tuple[BigTwoTraining, float]:
    """A whole training, and the CPU seconds that it took; says how it comes on."""
    training = BigTwoTraining.begin(
        BigTwoView(rules_of(), observer_named(observer)),
        [agent_named(OPPONENT)],
        settings_of(steps),
        run_seed=run_seed,
        reward=reward,
    )
    began_s, trainer = time.process_time(), training.trainer
    while not trainer.is_done:
        progress = trainer.run((trainer.n_steps // _REPORT_EVERY + 1) * _REPORT_EVERY)
        share = progress.n_wins / max(progress.n_episodes, 1)
        print(f"  {progress.n_steps:,} steps, {share:.1%} of the games so far were won", flush=True)
    return training, time.process_time() - began_s


def main() -> None:
    """Train and judge, observer by observer."""
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("--observers", nargs="+", default=observer_names(), metavar="NAME")
    told.add_argument("--steps", type=int, default=STEPS)
    told.add_argument("--deals", type=int, default=DEALS)
    told.add_argument("--reward", choices=REWARDS, default=REWARDS[0])
    told.add_argument("--seed", type=int, default=1)
    told.add_argument("--output", type=Path, help="folder for the pilots")
    asked = told.parse_args()
    for name in agent_names():
        print(f"{name}: {judged(agent_named(name), asked.deals, asked.seed)}", flush=True)
    for observer in asked.observers:
        training, taken_s = train(observer, asked.steps, asked.seed, asked.reward)
        pilot = training.pilot(observer)
        if asked.output:
            asked.output.mkdir(parents=True, exist_ok=True)
            pilot.save(asked.output / f"{observer}.pt")
        print(
            f"{observer}: {pilot.observer.n_values} values, {training.trainer.n_steps:,} steps in "
            f"{taken_s:.0f} CPU-seconds; {judged(pilot, asked.deals, asked.seed)}",
            flush=True,
        )


def judged(agent: BigTwoAgent, n_deals: int, run_seed: int) -> str:
    """How an agent does against three opponents, in words."""
    won = first_places(agent, OPPONENT, n_deals, run_seed)
    estimate, low, high = (float(np.ravel(one)[0]) for one in (won.estimate, won.low, won.high))
    return (
        f"first places {estimate:.1%} ({low:.1%} to {high:.1%}) of {N_SEATS * n_deals:,} games "
        f"against three {OPPONENT}"
    )


if __name__ == "__main__":
    main()
