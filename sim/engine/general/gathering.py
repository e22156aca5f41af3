"""Evaluation of groups: writes all members of a group to the state's work area.

The own side comes first, and each side is in order from the left.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Body, Selector
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.groups import (
    deck_member,
    fits,
    fits_printed,
    is_on_side,
    is_player,
    place_of,
)
from sim.engine.zones import board, hand, item, player, secrets


@compiled(none(Words, Words, i64, i64, i64, i64))
def _consider(state: Any, table: Any, group: int, source: int, target: int, record: int) -> None:
    """Add a record to the members, if it passes the group's filter and the list has space.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        group: offset of the group in the table.
        source: record that the effect row belongs to.
        target: record that the player chose, or 0.
        record: record to add.
    """
    if state[at.N_GROUP] < at.MAX_GROUP and fits(state, table, group, source, target, record):
        state[at.GROUP + state[at.N_GROUP]] = record
        state[at.N_GROUP] += 1


@compiled(none(Words, Words, i64, i64, i64, i64))
def _consider_zone(state: Any, table: Any, group: int, source: int, target: int, zone: int) -> None:
    """Add the records of a zone that pass the group's filter to the members.

    See `_consider` for the arguments; `zone` is the offset of the zone.
    """
    for position in range(state[zone]):
        _consider(state, table, group, source, target, item(state, zone, position))


@compiled(none(Words, Words, i64, i64, i64, i64))
def _consider_side(state: Any, table: Any, group: int, source: int, target: int, seat: int) -> None:
    """Add the characters of a side that pass the group's filter, beginning with the player.

    See `_consider` for the arguments; `seat` is the side.
    """
    body = table[group + at.GROUP_BODY]
    if body != Body.MINION:
        _consider(state, table, group, source, target, player(seat))
    if body != Body.PLAYER:
        _consider_zone(state, table, group, source, target, board(seat))


@compiled(none(Words, Words, i64, i64))
def _consider_deck(state: Any, table: Any, group: int, seat: int) -> None:
    """Add the cards of a deck that pass the filter to the members, while the list has space.

    These members have no records (`deck_member`).
    """
    deck = player(seat) + at.DECK
    for position in range(state[deck]):
        slot = item(state, deck, position)
        number = state[player(seat) + at.CARD_OF_SLOT + slot]
        has_room = state[at.N_GROUP] < at.MAX_GROUP
        if has_room and number != at.BLANK and fits_printed(table, group, number):
            state[at.GROUP + state[at.N_GROUP]] = deck_member(seat, slot)
            state[at.N_GROUP] += 1


@compiled(none(Words, Words, i64, i64, i64, i64))
def _consider_neighbours(
    state: Any, table: Any, group: int, source: int, target: int, minion: int
) -> None:
    """Add the minions left and right of a minion on its board, if they pass the group's filter.

    Nothing is added if the minion is 0, a player, or not on its board. See `_consider` for the
    arguments.
    """
    if minion == 0 or is_player(minion):
        return
    zone = board(state[minion + at.OWNER])
    place = place_of(state, minion)
    if place > 0:
        _consider(state, table, group, source, target, item(state, zone, place - 1))
    if 0 <= place < state[zone] - 1:
        _consider(state, table, group, source, target, item(state, zone, place + 1))


@compiled(none(Words, Words, i64, i64, i64, i64))
def _consider_single(
    state: Any, table: Any, group: int, source: int, target: int, subject: int
) -> None:
    """Add the record, or the neighbours, that a group's selector names, if they pass the filter.

    A chosen target that has left the game is not added. See `gather` for the arguments.
    """
    selector = table[group + at.GROUP_SELECTOR]
    if selector == Selector.TARGET:
        record = target
    elif selector == Selector.SELF:
        record = source
    elif selector == Selector.SUBJECT:
        record = subject
    elif selector == Selector.PREVIOUS:
        record = state[at.PREVIOUS]
    elif selector == Selector.AIM:
        record = state[at.AIM]
    else:
        minion = source if selector == Selector.NEIGHBOURS else target
        _consider_neighbours(state, table, group, source, target, minion)
        return
    if record == 0:
        return
    is_chosen = selector in (Selector.TARGET, Selector.AIM)
    if not is_chosen or state[record + at.ZONE] != at.IN_REMOVED:
        _consider(state, table, group, source, target, record)


@compiled(none(Words, Words, i64, i64, i64, i64))
def _consider_seat(state: Any, table: Any, group: int, source: int, target: int, seat: int) -> None:
    """Add the records of a seat in the zone that a group's selector names, if they pass the filter.

    See `_consider` for the arguments; `seat` is the owner of the zone.
    """
    selector = table[group + at.GROUP_SELECTOR]
    if selector <= Selector.CHARACTERS:
        _consider_side(state, table, group, source, target, seat)
    elif selector <= Selector.ENEMY_WEAPON:
        if state[player(seat) + at.WEAPON] != 0:
            _consider(state, table, group, source, target, state[player(seat) + at.WEAPON])
    elif selector <= Selector.HANDS:
        _consider_zone(state, table, group, source, target, hand(seat))
    elif selector in (Selector.OWN_SECRETS, Selector.ENEMY_SECRETS):
        _consider_zone(state, table, group, source, target, secrets(seat))
    elif selector in (Selector.OWN_DECK, Selector.ENEMY_DECK):
        _consider_deck(state, table, group, seat)


@compiled(none(Words, Words, i64, i64, i64, i64), apart=True)
def gather(state: Any, table: Any, group: int, source: int, target: int, subject: int) -> None:
    """Write the members of a group to the state's work area.

    At most `MAX_GROUP` members are written.

    Args:
        state: words of the game; `N_GROUP` and `GROUP` are overwritten.
        table: card table of the game's variant.
        group: offset of the group in the table.
        source: record that the row belongs to; its owner defines the own and the enemy side.
        target: record that the player chose, or 0.
        subject: record that the event happened to, or 0.
    """
    state[at.N_GROUP] = 0
    selector = table[group + at.GROUP_SELECTOR]
    side = table[group + at.GROUP_SIDE]
    seat = state[source + at.OWNER]
    if Selector.TARGET <= selector <= Selector.TARGET_NEIGHBOURS or selector == Selector.AIM:
        _consider_single(state, table, group, source, target, subject)
        return
    for turn in range(2):
        owner = 1 - seat if turn else seat
        if is_on_side(side, seat, owner):
            _consider_seat(state, table, group, source, target, owner)
