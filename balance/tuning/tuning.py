"""Tuning of a learner's weights round by round, and the final test of the result.

The final test uses games that were not used for tuning, and compares the tuned weights with the
initial weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agents.registry import agent_named
from balance.statistics.intervals import Floats, Interval, paired_mean, rate_over_seeds
from balance.tuning.rounds import cma_rounds, cuckoo_rounds
from balance.tuning.settings import SELF, START, Method, TurnSettings
from balance.tuning.trials import Round, Rounds, Trials
from sim.seeds import generator

METHODS: dict[Method, Callable[[int, TurnSettings, np.random.Generator], Rounds]] = {
    "cma": cma_rounds,
    "cuckoo": cuckoo_rounds,
}


class Tuning:
    """Tuning of one learner's weights, which plays one round of games at a time.

    The state of a tuning is determined by the results of its rounds, since the method uses a random
    generator of its own. A new tuning with the same results therefore continues exactly.

    Attributes:
        trials: games in which candidates are compared.
        answers: win rates of the candidates in each round so far, each of shape ``[P]``.
        n_games: number of games so far.
        best: best point so far, shape ``[K]``.
        next_round: round to be played next; `None` if the tuning is finished.
    """

    def __init__(self, trials: Trials, answers: Iterable[Floats] = ()) -> None:
        """Start a tuning, or continue it after the rounds with known win rates.

        Args:
            trials: games in which candidates are compared.
            answers: win rates of the candidates in each round played before, each of shape ``[P]``.

        Raises:
            ValueError: the numbers of rounds or of win rates do not fit this tuning.
        """
        self.trials = trials
        self.answers: list[Floats] = []
        self.n_games: int = 0
        self.best: Floats = np.zeros(trials.space.n_weights)
        self.next_round: Round | None = None
        rng = generator(trials.run_seed, f"tune/{trials.learner.name}")
        settings = trials.settings
        self._rounds = METHODS[settings.method](trials.space.n_weights, settings, rng)
        self._next_round(None)
        for rates in answers:
            self._add_result(rates)

    @property
    def is_done(self) -> bool:
        """Whether the tuning is finished, so that there is no next round."""
        return self.next_round is None

    def play_round(self) -> None:
        """Play the next round and record its win rates; do nothing if the tuning is finished."""
        if self.next_round is not None:
            self._add_result(
                self.trials.rates(self.next_round, f"tune/{self.trials.learner.name}/games")
            )

    def _add_result(self, rates: Floats) -> None:
        """Record the win rates of the current round and advance to the next round.

        Args:
            rates: win rates of the candidates, shape ``[P]``.

        Raises:
            ValueError: the tuning is finished, or the number of win rates is wrong.
        """
        if self.next_round is None or rates.shape != (len(self.next_round.points),):
            raise ValueError("the results do not fit the round that was to be played")
        self.n_games += self.next_round.n_games
        self.answers.append(rates)
        self._next_round(rates)

    def _next_round(self, rates: Floats | None) -> None:
        """Send win rates to the method, and set `next_round` and `best` from its response.

        Args:
            rates: win rates of the current round, shape ``[P]``; `None` before the first round.
        """
        try:
            self.next_round = next(self._rounds) if rates is None else self._rounds.send(rates)
            self.best = self.next_round.best
        except StopIteration as end:
            self.next_round = None
            self.best = end.value


class Verdict(NamedTuple):
    """Result of the final test of tuned weights against one opponent.

    Attributes:
        opponent: name of an agent of the panel, or `start` for the initial weights.
        tuned: win rate of the tuned weights, averaged over the decks.
        start: win rate of the initial weights in the same games.
        gain: `tuned` minus `start`, paired by seed.
        n_games: number of games of the tuned weights, and of the initial weights.
    """

    opponent: str
    tuned: Interval
    start: Interval
    gain: Interval
    n_games: int


def panel_rate(trials: Trials, best: Floats) -> tuple[Interval, int]:
    """Return the win rate of a point's weights against the panel without `self`.

    If the panel has no other agent, the opponent is `start`. Every call uses the same game seeds.

    Args:
        trials: decks, panel and settings of the games.
        best: point of the weights, shape ``[K]``.

    Returns:
        Win rate, and the number of games.
    """
    panel = tuple(name for name in trials.settings.panel if name != SELF) or (START,)
    fixed = _with_panel(trials, panel)
    purpose = f"tune/{trials.learner.name}/evaluate"
    rates = _rates_by_seed(fixed, best, len(panel) * trials.settings.evaluate_games, purpose)
    return rate_over_seeds(rates), 2 * rates.size * len(fixed.places)


def judge(trials: Trials, best: Floats) -> list[Verdict]:
    """Play the final test of tuned weights and return one verdict per opponent.

    The opponents are `start` and the agents of the panel without `self`.

    Args:
        trials: decks, panel and settings of the games.
        best: point of the tuned weights, shape ``[K]``.
    """
    names = dict.fromkeys((START, *(name for name in trials.settings.panel if name != SELF)))
    verdicts = []
    start = np.zeros_like(best)
    for name in names:
        alone = _with_panel(trials, (name,))
        purpose = f"tune/{trials.learner.name}/judge"
        n_games = trials.settings.judge_games
        tuned, initial = (_rates_by_seed(alone, point, n_games, purpose) for point in (best, start))
        verdicts.append(
            Verdict(
                name,
                rate_over_seeds(tuned),
                rate_over_seeds(initial),
                paired_mean(tuned - initial),
                2 * tuned.size * len(alone.places),
            )
        )
    return verdicts


def check_panel(trials: Trials) -> None:
    """Check that the panel contains only `self`, `start` and names of agents.

    Raises:
        InputError: a name is unknown or its agent cannot be built; the message names it.
    """
    for name in trials.settings.panel:
        if name not in {SELF, START}:
            agent_named(name)


def _with_panel(trials: Trials, panel: tuple[str, ...]) -> Trials:
    """Return a copy of the trials with another panel."""
    return replace(trials, settings=trials.settings.model_copy(update={"panel": panel}))


def _rates_by_seed(trials: Trials, point: Floats, n_games: int, purpose: str) -> Floats:
    """Play games of a point's weights, and return the win rate by seed over all kinds of games.

    At least two seeds are played, since an interval needs two.

    Args:
        trials: decks, panel and settings of the games.
        point: point of the weights, shape ``[K]``.
        n_games: minimum number of games.
        purpose: name of the stream of game seeds.

    Returns:
        Win rates, shape ``[S]`` for ``S`` seeds.
    """
    n_places = len(trials.places)
    n_seeds = max(-(-n_games // (2 * n_places)), 2)
    rows = np.stack([np.zeros(n_places, np.int64), np.full(n_places, n_seeds)], axis=1)
    points = trials.points([trials.pilot(point)], trials.panel(point), [rows], purpose)[0]
    return np.asarray(points.reshape(n_places, n_seeds).mean(axis=0) / 2)
