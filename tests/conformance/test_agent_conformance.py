"""Every registered agent passes the suite, and the suite catches agents that break its rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents import agent_named, agent_names
from agents.conformance import AgentSuite
from agents.conformance.games import SOURCES, drawn_records, exchange_hidden, games_of, positions
from agents.scripted.board_view import NONE, oldest_play
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.game_log.snapshot import take_snapshot
from sim.play.agent import CompiledAgent, Policy
from tests.legacy import needs_package

# Examples of parametrised agents; the last is `strong` with fewer positions, which is slow.
FAMILIES = ["rollout:2", "rollout:2:random", "turn:30", "turn:30:leaves=4:worlds=2:value=8:lines=3"]
SLOW = {"strong"}


@pytest.fixture(params=[*(name for name in agent_names() if name not in SLOW), *FAMILIES])
def agent(request: pytest.FixtureRequest) -> CompiledAgent:
    return agent_named(request.param)


class TestRegisteredAgents(AgentSuite):
    """The suite, applied to all registered agents and to examples of each family."""


@compiled(i64(Words, Words, i64))
def _play_if(state, table, wanted):
    play = oldest_play(state, table, state[at.ACTIVE])
    return play if wanted and play != NONE else at.END_TURN


def _plays_what_it_cannot_pay(state, table):
    return at.PLAY


def _spends_mana_while_thinking(state, table):
    state[at.SEATS + at.SEAT_SIZE * state[at.ACTIVE] + at.MANA] -= 1
    return at.END_TURN


def _looks_at_the_enemys_hand(state, table):
    hand = at.SEATS + at.SEAT_SIZE * (1 - state[at.ACTIVE]) + at.HAND
    return _play_if(state, table, state[hand] > 0 and state[state[hand + 1] + at.COST] > 2)


def _looks_at_the_enemys_deck(state, table):
    deck = at.SEATS + at.SEAT_SIZE * (1 - state[at.ACTIVE]) + at.DECK
    return _play_if(state, table, state[deck] > 0 and state[deck + 1] > 2)


def _looks_at_the_own_deck(state, table):
    deck = at.SEATS + at.SEAT_SIZE * state[at.ACTIVE] + at.DECK
    return _play_if(state, table, state[deck] > 0 and state[deck + 1] > 2)


def _foresees_its_draws(state, table):
    return _play_if(
        state, table, state[at.SEATS + at.SEAT_SIZE * state[at.ACTIVE] + at.DRAW_STREAM] & 1
    )


def _foresees_the_enemys_choices(state, table):
    stream = at.SEATS + at.SEAT_SIZE * (1 - state[at.ACTIVE]) + at.AGENT_STREAM
    return _play_if(state, table, state[stream] & 1)


@compiled(i64(Words, i64))
def _replaces_cards_if(state, wanted):
    if state[at.PHASE] == at.CHOICE_PHASE:
        return at.PLAY + at.AT_NOBODY
    is_marked = (
        state[state[at.SEATS + at.SEAT_SIZE * state[at.ACTIVE] + at.HAND + 1] + at.STATUS]
        & at.IS_MARKED
    )
    marks = wanted and state[at.PHASE] == at.MULLIGAN_PHASE and not is_marked
    return at.PLAY + at.AT_NOBODY if marks else at.END_TURN


def _looks_at_the_enemys_opening_hand(state, table):
    hand = at.SEATS + at.SEAT_SIZE * (1 - state[at.ACTIVE]) + at.HAND
    return _replaces_cards_if(state, state[state[hand + 1] + at.COST] > 2)


def _foresees_its_random_effects(state, table):
    stream = at.SEATS + at.SEAT_SIZE * state[at.ACTIVE] + at.EFFECT_STREAM
    return _replaces_cards_if(state, state[stream] & 1)


CULPRITS = [
    ("test_its_moves_are_always_legal", _plays_what_it_cannot_pay, "duel"),
    ("test_it_leaves_state_and_table_as_they_are", _spends_mana_while_thinking, "duel"),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_enemys_hand, "duel"),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_enemys_deck, "duel"),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_own_deck, "duel"),
    ("test_hidden_cards_never_change_its_move", _foresees_its_draws, "duel"),
    ("test_hidden_cards_never_change_its_move", _foresees_the_enemys_choices, "duel"),
    ("test_its_moves_are_always_legal", _plays_what_it_cannot_pay, "saga"),
    ("test_it_leaves_state_and_table_as_they_are", _spends_mana_while_thinking, "saga"),
    ("test_hidden_cards_never_change_its_move", _looks_at_the_enemys_opening_hand, "saga"),
    ("test_hidden_cards_never_change_its_move", _foresees_its_random_effects, "saga"),
]


@pytest.mark.parametrize(("test", "policy", "source"), CULPRITS)
def test_the_suite_catches(test: str, policy: Policy, source: str) -> None:
    with pytest.raises(AssertionError):
        getattr(AgentSuite(), test)(CompiledAgent("culprit", policy), games_of(source))


EACH_SOURCE = [*SOURCES[:2], pytest.param(SOURCES[2], marks=needs_package)]


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_exchanging_hidden_cards_changes_nothing_visible(source: str) -> None:
    games = games_of(source)
    rng = np.random.default_rng(2)
    n_changed = n_given = 0
    for position in positions(agent_named("greedy"), games, 3):
        other = exchange_hidden(position.state, games.numbers, rng)
        before = take_snapshot(position.state)
        after = take_snapshot(other)
        own = after.seats[after.active]
        enemy = after.seats[1 - after.active]
        old = before.seats[1 - after.active]
        hidden = {"hand": old.hand, "drawn_slots": old.drawn_slots, "deck": old.deck}
        assert replace(after, seats=before.seats) == before
        assert own == before.seats[after.active]
        assert replace(enemy, **hidden) == old
        assert [card.at for card in enemy.hand] == [card.at for card in old.hand]
        drawn = drawn_records(position.state, 1 - before.active).tolist()
        for card, old_card in zip(enemy.hand, old.hand, strict=True):
            assert card.at in drawn or replace(card, cost=old_card.cost) == old_card
            n_given += card.at not in drawn
        n_changed += [card.card for card in enemy.hand] != [card.card for card in old.hand]
    assert n_changed > 0
    assert n_given > 0 or not games.table.is_always_general
