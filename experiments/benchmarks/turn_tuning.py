"""Comparison of two tuning methods with equal numbers of games: CMA-ES and the cuckoo search.

`python -m experiments.benchmarks.turn_tuning` tunes `turn:50` by both methods in mirrors of the
four plain decks. A run starts with the weights set by hand and plays 20,000 games; there are 10 run
seeds. Both results of a seed then play fresh games, which were not used for tuning, against the
initial weights and against each other. The script prints one line per seed; `--first` and `--seeds`
divide the work.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer

from balance import CardContest, Learner, load_contest
from balance.statistics.intervals import Floats, rate_over_seeds
from balance.tuning.settings import START, Method, TurnSettings
from balance.tuning.trials import Trials
from balance.tuning.tuning import METHODS, Tuning
from experiments.benchmarks.script import run_script
from experiments.screen import percent_between
from sim.play import Agent

DUEL = ("ember_rush", "tide_keep", "grove_march", "spore_swarm")
JUDGE_SEED = 20_261_123  # seed of the fresh games, different from all run seeds


def tune(contest: CardContest, method: Method, seed: int, games: int) -> Tuning:
    """Tune weights by one method in mirrors of all decks, and return the finished tuning.

    Args:
        contest: contest of the plain decks.
        method: tuning method, `cma` or `cuckoo`.
        seed: seed of the run.
        games: number of games of the run.
    """
    learner = Learner(name=method, decks=DUEL, opponents=("self",))
    tuning = Tuning(Trials(contest, learner, TurnSettings(method=method, games=games), seed))
    while not tuning.is_done:
        tuning.play_round()
    return tuning


def rates_against(trials: Trials, agent: Agent, others: Sequence[Agent], n_seeds: int) -> Floats:
    """Play an agent against others, and return its win rates by opponent and seed.

    Args:
        trials: decks and seed of the games.
        agent: agent that is measured.
        others: opponents, ``A`` of them.
        n_seeds: number of seeds of each kind of games, each played in both seatings.

    Returns:
        Mean win rates over the decks, shape ``[A, n_seeds]``.
    """
    rates = []
    n_places = len(trials.places)
    rows = np.stack([np.zeros(n_places, int), np.full(n_places, n_seeds)], axis=1)
    for other in others:
        points = trials.points([agent], [other], [rows], "turn_tuning")[0]
        rates.append(points.reshape(n_places, n_seeds).mean(axis=0) / 2)
    return np.array(rates)


def main(
    *,
    games: Annotated[int, typer.Option(min=2_000, help="Games of a tuning run.")] = 20_000,
    seeds: Annotated[int, typer.Option(min=1, help="Number of run seeds.")] = 10,
    first: Annotated[int, typer.Option(help="The first run seed.")] = 1,
    judged: Annotated[
        int, typer.Option(min=2, help="Seeds of each mirror in the final test.")
    ] = 200,
) -> None:
    """Tune by both methods, compare the results in fresh games, and print a line per seed."""
    contest = load_contest(*((deck, "greedy") for deck in DUEL))
    fresh = Trials(
        contest,
        Learner(name="judge", decks=DUEL, opponents=("self",)),
        TurnSettings(panel=(START,)),
        JUDGE_SEED,
    )
    (start,) = fresh.panel(np.zeros(fresh.space.n_weights))
    print(f"{8 * judged:,} fresh games each, win rate in %")
    print(
        "seed | CMA against hand | cuckoo against hand | CMA against cuckoo | games | s", flush=True
    )
    for seed in range(first, first + seeds):
        began_s = time.perf_counter()
        runs = [tune(contest, method, seed, games) for method in METHODS]
        cma, cuckoo = (fresh.pilot(run.best, run.trials.learner.name) for run in runs)
        rates_by_seed = [
            *(rates_against(fresh, agent, [start], judged)[0] for agent in (cma, cuckoo)),
            rates_against(fresh, cma, [cuckoo], judged)[0],
        ]
        rates = " | ".join(percent_between(rate_over_seeds(rate), "") for rate in rates_by_seed)
        spent = " ".join(f"{run.n_games:,}" for run in runs)
        print(f"{seed} | {rates} | {spent} | {time.perf_counter() - began_s:.0f}", flush=True)


if __name__ == "__main__":
    run_script(main)
