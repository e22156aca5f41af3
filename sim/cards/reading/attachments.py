"""Rows as the enemy of the card that has them would write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.cards.action import all_actions
from sim.cards.notation import Group
from sim.cards.vocabulary import Event, Selector

_ENEMY = Group(Selector.ENEMY_PLAYER)


def seen_from_enemy(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows in which own and enemy have changed places.

    A text that a spell attaches to an enemy minion belongs to the enemy's side there, but its
    words are those of the player who cast the spell.

    Args:
        rows: keys of the effect rows.
    """
    return [_other_row(row) for row in rows]


def _other_row(row: Mapping[str, Any]) -> dict[str, Any]:
    other = dict(row)
    for key in ("of", "to"):
        if isinstance(row.get(key), Group):
            other[key] = _other_side(row[key])
    if "to" not in row and all_actions()[row["do"]].default_to == "own_player":
        other["to"] = _ENEMY
    if "of" not in row and Event[row["on"].upper()].about.of == "own_player":
        other["of"] = _ENEMY
    return other


def _other_side(group: Group) -> Group:
    side, _, rest = group.selector.name.partition("_")
    if side not in ("OWN", "ENEMY"):
        return group
    other = "ENEMY" if side == "OWN" else "OWN"
    return replace(group, selector=Selector[f"{other}_{rest}"])
