"""Split of one total number of games among the stages of a run on a game without cards."""

from __future__ import annotations

from math import lcm

from balance.contest.contest import Contest
from balance.settings.budget import split_games
from balance.settings.tables import BalanceSettings


def split_total(contest: Contest, settings: BalanceSettings) -> BalanceSettings:
    """Return the settings with `games.total` split among the stages; unchanged without a total.

    A game of more than two players counts once for each rate that it gives.

    Args:
        contest: players and matchups of a game without cards.
        settings: settings of the run.

    Raises:
        InputError: the total is too small.
    """
    return split_games(
        settings,
        n_matchups=len(contest.matchups),
        n_numbers=len(contest.genes),
        n_powers=0,
        unit=lcm(2, contest.n_seatings),
    )
