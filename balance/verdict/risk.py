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
_LEAST_GAMES = 500

GUARD_MULTIPLES = (2, 4)
"""Multiples of the requested games after which guards alone are judged again."""

GIVE_UP_SHARE = Fraction(1, 4)
"""Share of the requested games before which no certificate is given up as unlikely.

With fewer games one patch in a hundred that passes with all games would be given up.
"""


class Spending(NamedTuple):
    """Schedule of looks, and the share of the risk that is spent up to each of them.

    Attributes:
        ratio: ratio of the games of a look to those of the look before.
        demands: exponent p of the risk ``t^p`` that is spent on demands up to a share t of the
            games (power family of error-spending functions, Kim and DeMets 1987).
        guards: exponent of the risk that is spent on guards.
    """

    ratio: float
    demands: float
    guards: float


# With many games much of the risk is spent early, since they suffice near the edge of a band, too:
# of 80,000 games a patch that is 2 points off needs 2,400 on average, 1.4 times the least that any
# test needs (docs/log.md). Guards near their limits need many games more often than demands do, so
# they spend it later.
_EARLY = Spending(ratio=2**0.5, demands=0.5, guards=1.0)
# With few games the last look gets nearly all of the risk, and with a total, too: its games are
# reserved anyway.
_LATE = Spending(ratio=2.0, demands=3.0, guards=3.0)
_MANY = 40_000  # games per matchup that are many; half of the default


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
    n_games: int, n_seatings: int, risk: float, *, has_total: bool = False
) -> tuple[Look, ...]:
    """Return the looks at the games of a certificate, with the error probability of each.

    Demands are judged after shares of the requested games that rise by the ratio of a `Spending`;
    looks with fewer than `_LEAST_GAMES` games are left out. Guards spend half of the risk at the
    same looks, and the other half at the multiples of the games. With a total number of games they
    spend all of it at the looks at the demands, since no further games are left for them.

    The error probabilities of all looks add up to the risk. Therefore the risk is bounded for any
    dependence between the looks, and for means, shares and medians.

    Args:
        n_games: requested number of games per matchup.
        n_seatings: number of games per seed; looks take place after whole seeds.
        risk: error probability of the whole certificate.
        has_total: whether the games of the certificate are part of a total number of games.

    References:
        K. K. G. Lan, D. L. DeMets, "Discrete sequential boundaries for clinical trials",
        Biometrika 70 (1983).
        K. Kim, D. L. DeMets, "Design and analysis of group sequential tests based on the type I
        error spending rate function", Biometrika 74 (1987).
    """
    spending = _EARLY if n_games >= _MANY and not has_total else _LATE
    multiples = () if has_total else GUARD_MULTIPLES
    of_guards = risk / 2 if multiples else risk
    looks = list[Look]()
    before = 0.0
    for n in _sizes(n_games, n_seatings, spending.ratio):
        share = n / n_games
        demands = risk * (share**spending.demands - before**spending.demands)
        guards = of_guards * (share**spending.guards - before**spending.guards)
        looks.append(Look(n, demands, guards))
        before = share
    later = risk / 2 / max(len(multiples), 1)
    return (*looks, *(Look(times * n_games, 0.0, later) for times in multiples))


def _sizes(n_games: int, n_seatings: int, ratio: float) -> list[int]:
    """Return the numbers of games at which a certificate looks, in rising order.

    Args:
        n_games: requested number of games, at the last look.
        n_seatings: number of games per seed.
        ratio: ratio of successive numbers of games.
    """
    sizes = [n_games]
    while (smaller := round(sizes[-1] / ratio / n_seatings) * n_seatings) >= _LEAST_GAMES:
        sizes.append(smaller)
    return sizes[::-1]
