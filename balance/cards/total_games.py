"""Split of one total number of games among the stages of a run of a card contest."""

from __future__ import annotations

from balance.cards.card_contest import CardContest
from balance.cards.card_space import build_space
from balance.cards.power import n_powers_of
from balance.settings.budget import split_games
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace


def within_total(
    contest: CardContest, settings: BalanceSettings, space: SearchSpace | None = None
) -> BalanceSettings:
    """Return the settings with `games.total` split among the stages.

    Settings without a total, or for a contest without matchups, are returned unchanged.

    Args:
        contest: cards and players.
        settings: settings of the run.
        space: search space before narrowing; `None` to build it if it is needed.

    Raises:
        InputError: the total is too small.
    """
    if settings.games.total is None or not contest.matchups:
        return settings
    return split_games(
        settings,
        n_matchups=len(contest.matchups),
        n_numbers=len((space or build_space(contest, settings.tune)).genes),
        n_powers=n_powers_of(contest) + len(contest.players),
    )
