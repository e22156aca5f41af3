"""Win rate of the first seat in games of two seats, and its band."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import Contest, Demands, FoundPatch, Interval
from balance.contest.band import BandVerdict, band_verdict
from balance.contest.target import FIRST_SEAT
from balance.settings.tables import ANY_GROWTH_PP
from balance.verdict.first_seat_guard import FirstSeatGuard
from experiments.game import AnyExperiment
from experiments.screen.verdict_words import marked
from experiments.screen.wording import entry_of, percent, wanted_words

GUARD = FirstSeatGuard.name
"""Name of the guard on the growth of the first seat's advantage; its games measure the win rate."""


class FirstSeat(NamedTuple):
    """Win rate of the first seat with its band.

    Attributes:
        win_rate: win rate of the first seat, as a fraction.
        least: lower end of the band.
        most: upper end of the band.
        n: number of games behind the win rate.
    """

    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    least: float
    most: float
    n: int

    @property
    def verdict(self) -> BandVerdict:
        """Band verdict on the win rate: `inside`, `outside` or `not shown`."""
        return band_verdict(self.win_rate, self.least, self.most)

    @property
    def is_outside(self) -> bool:
        """Whether the whole interval lies outside the band."""
        return self.verdict == "outside"

    @property
    def words(self) -> str:
        """Win rate with mark and band as text, such as `72.4 ±0.3 % OUT (wanted: 50 ±5)`."""
        rate = marked(f"{percent(self.win_rate)} %", self.verdict)
        wanted = wanted_words(self.least, self.most)
        return f"{rate} (wanted: {wanted})" if wanted else rate

    def entry(self) -> dict[str, Any]:
        """Return the win rate with band and verdict as data for `summary.json`."""
        return {
            **entry_of(self.win_rate),
            "n": self.n,
            "band": [round(self.least, 9), round(self.most, 9)],
            "outside": self.is_outside,
            "verdict": self.verdict,
        }


class FirstSeats(NamedTuple):
    """Win rates of the first seat in a balance run.

    Attributes:
        today: win rate with the baseline numbers.
        patched: win rate with the recommended patch.
    """

    today: FirstSeat
    patched: FirstSeat

    def entry(self) -> dict[str, Any]:
        """Return both win rates as data for `summary.json`, the baseline under the key `before`."""
        return {**self.patched.entry(), "before": self.today.entry()}


def first_seats(experiment: AnyExperiment, run: FoundPatch) -> FirstSeats | None:
    """Return the first seat's win rates in the games of the guard on its advantage.

    Args:
        experiment: experiment with the band of the first seat.
        run: balance run with a certificate.

    Returns:
        Win rates before and after the patch; `None` if the experiment has no band for the first
        seat or the certificate did not measure the guard.
    """
    bounds = experiment.first_seat_bounds
    guard = next((guard for guard in run.certificate.guards if guard.name == GUARD), None)
    if bounds is None or guard is None:
        return None
    n = guard.n_games * len(run.evaluator.contest.matchups)
    today, patched = (
        FirstSeat(share_of(reading), *bounds, n) for reading in (guard.before, guard.after)
    )
    return FirstSeats(today, patched)


def allows_everything(guard: str, limit: float, *, is_demanded: bool) -> bool:
    """Return whether a guard permits any reading, so that reports omit the guard.

    This is the case for the guard on the first seat if the target has a goal for the first seat,
    which is the stricter demand, and `[guards]` sets no limit.

    Args:
        guard: name of the guard.
        limit: limit of the guard, as in `[guards]`.
        is_demanded: whether the target has a goal for the first seat.
    """
    return is_demanded and guard == GUARD and limit >= ANY_GROWTH_PP


def share_of(lead_pp: Interval) -> Interval:
    """Return the first seat's win rate as a fraction.

    Args:
        lead_pp: reading of the guard on the first seat, in percentage points beyond 50 %.
    """
    return Interval(*(0.5 + bound / 100 for bound in lead_pp))


def with_first_seat(demands: Demands, contest: Contest) -> Demands:
    """Return demands that also contain the first seat's win rate, for reports.

    Args:
        demands: demands on the rates of the contest.
        contest: contest that determines the number of seats.

    Returns:
        Copy of the demands with the first seat added at the end, with infinite bounds. The demands
        are returned unchanged if they contain the first seat or the contest does not have two
        seats.
    """
    if demands.with_first_seat or contest.n_seatings != 2:
        return demands
    # The first seat's rate is the last column of the weights, which no other demand uses.
    weights = np.zeros((len(demands) + 1, demands.n_rates + 1))
    weights[:-1, :-1] = demands.weights
    weights[-1, -1] = 1.0
    return replace(
        demands,
        names=(*demands.names, FIRST_SEAT),
        weights=weights,
        low=np.append(demands.low, -inf),
        high=np.append(demands.high, inf),
        with_first_seat=True,
    )
