"""A person at the table sees what its seat may see, and goes back to where its turn began."""

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
from tests.refusals import complaint_of

SOURCES = ("duel", "saga")


def secrets_of(games: Games) -> list[int]:
    return [number for number, card in enumerate(games.table.pool.cards) if card.kind == "secret"]


def deal_of(games: Games, index: int) -> Deal:
    """A game of two decks, whose first cards are the pool's secrets."""
    decks = np.ascontiguousarray(np.roll(games.decks, index, axis=0)[:2])
    secrets = secrets_of(games)
    decks[:, 1 : 1 + len(secrets)] = secrets
    return Deal(games.table, decks, ("one", "two"), ("a person", "x"), 3, "test", index)


def sit(source: str, index: int, seat: int, opponent: str = "greedy") -> CardSession:
    return CardSession(deal_of(games_of(source), index), seat, agent_named(opponent), width=80)


def shown(sitting: CardSession) -> list[str]:
    """All that a person may look at."""
    more = [line for _, lines in sitting.more().values() for line in lines]
    choices = [f"{choice.words} {choice.options}" for choice in sitting.choices()]
    return [*sitting.position(whole=True), *choices, *more]


def put(sitting: CardSession, state: np.ndarray) -> None:
    """Let a sitting be in another position."""
    sitting._state[:] = state
    sitting._now = take_snapshot(sitting._state)


def with_other_secrets(state: np.ndarray, games: Games) -> np.ndarray:
    """The secrets that wait for the seat to move are others."""
    other = state.copy()
    zone = at.SEATS + at.SEAT_SIZE * (1 - int(state[at.ACTIVE])) + at.SECRETS
    kinds = secrets_of(games)
    for record in state[zone + 1 :][: state[zone]]:
        other[record + at.CARD] = kinds[
            (kinds.index(int(state[record + at.CARD])) + 1) % len(kinds)
        ]
    return other


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_shown_does_not_hang_on_what_is_hidden(source: str) -> None:
    """Hands, decks, secrets and luck to come are exchanged at every position; nothing moves."""
    games = games_of(source)
    rng = np.random.default_rng(5)
    n_secrets = n_given = 0
    for index in range(2):
        sitting = sit(source, index, index % 2)
        sitting.begin()
        while not sitting.is_over:
            state = sitting._state.copy()
            seen = shown(sitting)
            for _ in range(2):
                other = exchange_hidden(state, games.numbers, rng)
                put(sitting, with_other_secrets(other, games))
                assert shown(sitting) == seen
            put(sitting, state)
            n_secrets += any("  secrets " in line for line in seen)
            n_given += any("among them" in line for line in seen)
            actions = legal_actions(sitting._state, games.numbers)
            sitting.act(actions[int(rng.integers(len(actions)))])
    assert source == "duel" or n_secrets
    assert source == "duel" or n_given


def exchange_of(state: np.ndarray, games: Games, seat: int, rng: np.random.Generator) -> np.ndarray:
    """What `seat` holds and may draw is dealt anew; the other deck and all luck stay."""
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
def test_news_do_not_hang_on_what_the_opponent_holds(source: str) -> None:
    """Attacks, powers and ends of turns, one's own and the opponent's, read the same."""
    games = games_of(source)
    rng = np.random.default_rng(6)
    n_compared = 0
    agent = mover_of(agent_named("random"), games.table, games.decks)
    for index in range(4):
        deal = deal_of(games, index)
        seat = index % 2
        story = LogWriter(deal.card_names, deal.table.ruleset.starting_lives, Viewpoint(seat), 80)
        state = deal.begin()
        while state[at.RESULT] == at.RUNNING:
            action = agent(state)
            before = take_snapshot(state)
            other = exchange_of(state, games, 1 - seat, rng)
            is_open = before.phase == at.MAIN_PHASE and not at.PLAY <= action < at.ATTACK_WITH
            is_open = is_open and action in legal_actions(other, games.numbers)
            perform(state, games.numbers, action)
            told = list(story.action(action, before, take_snapshot(state)))
            if is_open and not any(" burns " in line or " given " in line for line in told):
                start = take_snapshot(other)
                perform(other, games.numbers, action)
                assert list(story.action(action, start, take_snapshot(other))) == told
                n_compared += 1
    assert n_compared > 50


@settings(max_examples=15)
@given(st.sampled_from(SOURCES), st.integers(0, 1), st.integers(0, 10**6), st.data())
def test_the_same_actions_after_undo_are_the_same_game(
    source: str, seat: int, index: int, data: st.DataObject
) -> None:
    sitting = sit(source, index, seat, "random")
    sitting.begin()
    for _ in range(data.draw(st.integers(1, 25))):
        if sitting.is_over:
            break
        actions = legal_actions(sitting._state, sitting.deal.words)
        sitting.act(data.draw(st.sampled_from(actions)))
    done = [*sitting.actions]
    state = sitting._state.copy()
    seen = shown(sitting)
    n_undone = sitting.undo()
    assert sitting.actions == done[: len(done) - n_undone]
    assert sitting.undo() == 0
    for action in done[len(done) - n_undone :]:
        sitting.act(action)
    assert sitting.actions == done
    sitting._state[at.N_GROUP] = state[at.N_GROUP]  # room to work in
    np.testing.assert_array_equal(sitting._state[: at.GAME_SIZE], state[: at.GAME_SIZE])
    assert shown(sitting) == seen


@pytest.mark.parametrize("source", SOURCES)
def test_a_game_goes_on_from_its_actions(source: str) -> None:
    """As if it had not been left; and it is told as `replay` tells the same moves."""
    games = games_of(source)
    one = sit(source, 2, 0, "control")
    one.begin()
    while not one.is_over:
        again = sit(source, 2, 0, "control")
        again.begin(one.actions)
        assert shown(again) == shown(one)
        action = mover_of(agent_named("greedy"), games.table, one.deal.decks)(one._state)
        again.act(action)
        one.act(action)
        assert again.actions == one.actions
    movers = [
        mover_of(agent_named(name), games.table, one.deal.decks) for name in ("greedy", "control")
    ]
    played = list(one.deal.log_lines(lambda state: movers[state[at.ACTIVE]](state)))
    assert one.full_log(one.actions) == played


def test_actions_that_the_game_does_not_know_are_refused() -> None:
    sitting = sit("duel", 0, 0)
    for actions in ([at.USE_POWER], [0, -1], [7 << 40]):
        assert "actions: " in complaint_of(sitting.begin, actions)
        assert "actions: " in complaint_of(sitting.full_log, actions)
