"""The players of a metagame, and the rounds of an attack on it, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.decks.double_oracle import Attack, AttackRound, OpponentRate
from balance.metagame.metagame import Metagame
from balance.statistics.intervals import Interval

# A built deck against the mix, or against one of the decks in it.
ATTACK_COLUMNS = (
    "phase", "round", "name", "opponent", "win_rate", "low", "high", "n", "added",
)  # fmt: skip
MIX = "(the mix)"


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


def attack_rows(attacks: Sequence[tuple[str, Attack]]) -> list[tuple[Any, ...]]:
    """One row per round for the mix, and one for each deck in it."""
    rows = []
    for phase, attack in attacks:
        for entry in attack.rounds:
            against: list[tuple[str, AttackRound | OpponentRate]] = [(MIX, entry)]
            against += [(other.name, other) for other in entry.opponents]
            rows += [
                (
                    phase, entry.round, entry.name, name, one.win_rate, one.low, one.high, one.n,
                    entry.added,
                )
                for name, one in against
            ]  # fmt: skip
    return rows
