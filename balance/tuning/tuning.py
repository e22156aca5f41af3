"""A tuning at work: its method's questions, answered by games; its state is what was answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from balance.statistics.intervals import Floats
from balance.tuning.cma_rounds import cma_rounds
from balance.tuning.cuckoo_rounds import cuckoo_rounds
from balance.tuning.settings import Method, TurnSettings
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
        self.trials, self.answers = trials, list[Floats]()
        self.n_games, self.best = 0, np.zeros(trials.space.n_weights)
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
            purpose = f"tune/{self.trials.learner.name}/games"
            self._take(self.trials.rates(self.asked, purpose))

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
            self.asked, self.best = None, end.value
