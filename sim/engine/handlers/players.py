"""Actions on players: armour, mana, powers, and what interrupts an attack or a spell."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Kind, Lasting
from sim.engine.faults import add
from sim.engine.general.groups import is_in_play, is_minion, is_player
from sim.engine.general.moves import leave_board, send_to_limbo
from sim.engine.layout import (
    AIM,
    ARMOR,
    CARD,
    CARD_COST,
    CARD_SIZE,
    CARDS,
    COST,
    HEALTH,
    HEARD,
    IS_COUNTERED,
    LIFE,
    MANA,
    MANA_CAP,
    MANA_MAX,
    MAX_HEALTH,
    NEXT_SECRET,
    NEXT_SPELL,
    NOW_AMOUNT,
    OWNER,
    POWER_USED,
    ROW_ARGUMENT,
    ROW_KIND,
    ROW_LASTS,
    ROW_N_CARDS,
    SPELLS_LATER,
)
from sim.engine.zones import player

OWN_COST, SECRET = int(Event.OWN_COST), int(Kind.SECRET)
NEXT_TURN = int(Lasting.NEXT_TURN)


def _armor(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_player(target):
        add(state, target + ARMOR, state[NOW_AMOUNT])


def _mana(state: Any, table: Any, row: int, source: int, target: int) -> None:
    leader = player(state[target + OWNER])
    state[leader + MANA] = min(max(state[leader + MANA] + state[NOW_AMOUNT], 0), table[MANA_MAX])


def _crystals(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Mana that is there may still be spent, unless there are fewer crystals than that."""
    leader = player(state[target + OWNER])
    crystals = min(max(state[leader + MANA_CAP] + state[NOW_AMOUNT], 0), table[MANA_MAX])
    state[leader + MANA_CAP] = crystals
    state[leader + MANA] = min(state[leader + MANA], crystals)


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


def _embody(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """So much life, but no more than players have at the start."""
    leader = player(state[target + OWNER])
    state[leader + HEALTH] = min(state[NOW_AMOUNT], table[LIFE])
    state[leader + MAX_HEALTH] = max(state[leader + HEALTH], 1)
    state[leader + ARMOR] = 0
    if is_in_play(state, source) and is_minion(state, table, source):
        leave_board(state, source)
        send_to_limbo(state, source)


def _aim(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Only characters in play can be attacked, or meant by a spell."""
    is_character = is_player(target) or is_minion(state, table, target)
    if is_character and is_in_play(state, target):
        state[AIM] = target


def _counter(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[IS_COUNTERED] = 1


ON_PLAYERS = {
    "armor": _armor,
    "mana": _mana,
    "crystals": _crystals,
    "discount": _discount,
    "power": _power,
    "embody": _embody,
    "aim": _aim,
    "counter": _counter,
}
