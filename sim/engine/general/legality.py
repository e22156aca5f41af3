"""Legality: the cards that the active seat may play, and the targets of cards and attacks.

The list of all legal actions is in `choices`.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Keyword, Kind
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of, fits, is_player
from sim.engine.general.measures import holds
from sim.engine.general.secrets import may_hide
from sim.engine.listing import NO_RECORD
from sim.engine.zones import board, item, player

STEALTH = int(Keyword.STEALTH)
IMMUNE = int(Keyword.IMMUNE)
ELUSIVE = int(Keyword.ELUSIVE)
TAUNT = int(Keyword.TAUNT)
MINIONS_ONLY = int(Keyword.MINIONS_ONLY)

# --- parts of an action's number ---


@compiled(i64(i64))
def source_of(action: int) -> int:
    """Return the position of the card or attacker that an action uses."""
    return (action >> at.SOURCE_SHIFT) & at.POSITION_MASK


@compiled(i64(Words, i64))
def target_record(state: Any, action: int) -> int:
    """Return the record that an action's target code refers to.

    It is 0 if the action has no target or the place on the board is empty.
    """
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


# --- conditions for playing cards and using the hero power ---


@compiled(i64(Words, i64, i64))
def text_of(table: Any, card: int, option: int) -> int:
    """Return the offset of the card that holds the text of an option.

    Option 0 is the card's own text. The result is 0 if the card has no such option.
    """
    return table[card + at.CARD_TEXTS + option]


@compiled(i64(Words, Words, i64, i64, i64))
def has_what_it_needs(state: Any, table: Any, card: int, text: int, record: int) -> bool:
    """Return whether the conditions of a card and of the chosen option hold.

    A secret also needs space, and its player must not have the same secret already.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        card: offset of the card in the table.
        text: offset of the card that holds the option's text, see `text_of`.
        record: record of the card, or of the player for a hero power.
    """
    if table[card + at.CARD_KIND] == Kind.SECRET and not may_hide(
        state, state[at.ACTIVE], state[record + at.CARD]
    ):
        return False
    return holds(state, table, table[card + at.CARD_NEEDS], record, 0, 0, 0) and (
        text == card or holds(state, table, table[text + at.CARD_NEEDS], record, 0, 0, 0)
    )


@compiled(i64(Words, Words, i64))
def can_pay_and_place(state: Any, table: Any, record: int) -> bool:
    """Return whether the active seat can pay for a card of its hand and has space for it."""
    seat = state[at.ACTIVE]
    if state[record + at.COST] > state[player(seat) + at.MANA]:
        return False
    has_room = state[board(seat)] < table[at.BOARD_LIMIT] or table[at.FULL_BOARD] == 0
    return has_room or table[card_of(state, record) + at.CARD_KIND] != Kind.MINION


@compiled(i64(Words, Words))
def may_use_power(state: Any, table: Any) -> bool:
    """Return whether the active seat can use its hero power now, if a target exists."""
    leader = player(state[at.ACTIVE])
    if (
        table[at.HERO_POWERS] == 0
        or state[leader + at.CARD] == at.BLANK
        or state[leader + at.POWER_USED]
    ):
        return False
    card = card_of(state, leader)
    if state[leader + at.COST] > state[leader + at.MANA]:
        return False
    return has_what_it_needs(state, table, card, card, leader)


# --- targets of cards and of attacks ---


@compiled(i64(Words, Words, i64, i64))
def chooses(state: Any, table: Any, card: int, source: int) -> bool:
    """Return whether a card requires or allows a target in the current position.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        card: offset of the card that holds the text.
        source: record of the card.
    """
    return table[card + at.CARD_TARGET_MODE] != 0 and holds(
        state, table, table[card + at.CARD_TARGET_WHEN], source, 0, 0, 0
    )


@compiled(i64(Words, Words, i64, i64, i64, i64))
def may_take(state: Any, table: Any, group: int, source: int, is_magic: int, record: int) -> bool:
    """Return whether a card may target a character, by the group and by keywords that protect it.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        group: offset of the group of permitted targets.
        source: record of the card.
        is_magic: 1 for a spell or hero power, which cannot target elusive characters, else 0.
        record: record of the character.
    """
    is_enemy = state[record + at.OWNER] != state[at.ACTIVE]
    barred = (ELUSIVE if is_magic else 0) | (STEALTH | IMMUNE if is_enemy else 0)
    return state[record + at.KEYWORDS] & barred == 0 and fits(
        state, table, group, source, 0, record
    )


@compiled(i64(Words, i64))
def is_guard(state: Any, minion: int) -> bool:
    """Return whether a minion has taunt and can itself be attacked."""
    return state[minion + at.KEYWORDS] & (TAUNT | STEALTH | IMMUNE) == TAUNT


@compiled(i64(Words, i64, i64))
def is_open(state: Any, defender: int, guarded: int) -> bool:
    """Return whether enemies may attack a character, by its keywords and by taunt.

    Args:
        state: words of the game.
        defender: record of the character.
        guarded: 1 if a minion of its side has taunt, else 0.
    """
    keywords = state[defender + at.KEYWORDS]
    # Joined by `&` and `|` without branches, as in `auras._attacks_left`.
    return (keywords & (STEALTH | IMMUNE) == 0) & ((guarded == 0) | (keywords & TAUNT != 0))


@compiled(i64(Words, i64, i64))
def may_attack(state: Any, attacker: int, defender: int) -> bool:
    """Return whether the attacker's keywords permit an attack on a defender that `is_open`."""
    return not (is_player(defender) and state[attacker + at.KEYWORDS] & MINIONS_ONLY)
