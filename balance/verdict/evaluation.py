"""Evaluation of candidate patches by games: their scores, and the evaluator."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from balance.contest.contest import Contest
from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.settings.tables import BalanceSettings, Guards
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Floats, Positions
from balance.verdict.guards import guard_violation, read_parts
from balance.verdict.risk import RISK, Look, looks_of, risk_of_try
from sim.arguments import Arguments, AtLeastOne, Seed
from sim.errors import InputError
from sim.short_repr import short_repr

UNPLAYABLE = 1e6
"""Violation of a genome with games that never end: larger than that of any playable genome."""

FARTHEST_PP = 100.0
"""Largest possible distance of a rate from its aim, in percentage points."""

_SETTINGS = Arguments(run_seed=Seed, try_number=AtLeastOne | None)


@dataclass(frozen=True)
class Scores:
    """Scores of ``P`` genomes from one batch of games.

    Attributes:
        win_rate: rates of the contest, shape ``[P, R]``.
        imbalance_pp: largest distance of a demanded rate from its aim, in percentage points,
            ``[P]``.
        mean_imbalance_pp: mean distance of the demanded rates from their aims, in percentage
            points, ``[P]``.
        change: weighted sum of absolute steps, ``[P]``.
        cards_touched: number of edited cards, ``[P]``.
        size: change plus the weight of the edited cards, ``[P]`` (`SearchSpace.size`).
        violation: largest excess over a guard's limit, in multiples of the limit, plus the number
            of violated constraints of the space, ``[P]``; 0 if nothing is violated, `UNPLAYABLE` if
            games of the genome never end.
    """

    win_rate: Floats
    imbalance_pp: Floats
    mean_imbalance_pp: Floats
    change: Floats
    cards_touched: Counts
    size: Floats
    violation: Floats

    def __repr__(self) -> str:
        return short_repr(self, "imbalance_pp", "change", "cards_touched", "violation")

    @classmethod
    def none(cls, n_rates: int) -> Scores:
        """Return scores with arrays of length 0, to which further scores can be joined.

        Args:
            n_rates: number of rates of the contest.
        """
        nothing = np.zeros(0)
        touched = np.zeros(0, dtype=np.int64)
        return cls(np.zeros((0, n_rates)), nothing, nothing, nothing, touched, nothing, nothing)

    def take(self, positions: Positions) -> Scores:
        """Return the scores of the genomes at given positions, in their order."""
        return Scores(
            **{field.name: getattr(self, field.name)[positions] for field in fields(self)}
        )

    def replaced(self, positions: Positions, other: Scores) -> Scores:
        """Return these scores with those of other games at given positions."""
        changed = dict[str, Any]()
        for field in fields(self):
            values = getattr(self, field.name).copy()
            values[positions] = getattr(other, field.name)
            changed[field.name] = values
        return Scores(**changed)

    def joined(self, more: Scores) -> Scores:
        """Return these scores followed by the scores of further genomes."""
        pairs = ([getattr(scores, field.name) for scores in (self, more)] for field in fields(self))
        return Scores(*map(np.concatenate, pairs))


@dataclass(frozen=True)
class Evaluator:
    """Evaluator of genomes, which plays and scores them in batches.

    All genomes of a batch are played on the same seeds, which reduces the variance of differences
    between genomes. Each batch has a different stream of seeds.

    Attributes:
        contest: players and matchups.
        space: search space of the genomes.
        demands: demanded rates and their bounds.
        guards: limits of the guards.
        run_seed: seed of the run.
        try_number: number of this certification attempt for its question, from 1; `None` if
            attempts are not counted, so that the attempt gets the whole risk
            (`balance.verdict.risk`).
        today: games of the baseline with which the run begins; candidates are not compared with
            them. `None` if they are unknown.
        has_total: whether the games of a certificate are part of a total number of games, which
            leaves none for the guards alone after the demands are settled.
    """

    contest: Contest
    space: SearchSpace
    demands: Demands
    guards: Guards
    run_seed: int
    try_number: int | None = None
    today: Readings | None = None
    has_total: bool = False

    def __repr__(self) -> str:
        return short_repr(self, "space", "demands", "run_seed", "try_number")

    def __post_init__(self) -> None:
        """Refuse numbers outside their limits, and demands on the rates of another contest.

        Raises:
            InputError: the seed or the attempt number is outside its limits, or the demands are on
                another number of rates than the contest has.
        """
        _SETTINGS.check("Evaluator", vars(self))
        n_rates = len(self.contest.matchups) + self.demands.with_first_seat
        if self.demands.n_rates != n_rates:
            raise InputError(
                f"about {self.demands.n_rates} rates, must be about {n_rates}: one for each "
                "matchup, and one more for the first seat if it is demanded",
                place="demands",
                value=self.demands.n_rates,
                limit=n_rates,
            )

    @classmethod
    def of(
        cls,
        contest: Contest,
        space: SearchSpace,
        settings: BalanceSettings,
        *,
        demands: Demands | None = None,
        try_number: int | None = None,
        today: Readings | None = None,
    ) -> Evaluator:
        """Return the evaluator of a run with given settings.

        Args:
            contest: players and matchups.
            space: search space of the genomes.
            settings: settings of the run.
            demands: demanded rates and their bounds; `None` to derive them from the target.
            try_number: number of this certification attempt; `None` if attempts are not counted.
            today: games of the baseline with which the run begins; `None` if they are unknown.

        Raises:
            InputError: the target does not fit the contest.
        """
        return cls(
            contest,
            space,
            settings.demands_in(contest) if demands is None else demands,
            settings.guards,
            settings.seed,
            try_number,
            today,
            has_total=settings.games.total is not None,
        )

    @property
    def risk(self) -> float:
        """Maximum probability of certifying a patch that violates a demand or a guard."""
        return RISK if self.try_number is None else risk_of_try(self.try_number)

    def looks(self, n_games: int) -> tuple[Look, ...]:
        """Return the schedule of interim looks at the games of a certificate.

        Args:
            n_games: maximum number of games per matchup for the demands.
        """
        n_seatings = self.contest.n_seatings
        return looks_of(n_games, n_seatings, self.risk, has_total=self.has_total)

    def games_of(self, n_genomes: int, n_games: int) -> int:
        """Return the total number of games of a batch, over all matchups.

        Args:
            n_genomes: number of genomes of the batch, without the baseline, which is also played.
            n_games: games per matchup.
        """
        return (n_genomes + 1) * n_games * len(self.contest.matchups)

    def play(
        self,
        genomes: Steps,
        *,
        n_games: int,
        purpose: str,
        first_game: int = 0,
        faults: Literal["raise", "keep"] = "raise",
        today: Readings | None = None,
    ) -> Readings:
        """Play genomes and, as the last variant, the baseline.

        Args:
            genomes: genomes to play, shape ``[P, K]``.
            n_games: games per matchup, a multiple of the number of seatings.
            purpose: name of the stream of game seeds.
            first_game: position of the first seed in the stream.
            faults: whether a genome with endless games is refused (`raise`) or recorded (`keep`);
                see `Contest.play`.
            today: games of the baseline on the same seeds, if they were played with other genomes.

        Raises:
            CardFault: games of the baseline never end, or those of a genome if `faults` is
                `"raise"`.
            InputError: the games cannot be split evenly into seatings, or the genomes are outside
                the space.
        """
        n_games = self.contest.checked_games(n_games)
        self.space.check_genomes(genomes)
        n_unedited = 1 if today is None else 0
        unedited = np.zeros((n_unedited, genomes.shape[1]), dtype=np.int16)
        readings = self.contest.play(
            np.concatenate([genomes, unedited]),
            self.space.genes,
            n_games=n_games,
            run_seed=self.run_seed,
            purpose=purpose,
            first_game=first_game,
            faults=faults,
        )
        # A fault of the baseline makes every comparison impossible, so it is never kept.
        if len(genomes) in readings.faults:
            raise readings.faults[len(genomes)]
        return readings if today is None else readings.followed_by(today)

    def score(
        self, genomes: Steps, *, n_games: int, purpose: str, slack: float = 1.0
    ) -> tuple[Scores, Floats]:
        """Play and score genomes; the baseline is played with them, for comparison.

        Args:
            genomes: genomes to play, shape ``[P, K]``.
            n_games: games per matchup, a multiple of the number of seatings.
            purpose: name of the stream of game seeds.
            slack: number of standard errors by which the first-seat guard may be exceeded, so that
                randomness alone seldom violates it.

        Returns:
            The scores, and the points, shape ``[P, R]``. A genome with endless games is
            `UNPLAYABLE`, with 0 points and an imbalance of `FARTHEST_PP`.

        Raises:
            CardFault: games of the baseline never end.
        """
        readings = self.play(genomes, n_games=n_games, purpose=purpose, faults="keep")
        points = self.demands.points(readings)[:-1]
        violation = self.violation(readings, slack=slack)
        scores = self.scores_of(genomes, points / readings.n_games, violation)
        # Scores are overwritten in place: points of 0 would look like a rate of 0 %.
        unplayable = list(readings.faults)
        scores.imbalance_pp[unplayable] = scores.mean_imbalance_pp[unplayable] = FARTHEST_PP
        scores.violation[unplayable] = UNPLAYABLE
        return scores, points

    def violation(self, readings: Readings, *, slack: float = 0.0) -> Floats:
        """Return each genome's largest excess over a guard's limit, shape ``[P]``.

        The unit is that of `guard_violation`: multiples of the limit. Of readings with several
        parts, such as the games of several pilots, the part with the largest excess counts.

        Args:
            readings: games of the genomes, then of the baseline.
            slack: number of standard errors by which the first-seat guard may be exceeded.
        """
        n_genomes = len(readings.points) - 1
        of_parts = [
            guard_violation(self.guards, patched, today, n_genomes, slack=slack)
            for patched, today in read_parts(readings)
        ]
        return np.asarray(np.max(of_parts, axis=0))

    def scores_of(self, genomes: Steps, win_rate: Floats, violation: Floats) -> Scores:
        """Return the scores of genomes that have been played.

        Args:
            genomes: genomes that were played, shape ``[P, K]``.
            win_rate: measured rates of the contest, shape ``[P, R]``.
            violation: largest excess over a guard's limit, ``[P]``, to which the number of violated
                constraints of the space is added.
        """
        distance_pp = self.demands.distance_pp(self.demands.of(win_rate))
        return Scores(
            win_rate=win_rate,
            imbalance_pp=distance_pp.max(axis=1),
            mean_imbalance_pp=distance_pp.mean(axis=1),
            change=self.space.change(genomes),
            cards_touched=self.space.cards_touched(genomes),
            size=self.space.size(genomes),
            violation=violation + self.space.breaches(genomes),
        )
