"""A probe of a balance run: a model's first look at what is to be done.

Some of the design's random patches are played, with a stream of their own, and a model of these
says how many steps the smallest patch may take, and how likely it thinks any to do. How long that
took tells how long the rounds of a search may take. Nothing is decided by it.
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
from balance.game_time import time_games, timed
from balance.model.beam import promising
from balance.model.design import games_of_design
from balance.model.features import Features
from balance.model.groundwork import Groundwork
from balance.model.response import Response
from balance.model.state import ModelState
from balance.model.wishes import Wishes
from balance.narrowing import narrow, power_intervals, random_scores, scores_of
from balance.pipeline import within_total
from balance.power import measure_power, n_powers_of
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings
from balance.statistics.intervals import Floats, Positions
from sim.play.table import OF_RULES
from sim.seeds import stream_seed

_DESIGNED = 6  # games of the design are so many times those of the probe
_LEAST_DESIGN = 400
_DESIGN_S = 1.0  # games per matchup of that, and seconds that more may take
_LEAST_POWER = 20  # games of a card


class Probe(NamedTuple):
    """A few games of today's decks and of random patches, and what a model makes of them.

    Attributes:
        game_s: seconds of a game, in a batch of many.
        n_steps: that the smallest patch takes which it expects to do, or the most it looked at.
        does: whether it expects that of any.
        does_narrowed: whether it expects that of any of the cards that narrowing may keep.
        chance: how likely it thinks the likeliest to do.
        round_s: seconds until it had found what to play.
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
    """Play a little, and let a model have a look; see `estimate_run`."""
    settings = within_total(contest, settings)
    seed = stream_seed(settings.seed, "estimate") >> 1
    today, game_s = time_games(contest, seed, threads=threads, clock=clock)
    space = build_space(contest, settings.tune)
    demands = settings.demands_in(contest)
    features = Features.of(space)
    n_matchups = len(contest.matchups)
    n_designed = games_of_design(settings.games, len(features)) // _DESIGNED
    n_designed = max(min(n_designed, int(_DESIGN_S / game_s / n_matchups)), _LEAST_DESIGN)
    games = settings.games.model_copy(update={"design": n_designed})
    evaluator = Evaluator(contest, space, demands, settings.guards, seed, threads, today=today)
    ground = Groundwork(evaluator, games)
    model = ground.model(ModelState.beginning(evaluator))
    wishes = ground.wishes()

    def look(features: Features, wishes: Wishes) -> tuple[Floats, float]:
        found = promising(model, features, space, wishes)
        return found, float(wishes.chance(model, found).max())

    def doing(found: Floats) -> Positions:
        worst, _ = wishes.misses(model.mean(found))
        return np.flatnonzero(worst < demands.band_pp / 100 - wishes.room)

    look(features, replace(wishes, room=-1.0))  # anything will do, so that all is compiled
    (found, chance), round_s = timed(partial(look, features, wishes), clock)
    does = doing(found)
    scores = partial(_power_scores, contest, settings, game_s, seed, threads)
    narrowed = _narrowed(contest, settings, space, features, model, scores)
    does_narrowed = narrowed is features or len(doing(look(narrowed, wishes)[0])) > 0
    n_steps = float(found[does[0] if len(does) else -1].sum())
    return Probe(game_s, n_steps, bool(len(does)), does_narrowed, chance, round_s)


def _narrowed(
    contest: CardContest,
    settings: BalanceSettings,
    space: SearchSpace,
    features: Features,
    model: Response,
    power_scores: Callable[[], dict[int, float]],
) -> Features:
    """Features of the cards that narrowing may keep; by lever the model tells."""
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
    """Card power by fewer games than narrowing plays, each deck piloted by its own agent."""
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
