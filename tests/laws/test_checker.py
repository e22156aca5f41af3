"""The checks find what they look for: in a sound position with one word wrong at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.engine import layout as at
from sim.engine.addresses import address_of, as_words, call_rule
from sim.engine.compiled import RULE
from sim.engine.listing import add_listed, list_actions, listed
from sim.engine.stepping import perform
from sim.engine.streams import load64
from sim.play.agent import CompiledAgent
from tests.laws.checker import NOTES_SIZE
from tests.laws.games import law_between, law_of_list
from tests.laws.law import Law
from tests.laws.oracle import disagreements
from tests.laws.playing import Words16, check, random_decks, rich_table
from tests.steps import block, items

OTHER_KEYWORD = 1024
Rule = Callable[[Any, Any, int], int]


def gone_slots(state: Words16) -> list[int]:
    """Return the slots of seat 0 with used-up cards, except those that the other seat uses."""
    records = [
        record
        for seat in (0, 1)
        for zone in (at.HAND, at.BOARD)
        for record in items(state, seat, zone)
    ]
    records += [int(state[block(seat) + at.WEAPON]) for seat in (0, 1)]
    there = {int(state[record + at.SLOT]) for record in records} | set(items(state, 0, at.DECK))
    return sorted(set(range(30)) - there)


def gone_slot(state: Words16) -> int:
    return gone_slots(state)[0]


def has_everything(state: Words16) -> bool:
    """Return whether seat 0 has cards in every zone, a weapon and used-up slots in its turn."""
    calm = state[at.RESULT] == at.RUNNING and state[at.PHASE] == at.MAIN_PHASE
    has = [len(items(state, 0, zone)) for zone in (at.HAND, at.BOARD, at.DECK)]
    is_armed = calm and state[block(0) + at.WEAPON] != 0
    return bool(is_armed and min(has) > 1 and has[2] > 2 and gone_slots(state))


@cache
def step() -> tuple[Words16, Words16]:
    """Return a position, and the position after the end of the turn."""
    table = rich_table("saga")
    decks = random_decks(table.pool, 2000, 5)
    for before in check(table, decks, 5, settings=(0, 0, 17), n_samples=10_000).samples:
        state = before.copy()
        perform(state, table.words[0], at.END_TURN)
        if has_everything(before) and has_everything(state):
            return before, state
    raise AssertionError("no position is rich enough")


def put_back(state: Words16) -> None:
    zone = block(0) + at.DECK
    state[zone + 1 + state[zone]] = gone_slot(state)
    state[zone] += 1
    state[block(0) + at.N_CARDS_LEFT] += 1


def set_word(word: int, value: int) -> Callable[[Words16], None]:
    def change(state: Words16) -> None:
        state[word] = value

    return change


def set_in_record(zone: int, word: int, value: int) -> Callable[[Words16], None]:
    """Return a change of one word of the first card of seat 0's hand or board."""

    def change(state: Words16) -> None:
        state[items(state, 0, zone)[0] + word] = value

    return change


def copy_between_records(zone: int, word: int) -> Callable[[Words16], None]:
    def change(state: Words16) -> None:
        first, second = items(state, 0, zone)[:2]
        state[first + word] = state[second + word]

    return change


def doubled_slot(state: Words16) -> None:
    state[block(0) + at.DECK + 1] = state[block(0) + at.DECK + 2]


def card_from_nowhere(state: Words16) -> None:
    state[items(state, 0, at.HAND)[0] + at.SLOT] = gone_slot(state)


def used_record_is_free(state: Words16) -> None:
    state[at.FREE] = items(state, 0, at.HAND)[0]


def worn_weapon(state: Words16) -> None:
    state[state[block(0) + at.WEAPON] + at.HEALTH] = 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("change", "law"),
    [
        (set_word(at.FAULT, 0), Law.KEPT),  # no change
        (set_word(at.FAULT, at.FAULT_QUEUE), Law.NO_FAULT),
        (set_word(at.N_REMOVED, 1), Law.NOTHING_WAITS),
        (set_word(block(0) + at.HAND, 11), Law.HAND_LIMIT),
        (set_word(block(1) + at.BOARD, 8), Law.BOARD_LIMIT),
        (set_word(block(1) + at.MANA, 11), Law.MANA),
        (set_word(block(0) + at.MANA, -1), Law.MANA),
        (set_word(block(0) + at.ARMOR, -1), Law.PLAYER),
        (set_word(block(0) + at.HEALTH, 31), Law.PLAYER),
        (set_word(block(0) + at.HEALTH, 0), Law.LIVING_PLAYERS),
        (set_in_record(at.HAND, at.COST, -1), Law.NUMBERS),
        (set_in_record(at.BOARD, at.HEALTH, 99), Law.NUMBERS),
        (set_in_record(at.BOARD, at.HEALTH, 0), Law.LIVING_MINIONS),
        (set_in_record(at.BOARD, at.STATUS, 8), Law.LIVING_MINIONS),
        (worn_weapon, Law.WEAPON),
        (set_in_record(at.BOARD, at.NEXT_KEYWORDS, OTHER_KEYWORD), Law.KEYWORDS),
        (set_in_record(at.BOARD, at.N_MADE, 3), Law.ATTACKS_MADE),
        (set_in_record(at.HAND, at.CARD, 9_999), Law.CARD_NUMBER),
        (set_word(at.HEARD, 0), Law.HEARD),
        (used_record_is_free, Law.ONE_PLACE),
        (set_in_record(at.BOARD, at.ZONE, at.IN_REMOVED), Law.ZONE_WORDS),
        (copy_between_records(at.HAND, at.SERIAL), Law.SERIALS),
        (copy_between_records(at.BOARD, at.ORDER), Law.ORDERS),
        (set_in_record(at.HAND, at.STATUS, at.IS_MARKED), Law.MARKS),
        (set_word(block(0) + at.N_CARDS_LEFT, 30), Law.CARDS_LEFT),
        (doubled_slot, Law.DECK_SLOTS),
        (put_back, Law.NO_WAY_BACK),
        (card_from_nowhere, Law.FROM_NOWHERE),
        (set_word(at.CHOICES, 1), Law.CHOICES),
        (set_word(at.N_ATTACKS, 1), Law.COUNTS),
    ],
)
def test_a_broken_law_is_found(change: Callable[[Words16], None], law: Law) -> None:
    before, state = (words.copy() for words in step())
    change(state)
    notes = np.zeros(NOTES_SIZE, dtype=np.int64)
    assert law_between(rich_table("saga").words[0], before, state, at.END_TURN, notes) == law


def _allow_everything(state, table, action):
    return 1


def _list_one_more(state, table, action):
    """List the legal actions by the rule that the test keeps at `BEGIN`, and an illegal one."""
    n_listed = call_rule(load64(table, at.BEGIN), state, table, action)
    return add_listed(state, n_listed, at.USE_POWER + at.POSITION_MASK // 2, 0, 0)


def _list_first_twice(state, table, action):
    n_listed = call_rule(load64(table, at.BEGIN), state, table, action)
    return add_listed(state, n_listed, listed(state, 0), 0, 0)


def _list_one_less(state, table, action):
    return call_rule(load64(table, at.BEGIN), state, table, action) - 1


@pytest.mark.parametrize(
    ("entry", "rule", "law"),
    [
        (at.LIST, _list_one_more, Law.LISTED_LEGAL),
        (at.LIST, _list_first_twice, Law.LISTED_ONCE),
        (at.LIST, _list_one_less, Law.LISTED_ALL),
        (at.LEGAL, _allow_everything, Law.PLACES),
    ],
)
def test_a_wrong_list_of_legal_actions_is_found(entry: int, rule: Rule, law: Law) -> None:
    table = rich_table("saga").words[0].copy()
    state = step()[0].copy()
    assert law_of_list(table, state) == Law.KEPT
    table[at.BEGIN : at.BEGIN + 4] = table[entry : entry + 4]
    table[entry : entry + 4] = as_words([address_of(rule, RULE)])
    assert law_of_list(table, state) == law


def _forgetful(state, table):
    """Choose by words that searches do not copy."""
    n_listed = list_actions(state, table)
    n_seen = 0
    for word in range(at.SEEN, at.GAME_SIZE):
        n_seen += state[word]
    return listed(state, n_seen % n_listed)


def test_a_copy_that_plays_differently_is_found() -> None:
    table = rich_table("saga")
    decks = random_decks(table.pool, 100, 5)
    agent = CompiledAgent("forgetful", _forgetful)
    findings = check(table, decks, 5, settings=(0, 11, 0), agent=agent)
    assert {violation.law for violation in findings.violations} == {Law.CLONE}
    assert all(violation.game % 4 in (1, 2) for violation in findings.violations)


@pytest.mark.thorough
@pytest.mark.parametrize("word", ["ATTACK", "MAX_HEALTH", "KEYWORDS", "READY", "COST"])
def test_the_independent_computation_finds_a_wrong_number(word: str) -> None:
    table = rich_table("saga")
    state = step()[1].copy()
    assert not disagreements(table.pool, table.ruleset, state)
    zone = at.HAND if word == "COST" else at.BOARD
    offset = items(state, 0, zone)[0] + getattr(at, word)
    state[offset] = state[offset] ^ 1
    if word in ("ATTACK", "MAX_HEALTH"):  # as if an aura gave it
        aura = at.AURA_ATTACK if word == "ATTACK" else at.AURA_HEALTH
        state[items(state, 0, zone)[0] + aura] += state[offset] - (state[offset] ^ 1)
    assert disagreements(table.pool, table.ruleset, state)
