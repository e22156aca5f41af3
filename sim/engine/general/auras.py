"""Auras, costs and readiness: continuous effects, recomputed from the positions of all cards.

Auras and costs are updated after every row; readiness, heroes' attack and spell damage after an
action. An update stores only the bonuses of auras, so that the next update can subtract them.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Keyword, Kind, Opcode
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import add, bounded, not_negative
from sim.engine.general.changes import change_max_health, restore_keywords
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of
from sim.engine.general.measures import holds, measure
from sim.engine.zones import HASTE, board, hand, item, player


@compiled(i64(i64))
def _stage_of(opcode: int) -> int:
    """Return the AURAS_* bit of the stage in which an aura row with this opcode is applied."""
    if opcode == Opcode.GRANT:
        return at.AURAS_GRANT
    return at.AURAS_SET if opcode == Opcode.SET else at.AURAS_CHANGE


@compiled(none(Words, i64))
def _forget_auras(state: Any, record: int) -> None:
    """Remove the bonuses of auras from a record; the health bonus stays, to be updated later."""
    state[record + at.ATTACK] = not_negative(
        state[record + at.ATTACK] - state[record + at.AURA_ATTACK]
    )
    state[record + at.AURA_ATTACK] = state[record + at.NEW_AURA_HEALTH] = 0
    restore_keywords(state, record)


@compiled(none(Words, i64))
def _keep_aura_health(state: Any, record: int) -> None:
    """Apply the difference between a record's old and new health bonus from auras.

    A difference marks auras as out of date, and a death step as due if no health is left.
    """
    change = state[record + at.NEW_AURA_HEALTH] - state[record + at.AURA_HEALTH]
    if change != 0:
        state[record + at.AURA_HEALTH] = state[record + at.NEW_AURA_HEALTH]
        change_max_health(state, record, change)
        state[at.BOARD_CHANGED] = at.BOARD_IS_NEW  # auras may depend on which minions are damaged
        if state[record + at.HEALTH] <= 0:
            state[at.DEATHS_DUE] = 1


@compiled(none(Words, i64, i64))
def _lend_attack(state: Any, record: int, attack: int) -> None:
    """Add attack to a record as a bonus from auras, with attack clipped to at least 0.

    Only the amount added after clipping is stored as the bonus.
    """
    change = not_negative(state[record + at.ATTACK] + attack) - state[record + at.ATTACK]
    state[record + at.ATTACK] += change
    state[record + at.AURA_ATTACK] += change


@compiled(none(Words, Words, i64, i64, i64))
def _apply_row(state: Any, table: Any, row: int, source: int, opcode: int) -> None:
    """Give the bonus of one aura row to every member of the row's group, if its condition holds.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        row: offset of the row in the table.
        source: record that the row belongs to.
        opcode: opcode of the row: grant, set, buff, or a change of cost.
    """
    if not holds(state, table, table[row + at.ROW_WHEN], source, 0, 0, 0):
        return
    times = 1
    if table[row + at.ROW_TIMES] != 0:
        times = measure(state, table, table[row + at.ROW_TIMES], source, 0, 0, 0)
    gather(state, table, table[row + at.ROW_TO], source, 0, 0)
    for k in range(state[at.N_GROUP]):
        member = state[at.GROUP + k]
        if opcode == Opcode.GRANT:
            state[member + at.KEYWORDS] |= table[row + at.ROW_KEYWORDS]
        elif opcode == Opcode.SET:
            _lend_attack(
                state, member, times * table[row + at.ROW_ATTACK] - state[member + at.ATTACK]
            )
        elif opcode == Opcode.BUFF:
            _lend_attack(state, member, times * table[row + at.ROW_ATTACK])
            add(state, member + at.NEW_AURA_HEALTH, times * table[row + at.ROW_HEALTH])
        else:
            cost = bounded(state[member + at.COST] + times * table[row + at.ROW_AMOUNT])
            at_least = table[row + at.ROW_AT_LEAST]
            if at_least > 0:  # the minimum does not raise the cost of a card that costs less
                cost = max(cost, min(state[member + at.COST], at_least))
            state[member + at.COST] = cost


@compiled(i64(Words, Words, i64))
def _auras_of(state: Any, table: Any, record: int) -> int:
    """Return the AURAS_* bits of a record in play, or 0 if it is silenced."""
    return (
        0
        if state[record + at.STATUS] & at.IS_SILENCED
        else table[card_of(state, record) + at.CARD_AURAS]
    )


@compiled(none(Words, Words, i64, i64, i64))
def _apply_rows(state: Any, table: Any, source: int, event: int, stage: int) -> None:
    """Apply a record's continuous rows of one stage.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        source: record that the rows belong to.
        event: `Event.AURA`, or `Event.OWN_COST` for a card in a hand.
        stage: an AURAS_* bit, see `_stage_of`.
    """
    card = card_of(state, source)
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        opcode = table[row + at.ROW_OPCODE]
        if table[row + at.ROW_EVENT] == event and _stage_of(opcode) == stage:
            _apply_row(state, table, row, source, opcode)
        row += at.ROW_SIZE


@compiled(none(Words, Words, i64), apart=True)
def _apply_auras(state: Any, table: Any, stage: int) -> None:
    """Apply the auras of one stage of all minions and weapons in play."""
    for seat in range(2):
        for position in range(state[board(seat)]):
            minion = item(state, board(seat), position)
            if _auras_of(state, table, minion) & stage:
                _apply_rows(state, table, minion, Event.AURA, stage)
        weapon = state[player(seat) + at.WEAPON]
        if weapon != 0 and _auras_of(state, table, weapon) & stage:
            _apply_rows(state, table, weapon, Event.AURA, stage)


@compiled(i64(Words, i64, i64))
def _discount(state: Any, leader: int, kind: int) -> int:
    """Return the change of cost, 0 or less, of a player's cards of a kind in this turn.

    It is 0 for kinds other than spells and secrets.
    """
    if kind not in (Kind.SPELL, Kind.SECRET):
        return 0
    for_all = state[leader + at.NEXT_SPELL] + state[leader + at.SPELLS_NOW]
    return for_all + state[leader + at.NEXT_SECRET] if kind == Kind.SECRET else for_all


@compiled(none(Words, Words))
def _price_hands(state: Any, table: Any) -> None:
    """Compute the costs of all cards in hands before auras.

    The cost is the printed cost plus permanent changes, the player's discounts and the card's own
    formula. It may be negative.
    """
    for seat in range(2):
        for position in range(state[hand(seat)]):
            record = item(state, hand(seat), position)
            printed = table[card_of(state, record) + at.CARD_COST]
            kind = table[card_of(state, record) + at.CARD_KIND]
            discount = _discount(state, player(seat), kind)
            state[record + at.COST] = bounded(printed + state[record + at.COST_CHANGE] + discount)
            if table[card_of(state, record) + at.CARD_EVENTS] >> Event.OWN_COST & 1:
                _apply_rows(state, table, record, Event.OWN_COST, at.AURAS_CHANGE)


@compiled(none(Words))
def _floor_prices(state: Any) -> None:
    """Raise negative costs of cards in hands to 0, after all changes have been added."""
    for seat in range(2):
        for position in range(state[hand(seat)]):
            record = item(state, hand(seat), position)
            state[record + at.COST] = max(state[record + at.COST], 0)


@compiled(i64(Words, Words))
def _auras_in_play(state: Any, table: Any) -> int:
    """Return the AURAS_* bits of all minions and weapons in play, combined."""
    bits = 0
    for seat in range(2):
        weapon = state[player(seat) + at.WEAPON]
        if weapon != 0:
            bits |= _auras_of(state, table, weapon)
        for position in range(state[board(seat)]):
            bits |= _auras_of(state, table, item(state, board(seat), position))
    return bits


@compiled(none(Words))
def _forget_all(state: Any) -> None:
    """Remove the bonuses of auras, except health, from all characters and weapons."""
    for seat in range(2):
        _forget_auras(state, player(seat))
        if state[player(seat) + at.WEAPON] != 0:
            _forget_auras(state, state[player(seat) + at.WEAPON])
        for position in range(state[board(seat)]):
            _forget_auras(state, item(state, board(seat), position))


@compiled(none(Words))
def _keep_all_health(state: Any) -> None:
    """Apply the new health bonuses from auras of all weapons and minions."""
    for seat in range(2):
        if state[player(seat) + at.WEAPON] != 0:
            _keep_aura_health(state, state[player(seat) + at.WEAPON])
        for position in range(state[board(seat)]):
            _keep_aura_health(state, item(state, board(seat), position))


@compiled(none(Words, Words, i64, i64), apart=True)
def _apply_all(state: Any, table: Any, given: int, prices: int) -> None:
    """Recompute all bonuses of auras, and all costs of cards in hands.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        given: AURAS_* bits of the auras that were in play before or are in play now.
        prices: whether costs may have changed.
    """
    # The order matters: keywords come before numbers that depend on them, costs are floored after
    # all their changes, and numbers that are set come last, so that they replace the sums.
    if given:
        _forget_all(state)
    if prices:
        _price_hands(state, table)
    if given & at.AURAS_GRANT:
        _apply_auras(state, table, at.AURAS_GRANT)
    if given & at.AURAS_CHANGE:
        _apply_auras(state, table, at.AURAS_CHANGE)
    if prices:
        _floor_prices(state)
    if given:
        _keep_all_health(state)
    if given & at.AURAS_SET:
        _apply_auras(state, table, at.AURAS_SET)


@compiled(none(Words, Words))
def refresh_auras(state: Any, table: Any) -> None:
    """Update auras and costs, if anything that they depend on can have changed."""
    has_formulas = state[at.HEARD] >> Event.OWN_COST & 1
    if state[at.HEARD] >> Event.AURA & 1 == 0 and not has_formulas:
        return
    has_changed = state[at.BOARD_CHANGED] == at.BOARD_IS_NEW
    if not (has_changed or state[at.AURAS_LIVE] & at.AURAS_VOLATILE or has_formulas):
        return
    if has_changed:
        state[at.BOARD_CHANGED] = at.AURAS_ARE_DONE
    live = _auras_in_play(state, table)
    given = live | state[at.AURAS_LIVE]
    if given or has_formulas:
        prices = has_formulas or given & at.AURAS_ON_COSTS
        _apply_all(state, table, given, prices)
        # A changed health bonus may change which minions are damaged, on which auras may depend.
        if state[at.BOARD_CHANGED] == at.BOARD_IS_NEW:
            state[at.BOARD_CHANGED] = at.AURAS_ARE_DONE
            _apply_all(state, table, given, prices)
        state[at.AURAS_LIVE] = live


# --- readiness and spell damage ---

WINDFURY = int(Keyword.WINDFURY)
CANNOT_ATTACK = int(Keyword.CANNOT_ATTACK)


@compiled(i64(Words, i64, i64))
def _attacks_left(state: Any, attacker: int, keywords: int) -> int:
    """Return the number of attacks that a character may still make in this turn.

    Its attack is ignored. The conditions are joined without branches, which a processor could not
    predict.

    Args:
        state: words of the game.
        attacker: record of the character.
        keywords: keywords of the character, for a player including windfury of the weapon.
    """
    status = state[attacker + at.STATUS]
    is_awake = (status & at.IS_NEW == 0) | (keywords & HASTE != 0)
    is_free = (status & at.IS_FROZEN == 0) & (keywords & CANNOT_ATTACK == 0)
    n_left = 1 + (keywords & WINDFURY != 0) - state[attacker + at.N_MADE]
    return (is_awake & is_free) * max(n_left, 0)


@compiled(none(Words, i64, i64))
def ready_player(state: Any, leader: int, is_active: int) -> None:
    """Update a player's attack and readiness from temporary attack, auras and the weapon.

    The weapon counts in the player's own turn only.

    Args:
        state: words of the game.
        leader: record of the player.
        is_active: 1 in the player's own turn, else 0.
    """
    attack = state[leader + at.TURN_ATTACK] + state[leader + at.AURA_ATTACK]
    keywords = state[leader + at.KEYWORDS]
    weapon = state[leader + at.WEAPON]
    if weapon != 0 and is_active:
        attack += state[weapon + at.ATTACK]
        keywords |= state[weapon + at.KEYWORDS] & WINDFURY
    attack = not_negative(attack)
    state[leader + at.ATTACK] = attack
    may_attack = is_active and attack > 0
    state[leader + at.READY] = _attacks_left(state, leader, keywords) if may_attack else 0


@compiled(none(Words, Words, i64, i64))
def _ready_side(state: Any, table: Any, seat: int, is_active: int) -> None:
    """Update the attack of a seat's hero, the readiness of its characters, and its spell damage.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        seat: seat of the side.
        is_active: 1 in the seat's own turn, else 0.
    """
    ready_player(state, player(seat), is_active)
    may_be_idle = table[at.IDLE_ATTACKERS] != 0
    spell_damage = 0
    minions = board(seat)
    for position in range(state[minions]):
        minion = item(state, minions, position)
        may_attack = is_active & ((state[minion + at.ATTACK] > 0) | may_be_idle)
        state[minion + at.READY] = may_attack * _attacks_left(
            state, minion, state[minion + at.KEYWORDS]
        )
        spell_damage += state[minion + at.SPELL_POWER]
    state[player(seat) + at.SPELL_DAMAGE] = not_negative(spell_damage)


@compiled(none(Words, i64))
def add_up_spell_damage(state: Any, seat: int) -> None:
    """Update a seat's spell damage to the sum of its minions' bonuses, clipped to at least 0."""
    total = 0
    for position in range(state[board(seat)]):
        total += state[item(state, board(seat), position) + at.SPELL_POWER]
    state[player(seat) + at.SPELL_DAMAGE] = not_negative(total)


@compiled(none(Words, Words))
def refresh_readiness(state: Any, table: Any) -> None:
    """Update heroes' attack, readiness and spell damage.

    The inactive side is updated only if the boards have changed.
    """
    _ready_side(state, table, state[at.ACTIVE], 1)
    if state[at.BOARD_CHANGED]:
        state[at.BOARD_CHANGED] = 0
        _ready_side(state, table, 1 - state[at.ACTIVE], 0)
