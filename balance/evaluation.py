"""Scoring candidates: one batch plays a whole generation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
import numpy.typing as npt

from balance.card_contest import CardContest
from balance.game_length import median_length
from balance.imbalance import imbalance_pp
from balance.matchups import MatchupCounts, play_matchups
from balance.search_space import SearchSpace, Steps
from balance.settings import Guards
from balance.statistics.intervals import Floats

UNPLAYABLE = 1e6
"""The violation of a genome with which some game never ends: worse than any that can be played."""

FARTHEST_PP = 100.0


@dataclass(frozen=True)
class Scores:
    """What ``P`` genomes came to in one batch.

    Attributes:
        win_rate: ``[P, M]`` of player `a`.
        imbalance_pp: ``[P]`` largest distance of a matchup from its target.
        mean_imbalance_pp: ``[P]`` mean distance.
        change: ``[P]`` weighted sum of absolute steps.
        cards_touched: ``[P]`` cards with an edit.
        violation: ``[P]`` how far the guards are broken, in multiples of what they allow; 0 if
            they hold, `UNPLAYABLE` where a card's texts never end.
    """

    win_rate: Floats
    imbalance_pp: Floats
    mean_imbalance_pp: Floats
    change: Floats
    cards_touched: npt.NDArray[np.int64]
    violation: Floats

    @classmethod
    def none(cls, n_matchups: int) -> Scores:
        """The scores of no genomes."""
        nothing = np.zeros(0)
        touched = np.zeros(0, dtype=np.int64)
        return cls(np.zeros((0, n_matchups)), nothing, nothing, nothing, touched, nothing)

    def take(self, positions: npt.NDArray[np.integer]) -> Scores:
        """The scores of some of the genomes."""
        return Scores(
            **{field.name: getattr(self, field.name)[positions] for field in fields(self)}
        )


@dataclass(frozen=True)
class GuardReadings:
    """What the guards watch, for ``V`` variants.

    Attributes:
        draw_rate: ``[V]`` share of drawn games over all matchups.
        first_seat_pp: ``[V, S]`` first seat's win rate over all matchups, less 50 %, by seed.
        median_turns: ``[V]`` median game length (`balance.game_length`).
    """

    draw_rate: Floats
    first_seat_pp: Floats
    median_turns: Floats

    def take(self, variants: slice) -> GuardReadings:
        """The readings of some of the variants."""
        return GuardReadings(*(getattr(self, field.name)[variants] for field in fields(self)))


def read_guards(counts: MatchupCounts) -> GuardReadings:
    """The guards' readings of each variant."""
    return GuardReadings(
        draw_rate=counts.draw_rate().estimate,
        first_seat_pp=100 * (counts.first_seat_by_seed().mean(axis=1) - 0.5),
        median_turns=np.array([median_length(turns) for turns in counts.turns]),
    )


def first_seat_growth(readings: GuardReadings, today: GuardReadings) -> tuple[Floats, Floats]:
    """``[V]`` growth of the first seat's advantage over today's, in points, and its error.

    An advantage is a distance from 50 %, whichever seat has it. The standard error is that of
    the difference between games of equal seed.
    """
    by_seed = _advantage(readings.first_seat_pp) - _advantage(today.first_seat_pp)
    return by_seed.mean(axis=1), by_seed.std(axis=1, ddof=1) / np.sqrt(by_seed.shape[1])


def _advantage(first_seat_pp: Floats) -> Floats:
    """``[V, S]`` by seed, signed so that each variant's mean is positive."""
    turned = np.where(first_seat_pp.mean(axis=1, keepdims=True) < 0, -1.0, 1.0)
    advantage: Floats = turned * first_seat_pp
    return advantage


def guard_violation(
    guards: Guards, readings: GuardReadings, today: GuardReadings, *, forgiveness: float = 0.0
) -> Floats:
    """``[V]`` the worst breach of a guard in multiples of what it allows; 0 if all hold.

    Args:
        guards: the limits.
        readings: of the variants.
        today: of the unmodified cards on the same seeds, one variant.
        forgiveness: standard errors by which the first-seat guard may be missed.
    """
    growth_pp, error_pp = first_seat_growth(readings, today)
    shift = np.abs(readings.median_turns / today.median_turns - 1)
    return worst_breach(guards, readings.draw_rate, growth_pp - forgiveness * error_pp, shift)


def worst_breach(guards: Guards, draw_rate: Floats, growth_pp: Floats, shift: Floats) -> Floats:
    """``[V]`` how far the worst of what guards watch is beyond its limit, in multiples of that.

    Args:
        guards: the limits.
        draw_rate: ``[V]`` share of drawn games.
        growth_pp: ``[V]`` growth of the first seat's advantage.
        shift: ``[V]`` change of the median game length, relative to today's.
    """
    excesses = (
        (draw_rate, guards.max_draw_rate),
        (growth_pp, guards.max_first_seat_pp),
        (shift, guards.median_turns),
    )
    breaches = [np.maximum(value - limit, 0) / max(limit, 1e-3) for value, limit in excesses]
    worst: Floats = np.max(breaches, axis=0)
    return worst


@dataclass(frozen=True)
class Evaluator:
    """Plays genomes against each other's luck: every batch has its own seeds, shared by all.

    Attributes:
        contest: cards and players.
        space: the genes.
        targets: ``[M]`` target win rates.
        guards: the limits.
        run_seed: the run's seed.
        threads: threads to use; default all cores.
    """

    contest: CardContest
    space: SearchSpace
    targets: Floats
    guards: Guards
    run_seed: int
    threads: int | None = None

    def play(
        self,
        genomes: Steps,
        *,
        n_games: int,
        purpose: str,
        first_seed: int = 0,
        faults: Literal["raise", "keep"] = "raise",
    ) -> MatchupCounts:
        """Play ``[P, K]`` genomes and, as the last variant, today's cards.

        Args:
            genomes: what to play.
            n_games: games per matchup, even.
            purpose: names the stream of game seeds.
            first_seed: position of the first one in the stream.
            faults: what to do where card texts never end, see `sim.play.batch.play`.
        """
        with_today = np.concatenate([genomes, np.zeros((1, genomes.shape[1]), dtype=np.int16)])
        return play_matchups(
            self.contest,
            self.contest.table.vary(self.space.genes, with_today),
            n_games=n_games,
            run_seed=self.run_seed,
            purpose=purpose,
            first_seed=first_seed,
            threads=self.threads,
            faults=faults,
        )

    def score(
        self, genomes: Steps, *, n_games: int, purpose: str, forgiveness: float = 1.0
    ) -> tuple[Scores, Floats]:
        """Scores of ``[P, K]`` genomes, and their ``[P, M]`` points.

        Args:
            genomes: what to play.
            n_games: games per matchup, even.
            purpose: names the stream of game seeds.
            forgiveness: standard errors by which the first-seat guard may be missed, so that luck
                alone seldom breaks it.

        Raises:
            CardFault: today's cards never end. A genome with which they do not is `UNPLAYABLE`,
                with no points, as far from every target as can be.
        """
        counts = self.play(genomes, n_games=n_games, purpose=purpose, faults="keep")
        if len(genomes) in counts.faults:
            raise counts.faults[len(genomes)]
        readings = read_guards(counts)
        here, today = readings.take(slice(-1)), readings.take(slice(-1, None))
        violation = guard_violation(self.guards, here, today, forgiveness=forgiveness)
        scores = self.scores_of(genomes, counts, violation)
        for unplayable in counts.faults:
            scores.imbalance_pp[unplayable] = FARTHEST_PP
            scores.mean_imbalance_pp[unplayable] = FARTHEST_PP
            scores.violation[unplayable] = UNPLAYABLE
        return scores, counts.points[:-1]

    def scores_of(self, genomes: Steps, counts: MatchupCounts, violation: Floats) -> Scores:
        """Scores of ``[P, K]`` genomes that have been played.

        Args:
            genomes: what was played.
            counts: what `play` returned.
            violation: ``[P]`` how far the guards are broken.
        """
        win_rate = counts.win_rate().estimate[:-1]
        distance_pp = imbalance_pp(win_rate, self.targets)
        return Scores(
            win_rate=win_rate,
            imbalance_pp=distance_pp.max(axis=1),
            mean_imbalance_pp=distance_pp.mean(axis=1),
            change=self.space.change(genomes),
            cards_touched=self.space.cards_touched(genomes),
            violation=violation,
        )
