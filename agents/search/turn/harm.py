"""How far the enemy player is from dying in this turn: what guides the search for that."""

from __future__ import annotations

from typing import Any

from agents.search.turn.features import guarding_health, life_of
from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, item, player

MINIONS_ONLY = int(Keyword.MINIONS_ONLY)
PER_MANA, MORE = 3, 4  # damage that cards may yet do: for each mana, and without any
IS_HOPELESS = -1_000_000


@compiled(i64(Words, i64), apart=True)
def fresh_attack(state: Any, seat: int) -> int:
    """Attack of a seat that can still be used in this turn."""
    leader, minions = player(seat), board(seat)
    total = max(state[leader + at.READY], 0) * state[leader + at.ATTACK]
    for position in range(state[minions]):
        minion = item(state, minions, position)
        if state[minion + at.KEYWORDS] & MINIONS_ONLY == 0:
            total += max(state[minion + at.READY], 0) * state[minion + at.ATTACK]
    return total


@compiled(i64(Words, i64), apart=True)
def nearness(state: Any, seat: int) -> int:
    """How near the death of the enemy of `seat` is; `IS_HOPELESS` where no cards could do it.

    Damage that is done counts more than damage that may be.
    """
    life, mana = life_of(state, 1 - seat), state[player(seat) + at.MANA]
    fresh = fresh_attack(state, seat)
    if fresh + PER_MANA * mana + MORE < life:
        return IS_HOPELESS
    return 2 * (fresh + mana - guarding_health(state, 1 - seat)) - 3 * life
