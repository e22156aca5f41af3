"""Actions on characters and weapons: harm, numbers, keywords, and what they turn into."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword, Lasting
from sim.engine.faults import add
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
from sim.engine.general.copies import become
from sim.engine.general.groups import is_in_play, is_minion, is_player
from sim.engine.general.moves import change_sides, return_to_hand, transform
from sim.engine.general.secrets import take_away
from sim.engine.handlers.picking import pick_card
from sim.engine.layout import (
    ATTACK,
    BOARD_CHANGED,
    BOARD_IS_NEW,
    GIVES_ATTACK,
    GIVES_HEALTH,
    HEALTH,
    IN_SECRET,
    IS_BORROWED,
    IS_DOOMED,
    IS_FROZEN,
    KEYWORDS,
    MAX_HEALTH,
    NOW_AMOUNT,
    NOW_ATTACK,
    NOW_HEALTH,
    OWNER,
    PREVIOUS,
    ROW_GIVEN,
    ROW_KEYWORDS,
    ROW_LASTS,
    SPELL_POWER,
    STATUS,
    ZONE,
)
from sim.engine.zones import player

HARMFUL_HEALING = int(Keyword.HARMFUL_HEALING)
ALWAYS, TURN = int(Lasting.ALWAYS), int(Lasting.TURN)


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


def _buff(state: Any, table: Any, row: int, source: int, target: int) -> None:
    buff(state, target, state[NOW_ATTACK], state[NOW_HEALTH], table[row + ROW_LASTS])


def _grant(state: Any, table: Any, row: int, source: int, target: int) -> None:
    grant(state, target, table[row + ROW_KEYWORDS], table[row + ROW_LASTS])


def _strip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    lose_keywords(state, target, table[row + ROW_KEYWORDS])


def _set(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if table[row + ROW_GIVEN] & GIVES_ATTACK:
        set_attack(state, target, state[NOW_ATTACK])
    if table[row + ROW_GIVEN] & GIVES_HEALTH:
        set_health(state, target, state[NOW_HEALTH])


def _swap(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target):
        attack, health = state[target + ATTACK], state[target + HEALTH]
        set_attack(state, target, health)
        set_health(state, target, attack)


def _double(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target):
        buff(state, target, 0, state[target + HEALTH], ALWAYS)


def _wound(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + HEALTH] = min(state[target + MAX_HEALTH], state[NOW_AMOUNT])


def _voice(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target):
        add(state, target + SPELL_POWER, state[NOW_AMOUNT])
        state[BOARD_CHANGED] = BOARD_IS_NEW


def _freeze(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + STATUS] |= IS_FROZEN


def _silence(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target) and is_in_play(state, target):
        silence(state, table, target)
        if state[target + STATUS] & IS_BORROWED:
            state[target + STATUS] &= ~IS_BORROWED
            change_sides(state, table, target)


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


def _transform(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target) and is_in_play(state, target):
        transform(state, table, target, pick_card(state, table, row, source))


def _become(state: Any, table: Any, row: int, source: int, target: int) -> None:
    both = is_minion(state, table, source) and is_minion(state, table, target)
    if both and is_in_play(state, source):
        become(state, table, source, target)


def _attach(state: Any, table: Any, row: int, source: int, target: int) -> None:
    is_body = is_player(target) or is_minion(state, table, target)
    if is_body and is_in_play(state, target):
        attach(state, table, target, pick_card(state, table, row, source))


def _return(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[PREVIOUS] = 0
    if is_minion(state, table, target) and is_in_play(state, target):
        return_to_hand(state, table, target)


def _steal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """For good, or until the end of the turn; one that finds the board full dies."""
    is_theirs = state[target + OWNER] != state[source + OWNER]
    if is_theirs and is_minion(state, table, target) and is_in_play(state, target):
        change_sides(state, table, target)
        if table[row + ROW_LASTS] == TURN and state[target + OWNER] == state[source + OWNER]:
            state[target + STATUS] |= IS_BORROWED


ON_BODIES = {
    "damage": _damage,
    "heal": _heal,
    "buff": _buff,
    "grant": _grant,
    "strip": _strip,
    "set": _set,
    "swap": _swap,
    "double": _double,
    "wound": _wound,
    "voice": _voice,
    "freeze": _freeze,
    "silence": _silence,
    "destroy": _destroy,
    "transform": _transform,
    "become": _become,
    "attach": _attach,
    "return": _return,
    "steal": _steal,
}
