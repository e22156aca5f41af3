"""Tuning run, and the test of its result.

A tuning method asks for rounds of games; its state is the results so far. The result is tested in
fresh games, which were not used to choose the weights, and compared with the weights at the start.
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
    """Tuning of one learner, round by round.

    A method draws all its randomness from a generator of its own, so the results so far determine
    its state: a tuning that is given the same results again continues exactly where it was.

    Attributes:
        trials: the games.
        answers: win rates of each round so far, each of shape ``[P]``.
        n_games: number of games so far.
        best: best point so far, shape ``[K]``.
        asked: the round to be played next; `None` at the end.
    """

    def __init__(self, trials: Trials, answers: Iterable[Floats] = ()) -> None:
        """Begin a tuning, or continue one after some rounds.

        Args:
            trials: the games.
            answers: win rates of the rounds that were played, each of shape ``[P]``.

        Raises:
            ValueError: the win rates do not fit the rounds of this tuning.
        """
        self.trials = trials
        self.answers = list[Floats]()
        self.n_games = 0
        self.best = np.zeros(trials.space.n_weights)
        self.next_round: Round | None = None
        rng = generator(trials.run_seed, f"tune/{trials.learner.name}")
        settings = trials.settings
        self._rounds = METHODS[settings.method](trials.space.n_weights, settings, rng)
        self._next_round(None)
        for rates in answers:
            self._add_result(rates)

    @property
    def is_done(self) -> bool:
        """Whether the method asks for no more games."""
        return self.next_round is None

    def play_round(self) -> None:
        """Play the next round, if there is one."""
        if self.next_round is not None:
            self._add_result(
                self.trials.rates(self.next_round, f"tune/{self.trials.learner.name}/games")
            )

    def _add_result(self, rates: Floats) -> None:
        """Record the win rates of the current round and advance to the next one."""
        if self.next_round is None or rates.shape != (len(self.next_round.points),):
            raise ValueError("the results do not fit the round that was to be played")
        self.n_games += self.next_round.n_games
        self.answers.append(rates)
        self._next_round(rates)

    def _next_round(self, rates: Floats | None) -> None:
        """Send win rates to the method, none at the start, and get its next round."""
        try:
            self.next_round = next(self._rounds) if rates is None else self._rounds.send(rates)
            self.best = self.next_round.best
        except StopIteration as end:
            self.next_round = None
            self.best = end.value


class Verdict(NamedTuple):
    """Test of the tuned weights against one opponent.

    Attributes:
        opponent: an agent of the panel, or `start`, the weights at the start.
        tuned: win rate of the tuned weights, averaged over the decks.
        start: win rate of the weights at the start in the same games; 0.5 against themselves in
            mirrors.
        gain: difference of the two, paired by seed.
        n_games: number of games of each.
    """

    opponent: str
    tuned: Interval
    start: Interval
    gain: Interval
    n_games: int


def panel_rate(trials: Trials, best: Floats) -> tuple[Interval, int]:
    """Return a point's win rate against the initial panel, and the number of games.

    Every call plays the same games.

    Args:
        trials: the games.
        best: the point, shape ``[K]``.
    """
    panel = tuple(name for name in trials.settings.panel if name != SELF) or (START,)
    fixed = _with_panel(trials, panel)
    purpose = f"tune/{trials.learner.name}/evaluate"
    rates = _rates_by_seed(fixed, best, len(panel) * trials.settings.evaluate_games, purpose)
    return rate_over_seeds(rates), 2 * rates.size * len(fixed.places)


def judge(trials: Trials, best: Floats) -> list[Verdict]:
    """Test the tuned weights and those at the start against each agent of the panel and `start`.

    Args:
        trials: the games.
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
    """Check that every name of the panel is that of an agent.

    Raises:
        InputError: a name is unknown; names it.
    """
    for name in trials.settings.panel:
        if name not in {SELF, START}:
            agent_named(name)


def _with_panel(trials: Trials, panel: tuple[str, ...]) -> Trials:
    """Return the same trials with another panel."""
    return replace(trials, settings=trials.settings.model_copy(update={"panel": panel}))


def _rates_by_seed(trials: Trials, point: Floats, n_games: int, purpose: str) -> Floats:
    """Return the win rate in all games of each seed, shape ``[S]``.

    At least two seeds and at least `n_games` games are played.
    """
    n_places = len(trials.places)
    n_seeds = max(-(-n_games // (2 * n_places)), 2)
    rows = np.stack([np.zeros(n_places, np.int64), np.full(n_places, n_seeds)], axis=1)
    points = trials.points([trials.pilot(point)], trials.panel(point), [rows], purpose)[0]
    return np.asarray(points.reshape(n_places, n_seeds).mean(axis=0) / 2)
