"""Levers around a centre: what one step of each number, alone, does there to every win rate.

Steps are played on the centre's own seeds. One step flips 3 to 6 games in 100, so the change is
known several times better than the rate; and only matchups that a number can reach are played.
"""

from __future__ import annotations

import numpy as np

from balance.evaluation import Evaluator
from balance.model.features import Features
from balance.model.response import Played
from balance.search_space import Steps
from balance.statistics.arithmetic import logit, steepness
from balance.statistics.intervals import Floats

_HALF_POINTS = 0.5
"""Added to a sum of squares: a step that flips no game may yet flip some."""


def levers_around(
    evaluator: Evaluator,
    features: Features,
    centre: Steps,
    *,
    n_games: int,
    purpose: str,
    side: int,
) -> tuple[Played, int]:
    """Differences of the genomes one step from a centre, and how many games they took in all.

    Args:
        evaluator: knows contest and numbers.
        features: directions of the numbers.
        centre: ``[K]`` a genome.
        n_games: games per matchup of each.
        purpose: names the stream of game seeds.
        side: 1 if the lead whose growth counts is the first seat's, else -1.
    """
    genomes, feature = features.single_steps(centre)
    contest, genes = evaluator.contest, evaluator.space.genes
    reach = contest.matchup_reach(genes)[features.gene[feature]]
    n_matchups = reach.shape[1]
    change, variance = np.zeros((2, len(genomes), n_matchups + 1))
    variance[:] = np.nan
    leads = np.zeros((len(genomes), n_games // 2))
    broken = np.zeros(len(genomes), dtype=np.bool_)
    played = 0
    for m, matchup in enumerate(contest.matchups):
        moved = np.flatnonzero(reach[:, m])
        readings = contest.play(
            np.concatenate([genomes[moved], centre[np.newaxis]]),
            genes,
            n_games=n_games,
            run_seed=evaluator.run_seed,
            purpose=purpose,
            matchups=[matchup],
            threads=evaluator.threads,
            faults="keep",
        )
        played += (len(moved) + 1) * n_games
        broken[moved[[v for v in readings.faults if v < len(moved)]]] = True
        change[moved, m], variance[moved, m] = _logit_change(readings.rates_by_seed()[:, 0])
        first = readings.first_seat_by_seed()
        if first is not None:
            leads[moved] += side * (first[:-1, 0] - first[-1, 0]) / n_matchups
    change[:, -1], variance[:, -1] = leads.mean(axis=1), _variance_of_mean(leads)
    centres = np.repeat(features.read(centre[np.newaxis]), len(genomes), axis=0)
    found = Played(features.read(genomes), centres, np.zeros(len(genomes)), change, variance)
    return found.take(~broken), played


def _logit_change(by_seed: Floats) -> tuple[Floats, Floats]:
    """``[L]`` changes and variances, from ``[L + 1, S]`` rates of each step and of the centre."""
    gained, before = by_seed[:-1] - by_seed[-1], by_seed[-1:].mean(axis=1)
    after = before + gained.mean(axis=1)
    scale = 1 / (steepness(before) * steepness(after))
    return logit(after) - logit(before), _variance_of_mean(gained) * scale


def _variance_of_mean(differences: Floats) -> Floats:
    """``[L]`` variances of means of ``[L, S]`` differences."""
    n = differences.shape[1]
    squares = (differences * differences).sum(axis=1) - n * differences.mean(axis=1) ** 2
    return np.asarray((squares + _HALF_POINTS) / n**2)
