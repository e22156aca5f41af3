"""Membership of records and cards in groups such as `enemy_minions(attack<=3)`.

A group in a card table consists of a selector and a filter (`sim.cards.notation.Group`).
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Body, Kind, Selector, Side, Stat, State
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, check_record, item, player, position_of
from sim.ruleset import DECK_CAPACITY

DAMAGED = int(State.DAMAGED)
UNDAMAGED = int(State.UNDAMAGED)
DEAD = int(State.DEAD)
OTHER = int(State.OTHER)
UNTARGETED = int(State.UNTARGETED)
TARGETED = int(State.TARGETED)
OVERLOAD = int(State.OVERLOAD)
BYSTANDER = int(State.BYSTANDER)
IS_OWN = int(State.OWN)
IS_HERO = int(State.HERO)
IS_IN_PLAY = int(State.IN_PLAY)


@compiled(i64(i64))
def is_player(record: int) -> bool:
    """Return whether a record belongs to a player; these records come before all others."""
    return record < at.RECORDS


@compiled(i64(i64, i64))
def deck_member(seat: int, slot: int) -> int:
    """Return the negative number that represents a deck's card in a group, as it has no record."""
    return -1 - DECK_CAPACITY * seat - slot


@compiled(i64(i64))
def is_in_deck(member: int) -> bool:
    """Return whether a member of a group is a card in a deck, which has a negative number."""
    return member < 0


@compiled(i64(i64))
def slot_of_member(member: int) -> int:
    """Return the deck slot of a member of a group that is a card in a deck."""
    return (-1 - member) % DECK_CAPACITY


@compiled(i64(Words, i64))
def number_of(state: Any, member: int) -> int:
    """Return the card number of a member in any zone; for a player, the hero power's number."""
    if not is_in_deck(member):
        check_record(state, member)
        return state[member + at.CARD]
    seat = (-1 - member) // DECK_CAPACITY
    return state[player(seat) + at.CARD_OF_SLOT + slot_of_member(member)]


@compiled(i64(Words, i64))
def card_of(state: Any, record: int) -> int:
    """Return the offset in the table of a record's card; for a player, of the hero power's card."""
    check_record(state, record)
    return at.CARDS + at.CARD_SIZE * state[record + at.CARD]


@compiled(i64(Words, i64))
def is_spell(table: Any, card: int) -> bool:
    """Return whether the card at offset `card` is a spell or a secret, which are cast."""
    return table[card + at.CARD_KIND] in (Kind.SPELL, Kind.SECRET)


@compiled(i64(Words, i64, i64))
def is_of_kind(table: Any, card: int, kind: int) -> bool:
    """Return whether a card is of a kind; for the kind `spell`, secrets count as spells."""
    return is_spell(table, card) if kind == Kind.SPELL else table[card + at.CARD_KIND] == kind


@compiled(i64(Words, Words, i64))
def is_minion(state: Any, table: Any, record: int) -> bool:
    """Return whether a record is that of a minion, in any zone."""
    return not is_player(record) and table[card_of(state, record) + at.CARD_KIND] == Kind.MINION


@compiled(i64(Words, i64))
def is_dead(state: Any, record: int) -> bool:
    """Return whether a character will be removed at the next death step."""
    return state[record + at.HEALTH] <= 0 or (state[record + at.STATUS] & at.IS_DOOMED) != 0


@compiled(i64(Words, i64, i64))
def stat_of(state: Any, record: int, stat: int) -> int:
    """Return one number of a record, or 0 if the record has no such number.

    Args:
        state: words of the game.
        record: record of a character, weapon or card.
        stat: the number to return, a value of `Stat`.
    """
    if stat == Stat.ATTACK:
        return state[record + at.ATTACK]
    if stat in (Stat.HEALTH, Stat.DURABILITY):
        return state[record + at.HEALTH]
    if stat == Stat.COST:
        return state[record + at.COST]
    if stat == Stat.DAMAGE:
        return state[record + at.MAX_HEALTH] - state[record + at.HEALTH]
    if not is_player(record):
        return 0
    return state[record + (at.MANA_CAP if stat == Stat.CRYSTALS else at.ARMOR)]


@compiled(i64(Words, i64))
def is_in_play(state: Any, record: int) -> bool:
    """Return whether a record is a player's, a minion's on a board, or an equipped weapon's."""
    return is_player(record) or state[record + at.ZONE] == at.IN_PLAY


@compiled(i64(Words, i64))
def is_alive(state: Any, character: int) -> bool:
    """Return whether a character is in play and will be after the next death step."""
    return is_in_play(state, character) and not is_dead(state, character)


@compiled(i64(Words, Words, i64, i64, i64))
def _states_of(state: Any, table: Any, source: int, target: int, record: int) -> int:
    """Return the states of a record that most filters use, as bits of `State`.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        source: record that the effect row belongs to.
        target: record that the player chose, or 0.
        record: record to describe.
    """
    bits = state[record + at.STATUS] & (at.IS_FROZEN | at.IS_SILENCED)
    bits |= DAMAGED if state[record + at.HEALTH] < state[record + at.MAX_HEALTH] else UNDAMAGED
    bits |= DEAD if is_dead(state, record) else 0
    bits |= OTHER if record != source else 0
    bits |= TARGETED if record == target else UNTARGETED
    if not is_player(record) and table[card_of(state, record) + at.CARD_OVERLOAD] > 0:
        bits |= OVERLOAD
    return bits


@compiled(i64(Words, i64, i64))
def _standing_of(state: Any, source: int, record: int) -> int:
    """Return the states of a record that few filters use, such as its side, as bits of `State`.

    Args:
        state: words of the game.
        source: record that the effect row belongs to, which defines the own side.
        record: record to describe.
    """
    bits = IS_OWN if state[record + at.OWNER] == state[source + at.OWNER] else 0
    bits |= IS_HERO if is_player(record) else 0
    bits |= IS_IN_PLAY if is_in_play(state, record) else 0
    return bits | (BYSTANDER if record not in (state[at.ATTACKER], state[at.AIM]) else 0)


@compiled(i64(Words, i64, i64))
def _is_of_sort(table: Any, group: int, card: int) -> bool:
    """Return whether the card at offset `card` has the tribe and kind that a group requires."""
    tribe = table[group + at.GROUP_TRIBE]
    kind = table[group + at.GROUP_KIND]
    return (tribe == 0 or table[card + at.CARD_TRIBE] == tribe) and (
        kind == at.BLANK or is_of_kind(table, card, kind)
    )


@compiled(i64(Words, i64, i64))
def _is_within(table: Any, group: int, value: int) -> bool:
    """Return whether a number is within the bounds of a group's filter, inclusive."""
    return table[group + at.GROUP_LOW] <= value <= table[group + at.GROUP_HIGH]


@compiled(i64(Words, Words, i64, i64, i64, i64), apart=True)
def _passes(state: Any, table: Any, group: int, source: int, target: int, record: int) -> bool:
    """Return whether a record passes a group's filter that has requirements.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        group: offset of the group in the table.
        source: record that the effect row belongs to.
        target: record that the player chose, or 0.
        record: record to check.
    """
    keywords = table[group + at.GROUP_KEYWORDS]
    if (state[record + at.KEYWORDS] & keywords) != keywords:
        return False
    if not is_player(record) and state[record + at.CARD] == table[group + at.GROUP_WITHOUT]:
        return False
    needs_card = table[group + at.GROUP_TRIBE] != 0 or table[group + at.GROUP_KIND] != at.BLANK
    if needs_card and (is_player(record) or not _is_of_sort(table, group, card_of(state, record))):
        return False
    states = table[group + at.GROUP_STATES]
    stat = table[group + at.GROUP_STAT]
    if states != 0:
        bits = _states_of(state, table, source, target, record)
        if states >= IS_OWN:
            bits |= _standing_of(state, source, record)
        if bits & states != states:
            return False
    return stat == at.BLANK or _is_within(table, group, stat_of(state, record, stat))


@compiled(i64(Words, i64, i64))
def fits_printed(table: Any, group: int, number: int) -> bool:
    """Return whether a card in a deck passes a group's filter by its printed numbers.

    Of the filter, only tribe, kind, the excluded card and bounds of the cost apply.

    Args:
        table: card table.
        group: offset of the group.
        number: number of the card.
    """
    card = at.CARDS + at.CARD_SIZE * number
    if number == table[group + at.GROUP_WITHOUT] or not _is_of_sort(table, group, card):
        return False
    is_bound = table[group + at.GROUP_STAT] != at.BLANK
    return not is_bound or _is_within(table, group, table[card + at.CARD_COST])


@compiled(i64(Words, Words, i64, i64, i64, i64))
def fits(state: Any, table: Any, group: int, source: int, target: int, record: int) -> bool:
    """Return whether a record passes a group's filter, see `_passes` for the arguments.

    Filters without requirements, and those that only exclude the source, are decided without
    `_passes`, since most filters are of these two kinds.
    """
    asks = table[group + at.GROUP_ASKS]
    if asks != at.ASKS_MORE:
        return asks == at.ASKS_NOTHING or record != source
    return _passes(state, table, group, source, target, record)


@compiled(i64(i64, i64, i64))
def is_on_side(side: int, seat: int, owner: int) -> bool:
    """Return whether a seat is on a group's side.

    Args:
        side: the side, a value of `Side`: own, enemy or both.
        seat: seat of the group's own side.
        owner: seat to check.
    """
    return side == Side.BOTH or (side == Side.OWN) == (owner == seat)


@compiled(i64(Words, Words, i64, i64, i64))
def is_selected(state: Any, table: Any, group: int, source: int, record: int) -> bool:
    """Return whether a record has the side and body that a group's selector names, in any zone.

    Of the selectors that name a single record only `SELF` is supported; for the others the result
    is `False`.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        group: offset of the group in the table.
        source: record that the effect row belongs to.
        record: record to check.
    """
    selector = table[group + at.GROUP_SELECTOR]
    if selector == Selector.SELF:
        return record == source
    if selector <= Selector.CHARACTERS:
        body = table[group + at.GROUP_BODY]
        if body == Body.PLAYER and not is_player(record):
            return False
        if body == Body.MINION and not is_minion(state, table, record):
            return False
    elif not Selector.OWN_CARDS <= selector <= Selector.CARDS:
        return False
    return is_on_side(
        table[group + at.GROUP_SIDE], state[source + at.OWNER], state[record + at.OWNER]
    )


@compiled(i64(Words, Words, i64, i64, i64))
def concerns(state: Any, table: Any, row: int, source: int, subject: int) -> bool:
    """Return whether a row reacts to an event, by the record that the event happened to.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        row: offset of the row in the table.
        source: record that the row belongs to.
        subject: record that the event happened to.
    """
    group = table[row + at.ROW_OF]
    return is_selected(state, table, group, source, subject) and fits(
        state, table, group, source, 0, subject
    )


@compiled(i64(Words, i64, i64))
def has_card(state: Any, zone: int, card: int) -> bool:
    """Return whether a zone contains a record with the card number `card`."""
    for position in range(state[zone]):
        if state[item(state, zone, position) + at.CARD] == card:
            return True
    return False


@compiled(i64(Words, i64))
def place_of(state: Any, minion: int) -> int:
    """Return the position of a minion on its owner's board, or -1 if it is not there."""
    return position_of(state, board(state[minion + at.OWNER]), minion)
