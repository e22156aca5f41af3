"""Life and attacks of both sides, for the values of positions."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.legality import is_guard
from sim.engine.zones import board, item, player

WINDFURY = int(Keyword.WINDFURY)
CANNOT_ATTACK = int(Keyword.CANNOT_ATTACK)
MINIONS_ONLY = int(Keyword.MINIONS_ONLY)


@compiled(i64(i64))
def concave(life: int) -> int:
    """Return life on a concave scale, on which the last points count most.

    Each point counts 7 up to a life of 5, then 6 up to 10, 3 up to 20, and 2 above.
    """
    return 2 * life + min(life, 20) + 3 * min(life, 10) + min(life, 5)


@compiled(i64(Words, i64))
def life_of(state: Any, seat: int) -> int:
    """Return the life plus the armour of a seat's player."""
    return state[player(seat) + at.HEALTH] + state[player(seat) + at.ARMOR]


@compiled(i64(Words, i64), apart=True)
def guarding_health(state: Any, seat: int) -> int:
    """Return the total health of a seat's guards: minions that must be attacked before others."""
    total = 0
    minions = board(seat)
    for position in range(state[minions]):
        guard = item(state, minions, position)
        if is_guard(state, guard):
            total += state[guard + at.HEALTH]
    return total


@compiled(i64(Words, i64), apart=True)
def coming_attack(state: Any, seat: int) -> int:
    """Return the damage that a seat's attacks can do to the enemy player in its next turn.

    The health of the enemy's guards is subtracted, as if the attackers could be combined to match
    it exactly. The result is at least 0.
    """
    weapon = state[player(seat) + at.WEAPON]
    own = board(seat)
    total = state[weapon + at.ATTACK] if weapon != 0 else 0
    for position in range(state[own]):
        minion = item(state, own, position)
        keywords = state[minion + at.KEYWORDS]
        if keywords & (CANNOT_ATTACK | MINIONS_ONLY) or state[minion + at.STATUS] & at.IS_FROZEN:
            continue
        total += state[minion + at.ATTACK] * (1 + (keywords & WINDFURY != 0))
    return max(total - guarding_health(state, 1 - seat), 0)
