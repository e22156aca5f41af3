"""What came of a tuning: fresh games that chose nothing, beside the weights at the start."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agents.registry import agent_named
from balance.statistics.intervals import Floats, Interval, paired_mean, rate_over_seeds
from balance.tuning.settings import SELF, START
from balance.tuning.trials import Trials


class Verdict(NamedTuple):
    """How the tuned weights do against one opponent.

    Attributes:
        opponent: an agent of the panel, or `start`: the weights at the start.
        tuned: win rate in the mean of the decks.
        start: that of the weights at the start in the same games; against themselves 0.5 in
            mirrors.
        gain: of the one over the other.
        n_games: of each.
    """

    opponent: str
    tuned: Interval
    start: Interval
    gain: Interval
    n_games: int


def panel_rate(trials: Trials, best: Floats) -> tuple[Interval, int]:
    """The win rate of a point against the panel at its start, and in how many games.

    They are the same games whenever it is asked.
    """
    panel = tuple(name for name in trials.settings.panel if name != SELF) or (START,)
    fixed = _against(trials, panel)
    purpose = f"tune/{trials.learner.name}/evaluate"
    rates = _by_seed(fixed, best, len(panel) * trials.settings.evaluate_games, purpose)
    return rate_over_seeds(rates), 2 * rates.size * len(fixed.places)


def judge(trials: Trials, best: Floats) -> list[Verdict]:
    """Play the tuned weights and those at the start against each of the panel, and each other."""
    names = dict.fromkeys((START, *(name for name in trials.settings.panel if name != SELF)))
    found, start = [], np.zeros_like(best)
    for name in names:
        alone = _against(trials, (name,))
        purpose, n_games = f"tune/{trials.learner.name}/judge", trials.settings.judge_games
        ours, theirs = (_by_seed(alone, one, n_games, purpose) for one in (best, start))
        found.append(
            Verdict(
                name,
                rate_over_seeds(ours),
                rate_over_seeds(theirs),
                paired_mean(ours - theirs),
                2 * ours.size * len(alone.places),
            )
        )
    return found


def check_panel(trials: Trials) -> None:
    """Refuse a panel that names nobody.

    Raises:
        InputError: names who.
    """
    for name in trials.settings.panel:
        if name not in {SELF, START}:
            agent_named(name)


def _against(trials: Trials, panel: tuple[str, ...]) -> Trials:
    return replace(trials, settings=trials.settings.model_copy(update={"panel": panel}))


def _by_seed(trials: Trials, point: Floats, n_games: int, purpose: str) -> Floats:
    """``[S]`` win rate in all games of each seed, at least `n_games` together and two seeds."""
    n_places = len(trials.places)
    n_seeds = max(-(-n_games // (2 * n_places)), 2)
    rows = np.stack([np.zeros(n_places, np.int64), np.full(n_places, n_seeds)], axis=1)
    points = trials.points([trials.pilot(point)], trials.panel(point), [rows], purpose)[0]
    return np.asarray(points.reshape(n_places, n_seeds).mean(axis=0) / 2)
