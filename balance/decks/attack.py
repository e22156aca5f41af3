"""Result of an attack on a metagame: the built decks, their win rates, and the last mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from balance.cards.card_contest import CardContest
from balance.metagame.metagame import Metagame, MetagameRow
from balance.result.result import Result, ResultTable
from sim import StrictModel
from sim.short_repr import short_repr

MIX = "(the mix)"
"""Name of all opponents together in tables, weighted by their shares."""

_AGAINST = ("against_mix", "against_low", "against_high")  # keys of win rates against the mix


class OpponentRate(StrictModel):
    """Win rate of an attacker against one deck of the field.

    Attributes:
        name: name of the opponent.
        win_rate: win rate of the attacker against the opponent.
        low: lower bound of the Wilson interval of `win_rate`.
        high: upper bound of the Wilson interval of `win_rate`.
        n: number of games against the opponent.
    """

    name: str
    win_rate: float
    low: float
    high: float
    n: int


class AttackRound(StrictModel):
    """Record of one round of an attack: the deck built against the field, and its win rate.

    Attributes:
        round: number of the round, from 1.
        name: name of the deck and of its player.
        deck: number of copies of each card by card id, in the order of the slots.
        hero: id of the deck's hero; `""` if the deck has no hero.
        win_rate: win rate against the field, in games that influenced no choice.
        low: lower bound of the interval of `win_rate` over seeds.
        high: upper bound of the interval of `win_rate` over seeds.
        n: number of games behind `win_rate`, over all opponents.
        opponents: win rates against each deck of the field.
        added: whether `low` exceeds one half by more than the margin, so that the deck is added to
            the contest.
    """

    round: int
    name: str
    deck: dict[str, int]
    win_rate: float
    low: float
    high: float
    n: int
    opponents: tuple[OpponentRate, ...]
    added: bool
    hero: str = ""


class AttackRow(NamedTuple):
    """Win rate of a built deck against the mix of a round, or against a deck of the mix.

    Attributes:
        phase: name of the attack.
        round: number of the round, from 1.
        name: name of the built deck.
        opponent: name of the opponent, or `MIX`.
        win_rate: win rate of the built deck, as a fraction.
        low: lower bound of the interval of `win_rate`.
        high: upper bound of the interval of `win_rate`.
        n: number of games.
        added: whether the built deck joined the mix.
    """

    phase: str
    round: int
    name: str
    opponent: str
    win_rate: float
    low: float
    high: float
    n: int
    added: bool


@dataclass(frozen=True)
class Attack(Result):
    """Result of an attack on ``D`` decks.

    Attributes:
        rounds: records of the rounds, in order.
        contest: contest of the original decks, followed by the attackers that were added.
        metagame: metagame of the decks of `contest`.
        n_original: number of original decks ``D``.
        phase: name that distinguishes several attacks.
    """

    rounds: tuple[AttackRound, ...]
    contest: CardContest
    metagame: Metagame
    n_original: int
    phase: str

    def __repr__(self) -> str:
        return short_repr(self, "contest", rounds=len(self.rounds), original=self.n_original)

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Table `attack` with a row for the mix of each round, and a row per deck in the mix."""
        rows = list[AttackRow]()
        for entry in self.rounds:
            against: list[tuple[str, AttackRound | OpponentRate]] = [(MIX, entry)]
            against += ((other.name, other) for other in entry.opponents)
            rows += [
                AttackRow(
                    self.phase,
                    entry.round,
                    entry.name,
                    name,
                    rate.win_rate,
                    rate.low,
                    rate.high,
                    rate.n,
                    entry.added,
                )
                for name, rate in against
            ]
        return {"attack": ResultTable(AttackRow, rows)}

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the phase in `attack.json`: rounds, last mix, and all win rates."""
        metagame = self.metagame
        return {
            "phase": self.phase,
            "rounds": [entry.model_dump(mode="json") for entry in self.rounds],
            "equilibrium": [
                {
                    "player": row.player,
                    **row.share.as_entry("share"),
                    **dict(zip(_AGAINST, map(float, row.against), strict=True)),
                    "original": k < self.n_original,
                }
                for k, row in enumerate(metagame.rows(MetagameRow))
            ],
            "players": list(metagame.names),
            "win_rates": metagame.win_rates.estimate.tolist(),
            "n_games": metagame.n_games,
            "cyclic": metagame.cyclic.as_entry("share"),
        }
