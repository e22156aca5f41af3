"""Requirements of the card file for playing a card, as targets and needs of ours."""

from __future__ import annotations

from collections.abc import Mapping

from sim.real_cards.card_definitions import TRIBES

# Requirements of the card file, by number.
_MINION, _FRIENDLY, _ENEMY, _DAMAGED, _UNDAMAGED, _TAUNT, _HERO = 1, 2, 3, 4, 47, 46, 17
_ATTACK_AT_MOST, _ATTACK_AT_LEAST, _TRIBE = 8, 41, 10
_ROOM, _WEAPON, _ENEMY_MINIONS, _MINIONS = 12, 13, 23, 45
_TARGET, _TARGET_IF_THERE, _TARGET_FOR_COMBO = 11, 22, 24

_STATES = {_DAMAGED: "damaged", _UNDAMAGED: "undamaged", _TAUNT: "taunt"}
_ABOUT_MINIONS = frozenset({_MINION, _ATTACK_AT_MOST, _ATTACK_AT_LEAST, _TRIBE, *_STATES})


def play_keys(requirements: Mapping[int, int]) -> dict[str, str]:
    """The keys `target`, `target_when` and `needs` of a card, those that it has.

    Args:
        requirements: as `sim.real_cards.card_definitions.Definition.requirements`. Those that say
            nothing new are passed over: a minion never chooses itself, since it arrives after the
            choice.
    """
    keys = {}
    if {_TARGET, _TARGET_IF_THERE, _TARGET_FOR_COMBO} & requirements.keys():
        keys["target"] = _target(requirements)
    if _TARGET_FOR_COMBO in requirements:
        keys["target_when"] = "combo"
    if needs := _needs(requirements):
        keys["needs"] = needs
    return keys


def _target(requirements: Mapping[int, int]) -> str:
    """Whom it may choose, as a group of `sim.cards.notation`."""
    if _HERO in requirements:
        return "players"
    side = ""
    if _FRIENDLY in requirements:
        side = "own_"
    elif _ENEMY in requirements:
        side = "enemy_"
    who = "minions" if _ABOUT_MINIONS & requirements.keys() else "characters"
    filters = [word for number, word in _STATES.items() if number in requirements]
    if _ATTACK_AT_MOST in requirements:
        filters.append(f"attack<={requirements[_ATTACK_AT_MOST]}")
    if _ATTACK_AT_LEAST in requirements:
        filters.append(f"attack>={requirements[_ATTACK_AT_LEAST]}")
    if _TRIBE in requirements:
        filters.append(TRIBES[requirements[_TRIBE]])
    return f"{side}{who}({', '.join(filters)})" if filters else f"{side}{who}"


def _needs(requirements: Mapping[int, int]) -> str:
    """What else must hold, as a condition of `sim.cards.notation`; `""` if nothing."""
    if _ENEMY_MINIONS in requirements:
        return f"count enemy_minions >= {requirements[_ENEMY_MINIONS]}"
    if _MINIONS in requirements:
        return f"count minions >= {requirements[_MINIONS]}"
    if _WEAPON in requirements:
        return "count own_weapon >= 1"
    return "count own_minions <= 6" if _ROOM in requirements else ""
