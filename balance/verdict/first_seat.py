"""Win rate of the first seat in games of two seats, and its band."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from balance.contest.band import BandVerdict, band_verdict
from balance.settings.tables import ANY_GROWTH_PP
from balance.statistics.intervals import Interval
from balance.verdict.certificate import Certificate
from balance.verdict.first_seat_guard import FirstSeatGuard


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

    def as_entry(self) -> dict[str, Any]:
        """Return the win rate with band and verdict as data for `summary.json`."""
        return {
            **self.win_rate.as_entry(),
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

    def as_entry(self) -> dict[str, Any]:
        """Return both win rates as data for `summary.json`, the baseline under the key `before`."""
        return {**self.patched.as_entry(), "before": self.today.as_entry()}


def first_seats(
    certificate: Certificate, bounds: tuple[float, float], n_matchups: int
) -> FirstSeats | None:
    """Return the first seat's win rates in the games of the guard on its advantage.

    Args:
        certificate: certificate of the patch.
        bounds: lower and upper end of the band.
        n_matchups: number of matchups of the contest.

    Returns:
        Win rates before and after the patch; `None` if the certificate did not measure the guard.
    """
    for guard in certificate.guards:
        if guard.name == FirstSeatGuard.name:
            n = guard.n_games * n_matchups
            readings = (guard.before, guard.after)
            return FirstSeats(*(FirstSeat(share_of(reading), *bounds, n) for reading in readings))
    return None


def allows_everything(guard: str, limit: float, *, is_demanded: bool) -> bool:
    """Return whether a guard permits any reading, so that reports omit the guard.

    This is the case for the guard on the first seat if the target has a goal for the first seat,
    which is the stricter demand, and `[guards]` sets no limit.

    Args:
        guard: name of the guard.
        limit: limit of the guard, as in `[guards]`.
        is_demanded: whether the target has a goal for the first seat.
    """
    return is_demanded and guard == FirstSeatGuard.name and limit >= ANY_GROWTH_PP


def share_of(lead_pp: Interval) -> Interval:
    """Return the first seat's win rate as a fraction.

    Args:
        lead_pp: reading of the guard on the first seat, in percentage points beyond 50 %.
    """
    return Interval(*(0.5 + bound / 100 for bound in lead_pp))
