"""Laws of the list of legal actions: the engine's list and the rules, compared over all actions."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Kind
from sim.engine import layout as at
from sim.engine.addresses import call_rule
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of
from sim.engine.listing import list_actions, listed
from sim.engine.streams import load64
from sim.engine.zones import board, hand, item
from tests.laws.law import KEPT, Law
from tests.laws.legality import may_act

N_CODES = at.POSITION_MASK + 1  # number of target codes
N_OPTIONS = at.OPTION_MASK + 1  # number of options that an action can name
LISTED_LEGAL = Law.LISTED_LEGAL.value
LISTED_ONCE = Law.LISTED_ONCE.value
LISTED_ALL = Law.LISTED_ALL.value
PLACES = Law.PLACES.value


@compiled(i64(Words, Words, i64))
def _is_legal(state: Any, table: Any, action: int) -> int:
    """Return the engine's answer to whether an action is legal, by its list."""
    return call_rule(load64(table, at.LEGAL), state, table, action)


@compiled(i64(Words, Words, i64))
def _count_plays(state: Any, table: Any, n_codes: int) -> int:
    """Count the legal ways to play a card of the hand at the right end, or to answer."""
    n_legal = 0
    n_options = N_OPTIONS if n_codes > 1 else 1
    n_positions = max(state[hand(state[at.ACTIVE])], state[at.CHOICES]) + 1
    for position in range(n_positions):
        for option in range(n_options):
            for code in range(n_codes):
                target = code if n_codes > 1 else at.AT_NOBODY
                source = (position << at.SOURCE_SHIFT) + (option << at.OPTION_SHIFT)
                n_legal += may_act(state, table, at.PLAY + source + target)
    return n_legal


@compiled(i64(Words, Words))
def _count_attacks_and_powers(state: Any, table: Any) -> int:
    """Count the legal attacks and uses of the hero power."""
    n_legal = 0
    for source in range(at.BY_PLAYER + 1):
        if source == at.BY_PLAYER or source <= state[board(state[at.ACTIVE])]:
            for code in range(N_CODES):
                n_legal += may_act(
                    state, table, at.ATTACK_WITH + (source << at.SOURCE_SHIFT) + code
                )
    for code in range(N_CODES):
        n_legal += may_act(state, table, at.USE_POWER + code)
    return n_legal


@compiled(i64(Words, Words, i64))
def _law_of_places(state: Any, table: Any, action: int) -> int:
    """Check that a minion may be placed anywhere on the board, and no other card at a place."""
    seat = state[at.ACTIVE]
    card = item(state, hand(seat), (action >> at.SOURCE_SHIFT) & at.POSITION_MASK)
    n_places = 0
    if table[card_of(state, card) + at.CARD_KIND] == Kind.MINION:
        n_places = state[board(seat)] + 1
    for place in range(1, state[board(seat)] + 3):
        may = _is_legal(state, table, action + (place << at.PLACE_SHIFT)) != 0
        if may != (place <= n_places):
            return PLACES
    return KEPT


@compiled(i64(Words, Words), apart=True)
def law_of_masks(state: Any, table: Any) -> int:
    """Return the law that the list of legal actions breaks, or `KEPT`; the list is written anew."""
    n_listed = list_actions(state, table)
    for k in range(n_listed):
        action = listed(state, k)
        if not may_act(state, table, action):
            return LISTED_LEGAL
        for j in range(k):
            if listed(state, j) == action:
                return LISTED_ONCE
        is_play = state[at.PHASE] == at.MAIN_PHASE and at.PLAY <= action < at.ATTACK_WITH
        if is_play and _law_of_places(state, table, action) != KEPT:
            return PLACES
    in_main_phase = state[at.PHASE] == at.MAIN_PHASE
    n_legal = _count_plays(state, table, N_CODES if in_main_phase else 1)
    n_legal += _count_attacks_and_powers(state, table)
    n_legal += may_act(state, table, at.END_TURN)
    return KEPT if n_legal == n_listed else LISTED_ALL
