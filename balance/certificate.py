"""Certificates: the only thing that may be called balanced."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.evaluation import Evaluator, GuardReadings, read_guards
from balance.imbalance import imbalance_pp
from balance.intervals import CONFIDENCE, Floats, Interval
from balance.matchups import MatchupCounts
from balance.search_space import Steps
from balance.settings import Guards


def matchup_confidence(n_matchups: int) -> float:
    """Level of each matchup's interval so that all hold together (Bonferroni): 1 - 0.05 / M."""
    return 1 - (1 - CONFIDENCE) / n_matchups


@dataclass(frozen=True)
class GuardVerdict:
    """One guard in the certificate's games; all numbers in one unit.

    Attributes:
        name: as in `[guards]`.
        value: the patch's reading: a share, percentage points, or turns.
        before: today's reading on the same seeds.
        low: the least that is allowed.
        high: the most that is allowed.
    """

    name: str
    value: float
    before: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the reading is within what is allowed."""
        return self.low <= self.value <= self.high


@dataclass(frozen=True)
class Certificate:
    """A verdict on one patch from games that chose nothing.

    Attributes:
        certified: every matchup's interval lies wholly inside its band, and every guard holds.
        targets: ``[M]`` where the win rates should be.
        before: ``[M]`` today's win rates of `a`, on the same seeds.
        after: ``[M]`` the patch's win rates.
        inside: ``[M]`` whether the interval lies in the band.
        guards: verdicts of the guards.
        n_games: games per matchup.
        confidence: of each interval.
    """

    certified: bool
    targets: Floats
    before: Interval
    after: Interval
    inside: npt.NDArray[np.bool_]
    guards: tuple[GuardVerdict, ...]
    n_games: int
    confidence: float

    @property
    def imbalance_pp(self) -> float:
        """Largest distance of a matchup from its target with the patch."""
        return float(imbalance_pp(self.after.estimate, self.targets).max())


def certify(
    evaluator: Evaluator, genome: Steps, *, n_games: int, band_pp: float
) -> tuple[Certificate, MatchupCounts]:
    """Play one patch, once, on seeds that nothing was chosen by.

    Args:
        evaluator: plays genomes; here with the purpose `certify`.
        genome: ``[K]`` the patch.
        n_games: games per matchup, even.
        band_pp: half-width of the band around the targets.

    Returns:
        The certificate, and the counts of the patch (variant 0) and of today (variant 1).
    """
    counts = evaluator.play(genome[np.newaxis], n_games=n_games, purpose="certify")
    return judge(evaluator, counts, counts, band_pp=band_pp), counts


def judge(
    evaluator: Evaluator, patched: MatchupCounts, today: MatchupCounts, *, band_pp: float
) -> Certificate:
    """The verdict on games that chose nothing.

    Args:
        evaluator: knows targets and guards.
        patched: counts whose first variant is the patch.
        today: counts on the same seeds whose last variant is today's cards.
        band_pp: half-width of the band around the targets.
    """
    confidence = matchup_confidence(len(evaluator.targets))
    after, before = patched.win_rate(confidence).at(0), today.win_rate(confidence).at(-1)
    slack = 1e-12  # so that an interval that ends on the band's edge is inside
    low, high = evaluator.targets - band_pp / 100, evaluator.targets + band_pp / 100
    inside = (after.low >= low - slack) & (after.high <= high + slack)
    guards = _verdicts(
        evaluator.guards,
        read_guards(patched).take(slice(1)),
        read_guards(today).take(slice(-1, None)),
    )
    certified = bool(inside.all()) and all(guard.holds for guard in guards)
    return Certificate(
        certified, evaluator.targets, before, after, inside, guards, patched.n_games, confidence
    )


def _verdicts(
    guards: Guards, patched: GuardReadings, today: GuardReadings
) -> tuple[GuardVerdict, ...]:
    """Each guard's reading for the patch and for today, one variant each."""
    draws, draws_before = (float(one.draw_rate[0]) for one in (patched, today))
    seat, seat_before = (float(one.first_seat_pp[0].mean()) for one in (patched, today))
    turns, turns_before = (float(one.median_turns[0]) for one in (patched, today))
    most_seat = abs(seat_before) + guards.max_first_seat_pp
    shift = guards.median_turns
    return (
        GuardVerdict("max_draw_rate", draws, draws_before, 0.0, guards.max_draw_rate),
        GuardVerdict("max_first_seat_pp", seat, seat_before, -most_seat, most_seat),
        GuardVerdict(
            "median_turns",
            turns,
            turns_before,
            turns_before * (1 - shift),
            turns_before * (1 + shift),
        ),
    )
