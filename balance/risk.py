"""Risk of a wrong certificate: how much there is, and what each try and each look may take of it.

That all demands and guards hold is shown where each of them is shown on its own: a patch with any
of them broken is certified only if that one is shown by luck, so the risk need not be divided
among them (an intersection-union test: R. L. Berger, "Multiparameter hypothesis testing and
acceptance sampling", Technometrics 24, 1982). It is divided among the occasions on which luck
may strike: the tries of one question, and the looks of one try.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from balance.statistics.intervals import CONFIDENCE

RISK = round(1 - CONFIDENCE, 12)
"""The chance to certify what should not be, for all tries of a question together."""

_LAST_TRY = 100  # whose share all later ones get, lest it vanish between two floats
_LEAST_GAMES = 1_000  # of a look before the last: fewer tell their own spread badly
_DEMANDS = (Fraction(1, 4), Fraction(1, 2), Fraction(1))
GUARDS_BESIDES = (2, 4)
"""Times the games of the demands after which guards alone are looked at once more."""


class Look(NamedTuple):
    """One judgement of a certificate's games.

    Attributes:
        n_games: per matchup, from the first game on.
        demands: chance to show a demand whose truth is on its bound; 0 where none is judged.
        guards: chance to show a guard whose truth is at its limit.
    """

    n_games: int
    demands: float
    guards: float

    @property
    def confidence(self) -> float:
        """Level of the interval of a demanded rate, which may err at either end."""
        return 1 - 2 * self.demands


def risk_of_try(number: int) -> float:
    """What the try of this number may take of `RISK`: ``1/k^3 - 1/(k+1)^3`` of it.

    After k tries all but ``1/(k+1)^3`` is spent, so there is always something left. The first
    gets seven eighths, for most questions are asked once: it needs 4 % more games than if nothing
    were kept for others. The second gets a tenth of that, for which a patch must lie a third
    of a point further inside its band with 20,000 games.

    Args:
        number: 1 for the first.
    """
    k = min(number, _LAST_TRY)
    return RISK * (1 / k**3 - 1 / (k + 1) ** 3)


def looks_of(
    n_games: int, n_seatings: int, risk: float, besides: tuple[int, ...] = GUARDS_BESIDES
) -> tuple[Look, ...]:
    """When a certificate is looked at, and what each look may err.

    Demands are looked at with a quarter, a half and all of the games that were asked for; until a
    share t of them is played ``risk * t^3`` is spent (the power family of error spending). Guards
    spend half of the risk alongside and a quarter each with twice and four times the games. What
    the looks may err adds up to the risk, so it holds however their verdicts hang together, for
    means, shares and medians alike; multivariate normal boundaries would win half a point of power.

    Args:
        n_games: that were asked for, per matchup.
        n_seatings: of each seed; looks are at whole seeds.
        risk: of the whole certificate.
        besides: times the games after which guards alone are looked at; they share half of
            the risk.

    References:
        K. K. G. Lan, D. L. DeMets, "Discrete sequential boundaries for clinical trials",
        Biometrika 70 (1983).
        K. Kim, D. L. DeMets, "Design and analysis of group sequential tests based on the type I
        error spending rate function", Biometrika 74 (1987).
    """
    looks = list[Look]()
    before = Fraction(0)
    for share in _DEMANDS:
        n = n_games if share == 1 else int(n_games * share) // n_seatings * n_seatings
        if share == 1 or n >= _LEAST_GAMES:
            error = risk * float(share**3 - before**3)
            looks.append(Look(n, error, error / 2 if besides else error))
            before = share
    later = risk / 2 / max(len(besides), 1)
    return (*looks, *(Look(times * n_games, 0.0, later) for times in besides))
