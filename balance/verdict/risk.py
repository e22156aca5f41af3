"""Risk of a wrong certificate, and its division among attempts and interim looks.

A patch is certified if each demand and guard is verified separately. A patch that breaks one of
them is certified only if this one is verified by chance. Therefore the risk need not be divided
among demands and guards (an intersection-union test). It is divided among the occasions of a wrong
verdict: the attempts at one question, and the looks of one attempt.

Reference: R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics
24 (1982).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from balance.statistics.intervals import CONFIDENCE

RISK = round(1 - CONFIDENCE, 12)
"""Maximum probability of certifying a patch that breaks a demand or a guard, over all attempts at a
question.
"""

# All attempts after this one get its share, since the differences of floats from which later shares
# are computed would become 0.
_LAST_TRY = 100
# Minimum games per matchup of an interim look: with fewer games the estimated variance is too
# uncertain for the small error probability of a look.
_LEAST_GAMES = 1_000
_DEMANDS = (Fraction(1, 4), Fraction(1, 2), Fraction(1))
"""Shares of the requested games after which demands and guards are judged."""

GUARD_MULTIPLES = (2, 4)
"""Multiples of the requested games after which guards alone are judged again."""


class Look(NamedTuple):
    """Interim look at the games of a certificate.

    Attributes:
        n_games: number of games per matchup that have been played at the look.
        demands: probability of verifying a demand with a true value equal to its bound; 0 if the
            look does not judge demands.
        guards: probability of verifying a guard with a true value equal to its limit.
    """

    n_games: int
    demands: float
    guards: float

    @property
    def confidence(self) -> float:
        """Confidence level of the two-sided interval of a demanded rate, ``1 - 2 · demands``."""
        return 1 - 2 * self.demands


def risk_of_try(number: int) -> float:
    """Return the risk of attempt k at a question: the share ``1/k³ - 1/(k+1)³`` of `RISK`.

    After k attempts the share ``1/(k+1)³`` is left. The first attempt gets seven eighths of the
    risk, since most questions have a single attempt; it needs 4 % more games than with the whole
    risk. The second attempt gets about a tenth: with 20,000 games a patch must then lie a third of
    a percentage point further inside its band. All attempts after the 100th get its share.

    Args:
        number: number of the attempt, from 1.
    """
    k = min(number, _LAST_TRY)
    return RISK * (1 / k**3 - 1 / (k + 1) ** 3)


def looks_of(
    n_games: int, n_seatings: int, risk: float, guard_multiples: tuple[int, ...] = GUARD_MULTIPLES
) -> tuple[Look, ...]:
    """Return the looks at the games of a certificate, with the error probability of each.

    Demands are judged after a quarter, a half and all of the requested games; looks with fewer than
    `_LEAST_GAMES` games are left out. The risk spent up to a share t of the games is ``risk · t³``,
    of the power family of error-spending functions (Kim and DeMets 1987). Guards spend half of the
    risk at the same looks, and the other half at the multiples of the games.

    The error probabilities of all looks add up to the risk. Therefore the risk is bounded for any
    dependence between the looks, and for means, shares and medians. Boundaries from the
    multivariate normal distribution would gain only half a percentage point of power.

    Args:
        n_games: requested number of games per matchup.
        n_seatings: number of games per seed; looks take place after whole seeds.
        risk: error probability of the whole certificate.
        guard_multiples: multiples of the requested games after which guards alone are judged;
            without any, guards spend the whole risk at the looks at the demands.

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
            looks.append(Look(n, error, error / 2 if guard_multiples else error))
            before = share
    later = risk / 2 / max(len(guard_multiples), 1)
    return (*looks, *(Look(times * n_games, 0.0, later) for times in guard_multiples))
