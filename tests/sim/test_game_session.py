"""A person sees only what its seat may see, and can undo actions of its turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.conformance.games import Games, exchange_hidden, games_of
from agents.registry import agent_named
from sim.engine import layout as at
from sim.engine.stepping import legal_actions, perform, refresh_position
from sim.game_log.card_session import CardSession
from sim.game_log.deal import Deal
from sim.game_log.log_writer import LogWriter
from sim.game_log.snapshot import take_snapshot
from sim.game_log.viewpoint import Viewpoint
from sim.play.mover import mover_of
from tests.refusals import refusal_of

SOURCES = ("duel", "saga")


def secrets_of(games: Games) -> list[int]:
    """Return the numbers of all secrets of the games' pool."""
    return [number for number, card in enumerate(games.table.pool.cards) if card.kind == "secret"]


def deal_of(games: Games, index: int) -> Deal:
    """Return a game of two decks that begin with the secrets of the pool."""
    decks = np.ascontiguousarray(np.roll(games.decks, index, axis=0)[:2])
    secrets = secrets_of(games)
    decks[:, 1 : 1 + len(secrets)] = secrets
    return Deal(games.table, decks, ("one", "two"), ("a person", "x"), 3, "test", index)


def session_of(source: str, index: int, seat: int, opponent: str = "greedy") -> CardSession:
    return CardSession(deal_of(games_of(source), index), seat, agent_named(opponent), width=80)


def visible_lines(session: CardSession) -> list[str]:
    """Return all lines that a person can display."""
    more = [line for _, lines in session.more().values() for line in lines]
    choices = [f"{choice.words} {choice.options}" for choice in session.choices()]
    return [*session.position(whole=True), *choices, *more]


def put(session: CardSession, state: np.ndarray) -> None:
    """Put a session into another position."""
    session._state[:] = state
    session._now = take_snapshot(session._state)


def with_other_secrets(state: np.ndarray, games: Games) -> np.ndarray:
    """Return a state with other waiting secrets of the opponent of the seat to move."""
    other = state.copy()
    zone = at.SEATS + at.SEAT_SIZE * (1 - int(state[at.ACTIVE])) + at.SECRETS
    kinds = secrets_of(games)
    for record in state[zone + 1 :][: state[zone]]:
        other[record + at.CARD] = kinds[
            (kinds.index(int(state[record + at.CARD])) + 1) % len(kinds)
        ]
    return other


@pytest.mark.parametrize("source", SOURCES)
def test_the_display_does_not_depend_on_hidden_cards(source: str) -> None:
    """At every position, hands, decks, secrets and random streams are exchanged without effect."""
    games = games_of(source)
    rng = np.random.default_rng(5)
    n_secrets = n_given = 0
    for index in range(2):
        session = session_of(source, index, index % 2)
        session.begin()
        while not session.is_over:
            state = session._state.copy()
            seen = visible_lines(session)
            for _ in range(2):
                other = exchange_hidden(state, games.numbers, rng)
                put(session, with_other_secrets(other, games))
                assert visible_lines(session) == seen
            put(session, state)
            n_secrets += any("  secrets " in line for line in seen)
            n_given += any("among them" in line for line in seen)
            actions = legal_actions(session._state, games.numbers)
            session.act(actions[int(rng.integers(len(actions)))])
    assert source == "duel" or n_secrets
    assert source == "duel" or n_given


def with_new_cards(
    state: np.ndarray, games: Games, seat: int, rng: np.random.Generator
) -> np.ndarray:
    """Return a state in which one seat's hand and deck are dealt anew.

    The other deck and all random streams stay the same.
    """
    seen = state.copy()
    seen[at.ACTIVE] = 1 - seat
    other = exchange_hidden(seen, games.numbers, rng)
    other[at.ACTIVE] = state[at.ACTIVE]
    own = at.SEATS + at.SEAT_SIZE * (1 - seat)
    other[own + at.DECK :][: at.CARD_OF_SLOT - at.DECK] = state[own + at.DECK :][
        : at.CARD_OF_SLOT - at.DECK
    ]
    for block in (at.SEATS, at.SEATS + at.SEAT_SIZE):
        for stream in (at.DRAW_STREAM, at.EFFECT_STREAM):
            other[block + stream :][:4] = state[block + stream :][:4]
    refresh_position(other, games.numbers)
    return other


@pytest.mark.parametrize("source", SOURCES)
def test_the_log_does_not_depend_on_the_opponents_hand(source: str) -> None:
    """Attacks, powers and ends of turns of both players are logged in the same words."""
    games = games_of(source)
    rng = np.random.default_rng(6)
    n_compared = 0
    agent = mover_of(agent_named("random"), games.table, games.decks)
    for index in range(4):
        deal = deal_of(games, index)
        seat = index % 2
        writer = LogWriter(deal.card_names, deal.table.ruleset.starting_lives, Viewpoint(seat), 80)
        state = deal.begin()
        while state[at.RESULT] == at.RUNNING:
            action = agent(state)
            before = take_snapshot(state)
            other = with_new_cards(state, games, 1 - seat, rng)
            is_open = before.phase == at.MAIN_PHASE and not at.PLAY <= action < at.ATTACK_WITH
            is_open = is_open and action in legal_actions(other, games.numbers)
            perform(state, games.numbers, action)
            lines = list(writer.action(action, before, take_snapshot(state)))
            if is_open and not any(" burns " in line or " given " in line for line in lines):
                start = take_snapshot(other)
                perform(other, games.numbers, action)
                assert list(writer.action(action, start, take_snapshot(other))) == lines
                n_compared += 1
    assert n_compared > 50


@settings(max_examples=15)
@given(st.sampled_from(SOURCES), st.integers(0, 1), st.integers(0, 10**6), st.data())
def test_the_same_actions_after_undo_are_the_same_game(
    source: str, seat: int, index: int, data: st.DataObject
) -> None:
    session = session_of(source, index, seat, "random")
    session.begin()
    for _ in range(data.draw(st.integers(1, 25))):
        if session.is_over:
            break
        actions = legal_actions(session._state, session.deal.words)
        session.act(data.draw(st.sampled_from(actions)))
    done = [*session.actions]
    state = session._state.copy()
    seen = visible_lines(session)
    n_undone = session.undo()
    assert session.actions == done[: len(done) - n_undone]
    assert session.undo() == 0
    for action in done[len(done) - n_undone :]:
        session.act(action)
    assert session.actions == done
    session._state[at.N_GROUP] = state[at.N_GROUP]  # a work area, not a part of the game
    np.testing.assert_array_equal(session._state[: at.GAME_SIZE], state[: at.GAME_SIZE])
    assert visible_lines(session) == seen


@pytest.mark.parametrize("source", SOURCES)
def test_a_game_is_restored_from_its_actions(source: str) -> None:
    """It continues as if it had not been interrupted, and its log equals that of a replay."""
    games = games_of(source)
    session = session_of(source, 2, 0, "control")
    session.begin()
    decks = session.deal.decks
    while not session.is_over:
        restored = session_of(source, 2, 0, "control")
        restored.begin(session.actions)
        assert visible_lines(restored) == visible_lines(session)
        action = mover_of(agent_named("greedy"), games.table, decks)(session._state)
        restored.act(action)
        session.act(action)
        assert restored.actions == session.actions
    movers = [mover_of(agent_named(name), games.table, decks) for name in ("greedy", "control")]
    played = list(session.deal.log_lines(lambda state: movers[state[at.ACTIVE]](state)))
    assert session.full_log(session.actions) == played


def test_impossible_actions_are_refused() -> None:
    session = session_of("duel", 0, 0)
    for actions in ([at.USE_POWER], [0, -1], [7 << 40]):
        for restore in (session.begin, session.full_log):
            error = refusal_of(restore, actions)
            assert error.place == f"actions #{len(actions)}"
            assert error.value == actions[-1]
