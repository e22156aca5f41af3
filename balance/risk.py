"""Risk of a wrong certificate, and its division among attempts and interim looks.

The statement that all demands and guards hold is verified if each of them is verified on its own. A
patch that breaks any of them is certified only if that one is verified by chance, so the risk need
not be divided among them (an intersection-union test). It is divided among the occasions on which
chance may lead to a wrong verdict: the attempts at one question, and the looks of one attempt.

Reference: R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics
24 (1982).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from balance.statistics.intervals import CONFIDENCE

RISK = round(1 - CONFIDENCE, 12)
"""Probability of certifying a patch that should not be, over all attempts at a question."""

# Attempts after this one all get its share, since later shares would vanish as differences of
# floats.
_LAST_TRY = 100
# Games per matchup of an interim look, at least: with fewer, the estimated variance is too
# uncertain for the small error probability of a look.
_LEAST_GAMES = 1_000
_DEMANDS = (Fraction(1, 4), Fraction(1, 2), Fraction(1))
"""Shares of the requested games after which the demands are looked at."""

GUARD_MULTIPLES = (2, 4)
"""Multiples of the requested games after which guards alone are looked at again."""


class Look(NamedTuple):
    """One interim look at the games of a certificate.

    Attributes:
        n_games: games per matchup, from the first game on.
        demands: probability of verifying a demand with a true value on its bound; 0 if the look
            does not judge demands.
        guards: probability of verifying a guard with a true value at its limit.
    """

    n_games: int
    demands: float
    guards: float

    @property
    def confidence(self) -> float:
        """Confidence of the interval of a demanded rate, which may err at either end."""
        return 1 - 2 * self.demands


def risk_of_try(number: int) -> float:
    """Return the share of `RISK` of one attempt: ``1/k³ - 1/(k+1)³`` of it for attempt k.

    After k attempts all but ``1/(k+1)³`` is spent, so something is always left. The first attempt
    gets seven eighths, since most questions are asked once; it needs 4 % more games than with the
    whole risk. The second gets a tenth, for which a patch must lie a third of a percentage point
    further inside its band with 20,000 games.

    Args:
        number: number of the attempt, from 1 on.
    """
    k = min(number, _LAST_TRY)
    return RISK * (1 / k**3 - 1 / (k + 1) ** 3)


def looks_of(
    n_games: int, n_seatings: int, risk: float, guard_multiples: tuple[int, ...] = GUARD_MULTIPLES
) -> tuple[Look, ...]:
    """Return the looks at a certificate's games, with the error probability of each.

    Demands are looked at after a quarter, a half and all of the requested games. The risk spent up
    to a share t of the games is ``risk · t³``, of the power family of error-spending functions (Kim
    and DeMets 1987). Guards spend half of the risk at the same looks, and a quarter each at twice
    and four times the games. The error probabilities of all looks add up to the risk, so the bound
    holds for any dependence between the looks, for means, shares and medians alike. Boundaries from
    the multivariate normal distribution would gain only half a percentage point of power.

    Args:
        n_games: requested games per matchup.
        n_seatings: games per seed; looks take place at whole seeds.
        risk: error probability of the whole certificate.
        guard_multiples: multiples of the games after which guards alone are looked at; they share
            half of the risk.

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
