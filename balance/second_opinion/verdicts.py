"""Looks of a second opinion: growing numbers of games, with a total error of 5 %."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from balance.statistics.intervals import CONFIDENCE
from sim.play import Agent, CompiledAgent

# Most games per matchup of scripts: a second or two for all matchups. It shows rates that are one
# point beyond a bound.
MOST_OF_SCRIPTS = 25_600
MOST_OF_SEARCHES = 640
"""Most games per matchup of search agents, as their games take milliseconds (`turn:200`: 2 to 25
ms). It shows 99.9 % of the rates that are 10 points outside their band, and a third of those in its
middle to be inside; with fewer games wrong patches would stay undecided.
"""

# Least games of all looks together: the first look, an eighth, then has 4 seeds, from which a
# variance can be estimated.
LEAST_GAMES = 64

_ERROR = 1 - CONFIDENCE  # error of either end of the intervals, over all looks
_SHARES = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1))
"""Shares of all games after each look. An eighth, 80 games of a search agent, shows rates that are
25 points outside their band, as is common. More looks would save few games and take error from the
others.
"""


class Look(NamedTuple):
    """One look at a rate.

    Attributes:
        n_games: games per matchup up to this look.
        confidence: confidence level of the rate's interval at this look.
    """

    n_games: int
    confidence: float


def most_games_of(pilot: Agent) -> int:
    """Return the most games per matchup of a pilot, if no setting gives them."""
    is_script = isinstance(pilot, CompiledAgent) and not pilot.searches
    return MOST_OF_SCRIPTS if is_script else MOST_OF_SEARCHES


def looks_until(most_games: int, n_seatings: int = 2) -> tuple[Look, ...]:
    """Return looks at an eighth, a quarter, a half and all of the games.

    Either end of the intervals errs in at most 5 % of cases over all looks. The error of a look is
    the share of all games that are new to it (the linear member of the power family of error
    spending); the errors may be added, however the looks depend on each other (Bonferroni). A rate
    outside its bounds gets the verdict "inside" only if the end of the interval beyond its bound
    errs, and a rate inside the verdict "outside" only if the end at its nearer bound errs, since
    the other bound is farther away. So at most 5 % of rates get a wrong verdict, wherever the true
    rates are.

    Args:
        most_games: games per matchup at the last look, at least `LEAST_GAMES`.
        n_seatings: seatings of each seed; looks are at whole seeds.

    Reference: K. Kim, D. L. DeMets, "Design and analysis of group sequential tests based on the
    type I error spending rate function", Biometrika 74 (1987).
    """
    looks = list[Look]()
    before = Fraction(0)
    for share in _SHARES:
        n_games = int(most_games * share) // n_seatings * n_seatings
        looks.append(Look(n_games, 1 - 2 * _ERROR * float(share - before)))
        before = share
    return tuple(looks)
