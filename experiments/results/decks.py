"""Rows with results of an attack on a patch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.decks.double_oracle import Attack, AttackRound, OpponentRate

# Columns of attack.csv, with one row per built deck and opponent: the mix, or a deck of the mix.
ATTACK_COLUMNS = (
    "phase", "round", "name", "opponent", "win_rate", "low", "high", "n", "added",
)  # fmt: skip


def attack_rows(attacks: Sequence[tuple[str, Attack]]) -> list[tuple[Any, ...]]:
    """Return rows of `ATTACK_COLUMNS`, for each round one for the mix and one per deck in the mix.

    Args:
        attacks: name (`before` or `after`) and result of each phase of the attack.
    """
    return [
        (
            phase, entry.round, entry.name, name, rate.win_rate, rate.low, rate.high, rate.n,
            entry.added,
        )
        for phase, attack in attacks
        for entry in attack.rounds
        for name, rate in _rates_of_round(entry)
    ]  # fmt: skip


def _rates_of_round(entry: AttackRound) -> list[tuple[str, AttackRound | OpponentRate]]:
    """Return names and win rates of a round: first the mix, then each deck in the mix."""
    return [("(the mix)", entry), *((other.name, other) for other in entry.opponents)]
