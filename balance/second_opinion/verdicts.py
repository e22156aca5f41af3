"""Verdicts on single rates, by looks at more and more games whose errors add up to 5 %."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from balance.statistics.intervals import CONFIDENCE
from sim.play import Agent, CompiledAgent

MOST_OF_SCRIPTS = 25_600  # a second or two for all matchups; shows what is 1 point off a bound
MOST_OF_SEARCHES = 640
"""Of pilots whose games take milliseconds: shows 99.9 % of the rates that are 10 points outside
their band, and a third of those in its middle to be inside; fewer would leave wrong patches open,
and games of `turn:200` cost 2 to 25 ms."""

LEAST_GAMES = 64  # of all looks: the first needs some seeds to tell how far their rates spread

_ERROR = 1 - CONFIDENCE  # of either end of the intervals of all looks together
_SHARES = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1))
"""Of all games, of the looks. An eighth, 80 games of a search, shows what is 25 points outside its
band, as is common; more looks would save few games and take their error from the others."""


class Look(NamedTuple):
    """A look at a rate.

    Attributes:
        n_games: per matchup, from the first game on.
        confidence: level of the rate's interval at this look.
    """

    n_games: int
    confidence: float


def most_games_of(pilot: Agent) -> int:
    """The most games per matchup that a pilot plays where no setting says it."""
    is_script = isinstance(pilot, CompiledAgent) and not pilot.searches
    return MOST_OF_SCRIPTS if is_script else MOST_OF_SEARCHES


def looks_until(most_games: int, n_seatings: int = 2) -> tuple[Look, ...]:
    """Looks at an eighth of the games, a quarter, a half, and all of them.

    Either end of the intervals errs in at most 5 % of cases over all looks: what a look may err is
    the share of all games that are new to it, the linear member of the power family of error
    spending, and errors may be added up however the looks hang together (Bonferroni). A rate
    outside its bounds is called inside only if the end beyond its bound errs, and one inside is
    called outside only if the end at its nearer bound errs (the other end is as far away as the
    bounds are from each other). So at most 5 % of rates get a wrong verdict, wherever the truth is.

    Args:
        most_games: per matchup, at least `LEAST_GAMES`.
        n_seatings: of each seed; looks are at whole seeds.

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
