"""The built-in actions: one function for each word, called through the jump table.

A handler is told the row, the record that acts and one record that it acts on; the rules call it
once for each member of the row's group.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.draws import draw_card
from sim.engine.general.changes import (
    buff,
    deal_damage,
    grant,
    heal,
    lose_keywords,
    set_attack,
    set_health,
    silence,
)
from sim.engine.general.groups import has_on_board, is_in_play, is_minion, is_player
from sim.engine.general.measures import roll
from sim.engine.general.moves import (
    change_sides,
    discard,
    give,
    offer_top_cards,
    return_to_hand,
    summon,
    transform,
    wield,
)
from sim.engine.layout import (
    ARMOR,
    ATTACK,
    BLANK,
    COST,
    COST_CHANGE,
    GIVES_ATTACK,
    GIVES_HEALTH,
    GROUP,
    HEALTH,
    IS_DOOMED,
    IS_FROZEN,
    MANA,
    MANA_CAP,
    MANA_MAX,
    N_GROUP,
    NOW_AMOUNT,
    NOW_ATTACK,
    NOW_HEALTH,
    OWNER,
    PREVIOUS,
    RESULT,
    ROW_ABSENT,
    ROW_ARGUMENT,
    ROW_GIVEN,
    ROW_KEYWORDS,
    ROW_LASTS,
    ROW_N_CARDS,
    RUNNING,
    SLOT,
    STATUS,
)
from sim.engine.zones import hand, make_record, player


@compiled(i64(Words, Words, i64, i64))
def _pick_card(state: Any, table: Any, row: int, source: int) -> int:
    """The card that a row names, or one at random of several."""
    n_cards = table[row + ROW_N_CARDS]
    if n_cards <= 1:
        return table[row + ROW_ARGUMENT]
    return table[table[row + ROW_ARGUMENT] + roll(state, source, n_cards)]


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


def _damage(state: Any, table: Any, row: int, source: int, target: int) -> None:
    deal_damage(state, source, target, state[NOW_AMOUNT])


def _heal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    heal(state, target, state[NOW_AMOUNT])


def _draw(state: Any, table: Any, row: int, source: int, target: int) -> None:
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
            card = _pick_card(state, table, row, source)
        if card != BLANK:
            summon(state, table, source, seat, card, nth)


def _buff(state: Any, table: Any, row: int, source: int, target: int) -> None:
    buff(state, target, state[NOW_ATTACK], state[NOW_HEALTH], table[row + ROW_LASTS])


def _grant(state: Any, table: Any, row: int, source: int, target: int) -> None:
    grant(state, target, table[row + ROW_KEYWORDS], table[row + ROW_LASTS])


def _destroy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """A minion is doomed; a weapon has worn out."""
    if is_player(target):
        return
    if is_minion(state, table, target):
        state[target + STATUS] |= IS_DOOMED
    else:
        state[target + HEALTH] = 0


def _armor(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_player(target):
        state[target + ARMOR] += state[NOW_AMOUNT]


def _equip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[target + OWNER]
    card = _pick_card(state, table, row, source)
    state[PREVIOUS] = make_record(state, table, card, state[source + SLOT], seat)
    wield(state, seat, state[PREVIOUS])


def _transform(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target) and is_in_play(state, target):
        transform(state, table, target, _pick_card(state, table, row, source))


def _discard(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[target + OWNER]
    for _ in range(state[NOW_AMOUNT]):
        if state[hand(seat)] > 0:
            discard(state, seat, roll(state, source, state[hand(seat)]))


def _choose(state: Any, table: Any, row: int, source: int, target: int) -> None:
    offer_top_cards(state, state[target + OWNER], state[NOW_AMOUNT])


def _set(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if table[row + ROW_GIVEN] & GIVES_ATTACK:
        set_attack(state, target, state[NOW_ATTACK])
    if table[row + ROW_GIVEN] & GIVES_HEALTH:
        set_health(state, target, state[NOW_HEALTH])


def _freeze(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[target + STATUS] |= IS_FROZEN


def _return(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[PREVIOUS] = 0
    if not is_player(target) and is_in_play(state, target):
        return_to_hand(state, table, target)


def _cost(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """A change for good; what auras and formulas add comes with the next refresh."""
    state[target + COST_CHANGE] += state[NOW_AMOUNT]
    state[target + COST] = max(state[target + COST] + state[NOW_AMOUNT], 0)


def _silence(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target):
        silence(state, table, target)


def _give(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[PREVIOUS] = 0
    for _ in range(state[NOW_AMOUNT]):
        card = _pick_card(state, table, row, source)
        give(state, table, source, state[target + OWNER], card)


def _steal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    is_theirs = state[target + OWNER] != state[source + OWNER]
    if is_theirs and is_minion(state, table, target) and is_in_play(state, target):
        change_sides(state, table, target)


def _mana(state: Any, table: Any, row: int, source: int, target: int) -> None:
    leader = player(state[target + OWNER])
    state[leader + MANA] = min(state[leader + MANA] + state[NOW_AMOUNT], table[MANA_MAX])


def _strip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    lose_keywords(state, target, table[row + ROW_KEYWORDS])


def _swap(state: Any, table: Any, row: int, source: int, target: int) -> None:
    attack, health = state[target + ATTACK], state[target + HEALTH]
    set_attack(state, target, health)
    set_health(state, target, attack)


def _crystals(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Mana that is there may still be spent, unless there are fewer crystals than that."""
    leader = player(state[target + OWNER])
    crystals = min(max(state[leader + MANA_CAP] + state[NOW_AMOUNT], 0), table[MANA_MAX])
    state[leader + MANA_CAP] = crystals
    state[leader + MANA] = min(state[leader + MANA], crystals)


BUILT_IN = {
    "damage": _damage,
    "heal": _heal,
    "draw": _draw,
    "summon": _summon,
    "buff": _buff,
    "grant": _grant,
    "destroy": _destroy,
    "armor": _armor,
    "equip": _equip,
    "transform": _transform,
    "discard": _discard,
    "choose": _choose,
    "set": _set,
    "freeze": _freeze,
    "return": _return,
    "cost": _cost,
    "silence": _silence,
    "give": _give,
    "steal": _steal,
    "mana": _mana,
    "strip": _strip,
    "swap": _swap,
    "crystals": _crystals,
}
