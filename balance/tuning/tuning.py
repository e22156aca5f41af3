"""A tuning at work, and what comes of it.

Its method asks questions, which games answer; its state is what was answered. What has come of it
is told by fresh games that chose nothing, beside the weights at the start.
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
    """One learner's tuning, round by round.

    A method draws all its luck from a generator of its own, so the answers that it has got are
    all its state: whoever gives it the same ones again has it where it was.
    """

    def __init__(self, trials: Trials, answers: Iterable[Floats] = ()) -> None:
        """At its beginning, or behind what was answered before.

        Args:
            trials: the games.
            answers: ``[P]`` win rates of each round that has been played.

        Raises:
            ValueError: they are not of this tuning.
        """
        self.trials = trials
        self.answers = list[Floats]()
        self.n_games = 0
        self.best = np.zeros(trials.space.n_weights)
        self.asked: Round | None = None
        rng = generator(trials.run_seed, f"tune/{trials.learner.name}")
        settings = trials.settings
        self._rounds = METHODS[settings.method](trials.space.n_weights, settings, rng)
        self._go_on(None)
        for rates in answers:
            self._take(rates)

    @property
    def is_done(self) -> bool:
        """Whether the method asks no more."""
        return self.asked is None

    def play_round(self) -> None:
        """Play what is asked, if anything is."""
        if self.asked is not None:
            self._take(self.trials.rates(self.asked, f"tune/{self.trials.learner.name}/games"))

    def _take(self, rates: Floats) -> None:
        if self.asked is None or rates.shape != (len(self.asked.points),):
            raise ValueError("these are answers to other questions")
        self.n_games += self.asked.n_games
        self.answers.append(rates)
        self._go_on(rates)

    def _go_on(self, rates: Floats | None) -> None:
        try:
            self.asked = next(self._rounds) if rates is None else self._rounds.send(rates)
            self.best = self.asked.best
        except StopIteration as end:
            self.asked = None
            self.best = end.value


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
    found = []
    start = np.zeros_like(best)
    for name in names:
        alone = _against(trials, (name,))
        purpose = f"tune/{trials.learner.name}/judge"
        n_games = trials.settings.judge_games
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
