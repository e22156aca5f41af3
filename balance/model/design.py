"""The design: many genomes with random edits, a few games of each on seeds of their own.

Beside it stands the baseline: what today's numbers come to, from which every response is counted.
One game of a genome with twenty edits says something of twenty numbers, where one of a single step
says it of one. So the effects of all numbers are known several times better for the same games
than by moving one number at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.evaluation import Evaluator, GuardReadings, read_guards
from balance.model.features import Features
from balance.readings import Readings
from balance.search_space import Steps
from balance.settings import Games
from balance.statistics.arithmetic import Floats, logit, ordered_sum, rate, steepness
from sim.seeds import generator

N_GAMES = 8
"""Of each genome in a matchup: the more genomes, the less the pairs of their edits hide."""

_N_EDITS = 20  # expected of a genome: more say more of each number, and less of small patches
_N_AT_ONCE = 500  # genomes in one batch
_LEAST_LUCK = 0.3  # of p (1 - p): what few seeds say of their own spread is not trusted below


@dataclass(frozen=True)
class Baseline:
    """Readings of today's numbers.

    Attributes:
        logits: ``[M]`` log-odds of the matchups.
        variance: ``[M]`` of their errors.
        luck: ``[M]`` variance of one game's result, as a share of p (1 - p): both seatings of a
            seed exchange their luck.
        lead: how far the rate of the seat that has the advantage is above 50 %, as a share.
        side: 1 if that is the first seat, else -1.
        lead_variance: of the error of `lead`.
        lead_luck: variance of one game's contribution to it.
        guards: readings of the guards.
    """

    logits: Floats
    variance: Floats
    luck: Floats
    lead: float
    side: int
    lead_variance: float
    lead_luck: float
    guards: GuardReadings

    @classmethod
    def of(cls, readings: Readings) -> Baseline:
        """From readings of which today is the only candidate."""
        rates = readings.rates[0]
        by_seed = readings.rates_by_seed(0)
        per_game = by_seed.var(axis=1, ddof=1) * readings.n_seatings
        luck = np.maximum(per_game / steepness(rates), _LEAST_LUCK)
        first = readings.first_seat_by_seed()
        leads = np.zeros(2) if first is None else first[0].mean(axis=0) - 0.5
        spread = max(float(leads.var(ddof=1)), 1e-4)
        return cls(
            logits=logit(rates),
            variance=luck / (steepness(rates) * readings.n_games),
            luck=luck,
            lead=abs(float(leads.mean())),
            side=1 if leads.mean() >= 0 else -1,
            lead_variance=spread / len(leads),
            lead_luck=spread * readings.n_seatings,
            guards=read_guards(readings),
        )

    def growth_by_rates(self, rates: Floats) -> Floats:
        """``[B]`` growth of the lead that ``[B, M]`` win rates alone bring.

        A seat is worth the same log-odds in every matchup, and the more of the games the nearer
        their matchup is to even: a patch that mends matchups lets the lead grow.
        """
        now, today = (
            ordered_sum(steepness(each)) / len(self.logits) for each in (rates, rate(self.logits))
        )
        return np.asarray(self.lead * (now / today - 1))

    def growth(self, readings: Readings) -> Floats:
        """``[V]`` growth of the lead over today's."""
        first = readings.first_seat_by_seed()
        if first is None:
            return np.zeros(len(readings.points))
        return np.asarray(self.side * (first.mean(axis=(1, 2)) - 0.5) - self.lead)


@dataclass(frozen=True)
class Sample:
    """What ``n`` genomes came to, each in `N_GAMES` of its own.

    Attributes:
        features: ``[n, F]``.
        rates: ``[n, M]`` win rates.
        growth: ``[n]`` of the first seat's lead (`Baseline`).
    """

    features: Floats
    rates: Floats
    growth: Floats


def play_apart(
    evaluator: Evaluator, genomes: Steps, *, n_games: int, purpose: str, first: int = 0
) -> Readings:
    """Play ``[V, K]`` genomes, each on seeds of its own, so that their luck adds up to none.

    Args:
        evaluator: knows contest and numbers.
        genomes: what to play.
        n_games: games per matchup of each.
        purpose: names the stream of game seeds.
        first: how many genomes had their games in this stream before.
    """
    return evaluator.contest.play(
        genomes,
        evaluator.space.genes,
        n_games=n_games,
        run_seed=evaluator.run_seed,
        purpose=purpose,
        first_game=(first + np.arange(len(genomes))) * n_games,
        threads=evaluator.threads,
        faults="keep",
    )


def games_of_design(games: Games, n_features: int) -> int:
    """Games per matchup: if not told, half as many as one step of each feature would take."""
    return max(2, (games.design or games.search * n_features // 2) // N_GAMES) * N_GAMES


def play_design(
    evaluator: Evaluator, features: Features, baseline: Baseline, *, n_games: int
) -> tuple[Sample, int]:
    """Random genomes' results, and how many games they took in a matchup.

    Genomes with which games never end say nothing.

    Args:
        evaluator: knows contest and numbers.
        features: directions of the numbers.
        baseline: today's.
        n_games: games per matchup of all genomes together, about.
    """
    rng = generator(evaluator.run_seed, "search/design")
    n = max(2, n_games // N_GAMES)
    genomes = features.genomes(_random_features(features, n, rng))
    purpose = "search/design"
    samples = []
    for first in range(0, n, _N_AT_ONCE):
        some = genomes[first : first + _N_AT_ONCE]
        readings = play_apart(evaluator, some, n_games=N_GAMES, purpose=purpose, first=first)
        ends = np.array([k for k in range(len(some)) if k not in readings.faults], dtype=np.intp)
        growth = baseline.growth(readings)[ends]
        samples.append(Sample(features.read(some[ends]), readings.rates[ends], growth))
    columns = zip(*(vars(sample).values() for sample in samples), strict=True)
    return Sample(*map(np.concatenate, columns)), n * N_GAMES


def _random_features(features: Features, n: int, rng: np.random.Generator) -> Floats:
    """``[n, F]`` features, all equally likely to move a step; a number drawn both ways stays."""
    chance = min(0.25, _N_EDITS / len(features))
    moves = np.asarray(rng.random((n, len(features))) < chance, dtype=np.float64)
    return np.where(features.against(moves), 0.0, moves)
