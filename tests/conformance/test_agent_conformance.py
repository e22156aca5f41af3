"""Every registered agent passes the suite, and the suite catches agents that should not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.registry import agent_named, agent_names
from agents.scripted.board_view import NONE, oldest_play
from sim.agent import CompiledAgent, Policy
from sim.engine.compiled import Words, compiled, i64
from sim.engine.layout import (
    ACTIVE,
    AGENT_STREAM,
    COST,
    DECK,
    DRAW_STREAM,
    END_TURN,
    HAND,
    MANA,
    PLAY,
    SEAT_SIZE,
    SEATS,
)
from sim.snapshot import take_snapshot
from tests.conformance.agent_suite import NUMBERS, AgentSuite, positions
from tests.conformance.hidden import exchange_hidden

FAMILIES = ["rollout:4", "rollout:2:random"]  # some of each


@pytest.fixture(params=[*agent_names(), *FAMILIES])
def agent(request: pytest.FixtureRequest) -> CompiledAgent:
    return agent_named(request.param)


class TestRegisteredAgents(AgentSuite):
    """Nothing to add: an agent that is registered is tested, and some of each family."""


@compiled(i64(Words, Words, i64))
def _play_if(state, table, wanted):
    play = oldest_play(state, table, state[ACTIVE])
    return play if wanted and play != NONE else END_TURN


def _plays_what_it_cannot_pay(state, table):
    return PLAY


def _spends_mana_while_thinking(state, table):
    state[SEATS + SEAT_SIZE * state[ACTIVE] + MANA] -= 1
    return END_TURN


def _looks_at_the_enemys_hand(state, table):
    hand = SEATS + SEAT_SIZE * (1 - state[ACTIVE]) + HAND
    return _play_if(state, table, state[hand] > 0 and state[state[hand + 1] + COST] > 2)


def _looks_at_the_enemys_deck(state, table):
    deck = SEATS + SEAT_SIZE * (1 - state[ACTIVE]) + DECK
    return _play_if(state, table, state[deck] > 0 and state[deck + 1] > 2)


def _looks_at_the_own_deck(state, table):
    deck = SEATS + SEAT_SIZE * state[ACTIVE] + DECK
    return _play_if(state, table, state[deck] > 0 and state[deck + 1] > 2)


def _foresees_its_draws(state, table):
    return _play_if(state, table, state[SEATS + SEAT_SIZE * state[ACTIVE] + DRAW_STREAM] & 1)


def _foresees_the_enemys_choices(state, table):
    stream = SEATS + SEAT_SIZE * (1 - state[ACTIVE]) + AGENT_STREAM
    return _play_if(state, table, state[stream] & 1)


CULPRITS = [
    ("test_its_moves_are_always_legal", _plays_what_it_cannot_pay),
    ("test_it_leaves_state_and_table_as_they_are", _spends_mana_while_thinking),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_enemys_hand),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_enemys_deck),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_own_deck),
    ("test_hidden_cards_never_change_its_move", _foresees_its_draws),
    ("test_hidden_cards_never_change_its_move", _foresees_the_enemys_choices),
]


@pytest.mark.parametrize(("test", "policy"), CULPRITS)
def test_the_suite_catches(test: str, policy: Policy) -> None:
    with pytest.raises(AssertionError):
        getattr(AgentSuite(), test)(CompiledAgent("culprit", policy))


def test_exchanging_what_is_hidden_changes_nothing_in_sight() -> None:
    rng = np.random.default_rng(2)
    n_changed = 0
    for position in positions(agent_named("greedy"), n_games=3):
        before = take_snapshot(position.state)
        after = take_snapshot(exchange_hidden(position.state, NUMBERS, rng))
        own, enemy = after.seats[after.active], after.seats[1 - after.active]
        old = before.seats[1 - after.active]
        assert replace(after, seats=before.seats) == before
        assert own == before.seats[after.active]
        assert replace(enemy, hand=old.hand, drawn_slots=old.drawn_slots) == old
        assert len(enemy.hand) == len(old.hand)
        n_changed += [card.card for card in enemy.hand] != [card.card for card in old.hand]
    assert n_changed > 0
