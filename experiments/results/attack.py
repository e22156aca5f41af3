"""The rounds of an attack as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from balance.decks.double_oracle import Attack, AttackRound, OpponentRate

MIX = "(the mix)"


class AttackRow(NamedTuple):
    """A built deck against the mix, or against one of the decks in it."""

    phase: str
    round: int
    name: str
    opponent: str
    win_rate: float
    low: float
    high: float
    n: int
    added: bool


def attack_rows(attacks: Sequence[tuple[str, Attack]]) -> list[AttackRow]:
    """One row per round for the mix, and one for each deck in it."""
    rows = []
    for phase, attack in attacks:
        for entry in attack.rounds:
            against: list[tuple[str, AttackRound | OpponentRate]] = [(MIX, entry)]
            against += [(other.name, other) for other in entry.opponents]
            rows += [
                AttackRow(
                    phase, entry.round, entry.name, name, one.win_rate, one.low, one.high, one.n,
                    entry.added,
                )
                for name, one in against
            ]  # fmt: skip
    return rows
