"""Games as a seat may imagine them: what it sees as it is, what it does not see dealt anew.

A seat sees its hand, both boards, lives, mana, how many cards lie where, and which slots have
left a deck. It knows the enemy's deck list, but not which of the slots not seen yet are in the
enemy's hand, nor what anybody will draw.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none, u64
from sim.engine.draws import draw_card
from sim.engine.layout import (
    ACTIVE,
    CLONE_SIZE,
    DECK,
    N_CARDS_LEFT,
    N_DRAWS,
    SLOT,
)
from sim.engine.rules import seed_streams
from sim.engine.zones import free_record, hand, item, player
from sim.ruleset import DECK_CAPACITY, N_SEATS


@compiled(none(Words, Words))
def copy_game(source: Any, target: Any) -> None:
    """Copy a game, but not its statistics, which nothing in a game reads."""
    for at in range(CLONE_SIZE):
        target[at] = source[at]


@compiled(none(Words, i64))
def _return_hand(state: Any, seat: int) -> None:
    """Put all cards of a hand back into the deck they came from."""
    cards, deck = hand(seat), player(seat) + DECK
    n_cards = state[cards]
    for position in range(n_cards):
        card = item(state, cards, position)
        state[deck + 1 + state[deck] + position] = state[card + SLOT]
        free_record(state, card)
    state[deck] += n_cards
    state[cards] = 0
    state[player(seat) + N_CARDS_LEFT] += n_cards


@compiled(none(Words, i64))
def _order_deck(state: Any, deck: int) -> None:
    """Sort the slots that remain in a deck: their order is nobody's to know."""
    remaining = 0
    for position in range(state[deck]):
        remaining |= 1 << item(state, deck, position)
    end = deck + 1
    for slot in range(DECK_CAPACITY):
        if (remaining >> slot) & 1:
            state[end] = slot
            end += 1


@compiled(i64(Words))
def forget_hidden(state: Any) -> int:
    """Undo all that the seat to move may not see: the enemy's hand returns to its deck.

    States that this seat cannot tell apart are equal afterwards, but for the streams.

    Returns:
        How many cards the enemy's hand held, for `deal_hidden`.
    """
    enemy = 1 - state[ACTIVE]
    n_hidden = state[hand(enemy)]
    _return_hand(state, enemy)
    for seat in range(N_SEATS):
        _order_deck(state, player(seat) + DECK)
    return n_hidden  # type: ignore[no-any-return]


@compiled(none(Words, Words, i64, u64))
def deal_hidden(state: Any, table: Any, n_hidden: int, world_seed: int) -> None:
    """Make a forgetful state a whole game again: new streams, and a new hand for the enemy.

    The enemy draws its hand as it draws all cards, so every set of cards not seen yet is equally
    likely, and blanks are drawn over.
    """
    seed_streams(state, world_seed)
    for seat in range(N_SEATS):
        state[player(seat) + N_DRAWS] = 0
    for _ in range(n_hidden):
        draw_card(state, table, 1 - state[ACTIVE])
