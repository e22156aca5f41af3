"""Auras, costs and readiness: what follows from where everything stands, brought up to date.

Nothing here is remembered from one time to the next except what auras gave, so that it can be
taken back. Auras are brought up to date after every effect row, the rest after every action.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.changes import change_max_health
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of
from sim.engine.general.measures import holds, measure
from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    AURA_ATTACK,
    AURA_HEALTH,
    AURAS_ARE_DONE,
    AURAS_GIVEN,
    AURAS_LIVE,
    AURAS_VOLATILE,
    BOARD_CHANGED,
    BOARD_IS_NEW,
    CARD_COST,
    CARD_EVENTS,
    CARD_N_ROWS,
    CARD_ROWS,
    CARD_SPELL_DAMAGE,
    CARD_VOLATILE,
    COST,
    COST_CHANGE,
    GROUP,
    HEARD,
    IDLE_ATTACKERS,
    IS_FROZEN,
    IS_NEW,
    IS_SILENCED,
    KEYWORDS,
    N_GROUP,
    N_MADE,
    NEW_AURA_HEALTH,
    NEXT_KEYWORDS,
    OWN_KEYWORDS,
    READY,
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
    SPELL_DAMAGE,
    STATUS,
    TURN_ATTACK,
    TURN_KEYWORDS,
    WEAPON,
)
from sim.engine.zones import board, hand, item, player
from sim.vocabulary import ACTIONS, Event, Keyword

AURA, OWN_COST = int(Event.AURA), int(Event.OWN_COST)
BUFF, GRANT, SET = (ACTIONS.number(word) for word in ("buff", "grant", "set"))
GRANTS, CHANGES, SETS = range(3)  # the stages in which auras are applied
HASTE, WINDFURY = int(Keyword.HASTE), int(Keyword.WINDFURY)
CANNOT_ATTACK = int(Keyword.CANNOT_ATTACK)


@compiled(i64(i64))
def _stage_of(opcode: int) -> int:
    if opcode == GRANT:
        return GRANTS
    return SETS if opcode == SET else CHANGES


@compiled(none(Words, i64))
def _forget_auras(state: Any, record: int) -> None:
    """Take back what auras gave, except health, which is compared at the end."""
    state[record + ATTACK] -= state[record + AURA_ATTACK]
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
            change = times * table[row + ROW_ATTACK] - state[member + ATTACK]
            state[member + ATTACK] += change
            state[member + AURA_ATTACK] += change
        elif opcode == BUFF:
            attack = times * table[row + ROW_ATTACK]
            state[member + ATTACK] += attack
            state[member + AURA_ATTACK] += attack
            state[member + NEW_AURA_HEALTH] += times * table[row + ROW_HEALTH]
        else:
            cost = state[member + COST] + times * table[row + ROW_AMOUNT]
            at_least = table[row + ROW_AT_LEAST]
            if at_least > 0:  # what costs less already stays as it is
                cost = max(cost, min(state[member + COST], at_least))
            state[member + COST] = cost


@compiled(none(Words, Words, i64, i64, i64), apart=True)
def _apply_rows(state: Any, table: Any, source: int, event: int, stage: int) -> None:
    """Apply the rows of a record that hold for ever and belong to a stage.

    Keywords come first, since a number may depend on one; a number that is set comes last.
    """
    card = card_of(state, source)
    silenced = state[source + STATUS] & IS_SILENCED
    if silenced or (table[card + CARD_EVENTS] >> event) & 1 == 0:
        return
    row = table[card + CARD_ROWS]
    for _ in range(table[card + CARD_N_ROWS]):
        opcode = table[row + ROW_OPCODE]
        if table[row + ROW_EVENT] == event and _stage_of(opcode) == stage:
            _apply_row(state, table, row, source, opcode)
        row += ROW_SIZE


@compiled(none(Words, Words, i64))
def _apply_auras(state: Any, table: Any, stage: int) -> None:
    for seat in range(2):
        for position in range(state[board(seat)]):
            _apply_rows(state, table, item(state, board(seat), position), AURA, stage)
        if state[player(seat) + WEAPON] != 0:
            _apply_rows(state, table, state[player(seat) + WEAPON], AURA, stage)


@compiled(none(Words, Words))
def _price_hands(state: Any, table: Any) -> None:
    """Costs before auras: printed, changed, and by the card's own formula; maybe below zero."""
    for seat in range(2):
        for position in range(state[hand(seat)]):
            record = item(state, hand(seat), position)
            printed = table[card_of(state, record) + CARD_COST]
            state[record + COST] = printed + state[record + COST_CHANGE]
            if state[HEARD] >> OWN_COST & 1:
                _apply_rows(state, table, record, OWN_COST, CHANGES)


@compiled(none(Words))
def _floor_prices(state: Any) -> None:
    """Only what everything comes to is not below zero."""
    for seat in range(2):
        for position in range(state[hand(seat)]):
            record = item(state, hand(seat), position)
            state[record + COST] = max(state[record + COST], 0)


@compiled(i64(Words, Words, i64))
def _auras_of(state: Any, table: Any, record: int) -> int:
    """What a record in play gives now, as AURAS_* bits."""
    card = card_of(state, record)
    if table[card + CARD_EVENTS] >> AURA & 1 == 0 or state[record + STATUS] & IS_SILENCED:
        return 0
    return AURAS_GIVEN | AURAS_VOLATILE if table[card + CARD_VOLATILE] else AURAS_GIVEN


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


@compiled(none(Words, Words), apart=True)
def _apply_all(state: Any, table: Any) -> None:
    for seat in range(2):
        _forget_auras(state, player(seat))
        if state[player(seat) + WEAPON] != 0:
            _forget_auras(state, state[player(seat) + WEAPON])
        for position in range(state[board(seat)]):
            _forget_auras(state, item(state, board(seat), position))
    _price_hands(state, table)
    _apply_auras(state, table, GRANTS)
    _apply_auras(state, table, CHANGES)
    _floor_prices(state)
    for seat in range(2):
        if state[player(seat) + WEAPON] != 0:
            _keep_aura_health(state, state[player(seat) + WEAPON])
        for position in range(state[board(seat)]):
            _keep_aura_health(state, item(state, board(seat), position))
    _apply_auras(state, table, SETS)


@compiled(i64(Words, i64, i64))
def _attacks_left(state: Any, attacker: int, keywords: int) -> int:
    """Attacks that a character of the active seat may still make, whatever its attack."""
    if state[attacker + STATUS] & IS_FROZEN or keywords & CANNOT_ATTACK:
        return 0
    if state[attacker + STATUS] & IS_NEW and keywords & HASTE == 0:
        return 0
    has_windfury = keywords & WINDFURY != 0
    return max(1 + has_windfury - state[attacker + N_MADE], 0)


@compiled(none(Words, i64, i64))
def _ready_player(state: Any, leader: int, is_active: int) -> None:
    """A player attacks with what the turn lent, and in the own turn with the weapon."""
    attack = state[leader + TURN_ATTACK] + state[leader + AURA_ATTACK]
    keywords = state[leader + KEYWORDS]
    weapon = state[leader + WEAPON]
    if weapon != 0 and is_active:
        attack += state[weapon + ATTACK]
        keywords |= state[weapon + KEYWORDS] & WINDFURY
    state[leader + ATTACK] = attack
    may_attack = is_active and attack > 0
    state[leader + READY] = _attacks_left(state, leader, keywords) if may_attack else 0


@compiled(none(Words, Words, i64))
def _ready_side(state: Any, table: Any, seat: int) -> None:
    """What the characters of a seat may do."""
    is_active = state[ACTIVE] == seat
    _ready_player(state, player(seat), is_active)
    for position in range(state[board(seat)]):
        minion = item(state, board(seat), position)
        may_attack = is_active and (state[minion + ATTACK] > 0 or table[IDLE_ATTACKERS] != 0)
        keywords = state[minion + KEYWORDS]
        state[minion + READY] = _attacks_left(state, minion, keywords) if may_attack else 0


@compiled(none(Words, Words, i64))
def add_up_spell_damage(state: Any, table: Any, seat: int) -> None:
    """Bring a seat's spell damage up to date."""
    total = 0
    for position in range(state[board(seat)]):
        minion = item(state, board(seat), position)
        if state[minion + STATUS] & IS_SILENCED == 0:
            total += table[card_of(state, minion) + CARD_SPELL_DAMAGE]
    state[player(seat) + SPELL_DAMAGE] = total


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
    if live or state[AURAS_LIVE] or has_formulas:
        _apply_all(state, table)
        if state[BOARD_CHANGED] == BOARD_IS_NEW:
            state[BOARD_CHANGED] = AURAS_ARE_DONE
            _apply_all(state, table)
        state[AURAS_LIVE] = live


@compiled(none(Words, Words))
def refresh_readiness(state: Any, table: Any) -> None:
    """Bring heroes' attack, readiness and spell damage up to date.

    Of the side that is not to move, nothing changes but with the boards.
    """
    _ready_side(state, table, state[ACTIVE])
    if state[BOARD_CHANGED]:
        state[BOARD_CHANGED] = 0
        _ready_side(state, table, 1 - state[ACTIVE])
        for seat in range(2):
            add_up_spell_damage(state, table, seat)
