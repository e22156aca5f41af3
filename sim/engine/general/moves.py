"""Moves and copies of records: onto boards, into hands, out of the game, to the other side."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.draws import draw_slot, put_into_hand, take_into_hand
from sim.engine.faults import count_up
from sim.engine.general.changes import copy_attachments, detach_all
from sim.engine.general.events import emit
from sim.engine.general.groups import is_in_deck, is_in_play, is_minion, number_of, place_of
from sim.engine.zones import (
    HASTE,
    append,
    board,
    free_record,
    hand,
    make_record,
    move_last,
    player,
    position_of,
    print_card,
    take_from_board,
    take_from_hand,
)
from sim.ruleset import DECK_CAPACITY

_NOT_COPIED = (
    at.READY,
    at.SLOT,
    at.OWNER,
    at.ORDER,
    at.SERIAL,
    at.ZONE,
    at.N_MADE,
)
"""Words of a record that `imitate` does not copy."""


@compiled(none(Words, i64))
def send_to_removed(state: Any, record: int) -> None:
    """Mark a record that has left its zone as removed from the game, once.

    The record is freed only after the action, since pending effect rows may still refer to it.
    """
    if state[record + at.ZONE] != at.IN_REMOVED and state[at.N_REMOVED] < at.MAX_RECORDS:
        state[record + at.ZONE] = at.IN_REMOVED
        state[at.REMOVED + state[at.N_REMOVED]] = record
        state[at.N_REMOVED] += 1


@compiled(none(Words))
def free_removed(state: Any) -> None:
    """Free the removed records at the end of an action, when nothing refers to them any more."""
    for k in range(state[at.N_REMOVED]):
        if state[at.N_ATTACHED] > 0:
            detach_all(state, state[at.REMOVED + k])
        free_record(state, state[at.REMOVED + k])
    state[at.N_REMOVED] = 0


@compiled(none(Words, i64))
def number_arrival(state: Any, record: int) -> None:
    """Give a record the next order number, which makes it the youngest record in play."""
    count_up(state, at.NEXT_ORDER)
    state[record + at.ORDER] = state[at.NEXT_ORDER]


@compiled(none(Words, i64))
def _enter_play(state: Any, record: int) -> None:
    """Mark a minion or weapon as having entered play, as the youngest record."""
    state[record + at.ZONE] = at.IN_PLAY
    number_arrival(state, record)
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
    if state[record + at.HEALTH] <= 0:  # an effect may have reduced the health in the hand
        state[at.DEATHS_DUE] = 1


@compiled(none(Words, i64, i64, i64))
def _move_places(state: Any, seat: int, place: int, maker: int) -> None:
    """Shift the noted places of dead minions to the right after a minion was inserted.

    A dead minion left of the new minion keeps its place. If a dead minion made the new minion, its
    own place moves too, and so do the places of dead minions that were right of it at the same
    place. The next minion that it makes is then inserted next to this one.

    Args:
        state: words of the game.
        seat: side of the board.
        place: position of the new minion.
        maker: record that made the new minion, or 0.
    """
    is_dead = maker != 0 and state[maker + at.ZONE] == at.IN_REMOVED
    for k in range(state[at.N_REMOVED]):
        dead = state[at.REMOVED + k]
        if state[dead + at.OWNER] == seat:
            is_right_of = is_dead and state[dead + at.LAST_RANK] >= state[maker + at.LAST_RANK]
            state[dead + at.LAST_PLACE] += state[dead + at.LAST_PLACE] + is_right_of > place


@compiled(none(Words, i64, i64, i64))
def insert_on_board(state: Any, minion: int, place: int, maker: int) -> None:
    """Insert a minion at `place` of its owner's board, which has space.

    The minion can attack in this turn only with haste.

    Args:
        state: words of the game.
        minion: record of the minion.
        place: number of minions to the left of it.
        maker: record that made the minion, or 0.
    """
    if state[at.N_REMOVED] > 0:
        _move_places(state, state[minion + at.OWNER], place, maker)
    zone = board(state[minion + at.OWNER])
    append(state, zone, minion)
    move_last(state, zone, place)
    state[minion + at.STATUS] |= at.IS_NEW
    # Equal to the plain rules, since a test compares the states of both.
    state[minion + at.READY] = state[minion + at.KEYWORDS] & HASTE
    _enter_play(state, minion)


@compiled(none(Words, i64))
def leave_board(state: Any, minion: int) -> None:
    """Remove a minion from its owner's board, if it is there, and note its place.

    The noted places of dead minions to its right shift to the left.
    """
    place = place_of(state, minion)
    if place >= 0:
        state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
        take_from_board(state, board(state[minion + at.OWNER]), place)
        state[minion + at.LAST_PLACE] = place
        for k in range(state[at.N_REMOVED]):
            dead = state[at.REMOVED + k]
            if state[dead + at.OWNER] == state[minion + at.OWNER]:
                state[dead + at.LAST_PLACE] -= state[dead + at.LAST_PLACE] > place


@compiled(i64(Words, Words, i64, i64, i64))
def _summoning_place(state: Any, table: Any, maker: int, seat: int, nth: int) -> int:
    """Return the board position at which a row's summoned minion enters.

    If the ruleset places tokens next to their maker, minions enter alternately right and left of
    it, or at the noted place of a maker that has died. They enter at the right end if the ruleset
    does not do so, or if the maker is no minion, is on the other side or is in another zone.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        maker: record that summons.
        seat: side of the board.
        nth: number of minions that the same row has summoned before.
    """
    right_end = state[board(seat)]
    is_free = table[at.TOKENS] == 0 or state[maker + at.OWNER] != seat
    if is_free or not is_minion(state, table, maker):
        return right_end
    if state[maker + at.ZONE] == at.IN_REMOVED:
        return max(min(state[maker + at.LAST_PLACE], right_end), 0)
    place = place_of(state, maker)
    return right_end if place < 0 else place + 1 - nth % 2


@compiled(none(Words, Words, i64, i64, i64, i64), apart=True)
def summon(state: Any, table: Any, maker: int, seat: int, card: int, nth: int) -> None:
    """Put a new minion on a board and emit its events; do nothing if the board is full.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        maker: record that summons.
        seat: side of the board.
        card: number of the card.
        nth: number of minions that the same row has summoned before.
    """
    if state[board(seat)] >= table[at.BOARD_LIMIT]:
        return
    minion = make_record(state, table, card, state[maker + at.SLOT], seat)
    insert_on_board(state, minion, _summoning_place(state, table, maker, seat, nth), maker)
    state[at.PREVIOUS] = minion
    emit(state, Event.SUMMON, minion, 0)
    emit(state, Event.AFTER_SUMMON, minion, 0)


@compiled(none(Words, Words, i64, i64))
def transform(state: Any, table: Any, minion: int, card: int) -> None:
    """Turn a minion in play into another card, without any of its changes or attachments.

    The minion keeps its place and its order of arrival.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        minion: record of the minion.
        card: number of the other card.
    """
    order = state[minion + at.ORDER]
    detach_all(state, minion)
    print_card(state, table, minion, card)
    state[minion + at.ORDER] = order
    state[minion + at.ZONE] = at.IN_PLAY
    state[minion + at.STATUS] = at.IS_NEW
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW


@compiled(none(Words, Words, i64, i64))
def imitate(state: Any, table: Any, original: int, copy: int) -> None:
    """Copy the numbers, damage, keywords and attachments of one minion to a minion in play.

    The copy counts as new in this turn and as not borrowed.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        original: record of the minion to copy.
        copy: record of the minion to change.
    """
    for word in range(at.RECORD_SIZE):
        if word not in _NOT_COPIED:
            state[copy + word] = state[original + word]
    state[copy + at.STATUS] = (state[copy + at.STATUS] & ~at.IS_BORROWED) | at.IS_NEW
    copy_attachments(state, table, original, copy)
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW


@compiled(none(Words, Words, i64, i64))
def clone(state: Any, table: Any, maker: int, member: int) -> None:
    """Summon a copy of a member of a group for the maker's side, if its board has space.

    The copy of a minion in play is exact; other copies have printed numbers.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        maker: record that summons.
        member: record to copy, or a deck's card (`deck_member`).
    """
    seat = state[maker + at.OWNER]
    if state[board(seat)] >= table[at.BOARD_LIMIT]:
        return
    summon(state, table, maker, seat, number_of(state, member), 0)
    if not is_in_deck(member) and is_in_play(state, member):
        imitate(state, table, member, state[at.PREVIOUS])


@compiled(none(Words, Words, i64, i64))
def become(state: Any, table: Any, minion: int, original: int) -> None:
    """Turn a minion in play into an exact copy of another minion."""
    transform(state, table, minion, state[original + at.CARD])
    imitate(state, table, original, minion)


@compiled(none(Words, Words, i64))
def _move_to_hand(state: Any, table: Any, minion: int) -> None:
    """Move a minion from its board to its owner's hand, with its printed numbers.

    The caller has checked that the hand has space.
    """
    leave_board(state, minion)
    detach_all(state, minion)
    print_card(state, table, minion, state[minion + at.CARD])
    state[minion + at.ZONE] = at.IN_HAND
    append(state, hand(state[minion + at.OWNER]), minion)


@compiled(none(Words, Words, i64))
def return_to_hand(state: Any, table: Any, minion: int) -> None:
    """Return a minion to its owner's hand with its printed numbers; doom it if the hand is full.

    A doomed minion dies at the next death step.
    """
    if state[hand(state[minion + at.OWNER])] >= table[at.HAND_LIMIT]:
        state[minion + at.STATUS] |= at.IS_DOOMED
        return
    _move_to_hand(state, table, minion)
    state[at.PREVIOUS] = minion


@compiled(none(Words, Words, i64))
def change_sides(state: Any, table: Any, minion: int) -> None:
    """Move a minion to the right end of the other player's board; doom it if the board is full.

    A doomed minion dies at the next death step.
    """
    seat = 1 - state[minion + at.OWNER]
    if state[board(seat)] >= table[at.BOARD_LIMIT]:
        state[minion + at.STATUS] |= at.IS_DOOMED
        return
    leave_board(state, minion)
    state[minion + at.OWNER] = seat
    insert_on_board(state, minion, state[board(seat)], 0)


@compiled(none(Words, Words, i64, i64))
def exchange(state: Any, table: Any, minion: int, card: int) -> None:
    """Swap the places of a minion in play and a minion in its owner's hand, without any event.

    Nothing happens if the card is not in that hand.
    """
    cards = hand(state[minion + at.OWNER])
    place = place_of(state, minion)
    position = position_of(state, cards, card)
    if position < 0:  # the card is in the other hand
        return
    take_from_hand(state, cards, position)
    _move_to_hand(state, table, minion)
    insert_on_board(state, card, place, 0)


@compiled(none(Words, Words, i64, i64, i64))
def give(state: Any, table: Any, maker: int, seat: int, card: int) -> None:
    """Put a new card into a hand, if the hand has space, and make it the previous record.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        maker: record that gives the card, from which the card inherits its deck slot.
        seat: seat of the hand's player.
        card: number of the card.
    """
    record = put_into_hand(state, table, card, state[maker + at.SLOT], seat)
    if record != 0:
        state[at.PREVIOUS] = record


@compiled(none(Words, i64, i64))
def discard(state: Any, seat: int, position: int) -> None:
    """Remove the card at `position` of a hand from the game."""
    send_to_removed(state, take_from_hand(state, hand(seat), position))


@compiled(none(Words, i64))
def break_weapon(state: Any, seat: int) -> None:
    """Remove a seat's weapon from the game, if the seat has one."""
    weapon = state[player(seat) + at.WEAPON]
    if weapon != 0:
        state[player(seat) + at.WEAPON] = 0
        state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
        send_to_removed(state, weapon)


@compiled(none(Words, i64, i64))
def wield(state: Any, seat: int, weapon: int) -> None:
    """Equip a weapon in place of the current weapon, if any, which breaks."""
    break_weapon(state, seat)
    state[player(seat) + at.WEAPON] = weapon
    _enter_play(state, weapon)


@compiled(none(Words, i64, i64))
def offer_top_cards(state: Any, seat: int, n_cards: int) -> None:
    """Remove the top cards of a deck and begin the player's choice of one of them.

    At most `CHOICE_CAPACITY` cards are offered, and no more than the deck holds. Nothing happens if
    the deck is empty or a choice has already begun in this action.

    Args:
        state: words of the game.
        seat: seat of the player.
        n_cards: number of cards to offer.
    """
    drawer = player(seat)
    n_offered = min(n_cards, state[drawer + at.N_CARDS_LEFT], at.CHOICE_CAPACITY)
    if n_offered <= 0 or state[at.PHASE] == at.CHOICE_PHASE:
        return
    for k in range(n_offered):
        state[at.CHOICES + 1 + k] = draw_slot(state, drawer)
    state[at.CHOICES] = n_offered
    state[at.PHASE] = at.CHOICE_PHASE


@compiled(i64(Words, Words, i64, i64))
def take_choice(state: Any, table: Any, seat: int, choice: int) -> int:
    """Put the chosen card into the hand and drop the other offered cards.

    Args:
        state: words of the game, in a choice of cards.
        table: card table of the game's variant.
        seat: seat of the player.
        choice: position of the chosen card among the offered cards.

    Returns:
        The card's record, or 0 if the hand is full.
    """
    slot = state[at.CHOICES + 1 + choice]
    state[at.CHOICES] = 0
    state[at.SEEN + DECK_CAPACITY * seat + slot] = at.SEEN_LATER
    return take_into_hand(state, table, seat, slot)
