"""Actions on players: armour, mana, powers, and what interrupts an attack or a spell."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Kind, Lasting
from sim.engine import layout as at
from sim.engine.faults import add
from sim.engine.general.groups import is_in_play, is_minion, is_player
from sim.engine.general.moves import leave_board, send_to_removed
from sim.engine.zones import player

OWN_COST, SECRET = int(Event.OWN_COST), int(Kind.SECRET)
NEXT_TURN = int(Lasting.NEXT_TURN)


def _armor(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_player(target):
        add(state, target + at.ARMOR, state[at.NOW_AMOUNT])


def _mana(state: Any, table: Any, row: int, source: int, target: int) -> None:
    leader = player(state[target + at.OWNER])
    state[leader + at.MANA] = min(
        max(state[leader + at.MANA] + state[at.NOW_AMOUNT], 0), table[at.MANA_MAX]
    )


def _crystals(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Mana that is there may still be spent, unless there are fewer crystals than that."""
    leader = player(state[target + at.OWNER])
    crystals = min(max(state[leader + at.MANA_CAP] + state[at.NOW_AMOUNT], 0), table[at.MANA_MAX])
    state[leader + at.MANA_CAP] = crystals
    state[leader + at.MANA] = min(state[leader + at.MANA], crystals)


def _discount(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """From now on prices are to be worked out like those of cards with formulas."""
    leader = player(state[target + at.OWNER])
    word = at.NEXT_SECRET if table[row + at.ROW_KIND] == SECRET else at.NEXT_SPELL
    if table[row + at.ROW_LASTS] == NEXT_TURN:
        word = at.SPELLS_LATER
    state[leader + word] = min(state[leader + word], state[at.NOW_AMOUNT])
    state[at.HEARD] |= 1 << OWN_COST


def _power(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """The power after the present one in the row's list, the first if it is none of them."""
    leader = player(state[target + at.OWNER])
    n_cards, numbers = table[row + at.ROW_N_CARDS], table[row + at.ROW_ARGUMENT]
    card = numbers if n_cards == 1 else table[numbers]
    for k in range(n_cards if n_cards > 1 else 0):
        if table[numbers + k] == state[leader + at.CARD]:
            card = table[numbers + min(k + 1, n_cards - 1)]
    if card == state[leader + at.CARD]:
        return
    state[leader + at.CARD] = card
    state[leader + at.COST] = table[at.CARDS + at.CARD_SIZE * card + at.CARD_COST]
    state[leader + at.POWER_USED] = 0


def _embody(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """So much life, but no more than players have at the start."""
    leader = player(state[target + at.OWNER])
    state[leader + at.HEALTH] = min(state[at.NOW_AMOUNT], table[at.LIFE])
    state[leader + at.MAX_HEALTH] = max(state[leader + at.HEALTH], 1)
    state[leader + at.ARMOR] = 0
    if is_in_play(state, source) and is_minion(state, table, source):
        leave_board(state, source)
        send_to_removed(state, source)


def _aim(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Only characters in play can be attacked, or meant by a spell."""
    is_character = is_player(target) or is_minion(state, table, target)
    if is_character and is_in_play(state, target):
        state[at.AIM] = target


def _counter(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[at.IS_COUNTERED] = 1


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
