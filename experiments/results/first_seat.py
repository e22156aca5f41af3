"""The share of games that the first of two seats wins, and whether it is out of its band."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import Contest, Demands, FoundPatch, Interval
from balance.band import BandVerdict, band_verdict
from balance.settings import ANY_GROWTH_PP
from balance.target import FIRST_SEAT
from experiments.game import AnyExperiment
from experiments.screen.bands import mark_of
from experiments.screen.wording import entry_of, percent, wanted_words

GUARD = "max_first_seat_pp"
"""The guard on its growth, whose games tell the share today and with a patch."""


class FirstSeat(NamedTuple):
    """The first seat's share of some games, and the band that it should lie in."""

    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    least: float
    most: float
    n: int

    @property
    def verdict(self) -> BandVerdict:
        """Where its interval lies, by the rule for all rates (`balance.band`)."""
        return band_verdict(self.win_rate, self.least, self.most)

    @property
    def mark(self) -> str:
        """As win rates are marked."""
        return mark_of(self.verdict)

    @property
    def is_outside(self) -> bool:
        """Whether the interval lies wholly beyond the band."""
        return self.verdict == "outside"

    @property
    def words(self) -> str:
        """`72.4 ±0.3 % OUT (wanted: 50 ±5)`."""
        marked = f"{percent(self.win_rate)} % {self.mark}".rstrip()
        wanted = wanted_words(self.least, self.most)
        return f"{marked} (wanted: {wanted})" if wanted else marked

    def entry(self) -> dict[str, Any]:
        """As summaries have it."""
        return {
            **entry_of(self.win_rate),
            "n": self.n,
            "band": [round(self.least, 9), round(self.most, 9)],
            "outside": self.is_outside,
            "verdict": self.verdict,
        }


class FirstSeats(NamedTuple):
    """The first seat's share with today's numbers, and with the patch of a run."""

    today: FirstSeat
    patched: FirstSeat

    def entry(self) -> dict[str, Any]:
        """As summaries have it: with the patch, and `before`."""
        return {**self.patched.entry(), "before": self.today.entry()}


def first_seats(experiment: AnyExperiment, run: FoundPatch) -> FirstSeats | None:
    """The first seat's shares in the games of a run's guard; `None` where nobody watched them.

    Args:
        experiment: says the band.
        run: of two seats, or of more.
    """
    bounds = experiment.first_seat_bounds
    guard = next((one for one in run.certificate.guards if one.name == GUARD), None)
    if bounds is None or guard is None:
        return None
    n = guard.n_games * len(run.evaluator.contest.matchups)
    today, patched = (
        FirstSeat(share_of(reading), *bounds, n) for reading in (guard.before, guard.after)
    )
    return FirstSeats(today, patched)


def allows_everything(guard: str, limit: float, *, is_demanded: bool) -> bool:
    """Whether a guard need not be shown: a demand on the first seat says more than its growth.

    Args:
        guard: its name.
        limit: as in `[guards]`.
        is_demanded: whether the target has a goal for the first seat.
    """
    return is_demanded and guard == GUARD and limit >= ANY_GROWTH_PP


def share_of(lead_pp: Interval) -> Interval:
    """A share of games, of a guard's reading: percentage points beyond 50 %."""
    return Interval(*(0.5 + bound / 100 for bound in lead_pp))


def with_first_seat(demands: Demands, contest: Contest) -> Demands:
    """With the first seat's share of the games, for reports; nothing is demanded of it if added.

    Args:
        demands: of a contest.
        contest: of two seats; of more nothing is added.
    """
    if demands.with_first_seat or contest.n_seatings != 2:
        return demands
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
