"""Actions on characters and weapons: harm, numbers, keywords, and what they turn into."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword, Lasting
from sim.engine import layout as at
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
from sim.engine.zones import player

HARMFUL_HEALING = int(Keyword.HARMFUL_HEALING)
ALWAYS, TURN = int(Lasting.ALWAYS), int(Lasting.TURN)


def _damage(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):  # an earlier row may have sent it back to a hand
        deal_damage(state, source, target, state[at.NOW_AMOUNT])


def _heal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Healing, which damages while the side of the source heals harmfully."""
    if not is_in_play(state, target):
        return
    if state[player(state[source + at.OWNER]) + at.KEYWORDS] & HARMFUL_HEALING:
        deal_damage(state, source, target, state[at.NOW_AMOUNT])
    else:
        heal(state, target, state[at.NOW_AMOUNT])


def _buff(state: Any, table: Any, row: int, source: int, target: int) -> None:
    buff(state, target, state[at.NOW_ATTACK], state[at.NOW_HEALTH], table[row + at.ROW_LASTS])


def _grant(state: Any, table: Any, row: int, source: int, target: int) -> None:
    grant(state, target, table[row + at.ROW_KEYWORDS], table[row + at.ROW_LASTS])


def _strip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    lose_keywords(state, target, table[row + at.ROW_KEYWORDS])


def _set(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if table[row + at.ROW_GIVEN] & at.GIVES_ATTACK:
        set_attack(state, target, state[at.NOW_ATTACK])
    if table[row + at.ROW_GIVEN] & at.GIVES_HEALTH:
        set_health(state, target, state[at.NOW_HEALTH])


def _swap(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target):
        attack, health = state[target + at.ATTACK], state[target + at.HEALTH]
        set_attack(state, target, health)
        set_health(state, target, attack)


def _double(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target):
        buff(state, target, 0, state[target + at.HEALTH], ALWAYS)


def _wound(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + at.HEALTH] = min(state[target + at.MAX_HEALTH], state[at.NOW_AMOUNT])


def _voice(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target):
        add(state, target + at.SPELL_POWER, state[at.NOW_AMOUNT])
        state[at.BOARD_CHANGED] = at.BOARD_IS_NEW


def _freeze(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + at.STATUS] |= at.IS_FROZEN


def _silence(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target) and is_in_play(state, target):
        silence(state, table, target)
        if state[target + at.STATUS] & at.IS_BORROWED:
            state[target + at.STATUS] &= ~at.IS_BORROWED
            change_sides(state, table, target)


def _destroy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """A minion is doomed; a weapon has worn out; a secret waits no longer."""
    if is_player(target):
        return
    if state[target + at.ZONE] == at.IN_SECRET:
        take_away(state, table, target)
    elif not is_in_play(state, target):
        return
    elif is_minion(state, table, target):
        state[target + at.STATUS] |= at.IS_DOOMED
    else:
        state[target + at.HEALTH] = 0


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
    state[at.PREVIOUS] = 0
    if is_minion(state, table, target) and is_in_play(state, target):
        return_to_hand(state, table, target)


def _steal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """For good, or until the end of the turn; one that finds the board full dies."""
    is_theirs = state[target + at.OWNER] != state[source + at.OWNER]
    if is_theirs and is_minion(state, table, target) and is_in_play(state, target):
        change_sides(state, table, target)
        if (
            table[row + at.ROW_LASTS] == TURN
            and state[target + at.OWNER] == state[source + at.OWNER]
        ):
            state[target + at.STATUS] |= at.IS_BORROWED


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
