"""The players of a metagame as rows."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.metagame.metagame import Metagame
from balance.statistics.intervals import Interval


class MetagameRow(NamedTuple):
    """A player: its share of the mix, its rating, and its win rate against the mix."""

    player: str
    agent: str
    share: Interval
    unplayed: float
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")]
    against: Annotated[Interval, ("against_mix", "against_low", "against_high")]
    n: int


def metagame_rows(contest: CardContest, metagame: Metagame) -> list[MetagameRow]:
    """One row per player."""
    return [
        MetagameRow(
            player.name,
            player.agent.name,
            metagame.shares.at(k),
            metagame.unplayed[k],
            metagame.ratings.at(k),
            metagame.against_mix.at(k),
            metagame.n_games * int(np.count_nonzero(np.delete(metagame.shares.estimate, k))),
        )
        for k, player in enumerate(contest.players)
    ]
