"""Targets: what the codes in an action stand for, and whom a card may choose."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import fits, is_player, is_selected
from sim.engine.general.measures import holds
from sim.engine.listing import NO_RECORD
from sim.engine.zones import board, item, player

STEALTH, IMMUNE = int(Keyword.STEALTH), int(Keyword.IMMUNE)
ELUSIVE, TAUNT = int(Keyword.ELUSIVE), int(Keyword.TAUNT)
MINIONS_ONLY = int(Keyword.MINIONS_ONLY)


@compiled(i64(Words, i64))
def target_record(state: Any, action: int) -> int:
    """The record that an action's target code stands for, 0 for nobody or an empty place."""
    code = action & at.POSITION_MASK
    seat = state[at.ACTIVE]
    if code == at.AT_NOBODY:
        return NO_RECORD
    if code == at.AT_PLAYER:
        return player(1 - seat)
    if code == at.AT_OWN_PLAYER:
        return player(seat)
    is_enemy = code < at.AT_OWN_MINION
    owner = 1 - seat if is_enemy else seat
    position = code if is_enemy else code - at.AT_OWN_MINION
    return item(state, board(owner), position) if position < state[board(owner)] else NO_RECORD


@compiled(i64(i64, i64))
def barred_by(is_magic: int, is_enemy: int) -> int:
    """The keywords that keep a character from being chosen, by a spell or power or by a body."""
    return (ELUSIVE if is_magic else 0) | (STEALTH | IMMUNE if is_enemy else 0)


@compiled(i64(Words, Words, i64, i64, i64, i64))
def may_take(state: Any, table: Any, group: int, source: int, barred: int, record: int) -> bool:
    """Whether a character of a side and kind that `group` names may be chosen."""
    return state[record + at.KEYWORDS] & barred == 0 and fits(
        state, table, group, source, 0, record
    )


@compiled(i64(Words, Words, i64, i64, i64, i64))
def may_choose(state: Any, table: Any, group: int, source: int, is_magic: int, record: int) -> bool:
    """Whether the card `source` may choose `record`."""
    barred = barred_by(is_magic, state[record + at.OWNER] != state[source + at.OWNER])
    return is_selected(state, table, group, source, record) and may_take(
        state, table, group, source, barred, record
    )


@compiled(i64(Words, Words, i64, i64, i64), apart=True)
def has_choice(state: Any, table: Any, group: int, source: int, is_magic: int) -> bool:
    """Whether there is anybody whom the card may choose."""
    for seat in range(2):
        if may_choose(state, table, group, source, is_magic, player(seat)):
            return True
        for position in range(state[board(seat)]):
            minion = item(state, board(seat), position)
            if may_choose(state, table, group, source, is_magic, minion):
                return True
    return False


@compiled(i64(Words, Words, i64, i64))
def chooses(state: Any, table: Any, card: int, source: int) -> bool:
    """Whether a card takes a target at all now."""
    if table[card + at.CARD_TARGET_MODE] == 0:
        return False
    return holds(state, table, table[card + at.CARD_TARGET_WHEN], source, 0, 0, 0)


@compiled(i64(Words, Words, i64, i64, i64, i64), apart=True)
def is_right_target(
    state: Any, table: Any, card: int, source: int, is_magic: int, action: int
) -> bool:
    """Whether an action's target is one that the card allows, or none where it takes none.

    Args:
        state: the game.
        table: the numbers.
        card: offset of the card, or of its option, whose text chooses.
        source: the record that is played.
        is_magic: whether it is a spell or a hero power.
        action: what the active seat would do.
    """
    wants_nobody = action & at.POSITION_MASK == at.AT_NOBODY
    if not chooses(state, table, card, source):
        return wants_nobody
    group = table[card + at.CARD_TARGET]
    if wants_nobody:
        must = table[card + at.CARD_TARGET_MODE] == at.MUST_CHOOSE
        return not must and not has_choice(state, table, group, source, is_magic)
    record = target_record(state, action)
    return record != NO_RECORD and may_choose(state, table, group, source, is_magic, record)


@compiled(i64(Words, i64))
def is_guard(state: Any, minion: int) -> bool:
    """Whether a minion has taunt, and attackers can see it."""
    return state[minion + at.KEYWORDS] & (TAUNT | STEALTH | IMMUNE) == TAUNT


@compiled(i64(Words, i64))
def is_guarded(state: Any, seat: int) -> bool:
    """Whether a side has a guard."""
    for position in range(state[board(seat)]):
        if is_guard(state, item(state, board(seat), position)):
            return True
    return False


@compiled(i64(Words, i64, i64))
def is_open(state: Any, defender: int, guarded: int) -> bool:
    """Whether a character, `guarded` by taunt or not, may be attacked by anybody."""
    keywords = state[defender + at.KEYWORDS]
    return (keywords & (STEALTH | IMMUNE) == 0) & ((guarded == 0) | (keywords & TAUNT != 0))


@compiled(i64(Words, i64, i64))
def may_attack(state: Any, attacker: int, defender: int) -> bool:
    """Whether a character may attack one that is open to attacks."""
    return not (is_player(defender) and state[attacker + at.KEYWORDS] & MINIONS_ONLY)
