"""Probe of a balancing run: a small design and model, from which the cost of the run is estimated.

Some random patches of the initial design are played on a stream of seeds of their own. A model
fitted to them predicts how many steps the smallest sufficient patch takes, and the probability that
it suffices. The time of the proposal step predicts the time of the search's rounds. No decision of
the run depends on the probe.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.evaluation import Evaluator
from balance.game_time import measure_time, time_games
from balance.model.beam import promising
from balance.model.design import games_of_design
from balance.model.features import Features
from balance.model.initial_design import InitialDesign
from balance.model.requirements import Requirements
from balance.model.response import Response
from balance.model.state import ModelState
from balance.narrowing import narrow, power_intervals, random_scores, scores_of
from balance.pipeline import within_total
from balance.power import measure_power, n_powers_of
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings
from balance.statistics.intervals import Floats, Positions
from sim.play.table import OF_RULES
from sim.seeds import stream_seed

_DESIGNED = 6  # games of the real design divided by those of the probe; chosen by hand
_LEAST_DESIGN = 400  # games per matchup of the probe's design, at least; chosen by hand
_DESIGN_S = 1.0  # seconds that more games than the least may take, so that an estimate is quick
_LEAST_POWER = 20  # games per card of the probe's powers; chosen by hand


class Probe(NamedTuple):
    """Predictions from a few games of the baseline and of random patches.

    Attributes:
        game_s: seconds per game in a large batch.
        n_steps: steps of the smallest patch predicted to suffice, or of the largest examined patch
            if none is.
        does: whether any examined patch is predicted to suffice.
        does_narrowed: whether any patch of the cards that narrowing may keep is.
        chance: largest predicted probability of feasibility.
        round_s: seconds that proposing candidates takes.
    """

    game_s: float
    n_steps: float
    does: bool
    does_narrowed: bool
    chance: float
    round_s: float


def probe_run(
    contest: CardContest,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Probe:
    """Play a few games and fit a model to them; see `estimate_run`.

    Args:
        contest: cards and players.
        settings: settings of the run.
        threads: number of threads; default all cores.
        clock: returns the current time in seconds.
    """
    settings = within_total(contest, settings)
    seed = stream_seed(settings.seed, "estimate") >> 1  # run seeds have 63 bits
    today, game_s = time_games(contest, seed, threads=threads, clock=clock)
    space = build_space(contest, settings.tune)
    demands = settings.demands_in(contest)
    features = Features.of(space)
    n_matchups = len(contest.matchups)
    n_designed = games_of_design(settings.games, len(features)) // _DESIGNED
    n_designed = max(min(n_designed, int(_DESIGN_S / game_s / n_matchups)), _LEAST_DESIGN)
    games = settings.games.model_copy(update={"design": n_designed})
    evaluator = Evaluator(contest, space, demands, settings.guards, seed, threads, today=today)
    initial_design = InitialDesign(evaluator, games)
    model = initial_design.model(ModelState.beginning(evaluator))
    requirements = initial_design.requirements()

    def propose(features: Features, requirements: Requirements) -> tuple[Floats, float]:
        """Return promising patches, and the largest probability that one suffices."""
        patches = promising(model, features, space, requirements)
        return patches, float(requirements.chance(model, patches).max())

    def sufficient(patches: Floats) -> Positions:
        """Return the positions of patches that are predicted to suffice."""
        worst, _ = requirements.misses(model.mean(patches))
        return np.flatnonzero(worst < demands.band_pp / 100 - requirements.room)

    # Without any margin a first call ends soon; it compiles the code that is timed next.
    propose(features, replace(requirements, room=-1.0))
    (patches, chance), round_s = measure_time(partial(propose, features, requirements), clock)
    does = sufficient(patches)
    scores = partial(_power_scores, contest, settings, game_s, seed, threads)
    narrowed = _narrow_features(contest, settings, space, features, model, scores)
    does_narrowed = narrowed is features or len(sufficient(propose(narrowed, requirements)[0])) > 0
    n_steps = float(patches[does[0] if len(does) else -1].sum())
    return Probe(game_s, n_steps, bool(len(does)), does_narrowed, chance, round_s)


def _narrow_features(
    contest: CardContest,
    settings: BalanceSettings,
    space: SearchSpace,
    features: Features,
    model: Response,
    power_scores: Callable[[], dict[int, float]],
) -> Features:
    """Return the features of the cards that narrowing may keep.

    Sensitivities are taken from the model instead of being measured.

    Args:
        contest: cards and players.
        settings: settings of the run.
        space: search space before narrowing.
        features: features of that space.
        model: fitted model.
        power_scores: returns card powers as scores.
    """
    by = settings.narrow.by
    keep = settings.narrow.keep
    if by == "none":
        return features
    owners = space.owners[features.gene]
    if by == "lever":
        steepest = np.abs(model.slopes).max(axis=1)
        scores = {card: float(steepest[owners == card].max(initial=0.0)) for card in space.cards}
    else:
        scores = power_scores() if by == "power" else random_scores(space, settings.seed)
    kept = narrow(contest, space, scores, by=by, keep=keep, decks=settings.tune.decks).kept
    is_kept = np.isin(owners, [*kept, OF_RULES])
    return replace(features, most=np.where(is_kept, features.most, 0))


def _power_scores(
    contest: CardContest, settings: BalanceSettings, game_s: float, seed: int, threads: int | None
) -> dict[int, float]:
    """Return card powers from fewer games than narrowing plays, with each player's own agent."""
    n_powers = n_powers_of(contest)
    n_games = min(settings.games.power // _DESIGNED, int(_DESIGN_S / game_s / n_powers))
    n_games = max(n_games // 2 * 2, _LEAST_POWER)
    powers = measure_power(
        contest,
        n_games=n_games,
        run_seed=seed,
        baseline=settings.narrow.baseline,
        threads=threads,
    )
    return scores_of(power_intervals(powers))
