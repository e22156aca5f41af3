"""Auras and costs: what follows from where everything stands, brought up to date after every row.

Nothing here is remembered from one time to the next except what auras gave, so that it can be
taken back.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import ACTIONS, Event, Kind
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import add, bounded, not_negative
from sim.engine.general.changes import change_max_health
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of
from sim.engine.general.measures import holds, measure
from sim.engine.layout import (
    ATTACK,
    AURA_ATTACK,
    AURA_HEALTH,
    AURAS_ARE_DONE,
    AURAS_CHANGE,
    AURAS_GRANT,
    AURAS_LIVE,
    AURAS_ON_COSTS,
    AURAS_SET,
    AURAS_VOLATILE,
    BOARD_CHANGED,
    BOARD_IS_NEW,
    CARD_AURAS,
    CARD_COST,
    CARD_EVENTS,
    CARD_KIND,
    CARD_N_ROWS,
    CARD_ROWS,
    COST,
    COST_CHANGE,
    DEATHS_DUE,
    GROUP,
    HEALTH,
    HEARD,
    IS_SILENCED,
    KEYWORDS,
    N_GROUP,
    NEW_AURA_HEALTH,
    NEXT_KEYWORDS,
    NEXT_SECRET,
    NEXT_SPELL,
    OWN_KEYWORDS,
    ROW_AMOUNT,
    ROW_AT_LEAST,
    ROW_ATTACK,
    ROW_EVENT,
    ROW_HEALTH,
    ROW_KEYWORDS,
    ROW_OPCODE,
    ROW_SIZE,
    ROW_TIMES,
    ROW_TO,
    ROW_WHEN,
    SPELLS_NOW,
    STATUS,
    TURN_KEYWORDS,
    WEAPON,
)
from sim.engine.zones import board, hand, item, player

AURA, OWN_COST = int(Event.AURA), int(Event.OWN_COST)
SPELL, SECRET = int(Kind.SPELL), int(Kind.SECRET)
BUFF, GRANT, SET = (ACTIONS.number(word) for word in ("buff", "grant", "set"))


@compiled(i64(i64))
def _stage_of(opcode: int) -> int:
    if opcode == GRANT:
        return AURAS_GRANT
    return AURAS_SET if opcode == SET else AURAS_CHANGE


@compiled(none(Words, i64))
def _forget_auras(state: Any, record: int) -> None:
    """Take back what auras gave, except health, which is compared at the end."""
    state[record + ATTACK] = not_negative(state[record + ATTACK] - state[record + AURA_ATTACK])
    state[record + AURA_ATTACK] = 0
    state[record + NEW_AURA_HEALTH] = 0
    state[record + KEYWORDS] = (
        state[record + OWN_KEYWORDS] | state[record + TURN_KEYWORDS] | state[record + NEXT_KEYWORDS]
    )


@compiled(none(Words, i64))
def _keep_aura_health(state: Any, record: int) -> None:
    change = state[record + NEW_AURA_HEALTH] - state[record + AURA_HEALTH]
    if change != 0:
        state[record + AURA_HEALTH] = state[record + NEW_AURA_HEALTH]
        change_max_health(state, record, change)
        state[BOARD_CHANGED] = BOARD_IS_NEW  # who is damaged may have changed
        if state[record + HEALTH] <= 0:
            state[DEATHS_DUE] = 1


@compiled(none(Words, i64, i64))
def _lend_attack(state: Any, record: int, attack: int) -> None:
    """Add attack for as long as the aura holds; what is taken back is what was added."""
    change = not_negative(state[record + ATTACK] + attack) - state[record + ATTACK]
    state[record + ATTACK] += change
    state[record + AURA_ATTACK] += change


@compiled(none(Words, Words, i64, i64, i64))
def _apply_row(state: Any, table: Any, row: int, source: int, opcode: int) -> None:
    """Give what one aura row gives to everybody it applies to."""
    if not holds(state, table, table[row + ROW_WHEN], source, 0, 0, 0):
        return
    times = 1
    if table[row + ROW_TIMES] != 0:
        times = measure(state, table, table[row + ROW_TIMES], source, 0, 0, 0)
    gather(state, table, table[row + ROW_TO], source, 0, 0)
    for k in range(state[N_GROUP]):
        member = state[GROUP + k]
        if opcode == GRANT:
            state[member + KEYWORDS] |= table[row + ROW_KEYWORDS]
        elif opcode == SET:
            _lend_attack(state, member, times * table[row + ROW_ATTACK] - state[member + ATTACK])
        elif opcode == BUFF:
            _lend_attack(state, member, times * table[row + ROW_ATTACK])
            add(state, member + NEW_AURA_HEALTH, times * table[row + ROW_HEALTH])
        else:
            cost = bounded(state[member + COST] + times * table[row + ROW_AMOUNT])
            at_least = table[row + ROW_AT_LEAST]
            if at_least > 0:  # what costs less already stays as it is
                cost = max(cost, min(state[member + COST], at_least))
            state[member + COST] = cost


@compiled(i64(Words, Words, i64))
def _auras_of(state: Any, table: Any, record: int) -> int:
    """What a record in play gives now, as AURAS_* bits."""
    return 0 if state[record + STATUS] & IS_SILENCED else table[card_of(state, record) + CARD_AURAS]


@compiled(none(Words, Words, i64, i64, i64))
def _apply_rows(state: Any, table: Any, source: int, event: int, stage: int) -> None:
    """Apply the rows of a record that hold for ever and belong to a stage.

    Keywords come first, since a number may depend on one; a number that is set comes last.
    """
    card = card_of(state, source)
    row = table[card + CARD_ROWS]
    for _ in range(table[card + CARD_N_ROWS]):
        opcode = table[row + ROW_OPCODE]
        if table[row + ROW_EVENT] == event and _stage_of(opcode) == stage:
            _apply_row(state, table, row, source, opcode)
        row += ROW_SIZE


@compiled(none(Words, Words, i64), apart=True)
def _apply_auras(state: Any, table: Any, stage: int) -> None:
    for seat in range(2):
        for position in range(state[board(seat)]):
            minion = item(state, board(seat), position)
            if _auras_of(state, table, minion) & stage:
                _apply_rows(state, table, minion, AURA, stage)
        weapon = state[player(seat) + WEAPON]
        if weapon != 0 and _auras_of(state, table, weapon) & stage:
            _apply_rows(state, table, weapon, AURA, stage)


@compiled(i64(Words, i64, i64))
def _discount(state: Any, leader: int, kind: int) -> int:
    """What is added to the cost of a player's cards of a kind in this turn."""
    if kind not in (SPELL, SECRET):
        return 0
    for_all = state[leader + NEXT_SPELL] + state[leader + SPELLS_NOW]
    return for_all + state[leader + NEXT_SECRET] if kind == SECRET else for_all


@compiled(none(Words, Words))
def _price_hands(state: Any, table: Any) -> None:
    """Costs before auras: printed, changed, and by the card's own formula; maybe below zero."""
    for seat in range(2):
        for position in range(state[hand(seat)]):
            record = item(state, hand(seat), position)
            printed = table[card_of(state, record) + CARD_COST]
            kind = table[card_of(state, record) + CARD_KIND]
            discount = _discount(state, player(seat), kind)
            state[record + COST] = bounded(printed + state[record + COST_CHANGE] + discount)
            if table[card_of(state, record) + CARD_EVENTS] >> OWN_COST & 1:
                _apply_rows(state, table, record, OWN_COST, AURAS_CHANGE)


@compiled(none(Words))
def _floor_prices(state: Any) -> None:
    """Only what everything comes to is not below zero."""
    for seat in range(2):
        for position in range(state[hand(seat)]):
            record = item(state, hand(seat), position)
            state[record + COST] = max(state[record + COST], 0)


@compiled(i64(Words, Words))
def _auras_in_play(state: Any, table: Any) -> int:
    """What is given by anything in play now, as AURAS_* bits."""
    bits = 0
    for seat in range(2):
        weapon = state[player(seat) + WEAPON]
        if weapon != 0:
            bits |= _auras_of(state, table, weapon)
        for position in range(state[board(seat)]):
            bits |= _auras_of(state, table, item(state, board(seat), position))
    return bits


@compiled(none(Words))
def _forget_all(state: Any) -> None:
    for seat in range(2):
        _forget_auras(state, player(seat))
        if state[player(seat) + WEAPON] != 0:
            _forget_auras(state, state[player(seat) + WEAPON])
        for position in range(state[board(seat)]):
            _forget_auras(state, item(state, board(seat), position))


@compiled(none(Words))
def _keep_all_health(state: Any) -> None:
    for seat in range(2):
        if state[player(seat) + WEAPON] != 0:
            _keep_aura_health(state, state[player(seat) + WEAPON])
        for position in range(state[board(seat)]):
            _keep_aura_health(state, item(state, board(seat), position))


@compiled(none(Words, Words, i64, i64), apart=True)
def _apply_all(state: Any, table: Any, given: int, prices: int) -> None:
    """Forget what there was and work it out anew.

    Args:
        state: the game.
        table: the numbers.
        given: AURAS_* bits of what was given before or is given now.
        prices: whether costs may have changed.
    """
    if given:
        _forget_all(state)
    if prices:
        _price_hands(state, table)
    if given & AURAS_GRANT:
        _apply_auras(state, table, AURAS_GRANT)
    if given & AURAS_CHANGE:
        _apply_auras(state, table, AURAS_CHANGE)
    if prices:
        _floor_prices(state)
    if given:
        _keep_all_health(state)
    if given & AURAS_SET:
        _apply_auras(state, table, AURAS_SET)


@compiled(none(Words, Words))
def refresh_auras(state: Any, table: Any) -> None:
    """Bring what auras give, and costs, up to date; nearly free where there is nothing to do."""
    has_formulas = state[HEARD] >> OWN_COST & 1
    if state[HEARD] >> AURA & 1 == 0 and not has_formulas:
        return
    has_changed = state[BOARD_CHANGED] == BOARD_IS_NEW
    if not (has_changed or state[AURAS_LIVE] & AURAS_VOLATILE or has_formulas):
        return
    if has_changed:
        state[BOARD_CHANGED] = AURAS_ARE_DONE
    live = _auras_in_play(state, table)
    given = live | state[AURAS_LIVE]
    if given or has_formulas:
        prices = has_formulas or given & AURAS_ON_COSTS
        _apply_all(state, table, given, prices)
        if state[BOARD_CHANGED] == BOARD_IS_NEW:
            state[BOARD_CHANGED] = AURAS_ARE_DONE
            _apply_all(state, table, given, prices)
        state[AURAS_LIVE] = live
