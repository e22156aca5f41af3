"""Probe of a balancing run: a few games and a small model, for an estimate of the run's cost.

Random patches, as in the initial design, are played on a separate stream of seeds. A model fitted
to them predicts the number of steps of the smallest sufficient patch, and the probability that it
suffices. The duration of proposing candidates predicts that of the search's rounds. No decision of
the run depends on the probe.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import CardContest
from balance.cards.game_time import measure_time, time_games
from balance.cards.narrowing import narrow, power_intervals, random_scores, scores_of
from balance.cards.power import measure_power, n_powers_of
from balance.run.card_question import CardQuestion
from balance.search.model.beam import promising
from balance.search.model.design import games_of_design
from balance.search.model.features import Features
from balance.search.model.initial_design import InitialDesign
from balance.search.model.requirements import Requirements
from balance.search.model.response import Response
from balance.search.model.state import ModelState
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Floats, Positions
from balance.verdict.evaluation import Evaluator
from sim.play.table import OF_RULES
from sim.seeds import stream_seed

# Ratio of the games of the initial design to those of the probe; chosen by hand, not tuned.
_DESIGNED = 6
# Minimum games per matchup of the probe's design; chosen by hand, not tuned.
_LEAST_DESIGN = 400
# Seconds that games beyond the minimum may take, so that an estimate is quick; chosen by hand.
_DESIGN_S = 1.0
# Minimum games per card of the probe's power measurements; chosen by hand, not tuned.
_LEAST_POWER = 20


class Probe(NamedTuple):
    """Predictions about a run from a few games of the baseline and of random patches.

    Attributes:
        game_s: seconds per game in a large batch.
        n_steps: number of steps of the smallest patch that is predicted to suffice, or of the
            largest examined patch if no patch is predicted to suffice.
        does: whether any examined patch is predicted to suffice.
        does_narrowed: whether any examined patch of the cards that narrowing may keep is predicted
            to suffice.
        chance: largest predicted probability of feasibility of the examined patches.
        round_s: seconds that proposing candidates takes.
    """

    game_s: float
    n_steps: float
    does: bool
    does_narrowed: bool
    chance: float
    round_s: float


def probe_run(question: CardQuestion, *, clock: Callable[[], float] = time.perf_counter) -> Probe:
    """Play a few games of a run's contest, and predict the size of the patch from a fitted model.

    Args:
        question: question of the run.
        clock: function that returns the current time in seconds.
    """
    contest = question.contest
    settings = question.settings
    space = question.space
    # The shift is needed since stream seeds have 64 bits and run seeds 63.
    seed = stream_seed(settings.seed, "estimate") >> 1
    today, game_s = time_games(contest, seed, clock=clock)
    demands = question.demands
    features = Features.of(space)
    n_matchups = len(contest.matchups)
    n_designed = games_of_design(settings.games, len(features)) // _DESIGNED
    n_designed = max(min(n_designed, int(_DESIGN_S / game_s / n_matchups)), _LEAST_DESIGN)
    games = settings.games.model_copy(update={"design": n_designed})
    evaluator = Evaluator(contest, space, demands, settings.guards, seed, today=today)
    initial_design = InitialDesign(evaluator, games)
    model = initial_design.model(ModelState.beginning(evaluator))
    requirements = initial_design.requirements()

    def propose(features: Features, requirements: Requirements) -> tuple[Floats, float]:
        """Return promising patches, smallest first, and the largest probability of feasibility."""
        patches = promising(model, features, space, requirements)
        return patches, float(requirements.chance(model, patches).max())

    def sufficient(patches: Floats) -> Positions:
        """Return the positions of the patches that are predicted to suffice with the margin."""
        worst, _ = requirements.misses(model.mean(patches))
        return np.flatnonzero(worst < demands.band_pp / 100 - requirements.room)

    # The first call compiles the code that is timed next. A negative margin makes it end early.
    propose(features, replace(requirements, room=-1.0))
    (patches, chance), round_s = measure_time(partial(propose, features, requirements), clock)
    sufficient_positions = sufficient(patches)
    scores = partial(_power_scores, contest, settings, game_s, seed)
    narrowed = _narrow_features(contest, settings, space, features, model, scores)
    does_narrowed = narrowed is features or len(sufficient(propose(narrowed, requirements)[0])) > 0
    n_steps = float(patches[sufficient_positions[0] if len(sufficient_positions) else -1].sum())
    return Probe(game_s, n_steps, bool(len(sufficient_positions)), does_narrowed, chance, round_s)


def _narrow_features(
    contest: CardContest,
    settings: BalanceSettings,
    space: SearchSpace,
    features: Features,
    model: Response,
    power_scores: Callable[[], dict[int, float]],
) -> Features:
    """Return the features of a model, with those of cards that narrowing would drop fixed at 0.

    Sensitivities are taken from the model instead of being measured. Without narrowing the features
    are returned unchanged.

    Args:
        contest: cards and players.
        settings: settings of the run.
        space: search space before narrowing.
        features: features of the search space.
        model: model that was fitted to the games of the probe.
        power_scores: function that measures the powers of all cards; called only if cards are
            narrowed by power.
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
    contest: CardContest, settings: BalanceSettings, game_s: float, seed: int
) -> dict[int, float]:
    """Return card powers from fewer games than narrowing plays, with each player's own agent.

    Args:
        contest: cards and players.
        settings: settings of the run.
        game_s: seconds per game, which limits the number of games.
        seed: seed of the probe.

    Returns:
        Absolute power per copy by position of the card.
    """
    n_powers = n_powers_of(contest)
    n_games = min(settings.games.power // _DESIGNED, int(_DESIGN_S / game_s / n_powers))
    n_games = max(n_games // 2 * 2, _LEAST_POWER)
    powers = measure_power(
        contest,
        n_games=n_games,
        run_seed=seed,
        baseline=settings.narrow.baseline,
    )
    return scores_of(power_intervals(powers))
