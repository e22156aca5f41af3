"""Games of an initial design, and the baseline: readings of the unchanged game.

A design plays genomes with many random edits, a few games of each, on different seeds. A game of a
genome with twenty edits is evidence on twenty numbers, while a game of a genome with a single step
is evidence on one. A design therefore measures the effects of all numbers several times more
precisely than the same number of games spent on single steps (decision 0012).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.contest.readings import Readings
from balance.search.model.features import Features
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.arithmetic import Floats, logit, ordered_sum, rate, steepness
from balance.verdict.evaluation import Evaluator
from balance.verdict.guards import GuardReadings, read_guards
from sim.seeds import generator

# Number of games of each genome per matchup, increased to a multiple of the seatings. With fewer
# games per genome a design has more genomes, and effects of pairs of edits average out better: 8
# was better than 16 (decision 0012).
N_GAMES = 8

# Expected number of edits of a genome. More edits measure each number more precisely, but predict
# small patches less well, because pairs of edits matter more. 12, 17 and 25 were compared (decision
# 0012).
_N_EDITS = 20
# Longest move of a number in a genome, as a share of its range, in spaces with wide ranges: one
# step of a number with many values changes hardly a game. Chosen by hand: larger moves saturate the
# win rates.
_SHARE_OF_RANGE = 0.25
# Median number of steps of a range from which a space has wide ranges. Numbers of cards have fewer;
# single wide ranges, as those of rules, do not count.
_WIDE = 8
_N_AT_ONCE = 500  # genomes of one batch, which bounds memory; results do not depend on it
# Minimum variance of a game's result as a share of p (1 - p): few seeds may show nearly no variance
# by chance, and would then be weighted far too much. Chosen by hand.
_LEAST_LUCK = 0.3
# Maximum probability that a genome of a small space moves by a feature: with 0.5 all genomes would
# be far from small patches. Chosen by hand.
_MOST_EDITED = 0.25
# Minimum variance of the lead between seeds: leads that happen to be equal must not count as exact.
# Chosen by hand: one point, squared.
_LEAST_LEAD_SPREAD = 1e-4


@dataclass(frozen=True)
class Baseline:
    """Readings of the unchanged game: ``M`` win rates, the first seat's lead, and the guards.

    The lead is the distance of the first seat's mean win rate from 50 %, so it is never negative.

    Attributes:
        logits: log-odds of the win rates, shape [M].
        variance: variance of the errors of `logits`, shape [M].
        luck: variance of one counted game's result as a share of p (1 - p), at least 0.3, divided
            by the games that it stands for, shape [M]. It is usually below 1, because the two
            seatings of a seed share their randomness.
        lead: the lead, as a share of games.
        side: 1 if the first seat wins at least half of the games, else -1.
        lead_variance: variance of the error of `lead`.
        lead_luck: variance of one game's contribution to the lead.
        guards: draw rate, first seat's lead and game length that the guards compare with, for each
            part of the readings (`Readings.parts`).
    """

    logits: Floats
    variance: Floats
    luck: Floats
    lead: float
    side: int
    lead_variance: float
    lead_luck: float
    guards: tuple[GuardReadings, ...]

    @classmethod
    def of(cls, readings: Readings) -> Baseline:
        """Return the baseline that is computed from readings of the unchanged game.

        Args:
            readings: readings, of which the first variant is the unchanged game.
        """
        rates = readings.rates[0]
        by_seed = readings.rates_by_seed(0)
        per_game = by_seed.var(axis=1, ddof=1) * readings.n_seatings
        luck = np.maximum(per_game / steepness(rates), _LEAST_LUCK / readings.repeats)
        first = readings.first_seat_by_seed()
        leads = np.zeros(2) if first is None else first[0].mean(axis=0) - 0.5
        spread = max(float(leads.var(ddof=1)), _LEAST_LEAD_SPREAD)
        return cls(
            logits=logit(rates),
            variance=luck / (steepness(rates) * readings.n_games),
            luck=luck,
            lead=abs(float(leads.mean())),
            side=1 if leads.mean() >= 0 else -1,
            lead_variance=spread / len(leads),
            lead_luck=spread * readings.n_seatings,
            guards=tuple(read_guards(part.readings) for part in readings.parts),
        )

    def growth_by_rates(self, rates: Floats) -> Floats:
        """Return the growth of the first seat's lead that follows from changed win rates alone.

        The seat is assumed to add the same log-odds d in every matchup. The lead is then about d
        times the mean of p (1 - p), so a patch that moves matchups towards 50 % increases it.

        Args:
            rates: win rates, shape [B, M].

        Returns:
            Growth as a share of games, shape [B].
        """
        n_matchups = len(self.logits)
        after = ordered_sum(steepness(rates)) / n_matchups
        before = ordered_sum(steepness(rate(self.logits))) / n_matchups
        return np.asarray(self.lead * (after / before - 1))

    def growth(self, readings: Readings) -> Floats:
        """Return the growth of the first seat's lead since the baseline, shape [V].

        It is a share of games, and 0 if the readings do not record the winning seats.

        Args:
            readings: readings of V candidates.
        """
        first = readings.first_seat_by_seed()
        if first is None:
            return np.zeros(len(readings.points))
        return np.asarray(self.side * (first.mean(axis=(1, 2)) - 0.5) - self.lead)


@dataclass(frozen=True)
class Sample:
    """Results of the ``n`` genomes of a design.

    Attributes:
        features: features of the genomes, shape [n, F].
        rates: win rates, shape [n, M].
        growth: growth of the first seat's lead against the baseline, shape [n].
        n_games: number of games of each genome per matchup.
    """

    features: Floats
    rates: Floats
    growth: Floats
    n_games: int = N_GAMES


def play_apart(
    evaluator: Evaluator, genomes: Steps, *, n_games: int, purpose: str, first: int = 0
) -> Readings:
    """Play each genome on different seeds, and return the readings of all.

    The errors of genomes are then independent and average out. Games that never end are recorded as
    faults of the readings.

    Args:
        evaluator: provider of the contest, the search space, the run seed and the thread count.
        genomes: genomes to play, shape [V, K].
        n_games: games of each genome per matchup.
        purpose: name of the stream of game seeds.
        first: number of genomes that were already played with this stream, which are skipped.
    """
    return evaluator.contest.play(
        genomes,
        evaluator.space.genes,
        n_games=n_games,
        run_seed=evaluator.run_seed,
        purpose=purpose,
        first_game=(first + np.arange(len(genomes))) * n_games,
        faults="keep",
    )


def games_of_design(games: Games, n_features: int) -> int:
    """Return the number of games per matchup of a design, over all its genomes.

    Args:
        games: games per matchup of each stage; `design` sets the number. If it is 0, the design
            takes half of `search` for each feature.
        n_features: number of features of the search space.

    Returns:
        The number, rounded down to a multiple of `N_GAMES`; at least two times `N_GAMES`.
    """
    return max(2, (games.design or games.search * n_features // 2) // N_GAMES) * N_GAMES


def play_design(
    evaluator: Evaluator, features: Features, baseline: Baseline, *, n_games: int
) -> tuple[Sample, int]:
    """Play a design of random genomes.

    Genomes with games that never end are left out of the sample, but their games are counted.

    Args:
        evaluator: provider of the contest, the search space and the run seed.
        features: the steps that genomes consist of.
        baseline: readings of the unchanged game, from which the growth of the lead is measured.
        n_games: approximate number of games per matchup, over all genomes; at least two genomes
            are played.

    Returns:
        The results, and the number of games played per matchup.
    """
    rng = generator(evaluator.run_seed, "search/design")
    n_seatings = evaluator.contest.n_seatings
    per_genome = max(2, -(-N_GAMES // n_seatings)) * n_seatings  # at least two seeds
    n = max(2, n_games // per_genome)
    genomes = features.genomes(_draw_features(features, n, rng))
    purpose = "search/design"
    samples = []
    for first in range(0, n, _N_AT_ONCE):
        batch = genomes[first : first + _N_AT_ONCE]
        readings = play_apart(evaluator, batch, n_games=per_genome, purpose=purpose, first=first)
        ends = np.array([k for k in range(len(batch)) if k not in readings.faults], dtype=np.intp)
        growth = baseline.growth(readings)[ends]
        samples.append((features.read(batch[ends]), readings.rates[ends], growth))
    known, rates, growths = map(np.concatenate, zip(*samples, strict=True))
    return Sample(known, rates, growths, per_genome), n * per_genome


def _draw_features(features: Features, n: int, rng: np.random.Generator) -> Floats:
    """Return the features of `n` random genomes, shape [n, F].

    Every feature is drawn with the same probability, and moves by one step, or in a space of wide
    ranges by up to `_SHARE_OF_RANGE` of its range. A number stays unchanged if both of its
    directions are drawn.
    """
    chance = min(_MOST_EDITED, _N_EDITS / len(features))
    moves = np.asarray(rng.random((n, len(features))) < chance, dtype=np.float64)
    if np.median(features.most) >= _WIDE:
        longest = np.maximum(features.most * _SHARE_OF_RANGE, 1).astype(np.int64)
        moves *= rng.integers(1, longest + 1, moves.shape)
    return np.where(features.against(moves), 0.0, moves)
