"""Two ways to tune the turn search's weights at equal games: CMA-ES against the cuckoo search.

`python -m experiments.benchmarks.turn_tuning` lets both tune `turn:50` on mirrors of the four plain
decks, from the weights set by hand, 20,000 games a run and 10 seeds; then fresh games, which
chose nothing, tell how each does against those weights, and the two of each seed against each
other. One line a seed; `--first` and `--seeds` split the work.
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
JUDGE_SEED = 20_261_123  # none of the runs' own


def tuned(contest: CardContest, method: Method, seed: int, games: int) -> Tuning:
    """A whole run of one method."""
    learner = Learner(name=method, decks=DUEL, opponents=("self",))
    tuning = Tuning(Trials(contest, learner, TurnSettings(method=method, games=games), seed))
    while not tuning.is_done:
        tuning.play_round()
    return tuning


def rates_against(trials: Trials, agent: Agent, others: Sequence[Agent], n_seeds: int) -> Floats:
    """``[A, n_seeds]`` what an agent gets against each of some others, in the mean of the decks."""
    rates = []
    n_places = len(trials.places)
    rows = np.stack([np.zeros(n_places, int), np.full(n_places, n_seeds)], axis=1)
    for other in others:
        points = trials.points([agent], [other], [rows], "turn_tuning")[0]
        rates.append(points.reshape(n_places, n_seeds).mean(axis=0) / 2)
    return np.array(rates)


def main(
    *,
    games: Annotated[int, typer.Option(min=2_000, help="Of a run.")] = 20_000,
    seeds: Annotated[int, typer.Option(min=1)] = 10,
    first: Annotated[int, typer.Option(help="The first run seed.")] = 1,
    judged: Annotated[int, typer.Option(min=2, help="Seeds of each mirror that judge.")] = 200,
) -> None:
    """Tune, play and print."""
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
        runs = [tuned(contest, method, seed, games) for method in METHODS]
        one, other = (fresh.pilot(run.best, run.trials.learner.name) for run in runs)
        told = [
            *(rates_against(fresh, agent, [start], judged)[0] for agent in (one, other)),
            rates_against(fresh, one, [other], judged)[0],
        ]
        rates = " | ".join(percent_between(rate_over_seeds(rate), "") for rate in told)
        spent = " ".join(f"{run.n_games:,}" for run in runs)
        print(f"{seed} | {rates} | {spent} | {time.perf_counter() - began_s:.0f}", flush=True)


if __name__ == "__main__":
    run_script(main)
