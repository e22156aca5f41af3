"""Baseline optimisers: random patches, and Bayesian optimisation by optuna.

The tree-structured Parzen estimator of optuna proposes small batches of patches. A proposal is a
tree of choices: the number of edits, and for each edit the number that it moves and its steps.

Reference: J. Bergstra, R. Bardenet, Y. Bengio, B. Kegl, "Algorithms for hyper-parameter
optimization", Advances in Neural Information Processing Systems 24 (2011).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from balance.search.evolution import repaired
from balance.search.problem import SearchProblem
from balance.settings.tables import BalanceSettings
from balance.space.random_edits import draw_edits
from balance.space.search_space import SearchSpace, Steps
from sim.errors import InputError

if TYPE_CHECKING:
    from optuna import Trial

# Maximum number of steps of a random patch, and of edits of a proposal. They are as small as the
# patches that solve the problems, because large random patches are hardly ever better. Chosen by
# hand.
_MOST_STEPS = 6
_MOST_EDITS = 6
_BATCH = 24  # proposals that are played together, on the same seeds; chosen by hand
# Penalty of any violation, larger than any possible sum of imbalance (in points) and size (in
# steps).
_WORST = 1_000.0


def random_search(problem: SearchProblem, _settings: BalanceSettings, _n_games: int) -> Steps:
    """Play random patches of one to six steps, and return them, best first, shape [S, K].

    Patches are ordered by guard violation, then imbalance, then size.

    Args:
        problem: balancing problem with a limited number of games, all of which are played in one
            batch.
    """
    space = problem.space
    rng = problem.rng
    n_steps = rng.integers(1, _MOST_STEPS + 1, size=max(problem.n_affordable, 1))
    drawn = repaired(np.stack([draw_edits(space, int(n), rng) for n in n_steps]), space, rng)
    scores = problem.score(drawn)
    return drawn[np.lexsort([scores.size, scores.imbalance_pp, scores.violation])]


def tree_parzen(problem: SearchProblem, _settings: BalanceSettings, _n_games: int) -> Steps:
    """Play the proposals of a tree-structured Parzen estimator, and return them, best first.

    The estimator minimises imbalance in points plus size in steps, plus a penalty for guard
    violations.

    Args:
        problem: balancing problem with a limited number of games, all of which are used.

    Returns:
        Genomes, shape [S, K].

    Raises:
        InputError: optuna is not installed.
    """
    require_optuna()
    import optuna  # noqa: PLC0415 (an optional dependency)

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=int(problem.rng.integers(2**31)))
    study = optuna.create_study(sampler=sampler)
    played = [np.zeros((0, len(problem.space.genes)), np.int16)]
    values = list[float]()
    while n := min(_BATCH, problem.n_affordable):
        trials = [study.ask() for _ in range(n)]
        genomes = np.stack([_genome(trial, problem.space) for trial in trials])
        scores = problem.score(genomes)
        broken = np.where(scores.violation > 0, _WORST + scores.violation, 0.0)
        objectives = (scores.imbalance_pp + scores.size + broken).tolist()
        for trial, objective in zip(trials, objectives, strict=True):
            study.tell(trial, objective)
        played.append(genomes)
        values += objectives
    return np.concatenate(played)[np.argsort(values, kind="stable")]


def require_optuna() -> None:
    """Check that the package optuna is installed.

    Raises:
        InputError: optuna is not installed.
    """
    if find_spec("optuna") is None:
        raise InputError(
            "needs the package optuna, which is not installed",
            place="optimiser 'tpe'",
            remedy="run: pip install 'evenhand[suite]'",
            separator=" ",
        )


def _genome(trial: Trial, space: SearchSpace) -> Steps:
    """Return the patch that a trial proposes, shape [K].

    Later edits of a number replace earlier ones.

    Args:
        trial: trial of optuna, from which the choices are drawn.
        space: search space with the range of each number.
    """
    genome = np.zeros(len(space.genes), np.int16)
    for edit in range(trial.suggest_int("edits", 1, _MOST_EDITS)):
        k = trial.suggest_categorical(f"number of {edit}", range(len(genome)))
        genome[k] = trial.suggest_int(f"steps of {k}", int(space.low[k]), int(space.high[k]))
    return genome
