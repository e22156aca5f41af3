"""Comparison of observers for learners of Big Two: share of first places after equal training.

`python -m experiments.benchmarks.big_two_learning` trains a network with each observer against
three agents `lowest`, which takes about ten minutes each. Each network is then tested against the
same opponents on fresh deals, each in all four rotations. The script also prints the results of the
scripted agents. Equal players win a quarter of the first places.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from agents.big_two import agent_named, agent_names
from agents.big_two.training import BigTwoTraining
from agents.dqn.settings import TrainSettings
from balance.big_two.big_two_contest import BigTwoContest, BigTwoPlayer
from balance.statistics.intervals import Interval
from experiments.benchmarks.script import run_script
from experiments.screen import percent_between
from sim.big_two.cards import N_SEATS
from sim.big_two.episodes import Reward
from sim.big_two.games import BigTwoAgent
from sim.big_two.observers import BigTwoView, observer_named, observer_names
from sim.big_two.rules import rules_of
from sim.play import using_threads

STEPS = 4_000_000  # about ten minutes of training; chosen by hand
DEALS = 2_500  # 10,000 games, a 95 % interval of about ± 1 percentage point
OPPONENT = "lowest"
_REPORT_EVERY = 500_000  # steps between two lines of progress


def first_places(agent: BigTwoAgent, opponent: str, n_deals: int, run_seed: int) -> Interval:
    """Return the share of games that an agent wins against three opponents of the same kind.

    Args:
        agent: agent that is tested.
        opponent: name of the agent that plays for all three opponents.
        n_deals: number of deals, each of which is played in all four rotations.
        run_seed: seed of the deals.
    """
    others = [BigTwoPlayer(f"{opponent} {k}", agent_named(opponent)) for k in range(1, N_SEATS)]
    contest = BigTwoContest(rules_of(), (BigTwoPlayer("learner", agent), *others))
    with using_threads(1):
        readings = contest.play(
            np.zeros((1, 0), dtype=np.int64),
            (),
            n_games=N_SEATS * n_deals,
            run_seed=run_seed,
            purpose="big_two/judge",
            matchups=contest.matchups[:1],
        )
    return readings.win_rate().at(0, 0)


def train(observer: str, steps: int, run_seed: int, reward: Reward) -> tuple[BigTwoTraining, float]:
    """Train a network for Big Two and print its progress.

    Args:
        observer: name of the observer that computes the observations.
        steps: number of steps of the training.
        run_seed: seed of the training.
        reward: kind of reward at the end of a game.

    Returns:
        The finished training, and the CPU time in seconds.
    """
    training = BigTwoTraining.begin(
        BigTwoView(rules_of(), observer_named(observer)),
        [agent_named(OPPONENT)],
        # Not discounted, since the only reward comes at the end of a game. The memory is halved,
        # since observations of Big Two are six times as long as those of the duel.
        TrainSettings(steps=steps, gamma=1.0, replay=300_000),
        run_seed=run_seed,
        reward=reward,
    )
    began_s = time.process_time()
    trainer = training.trainer
    while not trainer.is_done:
        progress = trainer.run((trainer.n_steps // _REPORT_EVERY + 1) * _REPORT_EVERY)
        share = progress.n_wins / max(progress.n_episodes, 1)
        print(f"  {progress.n_steps:,} steps, {share:.1%} of the games so far were won", flush=True)
    return training, time.process_time() - began_s


def main(
    *,
    observers: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Observers to train with.")
    ] = ",".join(observer_names()),
    steps: Annotated[int, typer.Option(help="Steps of each training.")] = STEPS,
    deals: Annotated[int, typer.Option(help="Deals of the test, four games each.")] = DEALS,
    reward: Annotated[Reward, typer.Option(help="Reward of the training.")] = "first",
    seed: Annotated[int, typer.Option(help="Seed of trainings and tests.")] = 1,
    output: Annotated[Path | None, typer.Option(help="Folder for the pilots.")] = None,
) -> None:
    """Train and test a network with each observer, and print the shares of first places."""
    for name in agent_names():
        print(f"{name}: {result_words(agent_named(name), deals, seed)}", flush=True)
    for observer in observers.split(","):
        training, taken_s = train(observer, steps, seed, reward)
        pilot = training.pilot(observer)
        if output:
            output.mkdir(parents=True, exist_ok=True)
            pilot.save(output / f"{observer}.pt")
        print(
            f"{observer}: {pilot.observer.n_values} values, {training.trainer.n_steps:,} steps in "
            f"{taken_s:.0f} CPU-seconds; {result_words(pilot, deals, seed)}",
            flush=True,
        )


def result_words(agent: BigTwoAgent, n_deals: int, run_seed: int) -> str:
    """Test an agent against three opponents, and return its share of first places in words."""
    won = percent_between(first_places(agent, OPPONENT, n_deals, run_seed))
    return f"first places {won} of {N_SEATS * n_deals:,} games against three {OPPONENT}"


if __name__ == "__main__":
    run_script(main)
