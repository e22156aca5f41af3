"""The checks see what they look for: a sound position, with one thing wrong at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.engine.addresses import address_of, call_rule
from sim.engine.compiled import RULE
from sim.engine.layout import (
    ARMOR,
    BEGIN,
    BOARD,
    CARD,
    CHOICES,
    COST,
    DECK,
    END_TURN,
    FAULT,
    FAULT_QUEUE,
    FREE,
    GAME_SIZE,
    HAND,
    HEALTH,
    HEARD,
    IN_LIMBO,
    IS_MARKED,
    LEGAL,
    MAIN_PHASE,
    MANA,
    N_ATTACKS,
    N_CARDS_LEFT,
    N_LIMBO,
    N_MADE,
    NEXT_KEYWORDS,
    ORDER,
    PHASE,
    POSITION_MASK,
    RESULT,
    RUNNING,
    SEAT_SIZE,
    SEATS,
    SEEN,
    SERIAL,
    SLOT,
    STATUS,
    USE_POWER,
    WEAPON,
    ZONE,
)
from sim.engine.listing import list_actions, listed
from sim.engine.stepping import perform
from sim.engine.streams import load64
from sim.play.agent import CompiledAgent
from tests.laws.checker import NOTES_SIZE
from tests.laws.games import law_between, law_of_list
from tests.laws.law import Law
from tests.laws.oracle import disagreements
from tests.laws.playing import Words16, check, random_decks, rich_table

OTHER_KEYWORD = 1024
Rule = Callable[[Any, Any, int], int]


def block(seat: int) -> int:
    return SEATS + SEAT_SIZE * seat


def cards(state: Words16, zone: int, seat: int = 0) -> list[int]:
    """The records of a seat's hand or board, or the slots of its deck."""
    start = block(seat) + zone
    return state[start + 1 : start + 1 + state[start]].tolist()


def gone_slots(state: Words16) -> list[int]:
    """Slots of seat 0 whose cards have been used up, and that the other seat does not use."""
    records = [
        record for seat in (0, 1) for zone in (HAND, BOARD) for record in cards(state, zone, seat)
    ]
    records += [int(state[block(seat) + WEAPON]) for seat in (0, 1)]
    there = {int(state[record + SLOT]) for record in records} | set(cards(state, DECK))
    return sorted(set(range(30)) - there)


def gone_slot(state: Words16) -> int:
    return gone_slots(state)[0]


def is_rich(state: Words16) -> bool:
    """Seat 0 has some of everything, and both players play on."""
    calm = state[RESULT] == RUNNING and state[PHASE] == MAIN_PHASE
    has = [len(cards(state, zone)) for zone in (HAND, BOARD, DECK)]
    is_armed = calm and state[block(0) + WEAPON] != 0
    return bool(is_armed and min(has) > 1 and has[2] > 2 and gone_slots(state))


@cache
def step() -> tuple[Words16, Words16]:
    """A position, and what becomes of it when the turn is ended."""
    table = rich_table("saga")
    decks = random_decks(table.pool, 2000, 5)
    for before in check(table, decks, 5, settings=(0, 0, 17), n_samples=10_000).samples:
        state = before.copy()
        perform(state, table.words[0], END_TURN)
        if is_rich(before) and is_rich(state):
            return before, state
    raise AssertionError("no position is rich enough")


def law_broken(change: Callable[[Words16], None]) -> Law:
    before, state = (words.copy() for words in step())
    change(state)
    notes = np.zeros(NOTES_SIZE, dtype=np.int64)
    return Law(law_between(rich_table("saga").words[0], before, state, END_TURN, notes))


def put_back(state: Words16) -> None:
    zone = block(0) + DECK
    state[zone + 1 + state[zone]] = gone_slot(state)
    state[zone] += 1
    state[block(0) + N_CARDS_LEFT] += 1


def changed(at: int, value: int) -> Callable[[Words16], None]:
    def change(state: Words16) -> None:
        state[at] = value

    return change


def changed_in(zone: int, word: int, value: int) -> Callable[[Words16], None]:
    """A change of the first card of seat 0's hand or board."""

    def change(state: Words16) -> None:
        state[cards(state, zone)[0] + word] = value

    return change


def shared(zone: int, word: int) -> Callable[[Words16], None]:
    def change(state: Words16) -> None:
        one, other = cards(state, zone)[:2]
        state[one + word] = state[other + word]

    return change


def doubled_slot(state: Words16) -> None:
    state[block(0) + DECK + 1] = state[block(0) + DECK + 2]


def card_from_nowhere(state: Words16) -> None:
    state[cards(state, HAND)[0] + SLOT] = gone_slot(state)


def used_record_is_free(state: Words16) -> None:
    state[FREE] = cards(state, HAND)[0]


def worn_weapon(state: Words16) -> None:
    state[state[block(0) + WEAPON] + HEALTH] = 0


def test_a_sound_step_breaks_no_law() -> None:
    assert law_broken(lambda state: None) == Law.KEPT


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (changed(FAULT, FAULT_QUEUE), Law.NO_FAULT),
        (changed(N_LIMBO, 1), Law.NOTHING_WAITS),
        (changed(block(0) + HAND, 11), Law.HAND_LIMIT),
        (changed(block(1) + BOARD, 8), Law.BOARD_LIMIT),
        (changed(block(1) + MANA, 11), Law.MANA),
        (changed(block(0) + MANA, -1), Law.MANA),
        (changed(block(0) + ARMOR, -1), Law.PLAYER),
        (changed(block(0) + HEALTH, 31), Law.PLAYER),
        (changed(block(0) + HEALTH, 0), Law.LIVING_PLAYERS),
        (changed_in(HAND, COST, -1), Law.NUMBERS),
        (changed_in(BOARD, HEALTH, 99), Law.NUMBERS),
        (changed_in(BOARD, HEALTH, 0), Law.LIVING_MINIONS),
        (changed_in(BOARD, STATUS, 8), Law.LIVING_MINIONS),
        (worn_weapon, Law.WEAPON),
        (changed_in(BOARD, NEXT_KEYWORDS, OTHER_KEYWORD), Law.KEYWORDS),
        (changed_in(BOARD, N_MADE, 3), Law.ATTACKS_MADE),
        (changed_in(HAND, CARD, 9_999), Law.CARD_NUMBER),
        (changed(HEARD, 0), Law.HEARD),
        (used_record_is_free, Law.ONE_PLACE),
        (changed_in(BOARD, ZONE, IN_LIMBO), Law.ZONE_WORDS),
        (shared(HAND, SERIAL), Law.SERIALS),
        (shared(BOARD, ORDER), Law.ORDERS),
        (changed_in(HAND, STATUS, IS_MARKED), Law.MARKS),
        (changed(block(0) + N_CARDS_LEFT, 30), Law.CARDS_LEFT),
        (doubled_slot, Law.DECK_SLOTS),
        (put_back, Law.NO_WAY_BACK),
        (card_from_nowhere, Law.FROM_NOWHERE),
        (changed(CHOICES, 1), Law.CHOICES),
        (changed(N_ATTACKS, 1), Law.COUNTS),
    ],
)
def test_what_breaks_a_law_is_found(change: Callable[[Words16], None], law: Law) -> None:
    assert law_broken(change) == law


def _anything(state, table, action):
    return 1


def _one_more(state, table, action):
    """What the test keeps at `BEGIN` says, and one thing more."""
    is_more = action == USE_POWER + POSITION_MASK // 2
    return 1 if is_more else call_rule(load64(table, BEGIN), state, table, action)


def _only_the_end(state, table, action):
    return 1 if action == END_TURN else 0


@pytest.mark.parametrize(
    ("legal", "law"),
    [
        (_only_the_end, Law.LISTED_LEGAL),
        (_anything, Law.PLACES),
        (_one_more, Law.LISTED_ALL),
    ],
)
def test_a_list_that_is_not_what_is_legal_is_found(legal: Rule, law: Law) -> None:
    table, state = rich_table("saga").words[0].copy(), step()[0].copy()
    assert law_of_list(table, state) == Law.KEPT
    table[BEGIN : BEGIN + 4] = table[LEGAL : LEGAL + 4]
    address = np.array([address_of(legal, RULE)], dtype="<u8")
    table[LEGAL : LEGAL + 4] = address.view(np.int16)
    assert law_of_list(table, state) == law


def _forgetful(state, table):
    """Chooses by what searches do not copy."""
    n_listed = list_actions(state, table)
    n_seen = 0
    for at in range(SEEN, GAME_SIZE):
        n_seen += state[at]
    return listed(state, n_seen % n_listed)


def test_a_copy_that_plays_on_otherwise_is_found() -> None:
    table = rich_table("saga")
    decks = random_decks(table.pool, 100, 5)
    agent = CompiledAgent("forgetful", _forgetful)
    found = check(table, decks, 5, settings=(0, 11, 0), agent=agent)
    assert {violation.law for violation in found.violations} == {Law.CLONE}
    assert all(violation.game % 4 in (1, 2) for violation in found.violations)


@pytest.mark.parametrize("word", ["ATTACK", "MAX_HEALTH", "KEYWORDS", "READY", "COST"])
def test_the_second_opinion_contradicts(word: str) -> None:
    from sim.engine import layout

    table, state = rich_table("saga"), step()[1].copy()
    assert not disagreements(table.pool, table.ruleset, state)
    zone = HAND if word == "COST" else BOARD
    at = cards(state, zone)[0] + getattr(layout, word)
    state[at] = state[at] ^ 1
    if word in ("ATTACK", "MAX_HEALTH"):  # as if an aura gave it
        aura = layout.AURA_ATTACK if word == "ATTACK" else layout.AURA_HEALTH
        state[cards(state, zone)[0] + aura] += state[at] - (state[at] ^ 1)
    assert disagreements(table.pool, table.ruleset, state)
