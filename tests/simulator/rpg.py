"""Duel of two heroes of a role-playing game; `rpg.js` is its twin in JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

PLAYERS = ("knight", "rogue", "mage", "cleric")
STRIKES_MAX = 400
_BITS = 0xFFFFFFFF


def mulberry(seed: int) -> Callable[[], float]:
    """Return a generator of numbers from 0 to 1, the 32-bit generator mulberry32."""
    state = seed & _BITS

    def draw() -> float:
        nonlocal state
        state = (state + 0x6D2B79F5) & _BITS
        mixed = ((state ^ (state >> 15)) * (state | 1)) & _BITS
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & _BITS)) & _BITS
        return (mixed ^ (mixed >> 14)) / 4294967296

    return draw


def play(numbers: Mapping[str, Any], players: Sequence[str], seed: int) -> int | None:
    """Play one duel; the seat that won, or `None` if neither falls."""
    draw = mulberry(seed)
    health = [numbers[f"{player}.hp"] for player in players]
    clock = [draw(), draw()]
    for _ in range(STRIKES_MAX):
        me = 0 if clock[0] <= clock[1] else 1
        attacker = players[me]
        defender = players[1 - me]
        clock[me] += 1 / numbers[f"{attacker}.speed"]
        damage = numbers[f"{attacker}.attack"] * (0.6 + 0.8 * draw())
        if draw() < 0.1:
            damage *= 2
        health[1 - me] -= max(1.0, damage - numbers[f"{defender}.armour"])
        if health[1 - me] <= 0:
            return me
    return None
