"""Imagined games, in which hidden information is removed and dealt anew.

A seat observes its hand, both boards, lives, mana, the number of cards in each zone, and the slots
that have left a deck. The enemy's deck list is public. The unseen slots in the enemy's hand, later
draws and random effects are hidden. A secret of the enemy may be any secret that the seat has not
seen yet.

Two facts about the enemy's hand are public: cards that were given (the coin, or a card made by
another card) and changes of a card's cost. A minion that returned to the hand counts as unseen
again.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Kind
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none, u64
from sim.engine.general.changes import attached_card
from sim.engine.general.groups import card_of
from sim.engine.general.secrets import hide, may_hide
from sim.engine.rules import seed_streams
from sim.engine.streams import load64, number, pick
from sim.engine.zones import (
    add_heard_events,
    board,
    free_record,
    hand,
    item,
    player,
    print_card,
    secrets,
    take_from_deck,
)
from sim.ruleset import DECK_CAPACITY, N_SEATS

SECRET = int(Kind.SECRET)

# --- removal of hidden information ---


@compiled(i64(Words, i64))
def _unknown_slots(state: Any, drawer: int) -> int:
    """Return the slots of a player's deck below its known top cards, as bits."""
    slots = 0
    for position in range(state[drawer + at.N_KNOWN_TOP], state[drawer + at.DECK]):
        slots |= 1 << item(state, drawer + at.DECK, position)
    return slots


@compiled(none(Words, i64, i64))
def _order_deck(state: Any, drawer: int, slots: int) -> None:
    """Write a deck anew: its known top cards, and below them `slots` in ascending order.

    Args:
        state: state of the game.
        drawer: offset of the player's block.
        slots: slots below the known top, as bits.
    """
    length = state[drawer + at.N_KNOWN_TOP]
    slot = 0
    while slots >> slot != 0:
        # Every slot is written but counted only if it is in the deck, since a branch on each bit
        # would be mispredicted half of the time. A last slot that is not counted is written to the
        # padding behind the zone.
        state[drawer + at.DECK + 1 + length] = slot
        length += (slots >> slot) & 1
        slot += 1
    state[drawer + at.DECK] = length


@compiled(i64(Words, i64, i64))
def _is_unseen(state: Any, card: int, deck_slots: int) -> bool:
    """Return whether a card of a hand was drawn from its owner's deck, and not given.

    Args:
        state: state of the game.
        card: offset of the card's record.
        deck_slots: slots that are in the owner's deck, as bits.
    """
    drawer = player(state[card + at.OWNER])
    slot = state[card + at.SLOT]
    if slot >= DECK_CAPACITY or (deck_slots >> slot) & 1:
        return False  # the slot's card is in the deck, so the card in hand is a copy
    return state[drawer + at.CARD_OF_SLOT + slot] == state[card + at.CARD]


@compiled(none(Words, i64))
def _blank_card(state: Any, card: int) -> None:
    """Erase the words of a card in a hand, or of a secret, that the enemy may not see.

    Owner, zone and the change of the cost stay.
    """
    change = state[card + at.COST_CHANGE]
    owner = state[card + at.OWNER]
    zone = state[card + at.ZONE]
    for word in range(card, card + at.RECORD_SIZE):
        state[word] = 0
    state[card + at.CARD] = at.BLANK
    state[card + at.OWNER] = owner
    state[card + at.ZONE] = zone
    state[card + at.COST_CHANGE] = change


@compiled(i64(Words, i64, i64))
def _forget_cards(state: Any, zone: int, slots: int) -> int:
    """Replace the unseen cards of a zone by blanks, and return the deck with their slots added.

    Secrets become blanks even if they were given and not drawn.

    Args:
        state: state of the game.
        zone: offset of a hand or of a seat's secrets.
        slots: slots of the owner's deck, as bits.

    Returns:
        Slots of the owner's deck and of the unseen cards, as bits.
    """
    for position in range(state[zone]):
        card = item(state, zone, position)
        is_unseen = _is_unseen(state, card, slots)
        if is_unseen:
            slots |= 1 << state[card + at.SLOT]
            state[player(state[card + at.OWNER]) + at.N_CARDS_LEFT] += 1
        if is_unseen or state[card + at.ZONE] == at.IN_SECRET:
            _blank_card(state, card)
    return slots


@compiled(none(Words, Words, i64))
def _add_events_of(state: Any, table: Any, record: int) -> None:
    """Make the game raise the events to which the text of a record's card reacts.

    A blank adds none.
    """
    if state[record + at.CARD] != at.BLANK:
        add_heard_events(state, table, card_of(state, record))


@compiled(none(Words, Words))
def _forget_listeners(state: Any, table: Any) -> None:
    """Recompute the events that the game must raise, from the visible cards only."""
    if state[at.HEARD] == 0 and state[at.HEARD + 1] == 0:
        return  # no card ever reacted to an event, as in every plain game
    state[at.HEARD] = state[at.HEARD + 1] = 0
    for k in range(state[at.N_ATTACHED]):
        add_heard_events(state, table, attached_card(state, k))
    for seat in range(N_SEATS):
        for zone in (hand(seat), board(seat), secrets(seat)):
            for position in range(state[zone]):
                _add_events_of(state, table, item(state, zone, position))
        if state[player(seat) + at.WEAPON] != 0:
            _add_events_of(state, table, state[player(seat) + at.WEAPON])


@compiled(none(Words, Words))
def forget_hidden(state: Any, table: Any) -> None:
    """Erase all information that the seat to move may not see, in place.

    The slots of the enemy's unseen cards return to its deck, and the cards become blanks, which
    `deal_hidden` fills. States that the seat to move cannot distinguish become equal, except for
    their random streams.
    """
    own = player(state[at.ACTIVE])
    _order_deck(state, own, _unknown_slots(state, own))
    enemy = player(1 - state[at.ACTIVE])
    slots = _forget_cards(state, enemy + at.HAND, _unknown_slots(state, enemy))
    _order_deck(state, enemy, _forget_cards(state, enemy + at.SECRETS, slots))
    state[enemy + at.GUARDIAN] = 0
    _forget_listeners(state, table)
    for seat in range(N_SEATS):
        state[player(seat) + at.N_DRAWS] = 0
        for slot in range(DECK_CAPACITY + 2):
            state[player(seat) + at.USES + slot] = 0


# --- dealing of possible hidden information ---


@compiled(u64(Words, i64))
def decision_stream(state: Any, seat: int) -> int:
    """Return the seed of the imagined worlds of a seat's next decision.

    The seed depends on the seed of the game, the seat and the number of its decisions so far.
    """
    decision = state[player(seat) + at.N_DECISIONS] + 1
    return number(load64(state, player(seat) + at.AGENT_STREAM), decision)


@compiled(i64(Words, i64))
def _draw_unknown(state: Any, drawer: int) -> int:
    """Remove a random card below a deck's known top, and return its slot; blanks are redrawn."""
    n_known = state[drawer + at.N_KNOWN_TOP]
    stream = load64(state, drawer + at.DRAW_STREAM)
    state[drawer + at.N_CARDS_LEFT] -= 1
    while True:
        state[drawer + at.N_DRAWS] += 1
        k = pick(stream, state[drawer + at.N_DRAWS], state[drawer + at.DECK] - n_known)
        slot = take_from_deck(state, drawer + at.DECK, n_known + k)
        if state[drawer + at.CARD_OF_SLOT + slot] != at.BLANK:
            return slot


@compiled(none(Words, Words, i64, i64))
def _deal_card(state: Any, table: Any, drawer: int, card: int) -> None:
    """Replace a blank in a hand by a card drawn from its owner's deck; its cost change stays.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        drawer: offset of the owner's player block.
        card: offset of the blank's record.
    """
    change = state[card + at.COST_CHANGE]
    state[card + at.SLOT] = _draw_unknown(state, drawer)
    print_card(state, table, card, state[drawer + at.CARD_OF_SLOT + state[card + at.SLOT]])
    state[card + at.ZONE] = at.IN_HAND
    state[card + at.COST_CHANGE] = change
    state[card + at.COST] = max(state[card + at.COST] + change, 0)


@compiled(i64(Words, Words, i64, i64))
def _may_be(state: Any, table: Any, drawer: int, slot: int) -> bool:
    """Return whether the card of a slot is a secret that its owner may have in play now.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        drawer: offset of the owner's player block.
        slot: slot of the owner's deck.
    """
    card = state[drawer + at.CARD_OF_SLOT + slot]
    if card == at.BLANK or table[at.CARDS + at.CARD_SIZE * card + at.CARD_KIND] != SECRET:
        return False
    return may_hide(state, state[drawer + at.OWNER], card)


@compiled(i64(Words, i64))
def _count_blanks(state: Any, cards: int) -> int:
    """Return the number of blanks in a hand, which are still to be dealt."""
    n_blanks = 0
    for position in range(state[cards]):
        n_blanks += state[item(state, cards, position) + at.CARD] == at.BLANK
    return n_blanks


@compiled(i64(Words, Words, i64))
def _take_unknown_secret(state: Any, table: Any, drawer: int) -> int:
    """Remove a random possible secret below a deck's known top, and return its slot.

    The result is -1 if the deck contains no possible secret. It is also -1 if the hand still needs
    all cards of the deck, so that none of them can be the secret.
    """
    n_fit = n_unknown = 0
    for position in range(state[drawer + at.N_KNOWN_TOP], state[drawer + at.DECK]):
        slot = item(state, drawer + at.DECK, position)
        n_unknown += state[drawer + at.CARD_OF_SLOT + slot] != at.BLANK
        n_fit += _may_be(state, table, drawer, slot)
    if n_fit == 0 or n_unknown <= _count_blanks(state, hand(state[drawer + at.OWNER])):
        return -1
    state[drawer + at.N_DRAWS] += 1
    n_to_skip = pick(load64(state, drawer + at.DRAW_STREAM), state[drawer + at.N_DRAWS], n_fit)
    for position in range(state[drawer + at.N_KNOWN_TOP], state[drawer + at.DECK]):
        if _may_be(state, table, drawer, item(state, drawer + at.DECK, position)):
            if n_to_skip == 0:
                state[drawer + at.N_CARDS_LEFT] -= 1
                return take_from_deck(state, drawer + at.DECK, position)
            n_to_skip -= 1
    return -1


@compiled(none(Words, Words, i64))
def _deal_secrets(state: Any, table: Any, seat: int) -> None:
    """Replace each secret of a seat by a random possible secret; remove it if none is possible."""
    drawer = player(seat)
    waiting = secrets(seat)
    n_waiting = state[waiting]
    state[waiting] = 0
    for position in range(n_waiting):
        # `hide` fills the zone from its start, at most up to this place, which is still unchanged.
        card = state[waiting + 1 + position]
        slot = _take_unknown_secret(state, table, drawer)
        if slot < 0:
            free_record(state, card)
        else:
            state[card + at.SLOT] = slot
            print_card(state, table, card, state[drawer + at.CARD_OF_SLOT + slot])
            hide(state, table, card)


@compiled(none(Words, Words, u64))
def deal_hidden(state: Any, table: Any, world_seed: int) -> None:
    """Complete a game after `forget_hidden` by new random streams, enemy secrets and enemy hand.

    Every hand of unseen cards is equally likely. The game is changed in place.

    Args:
        state: state of the game, after `forget_hidden`.
        table: numbers of the cards and rules.
        world_seed: seed of the imagined game.
    """
    seed_streams(state, world_seed)
    enemy = 1 - state[at.ACTIVE]
    _deal_secrets(state, table, enemy)
    for position in range(state[hand(enemy)]):
        card = item(state, hand(enemy), position)
        if state[card + at.CARD] == at.BLANK:
            _deal_card(state, table, player(enemy), card)
    state[at.BOARD_CHANGED] = 1  # makes the engine compute the costs of the new hand before use
