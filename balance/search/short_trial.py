"""Short trial of patches: few games that rule out the patches without a chance of a certificate."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from balance.contest.readings import Readings
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from balance.verdict.evaluation import Evaluator
from balance.verdict.room import needed_room_pp

# Ratio of the selection's games to those of the short trial; chosen by hand, not tuned.
FEW = 5
# Maximum number of standard errors by which a patch may miss its bounds in the short trial: with
# three, about 1 in 1,000 sufficient patches is ruled out by chance.
_ERRORS = 3.0


class ShortTrial(NamedTuple):
    """Games of ``P`` patches in a short trial.

    Attributes:
        played: games of the patches and, as the last variant, of the baseline.
        spare_pp: smallest distance of a rate from its bounds narrowed by the margin that the
            selection requires, in percentage points, ``[P]``.
        may_pass: whether the patch may have enough margin with more games, ``[P]``.
    """

    played: Readings
    spare_pp: Floats
    may_pass: Flags

    @property
    def error_pp(self) -> float:
        """Standard error of a rate near 50 % in the games of the trial, in percentage points."""
        return 50 / sqrt(self.played.n_games)


def few_games(evaluator: Evaluator, games: Games) -> int:
    """Return the number of games per matchup of a short trial.

    The number is a fifth of the selection's games, rounded down to a multiple of the number of
    seatings, but at least two games per seating.

    Args:
        evaluator: evaluator with the contest.
        games: games per matchup of each stage.
    """
    n_seatings = evaluator.contest.n_seatings
    return max(games.select // FEW // n_seatings, 2) * n_seatings


def play_short_trial(
    evaluator: Evaluator, genomes: Steps, games: Games, purpose: str
) -> ShortTrial:
    """Play patches with few games, and judge which of them may pass with more.

    Args:
        evaluator: evaluator that plays and scores genomes.
        genomes: patches to play, shape ``[P, K]``.
        games: games per matchup of each stage.
        purpose: name of the stream of game seeds.
    """
    played = evaluator.play(
        genomes, n_games=few_games(evaluator, games), purpose=purpose, faults="keep"
    )
    demands = evaluator.demands
    rates = demands.of(demands.rates(played)[:-1])
    trial = ShortTrial(
        played,
        spare_pp=demands.spare_pp(rates, needed_room_pp(evaluator, games)),
        may_pass=np.logical_not(genomes.any(axis=1)),  # the baseline itself needs less margin
    )
    trial.may_pass[trial.spare_pp >= -_ERRORS * trial.error_pp] = True
    trial.may_pass[list(played.faults)] = False
    return trial


def nearest_of_each(cards: Counts, distances_pp: Floats, n: int) -> Positions:
    """Return the positions of the patches with the smallest distances of each number of cards.

    Args:
        cards: number of edited cards of each patch, ``[P]``.
        distances_pp: distance of each patch from balance, ``[P]``.
        n: maximum number of patches of each number of cards.
    """
    groups = [np.flatnonzero(cards == count) for count in np.unique(cards)]
    nearest = [group[np.argsort(distances_pp[group], kind="stable")[:n]] for group in groups]
    return np.concatenate([np.zeros(0, dtype=np.intp), *nearest])
