"""Actions that bring, move and price cards."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.draws import draw_card, search_deck
from sim.engine.general.copies import clone, copy_into_hand
from sim.engine.general.groups import (
    card_of,
    has_on_board,
    is_in_deck,
    is_in_play,
    is_minion,
    slot_of_member,
)
from sim.engine.general.measures import roll
from sim.engine.general.moves import discard, exchange, give, offer_top_cards, summon, wield
from sim.engine.handlers.picking import pick_card
from sim.engine.layout import (
    BLANK,
    CARD,
    CARD_HERO,
    CARD_SIZE,
    CARDS,
    COST,
    COST_CHANGE,
    FOR_ENEMY,
    GROUP,
    MAX_GROUP,
    N_GROUP,
    NOW_AMOUNT,
    OF_ENEMY_HERO,
    OWNER,
    PREVIOUS,
    RESULT,
    ROW_ABSENT,
    ROW_ARGUMENT,
    ROW_FLAGS,
    ROW_N_CARDS,
    RUNNING,
    SLOT,
)
from sim.engine.zones import hand, make_record, player


@compiled(i64(Words, Words, i64, i64, i64))
def _pick_absent_card(state: Any, table: Any, row: int, source: int, seat: int) -> int:
    """One at random of the row's cards that a seat does not have, or `BLANK`."""
    state[N_GROUP] = 0
    for k in range(table[row + ROW_N_CARDS]):
        card = table[table[row + ROW_ARGUMENT] + k]
        if not has_on_board(state, seat, card):
            state[GROUP + state[N_GROUP]] = card
            state[N_GROUP] += 1
    if state[N_GROUP] == 0:
        return BLANK
    return state[GROUP + roll(state, source, state[N_GROUP])]


@compiled(i64(Words, Words, i64, i64))
def _pick_enemy_card(state: Any, table: Any, row: int, source: int) -> int:
    """One at random of the row's cards that are of the enemy's class, or `BLANK`."""
    enemy = player(1 - state[source + OWNER])
    state[N_GROUP] = 0
    if state[enemy + CARD] == BLANK:
        return BLANK
    hero = table[card_of(state, enemy) + CARD_HERO]
    for k in range(table[row + ROW_N_CARDS]):
        card = table[table[row + ROW_ARGUMENT] + k]
        if table[CARDS + CARD_SIZE * card + CARD_HERO] == hero and state[N_GROUP] < MAX_GROUP:
            state[GROUP + state[N_GROUP]] = card
            state[N_GROUP] += 1
    if state[N_GROUP] == 0:
        return BLANK
    return state[GROUP + roll(state, source, state[N_GROUP])]


def _draw(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Draw from the top of the deck, or a card of it that the row has looked for."""
    if is_in_deck(target):
        slot = slot_of_member(target)
        state[PREVIOUS] = search_deck(state, table, state[source + OWNER], slot)
        return
    for _ in range(state[NOW_AMOUNT]):
        if state[RESULT] == RUNNING:
            state[PREVIOUS] = draw_card(state, table, state[target + OWNER])


def _summon(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Tokens that find the board full are lost."""
    state[PREVIOUS] = 0
    seat = state[target + OWNER]
    for nth in range(state[NOW_AMOUNT]):
        if table[row + ROW_ABSENT]:
            card = _pick_absent_card(state, table, row, source, seat)
        else:
            card = pick_card(state, table, row, source)
        if card != BLANK:
            summon(state, table, source, seat, card, nth)


def _equip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[target + OWNER]
    card = pick_card(state, table, row, source)
    state[PREVIOUS] = make_record(state, table, card, state[source + SLOT], seat)
    wield(state, seat, state[PREVIOUS])


def _give(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[PREVIOUS] = 0
    for _ in range(state[NOW_AMOUNT]):
        if table[row + ROW_FLAGS] & OF_ENEMY_HERO:
            card = _pick_enemy_card(state, table, row, source)
        else:
            card = pick_card(state, table, row, source)
        if card != BLANK:
            give(state, table, source, state[target + OWNER], card)


def _discard(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[target + OWNER]
    for _ in range(state[NOW_AMOUNT]):
        if state[hand(seat)] > 0:
            discard(state, seat, roll(state, source, state[hand(seat)]))


def _choose(state: Any, table: Any, row: int, source: int, target: int) -> None:
    offer_top_cards(state, state[target + OWNER], state[NOW_AMOUNT])


def _cost(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """A change for good; what auras and formulas add comes with the next refresh."""
    state[target + COST_CHANGE] += state[NOW_AMOUNT]
    state[target + COST] = max(state[target + COST] + state[NOW_AMOUNT], 0)


def _copy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[source + OWNER]
    if table[row + ROW_FLAGS] & FOR_ENEMY:
        seat = 1 - seat
    copy_into_hand(state, table, source, target, seat)


def _clone(state: Any, table: Any, row: int, source: int, target: int) -> None:
    clone(state, table, source, target)


def _exchange(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, source) and is_minion(state, table, source):
        exchange(state, table, source, target)


ON_CARDS = {
    "draw": _draw,
    "summon": _summon,
    "equip": _equip,
    "give": _give,
    "discard": _discard,
    "choose": _choose,
    "cost": _cost,
    "copy": _copy,
    "clone": _clone,
    "exchange": _exchange,
}
