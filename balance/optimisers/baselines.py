"""Baselines, as optimisers from outside: random patches, and a Bayesian search by trees.

The tree-structured Parzen estimator of optuna is asked in small batches. Its tree is a patch: how
many edits, and of each which number it moves, and how far.

References:
    J. Bergstra, R. Bardenet, Y. Bengio, B. Kegl, "Algorithms for hyper-parameter optimization",
    Advances in Neural Information Processing Systems 24 (2011).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from balance.evolution import repaired
from balance.planting import draw_edits
from balance.question import Question
from balance.search_space import SearchSpace, Steps
from balance.settings import BalanceSettings
from sim.errors import InputError

if TYPE_CHECKING:
    from optuna import Trial

_MOST_STEPS = 6  # of a random patch
_MOST_EDITS = 6  # of a tree
_BATCH = 24
_WORST = 1_000.0  # what a broken guard, rule or limit counts at least


def random_search(question: Question, _settings: BalanceSettings, _n_games: int) -> Steps:
    """``[S, K]`` genomes of one to six steps drawn at random, those nearest to their targets first.

    Args:
        question: what is to be balanced; all its games go into one batch.
    """
    space = question.space
    rng = question.rng
    n_steps = rng.integers(1, _MOST_STEPS + 1, size=max(question.n_affordable, 1))
    drawn = repaired(np.stack([draw_edits(space, int(n), rng) for n in n_steps]), space, rng)
    scores = question.score(drawn)
    return drawn[np.lexsort([scores.change, scores.imbalance_pp, scores.violation])]


def tree_parzen(question: Question, _settings: BalanceSettings, _n_games: int) -> Steps:
    """``[S, K]`` genomes that were played; a point of imbalance and a step of change count alike.

    Args:
        question: what is to be balanced.

    Raises:
        InputError: optuna is not installed.
    """
    require_optuna()
    import optuna  # noqa: PLC0415 (an extra)

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=int(question.rng.integers(2**31)))
    study = optuna.create_study(sampler=sampler)
    played = [np.zeros((0, len(question.space.genes)), np.int16)]
    values = list[float]()
    while n := min(_BATCH, question.n_affordable):
        trials = [study.ask() for _ in range(n)]
        genomes = np.stack([_genome(trial, question.space) for trial in trials])
        scores = question.score(genomes)
        broken = np.where(scores.violation > 0, _WORST + scores.violation, 0.0)
        told = (scores.imbalance_pp + scores.change + broken).tolist()
        for trial, value in zip(trials, told, strict=True):
            study.tell(trial, value)
        played.append(genomes)
        values += told
    return np.concatenate(played)[np.argsort(values, kind="stable")]


def require_optuna() -> None:
    """Refuse to begin what needs optuna, where it is not installed.

    Raises:
        InputError: it is not.
    """
    if find_spec("optuna") is None:
        raise InputError("optimiser 'tpe' needs optuna: pip install 'evenhand[suite]'")


def _genome(trial: Trial, space: SearchSpace) -> Steps:
    """``[K]`` the patch that a trial proposes."""
    genome = np.zeros(len(space.genes), np.int16)
    for edit in range(trial.suggest_int("edits", 1, _MOST_EDITS)):
        k = trial.suggest_categorical(f"number of {edit}", range(len(genome)))
        genome[k] = trial.suggest_int(f"steps of {k}", int(space.low[k]), int(space.high[k]))
    return genome
