"""The baseline: what today's numbers come to, from which every response is counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.evaluation import GuardReadings, read_guards
from balance.readings import Readings
from balance.statistics.arithmetic import Floats, logit, ordered_sum, rate, steepness

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
        rates, by_seed = readings.rates[0], readings.rates_by_seed(0)
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
