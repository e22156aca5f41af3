"""Rows as the enemy of the card that has them would write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.cards.action import all_actions
from sim.cards.measure import measures
from sim.cards.notation import Bounds, Group, Reading
from sim.cards.vocabulary import Event, Selector, State
from sim.errors import InputError

_ENEMY = Group(Selector.ENEMY_PLAYER)
_SIDED_ACTIONS = ("steal", "clone")
"""Actions that put minions on the side of the card that has the row."""

_RECEIVERS = {"own": "enemy", "enemy": "own"}


def seen_from_enemy(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows in which own and enemy have changed places.

    A text that a spell attaches to an enemy minion belongs to the enemy's side there, but its
    words are those of the player who cast the spell.

    Args:
        rows: keys of the effect rows.

    Raises:
        InputError: a row cannot be written from the other side.
    """
    return [_other_row(row) for row in rows]


def _other_row(row: Mapping[str, Any]) -> dict[str, Any]:
    if row["do"] in _SIDED_ACTIONS or "of_enemy_hero" in row or "until" in row.get("lasts", ""):
        raise _one_sided(f"do = {row['do']!r}")
    action = all_actions()[row["do"]]
    event = Event[row["on"].upper()]
    other = dict(row)
    if "to" in row:
        other["to"] = _other_side(row["to"])
    elif action.default_to == "own_player":
        other["to"] = _ENEMY
    if "of" in row:
        other["of"] = _other_side(row["of"])
    elif event.about.of == "own_player":
        other["of"] = _ENEMY
    if "times" in row:
        other["times"] = _other_reading(row["times"])
    if "when" in row:
        other["when"] = _other_bounds(row["when"])
    if "receiver" in action.may_take:
        other["receiver"] = _RECEIVERS[row.get("receiver", "own")]
    return other


def _other_side(group: Group) -> Group:
    if group.states & State.OWN:
        raise _one_sided("a filter for the own side")
    side, _, rest = group.selector.name.partition("_")
    if side not in ("OWN", "ENEMY"):
        return group
    other = "ENEMY" if side == "OWN" else "OWN"
    return replace(group, selector=Selector[f"{other}_{rest}"])


def _other_reading(reading: Reading) -> Reading:
    if reading.measure == "one":
        return reading
    if reading.measure not in ("count", "stat") and measures()[reading.measure].is_bare:
        raise _one_sided(reading.measure)
    return replace(reading, group=_other_side(reading.group))


def _other_bounds(bounds: Bounds) -> Bounds:
    also = None if bounds.also is None else _other_bounds(bounds.also)
    return replace(bounds, reading=_other_reading(bounds.reading), also=also)


def _one_sided(what: str) -> InputError:
    return InputError(
        f"{what} has no counterpart on the other side, which the spell's target may be on",
        remedy="let the spell choose a friendly minion, or an enemy one",
    )
