"""Scores of candidates: one batch plays a whole generation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from balance.contest import Contest
from balance.demands import Demands
from balance.game_length import median_length
from balance.readings import Readings
from balance.risk import GUARDS_BESIDES, RISK, Look, looks_of, risk_of_try
from balance.search_space import SearchSpace, Steps
from balance.settings import BalanceSettings, Guards
from balance.statistics.intervals import Counts, Floats, Positions
from sim.arguments import Arguments, AtLeastOne, Seed, Threads
from sim.errors import InputError

UNPLAYABLE = 1e6
"""The violation of a genome with which some game never ends: worse than any that can be played."""

FARTHEST_PP = 100.0

_SETTINGS = Arguments(run_seed=Seed, threads=Threads, try_number=AtLeastOne | None)


@dataclass(frozen=True)
class Scores:
    """What ``P`` genomes came to in one batch.

    Attributes:
        win_rate: ``[P, R]`` the rates that demands are about.
        imbalance_pp: ``[P]`` largest distance of a matchup from its target.
        mean_imbalance_pp: ``[P]`` mean distance.
        change: ``[P]`` weighted sum of absolute steps.
        cards_touched: ``[P]`` cards with an edit.
        violation: ``[P]`` how far the guards are broken, in multiples of what they allow, and how
            often the space's constraints; 0 if all hold, `UNPLAYABLE` where a card's texts never
            end.
    """

    win_rate: Floats
    imbalance_pp: Floats
    mean_imbalance_pp: Floats
    change: Floats
    cards_touched: Counts
    violation: Floats

    @classmethod
    def none(cls, n_rates: int) -> Scores:
        """The scores of no genomes."""
        nothing = np.zeros(0)
        touched = np.zeros(0, dtype=np.int64)
        return cls(np.zeros((0, n_rates)), nothing, nothing, nothing, touched, nothing)

    def take(self, positions: Positions) -> Scores:
        """The scores of some of the genomes."""
        return Scores(
            **{field.name: getattr(self, field.name)[positions] for field in fields(self)}
        )

    def joined(self, more: Scores) -> Scores:
        """The scores of these genomes, then of more."""
        pairs = ([getattr(scores, one.name) for scores in (self, more)] for one in fields(self))
        return Scores(*map(np.concatenate, pairs))


@dataclass(frozen=True)
class GuardReadings:
    """What the guards watch, for ``V`` variants; what nobody watched breaks no guard.

    Attributes:
        draw_rate: ``[V]`` share of drawn games over all matchups.
        first_seat_pp: ``[V, S]`` first seat's win rate over all matchups, less 50 %, by seed.
        median_turns: ``[V]`` median game length (`balance.game_length`).
    """

    draw_rate: Floats
    first_seat_pp: Floats
    median_turns: Floats


def read_guards(readings: Readings) -> GuardReadings:
    """The guards' readings of each variant."""
    n = len(readings.points)
    draws = readings.drawn_share()
    first = readings.first_seat_by_seed()
    turns = readings.turns
    return GuardReadings(
        draw_rate=np.zeros(n) if draws is None else draws,
        first_seat_pp=np.zeros((n, 2)) if first is None else 100 * (first.mean(axis=1) - 0.5),
        median_turns=np.ones(n) if turns is None else np.array([*map(median_length, turns)]),
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
    return turned * first_seat_pp


def guard_violation(
    guards: Guards, readings: GuardReadings, today: GuardReadings, *, slack: float = 0.0
) -> Floats:
    """``[V]`` the worst breach of a guard in multiples of what it allows; 0 if all hold.

    Args:
        guards: the limits.
        readings: of the variants.
        today: of the unmodified cards on the same seeds, one variant.
        slack: standard errors by which the first-seat guard may be missed.
    """
    growth_pp, error_pp = first_seat_growth(readings, today)
    shift = np.abs(readings.median_turns / today.median_turns - 1)
    return worst_breach(guards, readings.draw_rate, growth_pp - slack * error_pp, shift)


@dataclass(frozen=True)
class GuardValues:
    """What the guards limit, for ``V`` variants, in the order and the units of `[guards]`.

    Attributes:
        draw_rate: ``[V]`` share of drawn games.
        growth_pp: ``[V]`` growth of the first seat's advantage.
        shift: ``[V]`` change of the median game length, relative to today's.
    """

    draw_rate: Floats
    growth_pp: Floats
    shift: Floats

    def by_guard(self, guards: Guards) -> dict[str, tuple[Floats, float]]:
        """By the key in `[guards]`: ``[V]`` values, and their limit."""
        return {
            "max_draw_rate": (self.draw_rate, guards.max_draw_rate),
            "max_first_seat_pp": (self.growth_pp, guards.max_first_seat_pp),
            "median_turns": (self.shift, guards.median_turns),
        }


def guard_values(readings: GuardReadings, today: GuardReadings) -> GuardValues:
    """What the guards limit, by the estimates alone.

    Args:
        readings: of the variants.
        today: of the unmodified cards on the same seeds, one variant.
    """
    growth_pp, _ = first_seat_growth(readings, today)
    shift = np.abs(readings.median_turns / today.median_turns - 1)
    return GuardValues(readings.draw_rate, growth_pp, shift)


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
    return np.asarray(np.max(breaches, axis=0))


@dataclass(frozen=True)
class Evaluator:
    """Plays genomes against each other's luck: every batch has its own seeds, shared by all.

    Attributes:
        contest: who meets whom.
        space: the genes.
        demands: what the win rates should be.
        guards: the limits.
        run_seed: the run's seed.
        threads: threads to use; default all cores.
        try_number: of which try of its question this is, told from 1 on, if tries are counted;
            else the question is asked once (`balance.risk`).
        today: what today's numbers came to, in games that nothing else is judged by.
        guards_may_play_on: when the demands are told, but not the guards.
    """

    contest: Contest
    space: SearchSpace
    demands: Demands
    guards: Guards
    run_seed: int
    threads: int | None = None
    try_number: int | None = None
    today: Readings | None = None
    guards_may_play_on: bool = True

    def __post_init__(self) -> None:
        """Refuse what does not fit together.

        Raises:
            InputError: seed, threads or try are no such numbers, or the demands are not about this
                contest's rates.
        """
        _SETTINGS.fitting("Evaluator", vars(self))
        n_rates = len(self.contest.matchups) + self.demands.with_first_seat
        if self.demands.n_rates != n_rates:
            raise InputError(
                f"demands: about {self.demands.n_rates} rates, must be {n_rates}: one for each "
                "matchup, and one more for the first seat if it is demanded"
            )

    @classmethod
    def of(
        cls,
        contest: Contest,
        space: SearchSpace,
        settings: BalanceSettings,
        *,
        threads: int | None = None,
        try_number: int | None = None,
        today: Readings | None = None,
    ) -> Evaluator:
        """That of a contest and a space as settings tell demands, guards, seed and games.

        Raises:
            InputError: the target does not fit the contest.
        """
        return cls(
            contest,
            space,
            settings.demands_in(contest),
            settings.guards,
            settings.seed,
            threads,
            try_number,
            today,
            guards_may_play_on=settings.games.total is None,
        )

    @property
    def risk(self) -> float:
        """The chance to certify a patch that breaks a demand or a guard."""
        return RISK if self.try_number is None else risk_of_try(self.try_number)

    def looks(self, n_games: int) -> tuple[Look, ...]:
        """When a certificate that may take so many games per matchup is looked at."""
        besides = GUARDS_BESIDES if self.guards_may_play_on else ()
        return looks_of(n_games, self.contest.n_seatings, self.risk, besides)

    def games_of(self, n_genomes: int, n_games: int) -> int:
        """All games of a batch of so many per matchup; today's numbers are played along."""
        return (n_genomes + 1) * n_games * len(self.contest.matchups)

    def play(
        self,
        genomes: Steps,
        *,
        n_games: int,
        purpose: str,
        first_game: int = 0,
        faults: Literal["raise", "keep"] = "raise",
    ) -> Readings:
        """Play ``[P, K]`` genomes and, as the last variant, today's numbers.

        Args:
            genomes: what to play.
            n_games: games per matchup, equally many in every seating.
            purpose: names the stream of game seeds.
            first_game: position of the first one in the stream.
            faults: what to do with genomes whose games never end, see `Contest.play`.

        Raises:
            CardFault: today's games never end, or those of a genome if `faults` is `"raise"`.
            InputError: the games cannot be split into seatings and seeds, or the genomes are not
                of the space.
        """
        n_games = self.contest.checked_games(n_games)
        self.space.check_genomes(genomes)
        with_today = np.concatenate([genomes, np.zeros((1, genomes.shape[1]), dtype=np.int16)])
        readings = self.contest.play(
            with_today,
            self.space.genes,
            n_games=n_games,
            run_seed=self.run_seed,
            purpose=purpose,
            first_game=first_game,
            threads=self.threads,
            faults=faults,
        )
        if len(genomes) in readings.faults:
            raise readings.faults[len(genomes)]
        return readings

    def score(
        self, genomes: Steps, *, n_games: int, purpose: str, slack: float = 1.0
    ) -> tuple[Scores, Floats]:
        """Scores of ``[P, K]`` genomes, and their ``[P, R]`` points.

        Args:
            genomes: what to play.
            n_games: games per matchup, equally many in every seating.
            purpose: names the stream of game seeds.
            slack: standard errors by which the first-seat guard may be missed, so that luck
                alone seldom breaks it.

        Raises:
            CardFault: today's games never end. A genome with which they do not is `UNPLAYABLE`,
                with no points, as far from every target as can be.
        """
        readings = self.play(genomes, n_games=n_games, purpose=purpose, faults="keep")
        points = self.demands.points(readings)[:-1]
        violation = self.violation(readings, slack=slack)
        scores = self.scores_of(genomes, points / readings.n_games, violation)
        unplayable = list(readings.faults)
        scores.imbalance_pp[unplayable] = scores.mean_imbalance_pp[unplayable] = FARTHEST_PP
        scores.violation[unplayable] = UNPLAYABLE
        return scores, points

    def violation(self, readings: Readings, *, slack: float = 0.0) -> Floats:
        """``[P]`` how far genomes that have been played break the guards (`guard_violation`)."""
        here, today = (read_guards(readings.take(some)) for some in (slice(-1), slice(-1, None)))
        return guard_violation(self.guards, here, today, slack=slack)

    def scores_of(self, genomes: Steps, win_rate: Floats, violation: Floats) -> Scores:
        """Scores of ``[P, K]`` genomes that have been played.

        Args:
            genomes: what was played.
            win_rate: ``[P, R]`` what they came to.
            violation: ``[P]`` how far the guards are broken; breaches of constraints are added.
        """
        distance_pp = self.demands.distance_pp(self.demands.of(win_rate))
        return Scores(
            win_rate=win_rate,
            imbalance_pp=distance_pp.max(axis=1),
            mean_imbalance_pp=distance_pp.mean(axis=1),
            change=self.space.change(genomes),
            cards_touched=self.space.cards_touched(genomes),
            violation=violation + self.space.breaches(genomes),
        )
