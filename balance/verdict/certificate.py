"""Certification of a patch on games that no earlier stage used, and reference measurements.

Only a certified patch is called balanced. `truth_of` plays enough games for reference values in
benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from balance.contest.band import BandVerdict
from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.space.search_space import Steps
from balance.statistics.intervals import Flags, Interval
from balance.verdict.evaluation import Evaluator
from balance.verdict.guard import GuardGames
from balance.verdict.guards import GuardVerdict, judge_guards, not_watched
from balance.verdict.risk import GIVE_UP_SHARE, RISK, Look
from sim.arguments import checked
from sim.short_repr import short_repr

Pair = tuple[Readings, Readings]
"""Readings with the patch as first variant, and readings on the same seeds with the baseline as
last variant; both may be one object."""


@dataclass(frozen=True)
class Certificate:
    """Verdict on one patch from games on which no earlier decision was based.

    Attributes:
        certified: whether the interval of every demanded rate lies inside its bounds, and every
            measured guard is verified to hold.
        demands: demanded rates and their bounds, ``[N]``.
        before: baseline rates on the same seeds, ``[N]``.
        after: rates with the patch, with the intervals that decide the verdict, ``[N]``.
        inside: whether each interval of `after` lies inside its bounds, shape ``[N]``.
        outside: whether the 90 % interval of each rate lies wholly outside its bounds, shape
            ``[N]``; a single such rate ends the games.
        before_pp: imbalance of the baseline in percentage points, with its simultaneous 95 %
            interval.
        after_pp: imbalance with the patch in percentage points, with its simultaneous 95 %
            interval.
        confidence: confidence level of each interval in `after`, from the error probability that
            the deciding look spends (`balance.verdict.risk`).
        n_games: number of games per matchup by which the demands are judged.
        guards: verdicts on the guards that the games can measure.
        not_watched: keys of guards that these games cannot measure.
        looks: schedule of the interim looks at the games.
        n_looks: number of looks that were taken, including the last one.
        risk: maximum probability, over all looks, of certifying a patch that breaks a demand or a
            guard.
        try_number: number of this certification attempt for its question, from 1; `None` if
            attempts are not counted.
    """

    certified: bool
    demands: Demands
    before: Interval
    after: Interval
    inside: Flags
    outside: Flags
    before_pp: Interval
    after_pp: Interval
    confidence: float
    n_games: int
    guards: tuple[GuardVerdict, ...]
    not_watched: tuple[str, ...]
    looks: tuple[Look, ...]
    n_looks: int
    risk: float
    try_number: int | None

    def __repr__(self) -> str:
        return short_repr(self, "certified", "n_games", "confidence", "before_pp", "after_pp")

    def as_entry(self) -> dict[str, Any]:
        """Return the risk, the looks at the games, and the imbalance as data for `summary.json`."""
        return {
            "try": self.try_number,
            "risk": self.risk,
            "looks": self.n_looks,
            "most_looks": len(self.looks),
            "n": self.n_games_played,
            "most_n": self.looks[-1].n_games,
            "imbalance_before": self.before_pp.as_entry("pp"),
            "imbalance_after": self.after_pp.as_entry("pp"),
        }

    @property
    def n_games_played(self) -> int:
        """Number of games per matchup played, including games played for the guards alone."""
        return self.looks[self.n_looks - 1].n_games

    @property
    def most_games(self) -> int:
        """Maximum number of games per matchup that the schedule reserves for the demands."""
        return max(look.n_games for look in self.looks if look.demands)

    @property
    def failed(self) -> Flags:
        """Whether each demand keeps the patch from being certified, ``[N]``.

        If the games ended early because one demand is clearly outside its bounds, demands that were
        not verified yet are not counted as failed.
        """
        return ~self.inside if self.n_games == self.most_games else self.outside

    @property
    def verdicts(self) -> tuple[BandVerdict, ...]:
        """Position of each demanded rate's interval relative to its bounds, ``[N]``."""
        return self.demands.verdicts(self.after)

    @property
    def imbalance_pp(self) -> float:
        """Largest distance of a demanded rate from its aim with the patch, in percentage points."""
        return float(self.after_pp.estimate)


@checked(first_side=Literal[-1, 1], purpose=str)
def certify(
    evaluator: Evaluator,
    genome: Steps,
    *,
    n_games: int,
    first_side: int = 1,
    purpose: str = "certify",
) -> tuple[Certificate, Readings]:
    """Return the certificate of one patch, from games on seeds that no earlier decision used.

    Args:
        evaluator: evaluator that plays the patch and the baseline.
        genome: patch as steps from the baseline, shape ``[K]``.
        n_games: maximum number of games per matchup for the demands, a multiple of the number of
            seatings. An early look may settle the verdict with fewer games
            (`balance.verdict.risk.looks_of`); guards may take up to four times as many.
        first_side: 1 if other games than these show an advantage of the first seat, otherwise -1.
        purpose: name of the stream of game seeds.

    Returns:
        The certificate, and the readings of the patch (variant 0) and of the baseline (variant 1)
        in the games by which the demands are judged.

    Raises:
        InputError: an argument is invalid, or the genome is outside the evaluator's space.
    """
    n_games = evaluator.contest.checked_games(n_games)
    evaluator.space.check_genomes(np.asarray(genome)[np.newaxis])

    def play(first_game: int, n_games: int) -> Pair:
        """Play the patch and the baseline on the seeds from position `first_game` on."""
        readings = evaluator.play(
            genome[np.newaxis], n_games=n_games, purpose=purpose, first_game=first_game
        )
        return readings, readings

    certificate, (readings, _) = judge(
        evaluator, play, n_games=n_games, first_side=first_side, no_edits=not genome.any()
    )
    return certificate, readings


def judge(
    evaluator: Evaluator,
    play: Callable[[int, int], Pair],
    *,
    n_games: int,
    first_side: int,
    no_edits: bool = False,
) -> tuple[Certificate, Pair]:
    """Return the certificate for games that no earlier decision used, and the deciding games.

    Games are played in chunks, and each chunk is followed by a look at all games so far. All
    demands must be verified at the same look; the last such look is reported. Each guard may be
    verified at a different look. Games end when all are verified, or when certification has become
    unlikely: after a quarter of `n_games`, the 90 % interval of a demanded rate lies outside its
    bounds, or, after all of them, a guard is measured beyond its limit.

    Args:
        evaluator: evaluator with the demands, the guards and the risk.
        play: function that plays further games, called as `play(first_game, n_games)`.
        n_games: maximum number of games per matchup for the demands.
        first_side: 1 if other games than these show an advantage of the first seat, otherwise -1.
        no_edits: whether the patch has no edits, so that guards hold by definition.

    Returns:
        The certificate, and the readings of the patch and of the baseline in the games by which the
        demands are judged.
    """

    def guard_verdicts(
        look: Look, earlier: tuple[GuardVerdict, ...] = ()
    ) -> tuple[GuardVerdict, ...]:
        """Return the verdicts on the guards from all games so far.

        Args:
            look: current look at the games.
            earlier: verdicts at the previous look; a guard that held there still holds.
        """
        games = GuardGames.of(*played, no_edits=no_edits)
        return judge_guards(
            evaluator.guards, games, look.guards, first_side=first_side, earlier=earlier
        )

    demands = evaluator.demands
    looks = evaluator.looks(n_games)
    played = play(0, looks[0].n_games)
    rates = _rates(demands, played, looks[0])
    guards = guard_verdicts(looks[0])
    n_looks = 1
    while n_looks < len(looks) and not _is_settled(rates, guards, played[0].n_games / n_games):
        look = looks[n_looks]
        # The number of seeds played so far is the position of the next seed in the stream.
        more = play(played[0].n_seeds, look.n_games - played[0].n_games)
        played = played[0].joined(more[0]), played[1].joined(more[1])
        if look.demands:
            later_rates = _rates(demands, played, look)
            # Demands that were all verified at an earlier look stay verified: the looks share the
            # risk, so a later look may confirm the verdict, but does not withdraw it.
            if later_rates.inside.all() or not rates.inside.all():
                rates = later_rates
        guards = guard_verdicts(look, guards)
        n_looks = n_looks + 1
    patched, today = rates.games
    certificate = Certificate(
        certified=bool(rates.inside.all()) and all(guard.holds for guard in guards),
        demands=demands,
        before=demands.read(today, rates.confidence).at(-1),
        after=rates.after,
        inside=rates.inside,
        outside=rates.outside,
        before_pp=demands.imbalance_pp(demands.read(today, demands.joint_confidence).at(-1)),
        after_pp=demands.imbalance_pp(demands.read(patched, demands.joint_confidence).at(0)),
        confidence=rates.confidence,
        n_games=patched.n_games,
        guards=guards,
        not_watched=not_watched(patched),
        looks=looks,
        n_looks=n_looks,
        risk=evaluator.risk,
        try_number=evaluator.try_number,
    )
    return certificate, rates.games


class _Rates(NamedTuple):
    """Demanded rates of a patch at one look at the games.

    Attributes:
        games: readings of the patch and of the baseline so far.
        confidence: confidence level of the intervals at this look.
        after: rates with the patch, ``[N]``.
        inside: whether each interval lies inside its bounds, shape ``[N]``.
        outside: whether the 90 % interval of each rate lies wholly outside its bounds, shape
            ``[N]``.
    """

    games: Pair
    confidence: float
    after: Interval
    inside: Flags
    outside: Flags


def _rates(demands: Demands, games: Pair, look: Look) -> _Rates:
    """Return the demanded rates of a patch at one look, and their positions in their bounds.

    Args:
        demands: demanded rates and their bounds.
        games: readings of the patch and of the baseline so far.
        look: look that sets the confidence level.
    """
    after = demands.read(games[0], look.confidence).at(0)
    outside = demands.fail(demands.read(games[0], 1 - 2 * RISK).at(0))
    return _Rates(games, look.confidence, after, demands.hold(after), outside)


def _is_settled(rates: _Rates, guards: tuple[GuardVerdict, ...], share: float) -> bool:
    """Return whether no further games are needed for the verdict.

    Args:
        rates: demanded rates at the last look at which they were judged.
        guards: verdicts on the guards at the last look.
        share: share of the games for the demands that have been played; more than 1 if games were
            played for the guards alone.

    Returns:
        True if all demands and guards are verified; if the demands are not verified with all games;
        if a 90 % interval lies outside its bounds after a quarter of them; or if a guard is broken
        after all games.
    """
    if not rates.inside.all():
        return share >= 1 or (share >= GIVE_UP_SHARE and bool(rates.outside.any()))
    broken = share >= 1 and any(guard.is_broken for guard in guards)
    return broken or all(guard.holds for guard in guards)


class Truth(NamedTuple):
    """Imbalance and guard violation of a patch, measured with negligible random error.

    Attributes:
        imbalance_pp: largest distance of a demanded rate from its aim, in percentage points.
        violation: excess over the guards' limits, in multiples of the permitted change.
        holds: whether the measured values satisfy every demand and every guard.
    """

    imbalance_pp: float
    violation: float
    holds: bool


def truth_of(evaluator: Evaluator, genome: Steps, n_games: int) -> Truth:
    """Return reference values of a patch from games on the stream of seeds `truth`.

    Args:
        evaluator: evaluator that plays the patch and the baseline.
        genome: patch as steps from the baseline, shape ``[K]``.
        n_games: games per matchup; with 400,000 the 95 % interval of a rate is ±0.15 pp.
    """
    readings = evaluator.play(genome[np.newaxis], n_games=n_games, purpose="truth")
    demands = evaluator.demands
    violation = evaluator.violation(readings)[0]
    rates = demands.of(demands.rates(readings)[0])
    imbalance_pp = float(demands.distance_pp(rates).max())
    is_inside = demands.spare_pp(rates) >= 0
    return Truth(imbalance_pp, float(violation), bool(is_inside and violation == 0))
