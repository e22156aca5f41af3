"""The built-in actions: one function for each word, called through the jump table.

A handler is told the row, the record that acts and one record that it acts on; the rules call it
once for each member of the row's group.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.draws import draw_card, search_deck
from sim.engine.general.attachments import attach
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
from sim.engine.general.copies import become, clone, copy_into_hand
from sim.engine.general.groups import (
    card_of,
    has_on_board,
    is_in_deck,
    is_in_play,
    is_minion,
    is_player,
    slot_of_member,
)
from sim.engine.general.measures import roll
from sim.engine.general.moves import (
    change_sides,
    discard,
    exchange,
    give,
    leave_board,
    offer_top_cards,
    return_to_hand,
    send_to_limbo,
    summon,
    transform,
    wield,
)
from sim.engine.general.secrets import take_away
from sim.engine.layout import (
    AIM,
    ARMOR,
    ATTACK,
    BLANK,
    BOARD_CHANGED,
    BOARD_IS_NEW,
    CARD,
    CARD_COST,
    CARD_HERO,
    CARD_SIZE,
    CARDS,
    COST,
    COST_CHANGE,
    FOR_ENEMY,
    GIVES_ATTACK,
    GIVES_HEALTH,
    GROUP,
    HEALTH,
    HEARD,
    IN_SECRET,
    IS_BORROWED,
    IS_COUNTERED,
    IS_DOOMED,
    IS_FROZEN,
    KEYWORDS,
    MANA,
    MANA_CAP,
    MANA_MAX,
    MAX_GROUP,
    MAX_HEALTH,
    N_GROUP,
    NEXT_SECRET,
    NEXT_SPELL,
    NOW_AMOUNT,
    NOW_ATTACK,
    NOW_HEALTH,
    OF_ENEMY_HERO,
    OWNER,
    POWER_USED,
    PREVIOUS,
    RESULT,
    ROW_ABSENT,
    ROW_ARGUMENT,
    ROW_FLAGS,
    ROW_GIVEN,
    ROW_KEYWORDS,
    ROW_KIND,
    ROW_LASTS,
    ROW_N_CARDS,
    RUNNING,
    SLOT,
    SPELL_POWER,
    SPELLS_LATER,
    STATUS,
    ZONE,
)
from sim.engine.zones import hand, make_record, player
from sim.vocabulary import Event, Keyword, Kind, Lasting

HARMFUL_HEALING = int(Keyword.HARMFUL_HEALING)
OWN_COST, SECRET = int(Event.OWN_COST), int(Kind.SECRET)
ALWAYS, TURN, NEXT_TURN = int(Lasting.ALWAYS), int(Lasting.TURN), int(Lasting.NEXT_TURN)


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


def _damage(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):  # an earlier row may have sent it back to a hand
        deal_damage(state, source, target, state[NOW_AMOUNT])


def _heal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Healing, which damages while the side of the source heals harmfully."""
    if not is_in_play(state, target):
        return
    if state[player(state[source + OWNER]) + KEYWORDS] & HARMFUL_HEALING:
        deal_damage(state, source, target, state[NOW_AMOUNT])
    else:
        heal(state, target, state[NOW_AMOUNT])


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
            card = _pick_card(state, table, row, source)
        if card != BLANK:
            summon(state, table, source, seat, card, nth)


def _buff(state: Any, table: Any, row: int, source: int, target: int) -> None:
    buff(state, target, state[NOW_ATTACK], state[NOW_HEALTH], table[row + ROW_LASTS])


def _grant(state: Any, table: Any, row: int, source: int, target: int) -> None:
    grant(state, target, table[row + ROW_KEYWORDS], table[row + ROW_LASTS])


def _destroy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """A minion is doomed; a weapon has worn out; a secret waits no longer."""
    if is_player(target):
        return
    if state[target + ZONE] == IN_SECRET:
        take_away(state, table, target)
    elif not is_in_play(state, target):
        return
    elif is_minion(state, table, target):
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
    if is_in_play(state, target):
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
    if is_minion(state, table, target) and is_in_play(state, target):
        silence(state, table, target)
        if state[target + STATUS] & IS_BORROWED:
            state[target + STATUS] &= ~IS_BORROWED
            change_sides(state, table, target)


def _give(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[PREVIOUS] = 0
    for _ in range(state[NOW_AMOUNT]):
        if table[row + ROW_FLAGS] & OF_ENEMY_HERO:
            card = _pick_enemy_card(state, table, row, source)
        else:
            card = _pick_card(state, table, row, source)
        if card != BLANK:
            give(state, table, source, state[target + OWNER], card)


def _steal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """For good, or until the end of the turn; one that finds the board full dies."""
    is_theirs = state[target + OWNER] != state[source + OWNER]
    if is_theirs and is_minion(state, table, target) and is_in_play(state, target):
        change_sides(state, table, target)
        if table[row + ROW_LASTS] == TURN and state[target + OWNER] == state[source + OWNER]:
            state[target + STATUS] |= IS_BORROWED


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


def _attach(state: Any, table: Any, row: int, source: int, target: int) -> None:
    attach(state, table, target, _pick_card(state, table, row, source))


def _copy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[source + OWNER]
    if table[row + ROW_FLAGS] & FOR_ENEMY:
        seat = 1 - seat
    copy_into_hand(state, table, source, target, seat)


def _clone(state: Any, table: Any, row: int, source: int, target: int) -> None:
    clone(state, table, source, target)


def _become(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, source) and is_minion(state, table, target):
        become(state, table, source, target)


def _discount(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """From now on prices are to be worked out like those of cards with formulas."""
    leader = player(state[target + OWNER])
    at = NEXT_SECRET if table[row + ROW_KIND] == SECRET else NEXT_SPELL
    if table[row + ROW_LASTS] == NEXT_TURN:
        at = SPELLS_LATER
    state[leader + at] = min(state[leader + at], state[NOW_AMOUNT])
    state[HEARD] |= 1 << OWN_COST


def _power(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """The power after the present one in the row's list, the first if it is none of them."""
    leader = player(state[target + OWNER])
    n_cards, at = table[row + ROW_N_CARDS], table[row + ROW_ARGUMENT]
    card = at if n_cards == 1 else table[at]
    for k in range(n_cards if n_cards > 1 else 0):
        if table[at + k] == state[leader + CARD]:
            card = table[at + min(k + 1, n_cards - 1)]
    if card == state[leader + CARD]:
        return
    state[leader + CARD] = card
    state[leader + COST] = table[CARDS + CARD_SIZE * card + CARD_COST]
    state[leader + POWER_USED] = 0


def _exchange(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, source) and is_minion(state, table, source):
        exchange(state, table, source, target)


def _double(state: Any, table: Any, row: int, source: int, target: int) -> None:
    buff(state, target, 0, state[target + HEALTH], ALWAYS)


def _voice(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target):
        state[target + SPELL_POWER] += state[NOW_AMOUNT]
        state[BOARD_CHANGED] = BOARD_IS_NEW


def _aim(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[AIM] = target


def _counter(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[IS_COUNTERED] = 1


def _wound(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + HEALTH] = min(state[target + MAX_HEALTH], state[NOW_AMOUNT])


def _embody(state: Any, table: Any, row: int, source: int, target: int) -> None:
    leader = player(state[target + OWNER])
    state[leader + MAX_HEALTH] = state[leader + HEALTH] = state[NOW_AMOUNT]
    state[leader + ARMOR] = 0
    if is_in_play(state, source) and is_minion(state, table, source):
        leave_board(state, source)
        send_to_limbo(state, source)


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
    "attach": _attach,
    "copy": _copy,
    "clone": _clone,
    "become": _become,
    "discount": _discount,
    "power": _power,
    "exchange": _exchange,
    "double": _double,
    "voice": _voice,
    "aim": _aim,
    "counter": _counter,
    "wound": _wound,
    "embody": _embody,
}
