"""Looks of a second opinion: growing numbers of games, with a total error of 5 %."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from balance.statistics.intervals import CONFIDENCE
from sim.play import Agent, CompiledAgent

# Maximum number of games per matchup of scripts, which take a second or two for all matchups. A
# rate that is one point beyond a bound is decided with these games.
MOST_OF_SCRIPTS = 25_600
# Maximum number of games per matchup of search agents, a game of which takes milliseconds
# (`turn:200`: 2 to 25 ms). These games decide 99.9 % of the rates that are 10 points outside their
# band, and a third of the rates in its middle. With fewer games wrong patches would stay undecided.
MOST_OF_SEARCHES = 640

_ERROR = 1 - CONFIDENCE  # error of each end of the intervals, over all looks
# Shares of all games after each look. The first look, 80 games of a search agent, decides rates
# that are 25 points outside their band, which are common. More looks would save few games, and
# leave less error for each look.
_SHARES = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1))


class Look(NamedTuple):
    """Interim analysis of a rate in a sequential test.

    Attributes:
        n_games: total number of games per matchup at this look.
        confidence: confidence level of the rate's two-sided interval at this look.
    """

    n_games: int
    confidence: float


def most_games_of(pilot: Agent) -> int:
    """Return the default maximum number of games per matchup of a pilot.

    It is smaller for agents that are not plain scripts, because their games take longer.
    """
    return MOST_OF_SCRIPTS if is_script(pilot) else MOST_OF_SEARCHES


def is_script(agent: Agent) -> bool:
    """Return whether an agent is a plain script, with games that take microseconds."""
    return isinstance(agent, CompiledAgent) and not agent.searches


def looks_until(most_games: int, n_seatings: int = 2) -> tuple[Look, ...]:
    """Return looks at an eighth, a quarter, a half and all of the games.

    At most 5 % of rates get a wrong verdict over all looks, whatever the true rates are. Each end
    of the intervals has an error of 5 %, divided over the looks in proportion to the games that are
    new at each look (the linear member of the power family of error spending). The errors of the
    looks may be added even though the looks depend on each other (Bonferroni). The errors of both
    ends are not added: for a given true rate, only an error at one end can make the verdict wrong.

    Args:
        most_games: number of games per matchup at the last look, at least
            `balance.settings.second_opinion.LEAST_GAMES`.
        n_seatings: number of seatings of each seed; games are rounded down to whole seeds.

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
