"""Laws of limits: bounds of the numbers of players, cards and minions."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.changes import attached_to
from sim.engine.zones import board, hand, item, player, secrets
from tests.laws.law import KEPT, Law


@compiled(i64(i64, i64, i64))
def require(broken: int, holds: int, law: int) -> int:
    """Return the law found broken before, else `law` if it does not hold, else `KEPT`."""
    return law if broken == KEPT and not holds else broken


_UNSPENT_UNTIL = 3  # last turn in which extra mana of the second player's first turn may remain


@compiled(i64(Words, Words, i64))
def _law_of_mana(state: Any, table: Any, seat: int) -> int:
    """Check the bounds of a player's mana, crystals and overload."""
    leader = player(seat)
    law = KEPT
    most = table[at.MANA_MAX]
    law = require(law, 0 <= state[leader + at.MANA_CAP] <= most, Law.MANA.value)
    if seat == 1 and state[at.TURN] <= _UNSPENT_UNTIL:
        most += table[at.EXTRA_MANA_SECOND]
    law = require(law, 0 <= state[leader + at.MANA] <= most, Law.MANA.value)
    for word in (at.OVERLOAD_OWED, at.OVERLOAD_LOCKED):
        law = require(law, state[leader + word] >= 0, Law.MANA.value)
    return law


@compiled(i64(Words, Words, i64))
def _law_of_numbers(state: Any, table: Any, seat: int) -> int:
    """Check that a player's counts are not negative, and life has its limit."""
    leader = player(seat)
    law = KEPT
    for word in (
        at.ARMOR,
        at.SPELL_DAMAGE,
        at.N_MINIONS_PLAYED,
        at.N_KNOWN_TOP,
        at.ATTACK,
        at.READY,
    ):
        law = require(law, state[leader + word] >= 0, Law.PLAYER.value)
    are_counted = state[leader + at.N_MINIONS_PLAYED] <= state[leader + at.N_PLAYED]
    law = require(law, are_counted, Law.PLAYER.value)
    most = table[at.LIFE] + table[at.EXTRA_LIFE_SECOND] * (seat == 1)
    law = require(law, 0 < state[leader + at.MAX_HEALTH] <= most, Law.PLAYER.value)
    law = require(law, state[leader + at.HEALTH] <= state[leader + at.MAX_HEALTH], Law.PLAYER.value)
    return require(law, 0 <= state[leader + at.N_MADE] <= 2, Law.ATTACKS_MADE.value)  # type: ignore[no-any-return]


@compiled(i64(Words, i64))
def _law_of_secrets(state: Any, seat: int) -> int:
    """Check that secrets are few and of different cards, and that the guardian is one of them."""
    waiting = secrets(seat)
    guardian = state[player(seat) + at.GUARDIAN]
    law = require(KEPT, 0 <= state[waiting] <= at.SECRET_CAPACITY, Law.SECRETS.value)
    is_there = guardian == 0
    for position in range(state[waiting]):
        secret = item(state, waiting, position)
        is_there = is_there or secret == guardian
        for before in range(position):
            other = item(state, waiting, before)
            law = require(law, state[secret + at.CARD] != state[other + at.CARD], Law.SECRETS.value)
    return require(law, is_there, Law.SECRETS.value)  # type: ignore[no-any-return]


@compiled(i64(Words))
def law_of_attachments(state: Any) -> int:
    """Check that every attachment belongs to a record in play that listens to events."""
    law = require(KEPT, 0 <= state[at.N_ATTACHED] <= at.MAX_ATTACHED, Law.ATTACHMENTS.value)
    for k in range(state[at.N_ATTACHED]):
        record = attached_to(state, k)
        is_there = (
            record == player(0) or record == player(1) or state[record + at.ZONE] == at.IN_PLAY
        )
        law = require(law, is_there and state[record + at.HEARS] != 0, Law.ATTACHMENTS.value)
    return law  # type: ignore[no-any-return]


@compiled(i64(Words, Words, i64))
def law_of_player(state: Any, table: Any, seat: int) -> int:
    """Check the bounds of a seat's zones, mana and life; returns the first broken law."""
    leader = player(seat)
    law = require(KEPT, 0 <= state[hand(seat)] <= table[at.HAND_LIMIT], Law.HAND_LIMIT.value)
    law = require(law, 0 <= state[board(seat)] <= table[at.BOARD_LIMIT], Law.BOARD_LIMIT.value)
    if law == KEPT:
        law = _law_of_mana(state, table, seat)
    if law == KEPT:
        law = _law_of_numbers(state, table, seat)
    if law == KEPT:
        law = _law_of_secrets(state, seat)
    if state[at.RESULT] == at.RUNNING:
        law = require(law, state[leader + at.HEALTH] > 0, Law.LIVING_PLAYERS.value)
        weapon = state[leader + at.WEAPON]
        law = require(law, weapon == 0 or state[weapon + at.HEALTH] > 0, Law.WEAPON.value)
    return law  # type: ignore[no-any-return]


@compiled(i64(Words, Words, i64, i64))
def law_of_record(state: Any, table: Any, record: int, n_cards: int) -> int:
    """Check the bounds of a record in a hand or in play; returns the first broken law."""
    if not 0 <= state[record + at.CARD] < n_cards:
        return Law.CARD_NUMBER.value
    card = at.CARDS + at.CARD_SIZE * state[record + at.CARD]
    events = table[card + at.CARD_EVENTS] | state[record + at.HEARS]
    law = require(KEPT, state[at.HEARD] & events == events, Law.HEARD.value)
    late = table[card + at.CARD_EVENTS + 1]
    law = require(law, state[at.HEARD + 1] & late == late, Law.HEARD.value)
    for word in (at.ATTACK, at.COST, at.READY):
        law = require(law, state[record + word] >= 0, Law.NUMBERS.value)
    law = require(
        law, state[record + at.HEALTH] <= state[record + at.MAX_HEALTH], Law.NUMBERS.value
    )
    lent = state[record + at.TURN_KEYWORDS] | state[record + at.NEXT_KEYWORDS]
    granted = state[record + at.OWN_KEYWORDS] | lent
    law = require(law, state[record + at.KEYWORDS] & granted == granted, Law.KEYWORDS.value)
    law = require(law, 0 <= state[record + at.N_MADE] <= 2, Law.ATTACKS_MADE.value)
    may_be_marked = state[at.PHASE] == at.MULLIGAN_PHASE
    is_marked = state[record + at.STATUS] & at.IS_MARKED != 0
    return require(law, may_be_marked or not is_marked, Law.MARKS.value)  # type: ignore[no-any-return]


@compiled(i64(Words, i64))
def law_of_card(state: Any, card: int) -> int:
    """Check that a card in a hand has none of the states that only the board gives."""
    is_whole = state[card + at.HEALTH] == state[card + at.MAX_HEALTH]
    is_well = state[card + at.STATUS] & (at.IS_DOOMED | at.IS_FROZEN | at.IS_SILENCED) == 0
    return require(KEPT, is_whole and is_well, Law.HANDS.value)  # type: ignore[no-any-return]


@compiled(i64(Words, i64))
def law_of_minion(state: Any, minion: int) -> int:
    """Check that a minion on the board of a running game is not dead."""
    if state[minion + at.HEALTH] <= 0 or state[minion + at.STATUS] & at.IS_DOOMED:
        return Law.LIVING_MINIONS.value
    return KEPT
